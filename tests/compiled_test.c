/*
 * The machine's accesses of a warp, in order, and the picture that shows them:
 * each recorded request is served once, `.` goes from access to access, and an
 * open question or a run that disagrees shows no count.
 * covers: machine viz
 */
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "compiled.h"
#include "stage.h"
#include "tap.h"

/* Counts the requests of a warp to global or shared memory. */
static uint32_t count_accesses(struct trace *t, size_t warp)
{
	struct trace_request r;
	struct error e;
	uint32_t n = 0;

	for (uint32_t i = 0; i < trace_warp(t, warp)->requests; i++) {
		const struct trace_site *s;

		if (trace_get_lanes(t, warp, i, &r, &e) < 0)
			return 0;
		s = &trace_info(t)->sites[r.site];
		n += op_is_access(s->op) &&
		     trace_info(t)->arrays[s->array].space != SPACE_REGISTER;
	}
	return n;
}

/* Lists the accesses of each warp of a kernel. */
static void try_steps(const char *kernel, const char *what, size_t merged)
{
	struct trace *t = recorded(what);
	struct machine_launch m;
	struct error e = { .text = "" };
	uint32_t wrong = 0, unserved = 0, most = 0;
	size_t fours = 0;

	if (!t || compiled_copy((void *)kernel, 0, t, &m, &e) < 0)
		fatal("%s: %s", what, e.text);
	tap_is(m.held, MACHINE_ANSWER, "%s: its values are the recording's",
	       kernel);
	for (size_t w = 0; w < 2; w++) {
		struct machine_steps s;
		uint32_t served = 0;

		if (machine_steps_make(&s, &m, t, w, &e) < 0)
			fatal("%s: %s", what, e.text);
		for (size_t i = 0; i < s.count; i++) {
			served += s.list[i].requests;
			fours += s.list[i].requests == 4;
			most = MAX(most, s.list[i].requests);
			wrong += s.list[i].requests &&
				 s.of[s.list[i].first] != i + 1;
			wrong += s.list[i].requests * 4 > s.list[i].bytes;
		}
		unserved += count_accesses(t, w) - served;
		machine_steps_done(&s);
	}
	tap_is(unserved, 0, "%s: each request is served once", kernel);
	tap_is(wrong, 0, "... by an access that has room for it");
	tap_is(most, 4, "... of 16 bytes at most");
	tap_is(fours, merged, "... %zu accesses stand for four", merged);
	machine_done(&m);
	trace_close(t);
}

static void open_compiled(struct reader *r, int (*compile)(
	void *, size_t, struct trace *, struct machine_launch *,
	struct error *))
{
	struct reader_options o = { .lang = "en", .still = true,
				    .compile = compile,
				    .compile_ctx = (void *)"tiled" };

	reader_init(r, &o);
	reader_open_trace(r, recorded("tiled -m 32 -n 32 -k 32"));
	reader_settle(r, 120, 36);
}

/* Goes through all accesses and back. */
static void try_keys(void)
{
	struct event next = { .key = '.' }, last = { .key = ',' };
	struct event home = { .key = K_HOME };
	uint32_t places = 1, before;
	struct str text = { 0 };
	struct frame_model show;
	struct canvas c;
	struct reader r;

	open_compiled(&r, compiled_copy);
	reader_event(&r, &home);
	tap_ok(says(&r, 120, 36, "access 1 of the warp's 49"),
	       "the first access is on the screen");
	tap_ok(says(&r, 80, 24, "LDG.E at 0x") &&
	       says(&r, 80, 24, "4 sectors"), "... in a small one, too");
	do {
		before = r.cursor[0].request;
		reader_event(&r, &next);
		reader_settle(&r, 120, 36);
		places += r.cursor[0].request != before;
	} while (r.cursor[0].request != before && places < 100);
	tap_is(places, 49, "each access is a step");
	tap_ok(says(&r, 120, 36, "STG.E at 0x"), "... the last one stores C");
	reader_event(&r, &last);
	reader_settle(&r, 120, 36);
	tap_ok(says(&r, 120, 36, "access 48 of the warp's 49"),
	       "and there is a way back");
	show = *reader_settle(&r, 120, 36);
	show.quiet = true;
	canvas_init(&c, 120, 36);
	frame_draw(&c, &show);
	canvas_print(&c, false, &text);
	tap_ok(strstr(text.data, "machine code") &&
	       !strstr(text.data, "wavefront") && !strstr(text.data, "sector"),
	       "an open question hides the costs");
	canvas_done(&c);
	str_done(&text);
	reader_done(&r);
}

