/*
 * shape: see shape.h.
 */
#include "base/lang.h"
#include "kernels/shape.h"

static uint32_t count_parts(int a, int b)
{
	return (uint32_t)((a + b - 1) / b);
}

struct trace_dim shape_tiles(int m, int n, int rows, int columns)
{
	return (struct trace_dim){ count_parts(n, columns),
				   count_parts(m, rows), 1 };
}

struct trace_dim shape_row(uint32_t count)
{
	return (struct trace_dim) { count, 1, 1 };
}

struct trace_dim shape_square_block(const int *p)
{
	return (struct trace_dim) { (uint32_t)p[0], (uint32_t)p[0], 1 };
}

struct trace_dim shape_columns_grid(const int *p, int m, int n, int k)
{
	(void)k;
	return shape_tiles(m, n, p[0], p[0]);
}

struct trace_dim shape_rows_grid(const int *p, int m, int n, int k)
{
	(void)k;
	return shape_tiles(n, m, p[0], p[0]);
}

struct problem_sizes shape_whole_tiles(const int *p)
{
	return (struct problem_sizes) { p[0], p[0], p[0] };
}

struct trace_dim shape_tile32_block(const int *p)
{
	(void)p;
	return (struct trace_dim) { 8, 8, 1 };
}

struct trace_dim shape_tile32_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return shape_tiles(m, n, 32, 32);
}

struct trace_dim shape_tile64_block(const int *p)
{
	(void)p;
	return (struct trace_dim) { 16, 16, 1 };
}

struct trace_dim shape_tile64_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return shape_tiles(m, n, 64, 64);
}

const char *shape_float4_refuses(const int *p, int m, int n, int k)
{
	(void)p;
	if (m % 64 != 0 || n % 64 != 0)
		return N_("this kernel works on whole 64x64 tiles of C: M and "
			  "N must be multiples of 64");
	if (k % 16 != 0)
		return N_("this kernel takes 16 columns of A at a time: K "
			  "must be a multiple of 16");
	return NULL;
}

struct trace_dim shape_wmma_block(const int *p)
{
	(void)p;
	return shape_row(256);
}

struct trace_dim shape_wmma_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return shape_tiles(m, n, 128, 128);
}

const char *shape_wmma_refuses(const int *p, int m, int n, int k)
{
	(void)p;
	if (m % 16 != 0 || n % 16 != 0 || k % 16 != 0)
		return N_("this kernel multiplies 16x16x16 at a time: M, N "
			  "and K must be multiples of 16");
	return NULL;
}

const char *shape_mma_refuses(const int *p, int m, int n, int k)
{
	(void)p;
	(void)m;
	if (n % 8 != 0 || k % 8 != 0)
		return N_("this kernel copies 8 halves of a row at a time: N "
			  "and K must be multiples of 8");
	return NULL;
}

struct trace_dim shape_tiles_grid(const int *p, int m, int n, int k)
{
	(void)k;
	return shape_row(count_parts(m, p[0]) * count_parts(n, p[1]));
}

struct trace_dim shape_block128(const int *p)
{
	(void)p;
	return shape_row(128);
}

struct trace_dim shape_tile64x128_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return shape_tiles(m, n, 64, 128);
}

const char *shape_warptile_refuses(const int *p, int m, int n, int k)
{
	(void)p;
	if (m % 64 != 0 || n % 128 != 0)
		return N_("this kernel works on whole 64x128 tiles of C: M "
			  "must be a multiple of 64 and N of 128");
	if (k % 16 != 0)
		return N_("this kernel takes 16 columns of A at a time: K "
			  "must be a multiple of 16");
	return NULL;
}

const char *shape_tma_refuses(const int *p, int m, int n, int k)
{
	(void)p;
	(void)m;
	if (n % 8 != 0 || k % 8 != 0)
		return N_("TMA needs rows that start at multiples of 16 bytes: "
			  "N and K must be multiples of 8");
	return NULL;
}

struct trace_dim shape_one_warp_block(const int *p)
{
	(void)p;
	return shape_row(32);
}

struct trace_dim shape_one_warp_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return shape_tiles(m, n, 16, 16);
}

struct trace_dim shape_four_warps_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return shape_tiles(m, n, 32, 32);
}

const char *shape_four_warps_refuses(const int *p, int m, int n, int k)
{
	if (m % 32 != 0 || n % 32 != 0)
		return N_("this kernel's blocks compute 32x32 of C: M and N "
			  "must be multiples of 32");
	return shape_wmma_refuses(p, m, n, k);
}

/* Returns the rows of C that a warp of sgemm computes: 8 x 4 or 4 x 8 threads
 * of TM x TN elements. p is BM, BN, BK, BLOCKS, TM, SPLIT, LANES, TN. */
static int sgemm_warp_rows(const int *p)
{
	return p[6] * p[4];
}

static int sgemm_warp_columns(const int *p)
{
	return 32 / p[6] * p[7];
}

static int sgemm_warps(const int *p)
{
	return p[0] / sgemm_warp_rows(p) * (p[1] / sgemm_warp_columns(p));
}

struct trace_dim shape_sgemm_block(const int *p)
{
	return shape_row((uint32_t)sgemm_warps(p) * 32);
}

struct trace_dim shape_sgemm_grid(const int *p, int m, int n, int k)
{
	return shape_row((uint32_t)p[5] * shape_tiles_grid(p, m, n, k).x);
}

/* Returns the larger of the tiles of three steps, and of the memory through
 * which a block's warps store their sums, four columns of each lane at a
 * time. */
uint32_t shape_sgemm_shared(const int *p)
{
	int stages = 3 * p[2] * (p[0] + p[1] + 4);
	int columns = 32 / p[6] * 4;
	int out = sgemm_warps(p) * columns * (sgemm_warp_rows(p) + 4);

	return (uint32_t)(stages > out ? stages : out) * 4;
}

static bool four_or_eight(int n)
{
	return n == 4 || n == 8;
}

const char *shape_sgemm_refuses(const int *p, int m, int n, int k)
{
	(void)m;
	(void)n;
	(void)k;
	if (!four_or_eight(p[4]) || !four_or_eight(p[7]))
		return N_("a thread computes 4 or 8 rows of 4 or 8 elements: TM "
			  "and TN must be 4 or 8");
	if (!four_or_eight(p[6]))
		return N_("the lanes of a warp stand 4 x 8 or 8 x 4: LANES must "
			  "be 4 or 8");
	if (p[0] % sgemm_warp_rows(p) != 0 ||
	    p[1] % sgemm_warp_columns(p) != 0 || p[1] % 32 != 0)
		return N_("a warp computes LANES * TM rows of 32 / LANES * TN "
			  "elements and copies 32 neighbours: BM and BN must "
			  "be multiples of that");
	return NULL;
}
