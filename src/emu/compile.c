/*
 * compile: the compiler in a process of its own. See compile.h.
 *
 * A helper process does the compiling, in a temporary folder that it removes
 * itself, and passes back an open descriptor: so nothing is left behind
 * whatever happens to this process.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "base/confine.h"
#include "base/resource.h"
#include "base/text.h"
#include "emu/compile.h"
#include "emu/compile_said.h"
#include "emu/filter.h"
#include "runner/headers.h"

/* What one run of the compiler may take. */
#define COMPILE_FILES 256
#define ERRORS_MAX 65536
#define LOOK_MS 5		/* between two looks whether it has ended */
#define STATUS_NOBODY 123	/* of a compiler that was given up */
/* Headers of the host's libraries that a text may include. */
#define HEADERS_MAX 32

/* ---- the helper that compiles ---- */

struct compile {
	enum compile_how how;
	const char *name;
	const struct job_program *program;
	char *text;
	size_t length;
	const struct trace_define *defines;
	size_t define_count;
	struct job_defines headers, folders;
	char *dir;	/* the temporary folder */
	char *work;	/* the folder in dir where the kernel's file is */
	bool unconfined;
	int listener;	/* closed by who waits for the compiler: give up */
};

/* Splits a list of words into argv[n..]; returns the new n. */
static size_t words_split(char **argv, size_t n, size_t most, char *words)
{
	for (char *w = strtok(words, " "); w && n < most;
	     w = strtok(NULL, " "))
		argv[n++] = w;
	return n;
}

/* The compiler reads its own files and ours, and writes in its folder. */
static int confine(const struct compile *c)
{
	const struct confine_folder folders[] = {
		{ "/usr", CONFINE_RUN }, { "/bin", CONFINE_RUN },
		{ "/lib", CONFINE_RUN }, { "/lib64", CONFINE_RUN },
		{ "/opt", CONFINE_RUN }, { "/etc/ld.so.cache", CONFINE_READ },
		{ "/etc/alternatives", CONFINE_READ },
		{ "/dev/null", CONFINE_WRITE },
		{ paths()->cuda, CONFINE_READ },
		{ paths()->modules, CONFINE_READ }, { c->dir, CONFINE_WRITE },
	};
	const struct confine_limits limits = {
		.memory = confine_memory(COMPILE_MEMORY),
		.file_bytes = COMPILE_FILE, .cpu_seconds = COMPILE_SECONDS,
		.files = COMPILE_FILES,
	};

	if (confine_files(folders, LENGTH(folders)) < 0 ||
	    filter_compiler() < 0)
		return -1;
	confine_limit(&limits);
	return 0;
}

/* Whether the program was written for OpenMP: its pragmas alone are for a
 * compiler that is told so. */
static bool teams_wanted(const struct compile *c)
{
	bool wanted = strstr(c->text, "<omp.h>") != NULL;

	for (size_t i = 0; i < c->headers.count && !wanted; i++)
		wanted = strstr(c->headers.list[i].value, "<omp.h>") != NULL;
	return wanted;
}

/* CUDA's words: those compiled beforehand, if they were (local.mk). Heap. */
static char *words_file(void)
{
	char *path = xasprintf("%s/cuda_words.h", paths()->modules);

	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return xasprintf("%s/cuda_words.h", paths()->cuda);
}

