/*
 * tma: boxes of a matrix, copied between global and shared memory by the async
 * proxy of the thread that asks for it (PTX ISA, cp.async.bulk.tensor).
 *
 * A load reads global memory when it begins, and writes shared memory when its
 * mbarrier is waited for (mbarrier.c). A store reads shared memory, and writes
 * global memory, when it is waited for, as late as it may.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/hopper/async_proxy.h"
#include "emu/vector_clock.h"
#include "emu/hopper/mbarrier.h"
#include "emu/unit.h"
#include "emu/warp/arch_check.h"

/* PTX ISA, "Tensor swizzling modes": chunks change places within the span, by
 * the address, in a pattern of so many spans. */
#define CHUNK 16
#define SHARED_ALIGN 128

/* A box, as the functions of ptx.h describe it; their structure is the same. */
struct tma_box {
	const struct array *matrix;
	uint32_t rows, columns, swizzle, element;
	int32_t row, column;		/* where it begins */
};

struct tma_store {
	struct tma_box box;
	const char *from;
	uint32_t epoch, group;
	const struct access_site *slot;
	struct tma_store *next;
};

/* ---- boxes ---- */

static uint32_t pitch_of(const struct tma_box *b)
{
	return (uint32_t)b->matrix->info.dims[1] * b->element;
}

static uint32_t box_bytes(const struct tma_box *b)
{
	return b->rows * b->columns * b->element;
}

/* Returns how many of n places from `from` on are within 0 to `of`, and the
 * first. */
static uint32_t clip_range(int32_t from, uint32_t n, uint64_t of,
			   uint32_t *first)
{
	int64_t low = MAX(from, 0), high = MIN((int64_t)from + n, (int64_t)of);

	*first = (uint32_t)(low - from);
	return high > low ? (uint32_t)(high - low) : 0;
}

/* The part of the box that is of the matrix. */
struct tma_part {
	uint32_t row, rows, column, columns;
};

static struct tma_part clip_box(const struct tma_box *b)
{
	const uint64_t *dims = b->matrix->info.dims;
	struct tma_part p;

	p.rows = clip_range(b->row, b->rows, dims[0], &p.row);
	p.columns = clip_range(b->column, b->columns, dims[1], &p.column);
	if (p.rows == 0 || p.columns == 0)
		p.rows = p.columns = 0;
	return p;
}

/* Returns where row i of the part begins in the matrix, in bytes. */
static uint64_t row_at(const struct tma_box *b, const struct tma_part *p,
		       uint32_t i)
{
	return (uint64_t)(b->row + (int64_t)p->row + i) * pitch_of(b) +
	       (uint64_t)(b->column + (int64_t)p->column) * b->element;
}

/* Returns where a byte of a box in shared memory at `to` is, from there. */
static uint32_t swizzle_offset(const struct tma_box *b, uintptr_t to,
			       uint32_t byte)
{
	uintptr_t at = to + byte, chunks = b->swizzle / CHUNK;

	if (chunks)
		at ^= (at >> 7 & (chunks - 1)) * CHUNK;
	return (uint32_t)(at - to);
}

/* Copies the part between the matrix and an image of shared memory that is at
 * `shared`. */
static void part_copy(const struct tma_box *b, uintptr_t shared,
		      unsigned char *image, bool load)
{
	struct tma_part p = clip_box(b);
	uint32_t line = b->columns * b->element, bytes = p.columns * b->element;

	for (uint32_t i = 0; i < p.rows; i++) {
		char *matrix = (char *)b->matrix->lo + row_at(b, &p, i);
		uint32_t first = (p.row + i) * line + p.column * b->element;

		/* What a chunk has stays together. */
		for (uint32_t n = 0, more; n < bytes; n += more) {
			unsigned char *at =
				image + swizzle_offset(b, shared, first + n);

			more = MIN(CHUNK - (uint32_t)((shared + first + n) %
						      CHUNK), bytes - n);
			if (load)
				memcpy(at, matrix + n, more);
			else
				memcpy(matrix + n, at, more);
		}
	}
}

/* ---- asking for it ---- */

/* Records both ends of a copy: where it comes from, then where it goes. */
static const struct access_site *matrix_slot(const struct tma_box *b, enum op op,
				      void *here)
{
	struct tma_part p = clip_box(b);
	struct trace_tile tile = {
		.parts = 1, .rows = b->rows - p.row,
		.columns = b->columns - p.column,
		.bytes = b->element, .pitch = pitch_of(b),
	};

	return p.rows ? thread_bulk(here, (char *)b->matrix->lo +
				    row_at(b, &p, 0), box_bytes(b), op,
				    &tile) : NULL;
}

static const struct access_site *shared_slot(const struct tma_box *b, const void *p,
				      enum op op, uint32_t blocks, void *here)
{
	struct trace_tile tile = {
		.parts = 1, .rows = b->rows, .columns = b->columns,
		.bytes = b->element, .pitch = b->columns * b->element,
		.swizzle = b->swizzle, .blocks = blocks,
	};
	const struct access_site *s;
	int64_t off;

	s = thread_bulk(here, p, box_bytes(b), op, &tile);
	if (!s->array || s->array->info.space != SPACE_SHARED)
		emu_finding_stops(CAUSE_TMA_SPACE);
	off = (int64_t)((uintptr_t)p - s->lo);
	if ((uint64_t)off + box_bytes(b) > s->array->bytes) {
		emu_finding_bounds(rec.thread, s, s->array,
				   (int64_t)s->array->bytes);
		thread_stop();
	}
	if ((uintptr_t)p % SHARED_ALIGN)
		emu_finding_stops(CAUSE_TMA_ALIGN);
	return s;
}

