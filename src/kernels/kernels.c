/*
 * kernels: the table. A kernel is one .cu file here and one entry below.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "kernels/kernels.h"

static uint32_t ceil_div(int a, int b)
{
	return (uint32_t)((a + b - 1) / b);
}

/* A block of `threads` threads in a row. */
static struct trace_dim row_block(uint32_t threads)
{
	return (struct trace_dim) { threads, 1, 1 };
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

/* The same where x walks along the rows. */
static struct trace_dim rows_grid(const int *p, int m, int n, int k)
{
	(void)k;
	return (struct trace_dim) { ceil_div(m, p[0]), ceil_div(n, p[0]), 1 };
}

static struct problem_sizes whole_tiles(const int *p)
{
	return (struct problem_sizes) { p[0], p[0], p[0] };
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
	return row_block(256);
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
	return row_block((uint32_t)(p[0] / 64 * (p[1] / 64) * 32));
}

/* A block a tile of p[0] x p[1], in a row. */
static struct trace_dim tiles_grid(const int *p, int m, int n, int k)
{
	(void)k;
	return (struct trace_dim) { ceil_div(m, p[0]) * ceil_div(n, p[1]), 1,
				    1 };
}

static uint32_t multistage_shared(const int *p)
{
	return (uint32_t)(p[3] * (p[0] + p[1]) * p[2] * 2);
}

/* Of a kernel whose parameter EXPONENT has this value. */
static const char *rival_of(int exponent)
{
	return exponent == 8 ? "cublas-bf16" : "cublas-fp16";
}

static const char *sixth_rival(const int *p)
{
	return rival_of(p[5]);
}

static const int multistage_tune[][KERNEL_PARAMS] = {
	{ 128, 256, 32, 4, 8, 5 }, { 128, 256, 32, 3, 8, 5 },
	{ 256, 128, 32, 4, 8, 5 }, { 128, 128, 32, 4, 8, 5 },
	{ 128, 128, 64, 3, 8, 5 }, { 128, 256, 64, 3, 8, 5 },
	{ 128, 256, 32, 4, 16, 5 }, { 256, 128, 64, 3, 8, 5 },
};

static struct trace_dim block128(const int *p)
{
	(void)p;
	return row_block(128);
}

/* 64 x 128 of C. */
static struct trace_dim tile64x128_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return (struct trace_dim) { ceil_div(n, 128), ceil_div(m, 64), 1 };
}

static const char *warptile_refuses(const int *p, int m, int n, int k)
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

/* sgemm: p is BM, BN, BK, BLOCKS. */
static struct trace_dim sgemm_block(const int *p)
{
	return row_block((uint32_t)(p[0] / 64 * (p[1] / 32) * 32));
}

/* What the tiles of three steps take, or what a block's warps bring their sums
 * out through. */
static uint32_t sgemm_shared(const int *p)
{
	int stages = 3 * (p[2] * (p[0] + p[1]) + 32);
	int out = p[0] / 64 * (p[1] / 32) * 16 * (64 + 4);

	return (uint32_t)(stages > out ? stages : out) * 4;
}

static const int sgemm_tune[][KERNEL_PARAMS] = {
	{ 128, 128, 16, 2 }, { 64, 128, 16, 4 }, { 64, 128, 16, 3 },
	{ 64, 128, 16, 1 }, { 64, 64, 16, 4 }, { 64, 256, 16, 2 },
};

static const char *tma_refuses(const int *p, int m, int n, int k)
{
	(void)p;
	(void)m;
	if (n % 8 != 0 || k % 8 != 0)
		return N_("TMA needs rows that begin at multiples of 16 "
			  "bytes: N and K must be multiples of 8");
	return NULL;
}

static const char *hgemm_refuses(const int *p, int m, int n, int k)
{
	if (p[1] % (64 * p[3]) != 0)
		return N_("the blocks of a cluster bring as many parts of B, "
			  "64 columns each: BN must be a multiple of 64 * "
			  "CLUSTER");
	return tma_refuses(p, m, n, k);
}

/* Three warpgroups: a producer and two consumers. */
static struct trace_dim pipeline_block(const int *p)
{
	(void)p;
	return row_block(3 * 128);
}

static struct trace_dim pipeline_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return (struct trace_dim) { ceil_div(n, 128), ceil_div(m, 256), 1 };
}

/* Bytes of `stages` tiles of A and B, 64 deep, and their mbarriers. */
static uint32_t stages_bytes(int stages, int bm, int bn)
{
	return (uint32_t)(stages * ((bm + bn) * 64 * 2 + 2 * 8));
}

