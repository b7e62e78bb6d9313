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

#include "emu/async_proxy.h"
#include "emu/vector_clock.h"
#include "emu/named_barrier.h"
#include "emu/unit.h"
#include "emu/warp_matrix.h"

#define GROUP 128			/* threads */
#define ROWS 64
#define DEPTH 16			/* of K */
#define COLUMNS_MOST 256
#define ROW_BYTES 128			/* of an operand: 64 halves */
#define CHUNK 16

/* As cuda/ptx.h has it. */
struct operand {
	const char *at;
	uint32_t next;
	uint32_t mn;			/* rows of k, not of M or N */
};

struct product {
	float *d, *sums;
	uint32_t count;			/* accumulators of a thread */
	struct operand a, b;
	const struct slot *of[2];	/* a, b */
	enum elem elem;
	bool add;
	void *here;
	uint32_t group, epoch, actor;
	struct product *next;
};

/* The groups of the block in turn. */
static struct named_barrier groups[CLUSTER_MOST][BLOCK_THREADS_MAX / GROUP];

/* ---- operands ---- */

/* Where element (i, k) is, i of M or N: rows are swizzled by 128 bytes. */
static const char *element_at(const struct operand *o, uint32_t i, uint32_t k)
{
	uint32_t halves = ROW_BYTES / 2;
	uintptr_t at = (uintptr_t)o->at +
		(o->mn ? i / halves * o->next + k * ROW_BYTES +
			 i % halves * 2 :
			 i * ROW_BYTES + k * 2);

	return (const char *)(at ^ (at >> 7 & 7) * CHUNK);
}

static const struct slot *operand_slot(const struct operand *o, uint32_t n,
				       void *here)
{
	const uint32_t halves = ROW_BYTES / 2;
	struct trace_tile tile = {
		.parts = o->mn ? n / halves : 1, .rows = o->mn ? DEPTH : n,
		.columns = o->mn ? halves : DEPTH, .bytes = 2,
		.next = o->mn ? o->next : 0, .pitch = ROW_BYTES,
		.swizzle = ROW_BYTES,
	};
	const struct slot *s = thread_bulk(here, o->at, n * DEPTH * 2,
					   OP_WGMMA, &tile);
	uint64_t off = (uintptr_t)o->at - s->lo;
	uint64_t end = o->mn ? off / ROW_BYTES * ROW_BYTES +
			       (n / (ROW_BYTES / 2) - 1) * o->next +
			       DEPTH * ROW_BYTES :
			       off / ROW_BYTES * ROW_BYTES + n * ROW_BYTES;

	if (!s->array || s->array->info.space != SPACE_SHARED)
		emu_finding_stops(CAUSE_WGMMA_SPACE);
	if (end > s->array->bytes) {
		emu_finding_bounds(rec.thread, s, s->array,
				   (int64_t)s->array->bytes);
		thread_stop();
	}
	if ((uintptr_t)o->at >> 7 & 7 || (uintptr_t)o->at % CHUNK)
		emu_finding_stops(CAUSE_WGMMA_START);
	return s;
}

/* All that the operand has, by the rows or chunks that it is in. */
static void operand_touch(const struct async_proxy *a, const struct operand *o,
			  const struct slot *s, uint32_t n)
{
	uint32_t step = o->mn ? ROW_BYTES : CHUNK;
	uint32_t pieces = n * DEPTH * 2 / step;
	bool well = true;

	for (uint32_t p = 0; p < pieces && well; p++) {
		const char *at = o->mn ?
			element_at(o, p / DEPTH * (ROW_BYTES / 2), p % DEPTH) :
			element_at(o, p / 2, p % 2 * (CHUNK / 2));

		well = async_proxy_reads(
			a, s, ((uintptr_t)at - s->lo) / step * step, step);
	}
}

/* ---- the product ---- */

static struct product *last_of(const struct thread *t)
{
	struct product *p = t->products;

	while (p->next)
		p = p->next;
	return p;
}

