/*
 * async_proxy: touches by what a thread has begun. See agent.h.
 */
#include <stdlib.h>

#include "emu/async_proxy.h"
#include "emu/unit.h"
#include "emu/vector_clock.h"

struct async_proxy async_proxy_begin(void)
{
	struct async_proxy a = { .of = rec.thread,
				 .knows = vector_clock_new() };

	a.number = a.of->number | SHADOW_ASYNC;
	vector_clock_release(a.of, a.knows);
	a.epoch = rec.epoch;
	return a;
}

void async_proxy_end(struct async_proxy *a)
{
	rec.epoch++;
	free(a->knows);
	a->knows = NULL;
}

static struct shadow_order order_of(const struct async_proxy *a,
				    const struct slot *s, uint32_t rank)
{
	const struct block *b = &rec.blocks[rank];

	return (struct shadow_order){
		.interval = b->epoch,
		.block = b->epoch,
		.global = s->array->info.space == SPACE_GLOBAL,
		.acquired = vector_clock_part(a->knows, rank),
		.happened_before = vector_clock_happened_before,
		.accessor = a->of,
	};
}

static struct shadow_access shadow_access_of(const struct async_proxy *a,
					     const struct slot *s)
{
	return (struct shadow_access){ a->epoch,
				       shadow_access_who(a->number, s->index) };
}

/* A thread's store is seen after its own fence, or after one of who begins the
 * access, which was ordered after the store. */
static bool fenced(const struct async_proxy *a, const struct shadow_access *w)
{
	const struct thread *writer = &rec.threads[shadow_access_thread(w)];

	return w->who & SHADOW_ASYNC || w->epoch < rec.block_epoch ||
	       w->epoch < writer->fenced || w->epoch < a->of->fenced;
}

static bool found(const struct async_proxy *a, const struct slot *s,
		  enum shadow_found what, const struct shadow_access *with,
		  uint64_t off)
{
	if (what == SHADOW_FINE || rec.tainted)
		return true;
	if (what == SHADOW_RACE)
		emu_finding_race(a->of, s, with, off);
	else if (what == SHADOW_EARLY)
		emu_finding_early(a->of, s, with, off);
	else
		emu_finding_unwritten(a->of, s, off);
	return false;
}

static bool seen(const struct async_proxy *a, const struct slot *s,
		 const struct shadow_access *write, uint64_t off)
{
	if (s->array->info.space == SPACE_GLOBAL || rec.tainted ||
	    fenced(a, write))
		return true;
	emu_finding_unfenced(a->of, s, write, off);
	return false;
}

bool async_proxy_reads(const struct async_proxy *a, const struct slot *s,
		       uint64_t off, uint64_t bytes)
{
	const struct array *x = s->array;
	struct shadow_order order = order_of(a, s, rec.rank);
	struct shadow_access me = shadow_access_of(a, s), with;

	for (uint64_t end = off + bytes; x->cells && off < end;
	     off += 1u << x->cell_shift) {
		struct shadow *c = array_cell(x, rec.rank, off);

		if (!found(a, s, shadow_read(c, &me, &order, &with), &with,
			   off) ||
		    !seen(a, s, &c->write, off))
			return false;
	}
	return true;
}

bool async_proxy_writes(const struct async_proxy *a, const struct slot *s,
			uint32_t rank, uint64_t off, uint64_t bytes)
{
	const struct array *x = s->array;
	struct shadow_order order = order_of(a, s, rank);
	struct shadow_access me = shadow_access_of(a, s), with;
	bool well = true;

	for (uint64_t end = off + bytes; x->cells && off < end;
	     off += 1u << x->cell_shift) {
		struct shadow *c = array_cell(x, rank, off);
		const struct shadow_access before = c->write;
		enum shadow_found what = shadow_write(c, &me, &order, &with);

		well = well && found(a, s, what, &with, off) &&
		       (rank != rec.rank || seen(a, s, &before, off));
	}
	return well;
}

void gemmviz_fence_async(void);
void gemmviz_fence_async(void)
{
	if (rec.thread)
		rec.thread->fenced = ++rec.epoch;
}

static void thread_begin(struct thread *t)
{
	t->fenced = 0;
}

const struct emu_unit async_proxy_unit = { .thread_begin = thread_begin };
