/*
 * scheduler: runs the threads of a block in turn until a barrier or their end,
 * and the blocks of a cluster in turn until none can go on by itself.
 *
 * Which thread goes first changes nothing in what is recorded: each writes its
 * own events, and what they share is ordered by barriers or is a finding.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/emu.h"
#include "emu/hang_check.h"
#include "emu/fibre.h"
#include "emu/output.h"
#include "emu/parked_blocks.h"
#include "emu/scheduler.h"
#include "emu/unit.h"

/* Basic blocks that a launch may run for each event that it may record. */
#define STEPS_PER_EVENT 4
#define STEPS_LEAST 100000000
/* Seconds of processor time between two checks whether the kernel does
 * anything. */
#define IDLE_SECONDS 1
/* What shared memory holds at first; as a float it is a NaN. */
#define SHARED_PATTERN 0xffbadbad

/* Names that the kernel's text knows. */
struct index3 { unsigned int x, y, z; };
struct index3 threadIdx, blockIdx, blockDim, gridDim;

bool is_index_word(uintptr_t address)
{
	return address - (uintptr_t)&threadIdx < sizeof(threadIdx) ||
	       address - (uintptr_t)&blockIdx < sizeof(blockIdx) ||
	       address - (uintptr_t)&blockDim < sizeof(blockDim) ||
	       address - (uintptr_t)&gridDim < sizeof(gridDim);
}

bool is_own_index(uintptr_t address)
{
	return address == (uintptr_t)&threadIdx ||
	       address == (uintptr_t)&blockIdx ||
	       address == (uintptr_t)&blockDim ||
	       address == (uintptr_t)&gridDim;
}

struct launch_run run;

/* ---- prepare ---- */

static void clear_thread(struct thread *t)
{
	units_thread_free(t);
	free(t->id);
	free(t->offset);
	free(t->value);
	free(t->frames);
	memset(t, 0, sizeof(*t));
}

void threads_drop(struct thread *list, uint32_t count)
{
	for (uint32_t i = 0; list && i < count; i++) {
		rec.memory_left += list[i].capacity * 8 +
				   list[i].word_capacity * 4;
		clear_thread(&list[i]);
	}
	free(list);
}

static void threads_free(void)
{
	for (uint32_t r = 0; r < CLUSTER_MOST; r++)
		for (size_t i = 0; rec.blocks[r].threads &&
				   i < BLOCK_THREADS_MAX; i++)
			clear_thread(&rec.blocks[r].threads[i]);
	rec.memory_left = BLOCK_MEMORY_MOST;
}

static void blocks_make(void)
{
	for (uint32_t r = 0; r < rec.cluster; r++)
		if (!rec.blocks[r].threads)
			rec.blocks[r].threads =
				xcalloc(BLOCK_THREADS_MAX,
					sizeof(*rec.blocks[r].threads));
	rec.rank = 0;
	rec.threads = rec.blocks[0].threads;
}

int block_begin(struct launch *l, struct error *e)
{
	rec.arch = l->plan.job.kernel.arch;
	rec.grid = l->plan.grid;
	rec.block = l->plan.block;
	rec.thread_count = l->plan.block.x * l->plan.block.y * l->plan.block.z;
	rec.values = l->plan.job.values;
	rec.spaces = l->plan.job.spaces;
	rec.events_left = l->plan.job.max_events;
	rec.events_aside = 0;
	rec.tick = run_tick;
	l->stop = STOP_NONE;
	memset(&run, 0, sizeof(run));
	run.launch = l;
	run.report_at = seconds_now() + PROGRESS_SECONDS;
	run.deadline = seconds_now() + l->plan.job.seconds;
	run.steps = MAX(l->plan.job.max_events * STEPS_PER_EVENT,
			STEPS_LEAST);
	run.steps_left = run.steps;
	run.shuffle = l->plan.job.seed * 2 + 1;
	if (rec.memory_left < BLOCK_MEMORY_MOST / 2)
		threads_free();
	blocks_make();
	blockDim = (struct index3) { rec.block.x, rec.block.y, rec.block.z };
	gridDim = (struct index3) { rec.grid.x, rec.grid.y, rec.grid.z };
	parked_begin(l);
	return fibres_init((size_t)rec.cluster * rec.thread_count, e);
}

/* ---- threads ---- */

