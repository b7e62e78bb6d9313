/*
 * warp_sync: lanes of a warp that wait for each other: shuffles, votes,
 * __syncwarp(). See warp_sync.h.
 */
#include <string.h>

#include "emu/vector_clock.h"
#include "emu/fibre.h"
#include "emu/unit.h"
#include "emu/warp/warp_sync.h"

/* Returns whether the thread was at a call of a warp function in this line. */
static bool was_at_call(const struct thread *t, uint32_t line)
{
	for (uint32_t i = 0; i < MIN(t->synced_count, LENGTH(t->synced)); i++)
		if (t->synced[i] == line)
			return true;
	return false;
}

/* Stores the line of the warp function's call that the thread is at. */
static void note_call(struct thread *t)
{
	if (!was_at_call(t, t->at->line))
		t->synced[t->synced_count++ % LENGTH(t->synced)] = t->at->line;
}

void warp_sync(struct warp_sync *m, void *here)
{
	struct thread *t = rec.thread;
	uint32_t lane = t->number % WARP_LANES;

	thread_at(t, here);
	if (!m->whoever && !(m->mask >> lane & 1)) {
		emu_finding(t, (struct trace_finding) {
			.cause = CAUSE_MASK_WITHOUT_SELF, .word = m->word,
			.number = { m->mask },
		});
		m->mask |= 1u << lane;
	}
	note_call(t);
	t->warp_sync = m;
	t->state = THREAD_AT_WARP_SYNC;
	fibre_yield();
}

/* ---- release lanes ---- */

/* Returns the line of the thread's last recorded access; 0: there is none. */
static uint32_t last_access_line(const struct thread *t)
{
	for (size_t i = t->count; i-- > 0;) {
		const struct access_site *s = rec.point_slot[t->id[i]];

		if (s && !s->barrier)
			return s->line;
	}
	return 0;
}

/* Returns whether a thread that has ended went on behind a call of a warp
 * function without ever coming to it: it has not returned before. */
static bool passed_by(const struct thread *t, uint32_t line)
{
	return t->state == THREAD_ENDED && line && !was_at_call(t, line) &&
	       last_access_line(t) > line;
}

/* A warp: its threads, NULL where there is none, and how many lanes it has. */
struct sync_warp {
	struct thread *lanes[WARP_LANES];
	uint32_t count;
};

static struct sync_warp get_warp(uint32_t first)
{
	struct sync_warp w = { .count = MIN(WARP_LANES,
					    rec.thread_count - first) };

	for (uint32_t l = 0; l < w.count; l++)
		w.lanes[l] = &rec.threads[first + l];
	return w;
}

static bool is_lane_gone(const struct thread *t)
{
	return t->state == THREAD_ENDED || t->state == THREAD_STOPPED;
}

static bool meets_with(const struct thread *t, const struct thread *first)
{
	const struct warp_sync *m = t->warp_sync, *of = first->warp_sync;

	return t->state == THREAD_AT_WARP_SYNC && m->mask == of->mask &&
	       (m->word == of->word || !strcmp(m->word, of->word)) &&
	       (!of->whoever || t->at == first->at);
}

/* Returns the lanes that are at the same warp_sync as t, and in *missing those
 * that are not there though its mask names them. */
static uint32_t find_arrived(const struct sync_warp *w, const struct thread *t,
			     uint32_t *missing)
{
	uint32_t there = 0;

	*missing = 0;
	for (uint32_t l = 0; l < w->count; l++) {
		if (meets_with(w->lanes[l], t))
			there |= 1u << l;
		else if (t->warp_sync->mask >> l & 1 &&
			 !is_lane_gone(w->lanes[l]))
			*missing |= 1u << l;
	}
	return there;
}

/* Returns the lanes that the mask of t's call names and that have passed it
 * by. */
static uint32_t find_passed_by(const struct sync_warp *w,
			       const struct thread *t)
{
	uint32_t passed = 0;

	if (t->warp_sync->whoever)
		return 0;
	for (uint32_t l = 0; l < w->count; l++)
		if (t->warp_sync->mask >> l & 1 &&
		    passed_by(w->lanes[l], t->at->line))
			passed |= 1u << l;
	return passed;
}

static void release_lanes(const struct sync_warp *w, const struct thread *t,
			  uint32_t there)
{
	t->warp_sync->finish(w->lanes, there);
	for (uint32_t l = 0; l < w->count; l++)
		if (there >> l & 1)
			w->lanes[l]->state = THREAD_READY;
}

