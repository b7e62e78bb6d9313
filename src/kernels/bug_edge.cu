// bug_edge: `tiled` with a bug: the end of K is not checked.
//
// Idea: the checks keep to the rows and columns of C, as if A and B had
// no other edge. When K is no multiple of TILE, the last phase reaches
// beyond it: to the right of A, which is the beginning of A's next row,
// and below B, which is nobody's memory. The kernel multiplies what it
// finds there and adds it. With K a multiple of TILE all is well, which
// is why a test with powers of two does not notice.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense;
// a block of TILE x TILE threads. The launcher takes the block's shape
// from TILE. Any M, N, K is launched, to see what goes wrong.

#ifndef TILE
#define TILE 16
#endif

__global__ void bug_edge(const float *A, const float *B, float *C,
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
        if (row < M)
            As[ty][tx] = A[row * K + t + tx];
        else
            As[ty][tx] = 0.0f;
        if (col < N)
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
