// tiles: one product of wmma, of the shape and the types that it is compiled
// for, against what loops make of the same numbers. C counts what differs.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

#ifndef ROWS
#define ROWS 16
#define COLUMNS 16
#define DEPTH 16
#define FACTOR half
#define KEPT half
#define SUM float
#endif
typedef KEPT kept;

// -5 to 5, which every type has; of what has no sign, 0 to 10.
__device__ int number(int i, int j)
{
    return (7 * i + 3 * j) % 11 - (kept(-1) < kept(0) ? 5 : 0);
}

__global__ void tiles(float *C)
{
    __shared__ __align__(32) kept a[ROWS][32], at[DEPTH][32];
    __shared__ __align__(32) kept b[DEPTH][32], bt[COLUMNS][32];
    __shared__ __align__(32) SUM c[ROWS][32], d[ROWS][32], dt[COLUMNS][32];
    wmma::fragment<wmma::matrix_a, ROWS, COLUMNS, DEPTH, FACTOR,
                   wmma::row_major> fa;
    wmma::fragment<wmma::matrix_a, ROWS, COLUMNS, DEPTH, FACTOR,
                   wmma::col_major> fat;
    wmma::fragment<wmma::matrix_b, ROWS, COLUMNS, DEPTH, FACTOR,
                   wmma::row_major> fb;
    wmma::fragment<wmma::matrix_b, ROWS, COLUMNS, DEPTH, FACTOR,
                   wmma::col_major> fbt;
    wmma::fragment<wmma::accumulator, ROWS, COLUMNS, DEPTH, SUM> fc, fd;
    int lane = threadIdx.x;

    for (int i = lane; i < ROWS * DEPTH; i += 32) {
        a[i / DEPTH][i % DEPTH] = kept(number(i / DEPTH, i % DEPTH));
        at[i % DEPTH][i / DEPTH] = a[i / DEPTH][i % DEPTH];
    }
    for (int i = lane; i < DEPTH * COLUMNS; i += 32) {
        b[i / COLUMNS][i % COLUMNS] =
            kept(number(i % COLUMNS, i / COLUMNS));
        bt[i % COLUMNS][i / COLUMNS] = b[i / COLUMNS][i % COLUMNS];
    }
    for (int i = lane; i < ROWS * COLUMNS; i += 32)
        c[i / COLUMNS][i % COLUMNS] = SUM(i % 17);
    __syncthreads();

    wmma::load_matrix_sync(fa, &a[0][0], 32);
    wmma::load_matrix_sync(fbt, &bt[0][0], 32);
    wmma::load_matrix_sync(fc, &c[0][0], 32, wmma::mem_row_major);
    wmma::mma_sync(fc, fa, fbt, fc);
    wmma::store_matrix_sync(&d[0][0], fc, 32, wmma::mem_row_major);
    wmma::load_matrix_sync(fat, &at[0][0], 32);
    wmma::load_matrix_sync(fb, &b[0][0], 32);
    wmma::fill_fragment(fd, SUM(0));
    wmma::mma_sync(fd, fat, fb, fd);
    wmma::store_matrix_sync(&dt[0][0], fd, 32, wmma::mem_col_major);
    __syncthreads();

    int wrong = 0;
    for (int i = lane; i < ROWS * COLUMNS; i += 32) {
        int row = i / COLUMNS, col = i % COLUMNS;
        float sum = 0;

        for (int k = 0; k < DEPTH; ++k)
            sum += float(a[row][k]) * float(b[k][col]);
        wrong += float(dt[col][row]) != sum;
        wrong += float(d[row][col]) != sum + float(c[row][col]);
    }
#if DEPTH == 8
    wrong += wmma::__float_to_tf32(1 + 0x3p-12f) != 1 + 0x1p-10f;
    wrong += wmma::__float_to_tf32(-1 - 0x1p-12f) != -1;
#endif
    C[lane] = wrong;
}
