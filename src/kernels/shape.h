/*
 * shape: the blocks and grids of threads that kernels of the table are launched
 * with, and the sizes that they refuse. p holds a kernel's parameters; what
 * refuses a size returns the sentence that says why, N_(), or NULL.
 */
#ifndef KERNELS_SHAPE_H
#define KERNELS_SHAPE_H

#include "kernels/problem.h"
#include "trace/trace.h"

/* As many in a row. */
struct trace_dim shape_row(uint32_t count);
/* A block for each tile of C of rows x columns; x walks along the columns. */
struct trace_dim shape_tiles(int m, int n, int rows, int columns);

/* Square blocks of p[0] x p[0] threads, an element of C each; x walks along
 * the columns, or along the rows. */
struct trace_dim shape_square_block(const int *p);
struct trace_dim shape_columns_grid(const int *p, int m, int n, int k);
struct trace_dim shape_rows_grid(const int *p, int m, int n, int k);
/* Tiles of p[0] x p[0]: no less than a whole one. */
struct problem_sizes shape_whole_tiles(const int *p);

/* 8 x 8 threads on a 32 x 32 tile of C. */
struct trace_dim shape_tile32_block(const int *p);
struct trace_dim shape_tile32_grid(const int *p, int m, int n, int k);

/* 16 x 16 threads on a 64 x 64 tile of C. */
struct trace_dim shape_tile64_block(const int *p);
struct trace_dim shape_tile64_grid(const int *p, int m, int n, int k);
const char *shape_float4_refuses(const int *p, int m, int n, int k);

/* 8 warps on a 128 x 128 tile of C. */
struct trace_dim shape_wmma_block(const int *p);
struct trace_dim shape_wmma_grid(const int *p, int m, int n, int k);
const char *shape_wmma_refuses(const int *p, int m, int n, int k);
const char *shape_mma_refuses(const int *p, int m, int n, int k);

/* 4 warps on a 64 x 128 tile of C. */
struct trace_dim shape_block128(const int *p);
struct trace_dim shape_tile64x128_grid(const int *p, int m, int n, int k);
const char *shape_warptile_refuses(const int *p, int m, int n, int k);

/* A warp on 16 x 16 of C, and four on 32 x 32. */
struct trace_dim shape_one_warp_block(const int *p);
struct trace_dim shape_one_warp_grid(const int *p, int m, int n, int k);
struct trace_dim shape_four_warps_grid(const int *p, int m, int n, int k);
const char *shape_four_warps_refuses(const int *p, int m, int n, int k);

/* A block for each tile of p[0] x p[1], all in a row. */
struct trace_dim shape_tiles_grid(const int *p, int m, int n, int k);
/* What TMA cannot bring. */
const char *shape_tma_refuses(const int *p, int m, int n, int k);

#endif
