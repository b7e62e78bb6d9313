/* worker: the end of the process that speaks the protocol. See worker.h. */
#include "base/lang.h"
#include "worker/worker.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/resource.h"
#include "base/text.h"
#include "cudart/program_output.h"
#include "record/serve.h"
#include "protocol/protocol.h"

/* Milliseconds after which at the latest the interface is asked whether it is
 * still there, and the worker's memory is measured. */
#define LOOK_MS 50
/* Seconds that a kernel has to stop in, beyond its own; and that a program has
 * to be ended and reported. */
#define KERNEL_MORE 3
#define PROGRAM_MORE 20

static struct {
	pid_t pid;		/* 0: there is none */
	int socket;		/* our end */
	struct worker_files files;
	off_t told;		/* of a program's output */
	unsigned char token[TOKEN_BYTES];
	double asked, most;	/* since when it is at it, and for how long */
	bool compiled;		/* it has begun to record */
	/* Seconds that it had waited for a processor when it should have
	 * ended; NAN: it need not yet. */
	double delayed;
} worker = { .socket = -1, .files = { .trace = -1, .output = -1 } };

static void files_close(void)
{
	close(worker.files.trace);
	if (worker.files.output >= 0)
		close(worker.files.output);
	worker.files.trace = worker.files.output = -1;
	worker_memory_close(&worker.files.memory);
}

static void *shared_page(struct error *e)
{
	void *page =
		mmap(NULL, sizeof(struct run_deadlines), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (page != MAP_FAILED)
		return page;
	error_resource(e, errno, EXIT_RUNNER, "no memory to share");
	return NULL;
}

static int open_output_files(const struct job *job, struct error *e)
{
	if (!worker.files.due)
		worker.files.due = shared_page(e);
	if (!worker.files.due)
		return -1;
	memset(worker.files.due, 0, sizeof(*worker.files.due));
	if (worker_memory_open(&worker.files.memory, e) < 0)
		return -1;
	worker.files.trace = temporary_file(e);
	if (worker.files.trace < 0) {
		worker_memory_close(&worker.files.memory);
		return -1;
	}
	if (!job->kernel.program.run)
		return 0;
	worker.told = 0;
	worker.files.output = program_output_new(e);
	if (worker.files.output >= 0)
		return 0;
	files_close();
	return -1;
}

int worker_end(void)
{
	int status = 0;

	if (!worker.pid)
		return 0;
	kill(-worker.pid, SIGKILL);
	kill(worker.pid, SIGKILL);
	while (waitpid(worker.pid, &status, 0) < 0 && errno == EINTR)
		;
	worker.pid = 0;
	close(worker.socket);
	files_close();
	return status;
}

static _Noreturn void enter_worker(struct job *job, int socket, pid_t parent)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_DONE);
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	worker_main(job, socket, &worker.files, worker.token);
}

static int start_worker(struct job *job, struct error *e)
{
	int pair[2] = { -1, -1 };
	pid_t parent = getpid();

	worker_end();
	worker.compiled = false;
	if (open_output_files(job, e) < 0)
		return -1;
	if (getrandom(worker.token, TOKEN_BYTES, 0) != TOKEN_BYTES ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0 ||
	    (worker.pid = fork()) < 0) {
		error_resource(e, errno, EXIT_RUNNER, "cannot start a process "
			       "to record in");
		worker.pid = 0;
		close(pair[0]);
		close(pair[1]);
		files_close();
		return -1;
	}
	if (!worker.pid) {
		close(pair[0]);
		enter_worker(job, pair[1], parent);
	}
	close(pair[1]);
	worker.socket = pair[0];
	return 0;
}

/* ---- its answers ---- */

enum { CAME, ENDED, LATE, GOES_ON, LARGE, NOBODY };

/* Returns the bytes of memory that the job may take: what it asks for, of what
 * there is. */
static uint64_t memory_most(const struct job *job)
{
	uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) *
			   (uint64_t)sysconf(_SC_PAGESIZE);

	return confine_memory(MIN(job->memory << 20,
				  machine / 4 * 3));
}

/* Returns how many bytes of memory the worker may still take with its helpers;
 * 0: it has taken too much. */
static uint64_t memory_left(const struct job *job)
{
	uint64_t most = memory_most(job);
	uint64_t taken = worker_memory_bytes(&worker.files.memory, worker.pid);

	return taken < most ? most - taken : 0;
}

