/*
 * How many products the focused lane has added up, from the requests that each
 * product needs: stores of sums to registers, else loads from shared memory,
 * else loads of A and B. What it loads from shared memory must have the value of
 * the element that is shown for it.
 */
#include "viz/pictures/matrices/scene_matrices.h"

#include "scene/stage.h"

struct matrices_book {
	bool valid;
	size_t warp;
	uint32_t next, seen;	/* counted before request `next` */
	uint32_t all;		/* of the warp */
	bool mixed;		/* C is stored before the last of them */
	bool has_own;
	uint64_t own;		/* array and offset of the sum's register */
	uint32_t first;		/* the request that stores it first */
	struct product_walk now;
};

static void forget_matrices(struct scene *sc)
{
	sc->matrices = NULL;
}

static const struct stage_part matrices_part = {
	.bytes = sizeof(struct matrices_book),
	.forget = forget_matrices,
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

/* Tells whether a request is counted: of stores of sums only those of the
 * register that is the first to be stored, which is its own element's. */
static bool is_counted_request(const struct stage *s, struct matrices_book *b,
		       site_test *test, uint32_t request,
		       const struct trace_site *site)
{
	struct trace_request r;
	uint64_t at;

	if (!test(s, site))
		return false;
	if (test != stores_sums)
		return true;
	if (trace_get(s->trace, s->scene.cursor.warp, request, &r, NULL) ||
	    !r.mask)
		return false;
	at = (uint64_t)site->array << 32 | r.offset[__builtin_ctz(r.mask)];
	if (!b->has_own) {
		b->own = at;
		b->first = request;
	}
	b->has_own = true;
	return at == b->own;
}

/* Returns how many of the warp's requests from..to are counted; sets b->mixed if
 * one follows a store to C. */
static uint32_t count_requests(const struct stage *s, struct matrices_book *b,
			       site_test *test, uint32_t from, uint32_t to)
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
		if (!is_counted_request(s, b, test, i, ts))
			continue;
		n++;
		b->mixed |= stored && !from;
	}
	return n;
}

/* ---- by counting ---- */

/* Returns K, or the steps of k if tiles at an edge are padded; 0: requests and
 * products do not match. A sum is stored for one or several products, and a
 * product needs one or several loads. */
static uint32_t padded_k(const struct scene *sc, const struct matrices_book *b,
			 bool sums)
{
	uint32_t k = MAX(sc->info->k, 1);

	if (b->mixed || !b->all)
		return 0;
	while (k < 2 * sc->info->k && (sums ? k % b->all : b->all % k))
		k++;
	return (sums ? k % b->all : b->all % k) ? 0 : k;
}

/* Returns the products after `seen` requests. */
static uint32_t count_products(const struct matrices_book *b, uint32_t k,
			       uint32_t seen)
{
	return (uint32_t)((uint64_t)seen * k / b->all);
}

/* Tells whether the sum that a request stores for the lane is that of its first n
 * products. */
static bool stores_sum_of(const struct stage *s, uint32_t request, uint32_t n)
{
	const struct scene *sc = &s->scene;
	const struct box *home = &sc->home[sc->cursor.lane];
	double sum = 0, a, b, stored;
	struct trace_request r;
	const struct trace_array *to;

	if (!s->info->values ||
	    trace_get(s->trace, sc->cursor.warp, request, &r, NULL))
		return false;
	to = &s->info->arrays[stage_site(s, r.site)->array];
	for (uint32_t k = 0; k < n; k++) {
		if (!scene_element(sc, &sc->arrays[sc->a], home->row0, k, &a) ||
		    !scene_element(sc, &sc->arrays[sc->b], k, home->col0, &b))
			return false;
		sum += a * b;
	}
	return element_value(to->elem, &r.value[4 * sc->cursor.lane], 0,
			     &stored) && stored == sum;
}

/* Tells whether each lane of a request that loads from shared memory gets its
 * element of A (else of B) for the product k. */
