/*
 * products: the multiply-adds of an element of C. See products.h.
 */
#include "provenance/products.h"

#include <stdlib.h>

static int by_k(const void *x, const void *y)
{
	const struct read *a = x, *b = y;

	if (a->k != b->k)
		return a->k < b->k ? -1 : 1;
	if (a->matrix != b->matrix)
		return a->matrix - b->matrix;
	return (a->order > b->order) - (a->order < b->order);
}

/* Returns how far two reads are apart: a pair in one line is nearer than any
 * other; then the number of requests between them counts. Reads of different
 * products are no pair. */
#define APART UINT64_MAX
static uint64_t get_read_distance(const struct read *a, const struct read *b)
{
	uint32_t x = a->o.read_request, y = b->o.read_request;

	if (a->product != b->product)
		return APART;
	return (a->o.read_line != b->o.read_line ? UINT64_C(1) << 32 : 0) +
	       (x > y ? x - y : y - x);
}

/* The step of one k, from reads of A and of B; false: there is none. */
static bool nearest_pair(const struct read *a, size_t as,
			 const struct read *b, size_t bs, uint32_t block,
			 struct provenance_step *step)
{
	const struct read *x = a, *y = b;

	for (size_t i = 0; i < as; i++)
		for (size_t j = 0; j < bs; j++)
			if (get_read_distance(&a[i], &b[j]) <
			    get_read_distance(x, y)) {
				x = &a[i];
				y = &b[j];
			}
	*step = (struct provenance_step){
		.k = x->k, .block = block,
		.phase = MAX(x->phase, y->phase),
		.a = x->o, .b = y->o, .product = x->o.value * y->o.value,
	};
	return get_read_distance(x, y) != APART;
}

static int by_time(const void *x, const void *y)
{
	const struct provenance_step *a = x, *b = y;
	uint32_t s = MAX(a->a.read_request, a->b.read_request);
	uint32_t t = MAX(b->a.read_request, b->b.read_request);

	if (s != t)
		return s < t ? -1 : 1;
	return (a->k > b->k) - (a->k < b->k);
}

/* The reads that count, of the thread or of its warp, by k. */
static struct read *choose_reads(const struct dataflow *w, size_t *count)
{
	struct read *chosen = xcalloc(w->read_count, sizeof(*chosen));

	*count = 0;
	for (size_t i = 0; i < w->read_count; i++)
		if (!w->reads[i].passed_on &&
		    (w->p->by_warp ||
		     w->reads[i].o.read_by == w->p->thread))
			chosen[(*count)++] = w->reads[i];
	qsort(chosen, *count, sizeof(*chosen), by_k);
	return chosen;
}

void products_make(struct dataflow *w)
{
	struct provenance *p = w->p;
	size_t count, i = 0;
	struct read *r = choose_reads(w, &count);

	free(p->steps);
	p->steps = xcalloc(count, sizeof(*p->steps));
	p->step_count = 0;
	while (i < count) {
		size_t b = i, end;

		while (b < count && r[b].k == r[i].k &&
		       r[b].matrix == MATRIX_A)
			b++;
		for (end = b; end < count && r[end].k == r[i].k; )
			end++;
		if (b > i && end > b)
			p->step_count +=
				nearest_pair(&r[i], b - i, &r[b], end - b,
					     p->block,
					     &p->steps[p->step_count]);
		i = end;
	}
	free(r);
	qsort(p->steps, p->step_count, sizeof(*p->steps), by_time);
}

void products_add(struct provenance *p, const struct provenance *of)
{
	uint32_t depth = 0;
	bool *there;

	for (size_t i = 0; i < p->step_count; i++)
		depth = MAX(depth, p->steps[i].k + 1);
	for (size_t i = 0; i < of->step_count; i++)
		depth = MAX(depth, of->steps[i].k + 1);
	there = xcalloc(MAX(depth, 1), sizeof(*there));
	for (size_t i = 0; i < p->step_count; i++)
		there[p->steps[i].k] = true;
	p->steps = xrealloc(p->steps, p->step_count + of->step_count + 1,
			    sizeof(*p->steps));
	for (size_t i = 0; i < of->step_count; i++)
		if (!there[of->steps[i].k])
			p->steps[p->step_count++] = of->steps[i];
	free(there);
}
