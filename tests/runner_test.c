/* The interface's end of the protocol, against little recorders in sh. */
#include <config.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner/runner.h"
#include "tap.h"

#define HELLO "{\"type\":\"hello\",\"protocol\":1,\"program\":\"fake\"," \
	      "\"version\":\"" PACKAGE_VERSION "\",\"on\":\"cpu\"}"
#define SAY_HELLO "echo '" HELLO "'; "
#define GET "read request; "
#define SAY(json) "echo '" json "'; "

static struct runner *start(const char *script, const char *argument)
{
	char *argv[] = { "sh", "-c", (char *)script, "fake",
			 (char *)argument, NULL };
	struct error e;
	struct runner *r = runner_start(argv, &e);

	if (!r)
		fatal("%s", e.text);
	return r;
}

static long ask(struct runner *r, const char *type)
{
	return runner_send_message(r, json_pack("{ss}", "type", type));
}

/* Everything was reaped. */
static bool no_children(void)
{
	return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}

#define SOON 30		/* s; what is bounded would last a minute or longer */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Runs the script with one request and wants a sentence with `words`. */
static void is_lost(const char *script, const char *type, const char *words,
		    const char *what)
{
	struct runner *r = start(script, NULL);
	struct runner_event event;
	int status = runner_wait(r, ask(r, type), 5, &event);

	tap_ok(status < 0 && event.kind == RUNNER_LOST &&
	       strstr(event.error.text, words), "%s is lost", what);
	if (status < 0 && !strstr(event.error.text, words))
		printf("#   got '%s'\n", event.error.text);
	runner_step(r, &event);
	if (event.kind != RUNNER_LOST || !no_children())
		tap_ok(false, "%s stays lost and is reaped", what);
	runner_free(r);
}

static char *slurp(int fd)
{
	struct str s = { 0 };
	char chunk[4096];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		str_addn(&s, chunk, n);
	close(fd);
	return str_take(&s);
}

static void test_trace(void)
{
	struct runner *r =
		start(
			SAY_HELLO GET
				SAY("{\"type\":\"progress\",\"id\":1,"
				    "\"events\":5}") "printf "
						     "'{\"type\":\"trace\","
						     "\"id\":1,\"bytes\":7}"
						     "\\nab\\ncdef'; " SAY(
							     "{\"type\":"
							     "\"error\",\"id\":"
							     "2,\"status\":2,"
							     "\"message\":"
							     "\"no\\u001b["
							     "2J\"}") "sleep 5",
			NULL);
	struct runner_event event;
	char *got;

	tap_is(ask(r, "record"), 1, "requests are numbered");
	ask(r, "record");
	tap_is(runner_wait(r, 1, 5, &event), 0, "a trace arrives");
	tap_is(event.kind, RUNNER_TRACE, "as a trace");
	got = slurp(event.fd);
	tap_str(got, "ab\ncdef", "its bytes are those that were sent");
	free(got);
	tap_is(runner_wait(r, 2, 5, &event), 0, "an error is an answer");
	tap_str(json_string_value(json_object_get(event.message, "message")),
		"no\xe2\x90\x9b[2J", "an error's words are made safe");
	json_decref(event.message);
	runner_free(r);
	tap_ok(no_children(), "a recorder that sleeps is ended and reaped");
}

/* One that reports without end: what has come is looked at in portions, so
 * that whoever waits can look elsewhere. */
static void test_flood(void)
{
	struct runner *r = start(SAY_HELLO GET "exec yes '{\"type\":"
				 "\"progress\",\"id\":1,\"events\":5}'",
				 NULL);
	struct runner_event event;
	unsigned most = 0, messages;

	ask(r, "record");
	for (int i = 0; i < 20; i++) {
		usleep(20000);
		for (messages = 0; messages < 1000000; messages++) {
			runner_step(r, &event);
			if (event.kind != RUNNER_MESSAGE)
				break;
			runner_event_done(&event);
		}
		most = MAX(most, messages);
	}
	tap_ok(most > 100, "a flood of progress arrives");
	tap_ok(most < 4000, "... and lets go (after %u messages)", most);
	runner_free(r);
}

static void test_long_trace(void)
{
	struct runner *r = start(SAY_HELLO GET
		"printf '{\"type\":\"trace\",\"id\":1,\"bytes\":3000000}\\n'; "
		"head -c 3000000 /dev/zero; "
		SAY("{\"type\":\"error\",\"id\":2,\"status\":2,"
		    "\"message\":\"no\"}") "sleep 5", NULL);
	struct runner_event event;

	ask(r, "record");
	ask(r, "record");
	tap_is(runner_wait(r, 1, 5, &event), 0, "a long trace arrives");
	tap_is(lseek(event.fd, 0, SEEK_END), 3000000, "all of it");
	close(event.fd);
	tap_is(runner_wait(r, 2, 5, &event), 0, "and no more");
	json_decref(event.message);
	runner_free(r);
}

