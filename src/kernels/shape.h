/*
 * shape: the launch shapes (block and grid dimensions) of the kernels of the
 * table, and the sizes that they refuse. p holds a kernel's parameters. A
 * function that refuses a size returns a sentence, N_(), that says why, or
 * NULL.
 */
#ifndef KERNELS_SHAPE_H
#define KERNELS_SHAPE_H

#include "kernels/problem.h"
#include "trace/trace.h"

/* `count` blocks or threads in a row. */
struct trace_dim shape_row(uint32_t count);
/* Returns a grid of one block for each tile of C of rows x columns; blockIdx.x
 * runs along the columns. */
struct trace_dim shape_tiles(int m, int n, int rows, int columns);

/* Returns blocks of p[0] x p[0] threads, each of which computes one element of
 * C; x runs along the columns of C, or along its rows. */
struct trace_dim shape_square_block(const int *p);
struct trace_dim shape_columns_grid(const int *p, int m, int n, int k);
struct trace_dim shape_rows_grid(const int *p, int m, int n, int k);
/* Rounds sizes up to whole tiles of p[0] x p[0]. */
struct problem_sizes shape_whole_tiles(const int *p);

/* Returns blocks of 8 x 8 threads, which compute 32 x 32 tiles of C. */
struct trace_dim shape_tile32_block(const int *p);
struct trace_dim shape_tile32_grid(const int *p, int m, int n, int k);

/* Returns blocks of 16 x 16 threads, which compute 64 x 64 tiles of C. */
struct trace_dim shape_tile64_block(const int *p);
struct trace_dim shape_tile64_grid(const int *p, int m, int n, int k);
const char *shape_float4_refuses(const int *p, int m, int n, int k);

/* Returns blocks of 8 warps, which compute 128 x 128 tiles of C. */
struct trace_dim shape_wmma_block(const int *p);
struct trace_dim shape_wmma_grid(const int *p, int m, int n, int k);
const char *shape_wmma_refuses(const int *p, int m, int n, int k);
const char *shape_mma_refuses(const int *p, int m, int n, int k);

/* Returns blocks of 4 warps, which compute 64 x 128 tiles of C. */
struct trace_dim shape_block128(const int *p);
struct trace_dim shape_tile64x128_grid(const int *p, int m, int n, int k);
const char *shape_warptile_refuses(const int *p, int m, int n, int k);

/* Returns blocks of one warp, which compute 16 x 16 tiles of C; blocks of four
 * warps compute 32 x 32. */
struct trace_dim shape_one_warp_block(const int *p);
struct trace_dim shape_one_warp_grid(const int *p, int m, int n, int k);
struct trace_dim shape_four_warps_grid(const int *p, int m, int n, int k);
const char *shape_four_warps_refuses(const int *p, int m, int n, int k);

/* Returns a grid of one block for each tile of p[0] x p[1] elements, all in one
 * row. */
struct trace_dim shape_tiles_grid(const int *p, int m, int n, int k);
/* Refuses sizes that TMA cannot copy. */
const char *shape_tma_refuses(const int *p, int m, int n, int k);

/* Returns the shapes of sgemm: p is BM, BN, BK, BLOCKS, TM, SPLIT, LANES,
 * TN. */
struct trace_dim shape_sgemm_block(const int *p);
struct trace_dim shape_sgemm_grid(const int *p, int m, int n, int k);
/* Returns the bytes of dynamic shared memory. */
uint32_t shape_sgemm_shared(const int *p);
const char *shape_sgemm_refuses(const int *p, int m, int n, int k);

#endif
