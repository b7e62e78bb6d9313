// bug_early_return: `tiled` with a bug: threads outside of C go home.
//
// Idea: a thread that owns no element of C returns at once, which looks
// like a saving. But it was to bring its elements of the tiles, too, and
// to come to the barriers, which stand for all threads of the block. The
// others wait for it there. With M and N multiples of TILE every thread
// owns an element, and nothing goes wrong.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense;
// a block of TILE x TILE threads. The launcher takes the block's shape
// from TILE. Any M, N, K is launched, to see what goes wrong.

#ifndef TILE
#define TILE 16
#endif

__global__ void bug_early_return(const float *A, const float *B,
                                 float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    if (row >= M || col >= N)
        return;

    for (int t = 0; t < K; t += TILE) {
        As[ty][tx] = t + tx < K ? A[row * K + t + tx] : 0.0f;
        Bs[ty][tx] = t + ty < K ? B[(t + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    C[row * N + col] = sum;
}
