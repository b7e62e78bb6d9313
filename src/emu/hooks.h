/*
 * hooks: what the compiler calls in a kernel before each access, at each
 * basic block, at each call and at each barrier, and what is recorded there.
 * The path of a million events a second: everything that can be known
 * beforehand of an instruction is found once and kept in a slot.
 */
#ifndef EMU_HOOKS_H
#define EMU_HOOKS_H

#include "trace/trace.h"
#include "trace/warp.h"
#include "record/debug.h"
#include "record/gpu_scope_order.h"
#include "emu/emu_findings.h"
#include "emu/memory.h"

/* A path of calls, in a tree; NULL is the kernel itself. */
struct call_path {
	struct call_path *parent, *child, *sibling;
	uint32_t order;
};

/*
 * An instruction that a hook is called for, and the array it accesses; an
 * instruction that accesses several arrays (through a pointer, or in a
 * function called from several places) has a chain of slots.
 */
struct slot {
	uintptr_t lo;		/* the array's first byte */
	uintptr_t stack;	/* ~0: lo counts from the thread's stack */
	uint64_t room;		/* array's bytes - bytes of the access */
	uintptr_t align;	/* bits of the address that must be 0 */
	const struct call_path *path;	/* holds for this path alone */
	bool any_path;
	bool silent;		/* not recorded: a scalar, or filtered out */
	bool global;		/* the array's space */
	bool atomic;
	bool result_used;	/* an atomic function's; atomic_result.h */
	bool matrix;		/* ldmatrix, stmatrix */
	uint32_t manner;	/* see hooks.c */
	uint32_t id;		/* event */
	struct shadow *shadow;	/* NULL: no races to look for */
	uint32_t shadow_shift;
	uint32_t words;		/* of the value */
	struct array *array;
	struct slot *next;
	uint32_t index;		/* in recorder.slot */
	uint32_t pc;		/* where the hook returns to, from text */
	uint32_t line, column, raw_column;
	uint32_t bytes;
	uint32_t moved;		/* in bulk: bytes of all that is moved */
	struct trace_tile tile;
	enum op op;
};

/* An activation: whose, and where its variables are. */
struct frame {
	const struct debug_function *function;
	uintptr_t cfa;
	uint32_t call;		/* return address, from text */
	const struct call_path *path;	/* the caller's */
};

/* Where a thread is: at __syncthreads(); where it waits for lanes of its warp
 * (warp_sync.h); where it waits for something else (struct wait). A stopped
 * thread does not go on, for a finding. */
enum thread_state { THREAD_READY, THREAD_AT_BARRIER, THREAD_AT_WARP_SYNC,
		    THREAD_AT_WAIT, THREAD_ENDED, THREAD_STOPPED };

struct thread;

/* What a thread waits for; on its own stack. */
struct wait {
	/* Whether it is over; asked whenever nothing else can run. */
	bool (*over)(struct thread *t, void *on);
	/* It never will be: says so, as a finding. */
	void (*never)(const struct thread *t, const void *on);
	void *on;
};

/* A CUDA thread and its events, kept side by side as warp.h wants them. */
struct thread {
	uint32_t *id, *offset, *value;
	size_t count, capacity;		/* id, offset */
	size_t words, word_capacity;	/* value */
	/* Up to here events are written down without a further look; 0 in a
	 * thread that is not recorded, or that somebody may watch. */
	size_t full, words_full;
	/* Things that units are to see each access for; see unit.h. */
	uint32_t guards;
	uint32_t controls;	/* events of control at the end, alike */
	bool record;
	enum thread_state state;
	const struct slot *at;	/* last seen there; NULL: nowhere yet */
	uintptr_t stack;
	const struct call_path *path;
	struct frame *frames;
	size_t depth, frame_capacity;
	/*
	 * A store is announced before it is done: its value is read at the
	 * next hook. A copy of a structure announces the store, then the
	 * load, then does both.
	 */
	uintptr_t store_address;
	uint32_t store_bytes;	/* 0: none is pending */
	bool store_copied;	/* its load has been seen */
	size_t store_event, store_events, store_word;
	const struct slot *store_slot;
	uint32_t number;	/* linear in the block */
	struct trace_dim index;
	uint64_t seen;		/* accesses and barriers, while watched */
	struct warp_sync *warp_sync;	/* THREAD_AT_WARP_SYNC: which */
	struct wait *wait;		/* THREAD_AT_WAIT: what for */
	size_t calls;		/* of warp_sync_later(), in this interval */
	/* The first epoch after its last __syncwarp(), and who was there. */
	uint32_t warp_epoch, warp_lanes;
	uint32_t *clock;		/* vector clock; NULL: all 0 */
	struct acquired remote;		/* from other blocks, by atomics */
	/* Its atomics that read this there one after the other, and the
	 * events that were left then. */
	struct spin {
		const struct slot *slot;
		uintptr_t at;
		uint64_t value, events_left;
		uint32_t rounds;
	} spin;
	/* Its stores of epochs before this one are seen by TMA and wgmma. */
	uint32_t fenced;
	bool registers_fenced;		/* wgmma_fence() was called */
	const struct slot *unset;	/* read the first such register */
	/* TMA's stores and wgmma's products that it has begun and not waited
	 * for; see tma.c and wgmma.c. */
	struct tma_store *tma_stores;
	struct product *products;
	uint32_t tma_groups, product_groups;	/* committed */
	uint32_t cluster_round;		/* of the cluster's barrier, arrived */
	/* What it had when its block last passed a barrier. */
	size_t safe_count, safe_words;
	/* Asynchronous copies that have not arrived, and how many groups of
	 * them were committed. */
	struct copy *copies;
	size_t copy_count, copy_capacity;
	uint32_t copy_groups;
};

