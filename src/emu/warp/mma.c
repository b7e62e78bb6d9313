/*
 * mma: the functions of src/kernels/ptx.h for matrices in the registers of a
 * warp: mma.sync, ldmatrix and stmatrix (PTX ISA).
 */
#include <string.h>

#include "emu/warp/arch_check.h"
#include "emu/warp/warp_matrix.h"

/* ---- mma ---- */

void gemmviz_mma(float *d, const uint32_t *a, const uint32_t *b, int bf16,
		 void *here);
void gemmviz_mma(float *d, const uint32_t *a, const uint32_t *b, int bf16,
		 void *here)
{
	static const char *const names[] = { "m16n8k16.f16", "m16n8k16.bf16" };
	static const struct warp_matrix *tiles[2][TILES];
	struct multiply p = { .x = { (void *)a, (void *)b, d, d } };

	if (!rec.thread)
		return;
	arch_check("mma.sync.aligned.m16n8k16", "mma_m16n8k16", here);
	for (int i = 0; i < TILES; i++) {
		if (!tiles[bf16][i])
			tiles[bf16][i] =
				warp_matrix_find(names[bf16], "ABCD"[i]);
		p.of[i] = tiles[bf16][i];
	}
	warp_matrix_multiply(&p, "mma_m16n8k16", here);
}

/* ---- 8x8 matrices in shared memory: ldmatrix, stmatrix ---- */

#define EIGHT 8
#define MATRICES 4

/* A lane's part: the row of memory that it names, and its registers. */
struct matrix_rows {
	bool trans;
	uint16_t row[EIGHT];
	uint16_t r[MATRICES][2];
};

/* Returns where the halves of a lane's registers are in the matrices. */
static const struct warp_matrix *get_ldmatrix_tile(bool trans)
{
	static const struct warp_matrix *tiles[2];

	if (!tiles[trans])
		tiles[trans] = warp_matrix_find(
			trans ? "ldmatrix.x4.trans" : "ldmatrix.x4", 'R');
	return tiles[trans];
}

/* Copies halves from the rows to the registers of all lanes (`load`), or the
 * other way. */
static void rows_move(struct thread *const *lanes, uint32_t there, bool load)
{
	warp_sync_whole(lanes, there);
	for (uint32_t i = 0; i < WARP_LANES * MATRICES * 2; i++) {
		uint32_t lane = i % WARP_LANES, half = i / WARP_LANES;
		struct matrix_rows *mine = warp_sync_part(lanes, there, lane),
				   *names;
		struct warp_matrix_place at;

		if (!mine)
			continue;
		at = get_ldmatrix_tile(mine->trans)->at[lane][half];
		names = warp_sync_part(lanes, there,
				       (uint32_t)at.matrix * EIGHT + at.row);
		if (names && load)
			mine->r[half / 2][half % 2] = names->row[at.col];
		else if (names)
			names->row[at.col] = mine->r[half / 2][half % 2];
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

static void row_access(enum finding_cause wrong, void *here, const void *row,
		       enum op op, const void *data)
{
	const struct access_site *s = thread_access_row(here, row, op, data);

	if (s->array && s->array->info.space == SPACE_SHARED)
		return;
	emu_finding_stops(wrong);
}

/* Loads 1, 2 or 4 matrices; the first 8 * count lanes name the rows. */
void gemmviz_ldmatrix_some(int trans, uint32_t count, uint32_t *r,
			   const void *row, void *here);
void gemmviz_ldmatrix_some(int trans, uint32_t count, uint32_t *r,
			   const void *row, void *here)
{
	struct matrix_rows part = { .trans = trans };
	struct warp_sync m = { trans ? "ldmatrix_x4_trans" : "ldmatrix_x4",
			       UINT32_MAX, false, ldmatrix_finish, &part };

	arch_check("ldmatrix.sync", m.word, here);
	if (rec.thread->number % WARP_LANES < count * EIGHT) {
		row_access(CAUSE_LDMATRIX_SPACE, here, row, OP_LD, NULL);
		memcpy(part.row, row, sizeof(part.row));
	}
	warp_sync(&m, here);
	memcpy(r, part.r, count * sizeof(*r));
}

void gemmviz_ldmatrix(int trans, uint32_t *r, const void *row, void *here);
void gemmviz_ldmatrix(int trans, uint32_t *r, const void *row, void *here)
{
	uint32_t loaded[MATRICES];

	if (!rec.thread)
		return;
	gemmviz_ldmatrix_some(trans, MATRICES, loaded, row, here);
	for (uint32_t i = 0; i < MATRICES; i++) {
		thread_access(here, &r[i], sizeof(r[i]), OP_ST, &loaded[i]);
		memcpy(&r[i], &loaded[i], sizeof(r[i]));
	}
}

void gemmviz_stmatrix(int trans, uint32_t count, void *row, const uint32_t *r,
		      void *here);
void gemmviz_stmatrix(int trans, uint32_t count, void *row, const uint32_t *r,
		      void *here)
{
	struct matrix_rows part = { .trans = trans };
	struct warp_sync m = { trans ? "stmatrix_x2_trans" : "stmatrix_x4",
			       UINT32_MAX, false, stmatrix_finish, &part };

	if (!rec.thread)
		return;
	arch_check("stmatrix.sync", m.word, here);
	for (uint32_t i = 0; i < count; i++) {
		thread_access(here, &r[i], sizeof(r[i]), OP_LD, NULL);
		memcpy(part.r[i], &r[i], sizeof(r[i]));
	}
	warp_sync(&m, here);
	if (rec.thread->number % WARP_LANES >= count * EIGHT)
		return;
	row_access(CAUSE_STMATRIX_SPACE, here, row, OP_ST, part.row);
	memcpy(row, part.row, sizeof(part.row));
}

uint32_t gemmviz_shared_address(const void *p);
uint32_t gemmviz_shared_address(const void *p)
{
	const struct array *a = memory_at(&rec.memory, (uintptr_t)p, 1);

	return a ? (uint32_t)(a->info.base + ((uintptr_t)p - a->lo)) : 0;
}