/* Gives a run that disagrees with the recording. */
static int compile_wrong(void *name, size_t recording, struct trace *t,
			 struct machine_launch *m, struct error *e)
{
	if (compiled_copy(name, recording, t, m, e) < 0)
		return -1;
	m->held = MACHINE_NO;
	m->why = xstrdup("it is wrong");
	free(m->executed);
	m->executed = NULL;
	m->access_count = 0;
	return 0;
}

static int compile_not(void *name, size_t recording, struct trace *t,
		       struct machine_launch *m, struct error *e)
{
	(void)name;
	(void)recording;
	(void)t;
	(void)m;
	return error_set(e, EXIT_RUNNER, "nothing is installed");
}

static void try_unknown(void)
{
	struct reader r;

	open_compiled(&r, compile_wrong);
	tap_ok(says(&r, 120, 36, "Its accesses are not known: it is wrong."),
	       "a run that disagrees: why");
	tap_ok(says(&r, 120, 36, "LDS.128") && !says(&r, 120, 36, "executed"),
	       "... and no count");
	reader_done(&r);
	open_compiled(&r, compile_not);
	tap_ok(says(&r, 120, 36, "nothing is installed"),
	       "without the tools: a sentence");
	tap_ok(!says(&r, 120, 36, "machine code"), "... and no picture");
	reader_done(&r);
}

/* Gives the code when it is asked for often enough. */
static int calls_left;
static int compile_later(void *name, size_t recording, struct trace *t,
			 struct machine_launch *m, struct error *e)
{
	return --calls_left > 0 ? 1 : compiled_copy(name, recording, t, m, e);
}

/* Draws what is on the screen now, and tells whether it has these words. */
static bool draws(struct reader *r, const char *words)
{
	struct str text = { 0 };
	struct canvas c;
	bool found;

	reader_update(r, 120, 36);
	canvas_init(&c, 120, 36);
	frame_draw(&c, reader_show(r));
	canvas_print(&c, false, &text);
	found = strstr(text.data, words) != NULL;
	canvas_done(&c);
	str_done(&text);
	return found;
}

/* The picture of the source is there while the compiler is at work. */
static void try_later(void)
{
	struct reader_options o = { .lang = "en", .still = true,
				    .compile = compile_later,
				    .compile_ctx = (void *)"tiled" };
	struct event key = { .key = K_RIGHT };
	struct reader r;
	int polls = 0;

	calls_left = INT_MAX;
	reader_init(&r, &o);
	reader_open_trace(&r, recorded("tiled -m 32 -n 32 -k 32"));
	reader_poll(&r);
	tap_ok(draws(&r, "Compiling tiled"), "while it is compiled: a line");
	tap_ok(draws(&r, "for (int") && !draws(&r, "machine code"),
	       "... next to the source");
	tap_ok(reader_patience(&r) >= 0 && reader_patience(&r) <= 100,
	       "... and nobody has to press a key for it to go on");
	reader_event(&r, &key);
	tap_ok(r.cursor[0].request > 0 && draws(&r, "Compiling tiled"),
	       "keys work meanwhile");
	/* The recorder says something, too, at a time of its own. */
	for (; polls < 1000 && reader_poll(&r); polls++)
		poll(NULL, 0, 5);
	tap_ok(polls < 1000, "nothing has changed");
	calls_left = 1;
	tap_ok(reader_poll(&r), "what comes changes the screen");
	tap_ok(draws(&r, "machine code") && !draws(&r, "Compiling"),
	       "... to its picture");
	reader_done(&r);
	calls_left = 9;
	reader_init(&r, &o);
	reader_open_trace(&r, recorded("tiled -m 32 -n 32 -k 32"));
	reader_settle(&r, 120, 36);
	tap_is(calls_left, 0, "what needs no keys waits for it");
	reader_done(&r);
}

int main(void)
{
	lang_init("en");
	try_steps("tiled", "tiled -m 64 -n 64 -k 64", 2 * 4 * 4);
	try_steps("float4", "float4 -m 64 -n 64 -k 64",
		  2 * (128 + 8));	/* loads; stores */
	try_steps("register_tiled", "register_tiled -m 64 -n 64 -k 64",
		  2 * 128);
	try_keys();
	try_unknown();
	try_later();
	return tap_done();
}
