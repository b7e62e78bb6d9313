/*
 * warp_matrix: fragments, and their products. See warp_matrix.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/contents.h"
#include "emu/warp/warp_matrix.h"

/* ---- layouts ---- */

/* Finds an element's type by its name; false: there is none here. */
static bool parse_elem(const char *type, enum elem *elem)
{
	static const struct { const char *type; enum elem elem; } elems[] = {
		{ "f16", ELEM_F16 }, { "bf16", ELEM_BF16 },
		{ "tf32", ELEM_F32 }, { "f32", ELEM_F32 },
		{ "f64", ELEM_F64 }, { "s8", ELEM_I8 }, { "u8", ELEM_U8 },
		{ "s32", ELEM_I32 }, { "b16", ELEM_U16 },
	};

	for (size_t i = 0; i < LENGTH(elems); i++)
		if (!strcmp(elems[i].type, type)) {
			*elem = elems[i].elem;
			return true;
		}
	return false;
}

static const struct warp_matrix *tile_new(const struct fragment *f)
{
	struct warp_matrix *t = xcalloc(1, sizeof(*t));

	t->f = *f;
	if (!parse_elem(f->type, &t->elem))
		fatal("no elements of type %s", f->type);
	t->bytes = (uint32_t)f->bits / 8;
	/* A float with the 10 bits of fraction that tf32 has. */
	t->seen = strcmp(f->type, "tf32") ? UINT32_MAX : UINT32_MAX << 13;
	for (int lane = 0; lane < WARP_LANES; lane++)
		for (int e = 0; e < f->elements; e++) {
			struct fragment_place p = { .lane = lane,
						    .element = e };

			fragment_element(f, &p);
			t->at[lane][e] = (struct warp_matrix_place){
				(uint8_t)p.matrix, (uint8_t)p.row,
				(uint8_t)p.col, (uint8_t)p.copy
			};
			t->place[lane][e] = p.copy ? WARP_MATRIX_PLACES :
				(uint16_t)(p.row * f->cols + p.col);
		}
	return t;
}

const struct warp_matrix *warp_matrix_find(const char *name, char operand)
{
	struct fragment_wish w = { .name = name, .operand = operand };
	struct fragment f;
	struct error e;

	if (fragment_find(&w, &f, &e) < 0)
		fatal("%s", e.text);
	return tile_new(&f);
}

const struct warp_matrix *warp_matrix_wished(const struct fragment_wish *w)
{
	struct fragment f;
	struct error e;
	enum elem elem;

	if (fragment_find(w, &f, &e) < 0 || f.matrices != 1 ||
	    f.elements > WARP_MATRIX_ELEMENTS ||
	    f.rows * f.cols > WARP_MATRIX_PLACES || !parse_elem(f.type, &elem))
		return NULL;
	return tile_new(&f);
}

const struct warp_matrix *warp_matrix_wmma(const char *shape, char operand,
					   const char *type)
{
	struct fragment f;
	struct error e;

	if (fragment_wmma(shape, operand, type, &f, &e) < 0)
		fatal("%s", e.text);
	return tile_new(&f);
}

/* ---- registers ---- */

void warp_matrix_registers(const struct warp_matrix *t, const void *x,
			   enum op op, void *here)
{
	thread_access_units(here, x, (uint32_t)t->f.elements * t->bytes,
			    MAX(t->bytes, 4u), op);
}

/* ---- products ---- */

const double *warp_matrix_real16(enum elem elem)
{
	static double values[2][1 << 16];
	double *of = values[elem == ELEM_BF16];

	/* The last is no number. */
	for (uint32_t half = 0; of[(1 << 16) - 1] == 0 && half < 1 << 16;
	     half++)
		element_value(elem, &half, 0, &of[half]);
	return of;
}

/* Reads the lane's elements, each into its place; copies go after them all. */
static void lane_values(const struct warp_matrix *t, uint32_t lane,
			const void *x, double *to)
{
	const uint16_t *at = t->place[lane];
	const double *values = t->bytes == 2 ? warp_matrix_real16(t->elem) :
					       NULL;

	for (int e = 0; e < t->f.elements; e++) {
		const char *from = (const char *)x + e * (int)t->bytes;
		uint32_t words[2] = { 0 };
		uint16_t half;
		float real;

		if (values) {
			memcpy(&half, from, sizeof(half));
			to[at[e]] = values[half];
		} else if (t->elem == ELEM_F32) {
			memcpy(words, from, sizeof(*words));
			words[0] &= t->seen;
			memcpy(&real, words, sizeof(real));
			to[at[e]] = real;
		} else {
			memcpy(words, from, t->bytes);
			element_value(t->elem, words, 0, &to[at[e]]);
		}
	}
}

