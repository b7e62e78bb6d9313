/*
 * async_proxy: accesses by the async proxy of a thread. See async_proxy.h.
 */
#include <stdlib.h>

#include "emu/async_proxy.h"
#include "emu/unit.h"
#include "emu/vector_clock.h"

struct async_proxy async_proxy_begin(void)
{
	struct async_proxy a = { .thread = rec.thread,
				 .clock = vector_clock_new() };

	a.number = a.thread->number | SHADOW_ASYNC;
	vector_clock_release(a.thread, a.clock);
	a.epoch = rec.epoch;
	return a;
}

void async_proxy_end(struct async_proxy *a)
{
	rec.epoch++;
	free(a->clock);
	a->clock = NULL;
}

static struct shadow_order order_of(const struct async_proxy *a,
				    const struct slot *s, uint32_t rank)
{
	const struct block *b = &rec.blocks[rank];

	return (struct shadow_order){
		.interval = b->epoch,
		.block = b->epoch,
		.global = s->array->info.space == SPACE_GLOBAL,
		.acquired = vector_clock_part(a->clock, rank),
		.happened_before = vector_clock_happened_before,
		.accessor = a->thread,
	};
}

static struct shadow_access shadow_access_of(const struct async_proxy *a,
					     const struct slot *s)
{
	return (struct shadow_access){ a->epoch,
				       shadow_access_who(a->number, s->index) };
}

/* The async proxy sees a thread's store after a proxy fence of that thread, or
 * of the one that begins the access, which was ordered after the store. */
static bool fenced(const struct async_proxy *a, const struct shadow_access *w)
{
	const struct thread *writer = &rec.threads[shadow_access_thread(w)];

	return w->who & SHADOW_ASYNC || w->epoch < rec.block_epoch ||
	       w->epoch < writer->fenced || w->epoch < a->thread->fenced;
}

static bool found(const struct async_proxy *a, const struct slot *s,
		  enum shadow_found what, const struct shadow_access *with,
		  uint64_t off)
{
	if (what == SHADOW_FINE || rec.tainted)
		return true;
	if (what == SHADOW_RACE)
		emu_finding_race(a->thread, s, with, off);
	else if (what == SHADOW_EARLY)
		emu_finding_early(a->thread, s, with, off);
	else
		emu_finding_unwritten(a->thread, s, off);
	return false;
}

static bool seen(const struct async_proxy *a, const struct slot *s,
		 const struct shadow_access *write, uint64_t off)
{
	if (s->array->info.space == SPACE_GLOBAL || rec.tainted ||
	    fenced(a, write))
		return true;
	emu_finding_unfenced(a->thread, s, write, off);
	return false;
}

bool async_proxy_reads(const struct async_proxy *a, const struct slot *s,
		       uint64_t off, uint64_t bytes)
{
	const struct array *x = s->array;
	struct shadow_order order = order_of(a, s, rec.rank);
	struct shadow_access me = shadow_access_of(a, s), with;

	for (uint64_t end = off + bytes; x->shadow && off < end;
	     off += 1u << x->shadow_shift) {
		struct shadow_history *h;
		struct shadow *c = array_shadow(x, rec.rank, off, &h);

		if (!found(a, s, shadow_read(c, h, &me, &order, &with), &with,
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

	for (uint64_t end = off + bytes; x->shadow && off < end;
	     off += 1u << x->shadow_shift) {
		struct shadow_history *h;
		struct shadow *c = array_shadow(x, rank, off, &h);
		const struct shadow_access before = c->write;
		enum shadow_found what =
			shadow_write(c, h, &me, &order, &with);

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