static bool moves_operand(const struct stage *s, const struct trace_request *r,
			  uint32_t k, bool of_a)
{
	const struct scene *sc = &s->scene;
	const struct stage_array *a = &sc->arrays[of_a ? sc->a : sc->b];
	const struct trace_site *site = stage_site(s, r->site);
	const struct trace_array *from = &s->info->arrays[site->array];

	if (!s->info->values)
		return false;
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		const struct box *home = &sc->home[lane];
		double moved, want;

		if (!(r->mask >> lane & 1) || !home->known)
			continue;
		if (k < sc->info->k &&
		    (!element_value(from->elem, &r->value[4 * lane], 0, &moved) ||
		     !scene_element(sc, a, of_a ? home->row0 : k,
				    of_a ? k : home->col0, &want) ||
		     moved != want))
			return false;
	}
	return true;
}

/* Tells whether the first load from shared memory gets what the first product
 * needs: else they are loads of something else. */
static bool begins_with_product(const struct stage *s)
{
	const struct scene *sc = &s->scene;
	struct trace_request r;
	uint32_t site;

	for (uint32_t i = 0; i < sc->warp.requests; i++)
		if (!trace_get_site(s->trace, sc->cursor.warp, i, &site, NULL) &&
		    loads_shared(s, stage_site(s, site)))
			return !trace_get(s->trace, sc->cursor.warp, i, &r,
					  NULL) &&
			       (moves_operand(s, &r, 0, true) ||
				moves_operand(s, &r, 0, false));
	return false;
}

/* Fills in what counted requests tell. */
static void by_counting(const struct stage *s, struct matrices_book *b,
			site_test *test, struct product_walk *m)
{
	const struct scene *sc = &s->scene;
	bool sums = test == stores_sums;
	bool counted = is_counted_request(s, b, test, sc->cursor.request, sc->site);
	uint32_t k = padded_k(sc, b, sums), all = sc->info->k, before;

	if (!k || (sums ? !stores_sum_of(s, b->first, MIN(k / b->all, all)) :
			  !begins_with_product(s)))
		return;
	m->known = true;
	m->done = count_products(b, k, b->seen);
	before = count_products(b, k, b->seen - counted);
	m->adds = m->done > before && m->done <= all;
	m->k = MIN(m->adds ? m->done - 1 : m->done, all ? all - 1 : 0);
	if (sums) {
		m->takes_a = m->takes_b = m->adds && m->done == before + 1;
		m->has_a = m->has_b = m->adds;
		m->known = !m->adds ||
			   stores_sum_of(s, sc->cursor.request, m->done);
	} else if (counted && m->done <= all) {
		m->takes_a = moves_operand(s, &sc->request, m->k, true);
		m->takes_b = !m->takes_a &&
			     moves_operand(s, &sc->request, m->k, false);
		m->has_a = m->takes_a || m->adds;
		m->has_b = m->takes_b || m->adds;
		m->known = m->takes_a || m->takes_b;
	}
	m->done = MIN(m->done, all);
}

/* ---- by loads of A and B ---- */

#define LOOK_BACK 64	/* requests among which the last load is looked for */

/* Finds where along k the lane has last loaded its row of A (else its column of
 * B), at or before `request`; -1: nowhere near. */
static int64_t last_load(const struct stage *s, uint32_t request, bool of_a)
{
	const struct scene *sc = &s->scene;
	const struct stage_array *a = &sc->arrays[of_a ? sc->a : sc->b];
	const struct box *home = &sc->home[sc->cursor.lane];
	struct trace_request r;
	uint32_t site;

	for (uint32_t i = request + 1; i-- > 0 && request - i < LOOK_BACK;) {
		uint64_t e;

		if (trace_get_site(s->trace, sc->cursor.warp, i, &site, NULL))
			return -1;
		if (stage_site(s, site)->op != OP_LD ||
		    stage_site(s, site)->array != a->id ||
		    trace_get(s->trace, sc->cursor.warp, i, &r, NULL) ||
		    !(r.mask >> sc->cursor.lane & 1))
			continue;
		e = r.offset[sc->cursor.lane] / a->array->elem_bytes;
		if (!home->known || (of_a ? e / a->cols != home->row0 :
					    e % a->cols != home->col0))
			return -1;
		return (int64_t)(of_a ? e % a->cols : e / a->cols);
	}
	return -1;
}

