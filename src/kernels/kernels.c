/*
 * kernels: the table. A kernel is one .cu file here and one entry below; above
 * the table stands what the launch of one kernel, or of a kernel and its
 * successor, needs and no other does. make reads the table, too, by builds.awk:
 * a line has one member, or one parameter.
 */
#include "base/lang.h"
#include "kernels/choice.h"
#include "kernels/kernels.h"
#include "kernels/shape.h"

static const char *fp16_baseline(const int *p)
{
	(void)p;
	return "cublas-fp16";
}

/* Computes the block of mma_multistage: p is ROWS, COLS, DEPTH, STAGES ... */
static struct trace_dim multistage_block(const int *p)
{
	return shape_row((uint32_t)(p[0] / 64 * (p[1] / 64) * 32));
}

static uint32_t multistage_shared(const int *p)
{
	return (uint32_t)(p[3] * (p[0] + p[1]) * p[2] * 2);
}

/* Returns the baseline for a kernel whose parameter EXPONENT has this value. */
static const char *exponent_baseline(int exponent)
{
	return exponent == 8 ? "cublas-bf16" : "cublas-fp16";
}

static const char *sixth_baseline(const int *p)
{
	return exponent_baseline(p[5]);
}

static const int multistage_tune[][KERNEL_PARAMS] = {
	{ 128, 256, 32, 4, 8, 5 }, { 128, 256, 32, 3, 8, 5 },
	{ 256, 128, 32, 4, 8, 5 }, { 128, 128, 32, 4, 8, 5 },
	{ 128, 128, 64, 3, 8, 5 }, { 128, 256, 64, 3, 8, 5 },
	{ 128, 256, 32, 4, 16, 5 }, { 256, 128, 64, 3, 8, 5 },
};

/* Tests whether wgmma's rows are C's rows, as with slabs of 32 columns. p is
 * SLABS, BM, STAGES, CLUSTER, GROUP, EXPONENT, CONSUMERS, SPLIT, BESIDE, DEEP,
 * WIDTH. */
static bool hgemm_upright(const int *p)
{
	return p[10] == 32;
}

/* Counts the consumers side by side: all of them if each can have the same
 * number of slabs, else 1. */
static int hgemm_across(const int *p)
{
	return !hgemm_upright(p) && p[0] % p[6] == 0 ? p[6] : 1;
}

/* Returns the rows of C that a consumer computes. */
static int hgemm_rows(const int *p)
{
	return p[1] * hgemm_across(p) / p[6];
}

static uint32_t hgemm_cluster(const int *p)
{
	return (uint32_t)(p[3] * p[8] * p[9]);
}

static const char *hgemm_refuses(const int *p, int m, int n, int k)
{
	bool upright = hgemm_upright(p);

	if (p[10] != 32 && p[10] != 64)
		return N_("slabs have 32 or 64 columns: WIDTH must be one of "
			  "these");
	if (p[0] * p[10] > 256)
		return N_("a tile has at most 256 columns: SLABS * WIDTH must "
			  "not be more");
	if (upright && (hgemm_rows(p) % 64 != 0 || p[9] > 1))
		return N_("with slabs of 32 columns a consumer multiplies 64 "
			  "rows at a time, and blocks share no steps: BM must "
			  "be a multiple of 64 * CONSUMERS, and DEEP 1");
	if (64 % p[3] != 0 || 64 % p[8] != 0)
		return N_("the blocks of a cluster load equal parts of 64 "
			  "rows: CLUSTER and BESIDE must be 1, 2 or 4");
	if (p[1] % 8 != 0 || hgemm_rows(p) % 8 != 0)
		return N_("a consumer multiplies rows in 8s: BM must be a "
			  "multiple of 8, and of 8 * CONSUMERS where these "
			  "stand below each other");
	if (hgemm_rows(p) < 32)
		return N_("a consumer multiplies 32 rows or more: BM is too "
			  "small");
	if (hgemm_rows(p) % (8 * p[9]) != 0)
		return N_("the blocks of a cluster store equal parts of a "
			  "consumer's rows, in 8s: BM / DEEP must be a "
			  "multiple of that");
	if (hgemm_cluster(p) > 8)
		return N_("a cluster has at most 8 blocks: CLUSTER * BESIDE * "
			  "DEEP must not be more");
	if ((k + 63) / 64 < p[9])
		return N_("the blocks of a cluster divide the columns of A "
			  "among them, 64 at a time: K must be large enough "
			  "for each of DEEP to have some");
	return shape_tma_refuses(p, m, n, k);
}

