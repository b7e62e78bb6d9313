/*
 * hooks: functions that the compiler makes a kernel call before each memory
 * access, in each basic block, at each call and at each barrier, and that
 * record these. They run for millions of events a second: all that can be known
 * of an instruction in advance is resolved once and kept in a slot.
 */
#ifndef EMU_HOOKS_H
#define EMU_HOOKS_H

#include "trace/trace.h"
#include "trace/warp.h"
#include "record/debug.h"
#include "record/gpu_scope_order.h"
#include "emu/emu_findings.h"
#include "emu/memory.h"
#include "emu/module/module.h"
#include "protocol/job.h"

/* A path of calls, as a node of a tree; NULL is the kernel itself. */
struct call_path {
	struct call_path *parent, *child, *sibling;
	uint32_t order;
};

/* An instruction that calls a hook (an access site), and the array that it
 * accesses. An instruction that accesses several arrays, through a pointer or
 * in a function with several callers, has a chain of slots. */
struct access_site {
	uintptr_t lo;		/* the array's first byte */
	uintptr_t stack;	/* ~0: lo is relative to the thread's stack */
	uint64_t room;		/* the array's bytes minus the access's */
	uintptr_t align;	/* address bits that must be 0 */
	/* valid for this path only, unless any_path */
	const struct call_path *path;
	bool any_path;
	bool silent;		/* not recorded: a scalar, or filtered out */
	bool special;		/* silent, fresh, padded or remote */
	bool global;		/* the array's space */
	bool atomic;
	bool may_move;	/* a load that the text does itself: see load_order.h */
	bool result_used;	/* of an atomic function; see atomic_result.h */
	bool expects;	/* reads what an atomicCAS() then compares with */
	bool matrix;		/* ldmatrix, stmatrix */
	bool barrier;		/* no access: a barrier or a wait, not a block */
	/* The kind of caller at a call's slot, once it is known: see
	 * call_slot(). */
	enum { CALLER_UNKNOWN, CALLER_TEXT, CALLER_WORD } caller;
	uint32_t manner;	/* enum manner of recording.h */
	uint32_t id;		/* event */
	struct shadow *shadow;	/* NULL: not checked for races */
	uint32_t shadow_shift;
	uint32_t words;		/* 32-bit words of the value */
	bool uninit;		/* some of the array may be unwritten */
	bool padded;		/* its rows have padding */
	/* Of a block of the cluster, through a pointer: its rank + 1; else 0. */
	uint32_t remote;
	struct array *array;
	/* The thread's scalar that the access is to, whose value may be unset;
	 * NULL: it is something else. */
	const struct debug_var *scalar;
	/* Of several extern __shared__ arrays, which all begin at one byte, the
	 * one that the text accesses; NULL: there is one at most. */
	const struct debug_var *dynamic;
	/* The epoch in which a cp.async of this place was last waited for after
	 * a barrier that its accesses should have been before; or 0. */
	uint32_t late;
	struct access_site *next;
	uint32_t index;		/* in recorder.slot */
	uint32_t pc;	/* the hook's return address, relative to text */
	uint32_t line, column, raw_column;
	uint32_t bytes;
	uint32_t moved;		/* bulk operations: bytes moved in all */
	struct trace_tile tile;
	enum op op;
};

/*
 * The compiler copies a structure by a function that has no text: its accesses
 * belong to its caller, whose frame stays the innermost.
 */
struct struct_copy {
	uint32_t calls;	/* how many such functions the thread is in */
	uint32_t call;	/* return address of the outermost, relative to text */
	uint32_t align;	/* the structure's */
};

/* An activation of a function, and where its variables are. */
struct frame {
	const struct debug_function *function;
	uintptr_t cfa;
	uint32_t call;		/* return address, relative to text */
	const struct call_path *path;	/* the caller's */
	struct struct_copy copy;	/* the caller's, likewise */
};

/* A thread's state: whether it waits at __syncthreads(), for lanes of its warp
 * (warp_sync.h) or for something else (struct wait). A stopped thread never
 * runs again, because of a finding. */
enum thread_state { THREAD_READY, THREAD_AT_BARRIER, THREAD_AT_WARP_SYNC,
		    THREAD_AT_WAIT, THREAD_ENDED, THREAD_STOPPED };

struct thread;

