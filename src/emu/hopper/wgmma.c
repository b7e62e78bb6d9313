/*
 * wgmma: D += A B of 64 x N x 16, by the four warps of a warpgroup, of operands
 * in shared memory (PTX ISA, wgmma.mma_async). The async proxy of the group's
 * last thread multiplies: its first thread is more likely to use its own for
 * TMA.
 *
 * The operands are read when all threads of the group have called wgmma, and
 * must not change until the product was waited for; the accumulators are
 * written then, as late as they may.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/hopper/async_proxy.h"
#include "emu/vector_clock.h"
#include "emu/hopper/named_barrier.h"
#include "emu/unit.h"
#include "emu/warp/arch_check.h"
#include "emu/warp/warp_matrix.h"

#define GROUP 128			/* threads */
#define ROWS 64
#define DEPTH 16			/* of K */
#define COLUMNS_MOST 256
#define ROW_BYTES 128			/* of M or N: 64 halves of k */
#define CHUNK 16

/* As cuda/ptx.h declares it. */
struct operand {
	const char *at;
	uint32_t next;
	uint32_t columns;		/* of rows of k, M's or N's; 0: rows of
					 * M or N */
};

/* What D will hold when the products under way are done, of the whole group. */
struct wgmma_sums {
	uint32_t users;			/* products of threads */
	uint32_t columns;
	float at[];			/* by rows */
};

/* A thread's part in a product. */
struct wgmma_product {
	float *d;
	uint32_t count;			/* accumulators of a thread */
	struct wgmma_sums *sums;	/* NULL: not multiplied yet */
	/* The sums of the product before it to the same D that is under way. */
	struct wgmma_sums *before;
	bool replaced;			/* by a later one to the same D */
	struct operand a, b;
	const struct access_site *of[2];	/* a, b */
	enum elem elem;
	bool add;
	void *here;
	uint32_t group, epoch, actor;
	struct wgmma_product *next, *previous;
};

/* The groups of the block that has its turn. */
static struct named_barrier groups[CLUSTER_MOST][BLOCK_THREADS_MAX / GROUP];

/* ---- operands ---- */

/* Returns the span in bytes within which rows are swizzled. */
static uint32_t swizzle_bytes(const struct operand *o)
{
	return o->columns ? o->columns * 2 : ROW_BYTES;
}

/* Returns where element (i, k) is, i of M or N. */
static const char *locate_element(const struct operand *o, uint32_t i,
				  uint32_t k)
{
	uintptr_t at =
		(uintptr_t)o->at +
		(o->columns ? i / o->columns * o->next + k * swizzle_bytes(o) +
				      i % o->columns * 2 :
			      i * ROW_BYTES + k * 2);

	return (const char *)(at ^ at / ROW_BYTES % (swizzle_bytes(o) / CHUNK) *
					   CHUNK);
}

static const struct access_site *operand_slot(const struct operand *o, uint32_t n,
				       void *here)
{
	const uint32_t bytes = swizzle_bytes(o);
	const uint32_t parts = o->columns ? n / o->columns : 1;
	const uint32_t rows = o->columns ? DEPTH : n;
	struct trace_tile tile = {
		.parts = parts, .rows = rows,
		.columns = o->columns ? o->columns : DEPTH, .bytes = 2,
		.next = o->columns ? o->next : 0, .pitch = bytes,
		.swizzle = bytes,
	};
	const struct access_site *s = thread_bulk(here, o->at, n * DEPTH * 2,
					   OP_WGMMA, &tile);
	uint64_t off = (uintptr_t)o->at - s->lo;
	uint64_t end = off / bytes * bytes + (parts - 1) * tile.next +
		       rows * bytes;

	if (!s->array || s->array->info.space != SPACE_SHARED)
		emu_finding_stops(CAUSE_WGMMA_SPACE);
	if (end > s->array->bytes) {
		emu_finding_bounds(rec.thread, s, s->array,
				   (int64_t)s->array->bytes);
		thread_stop();
	}
	if ((uintptr_t)o->at % (8 * bytes) >= bytes ||
	    (uintptr_t)o->at % CHUNK)
		emu_finding_stops(CAUSE_WGMMA_START);
	return s;
}

/* Checks reads of all that the operand has, by the rows or chunks that it is
 * in. */
