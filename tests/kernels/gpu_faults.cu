// Writes far behind C.
__global__ void faults(const float *A, const float *B, float *C,
                       int M, int N, int K)
{
    C[(1ull << 40) + threadIdx.x] = A[threadIdx.x] + B[0];
}