size_t fibre_of(const struct thread *t)
{
	return (size_t)rec.rank * rec.thread_count + t->number;
}

static void thread_main(void *argument)
{
	struct thread *t = argument;

	launch_call(run.launch);
	thread_settle(t);
	units_thread_end(t);
	t->state = THREAD_ENDED;
}

static void threads_begin(bool record)
{
	for (uint32_t i = 0; i < rec.thread_count; i++) {
		struct thread *t = &rec.threads[i];

		t->number = i;
		t->index = dim_of(rec.block, i);
		t->record = record && run.launch->plan.job.warps >>
				      (i / WARP_LANES) & 1;
		thread_reset(t);
		t->stack = fibre_stack(fibre_of(t));
		fibre_reset(fibre_of(t), thread_main, t);
		run.order[i] = i;
	}
}

static void order_arrange(void)
{
	uint32_t n = rec.thread_count;

	if (run.launch->plan.job.order == ORDER_FORWARD)
		return;
	for (uint32_t i = 0; i < n; i++)
		run.order[i] = n - 1 - i;
	if (run.launch->plan.job.order == ORDER_REVERSE)
		return;
	for (uint32_t i = n; i > 1; i--) {
		uint32_t j, keep = run.order[i - 1];

		run.shuffle = run.shuffle * 6364136223846793005u +
			      1442695040888963407u;
		j = (uint32_t)(run.shuffle >> 33) % i;
		run.order[i - 1] = run.order[j];
		run.order[j] = keep;
	}
}

static void indices_set(void)
{
	struct trace_dim at = dim_of(rec.grid, rec.block_number);

	blockIdx = (struct index3) { at.x, at.y, at.z };
	blockDim = (struct index3) { rec.block.x, rec.block.y, rec.block.z };
	gridDim = (struct index3) { rec.grid.x, rec.grid.y, rec.grid.z };
}

void emu_index_alone(void)
{
	threadIdx = blockIdx = (struct index3) { 0, 0, 0 };
	blockDim = gridDim = (struct index3) { 1, 1, 1 };
}

static void thread_run(struct thread *t)
{
	threadIdx = (struct index3) { t->index.x, t->index.y, t->index.z };
	rec.thread = t;
	fibre_run(fibre_of(t));
	rec.thread = NULL;
	if (run.crashed)
		thread_lost(t);
	if (rec.proving)
		hang_end(t);
	if (rec.stop && !run.stopped) {
		run.stopped = true;
		run.stopped_at = emu_finding_at(t);
	}
}

/* Runs every thread that can go on, until none can. */
static bool threads_run(void)
{
	bool any = false, again;

	order_arrange();
	do {
		again = false;
		for (uint32_t i = 0; i < rec.thread_count && !rec.stop; i++) {
			struct thread *t = &rec.threads[run.order[i]];

			if (t->state == THREAD_AT_WAIT &&
			    t->wait->over(t, t->wait->on))
				t->state = THREAD_READY;
			if (t->state != THREAD_READY)
				continue;
			thread_run(t);
			again = true;
		}
		any = any || again;
	} while (!rec.stop && (again || units_unblock(false)));
	return any;
}

/* ---- barriers ---- */

/*
 * Checks that all threads wait at one barrier, when each of them waits or has
 * ended. The barrier of the first thread that waits is taken for the one that
 * all should have reached.
 */
static void barrier_check(const struct thread *first)
{
	const struct thread *never = NULL;
	uint32_t waiting = 0;

	for (uint32_t i = 0; i < rec.thread_count; i++) {
		const struct thread *t = &rec.threads[i];

		if (t->state == THREAD_AT_BARRIER && t->at == first->at) {
			waiting++;
			continue;
		}
		if (!never)
			never = t;
	}
	if (never)
		emu_finding_barrier(first, never, waiting);
}

static struct thread *first_in(enum thread_state state)
{
	for (uint32_t i = 0; i < rec.thread_count; i++)
		if (rec.threads[i].state == state)
			return &rec.threads[i];
	return NULL;
}

static void barrier_pass(void)
{
	units_interval_end();
	for (uint32_t i = 0; i < rec.thread_count; i++) {
		struct thread *t = &rec.threads[i];

		if (t->state == THREAD_AT_BARRIER)
			t->state = THREAD_READY;
		t->safe_count = t->count;
		t->safe_words = t->words;
	}
	rec.blocks[rec.rank].any_safe = true;
	rec.interval = rec.blocks[rec.rank].interval = ++rec.epoch;
}

