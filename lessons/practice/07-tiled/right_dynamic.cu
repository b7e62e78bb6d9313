extern __shared__ float smem[];
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int T = 32;
    float *As = smem, *Bs = smem + T * T;
    int tx = threadIdx.x % T, ty = threadIdx.x / T;
    float sum = 0;
    for (int t = 0; t < K; t += T) {
        As[ty * T + tx] = A[(blockIdx.y * T + ty) * K + t + tx];
        Bs[ty * T + tx] = B[(t + ty) * N + blockIdx.x * T + tx];
        __syncthreads();
        for (int q = 0; q < T; q++) sum += As[ty * T + q] * Bs[q * T + tx];
        __syncthreads();
    }
    C[(blockIdx.y * T + ty) * N + blockIdx.x * T + tx] = sum;
}
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    int T = 32;
    cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * T * T * sizeof(float));
    k<<<dim3(N / T, M / T), T * T, 2 * T * T * sizeof(float)>>>(A, B, C, M, N, K);
}
