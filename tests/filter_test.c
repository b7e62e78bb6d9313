/*
 * What the filters of system calls leave: each is put into force in a child
 * that then makes one call, none of which would do any harm. Nothing here looks
 * at what a process would do if it were let.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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
#include "emu/module/filter.h"
#include "tap.h"

enum filter { COMPILER, LOADER, RECORDER, PROGRAM, WRITING };

/* Sends a descriptor through a socket. */
static int send_descriptor(int to, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 }, byte = 0;
	struct iovec io = { &byte, 1 };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(int));
	return sendmsg(to, &m, 0) == 1 ? 0 : -1;
}

/* Returns the descriptor that was sent, or -1. */
static int receive_descriptor(int from)
{
	char control[CMSG_SPACE(sizeof(int))], byte;
	struct iovec io = { &byte, 1 };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };
	int fd = -1;

	if (recvmsg(from, &m, 0) == 1 && CMSG_FIRSTHDR(&m))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(int));
	return fd;
}

/* Judges what a child tries until it ends; its status is SIGSYS's if it was
 * refused anything. */
static int judged_status(pid_t pid, int from)
{
	int notify = receive_descriptor(from), status = 0;
	struct pollfd p = { .fd = notify, .events = POLLIN };
	unsigned starts = 0;
	char *refused = NULL;

	while (!refused && poll(&p, 1, 10000) > 0 && (p.revents & POLLIN))
		refused = filter_judge(notify, &starts, 4);
	if (refused)
		kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	close(notify);
	if (refused && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		status = SIGSYS;
	free(refused);
	return status;
}

/* Waits for a child that has put a filter into force. */
static int child_status(enum filter f, pid_t pid, int from)
{
	int status = 0;

	if (f == COMPILER)
		return judged_status(pid, from);
	waitpid(pid, &status, 0);
	return status;
}

static const char *const names[] = { "the compiler", "the loader",
				     "the recorder", "a program",
				     "one that writes" };

/* Puts a filter into force; that of the compiler sends its end to the parent. */
static int load(enum filter f, int sends)
{
	int fd;

	switch (f) {
	case COMPILER:
		fd = filter_compiler(sends);
		return fd < 0 ? -1 : send_descriptor(sends, fd);
	case LOADER:
		return filter_loader();
	case RECORDER:
		return filter_recorder();
	default:
		return filter_program(f == WRITING);
	}
}

#define NOBODY (1L << 22)	/* larger than any process's number */
static const char none[] = "/none/none";
#define NONE ((long)none)
#define WIDE (1L << 32)		/* what the kernel does not see */
/* Calls that harm nobody: they ask, or speak of what there is none of; and what
 * each filter does with them: '+' it is made, 'e' it fails, 'v' it succeeds without
 * effect, '!' the process ends by SIGSYS, or who watches the compiler refuses it. */
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
	{ "memfd_create", "!+!!!", SYS_memfd_create, { (long)"none", 0 } },
	{ "openat", "++!++", SYS_openat, { AT_FDCWD, NONE, O_RDONLY } },
	{ "openat to write", "++!!+", SYS_openat,
	  { AT_FDCWD, NONE, O_WRONLY } },
	{ "openat to empty", "++!!!", SYS_openat,
	  { AT_FDCWD, NONE, O_RDONLY | O_TRUNC } },
	{ "openat to make", "++!!+", SYS_openat,
	  { AT_FDCWD, NONE, O_RDONLY | O_CREAT } },
	{ "openat to make with set-user-ID", "!+!!e", SYS_openat,
	  { AT_FDCWD, NONE, O_WRONLY | O_CREAT, 04755 } },
	{ "openat to make with set-group-ID", "!+!!e", SYS_openat,
	  { AT_FDCWD, NONE, O_RDWR | O_CREAT, 02755 } },
	{ "openat to make with the sticky bit", "!+!!e", SYS_openat,
	  { AT_FDCWD, NONE, O_RDONLY | O_CREAT, 01755 } },
	{ "openat to write, with no mode", "++!!+", SYS_openat,
	  { AT_FDCWD, NONE, O_WRONLY, -1 } },
	{ "open to make with set-user-ID", "!+!!e", SYS_open,
	  { NONE, O_WRONLY | O_CREAT, 04755 } },
	{ "creat", "+!!!+", SYS_creat, { NONE, 0777 } },
	{ "creat with set-user-ID", "!!!!e", SYS_creat, { NONE, 04755 } },
	{ "mkdir", "!!!!+", SYS_mkdir, { NONE, 0777 } },
	{ "mkdir with set-group-ID", "!!!!e", SYS_mkdir, { NONE, 02755 } },
	{ "mkdirat with all bits", "!!!!e", SYS_mkdirat,
	  { AT_FDCWD, NONE, 07777 } },
	{ "unlinkat", "+!!!+", SYS_unlinkat, { AT_FDCWD, NONE, 0 } },
	{ "rt_sigaction", "+++++", SYS_rt_sigaction, { SIGUSR1, 0, 0, 8 } },
	{ "rt_sigaction of SIGSYS", "+!!!!", SYS_rt_sigaction,
	  { SIGSYS, 0, 0, 8 } },
	{ "rt_sigaction of SIGSYS in 32 bits", "+!!!!", SYS_rt_sigaction,
	  { SIGSYS | WIDE, 0, 0, 8 } },
	{ "prlimit64", "++!++", SYS_prlimit64, { 0, RLIMIT_NOFILE, 0, 0 } },
	{ "prlimit64 to set", "!+!!!", SYS_prlimit64,
	  { 0, RLIMIT_NOFILE, 8, 0 } },
	{ "prlimit64 of another", "!!!!!", SYS_prlimit64,
	  { NOBODY, RLIMIT_NOFILE, 0, 0 } },
	{ "fcntl", "++!++", SYS_fcntl, { -1, F_GETFL } },
	{ "fcntl of a signal", "!!!!!", SYS_fcntl, { -1, F_SETOWN, NOBODY } },
	{ "ioctl", "+!!++", SYS_ioctl, { -1, TCGETS } },
	{ "ioctl of words", "!!!!!", SYS_ioctl, { -1, TIOCSTI, 0 } },
	{ "ioctl of words in 32 bits", "!!!!!", SYS_ioctl,
	  { -1, TIOCSTI | WIDE, 0 } },
	{ "getppid", "+!!!!", SYS_getppid, { 0 } },
	{ "kill", "!!!!!", SYS_kill, { NOBODY, 0 } },
	{ "tgkill of another", "!!!!!", SYS_tgkill, { NOBODY, NOBODY, 0 } },
	{ "socket", "!!!!!", SYS_socket, { -1, -1, -1 } },
	{ "execve", "+!!!!", SYS_execve, { NONE, 0, 0 } },
	{ "clone, which makes none", "+!!!!", SYS_clone, { CLONE_SIGHAND } },
	{ "prctl", "!!!!!", SYS_prctl, { PR_GET_DUMPABLE } },
	{ "ptrace", "!!!!!", SYS_ptrace, { -1, NOBODY, 0, 0 } },
	{ "newfstatat", "++!++", SYS_newfstatat, { AT_FDCWD, NONE, 0, 0 } },
	{ "newfstatat of a descriptor", "++e++", SYS_newfstatat,
	  { 0, (long)"", 0, AT_EMPTY_PATH } },
	{ "poll", "!!!++", SYS_poll, { 0, 0, 0 } },
	{ "clock_nanosleep", "!!!++", SYS_clock_nanosleep, { -1, 0, 0, 0 } },
	/* Without effect for the compiler. */
	{ "chmod", "v!!!!", SYS_chmod, { NONE, 04777 } },
	{ "fchmod", "v!!!!", SYS_fchmod, { -1, 04777 } },
	{ "fchmodat", "v!!!!", SYS_fchmodat, { AT_FDCWD, NONE, 04777 } },
	{ "chown", "v!!!!", SYS_chown, { NONE, -1, -1 } },
	{ "fchown", "v!!!!", SYS_fchown, { -1, -1, -1 } },
	{ "lchown", "v!!!!", SYS_lchown, { NONE, -1, -1 } },
	{ "fchownat", "v!!!!", SYS_fchownat, { AT_FDCWD, NONE, -1, -1, 0 } },
	{ "utime", "v!!!!", SYS_utime, { NONE, 0 } },
	{ "utimes", "v!!!!", SYS_utimes, { NONE, 0 } },
	{ "utimensat", "v!!!!", SYS_utimensat, { AT_FDCWD, NONE, 0, 0 } },
	{ "setxattr", "v!!!!", SYS_setxattr, { NONE, NONE, 0, 0, 0 } },
	{ "lsetxattr", "v!!!!", SYS_lsetxattr, { NONE, NONE, 0, 0, 0 } },
	{ "fsetxattr", "v!!!!", SYS_fsetxattr, { -1, NONE, 0, 0, 0 } },
	{ "removexattr", "v!!!!", SYS_removexattr, { NONE, NONE } },
	{ "setsid", "!!!!!", SYS_setsid,
	  { 0 } },
	{ "setpgid", "!!!!!", SYS_setpgid,
	  { NOBODY, NOBODY } },
	{ "clock_settime", "!!!!!", SYS_clock_settime,
	  { -1, 0 } },
	{ "settimeofday", "!!!!!", SYS_settimeofday,
	  { 0, 0 } },
	{ "adjtimex", "!!!!!", SYS_adjtimex,
	  { 0 } },
	{ "setuid", "!!!!!", SYS_setuid,
	  { -1 } },
	{ "setgid", "!!!!!", SYS_setgid,
	  { -1 } },
	{ "setresuid", "!!!!!", SYS_setresuid,
	  { -1, -1, -1 } },
	{ "setgroups", "!!!!!", SYS_setgroups,
	  { -1, 0 } },
	{ "capset", "!!!!!", SYS_capset,
	  { 0, 0 } },
	{ "mount", "!!!!!", SYS_mount,
	  { NONE, NONE, 0, 0, 0 } },
	{ "umount2", "!!!!!", SYS_umount2,
	  { NONE, 0 } },
	{ "chroot", "!!!!!", SYS_chroot,
	  { NONE } },
	{ "pivot_root", "!!!!!", SYS_pivot_root,
	  { NONE, NONE } },
	{ "unshare", "!!!!!", SYS_unshare,
	  { 0 } },
	{ "setns", "!!!!!", SYS_setns,
	  { -1, 0 } },
	{ "link", "!!!!!", SYS_link,
	  { NONE, NONE } },
	{ "linkat", "!!!!!", SYS_linkat,
	  { AT_FDCWD, NONE, AT_FDCWD, NONE, 0 } },
	{ "symlink", "!!!!!", SYS_symlink,
	  { NONE, NONE } },
	{ "symlinkat", "!!!!!", SYS_symlinkat,
	  { NONE, AT_FDCWD, NONE } },
	{ "rename", "!!!!+", SYS_rename,
	  { NONE, NONE } },
	{ "mknod", "!!!!!", SYS_mknod,
	  { NONE, 0, 0 } },
	{ "mknodat", "!!!!!", SYS_mknodat,
	  { AT_FDCWD, NONE, 0, 0 } },
	{ "truncate", "!!!!!", SYS_truncate,
	  { NONE, 0 } },
	{ "rmdir", "!!!!+", SYS_rmdir,
	  { NONE } },
	{ "chdir", "!!!!!", SYS_chdir,
	  { NONE } },
	{ "fchdir", "!!!!!", SYS_fchdir,
	  { -1 } },
	{ "init_module", "!!!!!", SYS_init_module,
	  { 0, 0, NONE } },
	{ "finit_module", "!!!!!", SYS_finit_module,
	  { -1, NONE, 0 } },
	{ "delete_module", "!!!!!", SYS_delete_module,
	  { NONE, 0 } },
	{ "bpf", "!!!!!", SYS_bpf,
	  { -1, 0, 0 } },
	{ "perf_event_open", "!!!!!", SYS_perf_event_open,
	  { 0, -1, -1, -1, 0 } },
	{ "keyctl", "!!!!!", SYS_keyctl,
	  { -1 } },
	{ "add_key", "!!!!!", SYS_add_key,
	  { 0, 0, 0, 0, 0 } },
	{ "shmget", "!!!!!", SYS_shmget,
	  { 0, 0, 0 } },
	{ "shmat", "!!!!!", SYS_shmat,
	  { -1, 0, 0 } },
	{ "msgget", "!!!!!", SYS_msgget,
	  { 0, 0 } },
	{ "semget", "!!!!!", SYS_semget,
	  { 0, -1, 0 } },
	{ "mq_open", "!!!!!", SYS_mq_open,
	  { 0, 0, 0, 0 } },
	{ "io_uring_setup", "!!!!!", SYS_io_uring_setup,
	  { 0, 0 } },
	{ "userfaultfd", "!!!!!", SYS_userfaultfd,
	  { -1 } },
	{ "process_vm_readv", "!!!!!", SYS_process_vm_readv,
	  { NOBODY, 0, 0, 0, 0, 0 } },
	{ "process_vm_writev", "!!!!!", SYS_process_vm_writev,
	  { NOBODY, 0, 0, 0, 0, 0 } },
	{ "pidfd_open", "!!!!!", SYS_pidfd_open,
	  { NOBODY, 0 } },
	{ "pidfd_send_signal", "!!!!!", SYS_pidfd_send_signal,
	  { -1, 0, 0, 0 } },
	{ "pidfd_getfd", "!!!!!", SYS_pidfd_getfd,
	  { -1, -1, 0 } },
	{ "sched_setaffinity", "!!!!!", SYS_sched_setaffinity,
	  { NOBODY, 0, 0 } },
	{ "setpriority", "!!!!!", SYS_setpriority,
	  { -1, 0, 0 } },
	{ "personality", "!!!!!", SYS_personality,
	  { 0xffffffff } },
	{ "swapon", "!!!!!", SYS_swapon,
	  { NONE, 0 } },
	{ "reboot", "!!!!!", SYS_reboot,
	  { 0, 0, 0, 0 } },
	{ "kexec_load", "!!!!!", SYS_kexec_load,
	  { 0, 0, 0, -1 } },
	{ "sethostname", "!!!!!", SYS_sethostname,
	  { 0, -1 } },
	{ "acct", "!!!!!", SYS_acct,
	  { NONE } },
	{ "quotactl", "!!!!!", SYS_quotactl,
	  { -1, 0, 0, 0 } },
	{ "inotify_init", "!!!!!", SYS_inotify_init,
	  { 0 } },
	{ "timer_create", "!!!!!", SYS_timer_create,
	  { -1, 0, 0 } },
	{ "setitimer", "!++++", SYS_setitimer,
	  { -1, 0, 0 } },
	{ "socketpair", "!!!!!", SYS_socketpair,
	  { -1, -1, -1, 0 } },
	{ "connect", "!!!!!", SYS_connect,
	  { -1, 0, 0 } },
	{ "sendto", "!!!!!", SYS_sendto,
	  { -1, 0, 0, 0, 0, 0 } },
	{ "sendmsg", "!!!!!", SYS_sendmsg,
	  { -1, 0, 0 } },
	{ "execveat", "!!!!!", SYS_execveat,
	  { -1, NONE, 0, 0, 0 } },
	{ "name_to_handle_at", "!!!!!", SYS_name_to_handle_at,
	  { -1, NONE, 0, 0, 0 } },
	{ "open_by_handle_at", "!!!!!", SYS_open_by_handle_at,
	  { -1, 0, 0 } },
	{ "copy_file_range", "!!!!!", SYS_copy_file_range,
	  { -1, 0, -1, 0, 0, 0 } },
	{ "sendfile", "!!!!!", SYS_sendfile,
	  { -1, -1, 0, 0 } },
	{ "splice", "!!!!!", SYS_splice,
	  { -1, 0, -1, 0, 0, 0 } },
	{ "tee", "!!!!!", SYS_tee,
	  { -1, -1, 0, 0 } },
	{ "vmsplice", "!!!!!", SYS_vmsplice,
	  { -1, 0, 0, 0 } },
	{ "mlockall", "!!!!!", SYS_mlockall,
	  { -1 } },
};