static void operand_touch(const struct async_proxy *a, const struct operand *o,
			  const struct access_site *s, uint32_t n)
{
	uint32_t step = o->columns ? swizzle_bytes(o) : CHUNK;
	uint32_t pieces = n * DEPTH * 2 / step;
	struct async_access x = async_proxy_access(a, s, rec.rank);
	bool well = true;

	for (uint32_t p = 0; p < pieces && well; p++) {
		const char *at =
			o->columns ?
				locate_element(o, p / DEPTH * o->columns,
					       p % DEPTH) :
				locate_element(o, p / 2, p % 2 * (CHUNK / 2));

		well = async_proxy_reads(
			&x, ((uintptr_t)at - s->lo) / step * step, step);
	}
}

/* ---- the sums ---- */

static struct wgmma_sums *sums_use(struct wgmma_sums *d)
{
	if (d)
		d->users++;
	return d;
}

static void sums_drop(struct wgmma_sums *d)
{
	if (d && --d->users == 0)
		free(d);
}

/* Returns where accumulators j and j + 1 of a thread of the group are. */
static float *sums_at(struct wgmma_sums *d, uint32_t thread, uint32_t j)
{
	uint32_t row = thread / WARP_LANES * 16 + thread % WARP_LANES / 4 +
		       j % 4 / 2 * 8;

	return &d->at[row * d->columns + j / 4 * 8 + thread % 4 * 2];
}

/* Sets one thread's part to what it holds before its product. */
static void sums_begin(struct wgmma_sums *d, const struct thread *t)
{
	const struct wgmma_product *q = t->newest;
	uint32_t thread = t->number % GROUP;

	for (uint32_t j = 0; j < q->count; j += 2) {
		float *to = sums_at(d, thread, j);

		if (!q->add)
			to[0] = to[1] = 0;
		else
			memcpy(to, q->before ? sums_at(q->before, thread, j) :
					       &q->d[j], 2 * sizeof(*to));
	}
}

/* Finds or makes the sums of the threads' newest products, as they are before:
 * all of them go on with those of the product before, or they get new ones. */
static struct wgmma_sums *group_sums(const struct named_barrier *g)
{
	struct wgmma_sums *d = g->threads[0]->newest->before;
	uint32_t count = 0;
	bool same = true;

	for (uint32_t i = 0; i < GROUP; i++) {
		const struct wgmma_product *q = g->threads[i]->newest;

		same = same && q->add && q->before == d;
		count = MAX(count, q->count);
	}
	if (same && d)
		return d;
	count *= GROUP;
	d = xcalloc(1, sizeof(*d) + count * sizeof(*d->at));
	d->columns = count / ROWS;
	for (uint32_t i = 0; i < GROUP; i++)
		sums_begin(d, g->threads[i]);
	return d;
}

/* ---- the product ---- */

/* Reads the operand's values: element (i, k) becomes to[i * row + k *
 * column]. */
static void operand_read(const struct operand *o, const double *values,
			 uint32_t n, double *to, size_t row, size_t column)
{
	const uint32_t rows = o->columns ? CHUNK / 2 : 1;	/* of a chunk */
	const uint32_t columns = o->columns ? 1 : CHUNK / 2;

	for (uint32_t i = 0; i < n; i += rows)
		for (uint32_t k = 0; k < DEPTH; k += columns) {
			double *at = to + i * row + k * column;
			uint16_t chunk[CHUNK / 2];

			memcpy(chunk, locate_element(o, i, k), CHUNK);
			for (uint32_t c = 0; c < CHUNK / 2; c++)
				at[c * (o->columns ? row : column)] =
					values[chunk[c]];
		}
}

/* Columns that are multiplied at once; all widths are multiples. */
#define STEP 8
typedef double wide __attribute__((vector_size(STEP * sizeof(double))));
typedef float narrow __attribute__((vector_size(STEP * sizeof(float))));

/* Adds n columns of products to the sums, in the order of k. Products are exact
 * and are added up in double, as in mma.c. */
WIDE_VECTORS static void add_products(const double a[ROWS][DEPTH],
				      const double b[DEPTH][COLUMNS_MOST],
				      uint32_t n, struct wgmma_sums *d)
{
	for (uint32_t i = 0; i < ROWS; i++)
		for (uint32_t j = 0; j < n; j += STEP) {
			float *to = &d->at[i * d->columns + j];
			wide sum = { 0 }, row;
			narrow part;

			for (uint32_t k = 0; k < DEPTH; k++) {
				memcpy(&row, &b[k][j], sizeof(row));
				sum += a[i][k] * row;
			}
			memcpy(&part, to, sizeof(part));
			sum += __builtin_convertvector(part, wide);
			part = __builtin_convertvector(sum, narrow);
			memcpy(to, &part, sizeof(part));
		}
}