static _Noreturn void compile_exec(const struct compile *c)
{
	bool kernel = c->how == COMPILE_KERNEL;
	char *argv[64 + 192];
	size_t n = 0;

	n = words_split(argv, n, 16, xstrdup(KERNEL_CXX));
	n = words_split(argv, n, 48, xstrdup(c->how == COMPILE_HOST ?
					     HOST_FLAGS : MODULE_FLAGS));
	if (!kernel) {
		n = words_split(argv, n, 80, xstrdup(PROGRAM_FLAGS));
		argv[n++] = xstrdup("-T");
		argv[n++] = xasprintf("%s/program.ld", paths()->cuda);
	}
	if (!kernel && teams_wanted(c)) {
		/* There g++ finds that OpenMP has no library. */
		argv[n++] = xasprintf("-B%s/openmp/", paths()->cuda);
		argv[n++] = xstrdup("-fopenmp");
	}
	if (!kernel && c->program->standard)
		argv[n++] = xasprintf("-std=%s", c->program->standard);
	/* What __FILE__ is. */
	if (!kernel && !strpbrk(c->name, "=/"))
		argv[n++] = xasprintf("-fmacro-prefix-map=%s=%s", OWN_NAME,
				      c->name);
	if (!kernel)
		argv[n++] = xasprintf("-DGEMMVIZ_ARCH=%u",
				      10 * (c->program->arch ?
					    c->program->arch : 90));
	argv[n++] = xstrdup("-fdiagnostics-color=never");
	/* The file's own has no name. */
	for (size_t i = 0; i < c->folders.count && n < 112; i++)
		argv[n++] = xasprintf("-I./%s", c->folders.list[i].name);
	argv[n++] = xasprintf("-I%s", paths()->cuda);
	argv[n++] = xstrdup("-include");
	argv[n++] = words_file();
	for (size_t i = 0; i < c->define_count && n < 144; i++)
		argv[n++] = xasprintf("-D%s=%s", c->defines[i].name,
				      c->defines[i].value);
	argv[n++] = xstrdup("-o");
	argv[n++] = xstrdup("kernel.so");
	argv[n++] = xstrdup(OWN_NAME);
	for (size_t i = 0; !kernel && i < c->program->files.count; i++)
		argv[n++] = xstrdup(c->program->files.list[i].name);
	n = words_split(argv, n, LENGTH(argv) - 1,
			xstrdup(kernel ? MODULE_LIBS : PROGRAM_LIBS));
	argv[n] = NULL;
	setenv("TMPDIR", c->dir, 1);
	setenv("LC_ALL", "C", 1);
	if (chdir(c->work) < 0 || (!c->unconfined && confine(c) < 0))
		_exit(126);
	signal(SIGPIPE, SIG_DFL);	/* ignored in the recorder */
	execvp(argv[0], argv);
	_exit(errno == ENOENT ? 127 : 126);
}

/* Writes a file below the work folder, and makes the folders that it is in. */
static int file_put(const struct compile *c, const char *name,
		    const char *text)
{
	char *path = xasprintf("%s/%s", c->work, name);
	int fd, rc;

	for (char *s = strchr(path + strlen(c->dir) + 1, '/'); s;
	     s = strchr(s + 1, '/')) {
		*s = '\0';
		mkdir(path, 0700);
		*s = '/';
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	rc = fd < 0 ? -1 : write_all(fd, text, strlen(text));
	if (fd >= 0)
		close(fd);
	free(path);
	return rc;
}

/* As deep as the headers' names go up. */
static void work_make(struct compile *c)
{
	struct str s = { 0 };
	int up = 0;

	for (size_t i = 0; i < c->headers.count; i++)
		up = MAX(up, headers_up(c->headers.list[i].name));
	for (size_t i = 0; i < c->folders.count; i++)
		up = MAX(up, headers_up(c->folders.list[i].name));
	str_add(&s, c->dir);
	while (up-- > 0)
		str_add(&s, "/up");
	c->work = str_take(&s);
}

static int texts_write(const struct compile *c)
{
	int rc = file_put(c, OWN_NAME, c->text);

	for (size_t i = 0; i < c->headers.count && rc == 0; i++)
		rc = file_put(c, c->headers.list[i].name,
			      c->headers.list[i].value);
	return rc;
}

/* An entry of a folder, as the system gives it. */
struct entry {
	uint64_t inode;
	int64_t next;
	unsigned short length;
	unsigned char type;
	char name[];
};

/* Removes a folder and what is in it. It takes no memory, for there may be none
 * left. */
static void folder_remove(int in, const char *name)
{
	_Alignas(struct entry) char bytes[4096];
	int dir = openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
				   O_CLOEXEC);
	long n;

	while (dir >= 0 &&
	       (n = syscall(SYS_getdents64, dir, bytes, sizeof(bytes))) > 0)
		for (long at = 0; at < n;) {
			const struct entry *d = (const void *)(bytes + at);

			at += d->length;
			if (strcmp(d->name, ".") && strcmp(d->name, "..") &&
			    unlinkat(dir, d->name, 0) < 0)
				folder_remove(dir, d->name);
		}
	if (dir >= 0)
		close(dir);
	unlinkat(in, name, AT_REMOVEDIR);
}

/* The helper's, when memory runs out. */
static const struct compile *helper;
static void helper_fails(void)
{
	folder_remove(AT_FDCWD, helper->dir);
}

/* Waits for the compiler; kills it with all that it has started when nobody
 * waits for what it makes any more. Its exit status. */