static void test_progress(void)
{
	struct runner *r = start("exec 2>&-; " SAY_HELLO GET
		SAY("{\"type\":\"progress\",\"id\":1,\"events\":5}") "sleep 5",
		NULL);
	struct runner_event event;
	struct pollfd fd;

	ask(r, "record");
	for (;;) {
		runner_step(r, &event);
		if (event.kind != RUNNER_NOTHING)
			break;
		fd = (struct pollfd){ runner_read_fd(r), POLLIN, 0 };
		if (poll(&fd, 1, 5000) < 1)
			break;
	}
	tap_ok(event.kind == RUNNER_MESSAGE && event.id == 1,
	       "progress is handed on, and poll() tells when");
	json_decref(event.message);
	runner_step(r, &event);
	fd = (struct pollfd){ runner_read_fd(r), POLLIN, 0 };
	tap_is(poll(&fd, 1, 0), 0, "nothing to read is nothing to wake for");
	tap_is(runner_write_fd(r), -1, "nor is there anything to write");
	runner_free(r);
}

static void test_nonsense(void)
{
	is_lost("echo hello; sleep 5", "record", "got \"hello\"",
		"one that speaks no JSON");
	is_lost("echo '[1]'; sleep 5", "record", "got \"[1]\"",
		"one that sends an array");
	is_lost("printf '\\033[2J\\377\\n'; sleep 5", "record",
		"got \"\xe2\x90\x9b[2J", "one that sends an escape sequence");
	is_lost(SAY("{\"type\":\"hello\",\"protocol\":2}") "sleep 5", "record",
		"speaks protocol 2, gemmviz", "one with another protocol");
	is_lost(SAY("{\"type\":\"hello\"}") "sleep 5", "record",
		"no protocol number", "one with no protocol");
	is_lost(SAY("{\"type\":\"trace\",\"id\":1,\"bytes\":1}") "sleep 5",
		"record", "hello first", "one that does not greet");
	is_lost(SAY_HELLO SAY_HELLO "sleep 5", "record", "was not sent",
		"one that greets twice");
	is_lost(SAY_HELLO GET SAY("{\"type\":\"trace\",\"id\":9,\"bytes\":1}")
		"sleep 5", "record", "was not sent", "an answer to nobody");
	is_lost(SAY_HELLO GET SAY("{\"type\":\"dance\",\"id\":1}") "sleep 5",
		"record", "\"dance\" is not an answer to \"record\"",
		"an unknown message");
	is_lost(SAY_HELLO GET SAY("{\"type\":\"trace\",\"id\":1,\"bytes\":1}")
		"sleep 5", "locals", "not an answer to \"locals\"",
		"a trace for locals");
	is_lost(SAY_HELLO GET
		SAY("{\"type\":\"trace\",\"id\":1,\"bytes\":68719476737}")
		"sleep 5", "record", "the limit is 65536 MB",
		"a trace over the cap");
	is_lost(SAY_HELLO GET SAY("{\"type\":\"trace\",\"id\":1,\"bytes\":-1}")
		"sleep 5", "record", "expected a trace's size",
		"a trace of negative size");
	is_lost(SAY_HELLO GET SAY("{\"type\":\"locals\",\"id\":1,\"first\":0,"
		"\"names\":[\"a\"],\"rows\":[[1],[]]}") "sleep 5", "locals",
		"expected \"first\"", "locals with a short row");
	is_lost(SAY_HELLO GET SAY("{\"type\":\"error\",\"id\":1}") "sleep 5",
		"record", "status and message", "an error without words");
	is_lost(SAY_HELLO SAY("{\"type\":\"a\",\"type\":\"b\"}") "sleep 5",
		"record", "expected a message", "a member given twice");
	is_lost("yes abcdefghijklmnopqrstuvwxyz | tr -d '\\n'", "record",
		"longer than", "a line without an end");
}

static void test_deaths(void)
{
	is_lost("echo first >&2; printf 'it\\033broke\\n\\n' >&2; exit 3",
		"record", "ended with status 3: it\xe2\x90\x9b" "broke",
		"one that fails");
	is_lost(SAY_HELLO "kill -SEGV $$", "record",
		"ended by signal 11 (Segmentation fault)", "one that crashes");
	is_lost(SAY_HELLO GET "printf '{\"type\":\"trace\",\"id\":1,"
		"\"bytes\":7}\\nabc'; exit 0", "record",
		"ended with status 0 in the middle of a trace",
		"one that ends in a trace");
	is_lost(SAY_HELLO "exec >&-; sleep 5", "record", "closed its output",
		"one that closes its output");
	is_lost(SAY_HELLO "printf 'in two ' >&2; sleep 0.2; echo pieces >&2; "
		"exit 5", "record", "status 5: in two pieces",
		"one that says why in two pieces");
	is_lost(SAY_HELLO "head -c 3000000 /dev/zero >&2; echo >&2; "
		"echo 'the end' >&2; exit 5", "record",
		"status 5: the end", "one that floods its errors");
}

