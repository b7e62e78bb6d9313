/*
 * kernels: the table. A kernel is one .cu file here and one entry below.
 */
#include <stdlib.h>
#include <string.h>

#include "../lang.h"
#include "kernels.h"

static uint32_t ceil_div(int a, int b)
{
	return (uint32_t)((a + b - 1) / b);
}

/* Square blocks of p[0] x p[0] threads, an element of C each; x walks along
 * the columns. */
static struct trace_dim square_block(const int *p)
{
	return (struct trace_dim) { (uint32_t)p[0], (uint32_t)p[0], 1 };
}

static struct trace_dim columns_grid(const int *p, int m, int n, int k)
{
	(void)k;
	return (struct trace_dim) { ceil_div(n, p[0]), ceil_div(m, p[0]), 1 };
}

static struct kernel_sizes whole_tiles(const int *p)
{
	return (struct kernel_sizes) { p[0], p[0], p[0] };
}

/* The same where x walks along the rows. */
static struct trace_dim rows_grid(const int *p, int m, int n, int k)
{
	(void)k;
	return (struct trace_dim) { ceil_div(m, p[0]), ceil_div(n, p[0]), 1 };
}

/* 8 x 8 threads on a 32 x 32 tile of C. */
static struct trace_dim tile32_block(const int *p)
{
	(void)p;
	return (struct trace_dim) { 8, 8, 1 };
}

static struct trace_dim tile32_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return (struct trace_dim) { ceil_div(n, 32), ceil_div(m, 32), 1 };
}

/* 16 x 16 threads on a 64 x 64 tile of C. */
static struct trace_dim tile64_block(const int *p)
{
	(void)p;
	return (struct trace_dim) { 16, 16, 1 };
}

static struct trace_dim tile64_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return (struct trace_dim) { ceil_div(n, 64), ceil_div(m, 64), 1 };
}

static const char *float4_refuses(const int *p, int m, int n, int k)
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

static struct trace_dim wmma_block(const int *p)
{
	(void)p;
	return (struct trace_dim) { 256, 1, 1 };
}

static struct trace_dim wmma_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return (struct trace_dim) { ceil_div(n, 128), ceil_div(m, 128), 1 };
}

static const char *wmma_refuses(const int *p, int m, int n, int k)
{
	(void)p;
	if (m % 16 != 0 || n % 16 != 0 || k % 16 != 0)
		return N_("this kernel multiplies 16x16x16 at a time: M, N "
			  "and K must be multiples of 16");
	return NULL;
}

static const char *mma_refuses(const int *p, int m, int n, int k)
{
	(void)p;
	(void)m;
	if (n % 8 != 0 || k % 8 != 0)
		return N_("this kernel copies 8 halves of a row at a time: N "
			  "and K must be multiples of 8");
	return NULL;
}

static const char *fp16_rival(const int *p)
{
	(void)p;
	return "cublas-fp16";
}

/* mma_multistage: p is ROWS, COLS, DEPTH, STAGES ... */
static struct trace_dim multistage_block(const int *p)
{
	return (struct trace_dim) { (uint32_t)(p[0] / 64 * (p[1] / 64) * 32),
				    1, 1 };
}

static struct trace_dim multistage_grid(const int *p, int m, int n, int k)
{
	(void)k;
	return (struct trace_dim) { ceil_div(m, p[0]) * ceil_div(n, p[1]), 1,
				    1 };
}

static uint32_t multistage_shared(const int *p)
{
	return (uint32_t)(p[3] * (p[0] + p[1]) * p[2] * 2);
}

static const char *multistage_rival(const int *p)
{
	return p[5] == 8 ? "cublas-bf16" : "cublas-fp16";
}

static const int multistage_tune[][KERNEL_PARAMS] = {
	{ 128, 256, 32, 4, 8, 5 }, { 128, 256, 32, 3, 8, 5 },
	{ 256, 128, 32, 4, 8, 5 }, { 128, 128, 32, 4, 8, 5 },
	{ 128, 128, 64, 3, 8, 5 }, { 128, 256, 64, 3, 8, 5 },
	{ 128, 256, 32, 4, 16, 5 }, { 256, 128, 64, 3, 8, 5 },
};

static struct trace_dim one_warp_block(const int *p)
{
	(void)p;
	return (struct trace_dim) { 32, 1, 1 };
}

static struct trace_dim one_warp_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return (struct trace_dim) { ceil_div(n, 16), ceil_div(m, 16), 1 };
}

