/* disassemble: see disassemble.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "toolkit/disassemble.h"

#define TEXT_MOST (64u << 20)
#define FILE_NAME "code.cubin"

char *disassemble_folder(struct error *e)
{
	const char *above = getenv("TMPDIR");
	char *folder = xasprintf("%s/gemmviz-machine-XXXXXX",
				 above && *above ? above : "/tmp");

	if (mkdtemp(folder))
		return folder;
	error_set(e, EXIT_OUTPUT, "cannot make a temporary folder: %s",
		  strerror(errno));
	free(folder);
	return NULL;
}

void disassemble_remove(const char *folder)
{
	char *path = xasprintf("%s/%s", folder, FILE_NAME);

	unlink(path);
	rmdir(folder);
	free(path);
}

/* Starts the program in place of this one; its output goes to `out`. */
static _Noreturn void become_tool(char *const *argv, int out)
{
	int nowhere = open("/dev/null", O_RDWR);

	dup2(nowhere, 0);
	dup2(out, 1);
	dup2(nowhere, 2);
	execv(argv[0], argv);
	_exit(127);
}

/* Reads all that comes, up to a limit. */
static char *read_all(int fd)
{
	struct str s = { 0 };
	char buffer[65536];
	ssize_t n;

	while (s.len < TEXT_MOST &&
	       ((n = read(fd, buffer, sizeof(buffer))) > 0 ||
		(n < 0 && errno == EINTR)))
		if (n > 0)
			str_addn(&s, buffer, (size_t)n);
	return str_take(&s);
}

/* Runs a program and returns its output; *status is as of waitpid(). */
static char *run_tool(char *const *argv, int *status)
{
	int pair[2];
	char *text;
	pid_t pid;

	*status = -1;
	if (pipe2(pair, O_CLOEXEC) < 0)
		return xstrdup("");
	pid = fork();
	if (pid == 0)
		become_tool(argv, pair[1]);
	close(pair[1]);
	text = read_all(pair[0]);
	close(pair[0]);
	if (pid > 0) {
		if (strlen(text) >= TEXT_MOST)
			kill(pid, SIGKILL);
		while (waitpid(pid, status, 0) < 0 && errno == EINTR)
			;
	}
	return text;
}

static int write_cubin(const char *path, const void *data, size_t length,
		       struct error *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int rc = fd < 0 ? -1 : write_all(fd, data, length);

	if (rc < 0)
		error_set(e, EXIT_OUTPUT, "cannot write a temporary file: %s",
			  strerror(errno));
	if (fd >= 0)
		close(fd);
	return rc;
}

char *disassemble_cubin(const char *nvdisasm, const char *folder, const void *cubin,
		  size_t length, struct error *e)
{
	char *path = xasprintf("%s/%s", folder, FILE_NAME);
	char *const argv[] = { (char *)nvdisasm, "-gi", "-c", path, NULL };
	char *text = NULL;
	int status;

	if (write_cubin(path, cubin, length, e) == 0) {
		text = run_tool(argv, &status);
		if (status != 0 || strlen(text) >= TEXT_MOST) {
			error_set(e, EXIT_INPUT, WIFEXITED(status) &&
				  WEXITSTATUS(status) == 127 ?
				  N_("nvdisasm cannot be started") :
				  N_("nvdisasm cannot read it"));
			free(text);
			text = NULL;
		}
	}
	free(path);
	return text;
}

char *disassemble_version(const char *nvdisasm)
{
	char *const argv[] = { (char *)nvdisasm, "--version", NULL };
	int status;
	char *text = run_tool(argv, &status), *version = NULL;
	const char *at = strstr(text, ", V");

	if (status == 0 && at)
		version = xstrndup(at + 3, strcspn(at + 3, "\r\n "));
	free(text);
	return version;
}
