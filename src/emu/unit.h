/*
 * unit: the features of a GPU that the recorder emulates, such as TMA, and what
 * each does when launches, clusters, blocks and threads begin and end. The
 * launch, the scheduler and the hooks tell all units, and know none by name. A
 * unit is a file that ends in its `const struct emu_unit`, and a word in
 * EMU_UNITS; where it keeps something for each thread, that is in struct
 * thread.
 */
#ifndef EMU_UNIT_H
#define EMU_UNIT_H

#include "emu/hooks.h"

/* What a unit has nothing to do at is NULL. */
struct emu_unit {
	/* A launch begins; the arrays of the last are still there. */
	void (*launch_begin)(void);
	/* The launch is to be written: -1 with e where it must not be. */
	int (*launch_check)(const char *file, struct error *e);
	/* The blocks of a cluster begin, and one of them. */
	void (*cluster_begin)(void);
	void (*block_begin)(struct block *b);
	/* A thread begins; its kernel has returned; what it has is freed. */
	void (*thread_begin)(struct thread *t);
	void (*thread_end)(struct thread *t);
	void (*thread_free)(struct thread *t);
	/* A thread accesses memory, and its `guards` are not 0. */
	void (*before_access)(const struct thread *t, const struct slot *s,
			      uintptr_t address, uint64_t bytes);
	/* Each thread of the block in turn waits for __syncthreads(), which
	 * all pass next, or has ended. */
	void (*interval_end)(void);
	/*
	 * No thread of the block in turn can run: lets those go on that wait
	 * for each other; with `failed`, also those that wait in vain, as
	 * findings. True: some thread can run.
	 */
	bool (*unblock)(bool failed);
	/* No thread of the cluster can run, and none has failed before. */
	void (*stuck)(void);
	/* Other blocks see from now on what this vector clock, theirs, says
	 * has been done. */
	void (*publish)(const uint32_t *clock);
};

/* All units, in the order in which they are told. */
#define EMU_UNITS(UNIT) \
	UNIT(asm) UNIT(cp_async) UNIT(warp_sync) UNIT(atomics) \
	UNIT(mbarrier) UNIT(named_barrier) UNIT(tma) UNIT(wgmma) \
	UNIT(async_proxy) UNIT(vector_clock)

#define EMU_UNIT_DECLARE(name) extern const struct emu_unit name##_unit;
EMU_UNITS(EMU_UNIT_DECLARE)

/* Tell all units. */
void units_launch_begin(void);
int units_launch_check(const char *file, struct error *e);
void units_cluster_begin(void);
void units_block_begin(struct block *b);
void units_thread_begin(struct thread *t);
void units_thread_end(struct thread *t);
void units_thread_free(struct thread *t);
void units_before_access(const struct thread *t, const struct slot *s,
			 uintptr_t address, uint64_t bytes);
void units_interval_end(void);
bool units_unblock(bool failed);
void units_stuck(void);
void units_publish(const uint32_t *clock);

#endif
