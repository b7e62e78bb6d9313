// naive_swapped: `naive` with the roles of x and y exchanged.
//
// Idea: the row of C comes from threadIdx.x and the column from
// threadIdx.y. The answer and the number of accesses stay the same, but
// now neighbouring lanes of a warp stand below each other in C: they
// read A and write C a whole row apart. Compare it with `naive`.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense.
// Any M, N, K and any two-dimensional block: threads that stand outside
// C do nothing. The launcher has nothing to check.

__global__ void naive_swapped(const float *A, const float *B, float *C,
                              int M, int N, int K)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;

    if (row < M && col < N) {
        float sum = 0.0f;

        for (int k = 0; k < K; ++k)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
