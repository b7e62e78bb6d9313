/*
 * machine: gemmviz-machine, which makes machine code of a kernel's text without
 * a GPU: one process speaks the protocol, one for each job compiles and
 * disassembles, and may do nothing else, for it reads a stranger's text.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/resource.h"
#include "base/text.h"
#include "protocol/protocol.h"
#include "record/serve.h"
#include "toolkit/disassemble.h"
#include "toolkit/machine_code.h"

#define LOOK_MS 50

/* Writes the answer, or the error as an object with "status", and ends. */
static _Noreturn void make_and_end(struct job *job, const char *folder, int to)
{
	struct error e = { .status = EXIT_RUNNER };
	json_t *o = job->kind == JOB_TOOLS ? machine_tools() :
		    machine_code_make(job, folder, &e);
	char *text;

	if (!o) {
		char *clean = text_clean(e.text, strlen(e.text), 0);

		o = json_pack("{si ss}", "status", (int)e.status, "message",
			      clean);
		free(clean);
	}
	text = json_dumps(o, JSON_COMPACT);
	if (text && write_all(to, text, strlen(text)) == 0)
		_exit(EXIT_DONE);
	_exit(EXIT_BUG);
}

/* Collects the answer; false: time is up, or nobody waits for it. */
static bool collect_answer(int from, double until, struct str *to)
{
	struct pollfd p = { .fd = from, .events = POLLIN };
	char buffer[65536];

	for (;;) {
		ssize_t n;

		if (!serve_heard() || seconds_now() > until ||
		    to->len > PROTOCOL_LINE_MAX)
			return false;
		if (poll(&p, 1, LOOK_MS) <= 0)
			continue;
		n = read(from, buffer, sizeof(buffer));
		if (n == 0)
			return true;
		if (n > 0)
			str_addn(to, buffer, (size_t)n);
		else if (errno != EINTR)
			return true;
	}
}

/* Sends the answer, or returns the error that it is. */
static int relay_answer(const struct str *text, struct error *e)
{
	json_t *o = text->len ? json_loadb(text->data, text->len, 0, NULL) :
				NULL;
	const char *message = json_string_value(json_object_get(o, "message"));

	if (!o)
		return error_set(e, EXIT_RUNNER, "the compiler ended without "
				 "an answer");
	if (message) {
		error_set(e, (enum exit_status)json_integer_value(
			json_object_get(o, "status")), "%s", message);
		json_decref(o);
		return -1;
	}
	serve_answer(json_object_get(o, "text") ? "machine" : "tools", o);
	return 0;
}

/* Starts a process for a job, which is ended with all that it has started, and
 * removes its folder. */
static int do_apart(struct job *job, const char *folder, struct error *e)
{
	struct str text = { 0 };
	pid_t parent = getpid(), pid;
	int pair[2], rc;
	bool came;

	if (pipe(pair) < 0 || (pid = fork()) < 0) {
		disassemble_remove(folder);
		return error_resource(e, errno, EXIT_RUNNER, "cannot start a "
				      "process to compile in");
	}
	if (pid == 0) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(EXIT_DONE);
		close(pair[0]);
		make_and_end(job, folder, pair[1]);
	}
	close(pair[1]);
	came = collect_answer(pair[0], seconds_now() + job->timeout, &text);
	close(pair[0]);
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	/* Whoever gets the answer may end this process. */
	disassemble_remove(folder);
	rc = came ? relay_answer(&text, e) :
	     error_set(e, EXIT_REFUSED, "compiling took more than %g seconds",
		       job->timeout);
	str_done(&text);
	return rc;
}

static int do_job(struct job *job, struct error *e)
{
	char *folder;
	int rc;

	if (job->kind != JOB_MACHINE && job->kind != JOB_TOOLS)
		return error_set(e, EXIT_USAGE, "gemmviz-machine compiles "
				 "only");
	folder = disassemble_folder(e);
	if (!folder)
		return -1;
	rc = do_apart(job, folder, e);
	free(folder);
	return rc;
}

int main(void)
{
	static const struct service service = {
		"gemmviz-machine", "cpu", do_job,
	};

	process_prepare();
	lang_follow();
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	serve(&service);
	return EXIT_DONE;
}