static void say_missing(const struct sync_warp *w, const struct thread *t,
			uint32_t missing)
{
	const struct thread *never = w->lanes[__builtin_ctz(missing)];

	if (rec.tainted)
		return;
	emu_finding(t, (struct trace_finding) {
		.cause = CAUSE_LANES_MISSING, .word = t->warp_sync->word,
		.other = emu_finding_at(never),
		.other_word = never->state == THREAD_AT_WARP_SYNC ?
			      never->warp_sync->word :
			      never->state == THREAD_AT_BARRIER ?
			      "__syncthreads" : NULL,
		.number = { (uint64_t)__builtin_popcount(missing) },
	});
}

enum ending { END_COMPLETE, END_WHOEVER, END_ALL };

static bool end_warp_calls(const struct sync_warp *w, enum ending how)
{
	bool any = false;

	for (uint32_t l = 0; l < w->count; l++) {
		const struct thread *t = w->lanes[l];
		uint32_t there, missing;

		if (t->state != THREAD_AT_WARP_SYNC ||
		    (how == END_COMPLETE && t->warp_sync->whoever))
			continue;
		there = find_arrived(w, t, &missing);
		if (missing && how != END_ALL)
			continue;
		missing |= find_passed_by(w, t);
		if (missing)
			say_missing(w, t, missing);
		release_lanes(w, t, there);
		any = true;
		/* The others may come to it yet. */
		if (how != END_COMPLETE)
			break;
	}
	return any;
}

static bool warps_end(enum ending how)
{
	bool any = false;

	for (uint32_t i = 0; i < rec.thread_count; i += WARP_LANES) {
		struct sync_warp w = get_warp(i);

		any = end_warp_calls(&w, how) || any;
	}
	return any;
}

/* Ends the calls that all lanes have come to, or those of the lanes that
 * came. */
static bool unblock(bool failed)
{
	if (failed)
		return warps_end(END_ALL);
	return warps_end(END_COMPLETE) || warps_end(END_WHOEVER);
}

/* ---- all lanes, sooner or later ---- */

/* What lanes of a warp have called, and which. */
struct lane_call {
	const char *word;
	uint32_t lanes;
	struct thread *first;
	const struct access_site *at;
};

static struct calls {
	struct lane_call *list;
	size_t count, capacity;
	size_t whole;		/* that all lanes have called */
} calls[CLUSTER_MOST][BLOCK_THREADS_MAX / WARP_LANES];

static void calls_forget(struct calls *c, uint32_t warp)
{
	struct sync_warp w = get_warp(warp * WARP_LANES);

	c->count = c->whole = 0;
	for (uint32_t l = 0; l < w.count; l++)
		w.lanes[l]->calls = 0;
}

static void cluster_begin(void)
{
	for (size_t b = 0; b < LENGTH(calls); b++)
		for (size_t w = 0; w < LENGTH(calls[b]); w++)
			calls[b][w].count = calls[b][w].whole = 0;
}

/* Returns the running thread's next call of this builtin, the first of it or
 * not. */
static struct lane_call *call_next(struct calls *c, struct thread *t,
				   const char *word)
{
	while (t->calls < c->count && c->list[t->calls].word != word)
		t->calls++;
	if (t->calls == c->count) {
		grow(&c->list, &c->capacity, c->count + 1, sizeof(*c->list));
		c->list[c->count++] = (struct lane_call){ word, 0, t, t->at };
	}
	return &c->list[t->calls++];
}

void warp_sync_later(const char *word, void *here)
{
	struct thread *t = rec.thread;
	uint32_t warp = t->number / WARP_LANES;
	struct calls *c = &calls[rec.rank][warp];
	struct lane_call *call;

	thread_at(t, here);
	call = call_next(c, t, word);
	call->lanes |= 1u << t->number % WARP_LANES;
	c->whole += call->lanes == UINT32_MAX;
	if (c->whole == c->count)
		calls_forget(c, warp);
}

static void lanes_say(const struct thread *t, const struct access_site *at,
		      const char *word, uint32_t lanes)
{
	emu_finding_add(t, at, (struct trace_finding) {
		.cause = CAUSE_LANES_FEW, .word = word,
		.number = { (uint64_t)__builtin_popcount(lanes) },
	}, NULL);
}

/* Adds a finding if not all lanes of a warp have called such a builtin. */
static void interval_end(void)
{
	for (uint32_t w = 0; w * WARP_LANES < rec.thread_count; w++) {
		struct calls *of = &calls[rec.rank][w];

		for (size_t i = 0; i < of->count; i++) {
			const struct lane_call *c = &of->list[i];

			if (c->lanes != UINT32_MAX && !rec.tainted)
				lanes_say(c->first, c->at, c->word, c->lanes);
		}
		calls_forget(of, w);
	}
}

/* Returns whether lanes have ended without coming; those that may still come
 * have been reported already. */
static bool some_ended(struct thread *const *lanes, uint32_t there)
{
	for (uint32_t l = 0; l < WARP_LANES; l++)
		if (!(there >> l & 1) && lanes[l] &&
		    (lanes[l]->state == THREAD_AT_BARRIER ||
		     lanes[l]->state == THREAD_AT_WARP_SYNC))
			return false;
	return there != UINT32_MAX;
}