/* What a thread waits for; lives on the thread's own stack. */
struct wait {
	/* Returns whether the wait is over; called whenever nothing else can
	 * run. */
	bool (*over)(struct thread *t, void *on);
	/* Adds a finding that the wait will never be over. */
	void (*never)(const struct thread *t, const void *on);
	void *on;
	/* Whether the thread may continue when no other thread can run. */
	bool spins;
	/* Whether it waits for all blocks of the grid. */
	bool grid;
};

/* A thread's vote at its round-th barrier that counts (__syncthreads_count()
 * and the like); 0: none. */
struct counted { uint32_t round; int value; };

#define BLOCKS_KEPT 8

/* A CUDA thread and its events, in parallel arrays as warp.h needs them. */
struct thread {
	uint32_t *id, *offset, *value;
	size_t count, capacity;		/* id, offset */
	size_t words, word_capacity;	/* value */
	/* Below these counts events are appended without further checks; 0 in a
	 * thread that is not recorded or may be watched. */
	size_t full, words_full;
	/* Units are notified of accesses to these bytes; see thread_guard(). */
	uintptr_t guarded;
	size_t guarded_bytes;
	uint32_t controls;	/* control events in a row at the end */
	/* Of a thread that is not recorded: the basic blocks that it entered last,
	 * block number n at n % BLOCKS_KEPT. */
	const struct access_site *blocks[BLOCKS_KEPT];
	uint32_t block_count;
	bool record;
	enum thread_state state;
	/* where the thread was last; NULL: nowhere yet */
	const struct access_site *at;
	uintptr_t stack;
	const struct call_path *path;
	struct frame *frames;
	size_t depth, frame_capacity;
	struct struct_copy copy;	/* of the innermost frame */
	uintptr_t copied;	/* where the last structure was copied to */
	uint32_t left;	/* where the last function returned; as slot.pc */
	/* The hook of a store is called before the store is done, so its value
	 * is read at the next hook. A structure's copy calls the store's hook,
	 * then the load's, then does both. */
	uintptr_t store_address;
	uint32_t store_bytes;	/* 0: none is pending */
	bool store_copied;	/* the load of the copy has been seen */
	size_t store_event, store_events, store_word;
	const struct access_site *store_slot;
	uint32_t number;	/* linear index in the block */
	struct trace_dim index;
	uint64_t seen;	/* counts accesses and barriers, while watched */
	struct warp_sync *warp_sync;	/* in THREAD_AT_WARP_SYNC */
	/* Lines of the calls of warp functions that it was at last. */
	uint32_t synced[8], synced_count;
	struct wait *wait;		/* in THREAD_AT_WAIT */
	uint32_t counts;	/* barriers that count, so far */
	struct counted counted[2];	/* at the last two of these */
	size_t calls;	/* calls of warp_sync_later() in this interval */
	/* The first epoch after the thread's last __syncwarp(), and the lanes
	 * that took part. */
	uint32_t warp_epoch, warp_lanes;
	uint32_t *clock;		/* vector clock; NULL: all 0 */
	struct acquired remote;	/* acquired from other blocks through atomics */
	struct acquired near;	/* from its own block since the last barrier */
	/* The thread's consecutive atomics that read the same value at the same
	 * address, and events_left at that time. */
	struct spin {
		const struct access_site *slot;
		uintptr_t at;
		uint64_t value, events_left;
		uint32_t rounds;
	} spin;
	/* The last product of two reals of 16 bits: gemmviz_reals.h. */
	struct last_product {
		struct { uint16_t bits; double exact; } half[2];
		void *frame;	/* of the function that has it; NULL: none */
		int fraction;	/* bits of the type's */
	} product;
	/* TMA and wgmma see the thread's stores of epochs before this one. */
	uint32_t fenced;
	bool registers_fenced;		/* wgmma_fence() was called */
	/* Where scalars are that the thread has stored to, of addresses that
	 * fall into one place the last: see scalar_given(). */
	uintptr_t given[64];
	/* the access that read the first unset register */
	const struct access_site *unset;
	/* TMA stores and wgmma products that the thread has started and not
	 * waited for; see tma.c and wgmma.c. */
	struct tma_store *tma_stores;
	struct wgmma_product *products, *newest; /* the oldest and its end */
	uint32_t tma_groups, product_groups;	/* groups committed */
	uint32_t cluster_round;	/* round of the cluster's barrier arrived at */
	/* count and words when the thread's block last passed a barrier. */
	size_t safe_count, safe_words;
	/* cp.async copies that have not completed, and how many groups of them
	 * have been committed. */
	struct copy *copies;
	size_t copy_count, copy_capacity;
	uint32_t copy_groups;
};