/* Tells whether threads load the matrix themselves. */
static bool is_loaded_directly(const struct stage *s, uint32_t array)
{
	for (uint32_t i = 0; i < s->info->site_count; i++)
		if (stage_site(s, i)->op == OP_LD &&
		    stage_site(s, i)->array == array)
			return true;
	return false;
}

static void by_loads(const struct stage *s, struct product_walk *m)
{
	const struct scene *sc = &s->scene;
	uint32_t at = sc->cursor.request;
	int64_t a = last_load(s, at, true), b = last_load(s, at, false);
	bool of_a = sc->site->op == OP_LD && sc->array == sc->arrays[sc->a].array;
	bool of_b = sc->site->op == OP_LD && sc->array == sc->arrays[sc->b].array;

	if (!is_loaded_directly(s, sc->arrays[sc->a].id) ||
	    !is_loaded_directly(s, sc->arrays[sc->b].id))
		return;
	m->known = true;
	m->done = (uint32_t)(MIN(a, b) + 1);
	m->k = (uint32_t)MAX(of_a ? a : of_b ? b : MIN(a, b), 0);
	m->takes_a = of_a;
	m->takes_b = of_b;
	m->has_a = a >= 0 && a == m->k;
	m->has_b = b >= 0 && b == m->k;
	m->adds = (of_a || of_b) && m->has_a && m->has_b;
}

/* ---- where along k ---- */

/* Returns where along k a request is: a load of A or B by its first lane, else
 * at the product at hand. */
static uint32_t along_k(const struct stage *s, uint32_t request, uint32_t else_k)
{
	const struct scene *sc = &s->scene;
	struct trace_request r;
	const struct trace_site *site;
	uint64_t e;

	if (trace_get(s->trace, sc->cursor.warp, request, &r, NULL) || !r.mask)
		return else_k;
	site = stage_site(s, r.site);
	if (site->op == OP_LD || op_is_bulk(site->op))
		for (int i = 0; i < 2; i++) {
			const struct stage_array *a =
				&sc->arrays[i ? sc->b : sc->a];

			if (site->array != a->id)
				continue;
			e = r.offset[__builtin_ctz(r.mask)] /
			    a->array->elem_bytes;
			return (uint32_t)(i ? e / a->cols : e % a->cols);
		}
	return else_k;
}

void scene_matrices(struct stage *s, const struct turns *t)
{
	struct matrices_book *b = stage_state(s, &matrices_part);
	struct scene *sc = &s->scene;
	struct product_walk *m = &b->now;
	uint32_t end = sc->cursor.request + 1;
	site_test *test = choose_sites(s);
	bool first;

	(void)t;
	if (!sc->site || !sc->product || sc->a < 0 || sc->b < 0 || sc->c < 0)
		return;
	*m = (struct product_walk){ .known = false };
	if (!b->valid || b->warp != sc->cursor.warp) {
		b->valid = true;
		b->warp = sc->cursor.warp;
		b->next = b->seen = b->all = 0;
		b->mixed = b->has_own = false;
		if (test)
			b->all = count_requests(s, b, test, 0,
						sc->warp.requests);
	}
	if (b->next > end)
		b->next = b->seen = 0;
	if (test)
		b->seen += count_requests(s, b, test, b->next, end);
	b->next = end;
	if (sc->home[sc->cursor.lane].known && test)
		by_counting(s, b, test, m);
	else if (sc->home[sc->cursor.lane].known)
		by_loads(s, m);
	/* Of two loads that a product needs the first goes on to it. */
	first = (m->takes_a || m->takes_b) &&
		(!m->adds || test == stores_sums);
	m->at = along_k(s, sc->cursor.request, m->k);
	m->before = !sc->cursor.request ? m->at :
		    along_k(s, sc->cursor.request - 1, m->k && first ?
			    m->k - 1 : m->k);
	sc->matrices = m;
}
