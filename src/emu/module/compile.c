/*
 * compile: the compiler in a process of its own. See compile.h.
 *
 * A helper process does the compiling, in a temporary folder that it removes
 * itself, and passes back an open descriptor: so nothing is left behind
 * whatever happens to this process.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
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
#include "base/resource.h"
#include "base/text.h"
#include "emu/module/compile.h"
#include "emu/module/compile_folder.h"
#include "emu/module/compile_said.h"
#include "emu/module/compile_sandbox.h"
#include "protocol/headers.h"

#define ERRORS_MAX 65536
#define STATUS_NOBODY 123	/* of a compiler that was given up */
/* Headers of the host's libraries that a text may include. */
#define HEADERS_MAX 32

/* ---- the helper that compiles ---- */

struct compile {
	enum compile_how how;
	const char *name;
	const struct job_program *program;
	uint32_t arch;
	char *text;
	size_t length;
	const struct trace_define *defines;
	size_t define_count;
	struct job_defines headers, folders, outside;
	struct compile_folder folder;	/* temporary */
	/* The folder below it where the kernel's file is, as deep as names of
	 * headers go up: "up/up". Heap. */
	char *work;
	struct toolchain toolchain;
	bool unconfined;
	int listener;	/* readable or closed: the caller gave up */
};

/* Splits a list of words into argv[n..]; returns the new n. */
static size_t words_split(char **argv, size_t n, size_t most, char *words)
{
	for (char *w = strtok(words, " "); w && n < most;
	     w = strtok(NULL, " "))
		argv[n++] = w;
	return n;
}

/* Returns whether the program includes <omp.h>. OpenMP pragmas alone are for a
 * compiler that gets -fopenmp. */
static bool wants_openmp(const struct compile *c)
{
	bool wanted = strstr(c->text, "<omp.h>") != NULL;

	for (size_t i = 0; i < c->headers.count && !wanted; i++)
		wanted = strstr(c->headers.list[i].value, "<omp.h>") != NULL;
	return wanted;
}

/* Returns the path of cuda_words.h (heap): precompiled if it was built
 * (local.mk), else the text. */
static char *words_file(void)
{
	char *path = xasprintf("%s/cuda_words.h", paths()->modules);

	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return xasprintf("%s/cuda_words.h", paths()->cuda);
}

/* Replaces this process by the compiler, confined to its sandbox. */
static _Noreturn void compiler_start(const struct compile *c, char **argv,
				     int sends)
{
	char *work = xasprintf("%s/%s", c->folder.path, c->work);

	/* Ignored here; programs that it starts expect the default. */
	signal(SIGPIPE, SIG_DFL);
	compile_sandbox_environment(&c->toolchain, c->folder.path);
	if (chdir(work) < 0 ||
	    (!c->unconfined && compile_sandbox_enter(&c->toolchain,
						      c->folder.path, sends) < 0))
		_exit(126);
	argv[0] = c->toolchain.driver;	/* g++ finds its parts from there */
	execv(argv[0], argv);
	_exit(errno == ENOENT ? 127 : 126);
}

/* Builds the compiler's command line and replaces this process by it. */
static _Noreturn void compile_exec(const struct compile *c, int sends)
{
	bool kernel = c->how == COMPILE_KERNEL;
	char *argv[64 + 192];
	size_t n = 0;

	n = words_split(argv, n, 14, xstrdup(KERNEL_CXX));
	if (c->how != COMPILE_HOST) {
		/* A GPU's arithmetic: see asm_machine.h, asm_fuse.h. */
		argv[n++] = xstrdup("-wrapper");
		argv[n++] = xstrdup(paths()->assembler);
	}
	n = words_split(argv, n, 48, xstrdup(c->how == COMPILE_HOST ?
					     HOST_FLAGS : MODULE_FLAGS));
	if (!kernel) {
		n = words_split(argv, n, 80, xstrdup(PROGRAM_FLAGS));
		argv[n++] = xstrdup("-T");
		argv[n++] = xasprintf("%s/program.ld", paths()->cuda);
	}
	if (!kernel && wants_openmp(c)) {
		/* There g++ finds that OpenMP has no library. */
		argv[n++] = xasprintf("-B%s/openmp/", paths()->cuda);
		argv[n++] = xstrdup("-fopenmp");
	}
	if (!kernel && c->program->standard)
		argv[n++] = xasprintf("-std=%s", c->program->standard);
	/* A path begins with "./", so that it is no option; a name does not. */
	argv[n++] = xstrdup("-ffile-prefix-map=./=");
	/* What __FILE__ is. */
	if (!kernel && !strpbrk(c->name, "=/"))
		argv[n++] = xasprintf("-fmacro-prefix-map=./%s=%s", OWN_NAME,
				      c->name);
	if (!kernel || c->arch != JOB_ARCH_USUAL)
		argv[n++] = xasprintf("-DGEMMVIZ_ARCH=%u", 10 * c->arch);
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
	argv[n++] = xstrdup("./kernel.so");
	argv[n++] = xstrdup("./" OWN_NAME);
	for (size_t i = 0; !kernel && i < c->program->files.count; i++)
		argv[n++] = xasprintf("./%s", c->program->files.list[i].name);
	n = words_split(argv, n, LENGTH(argv) - 1,
			xstrdup(kernel ? MODULE_LIBS : PROGRAM_LIBS));
	argv[n] = NULL;
	compiler_start(c, argv, sends);
}