/* Sends what a program has written meanwhile. */
static void output_tell(void)
{
	char *text = worker.files.output < 0 ? NULL :
		     program_output_lines(worker.files.output, &worker.told);

	if (text)
		serve_answer("output", json_pack("{ss}", "text", text));
	free(text);
}

/* Sets the launch's own limits in force, from now on. */
static void start_limits(const struct job *job)
{
	if (!worker.compiled)
		worker.most += job->seconds + (job->kernel.program.run ?
						PROGRAM_MORE : 0);
	worker.compiled = true;
}

/* Returns when the first of its processes must have ended; 0: none runs a
 * file. */
static double due_first(void)
{
	const struct run_deadlines *d = worker.files.due;
	double first = 0;

	for (uint32_t i = 0; i < MIN(d->processes, PARTS_MOST); i++) {
		double at = d->at[i];

		if (at > 0 && (first <= 0 || at < first))
			first = at;
	}
	return first;
}

/* Returns the seconds for which it was ready to run, and other processes
 * ran. */
static double measure_delay(void)
{
	unsigned long long ns = 0;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/schedstat", (long)worker.pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%*u %llu", &ns) != 1)
		ns = 0;
	fclose(f);
	return (double)ns * 1e-9;
}

/* Returns whether what it runs has gone on after its end, though it had time to
 * stop: the load of other processes is not counted. */
static bool is_overdue(const struct job *job)
{
	double due = due_first(), now = seconds_now();

	if (due > 0)
		start_limits(job);
	if (due <= 0 || now < due) {
		worker.delayed = NAN;
		return false;
	}
	if (isnan(worker.delayed))
		worker.delayed = measure_delay();
	return now - (measure_delay() - worker.delayed) >
	       due + (job->kernel.program.run ? PROGRAM_MORE : KERNEL_MORE);
}

/* Waits for n bytes of the worker; CAME, or why they did not. */
static int receive_bytes(const struct job *job, void *to, size_t n)
{
	struct pollfd p = { .fd = worker.socket, .events = POLLIN };

	while (n > 0) {
		uint64_t left = memory_left(job);
		ssize_t got;

		if (!serve_heard())
			return NOBODY;
		if (is_overdue(job))
			return GOES_ON;
		if (seconds_now() - worker.asked > worker.most)
			return LATE;
		if (!left)
			return LARGE;
		output_tell();
		if (poll(&p, 1, worker_memory_pause(left, LOOK_MS)) <= 0)
			continue;
		got = recv(worker.socket, to, n, MSG_DONTWAIT);
		if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
			return ENDED;
		if (got > 0) {
			to = (char *)to + got;
			n -= (size_t)got;
		}
	}
	return CAME;
}

static int report_forgery(const char *file, struct error *e)
{
	return error_set(e, EXIT_REFUSED, "%s tried to answer in the "
			 "recorder's place", text_show(file));
}

/* Returns whether signal `n`, which ended the worker, came from its limit of
 * processor time: with `ulimit -t` SIGKILL comes as well as SIGXCPU. */
static bool is_late_signal(int n)
{
	return n == SIGXCPU || (n == SIGKILL && *resource_time());
}

static int report_end(const char *file, struct error *e)
{
	int status = worker_end();

	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
		return error_set(e, EXIT_REFUSED, "%s tried a forbidden action",
				 text_show(file));
	if (WIFSIGNALED(status) && is_late_signal(WTERMSIG(status)))
		return error_set(e, EXIT_REFUSED, "recording %s exceeded its "
				 "limit of processor time%s",
				 text_show(file), resource_time());
	if (WIFSIGNALED(status))
		return error_set(e, EXIT_RUNNER, "recording %s ended by signal "
				 "%d (%s)", text_show(file), WTERMSIG(status),
				 strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) == EXIT_BUG)
		return error_set(e, EXIT_BUG, "recording %s: out of memory%s",
				 text_show(file), resource_memory());
	return error_set(e, EXIT_REFUSED, "%s ended the recorder (status %d)",
			 text_show(file), WEXITSTATUS(status));
}

static int report_late(const struct job *job, int how, const char *file,
		       struct error *e)
{
	return error_set(
		e, EXIT_REFUSED,
		worker.compiled ? N_("%s did not end within %g seconds") :
				  N_("%s: compiling and loading took more than "
				     "%g seconds "
				     "(--timeout raises the limit)"),
		text_show(file), how == GOES_ON ? job->seconds : worker.most);
}

