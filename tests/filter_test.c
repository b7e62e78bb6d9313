/*
 * What the filters of system calls leave: each is put into force in a child
 * that then makes one call, none of which would do any harm. Nothing here looks
 * at what a process would do if it were let.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "emu/filter.h"
#include "tap.h"

enum filter { COMPILER, LOADER, RECORDER, PROGRAM, WRITING };
static const char *const names[] = { "the compiler", "the loader",
				     "the recorder", "a program",
				     "one that writes" };

static int load(enum filter f)
{
	switch (f) {
	case COMPILER:
		return filter_compiler();
	case LOADER:
		return filter_loader();
	case RECORDER:
		return filter_recorder();
	default:
		return filter_program(f == WRITING);
	}
}

#define NOBODY (1L << 22)	/* larger than any process's number */
#define NONE ((long)"/none/none")
#define WIDE (1L << 32)		/* what the kernel does not see */
/* Calls that harm nobody: they ask, or speak of what there is none of; and what
 * each filter does with them: '+' it is made, 'e' it fails, '!' the process ends
 * by SIGSYS. */
static const struct call {
	const char *name, *wants;
	long number, a[6];
} calls[] = {
	{ "getpid", "+++++", SYS_getpid, { 0 } },
	{ "mmap", "+++++", SYS_mmap,
	  { 0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 } },
	{ "mmap to execute", "++!!!", SYS_mmap,
	  { 0, 4096, PROT_READ | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 } },
	{ "mmap shared", "++!!!", SYS_mmap,
	  { 0, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0 } },
	{ "mmap of a file", "++!++", SYS_mmap,
	  { 0, 4096, PROT_READ, MAP_SHARED, -1, 0 } },
	{ "memfd_create", "++!!!", SYS_memfd_create, { (long)"none", 0 } },
	{ "openat", "++!++", SYS_openat, { AT_FDCWD, NONE, O_RDONLY } },
	{ "openat to write", "++!!+", SYS_openat,
	  { AT_FDCWD, NONE, O_WRONLY } },
	{ "openat to empty", "++!!!", SYS_openat,
	  { AT_FDCWD, NONE, O_RDONLY | O_TRUNC } },
	{ "openat to make", "++!!+", SYS_openat,
	  { AT_FDCWD, NONE, O_RDONLY | O_CREAT } },
	{ "openat to make with set-user-ID", "++!!e", SYS_openat,
	  { AT_FDCWD, NONE, O_WRONLY | O_CREAT, 04755 } },
	{ "openat to make with set-group-ID", "++!!e", SYS_openat,
	  { AT_FDCWD, NONE, O_RDWR | O_CREAT, 02755 } },
	{ "openat to make with the sticky bit", "++!!e", SYS_openat,
	  { AT_FDCWD, NONE, O_RDONLY | O_CREAT, 01755 } },
	{ "openat to write, with no mode", "++!!+", SYS_openat,
	  { AT_FDCWD, NONE, O_WRONLY, -1 } },
	{ "open to make with set-user-ID", "++!!e", SYS_open,
	  { NONE, O_WRONLY | O_CREAT, 04755 } },
	{ "creat", "+!!!+", SYS_creat, { NONE, 0777 } },
	{ "creat with set-user-ID", "+!!!e", SYS_creat, { NONE, 04755 } },
	{ "mkdir", "+!!!+", SYS_mkdir, { NONE, 0777 } },
	{ "mkdir with set-group-ID", "+!!!e", SYS_mkdir, { NONE, 02755 } },
	{ "mkdirat with all bits", "+!!!e", SYS_mkdirat,
	  { AT_FDCWD, NONE, 07777 } },
	{ "unlinkat", "+!!!+", SYS_unlinkat, { AT_FDCWD, NONE, 0 } },
	{ "rt_sigaction", "+++++", SYS_rt_sigaction, { SIGUSR1, 0, 0, 8 } },
	{ "rt_sigaction of SIGSYS", "+!!!!", SYS_rt_sigaction,
	  { SIGSYS, 0, 0, 8 } },
	{ "rt_sigaction of SIGSYS in 32 bits", "+!!!!", SYS_rt_sigaction,
	  { SIGSYS | WIDE, 0, 0, 8 } },
	{ "prlimit64", "++!++", SYS_prlimit64, { 0, RLIMIT_NOFILE, 0, 0 } },
	{ "prlimit64 to set", "++!!!", SYS_prlimit64,
	  { 0, RLIMIT_NOFILE, 8, 0 } },
	{ "prlimit64 of another", "+!!!!", SYS_prlimit64,
	  { NOBODY, RLIMIT_NOFILE, 0, 0 } },
	{ "fcntl", "++!++", SYS_fcntl, { -1, F_GETFL } },
	{ "fcntl of a signal", "+!!!!", SYS_fcntl, { -1, F_SETOWN, NOBODY } },
	{ "ioctl", "+!!++", SYS_ioctl, { -1, TCGETS } },
	{ "ioctl of words", "+!!!!", SYS_ioctl, { -1, TIOCSTI, 0 } },
	{ "ioctl of words in 32 bits", "+!!!!", SYS_ioctl,
	  { -1, TIOCSTI | WIDE, 0 } },
	{ "getppid", "+!!!!", SYS_getppid, { 0 } },
	{ "kill", "e!!!!", SYS_kill, { NOBODY, 0 } },
	{ "tgkill of another", "+!!!!", SYS_tgkill, { NOBODY, NOBODY, 0 } },
	{ "socket", "e!!!!", SYS_socket, { -1, -1, -1 } },
	{ "execve", "+!!!!", SYS_execve, { NONE, 0, 0 } },
	{ "clone, which makes none", "+!!!!", SYS_clone, { CLONE_SIGHAND } },
	{ "prctl", "+!!!!", SYS_prctl, { PR_GET_DUMPABLE } },
	{ "ptrace", "e!!!!", SYS_ptrace, { -1, NOBODY, 0, 0 } },
	{ "newfstatat", "++!++", SYS_newfstatat, { AT_FDCWD, NONE, 0, 0 } },
	{ "newfstatat of a descriptor", "++e++", SYS_newfstatat,
	  { 0, (long)"", 0, AT_EMPTY_PATH } },
	{ "poll", "+!!++", SYS_poll, { 0, 0, 0 } },
	{ "clock_nanosleep", "+!!++", SYS_clock_nanosleep, { -1, 0, 0, 0 } },
};

