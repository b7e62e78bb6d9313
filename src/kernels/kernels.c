/*
 * kernels: the table. A kernel is one .cu file here and one entry below.
 */
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

/* The same where x walks along the rows. */
static struct trace_dim rows_grid(const int *p, int m, int n, int k)
{
	(void)k;
	return (struct trace_dim) { ceil_div(m, p[0]), ceil_div(n, p[0]), 1 };
}

static struct trace_dim float4_block(const int *p)
{
	(void)p;
	return (struct trace_dim) { 16, 16, 1 };
}

static struct trace_dim float4_grid(const int *p, int m, int n, int k)
{
	(void)p;
	(void)k;
	return (struct trace_dim) { ceil_div(n, 64), ceil_div(m, 64), 1 };
}

static const char *float4_refuses(const int *p, int m, int n, int k)
{
	(void)p;
	if (m % 64 != 0 || n % 64 != 0)
		return N_("float4 works on whole 64x64 tiles of C: M and N "
			  "must be multiples of 64");
	if (k % 16 != 0)
		return N_("float4 takes 16 columns of A at a time: K must be "
			  "a multiple of 16");
	return NULL;
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
		.name = "float4",
		.entry = "matmul_float4",
		.idea = N_("A thread loads four elements at once and computes "
			   "4x4 of C in registers."),
		.block = float4_block,
		.grid = float4_grid,
		.refuses = float4_refuses,
		.align = 16,
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
