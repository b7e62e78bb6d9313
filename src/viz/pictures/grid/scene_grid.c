/* How many products the focused thread has added up, from the requests that
 * each product needs: stores of sums to registers, else loads from shared
 * memory. */
#include "viz/pictures/grid/scene_grid.h"

#include "scene/stage.h"

struct grid_book {
	bool valid;
	size_t warp;
	uint32_t next, seen;	/* counted before request `next` */
	uint32_t all;		/* of the warp */
	bool mixed;		/* C is stored before the last of them */
};

static const struct stage_part grid_part = {
	.bytes = sizeof(struct grid_book),
};

static bool is_in_space(const struct stage *s, const struct trace_site *site,
			enum space space)
{
	return site->array != TRACE_NO_ARRAY &&
	       s->info->arrays[site->array].space == space;
}

/* Tells whether the site stores sums: its line loads the same registers. */
static bool stores_sums(const struct stage *s, const struct trace_site *site)
{
	if (site->op != OP_ST || !is_in_space(s, site, SPACE_REGISTER))
		return false;
	for (uint32_t i = 0; i < s->info->site_count; i++) {
		const struct trace_site *other = stage_site(s, i);

		if (other->op == OP_LD && other->line == site->line &&
		    other->array == site->array)
			return true;
	}
	return false;
}

static bool loads_shared(const struct stage *s, const struct trace_site *site)
{
	return site->op == OP_LD && is_in_space(s, site, SPACE_SHARED);
}

typedef bool site_test(const struct stage *s, const struct trace_site *site);

/* Returns which sites are counted; NULL: the kernel has none. */
static site_test *choose_sites(const struct stage *s)
{
	site_test *const tests[] = { stores_sums, loads_shared };

	for (size_t t = 0; t < LENGTH(tests); t++)
		for (uint32_t i = 0; i < s->info->site_count; i++)
			if (tests[t](s, stage_site(s, i)))
				return tests[t];
	return NULL;
}

/* Returns how many of the warp's requests from..to are counted; sets *mixed if
 * one follows a store to C. */
static uint32_t count_requests(const struct stage *s, site_test *test,
			       uint32_t from, uint32_t to, bool *mixed)
{
	const struct scene *sc = &s->scene;
	bool stored = false;
	uint32_t n = 0, site;

	for (uint32_t i = from; i < to; i++) {
		const struct trace_site *ts;

		if (trace_get_site(s->trace, sc->cursor.warp, i, &site, NULL))
			break;
		ts = stage_site(s, site);
		stored |= ts->op == OP_ST && sc->c >= 0 &&
			  ts->array == sc->arrays[sc->c].id;
		if (!test(s, ts))
			continue;
		n++;
		*mixed |= stored;
	}
	return n;
}

/* Returns the products after `seen` of `all` requests: tiles at an edge are
 * padded, so that there may be more steps of k than K. */
static uint32_t count_products(const struct scene *sc, const struct grid_book *b,
			       bool sums)
{
	uint32_t k = MAX(sc->info->k, 1);
	uint64_t done;

	while (k < 2 * sc->info->k && b->all % k)
		k++;
	if (b->mixed || !b->all || b->all % k)
		return PRODUCTS_UNKNOWN;
	done = (uint64_t)b->seen * k;
	/* Its own sum is the first that a step of k stores; of loads, each step
	 * needs all. */
	done = (done + (sums ? b->all - 1 : 0)) / b->all;
	return (uint32_t)MIN(done, sc->info->k);
}

void scene_grid(struct stage *s, const struct turns *t)
{
	struct grid_book *b = stage_state(s, &grid_part);
	struct scene *sc = &s->scene;
	site_test *test = choose_sites(s);
	uint32_t end = sc->cursor.request + 1;

	(void)t;
	sc->products = PRODUCTS_BY_LOADS;
	if (!test || !sc->site)
		return;
	if (!b->valid || b->warp != sc->cursor.warp) {
		*b = (struct grid_book){ .valid = true,
					 .warp = sc->cursor.warp };
		b->all = count_requests(s, test, 0, sc->warp.requests,
					&b->mixed);
	}
	if (b->next > end)
		b->next = b->seen = 0;
	b->seen += count_requests(s, test, b->next, end, &(bool){ false });
	b->next = end;
	sc->products = count_products(sc, b, test == stores_sums);
}