/* What D holds when p begins: what the last product under way will put there,
 * or what is there. */
static const float *sums_before(const struct thread *t, const struct product *p)
{
	const float *found = p->d;

	for (const struct product *q = t->products; q != p; q = q->next)
		if (q->d == p->d && q->count == p->count)
			found = q->sums;
	return found;
}

/* Columns that are multiplied at once; all widths are multiples. */
#define STEP 8
typedef double columns __attribute__((vector_size(STEP * sizeof(double))));

/* A row of A times STEP columns of B, in the order of k. */
static void columns_multiply(const double a[DEPTH], const double *b,
			     double sums[STEP])
{
	columns sum = { 0 }, row;

	for (uint32_t k = 0; k < DEPTH; k++) {
		memcpy(&row, &b[k * COLUMNS_MOST], sizeof(row));
		sum += a[k] * row;
	}
	memcpy(sums, &sum, sizeof(sum));
}

/* Products are exact and are added up in double, as in mma.c. */
static void multiply(const struct product *p, double sums[ROWS][COLUMNS_MOST])
{
	static double b[DEPTH][COLUMNS_MOST];
	const double *values = warp_matrix_real16(p->elem);
	uint32_t n = p->count * GROUP / ROWS;
	double a[DEPTH];
	uint16_t half;

	for (uint32_t k = 0; k < DEPTH; k++)
		for (uint32_t j = 0; j < n; j++) {
			memcpy(&half, element_at(&p->b, j, k), sizeof(half));
			b[k][j] = values[half];
		}
	for (uint32_t i = 0; i < ROWS; i++) {
		for (uint32_t k = 0; k < DEPTH; k++) {
			memcpy(&half, element_at(&p->a, i, k), sizeof(half));
			a[k] = values[half];
		}
		for (uint32_t j = 0; j < n; j += STEP)
			columns_multiply(a, &b[0][j], &sums[i][j]);
	}
}

/* The accumulators of a thread of the group: d[j] is in this row and column,
 * and so is d[j + 1], a column further. */
static void accumulate(struct product *q, uint32_t thread,
		       double sums[ROWS][COLUMNS_MOST], const float *before)
{
	uint32_t row = thread / WARP_LANES * 16 + thread % WARP_LANES / 4;

	for (uint32_t j = 0; j < q->count; j += 2) {
		const double *s = &sums[row + j % 4 / 2 * 8]
				       [j / 4 * 8 + thread % 4 * 2];

		q->sums[j] = (float)(s[0] + (before ? before[j] : 0));
		q->sums[j + 1] = (float)(s[1] + (before ? before[j + 1] : 0));
	}
}

/* What happened before the product in the view of all four warps: of each the
 * clocks of its lanes joined, and of these the earliest. */
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

static bool same(const struct product *p, const struct product *q)
{
	return p->here == q->here && p->count == q->count &&
	       p->a.at == q->a.at && p->b.at == q->b.at &&
	       p->b.next == q->b.next;
}

static void finish(struct named_barrier *g)
{
	static double sums[ROWS][COLUMNS_MOST];
	struct thread *first = g->threads[0];
	const struct product *p;
	struct async_proxy a;

	for (uint32_t i = 1; i < GROUP; i++)
		if (g->threads[i]->number < first->number)
			first = g->threads[i];
	p = last_of(first);
	a = async_proxy_begin();
	a.thread = first;
	a.number = (first->number + GROUP - 1) | SHADOW_ASYNC;
	group_clock(g, &a);
	operand_touch(&a, &p->a, p->of[0], ROWS);
	operand_touch(&a, &p->b, p->of[1], p->count * GROUP / ROWS);
	multiply(p, sums);
	for (uint32_t i = 0; i < GROUP; i++) {
		const struct thread *t = g->threads[i];
		struct product *q = last_of(t);
		const float *before = q->add ? sums_before(t, q) : NULL;

		if (!same(p, q) && !rec.tainted)
			emu_finding(t, (struct trace_finding) {
				.cause = CAUSE_WGMMA_OPERANDS,
				.other = emu_finding_at(first),
			});
		accumulate(q, t->number % GROUP, sums, before);
		q->epoch = a.epoch;
		q->actor = a.number;
	}
	async_proxy_end(&a);
}

