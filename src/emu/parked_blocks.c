/*
 * parked_blocks: see parked_blocks.h.
 */
#include "emu/parked_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "emu/emu.h"
#include "emu/hang_check.h"
#include "emu/fibre.h"
#include "emu/parallel_record.h"
#include "emu/scheduler.h"
#include "emu/unit.h"

/* Blocks of a grid that is large enough for any GPU. */
#define BLOCKS_MOST (1u << 24)
/* The part of the events that a launch may have, one in so many, that the first
 * parts of its blocks may take, until they wait. */
#define EVENTS_PART 16

/* A block that has begun and is not the current one. */
struct kept_block {
	uint32_t number;
	bool ended, tainted;
	/* Its loops are shown to be endless, unless another block goes on; one
	 * has since. */
	bool endless, again;
	bool grid;		/* all its threads wait for the grid */
	uint32_t round;		/* of the grid's barrier, then */
	struct block block;
	struct fibre_kept **fibres;	/* by thread */
	struct wait *waits;		/* what each waits for, if it does */
	void *units[EMU_UNIT_COUNT];
	char *memory;			/* shared, and its shadows */
};

static struct {
	const struct launch *launch;
	uint32_t blocks, most;		/* of the grid; at the same time */
	uint32_t threads;		/* of a block */
	struct kept_block **list;	/* by number */
	size_t count, capacity;
	unsigned char *begun;		/* a bit for each block */
	uint32_t next;			/* those before have begun */
	uint32_t resident;		/* have begun and not ended */
	uint32_t round;			/* of the grid's barrier */
	bool any;
	bool failed;			/* no block can go on */
	uint32_t record_most;		/* blocks that are recorded */
	uint32_t *chosen;		/* NULL: all */
	uint64_t chosen_count;
} r;

static uint32_t current_number(void)
{
	return rec.blocks[0].number;
}

static bool has_begun(uint32_t block)
{
	return r.begun[block / 8] >> block % 8 & 1;
}

void parked_begun(uint32_t block)
{
	if (!r.blocks)
		return;
	r.resident++;
	r.begun[block / 8] |= (unsigned char)(1 << block % 8);
}

void parked_ended(void)
{
	r.resident -= r.blocks > 0;
}

static size_t find_kept_index(uint32_t block)
{
	size_t low = 0, high = r.count;

	while (low < high) {
		size_t i = (low + high) / 2;

		if (r.list[i]->number < block)
			low = i + 1;
		else
			high = i;
	}
	return low;
}

static struct kept_block *kept_of(uint32_t block)
{
	size_t i = find_kept_index(block);

	return i < r.count && r.list[i]->number == block ? r.list[i] : NULL;
}

static void kept_add(struct kept_block *k)
{
	size_t at = find_kept_index(k->number);

	grow(&r.list, &r.capacity, r.count + 1, sizeof(*r.list));
	memmove(&r.list[at + 1], &r.list[at],
		(r.count++ - at) * sizeof(*r.list));
	r.list[at] = k;
}

static void kept_remove(struct kept_block *k)
{
	size_t at = find_kept_index(k->number);

	memmove(&r.list[at], &r.list[at + 1],
		(--r.count - at) * sizeof(*r.list));
	free(k->waits);
	free(k->memory);
	free(k->fibres);
	free(k);
}

/* ---- the launch ---- */

static void all_forget(void)
{
	while (r.count) {
		struct kept_block *k = r.list[r.count - 1];

		for (uint32_t i = 0; k->fibres && i < r.threads; i++)
			free(k->fibres[i]);
		threads_drop(k->block.threads, r.threads);
		kept_remove(k);
	}
	free(r.begun);
	free(r.chosen);
	r.begun = NULL;
	r.chosen = NULL;
}