#define BLOCK_THREADS_MAX 1024
/* Blocks of a cluster that every GPU runs. */
#define CLUSTER_MOST 8

/* A block of the cluster that runs; the blocks of one take turns. */
struct block {
	uint32_t number;
	uint32_t interval, epoch;	/* see struct recorder */
	struct thread *threads;
	struct acquired acquired;	/* by all threads, from other blocks */
	bool any_safe;
};

struct recorder {
	struct thread *thread;		/* running, or NULL */
	struct slot **slots;		/* by pc, from text */
	uintptr_t text;			/* the module's code */
	size_t text_bytes;
	/* Epochs count up at each barrier of the block or of a warp; the
	 * first since the last barrier of the block, and of this block. */
	uint32_t epoch, interval, block_epoch;
	uint32_t ticks;			/* basic blocks to the next tick */
	bool values;
	uint32_t spaces;		/* recorded, a bit each */
	uint64_t events_left;
	/* Bytes that the threads' events may still take; when there are none,
	 * what is left of the events is set aside. */
	uint64_t memory_left, events_aside;
	/* Some thread of the block was stopped: what is missing now is no
	 * finding of its own. */
	bool tainted;
	bool spoiled;			/* or of a block before it */
	bool stop;			/* every thread stops where it is */

	/* The module. */
	uintptr_t load;			/* its load address */
	const struct debug *debug;
	uintptr_t *tls;			/* by offset, the variable's address */
	size_t tls_bytes;
	uintptr_t dynamic_shared;	/* where it is */
	bool dynamic_shared_missed;	/* it was asked for, but there is none */
	char **lines;			/* of the kernel's text, from 0 */
	size_t line_count;
	const char *source;	/* all of the text */

	/* The launch. */
	struct memory memory;
	struct findings findings;
	struct trace_dim grid, block;
	uint32_t block_number;
	struct thread *threads;		/* of the block in turn */
	uint32_t thread_count;		/* of each block */
	struct block blocks[CLUSTER_MOST];
	uint32_t cluster, rank;		/* blocks of it; which is in turn */
	struct sync_variables sync_variables;	/* what atomics released */
	bool signals;			/* there were some */
	/* From which epoch on which block was in turn. */
	struct { uint32_t epoch, block; } *began;
	size_t began_count, began_capacity;
	/* Called at each tick; and, of a thread that is watched, just before
	 * each of its accesses and barriers. */
	void (*tick)(void);
	void (*watch)(struct thread *t, const struct slot *s);
	const struct thread *watched;

	/* Everything that has a number. */
	struct slot **slot;
	size_t slot_count, slot_capacity;
	struct warp_point *points;
	size_t point_count, point_capacity;
	struct slot **point_slot;	/* by event; NULL: control */
	size_t point_slot_capacity;
	struct call_path *paths;	/* the outermost calls */
};
extern struct recorder rec;

/* A site has no number yet. */
#define NO_SITE UINT32_MAX

/* Forgets slots, events and paths: before another launch. */
void recorder_reset(void);
/* Makes a thread, whose `record` is set, ready for its first instruction in a
 * block. */
void thread_reset(struct thread *t);
/* What it has room for was changed, or who may watch it. */
void thread_limit(struct thread *t);
/* Reads the value of a store that has been done, if one is pending. */
void thread_settle(struct thread *t);
/*
 * The running thread accesses memory in the name of what returns to `here`:
 * loads before stores. NULL outside a launch. Where `data` is given, it is
 * what a store will have stored. Ends the thread when it must not happen.
 */
const struct slot *thread_access(void *here, const void *p, size_t bytes,
				 enum op op, const void *data);
/* The same by an asynchronous copy; lanes whose copies are other instructions
 * (`which`, from 0) do not copy together. */
const struct slot *thread_access_copy(void *here, const void *p, size_t bytes,
				      enum op op, const void *data,
				      uint32_t which);
/* The same of neighbours, each of `unit` bytes; those that are stored have
 * been. */
void thread_access_units(void *here, const void *p, size_t bytes, size_t unit,
			 enum op op);
/* The same of the row of a matrix that ldmatrix or stmatrix moves. */
const struct slot *thread_access_row(void *here, const void *row, enum op op,
				     const void *data);
/* The running thread is at what is called at `here`; nothing is recorded. */
void thread_at(struct thread *t, void *here);
/* The running thread does what is no load or store at p, 8 bytes of shared
 * memory, and has these words to tell of it. */
const struct slot *thread_signal(void *here, const void *p, enum op op,
				 const uint32_t words[2]);
/* It begins to move `bytes` from or to p at once, which stand as the tile says;
 * whether they are all in the array, and who else accesses them, is the
 * caller's to see. */
const struct slot *thread_bulk(void *here, const void *p, uint32_t bytes,
			       enum op op, const struct trace_tile *tile);
/* Whether the running thread's registers hold what they do until they are
 * written, and this is the first that it reads there: later ones may be made
 * of it. */
bool registers_unset(const struct slot *s, const void *p, size_t bytes);
/* The running thread is at a barrier, or waits, without an array: OP_SYNC. */
void thread_sync(void *here);
/* Until w is over. */
void thread_wait(struct wait *w);
/* Ends the running thread here; never returns to it. */
_Noreturn void thread_stop(void);

#endif