static int compiler_wait(const struct compile *c, pid_t pid)
{
	struct pollfd p = { .fd = c->listener, .events = POLLIN };
	int status;
	pid_t ended;

	while ((ended = waitpid(pid, &status, WNOHANG)) != pid) {
		if (ended < 0 && errno != EINTR)
			return 125;
		if (poll(&p, 1, LOOK_MS) > 0) {
			kill(-pid, SIGKILL);
			waitpid(pid, &status, 0);
			return STATUS_NOBODY;
		}
	}
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ?
	       STATUS_LATE : STATUS_CRASH;
}

/* Runs the compiler with its messages on `errors`; its exit status. */
static int compile_once(const struct compile *c, int errors)
{
	pid_t pid;

	if (texts_write(c) < 0)
		return 125;
	pid = fork();
	if (pid == 0) {
		fatal_restore = NULL;
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGTERM, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		signal(SIGXFSZ, SIG_DFL);
		dup2(errors, 1);
		dup2(errors, 2);
		compile_exec(c);
	}
	if (pid < 0)
		return 125;
	setpgid(pid, pid);
	return compiler_wait(c, pid);
}

static char *errors_part(int fd, off_t from)
{
	char *said = xcalloc(1, ERRORS_MAX + 1);
	size_t n = 0;
	ssize_t got;

	while (n < ERRORS_MAX &&
	       (got = pread(fd, said + n, ERRORS_MAX - n,
			     from + (off_t)n)) > 0)
		n += (size_t)got;
	for (size_t i = 0; i < n; i++)
		if (said[i] == '\0')
			said[i] = '?';
	return said;
}

/* Where headers include each other without end, the way there is longer than
 * what is read, and the reason stands behind it. */
static char *errors_read(int fd, off_t from)
{
	char *said = errors_part(fd, from);
	off_t last = lseek(fd, 0, SEEK_END) - ERRORS_MAX;

	if (last <= from || strstr(said, "error: "))
		return said;
	free(said);
	return errors_part(fd, last);
}

/* "fatal error: wb.h: No such file or directory": the header; else NULL. */
static char *header_missing(const char *rest)
{
	static const char fatal_error[] = "fatal error: ";
	static const char none[] = ": No such file or directory";
	const char *end = strstr(rest, none);

	if (strncmp(rest, fatal_error, strlen(fatal_error)) != 0 || !end ||
	    end > rest + strcspn(rest, "\n"))
		return NULL;
	rest += strlen(fatal_error);
	return xstrndup(rest, (size_t)(end - rest));
}

static void line_blank(char *text, unsigned line)
{
	while (text && line-- > 1) {
		text = strchr(text, '\n');
		text += text != NULL;
	}
	for (; text && *text && *text != '\n'; text++)
		*text = ' ';
}

/* A file's text, which may be changed; NULL: it is none of the reader's. */
static char *text_of(struct compile *c, const char *file)
{
	char *name = headers_name(file), *text = NULL;

	if (!strcmp(name, OWN_NAME))
		text = c->text;
	for (size_t i = 0; i < c->headers.count; i++)
		if (!strcmp(c->headers.list[i].name, name))
			text = c->headers.list[i].value;
	free(name);
	return text;
}

/* "1:error" behind the header's name says why. */
static void header_empty(int errors, const char *file, unsigned line,
			 char *text, const char *rest)
{
	rest += strlen("error: ");
	dprintf(errors, LEFT_OUT "! %s\n" LEFT_OUT_WHY "%s:%u: %.*s\n", file,
		file, line, (int)strcspn(rest, "\n"), rest);
	*text = '\0';
}

/*
 * Does without the header that the messages complain of: blanks the include of
 * one that is missing, and empties one that has an error. False: they complain
 * of something else.
 */
static bool header_drop(struct compile *c, int errors, off_t from)
{
	char *said = errors_read(errors, from), file[256], *text;
	bool dropped = false;

	for (char *l = said; l && !dropped; l = strchr(l, '\n')) {
		const char *rest;
		char *missing;
		unsigned line;

		l += *l == '\n';
		if (!said_message(l, file, &line, &rest))
			continue;
		text = text_of(c, file);
		missing = header_missing(rest);
		if (missing && text) {
			line_blank(text, line);
			dprintf(errors, LEFT_OUT "%u %s\n",
				text == c->text ? line : 0, missing);
			dropped = true;
		} else if (!strncmp(rest, "error: ", 7)) {
			dropped = text && text != c->text && *text;
			if (dropped)
				header_empty(errors, file, line, text, rest);
			free(missing);
			break;
		}
		free(missing);
	}
	free(said);
	return dropped;
}