/* Reads the whole operand; what no lane gives is zero. */
static void gather_operand(struct thread *const *lanes, uint32_t there,
			   int which, double *to)
{
	memset(to, 0, WARP_MATRIX_PLACES * sizeof(*to));
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		const struct multiply *p = warp_sync_part(lanes, there, l);

		if (p)
			lane_values(p->of[which], l, p->x[which], to);
	}
}

static int32_t convert_to_int32(double v, bool saturate)
{
	if (saturate)
		v = fmax(INT32_MIN, fmin(v, INT32_MAX));
	return (int32_t)(uint32_t)(int64_t)v;
}

static void element_put(enum elem elem, void *x, uint32_t e, double v,
			bool saturate)
{
	switch (elem) {
	case ELEM_F16:
		((uint16_t *)x)[e] = real16_round(elem, v);
		break;
	case ELEM_F64:
		((double *)x)[e] = v;
		break;
	case ELEM_I32:
		((int32_t *)x)[e] = convert_to_int32(v, saturate);
		break;
	default:
		((float *)x)[e] = (float)v;
	}
}

static void scatter_result(struct thread *const *lanes, uint32_t there,
			   const double *from)
{
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		const struct multiply *p = warp_sync_part(lanes, there, l);
		const struct warp_matrix *t = p ? p->of[WARP_MATRIX_D] : NULL;

		for (uint32_t e = 0; p && e < (uint32_t)t->f.elements; e++) {
			struct warp_matrix_place at = t->at[l][e];

			element_put(t->elem, p->x[WARP_MATRIX_D], e,
				    from[at.row * t->f.cols + at.col],
				    p->saturate);
		}
	}
}

/* Computes C += A B, 8 columns at a time, in the order of k; all widths are
 * multiples of that. */
#define STEP 8
typedef double wide __attribute__((vector_size(STEP * sizeof(double))));

WIDE_VECTORS static void multiply_small(const double *a, const double *b,
					double *c, int m, int n, int k)
{
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j += STEP) {
			wide sum, row;

			memcpy(&sum, &c[i * n + j], sizeof(sum));
			for (int l = 0; l < k; l++) {
				memcpy(&row, &b[l * n + j], sizeof(row));
				sum += a[i * k + l] * row;
			}
			memcpy(&c[i * n + j], &sum, sizeof(sum));
		}
}

/* Computes D for all lanes. Products are exact, but those of float64, and are
 * added up in double: how tensor cores round is not documented, and nothing is
 * rounded for integers. */
static void multiply_finish(struct thread *const *lanes, uint32_t there)
{
	const struct multiply *p =
		warp_sync_part(lanes, there, (uint32_t)__builtin_ctz(there));
	double a[WARP_MATRIX_PLACES + 1], b[WARP_MATRIX_PLACES + 1];
	double c[WARP_MATRIX_PLACES + 1];
	int m = p->of[WARP_MATRIX_D]->f.rows, n = p->of[WARP_MATRIX_D]->f.cols;
	int k = p->of[WARP_MATRIX_A]->f.cols;

	warp_sync_whole(lanes, there);
	gather_operand(lanes, there, WARP_MATRIX_A, a);
	gather_operand(lanes, there, WARP_MATRIX_B, b);
	gather_operand(lanes, there, WARP_MATRIX_C, c);
	multiply_small(a, b, c, m, n, k);
	scatter_result(lanes, there, c);
}

void warp_matrix_product(struct multiply *p, const char *word, void *here)
{
	struct warp_sync m = { word, UINT32_MAX, false, multiply_finish, p };

	warp_sync(&m, here);
}

void warp_matrix_multiply(struct multiply *p, const char *word, void *here)
{
	for (int i = WARP_MATRIX_A; i <= WARP_MATRIX_C; i++)
		warp_matrix_registers(p->of[i], p->x[i], OP_LD, here);
	warp_matrix_product(p, word, here);
	warp_matrix_registers(p->of[WARP_MATRIX_D], p->x[WARP_MATRIX_D], OP_ST,
			      here);
}
