/*
 * Beats: loops as they are found in traces of the ladder's kernels, and the
 * same point in two recordings.
 */
#include "base/lang.h"
#include "kernels/kernels.h"
#include "recorded.h"
#include "scene/beat.h"
#include "tap.h"

/* NULL: the program refuses it. */
static struct stage *try_record(const char *what)
{
	struct trace *t = recorded(what);

	return t ? stage_new(t) : NULL;
}

static struct stage *record(const char *what)
{
	struct stage *s = try_record(what);

	if (!s)
		fatal("no trace of %s", what);
	return s;
}

static void forget(struct stage *s)
{
	struct trace *t = stage_trace(s);

	stage_free(s);
	trace_close(t);
}

static void count(const char *what, uint32_t ks, uint32_t tiles)
{
	struct stage *s = record(what);
	struct cursor p = {0};

	tap_is(stage_beats(s, &p, BEAT_K), ks, "%s: iterations over k", what);
	tap_is(stage_beats(s, &p, BEAT_TILE), tiles, "%s: tiles", what);
	forget(s);
}

/* A kernel at a size that it takes. */
static struct stage *record_kernel(const char *name)
{
	static const char *const sizes[] = { "64", "128", "256" };
	struct stage *s = NULL;

	for (size_t i = 0; i < LENGTH(sizes) && !s; i++) {
		char *what = xasprintf("%s -m %s -n %s -k %s",
				       name, sizes[i], sizes[i], sizes[i]);

		s = try_record(what);
		free(what);
	}
	if (!s)
		fatal("no trace of %s", name);
	return s;
}

/* Every kernel from end to end, by some beat, in 240: a minute at four a
 * second. Going through them by beats leaves no request behind. */
static void play_all(void)
{
	for (size_t i = 0; i < kernel_count; i++) {
		struct stage *s = record_kernel(kernels[i].name);
		uint32_t least = UINT32_MAX, last = 0;
		bool forward = true;

		for (int b = 0; b < BEAT_COUNT; b++) {
			struct cursor p = {0};
			uint32_t n = 0, to;

			while ((to = stage_beat(s, &p, (enum beat)b, 1)) !=
			       p.request && n < 100000) {
				forward &= to > p.request;
				p.request = to;
				n++;
			}
			if (!b)
				last = p.request;
			forward &= p.request == last;
			least = MIN(least, n);
		}
		tap_ok(least <= 240, "%s plays in %u beats", kernels[i].name,
		       least);
		tap_ok(forward, "%s: every beat leads to the end",
		       kernels[i].name);
		forget(s);
	}
}

static void match(void)
{
	struct stage *a = record("naive"), *b = record("naive_swapped");
	struct stage *c = record("tiled -D TILE=16 -m 64 -n 64 -k 64");
	struct stage *d = record("tiled -D TILE=32 -m 64 -n 64 -k 64");
	struct cursor p = { .warp = 1, .request = 7, .lane = 3 }, q;
	struct trace_request x, y;
	struct error e;

	q = stage_match(a, &p, b);
	tap_ok(q.warp == 1 && q.request == 7 && q.lane == 3,
	       "kernels of the same shape: the same request");
	/* The second tile's third load of As. */
	p = (struct cursor){ .warp = 0 };
	p.request = stage_beat(c, &p, BEAT_TILE, 1);
	p.request = stage_beat(c, &p, BEAT_PHASE, 1);
	p.request = stage_beat(c, &p, BEAT_K, 2);
	q = stage_match(c, &p, d);
	tap_ok(!trace_get(stage_trace(c), p.warp, p.request, &x, &e) &&
	       !trace_get(stage_trace(d), q.warp, q.request, &y, &e) &&
	       x.site == y.site, "tiles of other sizes: the same access");
	p = (struct cursor){ .warp = q.warp };
	p.request = stage_beat(d, &p, BEAT_TILE, 1);
	tap_ok(q.request > p.request &&
	       q.request < stage_beat(d, &p, BEAT_TILE, 1),
	       "... of the same tile");
	forget(a);
	forget(b);
	forget(c);
	forget(d);
}

int main(void)
{
	lang_init("en");
	count("naive -m 32 -n 32 -k 32", 32, 32);
	count("tiled -D TILE=16 -m 32 -n 32 -k 64", 4 * (1 + 16) + 1, 4);
	for (int b = 0; b < BEAT_COUNT; b++)
		tap_is(beat_from(beat_name((enum beat)b)), b, "%s",
		       beat_name((enum beat)b));
	tap_is(beat_from("bar"), -1, "no beat");
	match();
	play_all();
	return tap_done();
}