static void multiply_operands(const struct wgmma_product *p,
			      struct wgmma_sums *d)
{
	static double a[ROWS][DEPTH], b[DEPTH][COLUMNS_MOST];
	const double *values = warp_matrix_real16(p->elem);
	uint32_t n = p->count * GROUP / ROWS;

	operand_read(&p->a, values, ROWS, a[0], DEPTH, 1);
	operand_read(&p->b, values, n, b[0], 1, COLUMNS_MOST);
	add_products(a, b, n, d);
}

/* Sets the clock of what happened before the product in the view of all four
 * warps: for each the clocks of its lanes joined, and of these the earliest. */
static void group_clock(const struct named_barrier *g, struct async_proxy *a)
{
	uint32_t *warp = vector_clock_new();
	size_t bytes = (size_t)rec.cluster * SHADOW_ACTORS * sizeof(*warp);

	for (uint32_t w = 0; w < GROUP / WARP_LANES; w++) {
		struct thread *lanes[GROUP];
		size_t count = 0;

		for (uint32_t i = 0; i < GROUP; i++)
			if (g->threads[i]->number % GROUP / WARP_LANES == w)
				lanes[count++] = g->threads[i];
		vector_clock_clear(warp);
		vector_clock_release_all(lanes, count, warp);
		if (w)
			vector_clock_meet(a->clock, warp);
		else
			memcpy(a->clock, warp, bytes);
	}
	a->epoch = rec.epoch;
	free(warp);
}

static bool has_same_operands(const struct wgmma_product *p,
			      const struct wgmma_product *q)
{
	return p->here == q->here && p->count == q->count &&
	       p->a.at == q->a.at && p->b.at == q->b.at &&
	       p->b.next == q->b.next;
}

static void finish(struct named_barrier *g)
{
	struct thread *first = g->threads[0];
	const struct wgmma_product *p;
	struct async_proxy a;
	struct wgmma_sums *sums;

	for (uint32_t i = 1; i < GROUP; i++)
		if (g->threads[i]->number < first->number)
			first = g->threads[i];
	p = first->newest;
	a = async_proxy_begin();
	a.thread = first;
	a.number = (first->number + GROUP - 1) | SHADOW_ASYNC;
	group_clock(g, &a);
	operand_touch(&a, &p->a, p->of[0], ROWS);
	operand_touch(&a, &p->b, p->of[1], p->count * GROUP / ROWS);
	sums = group_sums(g);
	multiply_operands(p, sums);
	for (uint32_t i = 0; i < GROUP; i++) {
		struct wgmma_product *q = g->threads[i]->newest;

		if (!has_same_operands(p, q) && !rec.tainted)
			emu_finding(g->threads[i], (struct trace_finding) {
				.cause = CAUSE_WGMMA_OPERANDS,
				.other = emu_finding_at(first),
			});
		q->sums = sums_use(sums);
		sums_drop(q->before);
		q->before = NULL;
		q->epoch = a.epoch;
		q->actor = a.number;
	}
	async_proxy_end(&a);
}

/* ---- one thread ---- */

/* Guards the accumulators of products under way: no access may use them. */
static void guard_accumulators(struct thread *t)
{
	uintptr_t from = UINTPTR_MAX, to = 0;

	for (const struct wgmma_product *p = t->products; p; p = p->next) {
		from = MIN(from, (uintptr_t)p->d);
		to = MAX(to, (uintptr_t)(p->d + p->count));
	}
	thread_guard(t, from, to);
}

/* Adds the thread's part in a product after those that are under way. */
static void product_add(struct thread *t, struct wgmma_product *p)
{
	struct wgmma_product *before = t->newest;

	while (before && (before->d != p->d || before->count != p->count))
		before = before->previous;
	if (before) {
		before->replaced = true;
		p->before = sums_use(before->sums);
	}
	p->previous = t->newest;
	if (t->newest)
		t->newest->next = p;
	else
		t->products = p;
	t->newest = p;
	if (!before)
		guard_accumulators(t);
}

/* Takes the thread's oldest product away. */
static struct wgmma_product *product_take(struct thread *t)
{
	struct wgmma_product *p = t->products;

	t->products = p->next;
	if (p->next)
		p->next->previous = NULL;
	else
		t->newest = NULL;
	return p;
}

static void product_free(struct wgmma_product *p)
{
	sums_drop(p->sums);
	sums_drop(p->before);
	free(p);
}

void gemmviz_wgmma(float *d, uint32_t columns, const struct operand *a,
		   const struct operand *b, int add, int elem, void *here);