/* A block of the running cluster; the cluster's blocks take turns. */
struct block {
	uint32_t number;
	uint32_t interval, epoch;	/* see struct recorder */
	struct thread *threads;
	/* by all its threads, from other blocks */
	struct acquired acquired;
	bool any_safe;
	bool records;			/* its threads' events are */
};

struct recorder {
	struct thread *thread;		/* the running thread, or NULL */
	struct access_site **slots;		/* by pc, relative to text */
	uintptr_t text;			/* start of the module's code */
	size_t text_bytes;
	/* Epochs count up at each barrier of the block or of a warp: the
	 * current one, the first since the block's last barrier, and the
	 * block's first. */
	uint32_t epoch, interval, block_epoch;
	/* For global memory: the first epoch of the current block's turn, and
	 * the first since all blocks of the grid were last at a barrier; at
	 * least 1. */
	uint32_t turn, grid_epoch;
	uint32_t ticks;			/* basic blocks to the next tick */
	bool values;
	/* memory spaces that are recorded, a bit each */
	uint32_t spaces;
	uint64_t events_left;
	/* Bytes that the threads' events may still take; when none are left,
	 * the remaining events_left is moved to events_aside. */
	uint64_t memory_left, events_aside;
	/* A thread of the block was stopped: what is missing after that is not
	 * a separate finding. */
	bool tainted;
	bool spoiled;	/* a thread of this or an earlier block was stopped */
	bool stop;			/* every thread stops where it is */
	/* The line in which a program's host waits for its launch while threads
	 * wait for the host; 0: unknown. */
	uint32_t host_waits;
	/* Whether the running thread's loop is being examined; whether the
	 * thread has done something that this cannot track. See hang_check.h. */
	bool proving, unsure;

	/* The module. */
	uintptr_t load;			/* its load address */
	const struct debug *debug;
	uintptr_t *tls;	/* address of each variable, by offset */
	size_t tls_bytes;
	unsigned long tls_module;
	/* The same for a program's module without hooks: its number, its
	 * block's memory, and the host's. */
	struct host_tls {
		unsigned long module;
		size_t bytes;
		void *shared, *dynamic;
		void *own;	/* of the host's thread that runs */
	} host_tls;
	uintptr_t dynamic_shared;	/* address of dynamic shared memory */
	/* the kernel asked for it, but the launch gives none */
	bool dynamic_shared_missed;
	/* The name of dynamic shared memory when a program's launch gives none:
	 * its address is one that nobody may access. NULL: there is some, or
	 * none is declared. */
	const char *dynamic_shared_none;
	/* Whether the kernel sees more than one extern __shared__ array. */
	bool dynamic_shared_several;
	char **lines;			/* lines of the kernel's text, from 0 */
	size_t line_count;
	const char *source;	/* the whole text */
	const struct job_defines *headers;	/* that come with it */

	/* The launch. */
	struct memory memory;
	struct findings findings;
	struct inferred_sizes *assumed;	/* see record/inferred_sizes.h */
	struct trace_dim grid, block;
	uint32_t arch;		/* 90: sm_90; 0: any */
	/* A program's kernels run without the compiler's hooks. */
	bool fast;
	/* Called when a thread has entered the kernel, which then ends it. */
	void (*peek)(const struct thread *t);
	/* Arguments of class types, which the host passes by address. */
	struct { uintptr_t lo; uint64_t bytes; } passed[64];
	size_t passed_count;
	uint32_t block_number;
	struct thread *threads;		/* threads of the current block */
	uint32_t thread_count;		/* threads per block */
	struct block blocks[CLUSTER_MOST];
	/* blocks of the cluster; the current block's rank */
	uint32_t cluster, rank;
	struct sync_variables sync_variables;	/* what atomics have released */
	/* What fences of block scope have released; whether there are any. */
	struct sync_variables near_variables;
	bool near_fences;
	bool signals;			/* atomics have released something */
	/* Fences, volatile accesses or atomics of system scope may tell the
	 * host how far the launch is. */
	bool tells;
	/* By the system's scope; until emu_launch_tells_host() is asked. */
	bool tells_host;
	/* From which epoch on each block was the current one. */
	struct { uint32_t epoch, block; } *began;
	size_t began_count, began_capacity;
	/* tick is called at each tick; watch just before each access and
	 * barrier of the watched thread. */
	void (*tick)(void);
	void (*watch)(struct thread *t, const struct access_site *s);
	const struct thread *watched;

