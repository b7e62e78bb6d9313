/*
 * Motion at a terminal: what a key starts begins when the key arrives, however
 * long nothing happened before. Run with a kernel's or a lesson's name and
 * "run" it is what runs in the terminal, and in the end lists its keys: how
 * many different frames were drawn soon after each, and the step it led to.
 */
#include <stdlib.h>
#include <string.h>

#include "app/ui.h"
#include "base/lang.h"
#include "pty.h"
#include "tap.h"

#define SOON 0.3		/* seconds after a key */
#define KEYS_MOST 16
#define FRAMES_MOST 64

/* The keys that arrived, and the different frames soon after each. */
struct pressed {
	double at;		/* seconds */
	size_t frames;		/* different ones, by their hash */
	uint64_t frame[FRAMES_MOST];
	uint32_t step;		/* of the frame drawn last before the next key */
};

static struct pressed pressed[KEYS_MOST];
static size_t count;
static struct reader reader;

void __real_term_draw(struct term *t, const struct canvas *c);
void __wrap_term_draw(struct term *t, const struct canvas *c);
void __real_reader_event(struct reader *r, const struct event *ev);
void __wrap_reader_event(struct reader *r, const struct event *ev);

static uint64_t hash_canvas(const struct canvas *c)
{
	const unsigned char *bytes = (const unsigned char *)c->cells;
	size_t n = (size_t)c->w * (size_t)c->h * sizeof(*c->cells);
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ bytes[i]) * 1099511628211u;
	return h;
}

static void note_frame(struct pressed *p, uint64_t hash)
{
	for (size_t i = 0; i < p->frames; i++)
		if (p->frame[i] == hash)
			return;
	if (p->frames < FRAMES_MOST)
		p->frame[p->frames++] = hash;
}

void __wrap_term_draw(struct term *t, const struct canvas *c)
{
	__real_term_draw(t, c);
	if (!count)
		return;
	if (seconds_now() - pressed[count - 1].at <= SOON)
		note_frame(&pressed[count - 1], hash_canvas(c));
	pressed[count - 1].step = reader_cursor(&reader)->request;
}

void __wrap_reader_event(struct reader *r, const struct event *ev)
{
	if (count < KEYS_MOST)
		pressed[count++] = (struct pressed){ .at = seconds_now() };
	__real_reader_event(r, ev);
}

/* Opens what is named, and says each key in a line. */
static int run_ui(const char *what)
{
	struct reader_options o = { .lang = "en" };
	struct ui_options u = { .term = { .mono = false } };
	struct error e;
	int status;

	lang_init("en");
	reader_init(&reader, &o);
	if (reader_open_lesson(&reader, what, &e) &&
	    reader_open_file(&reader, what, &e))
		fatal("%s", e.text);
	status = ui_run(&reader, &u);
	for (size_t i = 0; i < count; i++)
		printf("key %zu frames %zu step %u.\n", i, pressed[i].frames,
		       pressed[i].step);
	printf("all keys.\n");
	reader_done(&reader);
	return status;
}

struct wait {
	const char *keys;
	int ms;			/* of nothing after them */
};

/* What became of each key. */
struct result {
	size_t count, frames[KEYS_MOST];
	unsigned step[KEYS_MOST];
};

static void press_keys(const char *self, const char *what, const char *shows,
		       const struct wait *keys, struct result *to)
{
	const char *const argv[] = { self, what, "run", NULL };
	const char *const env[] = { NULL };
	const char *line;
	struct pty p;

	*to = (struct result){ 0 };
	pty_start(&p, argv, env, 120, 36);
	tap_ok(pty_wait_for(&p, 0, shows), "%s opens", what);
	pty_read(&p, 1000);
	for (; keys->keys; keys++) {
		pty_send(&p, keys->keys);
		pty_read(&p, keys->ms);
	}
	pty_send(&p, "q");
	pty_wait_for(&p, 0, "all keys.");
	for (line = strstr(p.out.data, "key 0 frames");
	     line && to->count < KEYS_MOST; line = strstr(line + 1, "key ")) {
		size_t n = to->count, i;

		if (sscanf(line, "key %zu frames %zu step %u", &i,
			   &to->frames[n], &to->step[n]) == 3)
			to->count++;
	}
	pty_done(&p);
}

#define RIGHT "\033[C"

static void test_steps(const char *self)
{
	static const struct wait keys[] = {
		{ RIGHT, 2000 }, { RIGHT, 600 }, { NULL, 0 }
	};
	struct result r;

	press_keys(self, "tiled", "quit", keys, &r);
	tap_is(r.step[1], r.step[0] + 1, "two seconds later: one step");
	tap_ok(r.frames[0] >= 4, "the first step moves: %zu frames",
	       r.frames[0]);
	tap_ok(r.frames[1] >= 4, "so does the other: %zu frames", r.frames[1]);
}

/* Four steps a second, the first at once. */
static void test_play(const char *self)
{
	static const struct wait keys[] = {
		{ RIGHT, 2500 }, { " ", 1100 }, { " ", 2500 }, { " ", 1100 },
		{ RIGHT, 600 }, { NULL, 0 }
	};
	struct result r;
	unsigned first, second;

	press_keys(self, "tiled", "quit", keys, &r);
	first = r.step[1] - r.step[0];
	second = r.step[3] - r.step[2];
	tap_ok(first >= 3 && first <= 6, "a second plays four steps: %u",
	       first);
	tap_ok(second >= 3 && second <= 6, "... after a pause, too: %u",
	       second);
	tap_ok(r.frames[1] >= 4, "it moves from the start: %zu frames",
	       r.frames[1]);
	tap_ok(r.frames[3] >= 4, "... after a pause, too: %zu frames",
	       r.frames[3]);
}

/* At half a step a second a key need not wait for the next beat. */
static void test_slow(const char *self)
{
	static const struct wait keys[] = {
		{ "---", 300 }, { " ", 1500 }, { RIGHT, 600 }, { NULL, 0 }
	};
	struct result r;

	press_keys(self, "tiled", "quit", keys, &r);
	tap_is(r.step[4], r.step[3] + 1, "a key while it plays: a step");
	tap_ok(r.frames[4] >= 4, "... and it moves: %zu frames", r.frames[4]);
}

static void test_answers(const char *self)
{
	static const struct wait letter[] = {
		{ "l", 2000 }, { "b", 600 }, { NULL, 0 }
	};
	static const struct wait number[] = {
		{ "4", 2000 }, { "\r", 600 }, { NULL, 0 }
	};
	struct result r;

	press_keys(self, "coalescing", "answer", letter, &r);
	tap_ok(r.frames[1] >= 4, "an answer moves: %zu frames", r.frames[1]);
	press_keys(self, "coalescing", "answer", number, &r);
	tap_ok(r.frames[1] >= 4, "a typed one, too: %zu frames", r.frames[1]);
}

int main(int argc, char **argv)
{
	if (argc > 2)
		return run_ui(argv[1]);
	test_steps(argv[0]);
	test_play(argv[0]);
	test_slow(argv[0]);
	test_answers(argv[0]);
	return tap_done();
}
