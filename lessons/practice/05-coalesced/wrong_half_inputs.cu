#include <cuda_fp16.h>
__global__ void naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float s = 0;
    for (int k = 0; k < K; ++k) s += __half2float(__float2half(A[row * K + k])) * __half2float(__float2half(B[k * N + col]));
    C[row * N + col] = s;
}
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    naive<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}
