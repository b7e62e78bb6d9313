/*
 * agent: touches by what a thread has begun. See agent.h.
 */
#include <stdlib.h>

#include "emu/async_proxy.h"
#include "emu/vector_clock.h"

struct agent agent_begin(void)
{
	struct agent a = { .of = rec.thread, .knows = clock_new() };

	a.number = a.of->number | TOUCH_ASYNC;
	clock_release(a.of, a.knows);
	a.epoch = rec.epoch;
	return a;
}

void agent_end(struct agent *a)
{
	rec.epoch++;
	free(a->knows);
	a->knows = NULL;
}

static struct cell_order order_of(const struct agent *a, const struct slot *s,
				  uint32_t rank)
{
	const struct block *b = &rec.blocks[rank];

	return (struct cell_order) {
		.interval = b->epoch, .block = b->epoch,
		.global = s->array->info.space == SPACE_GLOBAL,
		.heard = clock_part(a->knows, rank),
		.knows = clock_knows, .toucher = a->of,
	};
}

static struct touch touch_of(const struct agent *a, const struct slot *s)
{
	return (struct touch) { a->epoch, touch_who(a->number, s->index) };
}

/* A thread's store is seen after its own fence, or after one of who begins the
 * access, which was ordered after the store. */
static bool fenced(const struct agent *a, const struct touch *w)
{
	const struct thread *writer = &rec.threads[touch_thread(w)];

	return w->who & TOUCH_ASYNC || w->epoch < rec.block_epoch ||
	       w->epoch < writer->fenced || w->epoch < a->of->fenced;
}

static bool found(const struct agent *a, const struct slot *s,
		  enum cell_found what, const struct touch *with, uint64_t off)
{
	if (what == CELL_FINE || rec.tainted)
		return true;
	if (what == CELL_RACE)
		fault_race(a->of, s, with, off);
	else if (what == CELL_EARLY)
		fault_early(a->of, s, with, off);
	else
		fault_unwritten(a->of, s, off);
	return false;
}

static bool seen(const struct agent *a, const struct slot *s,
		 const struct touch *write, uint64_t off)
{
	if (s->array->info.space == SPACE_GLOBAL || rec.tainted ||
	    fenced(a, write))
		return true;
	fault_unfenced(a->of, s, write, off);
	return false;
}

bool agent_reads(const struct agent *a, const struct slot *s, uint64_t off,
		 uint64_t bytes)
{
	const struct array *x = s->array;
	struct cell_order order = order_of(a, s, rec.rank);
	struct touch me = touch_of(a, s), with;

	for (uint64_t end = off + bytes; x->cells && off < end;
	     off += 1u << x->cell_shift) {
		struct cell *c = array_cell(x, rec.rank, off);

		if (!found(a, s, cell_read(c, &me, &order, &with), &with,
			   off) || !seen(a, s, &c->write, off))
			return false;
	}
	return true;
}

bool agent_writes(const struct agent *a, const struct slot *s, uint32_t rank,
		  uint64_t off, uint64_t bytes)
{
	const struct array *x = s->array;
	struct cell_order order = order_of(a, s, rank);
	struct touch me = touch_of(a, s), with;
	bool well = true;

	for (uint64_t end = off + bytes; x->cells && off < end;
	     off += 1u << x->cell_shift) {
		struct cell *c = array_cell(x, rank, off);
		const struct touch before = c->write;
		enum cell_found what = cell_write(c, &me, &order, &with);

		well = well && found(a, s, what, &with, off) &&
		       (rank != rec.rank || seen(a, s, &before, off));
	}
	return well;
}