static int too_large_tell(const struct job *job, const char *file,
			  struct error *e)
{
	uint64_t most = memory_most(job);
	bool is_asked = most == job->memory << 20;

	return error_set(e, EXIT_REFUSED,
			 "%s took more than %" PRIu64 " MB of "
			 "memory%s",
			 text_show(file), most >> 20,
			 is_asked ? _(" (--memory raises the limit)") : "");
}

/* Waits for the next answer and returns it; NULL with e. */
static json_t *receive_answer(const struct job *job, const char *file,
			      struct error *e)
{
	struct answer_head head;
	json_t *answer = NULL;
	char *text = NULL;
	int how = receive_bytes(job, &head, sizeof(head));

	output_tell();
	if (how == CAME && memcmp(head.token, worker.token, TOKEN_BYTES) == 0 &&
	    head.bytes <= PROTOCOL_LINE_MAX) {
		text = xmalloc(head.bytes + 1);
		how = receive_bytes(job, text, head.bytes);
		if (how == CAME)
			answer = json_loadb(text, head.bytes, 0, NULL);
		free(text);
	}
	if (answer)
		return answer;
	if (how == ENDED)
		report_end(file, e);
	else if (how == LATE || how == GOES_ON)
		report_late(job, how, file, e);
	else if (how == LARGE)
		too_large_tell(job, file, e);
	else if (how == NOBODY)
		error_set(e, EXIT_RUNNER, "nobody listens");
	else
		report_forgery(file, e);
	worker_end();
	return NULL;
}

/* Sets e to the worker's own error. */
static int its_error(const json_t *answer, struct error *e)
{
	const char *words = json_string_value(json_object_get(answer,
							      "message"));
	json_int_t status = json_integer_value(json_object_get(answer,
							       "status"));

	return error_set(e, (enum exit_status)status, "%s", words ? words :
			 "?");
}

/* Stops the worker's processes, or lets them go on: while nobody waits for an
 * answer, nothing of the file may run, which might have left a signal
 * handler. */
static void hold_worker(bool held)
{
	kill(-worker.pid, held ? SIGSTOP : SIGCONT);
}

/* Sends the worker's answers on until one of the type `last` has come. */
static int relay_answers(const struct job *job, const char *last,
			 const char *file, struct error *e)
{
	json_t *answer;

	worker.asked = seconds_now();
	worker.delayed = NAN;
	worker.most = job->timeout;
	while ((answer = receive_answer(job, file, e))) {
		const char *type = json_string_value(
			json_object_get(answer, "type"));

		if (type && !strcmp(type, last)) {
			hold_worker(true);
			if (!strcmp(type, "trace")) {
				uint64_t first = (uint64_t)json_integer_value(
					json_object_get(answer, "first"));

				json_decref(answer);
				return serve_trace(worker.files.trace, first,
						   e);
			}
			serve_answer(last, answer);
			return 0;
		}
		if (type && !strcmp(type, "error")) {
			its_error(answer, e);
			json_decref(answer);
			return -1;
		}
		if (type && !strcmp(type, "progress")) {
			start_limits(job);
			serve_answer("progress", answer);
			continue;
		}
		if (type && !strcmp(type, "program") &&
		    job->kernel.program.run) {
			serve_answer("program", answer);
			continue;
		}
		json_decref(answer);
		report_forgery(file, e);
		worker_end();
		return -1;
	}
	return -1;
}

int worker_record(struct job *job, struct error *e)
{
	if (start_worker(job, e) == 0 &&
	    relay_answers(job, "trace", worker_file(job), e) == 0)
		return 0;
	worker_end();
	return -1;
}

int worker_locals(const struct job *job, struct error *e)
{
	struct locals_request request = {
		.id = job->id, .block = job->locals_block,
		.thread = job->locals_thread, .first = job->first,
		.count = job->count,
	};

	if (!worker.pid)
		return error_set(e, EXIT_USAGE, "bad request: nothing was "
				 "recorded yet");
	hold_worker(false);
	if (send(worker.socket, &request, sizeof(request), MSG_NOSIGNAL) < 0)
		return report_end(_("the launch"), e);
	return relay_answers(job, "locals", _("the launch"), e);
}
