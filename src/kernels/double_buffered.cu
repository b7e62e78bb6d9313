// double_buffered: `tiled` that loads the next tiles while it computes.
//
// Idea: shared memory holds two pairs of tiles. While the block computes
// with one pair, asynchronous copies (cp.async) bring the next into the
// other, past the registers. Waiting for its own copies and then for the
// barrier, each thread knows that everybody's have come, and that
// everybody is done with the pair that is filled next: one barrier a
// phase does both.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense;
// a block of TILE x TILE threads; sm_80 or newer. Any M, N, K: what lies
// outside A or B is filled with zeros, and every thread reaches every
// barrier. The launcher takes the block's shape from TILE and has nothing
// to check.

#include <cuda_pipeline_primitives.h>

#ifndef TILE
#define TILE 16
#endif

__global__ void double_buffered(const float *A, const float *B, float *C,
                                int M, int N, int K)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    // Each round loads the tiles at t and computes with those before.
    for (int t = 0; t < K + TILE; t += TILE) {
        int load = t / TILE % 2;
        int use = 1 - load;

        __pipeline_wait_prior(0);
        __syncthreads();

        if (t < K) {
            int zeros_A = row < M && t + tx < K ? 0 : sizeof(float);
            int zeros_B = t + ty < K && col < N ? 0 : sizeof(float);

            __pipeline_memcpy_async(&As[load][ty][tx],
                                    &A[row * K + t + tx],
                                    sizeof(float), zeros_A);
            __pipeline_memcpy_async(&Bs[load][ty][tx],
                                    &B[(t + ty) * N + col],
                                    sizeof(float), zeros_B);
            __pipeline_commit();
        }
        if (t > 0)
            for (int k = 0; k < TILE; ++k)
                sum += As[use][ty][k] * Bs[use][k][tx];
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
