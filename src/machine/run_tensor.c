/*
 * run_tensor: products of tensor cores. Of a matrix of a product lane l holds
 * the elements of row l / 4 (and 8 below it), from column l % 4 times what a
 * register holds on (PTX ISA, "Matrix Fragments for mma"). See run_parts.h.
 */
#include "machine/run_parts.h"

#define ROWS_A 16
#define COLUMNS_B 8
#define DEPTH_MOST 32

enum { TENSOR_F16, TENSOR_BF16, TENSOR_TF32, TENSOR_F32, TENSOR_S8, TENSOR_U8 };
/* A step's kind: the elements' type, and how deep the product is. */
#define DEPTH 8
#define SUMS_F16 (1u << 24)

static const struct { const char *word; uint32_t depth; } shapes[] = {
	{ "16816", 16 }, { "1688", 8 }, { "1684", 4 }, { "16832", 32 },
};

bool prepare_tensor(struct step *s)
{
	bool whole = !strcmp(s->of->opcode, "IMMA");
	uint32_t type = whole ? TENSOR_S8 : TENSOR_F16, depth = 0;

	for (size_t i = 0; i < LENGTH(shapes); i++)
		if (sass_has(s->of, shapes[i].word))
			depth = shapes[i].depth;
	if (sass_has(s->of, "BF16"))
		type = TENSOR_BF16;
	if (sass_has(s->of, "TF32"))
		type = TENSOR_TF32;
	if (whole && sass_has(s->of, "U8"))
		type = TENSOR_U8;
	s->kind = type | depth << DEPTH;
	if (!whole && !sass_has(s->of, "F32"))
		s->kind |= SUMS_F16;
	/* What is not computed is left out, and said. */
	s->wide = !depth || s->sources < 3 || sass_has(s->of, "SP") ||
		  sass_has(s->of, "SAT") || sass_has(s->of, "S4") ||
		  sass_has(s->of, "U4") ||
		  (whole && sass_has(s->of, "U8") && sass_has(s->of, "S8")) ||
		  (type == TENSOR_TF32 && depth > 8) ||
		  (type == TENSOR_BF16 && depth < 8);
	return true;
}

/* Returns the elements in a register. */
static uint32_t elements_packed(uint32_t type)
{
	return type == TENSOR_TF32 ? 1 : type >= TENSOR_S8 ? 4 : 2;
}

/* Computes element n of a register of each lane. */
static void tensor_elements(uint32_t type, const uint32_t *v, uint32_t n,
			    double to[WARP_LANES])
{
	switch (type) {
	case TENSOR_F16:
		EACH_LANE(l)
			to[l] = half_real((uint16_t)(v[l] >> 16 * n));
		break;
	case TENSOR_BF16:
		EACH_LANE(l)
			to[l] = bfloat_real((uint16_t)(v[l] >> 16 * n));
		break;
	case TENSOR_TF32:
		/* The lowest 13 bits do not count. */
		EACH_LANE(l)
			to[l] = as_float(v[l] & ~0x1fffu);
		break;
	case TENSOR_F32:
		EACH_LANE(l)
			to[l] = as_float(v[l]);
		break;
	case TENSOR_S8:
		EACH_LANE(l)
			to[l] = (int8_t)(v[l] >> 8 * n);
		break;
	default:
		EACH_LANE(l)
			to[l] = (uint8_t)(v[l] >> 8 * n);
	}
}

/* Fills in A, or B's transpose, by columns, from the lanes' registers: first
 * those of one row and then 8 rows below it, then what is further right. */
static void get_matrix(struct warp *w, const struct step_source *from,
		       uint32_t type, uint32_t depth, uint32_t rows,
		       double to[DEPTH_MOST][ROWS_A])
{
	uint32_t each = elements_packed(type), step = 4 * each;
	uint32_t below = rows / 8, registers = below * depth / step;
	double x[WARP_LANES];

	for (uint32_t n = 0; n < registers; n++) {
		const uint32_t *v = w->r[from->row == SASS_RZ ? SASS_RZ :
					 from->row + n].v;

		for (uint32_t k = 0; k < each; k++) {
			tensor_elements(type, v, k, x);
			EACH_LANE(l)
				to[n / below * step + (uint32_t)l % 4 * each + k]
				  [l / 4 + 8 * (n % below)] = x[l];
		}
	}
}

/* A sum n of lane l: two neighbours in a row, and two 8 rows below. */
#define SUM_AT(sum, l, n) \
	(sum)[(l) / 4 + ((n) > 1 ? 8 : 0)][(l) % 4 * 2 + (int)((n) % 2)]

static void get_sums(struct warp *w, const struct step *s,
		     double sum[ROWS_A][COLUMNS_B])
{
	uint32_t row = s->source[2].row, type = s->kind & 255;
	bool halves = s->kind & SUMS_F16;

	for (uint32_t n = 0; n < 4; n++) {
		const uint32_t *v = w->r[row == SASS_RZ ? row :
					 row + (halves ? n / 2 : n)].v;
		double x[WARP_LANES];

		if (type >= TENSOR_S8)
			EACH_LANE(l)
				x[l] = (int32_t)v[l];
		else
			tensor_elements(halves ? TENSOR_F16 : TENSOR_F32, v,
					n % 2, x);
		EACH_LANE(l)
			SUM_AT(sum, l, n) = x[l];
	}
}

static void put_sums(struct warp *w, const struct step *s,
		     double sum[ROWS_A][COLUMNS_B], uint32_t mask)
{
	struct lanes out;
	uint32_t registers = s->kind & SUMS_F16 ? 2 : 4;

	for (uint32_t n = 0; n < registers; n++) {
		EACH_LANE(l) {
			if (s->kind & SUMS_F16)
				out.v[l] = half_of(SUM_AT(sum, l, 2 * n)) |
					   (uint32_t)half_of(SUM_AT(sum, l,
							2 * n + 1)) << 16;
			else if ((s->kind & 255) >= TENSOR_S8)
				out.v[l] = (uint32_t)(int64_t)SUM_AT(sum, l, n);
			else
				out.v[l] = float_bits((float)SUM_AT(sum, l, n));
		}
		put_row(w, s->to + n, out.v, mask);
	}
}

void step_tensor(struct machine_run *r, struct warp *w, const struct step *s,
		 uint32_t mask)
{
	static const struct lanes zero;

	r->left_out = true;
	for (uint32_t n = 0; n < 4 && s->to != SASS_RZ; n++)
		put_row(w, MIN(s->to + n, SASS_RZ), zero.v, mask);
}

void step_hmma(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	uint32_t type = s->kind & 255, depth = s->kind >> DEPTH & 255;
	double a[DEPTH_MOST][ROWS_A], b[DEPTH_MOST][ROWS_A];
	double sum[ROWS_A][COLUMNS_B];

	if (s->wide || mask != FULL) {
		step_tensor(r, w, s, mask);
		return;
	}
	get_matrix(w, &s->source[0], type, depth, ROWS_A, a);
	get_matrix(w, &s->source[1], type, depth, COLUMNS_B, b);
	get_sums(w, s, sum);
	for (uint32_t k = 0; k < depth; k++)
		for (int row = 0; row < ROWS_A; row++)
			for (int column = 0; column < COLUMNS_B; column++)
				sum[row][column] += a[k][row] * b[k][column];
	put_sums(w, s, sum, mask);
}

void step_imma(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	step_hmma(r, w, s, mask);
}