/* One call in a child. */
static char made(enum filter f, const struct call *c)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		if (load(f) < 0)
			_exit(77);
		errno = 0;
		syscall(c->number, c->a[0], c->a[1], c->a[2], c->a[3], c->a[4],
			c->a[5]);
		_exit(errno == EPERM ? EPERM : 0);
	}
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGSYS ? '!' : '?';
	return WEXITSTATUS(status) == EPERM ? 'e' : status ? '?' : '+';
}

static bool aborts(enum filter f)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		if (load(f) < 0)
			_exit(77);
		abort();
	}
	return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
	       WTERMSIG(status) == SIGABRT;
}

static void test_words(void)
{
	static const struct { int number; const char *words; } is[] = {
		{ SYS_socket, "use the network (socket)" },
		{ SYS_execve, "start a process (execve)" },
		{ SYS_open, "open a file (open)" },
		{ SYS_rename, "change files (rename)" },
		{ SYS_poll, "wait (poll)" },
		{ SYS_getppid, "call the system (getppid)" },
		{ 9999, "call the system (number 9999)" },
	};

	for (size_t i = 0; i < LENGTH(is); i++) {
		char *words = filter_words(is[i].number);

		tap_str(words, is[i].words, "words for call %d", is[i].number);
		free(words);
	}
}

int main(void)
{
#ifdef SANITIZED
	tap_skip("filters", "a sanitizer makes calls of its own");
	return tap_done();
#endif
	for (enum filter f = COMPILER; f <= WRITING; f++) {
		for (size_t i = 0; i < LENGTH(calls); i++)
			tap_is(made(f, &calls[i]), calls[i].wants[f],
			       "%s: %s", names[f], calls[i].name);
		tap_ok(aborts(f), "%s: abort() ends it", names[f]);
	}
	test_words();
	return tap_done();
}
