/*
 * replay_parts: the state of a replay, shared by its files: replay_places.c
 * handles arrays, replay_events.c turns a thread's events into a lane's,
 * replay_races.c checks a block's accesses for races.
 */
#ifndef GPU_RECORD_REPLAY_PARTS_H
#define GPU_RECORD_REPLAY_PARTS_H

#include "base/map.h"
#include "gpu/record/replay.h"
#include "record/findings.h"
#include "record/gpu_scope_order.h"
#include "record/shadow.h"
#include "trace/warp.h"

#define GLOBAL_FIRST 0x1000000
#define NOWHERE UINT32_MAX
#define THREADS_MAX 1024
#define CALLS_MAX 64

/* An array, and where it is; a register array's `lo` is relative to its
 * function's frame. */
struct replay_place {
	struct trace_array info;
	uint64_t lo, bytes;
	bool known;		/* lo is known */
	/* A part is a member of a structure, as an array of its own, `behind`
	 * bytes after the structure's first; the whole then has no shadow. */
	bool part;
	uint64_t behind;
	uint32_t parameter;	/* a matrix's parameter, else NOWHERE */
	const char *symbol;	/* its name in the PTX; NULL for a matrix */
	uint32_t number;	/* in the trace, or TRACE_NO_ARRAY */
	/* The shadow of a global array that may be written, or of a shared
	 * one. */
	struct shadow *shadow;
	uint64_t shadow_bytes;
	/* log2 of the bytes that one shadow stands for */
	uint32_t shadow_shift;
};

/* The key of a point: an event at a site that accesses so many bytes of this
 * place from this line. */
struct point_key {
	uint32_t site, place, line, bytes;
};

/* A thread's events, as warp.h needs them. */
struct lane_events {
	uint32_t *id, *offset, *value;
	size_t count, capacity, offset_capacity;
	size_t words, word_capacity;
	/* The thread's __syncwarp() calls (their lane masks, and the event that
	 * each comes before) and its fences. */
	struct sync { size_t before; uint32_t mask; bool fence; } *syncs;
	size_t sync_count, sync_capacity;
	/* The thread's stmatrix instructions: the registers that it gave, and
	 * where among its values the row is that it gave the address of
	 * (NOWHERE: none). */
	struct rows {
		uint32_t given[4];
		bool transposed;
		size_t row;
	} *rows;
	size_t row_count, row_capacity;
	uint32_t barriers;
	bool stopped;
	struct finding_access last;	/* its last access or barrier */
};

/* A call on a thread's call stack. */
struct replay_call {
	uint32_t line;		/* line of the kernel's text that calls it */
	uint32_t function;	/* NOWHERE: not known (yet) */
	uint64_t depot;
};

/*
 * The replay goes through blocks and threads by number, but a GPU runs them in
 * any order: a block may acquire what a block of a higher number released. So
 * the replay keeps where a block has read with atomics, and from which epoch on
 * which thread has acquired. A seeming race then waits as a suspect until the
 * later block has been replayed and its releases are known. Where the kernel
 * uses the result of that read, what comes behind it may also come behind any
 * later block's atomic at the same address.
 */
#define LOOKS_MOST 4096
#define EVERYBODY UINT32_MAX
struct looks {
	struct look {
		uint64_t address;
		uint32_t thread, epoch;
		bool used;
	} *list;
	size_t count, capacity;
	size_t passed;	/* looks before a barrier: acquired by all threads */
};

struct suspect {
	struct shadow_access me, with;
	const struct replay_place *place;
	uint64_t address;	/* of the whole access */
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
	struct inferred_sizes *assumed;
	bool tainted;
	const char *unsized;	/* see plan_shared_missing() */
	uint64_t events;
	struct replay_place *places;
	size_t place_count, place_capacity;
	struct warp_point *points;
	size_t point_count, point_capacity;
	struct point_key *keys;		/* by point */
	size_t key_capacity;
	bool *result_used;		/* by point; see atomic_result.h */
	size_t result_capacity;
	bool *expects;			/* by point; see record/shadow.h */
	size_t expects_capacity;
	/* Epochs count up at each barrier of the block or of a warp: the
	 * current one, the first since the block's last barrier, and the
	 * block's first. */
	uint32_t epoch, interval, block_epoch;
	/* what the block acquired and released; see gpu_scope_order.h */
	struct acquired acquired;
	struct sync_variables variables;
	struct looks *looks;		/* by index in `began` */
	/* releases that this block's atomics left */
	struct sync_variables own;
	struct suspect *suspects;
	size_t looks_capacity, suspect_count, suspect_capacity;
	uint32_t *began;	/* blocks, in the order in which they began */
	uint32_t *began_epoch;
	size_t began_count, began_capacity, began_epoch_capacity;
	/* struct point_key to index in points */
	struct map points_by_key;
	struct lane_events lanes[THREADS_MAX];
	struct replay_call calls[CALLS_MAX];
	size_t depth;
	bool *ours;			/* by file number in the PTX */
	uint32_t file_limit;
};

/* ---- arrays ---- */

/* The place's array number in the trace; enters it in the trace's table the
 * first time. */
uint32_t replay_array_number(struct replay *r, struct replay_place *p);
/* Makes the place of an array of the PTX, with what the debug information says
 * of it. */
struct replay_place *replay_place_symbol(struct replay *r,
					 const struct ptx_symbol *s);
void replay_place_registers(struct replay *r);
/* Stores where a .shared variable begins, as a thread of the launch
 * reported. */
void replay_place_shared(struct replay *r, const char *symbol, uint64_t at);
/* The place at an address, or NULL. Of a structure, the part that holds all
 * `bytes` from there on. */
struct replay_place *replay_place_at(struct replay *r, enum space space,
				     uint64_t at, uint64_t bytes);
/* The place at an address in the frame of one of the functions on the thread's
 * call stack; *at becomes an offset in the frame. */
struct replay_place *replay_place_local(struct replay *r, uint64_t *at);
/* Finds the array that an access outside all arrays was meant for: the one that
 * its address was derived from, else the nearest. */
struct replay_place *replay_place_meant(struct replay *r,
					const struct ptx_site *s,
					enum space space, uint64_t at);
void replay_shadow_drop(struct replay_place *p);

/* ---- a block ---- */

void replay_thread(struct replay *r, uint32_t block, uint32_t thread,
		   const struct record_event *events, uint32_t count);
/* Computes what the lanes of a warp store by stmatrix, from the registers that
 * they gave. */
void replay_rows(struct lane_events *lanes);
/* Adds findings for data races and for reads of memory that was never written,
 * in a block whose threads have all been replayed. */
void replay_races(struct replay *r, uint32_t block);

#endif
