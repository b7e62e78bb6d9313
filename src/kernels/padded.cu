// padded: `tiled` without a check, on matrices padded to whole tiles.
//
// Idea: instead of each thread asking in each phase whether it stands
// inside A and B, the launcher makes the matrices larger: M, N and K
// are rounded up to multiples of TILE, and what is added is zero. Zeros
// add nothing to a sum, so the part of C that was asked for is right,
// and the rest of C is zero and thrown away. The kernel loses its ifs,
// and with them the lanes that part; the price is memory, a copy before
// and after, and up to a tile of work more along each side.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense;
// a block of TILE x TILE threads; M, N and K multiples of TILE. The
// launcher pads the matrices: M, N and K here are the padded ones.

#ifndef TILE
#define TILE 16
#endif

__global__ void padded(const float *A, const float *B, float *C,
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
        As[ty][tx] = A[row * K + t + tx];
        Bs[ty][tx] = B[(t + ty) * N + col];
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    C[row * N + col] = sum;
}