/* Makes a call in a child, behind a filter; returns what came of it, as the table
 * above says. */
static char try_call(enum filter f, const struct call *c)
{
	int pair[2], status = 0;
	pid_t pid;
	long rc;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) < 0)
		return '?';
	pid = fork();
	if (pid == 0) {
		if (load(f, pair[1]) < 0)
			_exit(77);
		errno = 0;
		rc = syscall(c->number, c->a[0], c->a[1], c->a[2], c->a[3],
			     c->a[4], c->a[5]);
		/* With such arguments no call can succeed. */
		_exit(errno == EPERM ? EPERM :
		      rc == 0 && (c->a[0] == -1 || c->a[0] == NONE ||
				  c->a[1] == NONE) ? 99 : 0);
	}
	close(pair[1]);
	status = child_status(f, pid, pair[0]);
	close(pair[0]);
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGSYS ? '!' : '?';
	return WEXITSTATUS(status) == EPERM ? 'e' :
	       WEXITSTATUS(status) == 99 ? 'v' : status ? '?' : '+';
}

static bool aborts(enum filter f)
{
	int pair[2], status = 0;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) < 0)
		return false;
	pid = fork();
	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		if (load(f, pair[1]) < 0)
			_exit(77);
		abort();
	}
	close(pair[1]);
	status = child_status(f, pid, pair[0]);
	close(pair[0]);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

/* The compiler may start four processes here: the fifth is refused. */
static void test_starts(void)
{
	for (int most = 4; most <= 5; most++) {
		int pair[2], status;
		pid_t pid;

		if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) < 0)
			return;
		pid = fork();
		if (pid == 0) {
			if (load(COMPILER, pair[1]) < 0)
				_exit(77);
			for (int i = 0; i < most; i++)
				if (fork() == 0)
					_exit(0);
			while (wait(&status) > 0)
				;
			_exit(0);
		}
		close(pair[1]);
		status = child_status(COMPILER, pid, pair[0]);
		close(pair[0]);
		tap_is(status, most == 4 ? 0 : SIGSYS, "the compiler: %d "
		       "processes of four", most);
	}
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
			tap_is(try_call(f, &calls[i]), calls[i].wants[f],
			       "%s: %s", names[f], calls[i].name);
		tap_ok(aborts(f), "%s: abort() ends it", names[f]);
	}
	test_starts();
	test_words();
	return tap_done();
}
