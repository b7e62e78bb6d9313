/* compile_sandbox: see compile_sandbox.h. */
#include <config.h>

#include "emu/module/compile_sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/text.h"
#include "emu/module/compile_said.h"
#include "emu/module/filter.h"

#define COMPILE_FILES 256
/* Bytes of addresses. The address sanitizer's own are more, and this process
 * allocates until it becomes the compiler. */
#ifdef SANITIZED
#define COMPILE_ADDRESSES 0
#else
#define COMPILE_ADDRESSES confine_memory(COMPILE_MEMORY)
#endif
#define FOLDERS_MOST 96

/* ---- the toolchain ---- */

/* Returns whether a file is machine code; a script or a wrapper is not. */
static bool is_program(const char *path)
{
	char magic[4] = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is = fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic) &&
		  !memcmp(magic, "\177ELF", sizeof(magic)) &&
		  access(path, X_OK) == 0;

	if (fd >= 0)
		close(fd);
	return is;
}

/* Returns whether a program is named as compilers are: not ccache, say. */
static bool is_compiler(const char *path)
{
	const char *name = file_base(path);

	return (strstr(name, "g++") || strstr(name, "c++") ||
		strstr(name, "clang")) && is_program(path);
}

/* Finds a program in PATH by name and returns its path, links resolved (heap),
 * or NULL. *passed, heap, is the last file of that name that is no compiler;
 * NULL: any file will do. */
static char *find_in_path(const char *name, char **passed)
{
	char *folders = xstrdup(getenv("PATH") ? getenv("PATH") : "");
	char *rest, *found = NULL;

	for (char *f = strtok_r(folders, ":", &rest); f && !found;
	     f = strtok_r(NULL, ":", &rest)) {
		char *path = xasprintf("%s/%s", f, name);

		found = access(path, F_OK) == 0 ? realpath(path, NULL) : NULL;
		if (found && passed && !is_compiler(found)) {
			free(*passed);
			*passed = found;
			found = NULL;
		}
		free(path);
	}
	free(folders);
	return found;
}

int toolchain_find(struct toolchain *t, bool unconfined, struct error *e)
{
	char *name = xstrndup(KERNEL_CXX, strcspn(KERNEL_CXX, " "));
	char *passed = NULL, *slash;

	*t = (struct toolchain) { 0 };
	t->driver = strchr(name, '/') ? realpath(name, NULL) :
		    find_in_path(name, unconfined ? NULL : &passed);
	if (t->driver) {
		t->prefix = xstrdup(t->driver);
		for (int up = 0; up < 2; up++) {
			slash = strrchr(t->prefix, '/');
			*slash = '\0';
		}
	} else if (passed) {
		error_set(e, EXIT_RUNNER, "%s is a script or a wrapper, which "
			  "the sandbox does not start: put the folder of the "
			  "compiler itself first in PATH", text_show(passed));
	} else {
		said_no_compiler(name, e);
	}
	free(passed);
	free(name);
	return t->driver ? 0 : -1;
}

void toolchain_done(struct toolchain *t)
{
	free(t->driver);
	free(t->prefix);
}

/* ---- files that may be read and started ---- */

struct rules {
	struct confine_folder list[FOLDERS_MOST];
	size_t count;
};

/* Adds a rule; takes over the path, which is heap. */
static void add_rule(struct rules *r, char *path, enum confine_right right)
{
	if (path && r->count < FOLDERS_MOST)
		r->list[r->count++] = (struct confine_folder) { path, right };
	else
		free(path);
}

static void add_path_rule(struct rules *r, const char *prefix, const char *name,
			  enum confine_right right)
{
	char *path = xasprintf("%s/%s", prefix, name);

	add_rule(r, realpath(path, NULL), right);
	free(path);
}

/* Adds the folders of a prefix that a toolchain has: PREFIX/TARGET, where it has
 * one, holds the binutils and the headers of a compiler that was built apart. */
static void add_targets(struct rules *r, const char *prefix)
{
	static const char *const above[] = { "lib/gcc", "libexec/gcc" };

	for (size_t i = 0; i < LENGTH(above); i++) {
		char *path = xasprintf("%s/%s", prefix, above[i]);
		DIR *d = xopendir(path);
		struct dirent *entry;

		add_rule(r, realpath(path, NULL), CONFINE_RUN);
		while (d && (entry = readdir(d)))
			if (*entry->d_name != '.')
				add_path_rule(r, prefix, entry->d_name,
					      CONFINE_RUN);
		if (d)
			closedir(d);
		free(path);
	}
}

/* Adds as and ld, with the names that they have by themselves and for a
 * target. */
static void add_binutils(struct rules *r, const char *folder)
{
	static const char *const names[] = { "as", "ld", "ld.bfd", "ld.gold",
					     "ld.lld", "ld.mold" };

	for (size_t i = 0; i < LENGTH(names); i++)
		add_path_rule(r, folder, names[i], CONFINE_RUN);
}

static void add_toolchain(struct rules *r, const struct toolchain *t)
{
	static const char *const read[] = { "include", "lib", "lib32", "lib64",
					    "libx32" };
	char *bin = xstrndup(t->driver, strrchr(t->driver, '/') - t->driver);
	char *folders = xstrdup(getenv("PATH") ? getenv("PATH") : "");
	char *rest;

	add_rule(r, xstrdup(t->driver), CONFINE_RUN);
	for (size_t i = 0; i < LENGTH(read); i++)
		add_path_rule(r, t->prefix, read[i], CONFINE_READ);
	add_targets(r, t->prefix);
	add_binutils(r, bin);
	for (char *f = strtok_r(folders, ":", &rest); f;
	     f = strtok_r(NULL, ":", &rest))
		add_binutils(r, f);
	free(folders);
	free(bin);
}

