// tiled: a block works on one TILE x TILE tile of C, phase by phase.
//
// Idea: in each phase the block copies one tile of A and one tile of B
// into shared memory, one element of each a thread. Then every element
// that was read once from global memory is used TILE times. The first
// barrier makes sure that the tiles are complete before they are read,
// the second that they have been read before they are replaced.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense;
// a block of TILE x TILE threads. Any M, N, K: what lies outside A or B
// is loaded as zero, and every thread reaches both barriers. The
// launcher takes the block's shape from TILE and has nothing to check.

#ifndef TILE
#define TILE 16
#endif

__global__ void tiled(const float *A, const float *B, float *C,
                      int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int t = 0; t < K; t += TILE) {
        if (row < M && t + tx < K)
            As[ty][tx] = A[row * K + t + tx];
        else
            As[ty][tx] = 0.0f;
        if (t + ty < K && col < N)
            Bs[ty][tx] = B[(t + ty) * N + col];
        else
            Bs[ty][tx] = 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
