/*
 * A reader at a terminal: each key makes one scene, and one frame at most, or
 * those of what moves. Run with "ui" or "move" it is what runs in the terminal, and says in the end how
 * often it made a scene and drew; the linker puts the counters in between.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "base/lang.h"
#include "pty.h"
#include "app/ui.h"
#include "tap.h"

#define KEYS 6

static int scenes, frames;

const struct scene *__real_stage_scene(struct stage *s,
				       const struct cursor *p);
const struct scene *__wrap_stage_scene(struct stage *s,
				       const struct cursor *p);
void __real_term_draw(struct term *t, const struct canvas *c);
void __wrap_term_draw(struct term *t, const struct canvas *c);

const struct scene *__wrap_stage_scene(struct stage *s, const struct cursor *p)
{
	scenes++;
	return __real_stage_scene(s, p);
}

void __wrap_term_draw(struct term *t, const struct canvas *c)
{
	frames++;
	__real_term_draw(t, c);
}

/* Loads, one after the other; no recorder knows the kernel. */
static struct trace *make(void)
{
	static struct trace_array array = {
		.name = (char *)"g", .elem = ELEM_F32, .elem_bytes = 4,
		.rank = 2, .dims = { 16, 32 }
	};
	static struct trace_site site = { .line = 1, .op = OP_LD,
					  .bytes = 4 };
	static const struct trace_info info = {
		.kernel = (char *)"k", .file = (char *)"k.cu",
		.text = (char *)"1\n", .on = (char *)"cpu",
		.device = (char *)"", .grid = { 1, 1, 1 },
		.block = { 32, 1, 1 }, .spaces = (1u << SPACE_COUNT) - 1,
		.arrays = &array, .array_count = 1, .sites = &site,
		.site_count = 1,
	};
	int fd = memfd_create("trace", MFD_CLOEXEC);
	struct trace_writer *w = trace_writer_new(fd, false);
	struct trace_request r = { .mask = UINT32_MAX };
	struct trace *t = NULL;
	struct error e;

	trace_writer_warp(w, 0, 0, &e);
	for (uint64_t i = 0; i < 16 * 32; i++) {
		r.offset[i % 32] = i * 4;
		if (i % 32 == 31)
			trace_writer_add(w, &info, &r, &e);
	}
	if (!trace_writer_finish(w, &info, &e))
		t = trace_open_fd(fd, "trace", &e);
	if (!t)
		fatal("%s", e.text);
	return t;
}

static int run_ui(bool still)
{
	struct reader_options o = { .lang = "en", .still = still };
	struct ui_options u = { .term = { .mono = false } };
	struct reader r;
	int status;

	lang_init("en");
	reader_init(&r, &o);
	reader_open_trace(&r, make());
	r.cursor[0].request = 0;
	status = ui_run(&r, &u);
	printf("steps %u scenes %d frames %d.\n", r.cursor[0].request, scenes,
	       frames);
	reader_done(&r);
	return status;
}

/* Presses the keys, with time in between for what moves to arrive. */
static void play(const char *self, const char *how, int *made, int *drawn)
{
	const char *const argv[] = { self, how, NULL };
	const char *const env[] = { NULL };
	struct pty p;
	unsigned steps = 0;
	const char *said;

	pty_start(&p, argv, env, 100, 30);
	pty_wait_for(&p, 0, "quit");
	for (int i = 0; i < KEYS; i++) {
		pty_send(&p, "\033[C");
		pty_read(&p, 500);
	}
	pty_send(&p, "q");
	pty_wait_for(&p, 0, " frames ");
	pty_wait_for(&p, 0, ".\r");
	said = strstr(p.out.data, "steps ");
	if (said)
		sscanf(said, "steps %u scenes %d frames %d", &steps, made,
		       drawn);
	tap_is(steps, KEYS, "%s: each key is a step", how);
	pty_done(&p);
}

int main(int argc, char **argv)
{
	int made = 0, drawn = 0;

	if (argc > 1)
		return run_ui(!strcmp(argv[1], "ui"));
	play(argv[0], "ui", &made, &drawn);
	tap_is(made, KEYS + 1, "a scene for each, and the first");
	tap_ok(drawn > 1 && drawn <= KEYS + 1, "no more frames: %d", drawn);
	play(argv[0], "move", &made, &drawn);
	/* Where a motion ends its scene is made anew. */
	tap_ok(made <= 2 * KEYS + 1, "what moves needs no more scenes: %d",
	       made);
	tap_ok(drawn >= 2 * KEYS && drawn <= 10 * KEYS,
	       "what moves has frames, and then none: %d", drawn);
	return tap_done();
}
