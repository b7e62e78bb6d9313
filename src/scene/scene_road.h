/*
 * scene_road: how TMA copies tiles to shared memory, and which warps read them.
 *
 * A use of a stage is one phase of a full mbarrier in one block: a thread sets
 * the bytes to wait for (expect) and orders boxes of matrices (order), which
 * arrive asynchronously (land); warps wait until all have come (wait), read
 * them (read), and release the stage (release), at an empty mbarrier or at a
 * barrier of the block; the thread that orders the next boxes waits for that
 * (free). A multicast box is part of a use in each block that it comes to.
 *
 * All this is recorded except for the order between warps: it is one in which
 * the blocks of the cluster may have run (provenance/schedule.h). A moment in
 * it is a number, `when`; that of a wait is its end. All boxes land when the
 * first wait for them is over: a recording does not tell when they do before.
 */
#ifndef SCENE_SCENE_ROAD_H
#define SCENE_SCENE_ROAD_H

#include "trace/trace.h"

struct cursor;
struct scene;
struct stage;

#define ROAD_NONE UINT32_MAX

enum road_kind { ROAD_FREE, ROAD_EXPECT, ROAD_ORDER, ROAD_LAND, ROAD_WAIT,
		 ROAD_READ, ROAD_RELEASE };

struct road_event {
	enum road_kind kind;
	uint32_t use, box;		/* indices; box may be ROAD_NONE */
	size_t warp;			/* index in the trace */
	uint32_t block, number;		/* the warp's */
	uint32_t request, mask, site;
	uint64_t comes, when;		/* a wait: comes to it, passes it */
	bool counts;	/* a read; of a wgmma's two operands the first */
};

struct road_box {
	uint32_t block, warp, lane;	/* who orders it: warp of the block */
	const struct trace_site *from, *to;
	uint64_t from_at, to_at;	/* bytes in their arrays */
	uint32_t row, col;		/* of its first element in the matrix */
	uint32_t rows, cols;		/* of it that lie in the matrix */
	uint32_t blocks;		/* a bit for each block of the cluster
					   that it comes to */
	uint64_t ordered, landed;	/* when */
	bool waited;			/* landed: when a wait for it ended */
};

/* Warps that wait, read and release together: a warpgroup if they use wgmma,
 * else all of the block. */
struct road_party {
	uint32_t block, first, last;	/* numbers of its warps */
	size_t slowest;		/* which of them, in the trace, comes last */
};
#define ROAD_PARTIES 8

/* How far a party is: the reader's warp of it, else the slowest. */
struct road_progress {
	bool waited, released;
	uint32_t reads, all;		/* wgmmas; all: in the end */
};

struct road_use {
	uint32_t block, number;		/* number: of the block's uses */
	/* The full mbarrier, and which phase of it. */
	uint32_t full, phase;
	uint64_t full_at;
	uint64_t expected;		/* bytes */
	/* The empty mbarrier and its phase that ends with the release, or
	 * TRACE_NO_ARRAY; how many arrivals that takes, 0: not known. */
	uint32_t empty, empty_phase, needs;
	uint64_t empty_at;
	uint32_t *boxes;		/* indices */
	size_t box_count, box_capacity;
	uint32_t first, end;		/* of events */
	uint32_t before, next;		/* uses of the same stage */
	struct road_party parties[ROAD_PARTIES];
	uint32_t party_count;
};

struct road {
	bool wgmma;
	uint32_t cluster, block;	/* blocks, and the first of them */
	struct road_use *uses;
	size_t use_count, use_capacity;
	struct road_box *boxes;
	size_t box_count, box_capacity;
	struct road_event *events;	/* by use, in order */
	size_t event_count, event_capacity;
};

/* A box, and what of it is read now: by row and 16-byte chunk as it lies in
 * shared memory (NULL: nothing), and from where to where in the box itself. */
struct road_look {
	uint32_t box;			/* index, or ROAD_NONE */
	const uint8_t *reads;
	uint32_t row0, col0, row1, col1;
	uint32_t parts;		/* adjacent boxes that are read */
};

/*
 * Where the reader stands: on which use's road; the event there (ROAD_NONE: the
 * request is none, `last` is the one before it); and when. The first look is at
 * the box that the event is about, else the use's first; the second at one of
 * the other matrix: for a wgmma, of its other operand.
 */
struct road_now {
	uint32_t use, event, last;
	uint64_t when;
	struct road_look looks[2];
};

/* Returns the bytes of a use that have landed by `when`. */
uint64_t road_landed(const struct road *r, const struct road_use *u,
		     uint64_t when);
/* Returns how far a party is with a use. `over`: include the request at the
 * cursor. */
struct road_progress road_progress(const struct scene *sc,
				   const struct road_use *u,
				   const struct road_party *p, bool over);
/* Returns how many arrivals have released the use by `when`. */
uint32_t road_released(const struct road *r, const struct road_use *u,
		       uint64_t when);
/* Returns whether a byte of a shared array is in the box as it lies there. */
bool road_holds(const struct road_box *b, uint32_t array, uint64_t at);
/* Returns the number of 16-byte chunks in a row of a box. */
uint32_t road_chunks(const struct road_box *b);
/* Finds where a chunk of a box lies in shared memory: its row there, and its
 * index in that row. Returns false if it lies outside the matrix (and is
 * zeros). */
bool road_place(const struct trace_info *info, const struct road_box *b,
		uint32_t row, uint32_t chunk, uint32_t *at_row, uint32_t *at);
/* Moves the cursor by `by` events on the same tile's road, and to the same
 * event of the next or previous use of the same stage. */
bool road_step(const struct scene *sc, struct cursor *p, int by);
bool road_lap(const struct scene *sc, struct cursor *p, int by);

/* Returns whether the kernel copies tiles to shared memory by TMA. */
bool scene_has_road(const struct trace_info *info);
/* Works out the roads of the cluster at the stage's cursor, once for each, and
 * where the reader stands: scene.road. */
void scene_road(struct stage *s);
struct stage_road;
void stage_road_free(struct stage_road *r);

#endif
