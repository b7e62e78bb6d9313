/*
 * blas: see blas.h. Matrices are stored by columns.
 */
#include "cudart/libs/blas.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

enum { REAL_SINGLE, REAL_DOUBLE, COMPLEX_SINGLE = 4, COMPLEX_DOUBLE };
enum { OP_PLAIN, OP_TRANSPOSED, OP_CONJUGATED };

typedef struct blas_number number;

size_t blas_bytes(int type)
{
	switch (type) {
	case REAL_SINGLE:
		return sizeof(float);
	case REAL_DOUBLE:
		return sizeof(double);
	case COMPLEX_SINGLE:
		return 2 * sizeof(float);
	case COMPLEX_DOUBLE:
		return 2 * sizeof(double);
	default:
		return 0;
	}
}

int blas_real(int type)
{
	return type == COMPLEX_SINGLE ? REAL_SINGLE :
	       type == COMPLEX_DOUBLE ? REAL_DOUBLE : type;
}

number blas_get(int type, const void *from, size_t n)
{
	const char *p = (const char *)from + n * blas_bytes(type);
	number v = { 0, 0 };
	float f[2] = { 0, 0 };

	if (blas_real(type) == REAL_DOUBLE) {
		memcpy(&v, p, blas_bytes(type));
		return v;
	}
	memcpy(f, p, blas_bytes(type));
	return (number) { f[0], f[1] };
}

void blas_put(int type, void *to, size_t n, number v)
{
	char *p = (char *)to + n * blas_bytes(type);
	float f[2] = { (float)v.re, (float)v.im };

	if (blas_real(type) == REAL_DOUBLE)
		memcpy(p, &v, blas_bytes(type));
	else
		memcpy(p, f, blas_bytes(type));
}

/* ---- numbers ---- */

static number complex_add(number a, number b)
{
	return (number) { a.re + b.re, a.im + b.im };
}

static number complex_sub(number a, number b)
{
	return (number) { a.re - b.re, a.im - b.im };
}

/* Multiplies a by b; two reals as reals, so that infinity times 0 in the
 * imaginary part gives no NaN. */
static number complex_mul(number a, number b)
{
	if (a.im == 0 && b.im == 0)
		return (number) { a.re * b.re, 0 };
	return (number) { a.re * b.re - a.im * b.im,
			  a.re * b.im + a.im * b.re };
}

/* Divides a by b, scaled so that squares of b's parts do not overflow. */
static number complex_div(number a, number b)
{
	double scale = MAX(fabs(b.re), fabs(b.im)), re, im, square;

	if (b.im == 0)
		return (number) { a.re / b.re, a.im / b.re };
	re = b.re / scale;
	im = b.im / scale;
	square = scale * (re * re + im * im);
	return (number) { (a.re * re + a.im * im) / square,
			  (a.im * re - a.re * im) / square };
}

static number complex_conj(number a)
{
	return (number) { a.re, -a.im };
}

static bool is_zero(number a)
{
	return a.re == 0 && a.im == 0;
}

/* ---- elements ---- */

/* Returns the index in memory of element i of n; with a negative stride the
 * last element comes first, as BLAS defines. */
static size_t vector_index(int i, int n, int stride)
{
	return (size_t)(stride < 0 ? (long long)(i - n + 1) * stride :
				     (long long)i * stride);
}

/* Reads element (i, j) of op(A) of leading dimension ld. */
static number matrix_get(int type, const void *a, int ld, int op, int i, int j)
{
	size_t row = (size_t)(op == OP_PLAIN ? i : j);
	size_t column = (size_t)(op == OP_PLAIN ? j : i);
	number v = blas_get(type, a, row + column * (size_t)ld);

	return op == OP_CONJUGATED ? complex_conj(v) : v;
}

/* Stores v + beta w, where w is element n of `to`; w is not read if beta is
 * 0. */
static void put_blended(int type, void *to, size_t n, number v, number beta)
{
	if (!is_zero(beta))
		v = complex_add(v, complex_mul(beta, blas_get(type, to, n)));
	blas_put(type, to, n, v);
}