static uint32_t pipeline_shared(const int *p)
{
	(void)p;
	return stages_bytes(4, 256, 128);
}

static const char *pipeline_rival(const int *p)
{
	return rival_of(p[0]);
}

/* hgemm: p is SLABS, BN, STAGES, CLUSTER, GROUP, EXPONENT. */
static struct trace_dim hgemm_grid(const int *p, int m, int n, int k)
{
	int cluster_rows = p[3] * 2 * 64 * p[0];

	(void)k;
	return (struct trace_dim) { (uint32_t)p[3] * ceil_div(m, cluster_rows) *
				    ceil_div(n, p[1]), 1, 1 };
}

static uint32_t hgemm_shared(const int *p)
{
	/* Each consumer has two parts of 64 x 64 on their way out. */
	return stages_bytes(p[2], 2 * 64 * p[0], p[1]) + 2 * 2 * 64 * 64 * 2;
}

static uint32_t hgemm_cluster(const int *p)
{
	return (uint32_t)p[3];
}

static const int hgemm_tune[][KERNEL_PARAMS] = {
	{ 2, 128, 4, 2, 8, 5 }, { 2, 128, 4, 1, 8, 5 }, { 2, 128, 4, 2, 4, 5 },
	{ 1, 256, 4, 2, 8, 5 }, { 1, 256, 4, 2, 16, 5 },
	{ 1, 256, 4, 1, 8, 5 }, { 1, 256, 4, 1, 16, 5 },
	{ 1, 128, 6, 2, 8, 5 }, { 1, 128, 6, 1, 8, 5 },
};

static struct trace_dim one_warp_block(const int *p)
{
	(void)p;
	return row_block(32);
}