void warp_sync_whole(struct thread *const *lanes, uint32_t there)
{
	const struct thread *t = lanes[__builtin_ctz(there)];

	if (some_ended(lanes, there) && !rec.tainted)
		lanes_say(t, t->at, t->warp_sync->word, there);
}

/* ---- shuffles ---- */

struct shuffle_part {
	enum shuffle how;
	uint32_t by, width;
	const void *mine;
	void *theirs;
	size_t bytes;
};

/* Returns the lane that this one reads from (PTX ISA, shfl.sync). */
static uint32_t shuffle_from(const struct shuffle_part *p, uint32_t lane)
{
	uint32_t first = lane & ~(p->width - 1), at = lane & (p->width - 1);

	switch (p->how) {
	case SHUFFLE_UP:
		return at < p->by ? lane : lane - p->by;
	case SHUFFLE_DOWN:
		return at + p->by >= p->width ? lane : lane + p->by;
	case SHUFFLE_XOR:
		return (lane ^ p->by) >= first + p->width ? lane :
							    lane ^ p->by;
	default:
		return first + (p->by & (p->width - 1));
	}
}

static void shuffle_finish(struct thread *const *lanes, uint32_t there)
{
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		const struct shuffle_part *p = warp_sync_part(lanes, there, l);
		const struct shuffle_part *from;
		uint32_t at;

		if (!p)
			continue;
		at = shuffle_from(p, l);
		from = warp_sync_part(lanes, there, at);
		if (!from && !rec.tainted)
			emu_finding(lanes[l], (struct trace_finding) {
				.cause = CAUSE_SHUFFLE_FROM_NONE,
				.word = lanes[l]->warp_sync->word,
				.number = { at },
			});
		memcpy(p->theirs, from ? from->mine : p->mine, p->bytes);
	}
}

void gemmviz_shuffle(const char *word, uint32_t mask, int how, uint32_t by,
		     uint32_t width, const void *mine, void *theirs,
		     size_t bytes, void *here);
void gemmviz_shuffle(const char *word, uint32_t mask, int how, uint32_t by,
		     uint32_t width, const void *mine, void *theirs,
		     size_t bytes, void *here)
{
	struct shuffle_part part = { (enum shuffle)how, by, width, mine,
				     theirs, bytes };
	struct warp_sync m = { word, mask, false, shuffle_finish, &part };

	if (rec.thread)
		warp_sync(&m, here);
}

/* ---- votes ---- */

struct vote { uint32_t value, among; };

static void vote_finish(struct thread *const *lanes, uint32_t there)
{
	uint32_t ballot = 0;

	for (uint32_t l = 0; l < WARP_LANES; l++) {
		const struct vote *v = warp_sync_part(lanes, there, l);

		if (v && v->value)
			ballot |= 1u << l;
	}
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		struct vote *v = warp_sync_part(lanes, there, l);

		if (v)
			*v = (struct vote) { ballot, there };
	}
}

uint32_t gemmviz_vote(const char *word, uint32_t mask, int value,
		      uint32_t *among, void *here);
uint32_t gemmviz_vote(const char *word, uint32_t mask, int value,
		      uint32_t *among, void *here)
{
	struct vote v = { value != 0, 0 };
	struct warp_sync m = { word, mask, !strcmp(word, "__activemask"),
			       vote_finish, &v };

	if (!rec.thread)
		return 0;
	warp_sync(&m, here);
	*among = v.among;
	return v.value;
}

/* ---- barrier ---- */

static void sync_finish(struct thread *const *lanes, uint32_t there)
{
	struct thread *met[WARP_LANES];
	uint32_t count = 0;
	bool any = false;

	rec.epoch++;
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		if (!(there >> l & 1))
			continue;
		any = any || lanes[l]->clock;
		met[count++] = lanes[l];
	}
	/* Of barriers that others are at, too. */
	if (any)
		vector_clock_join_all(met, count);
	for (uint32_t i = 0; i < count; i++) {
		met[i]->warp_epoch = rec.epoch;
		met[i]->warp_lanes = there;
	}
}

void gemmviz_syncwarp(uint32_t mask, void *here);
void gemmviz_syncwarp(uint32_t mask, void *here)
{
	struct warp_sync m = { "__syncwarp", mask, false, sync_finish, NULL };

	if (rec.thread)
		warp_sync(&m, here);
}

static void thread_begin(struct thread *t)
{
	t->calls = 0;
	t->warp_epoch = 0;
}

const struct emu_unit warp_sync_unit = {
	.cluster_begin = cluster_begin,
	.thread_begin = thread_begin,
	.interval_end = interval_end,
	.unblock = unblock,
};