/* ---- vectors ---- */

static number get_x(const struct gemmviz_blas *b, int i)
{
	return blas_get(b->type, b->x, vector_index(i, b->n, b->stride_x));
}

static number get_y(const struct gemmviz_blas *b, int i)
{
	return blas_get(b->type, b->y, vector_index(i, b->n, b->stride_y));
}

static void set_x(const struct gemmviz_blas *b, int i, number v)
{
	blas_put(b->type, b->x, vector_index(i, b->n, b->stride_x), v);
}

static void set_y(const struct gemmviz_blas *b, int i, number v)
{
	blas_put(b->type, b->y, vector_index(i, b->n, b->stride_y), v);
}

/* Computes axpy, scal, copy, swap and rot. */
static void update_vectors(const struct gemmviz_blas *b, number alpha,
			   number beta)
{
	for (int i = 0; i < b->n; i++) {
		number x = get_x(b, i);
		number y = b->y ? get_y(b, i) : (number){ 0, 0 };

		if (b->what == GEMMVIZ_AXPY)
			set_y(b, i, complex_add(complex_mul(alpha, x), y));
		else if (b->what == GEMMVIZ_SCAL)
			set_x(b, i, complex_mul(alpha, x));
		else
			set_y(b, i,
			      b->what == GEMMVIZ_ROT ?
				      complex_sub(
					      complex_mul(alpha, y),
					      complex_mul(complex_conj(beta),
							  x)) :
				      x);
		if (b->what == GEMMVIZ_SWAP)
			set_x(b, i, y);
		if (b->what == GEMMVIZ_ROT)
			set_x(b, i,
			      complex_add(complex_mul(alpha, x),
					  complex_mul(beta, y)));
	}
}

/* Returns |re| + |im|, by which BLAS compares complex numbers. */
static double abs_re_im(number v)
{
	return fabs(v.re) + fabs(v.im);
}

/* Returns the index, from 1, of the first element that is largest (amax) or
 * smallest (amin); 0: the vector is empty. */
static int find_extreme(const struct gemmviz_blas *b)
{
	int best = 0;

	for (int i = 1; i < b->n; i++) {
		double now = abs_re_im(get_x(b, i));
		double was = abs_re_im(get_x(b, best));

		if (b->what == GEMMVIZ_AMAX ? now > was : now < was)
			best = i;
	}
	return b->n > 0 ? best + 1 : 0;
}

/* Computes the Euclidean norm of x, scaled so that no square overflows or
 * underflows. */
static double compute_norm(const struct gemmviz_blas *b)
{
	double most = 0, sum = 0;

	for (int i = 0; i < b->n; i++) {
		number v = get_x(b, i);

		most = fmax(most, fmax(fabs(v.re), fabs(v.im)));
		if (isnan(v.re) || isnan(v.im))
			return NAN;
	}
	if (most == 0 || isinf(most))
		return most;
	for (int i = 0; i < b->n; i++) {
		number v = get_x(b, i);

		sum += v.re / most * (v.re / most) +
		       v.im / most * (v.im / most);
	}
	return most * sqrt(sum);
}

/* Computes dot, dotc and asum. */
static number sum_products(const struct gemmviz_blas *b)
{
	number s = { 0, 0 };

	for (int i = 0; i < b->n; i++) {
		number x = get_x(b, i);

		if (b->what == GEMMVIZ_ASUM)
			x = (number){ abs_re_im(x), 0 };
		else
			x = complex_mul(
				b->what == GEMMVIZ_DOTC ? complex_conj(x) : x,
				get_y(b, i));
		s = complex_add(s, x);
	}
	return s;
}

/* ---- a matrix and vectors ---- */

static bool is_plain(const struct gemmviz_blas *b)
{
	return b->op == OP_PLAIN || b->what == GEMMVIZ_SYMV;
}

/* Reads element (i, j) of op(A); of a symmetric matrix, from the stored
 * triangle. */
static number get_a(const struct gemmviz_blas *b, int i, int j)
{
	bool other = b->what == GEMMVIZ_SYMV && (b->upper ? i > j : i < j);

	return matrix_get(b->type, b->a, b->lda, b->op, other ? j : i,
			  other ? i : j);
}