void gemmviz_wgmma(float *d, uint32_t columns, const struct operand *a,
		   const struct operand *b, int add, int elem, void *here);
void gemmviz_wgmma(float *d, uint32_t columns, const struct operand *a,
		   const struct operand *b, int add, int elem, void *here)
{
	struct thread *t = rec.thread;
	uint32_t group = t ? t->number / GROUP : 0;
	struct product *p, **last;
	struct named_barrier *g;

	if (!t)
		return;
	thread_at(t, here);
	if ((group + 1) * GROUP > rec.thread_count)
		emu_finding_stops(CAUSE_WGMMA_GROUP);
	if (!t->registers_fenced && !rec.tainted)
		emu_finding_cause(t, CAUSE_WGMMA_UNFENCED);
	p = xcalloc(1, sizeof(*p));
	*p = (struct product) {
		.d = d, .count = columns * ROWS / GROUP, .a = *a, .b = *b,
		.elem = elem ? ELEM_BF16 : ELEM_F16, .add = add, .here = here,
		.group = t->product_groups,
	};
	p->sums = xcalloc(p->count, sizeof(*p->sums));
	for (last = &t->products; *last; last = &(*last)->next)
		;
	*last = p;
	t->guards++;
	thread_limit(t);
	if (add && sums_before(t, p) == d &&
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

static bool again(const struct product *p)
{
	for (const struct product *q = p->next; q; q = q->next)
		if (q->d == p->d && q->count == p->count)
			return true;
	return false;
}

/* Until all groups but the last `but` are done. */
void gemmviz_wgmma_wait(uint32_t but, void *here);
void gemmviz_wgmma_wait(uint32_t but, void *here)
{
	struct thread *t = rec.thread;

	if (!t)
		return;
	thread_sync(here);
	while (t->products && t->products->group + but < t->product_groups) {
		struct product *p = t->products;
		size_t bytes = p->count * sizeof(*p->d);
		bool last = !again(p);

		vector_clock_acquire_actor(t, rec.rank, p->actor, p->epoch);
		t->products = p->next;
		t->guards--;
		if (last) {
			thread_access(p->here, p->d, bytes, OP_ST, NULL);
			memcpy(p->d, p->sums, bytes);
		}
		free(p->sums);
		free(p);
	}
	thread_limit(t);
}

/* The accumulators of products under way are nobody's to use. */
static void before_access(const struct thread *t, const struct slot *s,
			  uintptr_t address, uint64_t bytes)
{
	const struct product *p = t->products;

	while (p && (address + bytes <= (uintptr_t)p->d ||
		     address >= (uintptr_t)(p->d + p->count)))
		p = p->next;
	if (p && !rec.tainted)
		emu_finding_accumulators(t, s, address);
}

/* The thread must have waited for its products when it ends. */
static void thread_end(struct thread *t)
{
	if (t->products && !rec.tainted)
		emu_finding_cause(t, CAUSE_WGMMA_UNFINISHED);
}

static void products_drop(struct thread *t)
{
	while (t->products) {
		struct product *p = t->products;

		t->products = p->next;
		t->guards--;
		free(p->sums);
		free(p);
	}
	t->product_groups = 0;
	t->registers_fenced = false;
}

static void cluster_begin(void)
{
	for (uint32_t r = 0; r < rec.cluster; r++)
		for (size_t i = 0; i < LENGTH(groups[r]); i++)
			groups[r][i].come = 0;
}

const struct emu_unit wgmma_unit = {
	.cluster_begin = cluster_begin,
	.thread_begin = products_drop,
	.thread_end = thread_end,
	.thread_free = products_drop,
	.before_access = before_access,
};