/* Adds the loader of programs, which starts them. */
static void add_loaders(struct rules *r)
{
	static const char *const loaders[] = {
		"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1",
	};

	for (size_t i = 0; i < LENGTH(loaders); i++)
		add_rule(r, realpath(loaders[i], NULL), CONFINE_RUN);
}

static void add_system(struct rules *r)
{
	static const char *const read[] = {
		"/usr/include", "/usr/lib", "/usr/lib32", "/usr/lib64",
		"/usr/libx32", "/usr/local/include", "/usr/local/lib", "/lib",
		"/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives",
	};

	for (size_t i = 0; i < LENGTH(read); i++)
		add_rule(r, xstrdup(read[i]), CONFINE_READ);
	/* Where /usr/local/include may lead to. */
	add_rule(r, realpath("/usr/local/cuda/include", NULL), CONFINE_READ);
	add_rule(r, xstrdup(paths()->cuda), CONFINE_READ);
	add_rule(r, xstrdup(paths()->modules), CONFINE_READ);
	add_rule(r, xstrdup("/dev/null"), CONFINE_WRITE);
}

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
	return sendmsg(to, &m, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

/* Returns the descriptor that was sent, or -1: the other end has closed. */
static int receive_descriptor(int from)
{
	char control[CMSG_SPACE(sizeof(int))], byte;
	struct iovec io = { &byte, 1 };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *c;
	int fd = -1;
	ssize_t n;

	while ((n = recvmsg(from, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
		;
	c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(c), sizeof(int));
	return fd;
}

int compile_sandbox_enter(const struct toolchain *t, const char *folder,
			  int sends)
{
	const struct confine_limits limits = {
		.memory = COMPILE_ADDRESSES,
		.file_bytes = COMPILE_FILE, .cpu_seconds = COMPILE_SECONDS,
		.files = COMPILE_FILES,
	};
	struct rules r = { .count = 0 };
	int notify;

	add_toolchain(&r, t);
	add_loaders(&r);
	add_system(&r);
	add_rule(&r, xstrdup(folder), CONFINE_WRITE);
	add_rule(&r, xstrdup(paths()->assembler), CONFINE_RUN);
	if (confine_files(r.list, r.count) < 0)
		return -1;
	confine_limit(&limits);
	notify = filter_compiler(sends);
	if (notify < 0 || send_descriptor(sends, notify) < 0)
		return -1;
	close(notify);
	close(sends);
	return 0;
}

void compile_sandbox_environment(const struct toolchain *t, const char *folder)
{
	static const char *const kept[] = { "PATH", "LD_LIBRARY_PATH",
					    "GCC_EXEC_PREFIX" };
	char *values[LENGTH(kept)] = { NULL };

	/* A compiler of the system's needs nothing of the reader's. */
	for (size_t i = 0; i < (strcmp(t->prefix, "/usr") ? LENGTH(kept) : 1);
	     i++)
		if (getenv(kept[i]))
			values[i] = xstrdup(getenv(kept[i]));
	clearenv();
	for (size_t i = 0; i < LENGTH(kept); i++)
		if (values[i])
			setenv(kept[i], values[i], 1);
	setenv("TMPDIR", folder, 1);
	setenv("LC_ALL", "C", 1);
}

/* ---- waiting ---- */

/* Ends all that the compiler has started. Its process group is all of it: it
 * cannot leave the group, and orphans become children of this process. */
static void end_group(pid_t group)
{
	kill(-group, SIGKILL);
	while (waitpid(-group, NULL, 0) > 0 || errno == EINTR)
		;
}

/* Starts a process that ends the group if this one is killed; returns the
 * descriptor that it waits at, or -1. */
static int start_guard(pid_t group, pid_t *guard)
{
	int pair[2];
	char byte;

	if (pipe2(pair, O_CLOEXEC) < 0)
		return -1;
	*guard = fork();
	if (*guard == 0) {
		close(pair[1]);
		while (read(pair[0], &byte, 1) < 0 && errno == EINTR)
			;
		kill(-group, SIGKILL);
		_exit(0);
	}
	close(pair[0]);
	return pair[1];
}

/* Waits until the compiler ends, nobody waits for it, or it is refused. */
static void watch_compiler(struct compiler_end *end, pid_t pid, int notify,
			   int listener, unsigned most)
{
	int ended = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd p[] = {
		{ .fd = listener, .events = POLLIN },
		{ .fd = notify, .events = POLLIN },
		{ .fd = ended, .events = POLLIN },
	};
	unsigned starts = 0;

	while (!end->given_up && !end->refused) {
		if (poll(p, LENGTH(p), ended < 0 ? 5 : -1) < 0 &&
		    errno != EINTR)
			break;
		if (p[1].revents & POLLIN)
			end->refused = filter_judge(notify, &starts, most);
		else if (p[1].revents)
			p[1].fd = -1;
		if (p[0].revents)
			end->given_up = true;
		else if (!end->refused &&
			 waitpid(pid, &end->status, WNOHANG) == pid)
			break;
	}
	if (ended >= 0)
		close(ended);
}

struct compiler_end compile_sandbox_wait(pid_t pid, int socket, int listener,
					 unsigned most)
{
	struct compiler_end end = { .status = 0 };
	pid_t guard = -1;
	int guarded, notify;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	guarded = start_guard(pid, &guard);
	notify = socket < 0 ? -1 : receive_descriptor(socket);
	watch_compiler(&end, pid, notify, listener, most);
	end_group(pid);
	if (notify >= 0)
		close(notify);
	if (guarded >= 0)
		close(guarded);
	if (guard > 0)
		waitpid(guard, NULL, 0);
	return end;
}