/* Lets the threads pass __syncthreads() if all that have not ended wait
 * there. */
static bool barrier_end(void)
{
	const struct thread *waiting = first_in(THREAD_AT_BARRIER);

	if (!waiting || first_in(THREAD_AT_WARP_SYNC) ||
	    first_in(THREAD_AT_WAIT))
		return false;
	if (!rec.tainted)
		barrier_check(waiting);
	output_barrier();
	barrier_pass();
	return true;
}

/*
 * Lets threads that spin on what others may write go on by themselves, if their
 * loops have another end; only if each of them is shown to have none they wait
 * for ever.
 */
static bool spins_end(void)
{
	bool went_on = false;

	for (uint32_t i = 0; i < rec.thread_count && !went_on; i++) {
		struct thread *t = &rec.threads[i];

		went_on = t->state == THREAD_AT_WAIT && t->wait->spins &&
			  !hang_try(t, thread_run);
	}
	for (uint32_t i = 0; i < rec.thread_count && went_on; i++)
		if (hang_shown(&rec.threads[i]))
			rec.threads[i].state = THREAD_READY;
	return went_on;
}

/* Stops the threads whose waits will never be over. */
static bool waits_fail(void)
{
	struct thread *t = first_in(THREAD_AT_WAIT);
	bool any = t;

	for (; t; t = first_in(THREAD_AT_WAIT)) {
		if (!rec.tainted)
			t->wait->never(t, t->wait->on);
		t->state = THREAD_STOPPED;
	}
	return any;
}

/* ---- the block ---- */

static void shared_fill(void)
{
	for (size_t i = 0; i < rec.memory.count; i++) {
		const struct array *a = rec.memory.arrays[i];
		uint32_t pattern = SHARED_PATTERN;

		if (a->info.space != SPACE_SHARED || a->whole)
			continue;
		for (uint64_t b = 0; b < a->bytes; b += sizeof(pattern))
			memcpy((char *)a->lo + b, &pattern,
			       MIN(sizeof(pattern), a->bytes - b));
	}
}

/* Starts a turn of the block: accesses from now on are in its epochs. */
static void start_turn(uint32_t block)
{
	rec.epoch++;
	grow(&rec.began, &rec.began_capacity, rec.began_count + 1,
	     sizeof(*rec.began));
	rec.began[rec.began_count].epoch = rec.epoch;
	rec.began[rec.began_count].block = block;
	rec.began_count++;
}

void block_use(uint32_t rank)
{
	const struct block *b = &rec.blocks[rank];
	struct trace_dim at = dim_of(rec.grid, b->number);

	blockIdx = (struct index3) { at.x, at.y, at.z };
	rec.rank = rank;
	rec.threads = b->threads;
	rec.block_number = b->number;
	rec.interval = b->interval;
	rec.block_epoch = rec.turn = b->epoch;
	memory_use(&rec.memory, rank);
	if (rec.cluster > 1)
		start_turn(b->number);
}

static void block_start(uint32_t rank, uint32_t number, bool record)
{
	struct block *b = &rec.blocks[rank];

	start_turn(number);
	b->number = number;
	b->interval = b->epoch = rec.epoch;
	b->any_safe = false;
	b->records = record;
	units_block_begin(b);
	block_use(rank);
	if (!rec.fast)
		shared_fill();
	threads_begin(record);
}

void block_peek(void)
{
	double due = budget_due(run.deadline);

	rec.tainted = false;
	units_cluster_begin();
	block_start(0, 0, false);
	thread_run(&rec.threads[0]);
	rec.thread = NULL;
	budget_due(due);
}

/*
 * Drops events of a block that was stopped, in which some threads are far
 * ahead: it is cut back to the last barrier that all passed. Without one, it is
 * kept only when it is all there is.
 */
static void events_cut(const struct block *b)
{
	if (!b->any_safe && run.blocks == 0)
		return;
	for (uint32_t i = 0; i < rec.thread_count; i++) {
		struct thread *t = &b->threads[i];

		t->count = b->any_safe ? t->safe_count : 0;
		t->words = b->any_safe ? t->safe_words : 0;
	}
}

/* ---- the cluster ---- */