void gemmviz_wgmma(float *d, uint32_t columns, const struct operand *a,
		   const struct operand *b, int add, int elem, void *here)
{
	struct thread *t = rec.thread;
	uint32_t group = t ? t->number / GROUP : 0;
	struct named_barrier *g;
	struct wgmma_product *p;

	if (!t)
		return;
	arch_check("wgmma.mma_async", "wgmma", here);
	thread_at(t, here);
	if ((group + 1) * GROUP > rec.thread_count)
		emu_finding_stops(CAUSE_WGMMA_GROUP);
	if (!t->registers_fenced && !rec.tainted)
		emu_finding_cause(t, CAUSE_WGMMA_UNFENCED);
	p = xcalloc(1, sizeof(*p));
	*p = (struct wgmma_product) {
		.d = d, .count = columns * ROWS / GROUP, .a = *a, .b = *b,
		.elem = elem ? ELEM_BF16 : ELEM_F16, .add = add, .here = here,
		.group = t->product_groups,
	};
	product_add(t, p);
	if (add && !p->before &&
	    registers_unset(t->at, d, p->count * sizeof(*d)))
		emu_finding_cause(t, CAUSE_SUMS_UNWRITTEN);
	p->of[0] = operand_slot(a, ROWS, (char *)here - 2);
	p->of[1] = operand_slot(b, columns, (char *)here - 1);
	g = &groups[rec.rank][group];
	g->need = GROUP;
	named_barrier_arrive(g, finish);
}

/* ---- waiting ---- */

void gemmviz_wgmma_fence(void);
void gemmviz_wgmma_fence(void)
{
	if (rec.thread)
		rec.thread->registers_fenced = true;
}

void gemmviz_wgmma_commit(void);
void gemmviz_wgmma_commit(void)
{
	if (rec.thread)
		rec.thread->product_groups++;
}

/* Stores the sums in D, when the last product to it is done. */
static void sums_store(const struct thread *t, const struct wgmma_product *p)
{
	thread_access(p->here, p->d, p->count * sizeof(*p->d), OP_ST, NULL);
	for (uint32_t j = 0; j < p->count; j += 2)
		memcpy(&p->d[j], sums_at(p->sums, t->number % GROUP, j),
		       2 * sizeof(*p->d));
}

/* Waits until all groups but the last `but` are done. */
void gemmviz_wgmma_wait(uint32_t but, void *here);
void gemmviz_wgmma_wait(uint32_t but, void *here)
{
	struct thread *t = rec.thread;

	if (!t)
		return;
	thread_sync(here);
	while (t->products && t->products->group + but < t->product_groups) {
		struct wgmma_product *p = product_take(t);

		vector_clock_acquire_actor(t, rec.rank, p->actor, p->epoch);
		if (!p->replaced)
			sums_store(t, p);
		product_free(p);
	}
	guard_accumulators(t);
}

/* Checks that an access does not use the accumulators of products under way. */
static void before_access(const struct thread *t, const struct access_site *s,
			  uintptr_t address, uint64_t bytes)
{
	const struct wgmma_product *p = t->products;

	while (p && (address + bytes <= (uintptr_t)p->d ||
		     address >= (uintptr_t)(p->d + p->count)))
		p = p->next;
	if (p && !rec.tainted)
		emu_finding_accumulators(t, s, address);
}

/* Checks that the thread has waited for its products when it ends. */
static void thread_end(struct thread *t)
{
	if (t->products && !rec.tainted)
		emu_finding_cause(t, CAUSE_WGMMA_UNFINISHED);
}

static void products_drop(struct thread *t)
{
	while (t->products)
		product_free(product_take(t));
	guard_accumulators(t);
	t->product_groups = 0;
	t->registers_fenced = false;
}

static void cluster_begin(void)
{
	for (uint32_t r = 0; r < rec.cluster; r++)
		for (size_t i = 0; i < LENGTH(groups[r]); i++)
			groups[r][i].come = 0;
}

static void *block_suspend(void)
{
	return named_barriers_keep(groups[0], LENGTH(groups[0]));
}

static void block_resume(void *kept)
{
	named_barriers_put_back(groups[0], LENGTH(groups[0]), kept);
}

const struct emu_unit wgmma_unit = {
	.block_suspend = block_suspend,
	.block_resume = block_resume,
	.cluster_begin = cluster_begin,
	.thread_begin = products_drop,
	.thread_end = thread_end,
	.thread_free = products_drop,
	.before_access = before_access,
};