/* Returns a block of three warpgroups: a producer and two consumers. */
static struct trace_dim pipeline_block(const int *p)
{
	(void)p;
	return shape_row(3 * 128);
}

static struct trace_dim hgemm_block(const int *p)
{
	return shape_row((uint32_t)(1 + p[6]) * 128);
}

static struct trace_dim pipeline_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return shape_tiles(m, n, 256, 128);
}

/* Returns the bytes of `stages` tiles of A and B, 64 deep, and their
 * mbarriers. */
static uint32_t stages_bytes(int stages, int bm, int bn)
{
	return (uint32_t)(stages * ((bm + bn) * 64 * 2 + 2 * 8));
}

static uint32_t pipeline_shared(const int *p)
{
	(void)p;
	return stages_bytes(4, 256, 128);
}

static const char *pipeline_baseline(const int *p)
{
	return exponent_baseline(p[0]);
}

static struct trace_dim hgemm_grid(const int *p, int m, int n, int k)
{
	struct trace_dim clusters = shape_tiles(m, n, p[3] * p[1],
						p[10] * p[0] * p[8]);

	(void)k;
	return shape_row((uint32_t)p[7] * hgemm_cluster(p) * clusters.x *
			 clusters.y);
}

/* Returns the rows of C that one store writes, as hgemm.cu computes them. */
static int hgemm_out(const int *p)
{
	int rows = hgemm_rows(p), n = 64;

	if (p[9] > 1)
		return rows / p[9];
	if (hgemm_upright(p))
		return 64;
	while (n >= 32 && rows % n != 0)
		n -= 8;
	for (n = n < 32 ? 128 : n; rows % n != 0;)
		n -= 8;
	return n;
}

static uint32_t hgemm_shared(const int *p)
{
	/* Of each consumer, the parts that are on their way out; the sums of a
	 * tile's blocks are floats. */
	int out = hgemm_out(p), columns = p[10] * p[0];
	int places = p[9] > 1 ? p[0] / hgemm_across(p) : out > 64 ? 1 : 2;
	int sums = p[9] > 1 ? p[1] * columns : 0;

	return stages_bytes(p[2], p[1], columns) +
	       (uint32_t)(p[6] * places * out * p[10] * 2 + sums * 4);
}

static const int hgemm_tune[][KERNEL_PARAMS] = {
	{ 2, 256, 4, 2, 8, 5, 2, 1, 1, 1, 64 },
	{ 2, 256, 4, 1, 8, 5, 2, 1, 1, 1, 64 },
	{ 2, 256, 4, 2, 4, 5, 2, 1, 1, 1, 64 },
	{ 4, 128, 4, 2, 8, 5, 2, 1, 1, 1, 64 },
	{ 4, 128, 4, 2, 16, 5, 2, 1, 1, 1, 64 },
	{ 4, 128, 4, 1, 8, 5, 2, 1, 1, 1, 64 },
	{ 4, 128, 4, 1, 16, 5, 2, 1, 1, 1, 64 },
	{ 2, 128, 6, 2, 8, 5, 2, 1, 1, 1, 64 },
	{ 2, 128, 6, 1, 8, 5, 2, 1, 1, 1, 64 },
};

/* Returns the largest size up to 60 that tiles do not divide: their last one
 * hangs over the edge. */
static int edge_size(const int *p)
{
	int n = 60;

	while (n > 1 && n % p[0] == 0)
		n--;
	return n;
}

static struct problem_sizes edge_bites(const int *p)
{
	return (struct problem_sizes){ 64, 64, edge_size(p) };
}

static struct problem_sizes early_return_bites(const int *p)
{
	return (struct problem_sizes){ edge_size(p), edge_size(p), 64 };
}

