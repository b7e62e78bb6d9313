/*
 * gpu_scope_order: see order.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "record/gpu_scope_order.h"

struct clock {
	uint32_t holders, agents;
	uint32_t first[];		/* by agent */
};

/* By number, ascending. */
struct release {
	uint32_t holders;
	size_t count;
	struct told { uint32_t number; struct clock *clock; } told[];
};

/* ---- clocks ---- */

static struct clock *clock_make(const uint32_t *first, uint32_t agents)
{
	struct clock *c = xmalloc(sizeof(*c) + agents * sizeof(*first));

	c->holders = 0;
	c->agents = agents;
	memcpy(c->first, first, agents * sizeof(*first));
	return c;
}

static void clock_drop(struct clock *c)
{
	if (--c->holders == 0)
		free(c);
}

/* What either says; one of both where it says all. */
static struct clock *clock_both(struct clock *a, struct clock *b)
{
	bool more = false, less = false;
	struct clock *c;

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

/* ---- news ---- */

static struct release *news_make(size_t most)
{
	struct release *n = xmalloc(sizeof(*n) + most * sizeof(*n->told));

	n->holders = 1;
	n->count = 0;
	return n;
}

static void news_put(struct release *n, uint32_t number, struct clock *c)
{
	c->holders++;
	n->told[n->count++] = (struct told) { number, c };
}

static struct release *news_keep(struct release *n)
{
	if (n)
		n->holders++;
	return n;
}

static void news_drop(struct release *n)
{
	if (!n || --n->holders > 0)
		return;
	for (size_t i = 0; i < n->count; i++)
		clock_drop(n->told[i].clock);
	free(n);
}

const uint32_t *scope_order_acquired(const struct release *n, uint32_t number)
{
	size_t low = 0, high = n ? n->count : 0;

	while (low < high) {
		size_t i = (low + high) / 2;

		if (n->told[i].number == number)
			return n->told[i].clock->first;
		if (n->told[i].number < number)
			low = i + 1;
		else
			high = i;
	}
	return NULL;
}

/* Whether a says all that b does, by the same clocks. */
static bool news_has(const struct release *a, const struct release *b)
{
	size_t i = 0, k = 0;

	while (k < b->count && i < a->count) {
		k += a->told[i].clock == b->told[k].clock;
		i++;
	}
	return k == b->count;
}

static struct release *news_merge(const struct release *a,
				  const struct release *b)
{
	struct release *n = news_make(a->count + b->count);
	size_t i = 0, k = 0;

	while (i < a->count || k < b->count) {
		const struct told *x = i < a->count ? &a->told[i] : NULL;
		const struct told *y = k < b->count ? &b->told[k] : NULL;

		if (x && y && x->number == y->number)
			news_put(n, x->number, clock_both(x->clock, y->clock));
		else if (!y || (x && x->number < y->number))
			news_put(n, x->number, x->clock);
		else
			news_put(n, y->number, y->clock);
		i += x && (!y || x->number <= y->number);
		k += y && (!x || y->number <= x->number);
	}
	return n;
}

/* *to is also told this. */
static void news_join(struct release **to, struct release *more)
{
	struct release *was = *to;

	if (!more || (was && news_has(was, more)))
		return;
	*to = !was || news_has(more, was) ? news_keep(more) :
					    news_merge(was, more);
	news_drop(was);
}

/* ---- the board ---- */

/* Where the news at the address are kept; NULL: never were any. */
static struct release **news_at(const struct sync_variables *b,
				uint64_t address)
{
	uint32_t n = map_find(&b->addresses, &address, sizeof(address));

	return n == MAP_NONE ? NULL : &b->news[n];
}

static struct release **news_new(struct sync_variables *b, uint64_t address)
{
	uint32_t n = map_add(&b->addresses, &address, sizeof(address));

	grow(&b->news, &b->capacity, b->addresses.count, sizeof(*b->news));
	b->news[n] = NULL;
	return &b->news[n];
}

void sync_variables_done(struct sync_variables *b)
{
	for (size_t i = 0; i < b->addresses.count; i++)
		news_drop(b->news[i]);
	map_done(&b->addresses);
	free(b->news);
	*b = (struct sync_variables){ 0 };
}

/* ---- what threads do ---- */

void scope_order_fence(struct acquired *thread, const struct acquired *block,
		       uint32_t number, const uint32_t *clock, uint32_t agents)
{
	struct release *own = news_make(1);

	news_put(own, number, clock_make(clock, agents));
	news_join(&thread->shown, own);
	news_join(&thread->shown, thread->known);
	news_join(&thread->shown, block->known);
	news_drop(own);
}

void scope_order_barrier(struct acquired *block, struct acquired *thread)
{
	news_join(&block->known, thread->known);
	news_join(&block->shown, thread->shown);
	acquired_done(thread);
}

void scope_order_read(const struct sync_variables *b, uint64_t address,
		      struct acquired *thread)
{
	struct release **news = news_at(b, address);

	if (news)
		news_join(&thread->known, *news);
}

void scope_order_write(struct sync_variables *b, uint64_t address,
		       const struct acquired *thread,
		       const struct acquired *block, bool was_read)
{
	struct release **news = news_at(b, address);
	struct release *told = NULL;

	if (was_read && news)
		told = news_keep(*news);
	news_join(&told, block->shown);
	news_join(&told, thread->shown);
	if (!news && !told)
		return;
	if (!news)
		news = news_new(b, address);
	news_drop(*news);
	*news = told;
}

void acquired_done(struct acquired *h)
{
	news_drop(h->known);
	news_drop(h->shown);
	*h = (struct acquired){ 0 };
}
