/*
 * warp: merges the sequences of 32 lanes into what SIMT hardware executes.
 *
 * Each lane supplies its events in its own program order. The merge runs the
 * lanes like a machine that executes one instruction at a time: of the lanes'
 * next events, the one at the lowest program point goes first, together with
 * all lanes at that point, and the other lanes wait. Compilers lay out
 * structured code in source order, so lanes that skipped a branch or left a
 * loop early wait at the reconvergence point. Control events (a basic block
 * entered, a function entered or left) carry no access; they make uneven loops
 * and divergence exact.
 *
 * A __syncthreads() is one event of all lanes that come to it: it follows what
 * lanes do that come later, wherever their code is, or that come to none. What
 * lies between two is merged by itself.
 *
 * Within calls, the program point is the path of call sites, compared from the
 * outermost inwards.
 */
#ifndef TRACE_WARP_H
#define TRACE_WARP_H

#include "trace/trace.h"

enum warp_event_kind { WARP_ACCESS, WARP_BLOCK, WARP_ENTER, WARP_LEAVE };

/* The meaning of an event's id; ids are dense from 0. */
struct warp_point {
	enum warp_event_kind kind;
	uint32_t order;		/* program point: position in machine code */
	uint32_t site;		/* WARP_ACCESS: the trace's site */
};

/* The events of one lane. value holds trace_value_words() words per access, in
 * order. */
struct warp_lane {
	const uint32_t *id;
	const uint32_t *offset;		/* per event; accesses only */
	const uint32_t *value;		/* NULL without values */
	size_t count;
};

typedef int (*warp_sink)(void *ctx, const struct trace_request *r,
			 struct error *e);

/* What is known of a warp whose events come in parts: its lanes' calls. */
struct warp_merge;
struct warp_merge *warp_merge_new(void);
void warp_merge_free(struct warp_merge *m);
/*
 * Merges the lanes' next events and calls sink for each request in order. At a
 * part's end all lanes are behind a barrier or have ended. A site's `bytes`
 * comes from info. Lanes at one point that access different arrays give one
 * request for each array. Returns 0, or what sink returned.
 */
int warp_merge_more(struct warp_merge *m,
		    const struct warp_lane lanes[WARP_LANES],
		    const struct warp_point *points,
		    const struct trace_info *info, warp_sink sink, void *ctx,
		    struct error *e);
/* Tests whether all lanes with next events have the same ones, and are in the
 * same calls. */
bool warp_merge_same(const struct warp_merge *m,
		     const struct warp_lane lanes[WARP_LANES]);
/*
 * warp_merge_more() of lanes of which that is so, faster, and with their accesses
 * in another order: each step is one, by its place among a lane's events and
 * that of its value's first word.
 */
struct warp_step { uint32_t event, word; };
int warp_merge_steps(struct warp_merge *m,
		     const struct warp_lane lanes[WARP_LANES],
		     const struct warp_step *steps, size_t count,
		     const struct warp_point *points,
		     const struct trace_info *info, warp_sink sink, void *ctx,
		     struct error *e);
/* Merges all events at once; see warp_merge_more(). */
int warp_merge(const struct warp_lane lanes[WARP_LANES],
	       const struct warp_point *points, const struct trace_info *info,
	       warp_sink sink, void *ctx, struct error *e);

#endif
