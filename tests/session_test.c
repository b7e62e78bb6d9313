/* The recordings of a lesson, made by little recorders in sh. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/session.h"
#include "tap.h"

#define HELLO "echo '{\"type\":\"hello\",\"protocol\":1,\"program\":\"fake\"," \
	      "\"version\":\"" PACKAGE_VERSION "\",\"on\":\"cpu\"}'; "
#define GET "read request; "
#define SAY(json) "echo '" json "'; "
#define PROGRESS(id) SAY("{\"type\":\"progress\",\"id\":" id ",\"events\":9," \
			 "\"blocks\":0,\"of\":1}")
/* The trace of the size that was asked for. */
#define TRACE "f=$DIR/gvt2; case $request in *'\"m\":1,'*) f=$DIR/gvt1;; " \
	      "esac; echo '{\"type\":\"trace\",\"id\":1,\"bytes\":'" \
	      "$(wc -c <\"$f\")'}'; cat \"$f\"; "
#define LOCALS(id) SAY("{\"type\":\"locals\",\"id\":" id ",\"first\":0," \
		       "\"names\":[\"k\"],\"rows\":[[1],[2]]}")
#define NO(id) SAY("{\"type\":\"error\",\"id\":" id ",\"status\":3," \
		   "\"message\":\"no room\"}")
/* Waits until the test makes the file. */
#define GATE "until [ -e \"$DIR/go\" ]; do sleep 0.01; done; "
/* What the lesson's first recorder does, and what the second one. */
#define BOTH(first, second) HELLO GET "case $request in *'\"m\":1,'*) " first \
			    ":;; *) " second ":;; esac; sleep 9"

static const char lesson_text[] =
	"# T\n\n```gemmviz\nrecord naive m=1 n=1 k=1\n"
	"record naive m=2 n=2 k=2 as other\n```\n\n## S\n\nWords.\n";
static struct lesson *lesson;
static char dir[] = "/tmp/session_test.XXXXXX", *gvt[2], *gate;

static void start(struct session *s, const char *script)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };

	unlink(gate);
	session_lesson(s, lesson, argv, NULL);
}

static void open_gate(void)
{
	close(open(gate, O_CREAT | O_WRONLY, 0600));
}

/* One step when something comes; false: nothing did for a while. */
static bool step(struct session *s)
{
	struct pollfd fds[2 * LESSON_MAX_RECORDS];
	size_t n = session_fds(s, fds);

	return poll(fds, n, 5000) > 0 && (session_step(s), true);
}

static bool no_children(void)
{
	return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}

static struct trace *read_trace(void)
{
	struct error e;
	struct trace *t = trace_open(gvt[0], &e);

	if (!t)
		fatal("%s", e.text);
	return t;
}

/* Recording `i` failed with these words, and the other one is there. */
static void one_lost(const char *script, int i, const char *words,
		     const char *what)
{
	struct recording *lost, *kept;
	struct session s;

	start(&s, script);
	session_wait(&s);
	lost = &s.recordings[i];
	kept = &s.recordings[1 - i];
	if (!tap_ok(!lost->trace && strstr(lost->error.text, words), "%s",
		    what))
		printf("#   got '%s'\n", lost->error.text);
	tap_ok(session_error(&s) == &lost->error, "... is the error told");
	tap_ok(kept->trace && kept->stage && !kept->error.text[0],
	       "... and the other recording is there");
	session_done(&s);
	tap_ok(no_children(), "... no recorder is left behind");
}

static void test_lost(void)
{
	one_lost(BOTH("echo out of luck >&2; exit 3; ", TRACE), 0,
		 "status 3: out of luck", "the first recorder ends");
	one_lost(BOTH(TRACE, "kill -SEGV $$; "), 1, "signal 11",
		 "the second recorder crashes");
	one_lost(BOTH(NO("1"), TRACE), 0, "no room", "the first one refuses");
	one_lost(BOTH(TRACE, SAY("{\"type\":\"trace\",\"id\":1,\"bytes\":3}")
		      "printf abc; "), 1, "the trace of sh -c",
		 "the second trace is none");
}