static struct trace_dim one_warp_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return (struct trace_dim) { ceil_div(n, 16), ceil_div(m, 16), 1 };
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
		.problem = &problem_gemm,
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
		.problem = &problem_gemm,
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
		.problem = &problem_gemm,
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
		.problem = &problem_gemm,
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
		.problem = &problem_gemm,
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
		.problem = &problem_gemm,
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
		.problem = &problem_gemm,
		.idea = N_("A thread computes 4x4 neighbouring elements of C "
			   "in registers, and pays for it in banks."),
		.block = tile32_block,
		.grid = tile32_grid,
		.align = 4,
	},
	{
		.name = "register_tiled_fast",
		.entry = "register_tiled_fast",
		.problem = &problem_gemm,
		.idea = N_("The same elements 16 apart, so that neighbouring "
			   "lanes stand on neighbouring words."),
		.block = tile64_block,
		.grid = tile64_grid,
		.align = 4,
	},
	{
		.name = "double_buffered",
		.entry = "double_buffered",
		.problem = &problem_gemm,
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
		.problem = &problem_gemm,
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
		.problem = &problem_gemm,
		.idea = N_("float4 with A transposed in shared memory: four "
			   "at once from there, too, without conflicts."),
		.block = tile64_block,
		.grid = tile64_grid,
		.refuses = float4_refuses,
		.align = 16,
	},
	{
		.name = "warptile",
		.entry = "warptile",
		.problem = &problem_gemm,
		.idea = N_("A thread computes 8x8 of C from 16-byte reads, in "
			   "which no two lanes of its warp meet in a bank."),
		.block = block128,
		.grid = tile64x128_grid,
		.refuses = warptile_refuses,
		.align = 16,
	},
	{
		.name = "sgemm_pipelined",
		.entry = "sgemm_pipelined",
		.problem = &problem_gemm,
		.idea = N_("warptile that fetches all a step ahead: tiles "
			   "while it computes, and each k's registers."),
		.block = block128,
		.grid = tile64x128_grid,
		.refuses = warptile_refuses,
		.align = 16,
		.arch = 80,
	},
	{
		.name = "sgemm",
		.entry = "sgemm",
		.problem = &problem_gemm,
		.idea = N_("The fastest on CUDA cores: registers in two "
			   "banks, and as many steps for each block."),
		.params = { { "BM", { 128 }, 64, 256 },
			    { "BN", { 128 }, 32, 256 },
			    { "BK", { 16 }, 8, 32 },
			    { "BLOCKS", { 2 }, 1, 8 } },
		.block = sgemm_block,
		.grid = tiles_grid,
		.shared = sgemm_shared,
		.align = 16,
		.persistent = true,
		.arch = 80,
		.tune = sgemm_tune,
		.tune_count = LENGTH(sgemm_tune),
	},
	{
		.name = "wmma",
		.entry = "matmul_wmma",
		.problem = &problem_gemm,
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
		.problem = &problem_gemm,
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
		.problem = &problem_gemm,
		.idea = N_("mma with a ring of tiles that are copied phases "
			   "ahead, and fragments that are read a step ahead."),
		.params = { { "ROWS", { 128 }, 128, 256 },
			    { "COLS", { 256 }, 64, 256 },
			    { "DEPTH", { 32 }, 32, 128 },
			    { "STAGES", { 4, 3, 2 }, 2, 8 },
			    { "GROUP", { 8 }, 1, 1024 },
			    { "EXPONENT", { 5, 8 }, 5, 8 } },
		.block = multistage_block,
		.grid = tiles_grid,
		.shared = multistage_shared,
		.refuses = mma_refuses,
		.align = 16,
		.arch = 80,
		.rival = sixth_rival,
		.tune = multistage_tune,
		.tune_count = LENGTH(multistage_tune),
	},
	{
		.name = "wgmma_basic",
		.entry = "wgmma_basic",
		.problem = &problem_gemm,
		.idea = N_("Hopper's tensor cores: four warps multiply "
			   "64x128x16 at once, straight from shared memory."),
		.block = block128,
		.grid = tile64x128_grid,
		.refuses = tma_refuses,
		.align = 16,
		.arch = 90,
		.arch_only = true,
		.rival = fp16_rival,
	},
	{
		.name = "tma_pipeline",
		.entry = "tma_pipeline",
		.problem = &problem_gemm,
		.idea = N_("Warps with roles: one thread has tiles brought, "
			   "two warpgroups multiply what has come."),
		.params = { { "EXPONENT", { 5, 8 }, 5, 8 } },
		.block = pipeline_block,
		.grid = pipeline_grid,
		.shared = pipeline_shared,
		.refuses = tma_refuses,
		.align = 16,
		.arch = 90,
		.arch_only = true,
		.rival = pipeline_rival,
	},
	{
		.name = "hgemm",
		.entry = "hgemm",
		.problem = &problem_gemm,
		.idea = N_("The fastest on tensor cores: persistent blocks in "
			   "pairs that share tiles, and sums that leave while "
			   "the next come."),
		.params = { { "SLABS", { 2 }, 1, 2 },
			    { "BN", { 128 }, 64, 256 },
			    { "STAGES", { 4 }, 2, 8 },
			    { "CLUSTER", { 2 }, 1, 2 },
			    { "GROUP", { 8 }, 1, 1024 },
			    { "EXPONENT", { 5, 8 }, 5, 8 } },
		.block = pipeline_block,
		.grid = hgemm_grid,
		.shared = hgemm_shared,
		.refuses = hgemm_refuses,
		.align = 16,
		.cluster = hgemm_cluster,
		.persistent = true,
		.arch = 90,
		.arch_only = true,
		.rival = sixth_rival,
		.tune = hgemm_tune,
		.tune_count = LENGTH(hgemm_tune),
	},
	{
		.name = "bug_first_barrier",
		.entry = "bug_first_barrier",
		.problem = &problem_gemm,
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
		.problem = &problem_gemm,
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
		.problem = &problem_gemm,
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
		.problem = &problem_gemm,
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
		.problem = &problem_gemm,
		.idea = N_("Four warps a block whose fragments do not depend "
			   "on the warp."),
		.block = block128,
		.grid = four_warps_grid,
		.refuses = four_warps_refuses,
		.align = 32,
		.museum = N_("all warps of a block write the same fragment of "
			     "C, and the rest is never written"),
	},
};

const size_t kernel_count = LENGTH(kernels);

bool kernel_is_file(const char *word)
{
	const char *dot = strrchr(word, '.');

	return dot && dot > word && (!strcmp(dot, ".cu") ||
				     !strcmp(dot, ".cuh"));
}

const struct kernel *kernel_find(const char *name)
{
	for (size_t i = 0; i < kernel_count; i++)
		if (!strcmp(kernels[i].name, name))
			return &kernels[i];
	return NULL;
}

const struct problem *kernel_problem(const struct trace_info *info)
{
	const struct problem *p = info->problem ? problem_find(info->problem) :
						  NULL;
	const struct kernel *k = info->problem ? NULL :
						 kernel_find(info->kernel);
	size_t n = k ? strlen(k->name) : 0;

	if (k && !strncmp(info->file, k->name, n) &&
	    !strcmp(info->file + n, ".cu"))
		return k->problem;
	return p ? p : &problem_unknown;
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

void kernel_defaults(const struct kernel *k, int *p)
{
	for (size_t i = 0; i < KERNEL_PARAMS; i++)
		p[i] = k->params[i].values[0];
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