void parked_begin(const struct launch *l)
{
	uint64_t blocks = plan_blocks(&l->plan);

	all_forget();
	r.launch = l;
	r.threads = rec.thread_count;
	r.any = r.failed = false;
	r.next = r.resident = r.round = 0;
	r.blocks = rec.cluster == 1 && blocks <= BLOCKS_MOST ?
		   (uint32_t)blocks : 0;
	r.begun = xcalloc(r.blocks / 8 + 1, 1);
	r.record_most = UINT32_MAX;
}

bool parked_any(void)
{
	return r.any;
}

/* ---- what is recorded ---- */

/* Prepares for blocks that take turns, the first time that one is put aside. */
static void first_time(void)
{
	const struct launch *l = r.launch;
	uint64_t used = l->plan.job.max_events - rec.events_left -
			rec.events_aside;

	parallel_alone();
	r.any = true;
	r.most = MIN(emu_program.parked_blocks(rec.thread_count,
						 plan_shared(&l->plan)),
		     r.blocks);
	r.chosen = plan_chosen(&l->plan, &r.chosen_count);
	if (l->call && !l->plan.job.block_count && !l->plan.job.sample)
		r.record_most = (uint32_t)MAX(MIN(l->plan.job.max_events,
						  CALL_EVENTS) /
					      EVENTS_PART / (used + 1), 1);
}

static bool is_chosen(uint32_t block)
{
	if (!r.launch->records)
		return false;
	for (uint64_t i = 0; r.chosen && i < r.chosen_count; i++)
		if (r.chosen[i] == block)
			return true;
	return !r.chosen && block < r.chosen_count;
}

bool parked_recorded(uint32_t block)
{
	const struct kept_block *k = kept_of(block);

	return k && k->block.records;
}

/* ---- put a block aside ---- */

static void bytes_move(char **at, void *own, uint64_t bytes, bool keep)
{
	if (keep)
		memcpy(*at, own, bytes);
	else
		memcpy(own, *at, bytes);
	*at += bytes;
}

/* Copies a block's shared memory, and its shadows, to `at` (`keep`) or back. */
static void memory_move(char *at, bool keep)
{
	if (rec.fast)
		bytes_move(&at, rec.host_tls.shared, rec.host_tls.bytes, keep);
	for (size_t i = 0; i < rec.memory.count && !rec.fast; i++) {
		struct array *a = rec.memory.arrays[i];

		if (a->info.space != SPACE_SHARED)
			continue;
		if (!a->whole)
			bytes_move(&at, (void *)a->lo, a->bytes, keep);
		if (a->shadow)
			bytes_move(&at, a->shadow, a->shadow_bytes, keep);
	}
}

static uint64_t count_shared_bytes(void)
{
	uint64_t bytes = rec.fast ? rec.host_tls.bytes : 0;

	for (size_t i = 0; i < rec.memory.count && !rec.fast; i++) {
		const struct array *a = rec.memory.arrays[i];

		if (a->info.space == SPACE_SHARED)
			bytes += (a->whole ? 0 : a->bytes) +
				 (a->shadow ? a->shadow_bytes : 0);
	}
	return bytes;
}

/* Keeps the current block; there is none then. */
static struct kept_block *block_keep(void)
{
	struct kept_block *k = xcalloc(1, sizeof(*k));

	k->number = current_number();
	k->tainted = rec.tainted;
	k->block = rec.blocks[0];
	rec.blocks[0] = (struct block){ .threads = NULL };
	rec.threads = NULL;
	kept_add(k);
	return k;
}

static void ended_keep(void)
{
	struct kept_block *k = block_keep();

	k->ended = true;
	if (k->block.records)
		return;
	threads_drop(k->block.threads, r.threads);
	k->block.threads = NULL;
}

/* Keeps what each thread waits for: a wait is on its thread's stack. */
static void waits_keep(struct kept_block *k)
{
	k->grid = true;
	k->waits = xcalloc(r.threads, sizeof(*k->waits));
	for (uint32_t i = 0; i < r.threads; i++) {
		const struct thread *t = &rec.threads[i];

		if (t->state == THREAD_AT_WAIT)
			k->waits[i] = *t->wait;
		k->grid = k->grid && (k->waits[i].grid ||
				      t->state == THREAD_ENDED);
	}
	k->round = r.round;
}