static void test_none(void)
{
	char *missing[] = { (char *)"/nowhere/recorder", NULL };
	struct pollfd fds[2 * LESSON_MAX_RECORDS];
	struct session s;

	session_lesson(&s, lesson, missing, NULL);
	tap_ok(session_error(&s) && session_error(&s)->status == EXIT_RUNNER,
	       "a recorder that is not there is an error at once");
	tap_is(session_fds(&s, fds), 0, "with nothing to wait for");
	tap_ok(session_step(&s), "it is news");
	tap_ok(!session_step(&s), "once");
	session_wait(&s);
	session_done(&s);
}

static void test_order(void)
{
	struct pollfd fds[2 * LESSON_MAX_RECORDS];
	struct session s;

	start(&s, BOTH(GATE TRACE, TRACE));
	tap_is(session_fds(&s, fds), 4, "two recorders, two descriptors each");
	while (!s.recordings[1].trace && step(&s))
		;
	tap_ok(s.recordings[1].trace && !s.recordings[0].trace,
	       "the second answers before the first");
	tap_ok(!session_error(&s), "which is no error");
	open_gate();
	while (!s.recordings[0].trace && step(&s))
		;
	tap_ok(s.recordings[0].trace, "then the first one does");
	tap_ok(!s.recordings[0].record_id && !s.recordings[1].record_id,
	       "nothing is under way");
	session_done(&s);
}

/* What arrives belongs to the lane that it was asked for. */
static void test_moved(void)
{
	struct cursor here = { .lane = 0 }, there = { .lane = 1 };
	struct recording *r;
	struct session s;
	long id;

	start(&s, BOTH(TRACE GET GATE LOCALS("2") GET LOCALS("3"), TRACE));
	session_wait(&s);
	r = &s.recordings[0];
	session_want_locals(r, &here);
	id = r->locals_id;
	tap_ok(id, "variables are asked for");
	session_want_locals(r, &there);
	tap_is(r->locals_id, id, "one question at a time");
	open_gate();
	session_wait(&s);
	tap_ok(!stage_wants_locals(r->stage, &here) &&
	       stage_wants_locals(r->stage, &there),
	       "a late answer is that lane's which it was asked for");
	session_want_locals(r, &there);
	session_wait(&s);
	tap_ok(!stage_wants_locals(r->stage, &there), "then the other's comes");
	session_done(&s);
}

/* A block that is run again may take a while, which is told. */
static void test_slow(void)
{
	struct cursor here = { .lane = 0 };
	struct recording *r;
	struct session s;

	start(&s, BOTH(TRACE GET PROGRESS("2") LOCALS("2"), TRACE));
	session_wait(&s);
	r = &s.recordings[0];
	session_want_locals(r, &here);
	session_wait(&s);
	tap_ok(!stage_wants_locals(r->stage, &here),
	       "progress is no answer: that comes behind it");
	session_done(&s);
}

static void test_refused(void)
{
	struct cursor here = { .lane = 0 };
	struct recording *r;
	struct session s;

	start(&s, BOTH(TRACE GET NO("2"), TRACE GET "exit 4; "));
	session_wait(&s);
	for (int i = 0; i < 2; i++) {
		r = &s.recordings[i];
		session_want_locals(r, &here);
		session_wait(&s);
		session_want_locals(r, &here);
		tap_ok(!r->locals_id && r->trace && !session_error(&s), "%s",
		       i ? "nor those of a recorder that ends on it" :
			   "refused variables are not asked for again");
	}
	tap_ok(!s.recordings[1].runner, "which is gone");
	session_done(&s);
}

static void test_open_trace(const char *script, bool runs, const char *what)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };
	struct trace *t = read_trace();
	struct session s;

	s = (struct session){0};
	session_trace_add(&s, t, argv);
	session_wait(&s);
	tap_ok(s.recordings[0].trace == t && !session_error(&s) &&
	       !s.recordings[0].runner == !runs, "an open trace stays: %s",
	       what);
	session_done(&s);
}

