/*
 * compile: the compiler in a process of its own. See compile.h.
 *
 * A helper process does the compiling, in a temporary folder that it removes
 * itself, and passes back an open descriptor: so nothing is left behind
 * whatever happens to this process.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "base/text.h"
#include "emu/compile.h"

#define COMPILE_SECONDS 60
#define ERRORS_MAX 65536
/* Headers of the host's libraries that a text may include. */
#define HEADERS_MAX 32

/* ---- the helper that compiles ---- */

struct compile {
	char *text;
	size_t length;
	const struct trace_define *defines;
	size_t define_count;
	char dir[256];
};

/* Splits a list of words into argv[n..]; returns the new n. */
static size_t words_split(char **argv, size_t n, size_t most, char *words)
{
	for (char *w = strtok(words, " "); w && n < most;
	     w = strtok(NULL, " "))
		argv[n++] = w;
	return n;
}

static _Noreturn void compile_exec(const struct compile *c)
{
	char *argv[64 + 64];
	size_t n = 0;
	struct rlimit cpu = { COMPILE_SECONDS, COMPILE_SECONDS };

	n = words_split(argv, n, 16, xstrdup(KERNEL_CXX));
	n = words_split(argv, n, 48, xstrdup(MODULE_FLAGS));
	argv[n++] = xstrdup("-fdiagnostics-color=never");
	argv[n++] = xasprintf("-I%s", paths()->cuda);
	argv[n++] = xstrdup("-include");
	argv[n++] = xasprintf("%s/cuda_words.h", paths()->cuda);
	for (size_t i = 0; i < c->define_count && n < 112; i++)
		argv[n++] = xasprintf("-D%s=%s", c->defines[i].name,
				      c->defines[i].value);
	argv[n++] = xstrdup("-o");
	argv[n++] = xstrdup("kernel.so");
	argv[n++] = xstrdup("kernel.cu");
	n = words_split(argv, n, LENGTH(argv) - 1, xstrdup(MODULE_LIBS));
	argv[n] = NULL;
	setrlimit(RLIMIT_CPU, &cpu);
	setenv("TMPDIR", c->dir, 1);
	setenv("LC_ALL", "C", 1);
	if (chdir(c->dir) == 0)
		execvp(argv[0], argv);
	_exit(errno == ENOENT ? 127 : 126);
}

static int text_write(const struct compile *c)
{
	char *path = xasprintf("%s/kernel.cu", c->dir);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int rc = fd < 0 ? -1 : write_all(fd, c->text, c->length);

	if (fd >= 0)
		close(fd);
	free(path);
	return rc;
}

static void folder_remove(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *f;

	while (d && (f = readdir(d)))
		if (strcmp(f->d_name, ".") && strcmp(f->d_name, ".."))
			unlinkat(dirfd(d), f->d_name, 0);
	if (d)
		closedir(d);
	rmdir(dir);
}

