/*
 * async_proxy: accesses by the async proxy of a thread. See async_proxy.h.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/hopper/async_proxy.h"
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

struct async_access async_proxy_access(const struct async_proxy *a,
				       const struct access_site *s, uint32_t rank)
{
	const struct block *b = &rec.blocks[rank];

	return (struct async_access){
		.proxy = a,
		.slot = s,
		.rank = rank,
		.me = { a->epoch, shadow_access_who(a->number, s->index) },
		.order = {
			.interval = b->epoch,
			.block = b->epoch,
			.global = s->array->info.space == SPACE_GLOBAL,
			.acquired = vector_clock_part(a->clock, rank),
			.happened_before = vector_clock_happened_before,
			.accessor = a->thread,
		},
	};
}

/* Returns whether the async proxy sees the store w: its thread, or the thread
 * that begins the access, has executed a proxy fence since. */
static bool is_fenced(const struct async_proxy *a,
		      const struct shadow_access *w)
{
	const struct thread *writer = &rec.threads[shadow_access_thread(w)];

	return w->who & SHADOW_ASYNC || w->epoch < rec.block_epoch ||
	       w->epoch < writer->fenced || w->epoch < a->thread->fenced;
}

/* Adds the finding that the race detector made (`what`) of an access at `off`;
 * returns true if there is none. */
static bool check_access_order(const struct async_proxy *a,
			       const struct access_site *s, enum shadow_found what,
			       const struct shadow_access *with, uint64_t off)
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

/* Adds a finding if a thread's store at `off` is not visible to the async
 * proxy; returns true if it is. */
static bool check_proxy_fence(const struct async_proxy *a, const struct access_site *s,
			      const struct shadow_access *write, uint64_t off)
{
	if (s->array->info.space == SPACE_GLOBAL || rec.tainted ||
	    is_fenced(a, write))
		return true;
	emu_finding_unfenced(a->thread, s, write, off);
	return false;
}

static inline bool shadow_same(const struct shadow *a, const struct shadow *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* Stores the shadow before and after an access for the next elements. After an
 * atomic nothing is stored: its outcome depends on more than the shadow. */
static void note_history(struct async_access *x, const struct shadow *before,
			 const struct shadow *after)
{
	x->known = !(before->write.who & SHADOW_ATOMIC);
	x->before = *before;
	x->after = *after;
}

static bool read_one(struct async_access *x, struct shadow *c,
		     struct shadow_history *h, uint64_t off)
{
	const struct shadow before = *c;
	struct shadow_access with;
	enum shadow_found what = shadow_read(c, h, &x->me, &x->order, &with);

	if (!check_access_order(x->proxy, x->slot, what, &with, off) ||
	    (x->rank == rec.rank &&
	     !check_proxy_fence(x->proxy, x->slot, &before.write, off)))
		return false;
	note_history(x, &before, c);
	return true;
}

bool async_proxy_reads(struct async_access *x, uint64_t off, uint64_t bytes)
{
	const struct array *a = x->slot->array;
	uint32_t each = 1u << a->shadow_shift;
	struct shadow_history *h;
	struct shadow *c;

	if (!a->shadow)
		return true;
	c = array_shadow(a, x->rank, off, &h);
	for (uint64_t end = off + bytes; off < end; off += each, c++, h++) {
		if (x->known && shadow_same(c, &x->before))
			*c = x->after;
		else if (!read_one(x, c, h, off))
			return false;
	}
	return true;
}

/* Writes one element; returns whether the access is still without a finding.
 * With `well` false it records the write and adds no further finding. */
static bool write_one(struct async_access *x, struct shadow *c,
		      struct shadow_history *h, uint64_t off, bool well)
{
	const struct shadow before = *c;
	struct shadow_access with;
	enum shadow_found what = shadow_write(c, h, &x->me, &x->order, &with);

	if (!well || !check_access_order(x->proxy, x->slot, what, &with, off) ||
	    (x->rank == rec.rank &&
	     !check_proxy_fence(x->proxy, x->slot, &before.write, off)))
		return false;
	note_history(x, &before, c);
	return true;
}

bool async_proxy_writes(struct async_access *x, uint64_t off, uint64_t bytes)
{
	const struct array *a = x->slot->array;
	uint32_t each = 1u << a->shadow_shift;
	struct shadow_history *h;
	struct shadow *c;
	bool well = true;

	if (!a->shadow)
		return true;
	c = array_shadow(a, x->rank, off, &h);
	for (uint64_t end = off + bytes; off < end; off += each, c++, h++) {
		if (x->known && shadow_same(c, &x->before))
			*c = x->after;
		else
			well = write_one(x, c, h, off, well);
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