static struct kept_block *suspend_block(void)
{
	struct wait *waits;
	struct kept_block *k, now = { .number = 0 };

	waits_keep(&now);
	waits = now.waits;
	now.fibres = xcalloc(r.threads, sizeof(*now.fibres));
	for (uint32_t i = 0; i < r.threads; i++)
		now.fibres[i] = fibre_keep(i);
	now.memory = xmalloc(count_shared_bytes() + 1);
	memory_move(now.memory, true);
	units_block_suspend(now.units);
	k = block_keep();
	k->grid = now.grid;
	k->round = now.round;
	k->waits = waits;
	k->fibres = now.fibres;
	k->memory = now.memory;
	memcpy(k->units, now.units, sizeof(k->units));
	return k;
}

static void block_put_back(const struct kept_block *k)
{
	threads_drop(rec.blocks[0].threads, r.threads);
	rec.blocks[0] = k->block;
	rec.tainted = k->tainted;
	scheduler_use();
}

static void resume_block(struct kept_block *k)
{
	bool passes = k->grid && k->round != r.round;

	block_put_back(k);
	for (uint32_t i = 0; i < r.threads; i++) {
		struct thread *t = &rec.threads[i];

		fibre_put_back(i, k->fibres[i]);
		if (k->again && hang_shown(t))
			t->state = THREAD_READY;
		/* As at a barrier of the block. */
		if (passes && t->state == THREAD_AT_WAIT)
			t->state = THREAD_AT_BARRIER;
	}
	memory_move(k->memory, false);
	units_block_resume(k->units);
	scheduler_turn();
	if (passes)
		scheduler_barrier();
	kept_remove(k);
}

/* ---- whose turn it is ---- */

static bool can_resume(const struct kept_block *k)
{
	if (k->grid)
		return k->round != r.round;
	for (uint32_t i = 0; i < r.threads; i++) {
		const struct wait *w = &k->waits[i];

		if (w->spins && w->over(&k->block.threads[i], w->on))
			return true;
	}
	return k->again;
}

static struct kept_block *next_kept(void)
{
	for (size_t i = 0; i < r.count; i++)
		if (!r.list[i]->ended && can_resume(r.list[i]))
			return r.list[i];
	return NULL;
}

static bool spins(const struct kept_block *k, uint32_t i)
{
	return k->waits[i].spins || hang_shown(&k->block.threads[i]);
}

static bool has_ended_spin(const struct kept_block *k, uint32_t i)
{
	return hang_over(&k->block.threads[i]);
}

static bool any_thread(bool (*is)(const struct kept_block *k, uint32_t i))
{
	for (size_t n = 0; n < r.count; n++)
		for (uint32_t i = 0; !r.list[n]->ended && i < r.threads; i++)
			if (is(r.list[n], i))
				return true;
	return false;
}

bool parked_spins(void)
{
	return any_thread(spins);
}

bool parked_can_go(void)
{
	return any_thread(has_ended_spin) || next_kept();
}

void parked_again(void)
{
	r.failed = false;
	for (size_t i = 0; i < r.count; i++) {
		r.list[i]->again = r.list[i]->endless;
		r.list[i]->endless = false;
	}
}

/* Returns the first block that has not begun; r.blocks: there is none. */
static uint32_t next_new(void)
{
	while (r.next < r.blocks && has_begun(r.next))
		r.next++;
	return r.next;
}

/* Returns whether all blocks of the grid are at its barrier, and lets them pass
 * it. */
static bool grid_over(void)
{
	if (r.count < r.blocks)
		return false;
	for (size_t i = 0; i < r.count; i++)
		if (r.list[i]->ended || !r.list[i]->grid ||
		    r.list[i]->round != r.round)
			return false;
	r.round++;
	rec.grid_epoch = ++rec.epoch;
	return true;
}

