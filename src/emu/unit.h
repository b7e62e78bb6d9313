/*
 * unit: a feature of a GPU that the recorder emulates, such as TMA, and what it
 * does when launches, clusters, blocks and threads begin and end. The launch,
 * the scheduler and the hooks call all units and know none by name. A unit is a
 * file that ends in its `const struct emu_unit`, and a word in EMU_UNITS; what
 * a unit keeps for each thread is in struct thread.
 */
#ifndef EMU_UNIT_H
#define EMU_UNIT_H

#include "emu/hooks.h"

/* A unit's callbacks. Any of them may be NULL. */
struct emu_unit {
	/* A launch begins; the last launch's arrays still exist. */
	void (*launch_begin)(void);
	/* The launch is about to be written; -1 with e if it must not be. */
	int (*launch_check)(const char *file, struct error *e);
	/* The blocks of a cluster begin; one of its blocks begins. */
	void (*cluster_begin)(void);
	void (*block_begin)(struct block *b);
	/* A thread begins; its kernel has returned; its memory is freed. */
	void (*thread_begin)(struct thread *t);
	void (*thread_end)(struct thread *t);
	void (*thread_free)(struct thread *t);
	/* A thread is about to access memory that is guarded; see
	 * thread_guard(). */
	void (*before_access)(const struct thread *t, const struct access_site *s,
			      uintptr_t address, uint64_t bytes);
	/* The running thread accesses bytes from `off` on of the slot's array
	 * in another block of the cluster, through a pointer. */
	void (*remote_access)(struct thread *t, const struct access_site *s,
			      uint64_t off, uint64_t bytes);
	/* Another block has its turn, until this one is resumed with what was
	 * kept of it; NULL: nothing need be. */
	void *(*block_suspend)(void);
	void (*block_resume)(void *kept);
	/* Each thread of the current block waits at __syncthreads(), which all
	 * of them pass next, or has ended. */
	void (*interval_end)(void);
	/* No thread of the current block can run: releases the threads that
	 * wait for each other; with `failed`, also those that wait in vain,
	 * with findings. True: some thread can run again. */
	bool (*unblock)(bool failed);
	/* No thread of the cluster can run, and none has failed before. */
	void (*stuck)(void);
	/* From now on, other blocks see what happened before this vector clock,
	 * of one of the current block's threads. */
	void (*publish)(const uint32_t *clock);
};

/* All units, in the order in which they are called. */
#define EMU_UNITS(UNIT) \
	UNIT(arch_check) UNIT(asm) UNIT(cp_async) UNIT(warp_sync) UNIT(warp_words) \
	UNIT(atomics) \
	UNIT(mbarrier) UNIT(named_barrier) UNIT(tma) UNIT(wgmma) \
	UNIT(async_proxy) UNIT(vector_clock) UNIT(cluster_shared) \
	UNIT(kernel_heap)

#define EMU_UNIT_ONE(name) +1
enum { EMU_UNIT_COUNT = EMU_UNITS(EMU_UNIT_ONE) };
#define EMU_UNIT_DECLARE(name) extern const struct emu_unit name##_unit;
EMU_UNITS(EMU_UNIT_DECLARE)

/* Call all units. */
void units_launch_begin(void);
int units_launch_check(const char *file, struct error *e);
void units_cluster_begin(void);
void units_block_begin(struct block *b);
/* Calls all units; kept[]: what each keeps, by number. */
void units_block_suspend(void **kept);
void units_block_resume(void *const *kept);
void units_thread_begin(struct thread *t);
void units_thread_end(struct thread *t);
void units_thread_free(struct thread *t);
void units_before_access(const struct thread *t, const struct access_site *s,
			 uintptr_t address, uint64_t bytes);
void units_remote_access(struct thread *t, const struct access_site *s, uint64_t off,
			 uint64_t bytes);
void units_interval_end(void);
bool units_unblock(bool failed);
void units_stuck(void);
void units_publish(const uint32_t *clock);

#endif
