/*
 * scene: what is on stage at a step, as plain data.
 *
 * A stage holds one open trace and what was worked out from it so far; a
 * cursor says where the reader stands; stage_scene() gives the scene there.
 * Views draw a const scene and compute nothing.
 */
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "hardware/access.h"
#include "analysis/pattern.h"
#include "runner/locals.h"
#include "scene/source.h"
#include "trace/trace.h"

enum focus_kind { FOCUS_LANE, FOCUS_SECTOR, FOCUS_BANK, FOCUS_ELEMENT };

/* Where the reader stands. */
struct cursor {
	size_t warp;		/* index of the warp in the trace */
	uint32_t request;	/* of that warp */
	uint32_t lane;
	enum focus_kind focus;
	/* FOCUS_SECTOR: index into scene.sectors; FOCUS_BANK: the bank;
	 * FOCUS_ELEMENT: index into the distinct elements of the request. */
	int focus_index;
	bool all_warps;		/* show the block's other warps in step */
};

/* An element on stage; row and column as in box. */
struct mark {
	uint32_t row, col;
	uint8_t lane;
	uint8_t age;		/* 0: now; 1..: requests to this array ago */
	bool other;		/* of another warp, at the same point */
};

/* Rows and columns, inclusive; known is false when nothing is in it. */
struct box { bool known; uint32_t row0, col0, row1, col1; };

/*
 * An array on stage. Its last dimension is columns, the one before it rows;
 * leading dimensions are stacked in rows.
 */
struct stage_array {
	const struct trace_array *array;
	uint32_t id;
	uint32_t rows, cols;
	/* Elements of 16 bits, such as A's, that each integer of a register
	 * array holds, and as which it is on stage; else 1. */
	uint32_t packed;
	struct mark *marks;
	size_t mark_count, mark_capacity;
	struct box block;	/* what the block touches in this phase */
	struct box thread;	/* what the focused thread does */
	bool now;		/* this request touches it */
	/* Shared: the linear thread that stored each element last, -1: none;
	 * registers: the focused lane's values. rows * cols entries or NULL. */
	int32_t *owner;
	uint32_t stored;		/* elements that have an owner */
	struct cell_value { bool known; double v; } *value;
};

#define STAGE_MAX_ARRAYS 16
#define STAGE_TRAIL 12		/* older accesses that leave a trail */

struct scene {
	const struct trace_info *info;
	const struct source *source;
	struct cursor cursor;
	struct trace_warp warp;
	struct trace_dim block, thread;	/* of the focused lane */
	uint32_t thread_linear;
	bool lane_active;
	/* The request; site is NULL and nothing else set when there is none. */
	struct trace_request request;
	const struct trace_site *site;
	const struct trace_array *array;	/* NULL: barrier */
	uint32_t phase, phases, phase_first, phase_last;
	/* The first request of each of the first few phases. */
	uint32_t phase_starts[256];
	bool costs;			/* access, cost and what follows hold */
	struct access access;
	struct access_cost cost;
	struct pattern pattern;
	struct access_sector sectors[2 * WARP_LANES];
	size_t sector_count;
	/* The lanes that want each word of each sector. */
	uint32_t sector_lanes[2 * WARP_LANES][SECTOR_BYTES / BANK_BYTES];
	struct access_word words[4 * WARP_LANES];
	size_t word_count;
	/* Distinct elements of the request, ascending, and who touches them. */
	struct { uint64_t element; uint32_t lanes; } elements[4 * WARP_LANES];
	size_t element_count;
	bool elements_shared;		/* lanes want the same one */
	uint32_t focus_lanes;		/* the lanes that light up */
	char *sentence;
	/* The arrays on stage; the matrices are indices or -1. */
	struct stage_array arrays[STAGE_MAX_ARRAYS];
	size_t array_count;
	int a, b, c;
	/* The index expression on the current line. */
	bool has_span;
	struct source_span span;
	char *numbers;			/* with numbers in it, or NULL */
	bool numbers_agree;		/* they give the recorded element */
	char element[96];		/* of the focused lane: A[9][20] */
	/* The same as the one subscript of a matrix's pointer would be. */
	bool flat;
	uint64_t index, row, col;
	double value;			/* it moved; see has_value */
	double second;			/* and with it, of two in a register */
	bool has_second;
	/* What it is in a fragment, where the line is an mma or ldmatrix:
	 * "A(0,2) A(0,3) of m16n8k16"; else "". */
	char fragment[96];
	bool has_value;
	/* The linear thread that stored the focused lane's shared element
	 * last; -1: none has, or the lane touches none. */
	int32_t stored_by;
	struct error error;		/* text not empty: the trace is bad here */
};

struct stage;
/* The trace is borrowed. */
struct stage *stage_new(struct trace *t);
void stage_free(struct stage *s);
struct trace *stage_trace(const struct stage *s);

/* The scene at a cursor (clamped into the trace); valid until the next call. */
const struct scene *stage_scene(struct stage *s, const struct cursor *p);

/* Whether the kernel has arrays there. */
bool scene_has(const struct scene *sc, enum space space);

/* Works out scene.fragment, which needs the request and the lane. */
void scene_fragment(struct scene *sc);

/* Number of the lane's own accesses before this request: what the recorder's
 * "locals" counts by. */
uint32_t stage_ordinal(struct stage *s, size_t warp, uint32_t request,
		       uint32_t lane);

/* Hands over what a thread's locals hold; owned from then on. */
void stage_locals(struct stage *s, struct locals *l);
/* True when the locals for this cursor are not there and would help. */
bool stage_wants_locals(struct stage *s, const struct cursor *p);

/* ---- moving about; each clamps and returns whether anything changed ---- */
bool cursor_clamp(const struct stage *s, struct cursor *p);
bool cursor_step(const struct stage *s, struct cursor *p, long steps);
bool cursor_phase(const struct stage *s, struct cursor *p, int phases);
bool cursor_go(const struct stage *s, struct cursor *p, uint32_t request);
/* To a recorded warp of the block / a block beside it in the grid. */
bool cursor_warp(const struct stage *s, struct cursor *p, int by);
bool cursor_block(const struct stage *s, struct cursor *p, int dx, int dy);
bool cursor_lane(const struct stage *s, struct cursor *p, int by);
/* Through sectors or banks, or elements, of the request that sc shows. */
bool cursor_focus(const struct scene *sc, struct cursor *p,
		 enum focus_kind kind, int by);

#endif