/* Calls `does` for each block in turn; returns whether some could do it. */
static bool each_block(bool (*does)(void))
{
	bool any = false;

	for (uint32_t r = 0; r < rec.cluster && !rec.stop; r++) {
		if (rec.cluster > 1)
			block_use(r);
		any = does() || any;
	}
	return any;
}

static bool unblock_failed(void)
{
	return units_unblock(true);
}

static bool interval_end(void)
{
	units_interval_end();
	return false;
}

/* ---- what the host does meanwhile ---- */

/* Returns whether a thread spins, or is at the grid's barrier while other
 * blocks spin. */
static bool any_spins(void)
{
	bool grid = false;

	for (uint32_t i = 0; i < rec.thread_count; i++) {
		const struct thread *t = &rec.threads[i];

		if (t->state != THREAD_AT_WAIT)
			continue;
		if (hang_shown(t) || t->wait->spins)
			return true;
		grid = grid || t->wait->grid;
	}
	return grid && parked_spins();
}

static bool any_over(void)
{
	for (uint32_t i = 0; i < rec.thread_count; i++) {
		struct thread *t = &rec.threads[i];

		if (hang_over(t) || (t->state == THREAD_AT_WAIT &&
					t->wait->over(t, t->wait->on)))
			return true;
	}
	return false;
}

static bool can_go(void)
{
	return each_block(any_over) || parked_can_go();
}

static bool shown_again(void)
{
	for (uint32_t i = 0; i < rec.thread_count; i++)
		if (hang_shown(&rec.threads[i]))
			rec.threads[i].state = THREAD_READY;
	return false;
}

/* Lets the host go on, which may yet set what the launch's threads spin on. */
static bool host_sets(void)
{
	if (!run.launch->call || rec.watched || !each_block(any_spins))
		return false;
	idle_watch(0);
	if (!emu_program.launch_waits(can_go, &rec.host_waits))
		return false;
	indices_set();
	idle_watch(IDLE_SECONDS);
	each_block(shown_again);
	parked_again();
	return true;
}

/* Ends waits when no thread can go on by itself. */
static bool waits_end(void)
{
	bool any;

	if (!rec.tainted && (each_block(spins_end) || host_sets()))
		return true;
	if (!rec.tainted)
		units_stuck();
	any = each_block(waits_fail);
	rec.tainted = rec.tainted || any;
	return any;
}

static void cluster_begin(uint32_t first, uint32_t record)
{
	rec.tainted = false;
	units_cluster_begin();
	for (uint32_t r = 0; r < rec.cluster; r++)
		block_start(r, first + r, record >> r & 1);
	parked_begun(first);
}

/* Runs the cluster until it has ended; false: it waits for other blocks. */
static bool cluster_go(void)
{
	bool waits = false;

	idle_watch(IDLE_SECONDS);
	while (!rec.stop && !waits &&
	       (each_block(threads_run) || each_block(barrier_end) ||
		each_block(unblock_failed) || (waits = parked_waits()) ||
		waits_end()))
		;
	idle_watch(0);
	return !waits;
}

static void cluster_end(void)
{
	each_block(interval_end);
	for (uint32_t r = 0; rec.stop && r < rec.cluster; r++)
		events_cut(&rec.blocks[r]);
	rec.spoiled = rec.spoiled || rec.tainted;
	run.blocks += rec.cluster;
}

void cluster_run(uint32_t first, uint32_t record)
{
	double due = budget_due(run.deadline);
	enum parked_state is = parked_take(first);

	if (is == RESIDENT_NEW)
		cluster_begin(first, record);
	if (is != RESIDENT_ENDED) {
		while (!cluster_go())
			parked_turns();
		cluster_end();
		parked_ended();
	}
	budget_due(due);
}

/* ---- turns ---- */

void scheduler_begin(uint32_t block, bool record)
{
	blocks_make();
	cluster_begin(block, record);
}

bool scheduler_go(void)
{
	return cluster_go();
}

void scheduler_end(void)
{
	cluster_end();
}

void scheduler_use(void)
{
	blocks_make();
	block_use(0);
}

void scheduler_turn(void)
{
	start_turn(rec.block_number);
	rec.turn = rec.epoch;
}

void scheduler_barrier(void)
{
	barrier_pass();
}

bool scheduler_spins(void)
{
	return spins_end();
}
