/*
 * replay_parts: a recording while it is replayed, as its parts see it:
 * replay_places.c knows arrays, replay_events.c makes a thread's events a
 * lane's, replay_races.c goes through a block's accesses.
 */
#ifndef GPU_REPLAY_PARTS_H
#define GPU_REPLAY_PARTS_H

#include "base/map.h"
#include "gpu/replay.h"
#include "record/findings.h"
#include "record/gpu_scope_order.h"
#include "record/shadow.h"
#include "trace/warp.h"

#define GLOBAL_FIRST 0x1000000
#define NOWHERE UINT32_MAX
#define THREADS_MAX 1024
#define CALLS_MAX 64

/* An array, and where it is; a register array's `lo` is in its function's
 * frame. */
struct place {
	struct trace_array info;
	uint64_t lo, bytes;
	bool known;		/* lo is */
	/* A part is a member of a structure, an array of its own, so far
	 * behind its first byte; the whole then has no shadow. */
	bool part;
	uint64_t behind;
	uint32_t parameter;	/* of a matrix, else NOWHERE */
	const char *symbol;	/* in the PTX; of a matrix NULL */
	uint32_t number;	/* in the trace, or TRACE_NO_ARRAY */
	/* Of global arrays that may be written, and of shared ones. */
	struct shadow *shadow;
	uint64_t shadow_bytes;
	uint32_t shadow_shift;	/* bytes of one, as a power of 2 */
};

/* What an event at a site is when it touches so many bytes of this place from
 * this line. */
struct point_key {
	uint32_t site, place, line, bytes;
};

/* A thread's events as warp.h wants them. */
struct lane_events {
	uint32_t *id, *offset, *value;
	size_t count, capacity, offset_capacity;
	size_t words, word_capacity;
	/* Its __syncwarp()s: of which lanes, and before which event; and
	 * its fences. */
	struct sync { size_t before; uint32_t mask; bool fence; } *syncs;
	size_t sync_count, sync_capacity;
	/* Its stmatrices: what it gave, and where among its values the row
	 * is that it named (NOWHERE: none). */
	struct rows {
		uint32_t given[4];
		bool transposed;
		size_t row;
	} *rows;
	size_t row_count, row_capacity;
	uint32_t barriers;
	bool stopped;
	struct finding_access last;	/* access or barrier */
};

/* A function that a thread is in. */
struct call {
	uint32_t line;		/* of the kernel's text, that called it */
	uint32_t function;	/* NOWHERE: not known (yet) */
	uint64_t depot;
};

/*
 * Blocks and threads are gone through by number, and a GPU runs them as it
 * likes: a block may acquire what a later one released. So the replay keeps
 * where a block has read with atomics, and from which epoch on which thread
 * has acquired; what then seems to be a race waits for the end of the later
 * block, and for what that one has released.
 */
#define LOOKS_MOST 4096
#define EVERYBODY UINT32_MAX
struct looks {
	struct look { uint64_t address; uint32_t thread, epoch; } *list;
	size_t count, capacity;
	size_t passed;		/* by a barrier: all threads acquired */
};

struct suspect {
	struct shadow_access me, with;
	const struct place *place;
	uint64_t off;
	uint32_t interval;
};

struct replay {
	const struct plan *plan;
	const struct ptx *ptx, *of;
	const struct dwarf *names;
	const struct debug *shared;
	uint64_t reserved, next_base;
	struct trace_info info;
	size_t array_capacity, site_capacity;
	struct trace_writer *writer;
	struct findings findings;
	bool tainted;
	uint64_t events;
	struct place *places;
	size_t place_count, place_capacity;
	struct warp_point *points;
	size_t point_count, point_capacity;
	struct point_key *keys;		/* by point */
	size_t key_capacity;
	bool *result_used;		/* by point: atomic_result.h */
	size_t result_capacity;
	/* They count up at each barrier of the block or of a warp: now, the
	 * first since the last barrier of the block, and of this block. */
	uint32_t epoch, interval, block_epoch;
	struct acquired acquired;	/* by the block; see gpu_scope_order.h */
	struct sync_variables variables;
	struct looks *looks;		/* by block that began */
	struct sync_variables own;	/* what this block wrote */
	struct suspect *suspects;
	size_t looks_capacity, suspect_count, suspect_capacity;
	uint32_t *began;		/* blocks, by when they began */
	uint32_t *began_epoch;
	size_t began_count, began_capacity, began_epoch_capacity;
	struct map points_by_key;	/* numbers are those of points */
	struct lane_events lanes[THREADS_MAX];
	struct call calls[CALLS_MAX];
	size_t depth;
	bool *ours;			/* by number of the PTX's file */
	uint32_t file_limit;
};

/* ---- arrays ---- */

/* The place's number in the trace, whose table it enters. */
uint32_t replay_array_number(struct replay *r, struct place *p);
/* An array of the PTX, with what debug information says of it. */
struct place *replay_place_symbol(struct replay *r, const struct ptx_symbol *s);
void replay_place_registers(struct replay *r);
/* Where a .shared variable begins, as a thread of the launch says. */
void replay_place_shared(struct replay *r, const char *symbol, uint64_t at);
/* NULL: none. Of a structure the part that holds all `bytes` from there on. */
struct place *replay_place_at(struct replay *r, enum space space, uint64_t at,
			      uint64_t bytes);
/* A place in the frame of one of the functions that the thread is in; at
 * becomes an offset in the frame. */
struct place *replay_place_local(struct replay *r, uint64_t *at);
/* What an access outside all arrays was meant for: the array that its
 * address was made from, else the nearest. */
struct place *replay_place_meant(struct replay *r, const struct ptx_site *s,
				 enum space space, uint64_t at);
void replay_shadow_drop(struct place *p);

/* ---- a block ---- */

void replay_thread(struct replay *r, uint32_t block, uint32_t thread,
		   const struct record_event *events, uint32_t count);
/* What the lanes of a warp store by stmatrix, from what they gave. */
void replay_rows(struct lane_events *lanes);
/* Races, and reads of what was never written. All threads are known, or what
 * the others did is not known either. */
void replay_races(struct replay *r, uint32_t block);

#endif
