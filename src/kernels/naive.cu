// naive: one thread computes one element of C = A B.
//
// Idea: thread (tx, ty) of block (bx, by) owns element (row, col) of C.
// It walks along row `row` of A and down column `col` of B and adds up
// K products. Nothing is shared: each thread reads all it needs from
// global memory. The column comes from threadIdx.x, so neighbouring
// lanes of a warp read neighbouring elements of B.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense.
// Any M, N, K and any two-dimensional block: threads that stand outside
// C do nothing. The launcher has nothing to check.

__global__ void naive(const float *A, const float *B, float *C,
                      int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < M && col < N) {
        float sum = 0.0f;

        for (int k = 0; k < K; ++k)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