static void matrix_touch(const struct async_proxy *a, const struct tma_box *b,
			 const struct access_site *s, bool write)
{
	struct tma_part p = clip_box(b);
	uint32_t bytes = p.columns * b->element;
	struct async_access x;
	bool well = true;

	if (!s)
		return;
	x = async_proxy_access(a, s, rec.rank);
	for (uint32_t i = 0; i < p.rows && well; i++)
		well = write ? async_proxy_writes(&x, row_at(b, &p, i), bytes) :
			       async_proxy_reads(&x, row_at(b, &p, i), bytes);
}

/* ---- loads ---- */

static void send_box(const struct async_proxy *a, const struct tma_box *b,
		     const struct access_site *s, char *to, uint32_t rank,
		     const void *mbarrier, void *here)
{
	struct async_access x = async_proxy_access(a, s, rank);
	uint64_t off = (uintptr_t)to - s->lo;
	struct delivery d = {
		.to = array_at(s->array, rank, (uintptr_t)to),
		.bytes = xcalloc(1, box_bytes(b)), .count = box_bytes(b),
		.actor = a->number, .epoch = a->epoch,
	};

	async_proxy_writes(&x, off, box_bytes(b));
	part_copy(b, (uintptr_t)to, d.bytes, true);
	mbarrier_deliver(rank, mbarrier, d, here);
}

/* Copies a box to shared memory of `blocks` of the cluster, a bit each; 0 is
 * this one. */
void gemmviz_tma_load(void *to, const struct tma_box *b, void *mbarrier,
		      uint32_t blocks, void *here);
void gemmviz_tma_load(void *to, const struct tma_box *b, void *mbarrier,
		      uint32_t blocks, void *here)
{
	const struct access_site *from, *s;
	struct async_proxy a;

	if (!rec.thread)
		return;
	arch_check("cp.async.bulk.tensor", "tma_load", here);
	thread_at(rec.thread, here);
	if (blocks >> rec.cluster)
		emu_finding_stops(CAUSE_TMA_MULTICAST);
	from = matrix_slot(b, OP_TMA_LD, (char *)here - 2);
	s = shared_slot(b, to, OP_TMA_LD, blocks, (char *)here - 1);
	a = async_proxy_begin();
	matrix_touch(&a, b, from, false);
	for (uint32_t r = 0; r < rec.cluster; r++)
		if (blocks ? blocks >> r & 1 : r == rec.rank)
			send_box(&a, b, s, to, r, mbarrier, here);
	async_proxy_end(&a);
}

/* ---- stores ---- */

void gemmviz_tma_store(const struct tma_box *b, const void *from, void *here);
void gemmviz_tma_store(const struct tma_box *b, const void *from, void *here)
{
	struct thread *t = rec.thread;
	struct tma_store *k, **last;
	const struct access_site *s, *to;
	struct async_proxy a;
	struct async_access x;

	if (!t)
		return;
	thread_at(t, here);
	s = shared_slot(b, from, OP_TMA_ST, 0, (char *)here - 2);
	to = matrix_slot(b, OP_TMA_ST, (char *)here - 1);
	a = async_proxy_begin();
	x = async_proxy_access(&a, s, rec.rank);
	async_proxy_reads(&x, (uintptr_t)from - s->lo, box_bytes(b));
	matrix_touch(&a, b, to, true);
	k = xcalloc(1, sizeof(*k));
	*k = (struct tma_store) { .box = *b, .from = from, .epoch = a.epoch,
			     .group = t->tma_groups, .slot = s };
	for (last = &t->tma_stores; *last; last = &(*last)->next)
		;
	*last = k;
	async_proxy_end(&a);
}

void gemmviz_bulk_commit(void);
void gemmviz_bulk_commit(void)
{
	if (rec.thread)
		rec.thread->tma_groups++;
}

static void store_done(struct thread *t)
{
	struct tma_store *k = t->tma_stores;

	part_copy(&k->box, (uintptr_t)k->from, (unsigned char *)k->from,
		  false);
	vector_clock_acquire_actor(t, rec.rank, t->number | SHADOW_ASYNC,
				   k->epoch);
	t->tma_stores = k->next;
	free(k);
}

/* Waits until all groups but the last `but` have been read. */
void gemmviz_bulk_wait(uint32_t but, void *here);
void gemmviz_bulk_wait(uint32_t but, void *here)
{
	struct thread *t = rec.thread;

	if (!t)
		return;
	thread_sync(here);
	while (t->tma_stores && t->tma_stores->group + but < t->tma_groups)
		store_done(t);
}

/* Checks that what the thread has stored has been read when it ends. */
static void thread_end(struct thread *t)
{
	if (t->tma_stores && !rec.tainted) {
		t->at = t->tma_stores->slot;
		emu_finding_cause(t, CAUSE_TMA_STORE_UNREAD);
	}
	while (t->tma_stores)
		store_done(t);
}

static void stores_drop(struct thread *t)
{
	while (t->tma_stores) {
		struct tma_store *k = t->tma_stores;

		t->tma_stores = k->next;
		free(k);
	}
	t->tma_groups = 0;
}

const struct emu_unit tma_unit = {
	.thread_begin = stores_drop,
	.thread_end = thread_end,
	.thread_free = stores_drop,
};
