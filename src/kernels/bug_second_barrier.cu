// bug_second_barrier: `tiled` with a bug: no second barrier.
//
// Idea: nothing makes a thread wait until the others have read the
// tiles before it replaces its elements with those of the next phase. A
// warp that is ahead takes away what a slower one still needs. With one
// phase alone (K not above TILE) nothing is replaced, and nothing goes
// wrong. A right answer with more is luck.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense;
// a block of TILE x TILE threads. The launcher takes the block's shape
// from TILE. Any M, N, K is launched, to see what goes wrong.

#ifndef TILE
#define TILE 16
#endif

__global__ void bug_second_barrier(const float *A, const float *B,
                                   float *C, int M, int N, int K)
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
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