/* Computes gemv and symv: y = alpha op(A) x + beta y. */
static void matrix_vector(const struct gemmviz_blas *b, number alpha,
			  number beta)
{
	int rows = is_plain(b) ? b->m : b->n, columns = is_plain(b) ? b->n : b->m;

	for (int i = 0; i < rows; i++) {
		number s = { 0, 0 };

		for (int j = 0; j < columns && !is_zero(alpha); j++)
			s = complex_add(
				s, complex_mul(get_a(b, i, j),
					       blas_get(b->type, b->x,
							vector_index(
								j, columns,
								b->stride_x))));
		put_blended(b->type, b->y, vector_index(i, rows, b->stride_y),
			    complex_mul(alpha, s), beta);
	}
}

/* Computes ger and gerc: A = alpha x y^T + A. */
static void add_outer_product(const struct gemmviz_blas *b, number alpha)
{
	for (int j = 0; j < b->n; j++) {
		number y = get_y(b, j);

		y = complex_mul(alpha,
				b->what == GEMMVIZ_GERC ? complex_conj(y) : y);
		for (int i = 0; i < b->m; i++) {
			size_t n = (size_t)i + (size_t)j * (size_t)b->lda;
			number x = blas_get(b->type, b->x,
					    vector_index(i, b->m, b->stride_x));

			blas_put(b->type, (void *)b->a, n,
				 complex_add(complex_mul(x, y),
					     blas_get(b->type, b->a, n)));
		}
	}
}

/* ---- triangles ---- */

/* A triangular matrix op(A), or its transpose, and a vector of n elements. */
struct triangle {
	const struct gemmviz_blas *b;
	bool turned;
	int n;
	void *x;
	int stride;
};

/* Returns whether the elements are above the diagonal. */
static bool is_upper(const struct triangle *t)
{
	return (t->b->upper != 0) ^ (t->b->op != OP_PLAIN) ^ t->turned;
}

/* Reads element (i, j); the diagonal is 1 in a unit triangle. */
static number triangle_get(const struct triangle *t, int i, int j)
{
	if (i == j && t->b->unit)
		return (number) { 1, 0 };
	return matrix_get(t->b->type, t->b->a, t->b->lda, t->b->op,
			  t->turned ? j : i, t->turned ? i : j);
}

/* Returns row i times x, without the diagonal. */
static number sum_off_diagonal(const struct triangle *t, int i)
{
	int from = is_upper(t) ? i + 1 : 0, end = is_upper(t) ? t->n : i;
	number s = { 0, 0 };

	for (int j = from; j < end; j++)
		s = complex_add(
			s, complex_mul(
				   triangle_get(t, i, j),
				   blas_get(t->b->type, t->x,
					    vector_index(j, t->n, t->stride))));
	return s;
}

/* Multiplies the vector by the matrix (trmv), or solves for it (trsv). */
static void apply_triangle(const struct triangle *t, bool solve)
{
	/* Multiplication reads elements that are not yet replaced, solving
	 * reads those that are. */
	bool up = is_upper(t) == solve;

	for (int k = 0; k < t->n; k++) {
		int i = up ? t->n - 1 - k : k;
		size_t to = vector_index(i, t->n, t->stride);
		number x = blas_get(t->b->type, t->x, to);
		number of = triangle_get(t, i, i), s = sum_off_diagonal(t, i);

		blas_put(t->b->type, t->x, to,
			 solve ? complex_div(complex_sub(x, s), of) :
				 complex_add(complex_mul(of, x), s));
	}
}

/* Computes trsm: solves for each column of B, or for each row if A is on the
 * right. */