/* The text of a trace of naive, of M, N and K = size. */
static char *trace_text(int size)
{
	struct str s = { 0 };
	struct error e;
	size_t length;
	char *kernel = file_read(ABS_SRCDIR "/src/kernels/naive.cu", 1 << 20,
				 &length, &e);

	if (!kernel)
		fatal("%s", e.text);
	str_addf(&s, "gemmviz trace 1\nkernel \"naive\"\nfile \"naive.cu\"\n"
		 "on \"cpu\"\ndevice \"\"\nsize %d %d %d\ngrid 1 1 1\n"
		 "block 16 16 1\nseed 1\nvalues yes\npartial no\n"
		 "problem \"gemm\" \"rows\"\nspaces global\ntext\n", size, size,
		 size);
	for (char *line = kernel, *end; (end = strchr(line, '\n'));
	     line = end + 1)
		str_addf(&s, "|%.*s\n", (int)(end - line), line);
	str_add(&s, "array 0 \"A\" global f32 4 [4] at 0x100\n"
		"site 0 3:4 ld 4 array 0\nsite 1 5:6 barrier\nwarp 0 0\n"
		"0 0000000f 0+4*4 = 1 2 3 4\n1 0000000f\nend\n");
	free(kernel);
	return str_take(&s);
}

/* A file's text as UTF-8, in which GBK's is put; and what is no text. */
static void test_source(void)
{
	static const struct { const char *text; size_t bytes, taken; } is[] = {
		{ "// abc", 6, 6 }, { "// \xe4\xbd\xa0", 6, 6 },
		{ "// \xc4\xe3", 5, 6 }, { "// \xff\xff", 5, 0 },
		{ "// \xc4", 4, 0 }, { "// a\0b", 6, 0 },
	};
	char *path = xasprintf("%s/k.cu", dir);

	for (size_t i = 0; i < LENGTH(is); i++) {
		struct job_kernel k = { 0 };
		struct error e = { 0 };
		FILE *f = fopen(path, "w");

		fwrite(is[i].text, 1, is[i].bytes, f);
		fclose(f);
		tap_ok((session_source(&k, path, NULL, &e) == 0) ==
		       (is[i].taken > 0), "text %zu is%s taken: %s", i,
		       is[i].taken ? "" : " not", e.text);
		tap_ok(is[i].taken ?
		       k.text && strlen(k.text) == is[i].taken :
		       e.status == EXIT_INPUT, "... whole");
		job_kernel_done(&k);
	}
	unlink(path);
	free(path);
}

static void traces_make(void)
{
	struct error e;

	for (int i = 0; i < 2; i++) {
		char *text = trace_text(i + 1);
		int fd;

		gvt[i] = xasprintf("%s/gvt%d", dir, i + 1);
		fd = open(gvt[i], O_CREAT | O_RDWR, 0600);
		if (fd < 0 || trace_parse(text, strlen(text), fd, &e))
			fatal("%s", fd < 0 ? gvt[i] : e.text);
		close(fd);
		free(text);
	}
}

int main(void)
{
	struct error e;

	if (!mkdtemp(dir))
		fatal("%s: %m", dir);
	setenv("DIR", dir, 1);
	traces_make();
	gate = xasprintf("%s/go", dir);
	lesson = lesson_parse("t", lesson_text, sizeof(lesson_text) - 1, &e);
	if (!lesson)
		fatal("%s", e.text);
	test_source();
	test_lost();
	test_none();
	test_order();
	test_moved();
	test_slow();
	test_refused();
	test_open_trace(HELLO GET TRACE "sleep 9", true, "recorded again");
	test_open_trace(HELLO GET NO("1") "sleep 9", true, "refused");
	test_open_trace("exit 3", false, "no recorder");
	lesson_free(lesson);
	unlink(gate);
	unlink(gvt[0]);
	unlink(gvt[1]);
	rmdir(dir);
	free(gate);
	free(gvt[0]);
	free(gvt[1]);
	return tap_done();
}