/*
 * What the host's functions need, which are blank, may not be here or not
 * compile: such a header is left out. If the kernel needs it, the compiler says
 * what it lacks.
 */
static int compile_run(struct compile *c, int errors)
{
	int status = compile_once(c, errors);
	off_t from = 0, to;

	for (int i = 0; i < HEADERS_MAX && status == 1 &&
			c->how == COMPILE_KERNEL; i++) {
		to = lseek(errors, 0, SEEK_END);
		if (!header_drop(c, errors, from))
			break;
		from = MAX(to, lseek(errors, 0, SEEK_END));
		status = compile_once(c, errors);
	}
	return status;
}

/* Sends how the compiler ended, with the module's descriptor when the status is
 * 0. */
static void answer_send(int to, struct compile_end end, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec io = { &end, sizeof(end) };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1 };

	if (fd >= 0) {
		struct cmsghdr *c;

		m.msg_control = control;
		m.msg_controllen = sizeof(control);
		c = CMSG_FIRSTHDR(&m);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(int));
	}
	sendmsg(to, &m, MSG_NOSIGNAL);
}

static _Noreturn void helper_main(struct compile *c, int to, int errors)
{
	const char *tmp = getenv("TMPDIR");
	char *folder = realpath(tmp && *tmp ? tmp : "/tmp", NULL);
	struct compile_end end = { 125, 0 };
	int fd = -1;

	/* Out of the group that is killed: it has a folder to remove. */
	setsid();
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	c->listener = to;
	c->dir = xasprintf("%s/gemmviz-XXXXXX", folder ? folder : "/tmp");
	helper = c;
	errno = 0;
	if (mkdtemp(c->dir)) {
		char *path;

		fatal_restore = helper_fails;
		work_make(c);
		path = xasprintf("%s/kernel.so", c->work);
		end.status = compile_run(c, errors);
		end.problem = errno;
		if (end.status == 0)
			fd = open(path, O_RDONLY | O_CLOEXEC);
		folder_remove(AT_FDCWD, c->dir);
	} else {
		end.problem = errno;
	}
	answer_send(to, end, fd);
	_exit(0);
}

/* Returns how the compiler ended, with status 125 when the helper was lost; *fd
 * is the module, or -1. */
static struct compile_end answer_receive(int from, int *fd)
{
	char control[CMSG_SPACE(sizeof(int))];
	struct compile_end end = { 125, 0 };
	struct iovec io = { &end, sizeof(end) };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *c;

	*fd = -1;
	while (recvmsg(from, &m, MSG_CMSG_CLOEXEC) < 0)
		if (errno != EINTR)
			return end;
	c = CMSG_FIRSTHDR(&m);
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(c), sizeof(int));
	return end;
}

static struct compile_end compile(struct compile *c, int errors, int *fd)
{
	struct compile_end end = { 125, 0 };
	int pair[2];
	pid_t pid;

	*fd = -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
		end.problem = errno;
		return end;
	}
	pid = fork();
	if (pid == 0) {
		close(pair[0]);
		helper_main(c, pair[1], errors);
	}
	end.problem = errno;
	close(pair[1]);
	if (pid > 0)
		end = answer_receive(pair[0], fd);
	close(pair[0]);
	if (pid > 0)
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	return end;
}

int compile_text(const struct compile_job *job, struct job_defines *left_out,
		 struct error *e)
{
	struct compile c = { .how = job->how, .name = job->name,
			     .program = job->program,
			     .text = xstrndup(job->text, job->length),
			     .length = job->length, .defines = job->defines,
			     .define_count = job->define_count,
			     .headers = job_defines_copy(job->headers),
			     .folders = job_defines_copy(job->folders),
			     .unconfined = job->unconfined };
	/* Not in TMPDIR, which may be what is full. */
	int errors = memfd_create("errors", MFD_CLOEXEC), fd = -1;
	struct compile_end end;
	char *said, *last;

	if (errors < 0) {
		error_resource(e, errno, EXIT_RUNNER, "%s cannot be compiled",
			       text_show(job->name));
	} else {
		end = compile(&c, errors, &fd);
		said = errors_read(errors, 0);
		last = said_left_out(said, left_out);
		if (fd < 0)
			said_failed(job, end, last, left_out, e);
		free(said);
		close(errors);
	}
	job_defines_done(&c.headers);
	job_defines_done(&c.folders);
	free(c.text);
	return fd;
}