/* Writes a file whose name is a path from the work folder. */
static int file_put(const struct compile *c, const char *name,
		    const char *text)
{
	char *path = xasprintf("%s/%s", c->work, name);
	char *clean = headers_name(path);
	int rc = compile_folder_write(&c->folder, clean, text);

	free(clean);
	free(path);
	return rc;
}

/* Sets c->work to a folder as deep as the headers' names go up: "./up/up" if
 * one begins with "../../". */
static void make_work_path(struct compile *c)
{
	struct str s = { 0 };
	int up = 0;

	for (size_t i = 0; i < c->headers.count; i++)
		up = MAX(up, headers_up(c->headers.list[i].name));
	for (size_t i = 0; i < c->folders.count; i++)
		up = MAX(up, headers_up(c->folders.list[i].name));
	str_add(&s, ".");
	while (up-- > 0)
		str_add(&s, "/up");
	c->work = str_take(&s);
}

/* Writes the texts to the folder, which it empties: nothing remains of an
 * earlier run of the compiler. */
static int texts_write(const struct compile *c)
{
	int rc = compile_folder_empty(&c->folder);

	if (rc == 0)
		rc = file_put(c, OWN_NAME, c->text);
	for (size_t i = 0; i < c->headers.count && rc == 0; i++)
		rc = file_put(c, c->headers.list[i].name,
			      c->headers.list[i].value);
	return rc;
}

/* Removes the folder when memory runs out: the helper's fatal_restore. */
static const struct compile *helper;
static void helper_fails(void)
{
	compile_folder_remove(&helper->folder);
}

/* Returns the exit status of a compiler that has ended, or one of STATUS_*. */
static int compiler_status(const struct compiler_end *end, int errors)
{
	if (end->given_up)
		return STATUS_NOBODY;
	if (end->refused) {
		dprintf(errors, "\n" TRIED "%s\n", end->refused);
		return STATUS_REFUSED;
	}
	if (WIFEXITED(end->status))
		return WEXITSTATUS(end->status);
	return WTERMSIG(end->status) == SIGXCPU ||
	       WTERMSIG(end->status) == SIGKILL ? STATUS_LATE : STATUS_CRASH;
}

/* Becomes the compiler, with stdout and stderr going to `errors` and no other
 * inherited descriptors. */
static _Noreturn void compiler_main(const struct compile *c, int errors,
				    int sends)
{
	fatal_restore = NULL;
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	dup2(errors, 1);
	dup2(errors, 2);
	/* It inherits no descriptors that gemmviz was started with. */
	close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
	compile_exec(c, sends);
}

/* Runs the compiler once with its messages going to `errors`; returns its exit
 * status, or one of STATUS_*. */
