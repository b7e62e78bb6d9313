/*
 * warp_words: how threads exchange values by CUDA's builtins other than
 * shuffles and votes (cuda/gemmviz_warp.h).
 */
#include <string.h>
#include <time.h>

#include "emu/hang_check.h"
#include "emu/parallel_record.h"
#include "emu/unit.h"
#include "emu/warp/arch_check.h"
#include "emu/warp/warp_sync.h"

/* A lane's number, and room for everybody's. */
struct gather {
	uint64_t mine, *all;
	uint32_t among;
};

static void gather_finish(struct thread *const *lanes, uint32_t there)
{
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		struct gather *to = warp_sync_part(lanes, there, l);

		if (!to)
			continue;
		to->among = there;
		for (uint32_t i = 0; i < WARP_LANES; i++) {
			const struct gather *g = warp_sync_part(lanes, there,
								i);

			to->all[i] = g ? g->mine : 0;
		}
	}
}

uint32_t gemmviz_gather(const char *word, uint32_t mask, uint64_t mine,
			uint64_t *all, void *here);
uint32_t gemmviz_gather(const char *word, uint32_t mask, uint64_t mine,
			uint64_t *all, void *here)
{
	struct gather g = { mine, all, 0 };
	struct warp_sync m = { word, mask, false, gather_finish, &g };

	if (!rec.thread)
		return 0;
	if (!strncmp(word, "__reduce_", strlen("__reduce_")))
		arch_check("redux.sync.s32", word, here);
	warp_sync(&m, here);
	return g.among;
}

void gemmviz_syncthreads(void *here);
int gemmviz_syncthreads_count(int value, int *threads, void *here);
/* Counts the threads of the block whose value is not 0. A thread is at most one
 * such barrier ahead of those that have yet to count: so two places are
 * enough. */
int gemmviz_syncthreads_count(int value, int *threads, void *here)
{
	struct thread *t = rec.thread;
	uint32_t round;
	int count = 0;

	*threads = 0;
	if (!t)
		return 0;
	round = ++t->counts;
	t->counted[round % 2] = (struct counted) { round, value != 0 };
	gemmviz_syncthreads(here);
	for (uint32_t i = 0; i < rec.thread_count; i++) {
		const struct counted *c = &rec.threads[i].counted[round % 2];

		if (c->round != round)
			continue;
		++*threads;
		count += c->value;
	}
	return count;
}

static long long now;

long long gemmviz_clock(void);
long long gemmviz_clock(void)
{
	parallel_in_order();
	hang_unsure();
	return now += 64;
}

clock_t __wrap_clock(void);
/* Returns a GPU's clock in a kernel, else the C library's, for a program's
 * host. */
clock_t __wrap_clock(void)
{
	return rec.thread ? (clock_t)gemmviz_clock() : clock();
}

static void launch_begin(void)
{
	now = 0;
}

static void thread_begin(struct thread *t)
{
	t->counts = 0;
	t->counted[0] = t->counted[1] = (struct counted) { 0, 0 };
}

const struct emu_unit warp_words_unit = {
	.launch_begin = launch_begin, .thread_begin = thread_begin,
};
