/*
 * mma: matrices in the registers of a warp. Fragments of mma.m16n8k16 are laid
 * out as the PTX ISA says ("Matrix Fragments for mma.m16n8k16"): in one
 * dimension an element is at lane / 4, in the other at 2 * (lane % 4) or its
 * neighbour. Of A a lane holds four such pairs, of B and C two.
 *
 * Fragments of 16x16x16 (nvcuda::wmma) are the same with two of B and C side by
 * side; of a and b, which have 16 elements, the last 8 repeat the first.
 */
#include <string.h>

#include "../fragment.h"
#include "meet.h"

#define SIDE 16
#define ELEMENTS 8

enum use { USE_A, USE_B, USE_C };

struct position { uint32_t row, column; };

static struct position position_of(enum use use, uint32_t lane, uint32_t i)
{
	uint32_t pair = i / 2;
	/* Of a and c, the other 8 rows come first; of b, the other 8 of k. */
	uint32_t near = pair % 2 * 8, far = pair / 2 * 8;

	if (use == USE_B)
		return (struct position) { near + lane % 4 * 2 + i % 2,
					   far + lane / 4 };
	return (struct position) { near + lane / 4,
				   far + lane % 4 * 2 + i % 2 };
}

/* ---- meeting ---- */

/* Those that may still come have been missed already. */
static bool some_ended(struct thread *const *lanes, uint32_t there)
{
	for (uint32_t l = 0; l < WARP_LANES; l++)
		if (!(there >> l & 1) && lanes[l] &&
		    (lanes[l]->state == THREAD_WAITS ||
		     lanes[l]->state == THREAD_MEETS))
			return false;
	return there != UINT32_MAX;
}

static void all_finish(struct thread *const *lanes, uint32_t there)
{
	const struct thread *t = lanes[__builtin_ctz(there)];

	if (some_ended(lanes, there) && !rec.tainted)
		fault_deed(t, FINDING_BARRIER, t->meeting->word, "calls %s, "
			   "which needs all 32 lanes of a warp: %d do",
			   t->meeting->word, __builtin_popcount(there));
}

static void all_meet(const char *word, void *here)
{
	struct meeting m = { word, UINT32_MAX, false, all_finish, NULL };

	meet(&m, here);
}

/* ---- memory ---- */

static _Noreturn void refuse(const char *what)
{
	fault_deed(rec.thread, FINDING_CRASH, what, "breaks a rule: %s", what);
	thread_stop();
}

static void rules_check(const void *p, uint32_t pitch, size_t bytes)
{
	bool apart = pitch * bytes % FRAGMENT_PITCH == 0;

	if (apart && (uintptr_t)p % FRAGMENT_ALIGN == 0)
		return;
	fault_fragment(rec.thread, !apart);
	thread_stop();
}

/* Where element i is from the first one, in bytes. */
static size_t offset_of(enum use use, bool columns, uint32_t i,
			uint32_t pitch, size_t bytes)
{
	struct position at = position_of(use, rec.thread->number % WARP_LANES,
					 i);
	size_t element = columns ? (size_t)at.column * pitch + at.row :
				   (size_t)at.row * pitch + at.column;

	return element * bytes;
}

/* Neighbours in memory are one access. */
static uint32_t together(enum use use, bool columns)
{
	return (use == USE_B) == columns ? 2 : 1;
}

void gemmviz_wmma_load(int use, int columns, void *x, const void *from,
		       uint32_t pitch, size_t bytes, void *here);
void gemmviz_wmma_load(int use, int columns, void *x, const void *from,
		       uint32_t pitch, size_t bytes, void *here)
{
	uint32_t n = together((enum use)use, columns);

	if (!rec.thread)
		return;
	all_meet("wmma::load_matrix_sync", here);
	rules_check(from, pitch, bytes);
	for (uint32_t i = 0; i < ELEMENTS; i += n) {
		const char *at = (const char *)from +
			offset_of((enum use)use, columns, i, pitch, bytes);

		thread_access(here, at, n * bytes, OP_LD, NULL);
		memcpy((char *)x + i * bytes, at, n * bytes);
	}
	if (use != USE_C)
		memcpy((char *)x + ELEMENTS * bytes, x, ELEMENTS * bytes);
}

