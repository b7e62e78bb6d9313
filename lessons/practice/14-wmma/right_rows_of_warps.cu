#include <mma.h>
using namespace nvcuda::wmma;
__global__ void mm(const __half *A, const __half *B, float *C, int M, int N, int K)
{
    int tm = blockIdx.y * blockDim.y + threadIdx.y;
    int tn = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    if (tm * 16 >= M || tn * 16 >= N) return;
    fragment<matrix_a, 16, 16, 16, __half, row_major> a;
    fragment<matrix_b, 16, 16, 16, __half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> acc;
    fill_fragment(acc, 0);
    for (int k = 0; k < K; k += 16) {
        load_matrix_sync(a, A + tm * 16 * K + k, K);
        load_matrix_sync(b, B + k * N + tn * 16, N);
        mma_sync(acc, a, b, acc);
    }
    store_matrix_sync(C + tm * 16 * N + tn * 16, acc, N, mem_row_major);
}
void launch(const half *A, const half *B, float *C, int M, int N, int K)
{
    dim3 block(64, 2);
    mm<<<dim3((N / 16 + 1) / 2, (M / 16 + 1) / 2), block>>>(A, B, C, M, N, K);
}