/* Runs the compiler with its messages on `errors`; its exit status. */
static int compile_once(const struct compile *c, int errors)
{
	pid_t pid;
	int status;

	if (text_write(c) < 0)
		return 125;
	pid = fork();
	if (pid == 0) {
		signal(SIGTERM, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		dup2(errors, 1);
		dup2(errors, 2);
		compile_exec(c);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 125;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 124;
}

static char *errors_read(int fd)
{
	char *said = xcalloc(1, ERRORS_MAX + 1);
	size_t n = 0;
	ssize_t got;

	while (n < ERRORS_MAX &&
	       (got = pread(fd, said + n, ERRORS_MAX - n, (off_t)n)) > 0)
		n += (size_t)got;
	for (size_t i = 0; i < n; i++)
		if (said[i] == '\0')
			said[i] = '?';
	return said;
}

/* "kernel.cu:3:10: fatal error: wb.h: No such file or directory": the line,
 * and where the header's name stands; else 0. */
static unsigned header_missing(const char *said, int *name, int *end)
{
	unsigned line = 0;

	*end = 0;
	sscanf(said, "kernel.cu:%u:%*u: fatal error: %n%*[^:\n]"
	       ": No such file or directory%n", &line, name, end);
	*end -= *end ? (int)strlen(": No such file or directory") : 0;
	return *end ? line : 0;
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

/* Blanks the include that the last message complains of; false when it is of
 * something else. */
static bool header_drop(struct compile *c, int errors)
{
	char *said = errors_read(errors), *last = said, *l;
	int name, end;
	unsigned line;

	for (l = said; (l = strstr(l, "kernel.cu:")); l++)
		if ((l == said || l[-1] == '\n') &&
		    header_missing(l, &name, &end))
			last = l;
	line = header_missing(last, &name, &end);
	l = strstr(last + 1, "\nkernel.cu:");
	free(said);
	if (l || !line)
		return false;
	line_blank(c->text, line);
	return true;
}

/*
 * What the host's functions need, which are blank, may not be here: a header
 * that is not there is left out. If the kernel needs it, the compiler says
 * what it lacks.
 */
static int compile_run(struct compile *c, int errors)
{
	int status = compile_once(c, errors);

	for (int i = 0; i < HEADERS_MAX && status == 1 &&
			header_drop(c, errors); i++)
		status = compile_once(c, errors);
	return status;
}

/* One byte of status, with the module's descriptor when it is 0. */
static void answer_send(int to, unsigned char status, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec io = { &status, 1 };
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
	int status = 125, fd = -1;

	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	snprintf(c->dir, sizeof(c->dir), "%s/gemmviz-XXXXXX",
		 tmp && *tmp ? tmp : "/tmp");
	if (mkdtemp(c->dir)) {
		char *path = xasprintf("%s/kernel.so", c->dir);

		status = compile_run(c, errors);
		if (status == 0)
			fd = open(path, O_RDONLY | O_CLOEXEC);
		folder_remove(c->dir);
	}
	answer_send(to, (unsigned char)status, fd);
	_exit(0);
}

/* The helper's status, 125 when it was lost; *fd is the module, or -1. */
static int answer_receive(int from, int *fd)
{
	char control[CMSG_SPACE(sizeof(int))];
	unsigned char status = 125;
	struct iovec io = { &status, 1 };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *c;

	*fd = -1;
	while (recvmsg(from, &m, MSG_CMSG_CLOEXEC) < 0)
		if (errno != EINTR)
			return 125;
	c = CMSG_FIRSTHDR(&m);
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(c), sizeof(int));
	return status;
}

static int compile(struct compile *c, int errors, int *fd)
{
	int pair[2], status;
	pid_t pid;

	*fd = -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return 125;
	pid = fork();
	if (pid == 0) {
		close(pair[0]);
		helper_main(c, pair[1], errors);
	}
	close(pair[1]);
	status = pid < 0 ? 125 : answer_receive(pair[0], fd);
	close(pair[0]);
	if (pid > 0)
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	return status;
}

/* ---- what the compiler said ---- */

/*
 * "kernel.cu:12:5: error: expected ..." becomes "x.cu:12: expected ...". What
 * the linker says has no line; its first line with a reason is taken. Of
 * headers that were left out, the first is named with it.
 */
static void compile_said(const char *name, char *said, struct error *e)
{
	static const char undefined[] = "undefined reference to ";
	const char *reason = NULL, *header = NULL;
	unsigned line = 0, header_line = 0;
	struct str lacks = { 0 };

	for (char *l = strtok(said, "\n"); l; l = strtok(NULL, "\n")) {
		char *error = strstr(l, "error: ");
		char *symbol = strstr(l, undefined);
		int at, end;
		unsigned missing = header_missing(l, &at, &end);

		if (missing && !header) {
			header_line = missing;
			header = l + at;
			l[end] = '\0';
		}
		if (missing || (!error && !symbol))
			continue;
		reason = symbol ? symbol : error + strlen("error: ");
		if (sscanf(l, "kernel.cu:%u:", &line) != 1)
			line = 0;
		break;
	}
	if (header && reason)
		str_addf(&lacks, " (%s, which line %u includes, is not here)",
			 text_show(header), header_line);
	if (header && !reason) {
		line = header_line;
		reason = "a header is not here";
	}
	if (line)
		error_set(e, EXIT_INPUT, "%s:%u: %s%s", text_show(name), line,
			  text_show(reason), lacks.data ? lacks.data : "");
	else
		error_set(e, EXIT_INPUT, "%s does not compile: %s%s",
			  text_show(name), reason ? text_show(reason) :
			  "the compiler gave no reason",
			  lacks.data ? lacks.data : "");
	free(lacks.data);
}

static void compile_failed(const char *name, int status, int errors,
			   struct error *e)
{
	char *said;

	switch (status) {
	case 127:
		error_set(e, EXIT_RUNNER, "%s is not installed: without it "
			  "only the kernels built beforehand can be recorded",
			  KERNEL_CXX);
		return;
	case 124:
		error_set(e, EXIT_INPUT, "compiling %s took more than %d "
			  "seconds", text_show(name), COMPILE_SECONDS);
		return;
	case 125:
	case 126:
		error_set(e, EXIT_RUNNER, "%s cannot be compiled: no "
			  "temporary folder, or %s cannot be started",
			  text_show(name), KERNEL_CXX);
		return;
	default:
		said = errors_read(errors);
		compile_said(name, said, e);
		free(said);
	}
}

int compile_text(const char *name, const char *text, size_t length,
		 const struct trace_define *defines, size_t define_count,
		 struct error *e)
{
	struct compile c = { .text = xstrndup(text, length), .length = length,
			     .defines = defines,
			     .define_count = define_count };
	int errors = temporary_file(e), fd = -1, status;

	if (errors >= 0) {
		status = compile(&c, errors, &fd);
		if (fd < 0)
			compile_failed(name, status, errors, e);
		close(errors);
	}
	free(c.text);
	return fd;
}