static void begin_block(uint32_t block)
{
	bool record = r.record_most > 0 && is_chosen(block);

	r.record_most -= record;
	scheduler_begin(block, record);
}

/* Runs the current block until it has ended or waits. */
static void run_turn(void)
{
	if (!scheduler_go()) {
		suspend_block();
		return;
	}
	scheduler_end();
	parked_ended();
	ended_keep();
}

/* Finds a spinning thread that can leave its loop after all, when no block can
 * go on; its block is the current one then. False: there is none. */
static bool spins_look(void)
{
	for (size_t i = 0; i < r.count && !rec.stop; i++) {
		struct kept_block *k = r.list[i];

		if (k->ended || k->grid || k->endless)
			continue;
		resume_block(k);
		if (scheduler_spins()) {
			parked_again();
			return true;
		}
		suspend_block()->endless = true;
	}
	return false;
}

/* Makes another block that can go on the current one; false: there is none. */
static bool make_next_current(void)
{
	struct kept_block *k = next_kept();

	if (!k && grid_over())
		k = next_kept();
	if (k)
		resume_block(k);
	else if (r.resident < r.most && next_new() < r.blocks)
		begin_block(next_new());
	else
		return spins_look();
	return true;
}

void parked_turns(void)
{
	uint32_t own = current_number();

	if (!r.any)
		first_time();
	suspend_block();
	while (!rec.stop && make_next_current()) {
		if (current_number() == own)
			return;
		run_turn();
	}
	r.failed = true;
	resume_block(kept_of(own));
}

bool parked_waits(void)
{
	bool grid = false, spins = false;

	if (!r.blocks || r.failed || rec.tainted || rec.stop)
		return false;
	for (uint32_t i = 0; i < r.threads; i++) {
		const struct thread *t = &rec.threads[i];

		if (t->state != THREAD_AT_WAIT)
			continue;
		grid = grid || t->wait->grid;
		spins = spins || t->wait->spins;
	}
	return grid || (spins && (next_new() < r.blocks ||
				  r.resident > 1));
}

enum parked_state parked_take(uint32_t block)
{
	struct kept_block *k = kept_of(block);

	if (!k)
		return RESIDENT_NEW;
	if (!k->ended) {
		resume_block(k);
		return RESIDENT_WAITS;
	}
	block_put_back(k);
	kept_remove(k);
	return RESIDENT_ENDED;
}

/* ---- grid ---- */

static bool grid_wait_over(struct thread *t, void *on)
{
	(void)t;
	(void)on;
	return false;
}

/* Adds the finding: blocks have ended, or cannot begin before others have. */
static void grid_never(const struct thread *t, const void *on)
{
	uint32_t missing = 0;

	(void)on;
	for (size_t i = 0; i < r.count; i++)
		missing += r.list[i]->ended;
	if (rec.spoiled)
		return;
	emu_finding(t, next_new() < r.blocks ?
		(struct trace_finding) { .cause = CAUSE_GRID_LARGE,
					 .number = { r.blocks, r.most } } :
		(struct trace_finding) { .cause = CAUSE_GRID_MISSING,
					 .number = { r.blocks, missing } });
}

bool gemmviz_grid_valid(void);
bool gemmviz_grid_valid(void)
{
	return rec.thread && r.launch->cooperative;
}

void gemmviz_grid_sync(void *here);
void gemmviz_grid_sync(void *here)
{
	struct wait w = { .over = grid_wait_over, .never = grid_never,
			  .grid = true };
	struct thread *t = rec.thread;

	if (!t)
		return;
	thread_sync(here);
	if (!r.launch->cooperative)
		emu_finding_stops(CAUSE_GRID_PLAIN);
	if (!r.blocks)
		emu_finding_stops(CAUSE_GRID_LARGE);
	thread_wait(&w);
}