static void solve_triangles(const struct gemmviz_blas *b, number alpha)
{
	size_t bytes = blas_bytes(b->type), ld = (size_t)b->stride_x;
	int count = b->side ? b->m : b->n, n = b->side ? b->n : b->m;

	for (int i = 0; i < count; i++) {
		struct triangle t = {
			.b = b, .turned = b->side, .n = n,
			.x = (char *)b->x + (size_t)i * bytes *
			     (b->side ? 1 : ld),
			.stride = b->side ? b->stride_x : 1 };

		for (int j = 0; j < n; j++) {
			size_t to = vector_index(j, n, t.stride);

			blas_put(b->type, t.x, to,
				 is_zero(alpha) ?
					 alpha :
					 complex_mul(alpha, blas_get(b->type,
								     t.x, to)));
		}
		if (!is_zero(alpha))
			apply_triangle(&t, true);
	}
}

/* ---- matrices ---- */

/* Computes element (i, j) of alpha op(A) + beta op(B) (geam), A diag(x) or
 * diag(x) A (dgmm), or alpha op(A) op(B) (gemm). */
static number matrix_element(const struct gemmviz_blas *b, number alpha,
			     number beta, int i, int j)
{
	number v = { 0, 0 };

	if (b->what == GEMMVIZ_DGMM) {
		int k = b->side ? j : i, n = b->side ? b->n : b->m;

		return complex_mul(
			matrix_get(b->type, b->a, b->lda, OP_PLAIN, i, j),
			blas_get(b->type, b->x,
				 vector_index(k, n, b->stride_x)));
	}
	if (b->what == GEMMVIZ_GEAM) {
		if (!is_zero(alpha))
			v = complex_mul(alpha, matrix_get(b->type, b->a, b->lda,
							  b->op, i, j));
		return is_zero(beta) ?
			       v :
			       complex_add(
				       v,
				       complex_mul(beta,
						   matrix_get(b->type, b->x,
							      b->stride_x,
							      b->op_x, i, j)));
	}
	for (int k = 0; k < b->k && !is_zero(alpha); k++)
		v = complex_add(
			v, complex_mul(matrix_get(b->type, b->a, b->lda, b->op,
						  i, k),
				       matrix_get(b->type, b->x, b->stride_x,
						  b->op_x, k, j)));
	return complex_mul(alpha, v);
}

/* Computes geam, dgmm and gemm. */
static void compute_matrix(const struct gemmviz_blas *b, number alpha,
			   number beta)
{
	static const number none = { 0, 0 };

	for (int j = 0; j < b->n; j++)
		for (int i = 0; i < b->m; i++)
			put_blended(b->type, b->y,
				    (size_t)i + (size_t)j * (size_t)b->stride_y,
				    matrix_element(b, alpha, beta, i, j),
				    b->what == GEMMVIZ_GEMM ? beta : none);
}

number blas_do(const struct gemmviz_blas *b, number alpha, number beta)
{
	struct triangle t = { .b = b, .n = b->n, .x = b->x,
			      .stride = b->stride_x };

	switch (b->what) {
	case GEMMVIZ_AXPY: case GEMMVIZ_SCAL: case GEMMVIZ_COPY:
	case GEMMVIZ_SWAP: case GEMMVIZ_ROT:
		update_vectors(b, alpha, beta);
		break;
	case GEMMVIZ_DOT: case GEMMVIZ_DOTC: case GEMMVIZ_ASUM:
		return sum_products(b);
	case GEMMVIZ_NRM2:
		return (number){ compute_norm(b), 0 };
	case GEMMVIZ_AMAX: case GEMMVIZ_AMIN:
		return (number){ find_extreme(b), 0 };
	case GEMMVIZ_GEMV: case GEMMVIZ_SYMV:
		matrix_vector(b, alpha, beta);
		break;
	case GEMMVIZ_GER: case GEMMVIZ_GERC:
		add_outer_product(b, alpha);
		break;
	case GEMMVIZ_TRMV: case GEMMVIZ_TRSV:
		apply_triangle(&t, b->what == GEMMVIZ_TRSV);
		break;
	case GEMMVIZ_TRSM:
		solve_triangles(b, alpha);
		break;
	case GEMMVIZ_GEAM: case GEMMVIZ_DGMM: case GEMMVIZ_GEMM:
		compute_matrix(b, alpha, beta);
		break;
	}
	return (number) { 0, 0 };
}
