/*
 * scene: what is on stage at a step of the trace, as plain data.
 *
 * A stage holds one open trace and what has been computed from it so far; a
 * cursor says where the reader stands; stage_scene() gives the scene at that
 * cursor. Views draw a const scene and compute nothing.
 */
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "hardware/access.h"
#include "analysis/pattern.h"
#include "protocol/locals.h"
#include "scene/scene_defect.h"
#include "scene/scene_devices.h"
#include "scene/scene_barrier.h"
#include "scene/scene_sectors.h"
#include "scene/scene_fragments.h"
#include "scene/scene_order.h"
#include "scene/scene_pipeline.h"
#include "scene/scene_road.h"
#include "scene/source.h"
#include "trace/trace.h"

enum focus_kind { FOCUS_LANE, FOCUS_SECTOR, FOCUS_BANK, FOCUS_ELEMENT };

/* Where the reader stands. */
struct cursor {
	size_t warp;		/* index of the warp in the trace */
	uint32_t request;	/* index of the request within the warp */
	uint32_t lane;
	enum focus_kind focus;
	/* The meaning of focus_index: for FOCUS_SECTOR an index into
	 * scene.sectors, for FOCUS_BANK the bank, for FOCUS_ELEMENT an index
	 * into the request's distinct elements. */
	int focus_index;
	bool all_warps;		/* show the block's other warps in step */
	uint32_t defect;	/* the finding that was chosen, from 1; 0: none */
	/* For a program with several devices: the turn of its work
	 * (scene_devices.h); 0: that of the recorded launch. */
	uint32_t turn;
};

/* A marked element of an array on stage; row and column as in struct box. */
struct mark {
	uint32_t row, col;
	uint8_t lane;
	uint8_t age;	/* 0: this request; n: n requests to this array ago */
	bool other;		/* another warp's, at the same point */
	bool stored;		/* written, not read */
	bool known;		/* value is what was moved */
	double value;
};

/* A rectangle of elements, bounds included; known is false when it is empty. */
struct box { bool known; uint32_t row0, col0, row1, col1; };

/* blockIdx.by * block + threadIdx.by * thread, by 'x' or 'y'; 0: not known. */
struct home_sum { char by; uint32_t block, thread; };

/* An array on stage, as a matrix: its last dimension gives the columns, the one
 * before it the rows, and leading dimensions are stacked in rows. */
struct stage_array {
	const struct trace_array *array;
	uint32_t id;
	uint32_t rows, cols;
	/* How many 16-bit elements (such as A's) each integer of a register
	 * array holds; the array is shown as those elements. Else 1. */
	uint32_t packed;
	struct mark *marks;
	size_t mark_count, mark_capacity;
	struct box block;	/* what the block accesses in this phase */
	struct box thread;	/* what the focused thread accesses */
	bool now;		/* this request accesses it */
	/* For a shared array: its columns, from the first on, that threads
	 * access; 0: not looked up. */
	uint32_t columns;
	/*
	 * rows * cols entries, or NULL. In a shared array, `owner` is the
	 * linear thread that has stored each element, or -1; `coming` is the
	 * one of another warp that stores it before the next barrier, before
	 * this moment or after it, or -1. In a register array, `value` is the
	 * content of the focused lane's registers.
	 */
	int32_t *owner, *coming;
	/* the number of elements with an owner, and of those on their way */
	uint32_t stored;
	struct cell_value *value;
};

#define STAGE_MAX_ARRAYS 16
#define STAGE_TRAIL 12		/* older accesses that leave a trail, */
#define STAGE_RESULTS 64	/* and those to C, the results */

enum scene_visit { VISIT_WARP = 1, VISIT_PHASE = 2 };

struct tiles;
struct outer;
struct nested_scene;
struct product_walk;
struct shuffles;
struct carriers;
struct defect_facts;

