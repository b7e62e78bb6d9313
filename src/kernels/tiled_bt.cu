// tiled_bt: `tiled` with B's tile stored transposed in shared memory.
//
// Idea: each thread multiplies a row of As by a column of Bs. If Bs
// holds the tile of B transposed, both are rows, and it seems that both
// are now read in order. But what counts is what the lanes of a warp
// read at the same moment: Bs[0][k], Bs[1][k], Bs[2][k], ..., which are
// TILE words apart. With 32 banks and TILE 32 all of them are in one
// bank, and the lanes wait for each other; so they do when the tile is
// stored. Compare the wavefronts and the time with `tiled`.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense;
// a block of TILE x TILE threads. Any M, N, K: what lies outside A or B
// is loaded as zero, and every thread reaches both barriers. The
// launcher takes the block's shape from TILE and has nothing to check.

#ifndef TILE
#define TILE 32
#endif

__global__ void tiled_bt(const float *A, const float *B, float *C,
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
            Bs[tx][ty] = B[(t + ty) * N + col];
        else
            Bs[tx][ty] = 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[tx][k];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