static struct trace_dim four_warps_block(const int *p)
{
	(void)p;
	return (struct trace_dim) { 128, 1, 1 };
}

static struct trace_dim four_warps_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return (struct trace_dim) { ceil_div(n, 32), ceil_div(m, 32), 1 };
}

static const char *four_warps_refuses(const int *p, int m, int n, int k)
{
	if (m % 32 != 0 || n % 32 != 0)
		return N_("this kernel's blocks compute 32x32 of C: M and N "
			  "must be multiples of 32");
	return wmma_refuses(p, m, n, k);
}

const struct kernel kernels[] = {
	{
		.name = "naive",
		.entry = "naive",
		.idea = N_("One thread computes one element of C and reads "
			   "all it needs from global memory."),
		.params = { { "BLOCK", { 16, 8, 32 }, 1, 32 } },
		.block = square_block,
		.grid = columns_grid,
		.align = 4,
	},
	{
		.name = "naive_swapped",
		.entry = "naive_swapped",
		.idea = N_("The same with rows from threadIdx.x: neighbouring "
			   "lanes are a whole row apart."),
		.params = { { "BLOCK", { 16, 8, 32 }, 1, 32 } },
		.block = square_block,
		.grid = rows_grid,
		.align = 4,
	},
	{
		.name = "tiled",
		.entry = "tiled",
		.idea = N_("A block copies tiles of A and B to shared memory "
			   "and uses each element TILE times."),
		.params = { { "TILE", { 16, 8, 32 }, 1, 32 } },
		.block = square_block,
		.grid = columns_grid,
		.align = 4,
	},
	{
		.name = "padded",
		.entry = "padded",
		.idea = N_("tiled without a check, on matrices that the "
			   "launcher pads with zeros to whole tiles."),
		.params = { { "TILE", { 16 }, 1, 32 } },
		.block = square_block,
		.grid = columns_grid,
		.align = 4,
		.pad = whole_tiles,
	},
	{
		.name = "tiled_bt",
		.entry = "tiled_bt",
		.idea = N_("tiled with B transposed in shared memory: all "
			   "lanes of a warp meet in one bank."),
		.params = { { "TILE", { 32 }, 1, 32 } },
		.block = square_block,
		.grid = columns_grid,
		.align = 4,
	},
	{
		.name = "tiled_bt_pad",
		.entry = "tiled_bt_pad",
		.idea = N_("The same with rows of TILE + 1 words: an unused "
			   "column moves each row one bank on."),
		.params = { { "TILE", { 32 }, 1, 32 } },
		.block = square_block,
		.grid = columns_grid,
		.align = 4,
	},
	{
		.name = "register_tiled",
		.entry = "register_tiled",
		.idea = N_("A thread computes 4x4 neighbouring elements of C "
			   "in registers, and pays for it in banks."),
		.block = tile32_block,
		.grid = tile32_grid,
		.align = 4,
	},
	{
		.name = "register_tiled_fast",
		.entry = "register_tiled_fast",
		.idea = N_("The same elements 16 apart, so that neighbouring "
			   "lanes stand on neighbouring words."),
		.block = tile64_block,
		.grid = tile64_grid,
		.align = 4,
	},
	{
		.name = "double_buffered",
		.entry = "double_buffered",
		.idea = N_("tiled that loads the next tiles while it computes "
			   "with these: two of each, and asynchronous "
			   "copies."),
		.params = { { "TILE", { 16, 32 }, 1, 32 } },
		.block = square_block,
		.grid = columns_grid,
		.align = 4,
		.arch = 80,
	},
	{
		.name = "float4",
		.entry = "matmul_float4",
		.idea = N_("A thread loads four elements at once and computes "
			   "4x4 of C in registers."),
		.block = tile64_block,
		.grid = tile64_grid,
		.refuses = float4_refuses,
		.align = 16,
	},
	{
		.name = "float4_at",
		.entry = "float4_at",
		.idea = N_("float4 with A transposed in shared memory: four "
			   "at once from there, too, without conflicts."),
		.block = tile64_block,
		.grid = tile64_grid,
		.refuses = float4_refuses,
		.align = 16,
	},
	{
		.name = "wmma",
		.entry = "matmul_wmma",
		.idea = N_("Tensor cores: a warp multiplies 16x16x16 halves "
			   "at once and adds them up in float."),
		.block = wmma_block,
		.grid = wmma_grid,
		.refuses = wmma_refuses,
		.rival = fp16_rival,
		.align = 32,
	},
	{
		.name = "mma",
		.entry = "matmul_mma",
		.idea = N_("The tensor cores' own instructions: fragments in "
			   "registers, filled from a swizzled tile without "
			   "conflicts."),
		.block = wmma_block,
		.grid = wmma_grid,
		.refuses = mma_refuses,
		.rival = fp16_rival,
		.align = 16,
		.arch = 80,
	},
	{
		.name = "mma_multistage",
		.entry = "mma_multistage",
		.idea = N_("mma with a ring of tiles that are copied phases "
			   "ahead, and fragments that are read a step ahead."),
		.params = { { "ROWS", { 128 }, 128, 256 },
			    { "COLS", { 256 }, 64, 256 },
			    { "DEPTH", { 32 }, 32, 128 },
			    { "STAGES", { 4, 3, 2 }, 2, 8 },
			    { "GROUP", { 8 }, 1, 1024 },
			    { "EXPONENT", { 5, 8 }, 5, 8 } },
		.block = multistage_block,
		.grid = multistage_grid,
		.shared = multistage_shared,
		.refuses = mma_refuses,
		.align = 16,
		.arch = 80,
		.rival = multistage_rival,
		.tune = multistage_tune,
		.tune_count = LENGTH(multistage_tune),
	},
	{
		.name = "bug_first_barrier",
		.entry = "bug_first_barrier",
		.idea = N_("tiled without the barrier between storing the "
			   "tiles and reading them."),
		.params = { { "TILE", { 16 }, 1, 32 } },
		.block = square_block,
		.grid = columns_grid,
		.align = 4,
		.museum = N_("threads read elements of the tiles that others "
			     "have not stored yet"),
	},
	{
		.name = "bug_second_barrier",
		.entry = "bug_second_barrier",
		.idea = N_("tiled without the barrier between reading the "
			   "tiles and replacing them."),
		.params = { { "TILE", { 16 }, 1, 32 } },
		.block = square_block,
		.grid = columns_grid,
		.align = 4,
		.museum = N_("threads replace elements of the tiles that "
			     "others still read"),
	},
	{
		.name = "bug_edge",
		.entry = "bug_edge",
		.idea = N_("tiled without its check of K: right only when K "
			   "is a multiple of TILE."),
		.params = { { "TILE", { 16 }, 1, 32 } },
		.block = square_block,
		.grid = columns_grid,
		.align = 4,
		.museum = N_("the last phase reads beyond the rows of A and "
			     "the end of B"),
	},
	{
		.name = "bug_wmma_pad",
		.entry = "bug_wmma_pad",
		.idea = N_("A fragment of 16x16x16 from tiles of halves whose "
			   "rows are padded by one."),
		.block = one_warp_block,
		.grid = one_warp_grid,
		.refuses = wmma_refuses,
		.align = 32,
		.museum = N_("wmma needs a leading dimension that is a "
			     "multiple of 16 bytes, and 17 halves are 34"),
	},
	{
		.name = "bug_one_warp",
		.entry = "bug_one_warp",
		.idea = N_("Four warps a block whose fragments do not depend "
			   "on the warp."),
		.block = four_warps_block,
		.grid = four_warps_grid,
		.refuses = four_warps_refuses,
		.align = 32,
		.museum = N_("all warps of a block write the same fragment of "
			     "C, and the rest is never written"),
	},
};

const size_t kernel_count = LENGTH(kernels);

const struct kernel *kernel_find(const char *name)
{
	for (size_t i = 0; i < kernel_count; i++)
		if (!strcmp(kernels[i].name, name))
			return &kernels[i];
	return NULL;
}

size_t kernel_params(const struct kernel *k)
{
	size_t n = 0;

	while (n < KERNEL_PARAMS && k->params[n].name)
		n++;
	return n;
}

const struct kernel_param *kernel_param(const struct kernel *k,
					const char *name)
{
	for (size_t i = 0; i < kernel_params(k); i++)
		if (!strcmp(k->params[i].name, name))
			return &k->params[i];
	return NULL;
}

void kernel_values(const struct kernel *k, int *p,
		   const char *(*value_of)(const void *from, const char *name),
		   const void *from)
{
	for (size_t i = 0; i < kernel_params(k); i++) {
		const char *said = value_of(from, k->params[i].name);

		p[i] = said ? atoi(said) : k->params[i].values[0];
	}
}
