/*
 * gpu_scope_order: see gpu_scope_order.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "record/gpu_scope_order.h"

struct vector_clock {
	uint32_t holders, agents;
	uint32_t first[];		/* by agent */
};

/* By number, ascending. */
struct release {
	uint32_t holders;
	size_t count;
	struct released { uint32_t number; struct vector_clock *clock; } of[];
};

/* ---- vector clocks ---- */

/* Copies the clocks of `agents` agents into a new vector clock without
 * holders. */
static struct vector_clock *clock_make(const uint32_t *first, uint32_t agents)
{
	struct vector_clock *c = xmalloc(sizeof(*c) + agents * sizeof(*first));

	c->holders = 0;
	c->agents = agents;
	memcpy(c->first, first, agents * sizeof(*first));
	return c;
}

static void drop_clock(struct vector_clock *c)
{
	if (--c->holders == 0)
		free(c);
}

/* Returns the maximum of both clocks: one of them where it is later in all
 * agents, else a new clock. */
static struct vector_clock *clock_both(struct vector_clock *a,
				       struct vector_clock *b)
{
	bool more = false, less = false;
	struct vector_clock *c;

	for (uint32_t i = 0; i < a->agents && a != b; i++) {
		more |= a->first[i] > b->first[i];
		less |= a->first[i] < b->first[i];
	}
	if (!less)
		return a;
	if (!more)
		return b;
	c = clock_make(a->first, a->agents);
	for (uint32_t i = 0; i < a->agents; i++)
		c->first[i] = MAX(a->first[i], b->first[i]);
	return c;
}

/* ---- releases ---- */

static struct release *release_make(size_t most)
{
	struct release *n = xmalloc(sizeof(*n) + most * sizeof(*n->of));

	n->holders = 1;
	n->count = 0;
	return n;
}

static void release_put(struct release *n, uint32_t number,
			struct vector_clock *c)
{
	c->holders++;
	n->of[n->count++] = (struct released) { number, c };
}

static struct release *release_keep(struct release *n)
{
	if (n)
		n->holders++;
	return n;
}

static void release_drop(struct release *n)
{
	if (!n || --n->holders > 0)
		return;
	for (size_t i = 0; i < n->count; i++)
		drop_clock(n->of[i].clock);
	free(n);
}

const uint32_t *scope_order_acquired(const struct release *n, uint32_t number)
{
	size_t low = 0, high = n ? n->count : 0;

	while (low < high) {
		size_t i = (low + high) / 2;

		if (n->of[i].number == number)
			return n->of[i].clock->first;
		if (n->of[i].number < number)
			low = i + 1;
		else
			high = i;
	}
	return NULL;
}

/* Tests whether a has all clocks of b. */
static bool release_has(const struct release *a, const struct release *b)
{
	size_t i = 0, k = 0;

	while (k < b->count && i < a->count) {
		k += a->of[i].clock == b->of[k].clock;
		i++;
	}
	return k == b->count;
}

static struct release *release_merge(const struct release *a,
				     const struct release *b)
{
	struct release *n = release_make(a->count + b->count);
	size_t i = 0, k = 0;

	while (i < a->count || k < b->count) {
		const struct released *x = i < a->count ? &a->of[i] : NULL;
		const struct released *y = k < b->count ? &b->of[k] : NULL;

		if (x && y && x->number == y->number)
			release_put(n, x->number,
				    clock_both(x->clock, y->clock));
		else if (!y || (x && x->number < y->number))
			release_put(n, x->number, x->clock);
		else
			release_put(n, y->number, y->clock);
		i += x && (!y || x->number <= y->number);
		k += y && (!x || y->number <= x->number);
	}
	return n;
}

/* Adds the clocks of `more` to *to. */
static void release_join(struct release **to, struct release *more)
{
	struct release *was = *to;

	if (!more || (was && release_has(was, more)))
		return;
	*to = !was || release_has(more, was) ? release_keep(more) :
					       release_merge(was, more);
	release_drop(was);
}

/* ---- sync variables ---- */

/* Finds the release that is stored at the address; NULL when there never was
 * one. */
static struct release **release_at(const struct sync_variables *b,
				   uint64_t address)
{
	uint32_t n = map_find(&b->addresses, &address, sizeof(address));

	return n == MAP_NONE ? NULL : &b->releases[n];
}

static struct release **release_new(struct sync_variables *b, uint64_t address)
{
	uint32_t n = map_add(&b->addresses, &address, sizeof(address));

	grow(&b->releases, &b->capacity, b->addresses.count,
	     sizeof(*b->releases));
	b->releases[n] = NULL;
	return &b->releases[n];
}

void sync_variables_done(struct sync_variables *b)
{
	for (size_t i = 0; i < b->addresses.count; i++)
		release_drop(b->releases[i]);
	map_done(&b->addresses);
	free(b->releases);
	*b = (struct sync_variables){ 0 };
}

/* ---- what threads do ---- */

/* Releases all that the thread has done and acquired. */
void scope_order_fence(struct acquired *thread, const struct acquired *block,
		       uint32_t number, const uint32_t *clock, uint32_t agents)
{
	struct release *own = release_make(1);

	release_put(own, number, clock_make(clock, agents));
	release_join(&thread->shown, own);
	release_join(&thread->shown, thread->known);
	release_join(&thread->shown, block->known);
	release_drop(own);
}

/* Joins what the thread has acquired into the block. A barrier is no fence, so
 * what relaxed atomics have seen stays with the thread. */
void scope_order_barrier(struct acquired *block, struct acquired *thread)
{
	struct release *seen = release_keep(thread->seen);

	release_join(&block->known, thread->known);
	release_join(&block->shown, thread->shown);
	acquired_done(thread);
	thread->seen = seen;
}

void scope_order_join(struct acquired *to, const struct acquired *from)
{
	release_join(&to->known, from->known);
	release_join(&to->shown, from->shown);
}

void scope_order_read(const struct sync_variables *b, uint64_t address,
		      struct acquired *thread)
{
	struct release **at = release_at(b, address);

	if (at)
		release_join(&thread->known, *at);
}

void scope_order_see(const struct sync_variables *b, uint64_t address,
		     struct acquired *thread)
{
	struct release **at = release_at(b, address);

	if (at)
		release_join(&thread->seen, *at);
}

void scope_order_acquire(struct acquired *thread)
{
	release_join(&thread->known, thread->seen);
	release_drop(thread->seen);
	thread->seen = NULL;
}

void scope_order_write(struct sync_variables *b, uint64_t address,
		       const struct acquired *thread,
		       const struct acquired *block, bool was_read)
{
	struct release **at = release_at(b, address);
	struct release *release = NULL;

	if (was_read && at)
		release = release_keep(*at);
	release_join(&release, block->shown);
	release_join(&release, thread->shown);
	if (!at && !release)
		return;
	if (!at)
		at = release_new(b, address);
	release_drop(*at);
	*at = release;
}

void scope_order_release(struct sync_variables *b, uint64_t address,
			 const struct acquired *thread,
			 const struct acquired *block, uint32_t number,
			 const uint32_t *clock, uint32_t agents, bool was_read)
{
	struct acquired once = { .known = release_keep(thread->known),
				 .shown = release_keep(thread->shown) };

	scope_order_fence(&once, block, number, clock, agents);
	scope_order_write(b, address, &once, block, was_read);
	acquired_done(&once);
}

void acquired_done(struct acquired *h)
{
	release_drop(h->known);
	release_drop(h->shown);
	release_drop(h->seen);
	*h = (struct acquired){ 0 };
}