/* Writing to it raises no SIGPIPE, and its end tells why. */
static void test_deaf(void)
{
	struct runner *r = start("exec <&-; " SAY_HELLO "sleep 0.4; exit 4",
				 NULL);
	struct runner_event event;

	for (int i = 0; i < 20; i++) {
		usleep(10000);
		runner_step(r, &event);
	}
	tap_ok(runner_wait(r, ask(r, "record"), 5, &event) < 0 &&
	       strstr(event.error.text, "ended with status 4"),
	       "one that does not listen is lost");
	runner_free(r);
}

/*
 * A valid conversation cut at every byte: what arrives is the whole trace or
 * a sentence, never a part of it.
 */
static void test_every_byte(void)
{
	static const char talk[] = HELLO "\n"
		"{\"type\":\"progress\",\"id\":1,\"events\":5}\n"
		"{\"type\":\"trace\",\"id\":1,\"bytes\":20}\n"
		"01234567890123456789";
	const size_t length = sizeof(talk) - 1;
	size_t good = 0, whole = 0;
	struct runner_event event;
	char cut[32];

	setenv("TALK", talk, 1);
	for (size_t n = 0; n <= length; n++) {
		snprintf(cut, sizeof(cut), "%zu", n);
		struct runner *r = start("printf %s \"$TALK\" | "
					 "head -c $1; kill -KILL $$", cut);
		int status = runner_wait(r, ask(r, "record"), 5, &event);
		bool in_trace = n >= length - 20 && n < length;

		if (status == 0) {
			char *got = slurp(event.fd);
			whole +=
				n == length && !strcmp(got, talk + length - 20);
			free(got);
		} else {
			good += strstr(event.error.text, "ended by signal 9") &&
				!strstr(event.error.text, "in the middle") ==
				!in_trace;
		}
		runner_free(r);
	}
	tap_is(good, length, "cut at every byte, each death is told");
	tap_is(whole, 1, "uncut, the trace arrives");
	tap_ok(no_children(), "no zombies");
}

static void test_patience(void)
{
	struct runner_event event;
	struct runner *r = start("exec sleep 60", NULL);
	double start_time = now();

	tap_ok(runner_wait(r, ask(r, "record"), 0.2, &event) < 0 &&
	       strstr(event.error.text, "has sent nothing for 0.2 seconds"),
	       "a silent one is given up");
	tap_ok(now() - start_time < SOON, "in time");
	runner_free(r);
	r = start(SAY_HELLO "for i in 1 2 3 4 5; do sleep 0.2; "
		  SAY("{\"type\":\"progress\",\"id\":1,\"events\":5}") "done; "
		  "printf '{\"type\":\"trace\",\"id\":1,\"bytes\":1}\\n'; "
		  "sleep 0.2; printf x", NULL);
	tap_is(runner_wait(r, ask(r, "record"), 0.8, &event), 0,
	       "a slow one that shows signs of life is waited for");
	close(event.fd);
	runner_free(r);
}

/* Bytes that come one by one are not waited for until the end. */
static void test_trickle(void)
{
	struct runner_event event;
	struct runner *r;
	double start_time = now();

	setenv("GEMMVIZ_PATIENCE", "1", 1);
	r = start(SAY_HELLO GET
		  "echo '{\"type\":\"trace\",\"id\":1,\"bytes\":100000}'; "
		  "while printf x; do sleep 0.02; done", NULL);
	tap_ok(runner_wait(r, ask(r, "record"), 1, &event) < 0 &&
	       strstr(event.error.text, "does not end"),
	       "a trace that trickles is given up");
	tap_ok(now() - start_time < SOON, "in time");
	unsetenv("GEMMVIZ_PATIENCE");
	runner_free(r);
}

