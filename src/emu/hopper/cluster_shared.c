/*
 * cluster_shared: see cluster_shared.h.
 */
#include "emu/hopper/cluster_shared.h"

#include <stdlib.h>
#include <string.h>

#include "emu/hopper/async_proxy.h"
#include "emu/emu_findings.h"
#include "emu/launch.h"
#include "emu/unit.h"
#include "emu/vector_clock.h"

/* The last access by each thread of the cluster to each of its blocks, indexed
 * by the thread's block, the thread and the accessed block. */
static struct peer_use {
	const struct access_site *slot;	/* NULL: nothing */
	uint32_t epoch;
	uint64_t off;
} * uses;
static size_t use_capacity;
static bool any;

/* Returns the last access by thread `thread` of block `rank` to block `of`. */
static struct peer_use *find_last_use(uint32_t rank, uint32_t thread,
				      uint32_t of)
{
	return &uses[(rank * rec.thread_count + thread) * rec.cluster + of];
}

static void note_use(const struct thread *t, const struct access_site *s, uint64_t off)
{
	size_t count = (size_t)rec.cluster * rec.cluster * rec.thread_count;

	grow(&uses, &use_capacity, count, sizeof(*uses));
	if (!any)
		memset(uses, 0, count * sizeof(*uses));
	any = true;
	*find_last_use(rec.rank, t->number, s->remote - 1) =
		(struct peer_use){ s, rec.epoch, off };
}

void cluster_shared_check(struct thread *t, const struct access_site *s, uint32_t rank,
			  uint64_t off, uint64_t bytes)
{
	struct async_proxy a = async_proxy_begin();
	struct async_access x = async_proxy_access(&a, s, rank);

	if (s->atomic)
		x.me.who |= SHADOW_ATOMIC;
	if (s->op == OP_LD)
		async_proxy_reads(&x, off, bytes);
	else
		async_proxy_writes(&x, off, bytes);
	vector_clock_acquire_actor(t, rank, a.number, a.epoch);
	async_proxy_end(&a);
}

/* Checks an access through a pointer to the site's block, which must not end
 * before the cluster's next barrier. */
static void remote_access(struct thread *t, const struct access_site *s, uint64_t off,
			  uint64_t bytes)
{
	note_use(t, s, off);
	cluster_shared_check(t, s, s->remote - 1, off, bytes);
}

/* ---- blocks that end ---- */

/* Adds the finding that a block ended before a thread's access to its
 * memory. */
static void report_outlived(uint32_t rank, uint32_t thread,
			    const struct peer_use *u)
{
	block_use(rank);
	emu_finding_add(&rec.threads[thread], u->slot, (struct trace_finding){
		.cause = CAUSE_CLUSTER_OUTLIVES, .offset = (int64_t)u->off,
	}, &u->slot->array->info);
}

/* Adds a finding for each access to a block that ended without acquiring it. */
static void stuck(void)
{
	for (uint32_t of = 0; any && of < rec.cluster; of++) {
		uint32_t *clock = block_ended(of) ? vector_clock_of_block(of) :
						    NULL;

		for (uint32_t i = 0; clock &&
		     i < rec.cluster * rec.thread_count; i++) {
			uint32_t rank = i / rec.thread_count;
			uint32_t thread = i % rec.thread_count;
			const struct peer_use *u =
				find_last_use(rank, thread, of);

			if (u->slot && vector_clock_part(clock, rank)[thread] <=
				       u->epoch)
				report_outlived(rank, thread, u);
		}
		free(clock);
	}
}

static void cluster_begin(void)
{
	any = false;
}

const struct emu_unit cluster_shared_unit = { .cluster_begin = cluster_begin,
					      .remote_access = remote_access,
					      .stuck = stuck };

/* ---- pointers ---- */

void *gemmviz_cluster_map(void *p, uint32_t rank, void *here);
void *gemmviz_cluster_map(void *p, uint32_t rank, void *here)
{
	const struct array *a;

	if (!rec.thread || rec.fast)
		return p;
	thread_at(rec.thread, here);
	a = memory_at(&rec.memory, (uintptr_t)p, 1);
	if (rank >= rec.cluster || !a || a->info.space != SPACE_SHARED)
		emu_finding_stops(CAUSE_CLUSTER_STORE);
	return rank == rec.rank ? p : array_at(a, rank, (uintptr_t)p);
}

uint32_t gemmviz_cluster_whose(const void *p);
uint32_t gemmviz_cluster_whose(const void *p)
{
	uint32_t rank = rec.rank;
	uintptr_t own;

	memory_of_rank(&rec.memory, (uintptr_t)p, 1, &rank, &own);
	return rank;
}