void gemmviz_wmma_store(int columns, const void *x, void *to, uint32_t pitch,
			size_t bytes, void *here);
void gemmviz_wmma_store(int columns, const void *x, void *to, uint32_t pitch,
			size_t bytes, void *here)
{
	uint32_t n = together(USE_C, columns);

	if (!rec.thread)
		return;
	all_meet("wmma::store_matrix_sync", here);
	rules_check(to, pitch, bytes);
	for (uint32_t i = 0; i < ELEMENTS; i += n) {
		char *at = (char *)to + offset_of(USE_C, columns, i, pitch,
						  bytes);
		const char *data = (const char *)x + i * bytes;

		thread_access(here, at, n * bytes, OP_ST, data);
		memcpy(at, data, n * bytes);
	}
}

/* ---- the product ---- */

struct mma {
	float *d;
	const float *of[3];	/* by enum use */
	uint32_t columns;	/* of B and C */
};

/* Elements that a lane holds. */
static uint32_t held(const struct mma *m, enum use use)
{
	return SIDE * (use == USE_A ? SIDE : m->columns) / WARP_LANES;
}

static void gather(struct thread *const *lanes, uint32_t there, enum use use,
		   float to[SIDE][SIDE])
{
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		const struct mma *m = meeting_part(lanes, there, l);

		for (uint32_t i = 0; m && i < held(m, use); i++) {
			struct position at = position_of(use, l, i);

			to[at.row][at.column] = m->of[use][i];
		}
	}
}

/* Products are exact and are added up in double: how tensor cores round is
 * nowhere written down, and of whole numbers nothing is rounded. */
static void mma_finish(struct thread *const *lanes, uint32_t there)
{
	float a[SIDE][SIDE] = { { 0 } }, b[SIDE][SIDE] = { { 0 } };
	float c[SIDE][SIDE] = { { 0 } };

	all_finish(lanes, there);
	gather(lanes, there, USE_A, a);
	gather(lanes, there, USE_B, b);
	gather(lanes, there, USE_C, c);
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		const struct mma *m = meeting_part(lanes, there, l);

		for (uint32_t i = 0; m && i < held(m, USE_C); i++) {
			struct position at = position_of(USE_C, l, i);
			double sum = c[at.row][at.column];

			for (uint32_t k = 0; k < SIDE; k++)
				sum += (double)a[at.row][k] *
				       b[k][at.column];
			m->d[i] = (float)sum;
		}
	}
}

void gemmviz_wmma_mma(float *d, const float *a, const float *b,
		      const float *c, void *here);
void gemmviz_wmma_mma(float *d, const float *a, const float *b,
		      const float *c, void *here)
{
	struct mma part = { d, { a, b, c }, SIDE };
	struct meeting m = { "wmma::mma_sync", UINT32_MAX, false, mma_finish,
			     &part };

	if (rec.thread)
		meet(&m, here);
}

/* A lane's registers are read and written one by one. */
void gemmviz_mma(float *d, const uint32_t *a, const uint32_t *b,
		 const float *values_a, const float *values_b, void *here);
void gemmviz_mma(float *d, const uint32_t *a, const uint32_t *b,
		 const float *values_a, const float *values_b, void *here)
{
	float sums[4];
	struct mma part = { sums, { values_a, values_b, d }, SIDE / 2 };
	struct meeting m = { "mma_m16n8k16", UINT32_MAX, false, mma_finish,
			     &part };

	if (!rec.thread)
		return;
	for (uint32_t i = 0; i < 4; i++)
		thread_access(here, &a[i], sizeof(a[i]), OP_LD, NULL);
	for (uint32_t i = 0; i < 2; i++)
		thread_access(here, &b[i], sizeof(b[i]), OP_LD, NULL);
	for (uint32_t i = 0; i < 4; i++)
		thread_access(here, &d[i], sizeof(d[i]), OP_LD, NULL);
	meet(&m, here);
	for (uint32_t i = 0; i < 4; i++) {
		thread_access(here, &d[i], sizeof(d[i]), OP_ST, &sums[i]);
		d[i] = sums[i];
	}
}