	/* All slots, events and outermost calls, by number. */
	struct access_site **slot;
	size_t slot_count, slot_capacity;
	struct warp_point *points;
	size_t point_count, point_capacity;
	struct access_site **point_slot;	/* by event; NULL: a control event */
	size_t point_slot_capacity;
	struct call_path *paths;	/* the outermost calls */
};
extern struct recorder rec;

/* The id of a control slot that makes no events. */
#define NO_EVENT UINT32_MAX
/* The number of a site that has none yet. */
#define NO_SITE UINT32_MAX

/* Removes all slots, events and paths, before another launch. */
void recorder_reset(void);
/* Prepares a thread, whose `record` is set, for its first instruction in a
 * block. */
void thread_reset(struct thread *t);
/* Makes the thread notify units (before_access) of accesses to memory between
 * these addresses; none if `from` is above `to`. */
void thread_guard(struct thread *t, uintptr_t from, uintptr_t to);
/* Recomputes full and words_full after a change of the thread's capacity or of
 * who may watch it. */
void thread_limit(struct thread *t);
/* Reads the value of the thread's last store, if it is still pending. */
void thread_settle(struct thread *t);
/*
 * Records an access of the running thread on behalf of the code that `here`
 * returns to; an operation's loads are recorded before its stores. Returns NULL
 * outside a launch. `data`, if given, is what a store will have stored. Ends
 * the thread if the access must not happen.
 */
const struct access_site *thread_access(void *here, const void *p, size_t bytes,
				 enum op op, const void *data);
/* Records an access, as thread_access() does, for an asynchronous copy. Lanes
 * whose copies are different instructions (`which`, from 0) do not copy
 * together. */
const struct access_site *thread_access_copy(void *here, const void *p, size_t bytes,
				      enum op op, const void *data,
				      uint32_t which);
/* Records accesses to neighbouring elements of `unit` bytes each, as
 * thread_access() does; stores have already been done. */
void thread_access_units(void *here, const void *p, size_t bytes, size_t unit,
			 enum op op);
/* Records a store, as thread_access() does, to the same place in shared memory
 * of the cluster's block `rank`. */
const struct access_site *thread_access_remote(void *here, const void *p, size_t bytes,
					const void *data, uint32_t rank);
/* Records an access, as thread_access() does, to a row of a matrix that
 * ldmatrix or stmatrix moves. */
const struct access_site *thread_access_row(void *here, const void *row, enum op op,
				     const void *data);
/* Sets the running thread's place to the call that returns to `here`; records
 * nothing. */
void thread_at(struct thread *t, void *here);
/* Records an operation of the running thread that is neither load nor store, on
 * the 8 bytes of shared memory at p, with two words that describe it. */
const struct access_site *thread_signal(void *here, const void *p, enum op op,
				 const uint32_t words[2]);
/* Records that the running thread starts to move `bytes` from or to p, laid out
 * as the tile says. The caller checks that all of them are within the array,
 * and what other accesses they conflict with. */
const struct access_site *thread_bulk(void *here, const void *p, uint32_t bytes,
			       enum op op, const struct trace_tile *tile);
/* Returns whether the running thread's registers at p are unset and this is its
 * first read of such registers: values read later may derive from it. */
bool registers_unset(const struct access_site *s, const void *p, size_t bytes);
/* Records OP_SYNC: the running thread is at a barrier or waits, without an
 * array. */
void thread_sync(void *here);
/* Returns whether all threads of the cluster's block `rank` have returned. */
bool block_ended(uint32_t rank);
/* Makes the running thread wait until w is over. */
void thread_wait(struct wait *w);
/* Reads the value, at most 8 bytes, at the address that the thread spins on. */
uint64_t spin_value(const struct spin *s);
/* Ends the running thread here; never returns. */
_Noreturn void thread_stop(void);

#endif