struct scene {
	const struct trace_info *info;
	const struct source *source;
	/* The verdict in words; NULL: it is a text of ours, and not wrong. */
	const char *verdict;
	bool is_wrong;
	struct cursor cursor;
	struct trace_warp warp;
	struct trace_dim block, thread;	/* of the focused lane */
	uint32_t thread_linear;
	bool lane_active;
	/* The request at the cursor. If there is none, site is NULL and nothing
	 * below is set but line, the arrays, the finding and error. */
	struct trace_request request;
	const struct trace_site *site;
	uint32_t line;		/* the request's, or the finding's; 0: none */
	const struct trace_array *array;	/* NULL: barrier */
	uint32_t phase, phases, phase_first, phase_last;
	/* By site: whether this warp executes it, and in this phase. */
	const uint8_t *visits;
	/* The first request of each of the first few phases. */
	uint32_t phase_starts[256];
	bool costs;			/* access, cost and what follows hold */
	struct access access;
	struct access_cost cost;
	struct pattern pattern;
	struct access_sector sectors[2 * WARP_LANES];
	size_t sector_count;
	/* The lanes that access each 4-byte word of each sector. */
	uint32_t sector_lanes[2 * WARP_LANES][SECTOR_WORDS];
	struct scene_sectors in_sectors;	/* if sector_count > 0 */
	struct scene_barrier gate;
	struct access_word words[4 * WARP_LANES];
	size_t word_count;
	/* The request's distinct elements, ascending, and the lanes that access
	 * each. */
	struct { uint64_t element; uint32_t lanes; } elements[4 * WARP_LANES];
	size_t element_count;
	bool elements_shared;		/* some lanes access the same element */
	uint32_t focus_lanes;		/* the lanes that light up */
	char *sentence;
	/* The arrays on stage; a, b and c are indices of the matrices, or
	 * -1. */
	struct stage_array arrays[STAGE_MAX_ARRAYS];
	size_t array_count;
	int a, b, c;
	/* The kernel is known to multiply A by B; if not, a, b and c are its
	 * first arrays, whatever they hold. */
	bool product;
	/* The array holds matrix 0 (A) or 1 (B) of the inputs; else -1. */
	int input[STAGE_MAX_ARRAYS];
	/* The element of C that each lane computes: the first that it stores
	 * after reading what it needs of A and B for it. */
	struct box home[WARP_LANES];
	/* How the focused thread comes to its row and column there. */
	struct home_sum row_sum, col_sum;
	/* Further data, computed for the picture on the screen: see
	 * scene_tiles.h, ...; NULL: not yet. */
	struct tiles *tiles;
	struct outer *outer;
	const struct nested_scene *nested;
	const struct product_walk *matrices;
	const struct shuffles *shuffles;
	struct carriers *carriers;
	const struct defect_facts *facts;
	/* The index expression on the current line. */
	bool has_span;
	struct source_span span;
	char *numbers;	/* its text with numbers put in, or NULL */
	bool numbers_agree;		/* these lead to the recorded element */
	char element[96];		/* the focused lane's: "A[9][20]" */
	/* The focused lane's element as the linear index into a matrix that is
	 * passed as a pointer, and its row and column; only if flat. */
	bool flat;
	uint64_t index, row, col;
	double value;	/* what the focused lane moved, if has_value */
	double second;			/* the second of two in one register */
	bool has_second;
	/* The element's position in a fragment, if the line is an mma or
	 * ldmatrix: "A(0,2) A(0,3) of m16n8k16"; else "". */
	char fragment[96];
	bool has_value;
	/*
	 * The linear thread that last stored the shared element that the
	 * focused lane accesses; -1: no thread has, or the lane accesses none.
	 * coming_by is the one of another warp that stores it in this phase.
	 */
	int32_t stored_by, coming_by;
	/* Computed for pictures of their own, else NULL. */
	const struct scene_banks *banks;
	const struct banks_race *banks_race;
	const struct scene_occupancy *occupancy;
	/* The finding of this request, if any: what it costs is not worth
	 * praising. */
	const struct trace_finding *finding;
	/* The finding on stage: this request's, or the one that was chosen. */
	struct defect defect;
	/* This warp's requests with a finding, in order. */
	const struct defect_mark *defects;
	size_t defect_count;
	/* The block's pipeline and the reader's position in it; NULL: there is
	 * none, or it was not asked for. */
	const struct pipeline *pipeline;
	struct pipeline_now pipeline_now;
	/* The roads of tiles that TMA brings; NULL: likewise. */
	const struct road *road;
	struct road_now road_now;
	/* The matrix instruction at the cursor, or the nearest; NULL: there is
	 * none, or it was not asked for. */
	const struct fragments *fragments;
	/* The kernel among those that were measured; worked out when a picture
	 * of it is on the screen, else NULL. */
	bool ladder;		/* the kernel is one of the ladder */
	const struct scene_memory *memory;
	const struct rung_cost *bill;
	/* What each line costs in sectors; NULL: likewise. */
	const struct sector_lines *line_sectors;
	const struct faster *faster;
	/* The order of C's tiles; NULL: likewise. */
	const struct order *order;
	/* The work of a program's devices; NULL: likewise. */
	const struct scene_devices *devices;
	/* The measured times on several GPUs; NULL: it was not asked for. */
	const struct scene_scaling *scaling;
	/* The launch as compiled (stage_machine()); NULL: it was not. And the
	 * machine's accesses at the cursor; NULL: it was not asked for. */
	const struct machine_launch *compiled;
	const struct scene_machine *machine;
	/* if its text is not empty, the trace is corrupt here */
	struct error error;
};