static int run_compiler(const struct compile *c, int errors)
{
	/* Two for each source, and g++, collect2 and ld. */
	unsigned most = 8 + 2 * (unsigned)(c->how == COMPILE_KERNEL ? 1 :
		1 + c->program->files.count);
	struct compiler_end end;
	int pair[2], status;
	pid_t pid;

	if (texts_write(c) < 0 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return 125;
	pid = fork();
	if (pid == 0) {
		close(pair[0]);
		compiler_main(c, errors, pair[1]);
	}
	close(pair[1]);
	if (pid > 0) {
		setpgid(pid, pid);
		end = compile_sandbox_wait(pid, c->unconfined ? -1 : pair[0],
					   c->listener, most);
		status = compiler_status(&end, errors);
		free(end.refused);
	} else {
		status = 125;
	}
	close(pair[0]);
	return status;
}

/* Reads up to ERRORS_MAX bytes of messages from offset `from`; heap. */
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

/* Reads the messages from offset `from`: their beginning, or their end if the
 * beginning has no error. Headers that include each other without end print
 * more than ERRORS_MAX bytes before the reason. Heap. */
static char *errors_read(int fd, off_t from)
{
	char *said = errors_part(fd, from);
	off_t last = lseek(fd, 0, SEEK_END) - ERRORS_MAX;

	if (last <= from || strstr(said, "error: "))
		return said;
	free(said);
	return errors_part(fd, last);
}

/* Parses "fatal error: wb.h: No such file or directory" and returns the
 * header's name (heap); NULL: it is another message. */
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

/* Finds the text that will be written as `file`, which may be changed; NULL: it
 * is no file of the user's. */
static char *find_file_text(struct compile *c, const char *file)
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

/* Empties a header that has an error, and logs that it was left out with the
 * error as the reason. */
static void header_empty(int errors, const char *file, unsigned line,
			 char *text, const char *rest)
{
	rest += strlen("error: ");
	dprintf(errors, LEFT_OUT "! %s\n" LEFT_OUT_WHY "%s:%u: %.*s\n", file,
		file, line, (int)strcspn(rest, "\n"), rest);
	*text = '\0';
}

/* Returns whether a header exists and must not be read; one that is too large is
 * left out as one that is missing. */
static bool is_forbidden(const struct compile *c, const char *header)
{
	const char *why = job_defined(&c->outside, header);

	return why && strncmp(why, HEADERS_LARGE, strlen(HEADERS_LARGE)) != 0;
}

/*
 * Leaves out the header that the messages from offset `from` complain of:
 * blanks the include of a missing one, and empties one that has an error.
 * Returns false if they complain of something else.
 */
static bool leave_out_header(struct compile *c, int errors, off_t from)
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
		text = find_file_text(c, file);
		missing = header_missing(rest);
		if (missing && is_forbidden(c, missing)) {
			free(missing);
			break;
		}
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
 * Runs the compiler, and for a kernel again without each header that is missing
 * or does not compile: the host's functions, which are blank, may have been all
 * that needed it. If the kernel needs it, the compiler reports what is missing.
 */
static int compile_run(struct compile *c, int errors)
{
	int status = run_compiler(c, errors);
	off_t from = 0, to;

	for (int i = 0; i < HEADERS_MAX && status == 1 &&
			c->how == COMPILE_KERNEL; i++) {
		to = lseek(errors, 0, SEEK_END);
		if (!leave_out_header(c, errors, from))
			break;
		from = MAX(to, lseek(errors, 0, SEEK_END));
		status = run_compiler(c, errors);
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
	struct compile_end end = { 125, 0 };
	int fd = -1;

	/* Out of the group that is killed: it has a folder to remove. */
	setsid();
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	c->listener = to;
	if (compile_folder_make(&c->folder) == 0) {
		char *path;

		helper = c;
		fatal_restore = helper_fails;
		make_work_path(c);
		end.status = compile_run(c, errors);
		end.problem = errno;
		path = xasprintf("%s/kernel.so", c->work);
		if (end.status == 0)
			fd = compile_folder_open(&c->folder, path,
						 COMPILE_FILE);
		if (end.status == 0 && fd < 0)
			end.status = STATUS_CRASH;
		compile_folder_remove(&c->folder);
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

/* Compiles in a helper process; *fd is the module, or -1. */
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

/* Frees what a compilation holds; returns fd. */
static int compile_done(struct compile *c, int fd)
{
	toolchain_done(&c->toolchain);
	job_defines_done(&c->headers);
	job_defines_done(&c->folders);
	job_defines_done(&c->outside);
	free(c->text);
	return fd;
}

int compile_text(const struct compile_job *job, struct job_defines *left_out,
		 struct error *e)
{
	struct compile c = { .how = job->how, .name = job->name,
			     .program = job->program, .arch = job->arch,
			     .text = xstrndup(job->text, job->length),
			     .length = job->length, .defines = job->defines,
			     .define_count = job->define_count,
			     .headers = job_defines_copy(job->headers),
			     .folders = job_defines_copy(job->folders),
			     .outside = job_defines_copy(job->outside),
			     .unconfined = job->unconfined };
	/* Not a file in TMPDIR, which may be full. */
	int errors = -1, fd = -1;
	struct compile_end end;
	char *said, *last;

	if (toolchain_find(&c.toolchain, c.unconfined, e) < 0)
		return compile_done(&c, -1);
	errors = memfd_create("errors", MFD_CLOEXEC);
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
	return compile_done(&c, fd);
}
