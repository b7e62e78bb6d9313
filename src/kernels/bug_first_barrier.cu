// bug_first_barrier: `tiled` with a bug: no first barrier.
//
// Idea: nothing makes a thread wait until the others have stored their
// elements of the tiles. A thread of a warp that is ahead reads what is
// not there yet: the last phase's element, or nothing. Within a warp it
// may seem to work, since its lanes often walk together; the elements
// that other warps bring are the ones that are missed. A right answer
// here is luck.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense;
// a block of TILE x TILE threads. The launcher takes the block's shape
// from TILE. Any M, N, K is launched, to see what goes wrong.

#ifndef TILE
#define TILE 16
#endif

__global__ void bug_first_barrier(const float *A, const float *B,
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

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