/* Returns whether there is anything to show: a request, or the place of a
 * finding that has none. */
static inline bool scene_shown(const struct scene *sc)
{
	return sc && (sc->site || sc->finding);
}

struct stage;
/* Creates a stage. It borrows the trace, which must outlive it. */
struct stage *stage_new(struct trace *t);
void stage_free(struct stage *s);
struct trace *stage_trace(const struct stage *s);
/* Passes what the compiler made of the launch to the stage, which owns it from
 * then on. */
struct machine_launch;
void stage_machine(struct stage *s, struct machine_launch *m);

/* Returns the scene at a cursor (clamped into the trace); valid until the next
 * call. */
const struct scene *stage_scene(struct stage *s, const struct cursor *p);

/* Returns whether the kernel has arrays in this memory space. */
bool scene_has(const struct scene *sc, enum space space);

/* Gets the value of an element of a matrix. For A and B that is the recorder's
 * input, if it agrees with what the kernel loaded first; for other arrays what
 * this request moves. Returns false if it is not known. */
bool scene_element(const struct scene *sc, const struct stage_array *a,
		   uint32_t row, uint32_t col, double *v);
/* Returns whether the kernel copies tiles of A and B to shared memory, as
 * scene.pipeline shows. */
bool scene_has_pipeline(const struct scene *sc);

/* Computes scene.fragment, for which the scene's request and lane must be
 * set. */
void scene_fragment(struct scene *sc);

/* Counts the accesses that the lane makes before this request; the recorder's
 * job "locals" numbers them alike. */
uint32_t stage_ordinal(struct stage *s, size_t warp, uint32_t request,
		       uint32_t lane);

/* Passes the local variables of a thread to the stage, which owns `l` from then
 * on. */
void stage_locals(struct stage *s, struct locals *l);
/* Returns whether the locals for this cursor are missing and would help the
 * scene. */
bool stage_wants_locals(struct stage *s, const struct cursor *p);

/* ---- move the cursor; each clamps it and returns whether it changed ---- */
bool cursor_clamp(const struct stage *s, struct cursor *p);
bool cursor_step(const struct stage *s, struct cursor *p, long steps);
bool cursor_phase(const struct stage *s, struct cursor *p, int phases);
bool cursor_go(const struct stage *s, struct cursor *p, uint32_t request);
/* Move to another recorded warp of the block, or to a neighbouring block in the
 * grid. */
bool cursor_warp(const struct stage *s, struct cursor *p, int by);
bool cursor_block(const struct stage *s, struct cursor *p, int dx, int dy);
bool cursor_lane(const struct stage *s, struct cursor *p, int by);
/* Moves to where the next or previous finding is. */
bool cursor_defect(struct stage *s, struct cursor *p, int by);
/* Moves the focus through the sectors, banks or elements of sc's request. */
bool cursor_focus(const struct scene *sc, struct cursor *p,
		 enum focus_kind kind, int by);

#endif