const struct kernel kernels[] = {
	{
		.name = "naive",
		.entry = "naive",
		.problem = &problem_gemm,
		.idea = N_("One thread computes one element of C and reads "
			   "all it needs from global memory."),
		.params = { { "BLOCK", { 16 }, 1, 32 } },
		.block = shape_square_block,
		.grid = shape_columns_grid,
		.align = 4,
	},
	{
		.name = "naive_swapped",
		.after = "naive",
		.entry = "naive_swapped",
		.problem = &problem_gemm,
		.idea = N_("The same with rows from threadIdx.x: neighbouring "
			   "lanes are a whole row apart."),
		.params = { { "BLOCK", { 16 }, 1, 32 } },
		.block = shape_square_block,
		.grid = shape_rows_grid,
		.align = 4,
	},
	{
		.name = "tiled",
		.after = "naive",
		.entry = "tiled",
		.problem = &problem_gemm,
		.idea = N_("A block copies tiles of A and B to shared memory "
			   "and uses each element TILE times."),
		.params = { { "TILE", { 16, 8, 32 }, 1, 32 } },
		.block = shape_square_block,
		.grid = shape_columns_grid,
		.align = 4,
	},
	{
		.name = "padded",
		.after = "tiled",
		.entry = "padded",
		.problem = &problem_gemm,
		.idea = N_("tiled without bounds checks, on matrices that the "
			   "launcher pads with zeros to whole tiles."),
		.params = { { "TILE", { 16 }, 1, 32 } },
		.block = shape_square_block,
		.grid = shape_columns_grid,
		.align = 4,
		.pad = shape_whole_tiles,
	},
	{
		.name = "tiled_bt",
		.after = "tiled",
		.entry = "tiled_bt",
		.problem = &problem_gemm,
		.idea = N_("tiled with B transposed in shared memory: all "
			   "lanes of a warp access the same bank."),
		.params = { { "TILE", { 32 }, 1, 32 } },
		.block = shape_square_block,
		.grid = shape_columns_grid,
		.align = 4,
	},
	{
		.name = "tiled_bt_pad",
		.after = "tiled_bt",
		.entry = "tiled_bt_pad",
		.problem = &problem_gemm,
		.idea = N_("The same with rows of TILE + 1 words: an unused "
			   "column shifts each row by one bank."),
		.params = { { "TILE", { 32 }, 1, 32 } },
		.block = shape_square_block,
		.grid = shape_columns_grid,
		.align = 4,
	},
	{
		.name = "register_tiled",
		.after = "tiled",
		.entry = "register_tiled",
		.problem = &problem_gemm,
		.idea = N_("A thread computes 4x4 neighbouring elements of C "
			   "in registers, at the price of bank conflicts."),
		.block = shape_tile32_block,
		.grid = shape_tile32_grid,
		.align = 4,
	},
	{
		.name = "register_tiled_fast",
		.after = "register_tiled",
		.entry = "register_tiled_fast",
		.problem = &problem_gemm,
		.idea = N_("The same, but a thread's elements are 16 apart, so "
			   "that neighbouring lanes access neighbouring "
			   "words."),
		.block = shape_tile64_block,
		.grid = shape_tile64_grid,
		.align = 4,
	},
	{
		.name = "double_buffered",
		.after = "tiled",
		.entry = "double_buffered",
		.problem = &problem_gemm,
		.idea = N_("tiled that loads the next tiles while it computes "
			   "with these: double buffering with asynchronous "
			   "copies."),
		.params = { { "TILE", { 16, 32 }, 1, 32 } },
		.block = shape_square_block,
		.grid = shape_columns_grid,
		.align = 4,
		.arch = 80,
	},
	{
		.name = "float4",
		.after = "register_tiled_fast",
		.entry = "matmul_float4",
		.problem = &problem_gemm,
		.idea = N_("A thread loads four elements at once and computes "
			   "4x4 elements of C in registers."),
		.block = shape_tile64_block,
		.grid = shape_tile64_grid,
		.refuses = shape_float4_refuses,
		.align = 16,
	},
	{
		.name = "float4_at",
		.after = "float4",
		.entry = "float4_at",
		.problem = &problem_gemm,
		.idea = N_("float4 with A transposed in shared memory, to read "
			   "four elements at once from there, too, without "
			   "conflicts."),
		.block = shape_tile64_block,
		.grid = shape_tile64_grid,
		.refuses = shape_float4_refuses,
		.align = 16,
	},
	{
		.name = "warptile",
		.after = "float4_at",
		.entry = "warptile",
		.problem = &problem_gemm,
		.idea = N_("A thread computes 8x8 elements of C from 16-byte "
			   "reads without bank conflicts."),
		.block = shape_block128,
		.grid = shape_tile64x128_grid,
		.refuses = shape_warptile_refuses,
		.align = 16,
	},
	{
		.name = "sgemm_pipelined",
		.after = "warptile",
		.entry = "sgemm_pipelined",
		.problem = &problem_gemm,
		.idea = N_("warptile that fetches everything one step ahead: "
			   "the next tiles while it computes, and the "
			   "registers of the next k."),
		.block = shape_block128,
		.grid = shape_tile64x128_grid,
		.refuses = shape_warptile_refuses,
		.align = 16,
		.arch = 80,
	},
	{
		.name = "sgemm",
		.after = "sgemm_pipelined",
		.entry = "sgemm",
		.problem = &problem_gemm,
		.idea = N_("The fastest on CUDA cores: registers in two banks, "
			   "and the same number of steps for each block."),
		.params = { { "BM", { 128 }, 16, 256 },
			    { "BN", { 128 }, 32, 256 },
			    { "BK", { 16 }, 8, 32 },
			    { "BLOCKS", { 2 }, 1, 18 },
			    { "TM", { 8 }, 4, 8 },
			    { "SPLIT", { 1 }, 1, 1024 },
			    { "LANES", { 8 }, 4, 8 },
			    { "TN", { 8 }, 4, 8 } },
		.block = shape_sgemm_block,
		.grid = shape_sgemm_grid,
		.shared = shape_sgemm_shared,
		.refuses = shape_sgemm_refuses,
		.align = 16,
		.persistent = true,
		.starts_early = true,
		.arch = 80,
		.choices = &choices_sgemm,
	},
	{
		.name = "wmma",
		.entry = "matmul_wmma",
		.problem = &problem_gemm,
		.idea = N_("Tensor cores: a warp multiplies 16x16x16 halves at "
			   "once and accumulates in float."),
		.block = shape_wmma_block,
		.grid = shape_wmma_grid,
		.refuses = shape_wmma_refuses,
		.baseline = fp16_baseline,
		.align = 32,
	},
	{
		.name = "mma",
		.after = "wmma",
		.entry = "matmul_mma",
		.problem = &problem_gemm,
		.idea = N_("The tensor cores' own instructions: fragments in "
			   "registers, loaded without conflicts from a "
			   "swizzled tile."),
		.block = shape_wmma_block,
		.grid = shape_wmma_grid,
		.refuses = shape_mma_refuses,
		.baseline = fp16_baseline,
		.align = 16,
		.arch = 80,
	},
	{
		.name = "mma_multistage",
		.after = "mma",
		.entry = "mma_multistage",
		.problem = &problem_gemm,
		.idea = N_("mma with a ring of tiles copied several phases "
			   "ahead, and fragments read one step ahead."),
		.params = { { "ROWS", { 128 }, 128, 256 },
			    { "COLS", { 256 }, 64, 256 },
			    { "DEPTH", { 32 }, 32, 128 },
			    { "STAGES", { 4, 3, 2 }, 2, 8 },
			    { "GROUP", { 8 }, 1, 1024 },
			    { "EXPONENT", { 5, 8 }, 5, 8 } },
		.block = multistage_block,
		.grid = shape_tiles_grid,
		.shared = multistage_shared,
		.refuses = shape_mma_refuses,
		.align = 16,
		.arch = 80,
		.baseline = sixth_baseline,
		.tune = multistage_tune,
		.tune_count = LENGTH(multistage_tune),
	},
	{
		.name = "wgmma_basic",
		.after = "mma_multistage",
		.entry = "wgmma_basic",
		.problem = &problem_gemm,
		.idea = N_("Hopper's tensor cores: four warps multiply "
			   "64x128x16 at once, straight from shared memory."),
		.block = shape_block128,
		.grid = shape_tile64x128_grid,
		.refuses = shape_tma_refuses,
		.align = 16,
		.arch = 90,
		.arch_only = true,
		.baseline = fp16_baseline,
	},
	{
		.name = "tma_pipeline",
		.after = "wgmma_basic",
		.entry = "tma_pipeline",
		.problem = &problem_gemm,
		.idea = N_("Specialized warps: one thread starts the TMA "
			   "copies, two warpgroups multiply the tiles."),
		.params = { { "EXPONENT", { 5, 8 }, 5, 8 } },
		.block = pipeline_block,
		.grid = pipeline_grid,
		.shared = pipeline_shared,
		.refuses = shape_tma_refuses,
		.align = 16,
		.arch = 90,
		.arch_only = true,
		.baseline = pipeline_baseline,
	},
	{
		.name = "hgemm",
		.after = "tma_pipeline",
		.entry = "hgemm",
		.problem = &problem_gemm,
		.idea = N_("The fastest on tensor cores: persistent blocks in "
			   "pairs that share tiles, and results stored while "
			   "the next tile is computed."),
		.params = { { "SLABS", { 2 }, 1, 8 },
			    { "BM", { 256 }, 32, 256 },
			    { "STAGES", { 4 }, 2, 16 },
			    { "CLUSTER", { 2 }, 1, 4 },
			    { "GROUP", { 8 }, 1, 1024 },
			    { "EXPONENT", { 5, 8 }, 5, 8 },
			    { "CONSUMERS", { 2 }, 1, 3 },
			    { "SPLIT", { 1 }, 1, 1024 },
			    { "BESIDE", { 1 }, 1, 4 },
			    { "DEEP", { 1 }, 1, 8 },
			    { "WIDTH", { 64 }, 32, 64 } },
		.block = hgemm_block,
		.grid = hgemm_grid,
		.shared = hgemm_shared,
		.refuses = hgemm_refuses,
		.align = 16,
		.cluster = hgemm_cluster,
		.persistent = true,
		.starts_early = true,
		.arch = 90,
		.arch_only = true,
		.baseline = sixth_baseline,
		.choices = &choices_hgemm,
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
		.block = shape_square_block,
		.grid = shape_columns_grid,
		.align = 4,
		.bug = N_("threads read elements of the tiles that others "
			  "have not stored yet"),
	},
	{
		.name = "bug_second_barrier",
		.entry = "bug_second_barrier",
		.problem = &problem_gemm,
		.idea = N_("tiled without the barrier between reading the "
			   "tiles and overwriting them."),
		.params = { { "TILE", { 16 }, 1, 32 } },
		.block = shape_square_block,
		.grid = shape_columns_grid,
		.align = 4,
		.bug = N_("threads overwrite elements of the tiles that others "
			  "are still reading"),
	},
	{
		.name = "bug_edge",
		.entry = "bug_edge",
		.problem = &problem_gemm,
		.idea = N_("tiled without its check of K: right only when K "
			   "is a multiple of TILE."),
		.params = { { "TILE", { 16 }, 1, 32 } },
		.block = shape_square_block,
		.grid = shape_columns_grid,
		.align = 4,
		.bug = N_("the last phase reads beyond the rows of A and "
			  "the end of B"),
		.bites = edge_bites,
	},
	{
		.name = "bug_early_return",
		.entry = "bug_early_return",
		.problem = &problem_gemm,
		.idea = N_("tiled whose threads outside C return first: right "
			   "only when TILE divides M and N."),
		.params = { { "TILE", { 16 }, 1, 32 } },
		.block = shape_square_block,
		.grid = shape_columns_grid,
		.align = 4,
		.bug = N_("threads outside C never come to the barriers where "
			  "the others wait for them"),
		.bites = early_return_bites,
	},
	{
		.name = "bug_wmma_pad",
		.entry = "bug_wmma_pad",
		.problem = &problem_gemm,
		.idea = N_("16x16x16 fragments from tiles of halves whose rows "
			   "are padded by one element."),
		.block = shape_one_warp_block,
		.grid = shape_one_warp_grid,
		.refuses = shape_wmma_refuses,
		.align = 32,
		.bug = N_("wmma needs a leading dimension that is a "
			  "multiple of 16 bytes, and 17 halves are 34"),
	},
	{
		.name = "bug_one_warp",
		.entry = "bug_one_warp",
		.problem = &problem_gemm,
		.idea = N_("Four warps per block whose fragments do not depend "
			   "on the warp."),
		.block = shape_block128,
		.grid = shape_four_warps_grid,
		.refuses = shape_four_warps_refuses,
		.align = 32,
		.bug = N_("all warps of a block write the same fragment of "
			  "C, and the rest is never written"),
	},
};

const size_t kernel_count = LENGTH(kernels);