/* ---- 8x8 matrices in shared memory: ldmatrix, stmatrix ---- */

#define EIGHT 8
#define MATRICES 4

/* A lane's part: the row of memory that it names, and its registers. */
struct rows {
	bool trans;
	uint16_t row[EIGHT];
	uint16_t r[MATRICES][2];
};

/* Where the halves of a lane's register are in its matrix. */
static struct position half_of(bool trans, uint32_t lane, uint32_t half)
{
	struct position at = { lane / 4, lane % 4 * 2 + half };

	return trans ? (struct position) { at.column, at.row } : at;
}

/* Halves go from rows to registers, or the other way. */
static void rows_move(struct thread *const *lanes, uint32_t there, bool load)
{
	all_finish(lanes, there);
	for (uint32_t i = 0; i < WARP_LANES * MATRICES * 2; i++) {
		uint32_t lane = i % WARP_LANES, half = i / WARP_LANES % 2;
		uint32_t matrix = i / WARP_LANES / 2;
		struct rows *mine = meeting_part(lanes, there, lane), *names;
		struct position at;

		if (!mine)
			continue;
		at = half_of(mine->trans, lane, half);
		names = meeting_part(lanes, there, matrix * EIGHT + at.row);
		if (names && load)
			mine->r[matrix][half] = names->row[at.column];
		else if (names)
			names->row[at.column] = mine->r[matrix][half];
	}
}

static void ldmatrix_finish(struct thread *const *lanes, uint32_t there)
{
	rows_move(lanes, there, true);
}

static void stmatrix_finish(struct thread *const *lanes, uint32_t there)
{
	rows_move(lanes, there, false);
}

static void row_access(const char *word, void *here, const void *row,
		       enum op op, const void *data)
{
	const struct slot *s = thread_access_row(here, row, op, data);

	if (!s->array || s->array->info.space != SPACE_SHARED)
		refuse(word);
}

void gemmviz_ldmatrix(int trans, uint32_t *r, const void *row, void *here);
void gemmviz_ldmatrix(int trans, uint32_t *r, const void *row, void *here)
{
	struct rows part = { .trans = trans };
	struct meeting m = { trans ? "ldmatrix_x4_trans" : "ldmatrix_x4",
			     UINT32_MAX, false, ldmatrix_finish, &part };

	if (!rec.thread)
		return;
	row_access("ldmatrix reads shared memory", here, row, OP_LD, NULL);
	memcpy(part.row, row, sizeof(part.row));
	meet(&m, here);
	for (uint32_t i = 0; i < MATRICES; i++) {
		thread_access(here, &r[i], sizeof(r[i]), OP_ST, part.r[i]);
		memcpy(&r[i], part.r[i], sizeof(r[i]));
	}
}

void gemmviz_stmatrix(void *row, const uint32_t *r, void *here);
void gemmviz_stmatrix(void *row, const uint32_t *r, void *here)
{
	struct rows part = { .trans = false };
	struct meeting m = { "stmatrix_x4", UINT32_MAX, false,
			     stmatrix_finish, &part };

	if (!rec.thread)
		return;
	for (uint32_t i = 0; i < MATRICES; i++) {
		thread_access(here, &r[i], sizeof(r[i]), OP_LD, NULL);
		memcpy(part.r[i], &r[i], sizeof(r[i]));
	}
	meet(&m, here);
	row_access("stmatrix writes shared memory", here, row, OP_ST,
		   part.row);
	memcpy(row, part.row, sizeof(part.row));
}

uint32_t gemmviz_shared_address(const void *p);
uint32_t gemmviz_shared_address(const void *p)
{
	const struct array *a = memory_slot_at(&rec.memory, (uintptr_t)p);

	return a ? (uint32_t)(a->info.base + ((uintptr_t)p - a->lo)) : 0;
}