/* What the runner of a "locals" job for rows 4 to 7 may answer. */
static void test_locals(void)
{
	static const struct { const char *first, *rows; bool good; } cases[] = {
		{ "4", "[[1],[2]]", true },
		{ "5", "[[1],[2]]", false },
		{ "4", "[[1],[2],[3],[4],[5]]", false },
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		char *script = xasprintf(SAY_HELLO GET
			"echo '{\"type\":\"locals\",\"id\":1,\"first\":%s,"
			"\"names\":[\"k\"],\"rows\":%s}'; sleep 5",
			cases[i].first, cases[i].rows);
		struct runner *r = start(script, NULL);
		struct runner_event event;
		struct job job;
		int status;

		job_init(&job, JOB_LOCALS);
		job.first = 4;
		job.count = 4;
		status = runner_wait(r, runner_send(r, &job), 5, &event);
		tap_ok(cases[i].good ? status == 0 :
		       status < 0 && strstr(event.error.text, "not requested"),
		       "locals from %s on, %s", cases[i].first, cases[i].rows);
		if (status == 0)
			json_decref(event.message);
		runner_free(r);
		job_done(&job);
		free(script);
	}
}

static pid_t answered_pid(struct runner *r)
{
	struct runner_event event;
	const char *words;
	pid_t pid = -1;

	if (runner_wait(r, ask(r, "record"), 5, &event) == 0) {
		words = json_string_value(json_object_get(event.message,
							  "message"));
		pid = atoi(words);
		json_decref(event.message);
	}
	return pid;
}

#define TELL(what) "echo '{\"type\":\"error\",\"id\":1,\"status\":1," \
		   "\"message\":\"'" what "'\"}'; "

/* It is there, and not as a zombie that waits for somebody else. */
static bool runs(pid_t pid)
{
	char path[40], state = 'Z';
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%*d %*s %c", &state) != 1)
		state = 'Z';
	if (f)
		fclose(f);
	return state != 'Z' && state != 'X';
}

static void test_killing(void)
{
	struct runner *r = start("trap '' TERM; sleep 60 & " SAY_HELLO GET
				 TELL("$!") "wait; sleep 60", NULL);
	pid_t grandchild = answered_pid(r);
	double start_time = now();

	tap_ok(grandchild > 0 && runs(grandchild), "it has a child");
	runner_free(r);
	tap_ok(now() - start_time < SOON, "one deaf to SIGTERM ends in time");
	tap_ok(no_children(), "and is reaped");
	usleep(50000);
	tap_ok(!runs(grandchild), "what it had started ends with it");
}

static void test_surroundings(void)
{
	char *missing[] = { "/nowhere/recorder", NULL };
	struct runner *r, *other;
	struct error e;
	pid_t answer;

	tap_ok(!runner_start(missing, &e) && e.status == EXIT_RUNNER &&
	       strstr(e.text, "cannot start recorder: No such file"),
	       "one that is not there is named");
	r = start(SAY_HELLO GET TELL("$(cut -d' ' -f6 /proc/$$/stat)")
		  "sleep 5", NULL);
	answer = answered_pid(r);
	tap_ok(answer > 0 && answer != getsid(0),
	       "it has a session of its own");
	runner_free(r);
	r = start(SAY_HELLO GET TELL("$(ls /proc/$$/fd | wc -l)") "sleep 5",
		  NULL);
	other = start(SAY_HELLO GET TELL("$(ls /proc/$$/fd | wc -l)")
		      "sleep 5", NULL);
	answer = answered_pid(r);
	tap_is(answered_pid(other), answer,
	       "a second one has no descriptor more than the first");
	runner_free(r);
	runner_free(other);
}

static void test_long_request(void)
{
	char *long_text = xmalloc((8 << 20) + 1);
	struct runner_event event;
	struct runner *r;
	long id;

	memset(long_text, 'x', 8 << 20);
	long_text[8 << 20] = '\0';
	r = start(SAY_HELLO "sleep 0.1; n=$(head -c 8388608 | wc -c); "
		  TELL("$n") "sleep 5", NULL);
	id = runner_send_message(r, json_pack("{ssss}", "type", "record", "pad",
				      long_text));
	tap_is(runner_wait(r, id, 5, &event), 0, "a long request is sent");
	tap_str(json_string_value(json_object_get(event.message, "message")),
		"8388608", "all of it");
	json_decref(event.message);
	runner_free(r);
	free(long_text);
}

/* What this process ignores, a recorder does not. */
static void test_signals(void)
{
	signal(SIGUSR1, SIG_IGN);
	is_lost(SAY_HELLO GET "kill -USR1 $$; sleep 9", "record",
		"User defined signal 1", "one that is ended by a signal");
	signal(SIGUSR1, SIG_DFL);
}

int main(void)
{
	test_signals();
	test_trace();
	test_long_trace();
	test_flood();
	test_progress();
	test_nonsense();
	test_deaths();
	test_deaf();
	test_every_byte();
	test_patience();
	test_trickle();
	test_locals();
	test_killing();
	test_surroundings();
	test_long_request();
	return tap_done();
}
