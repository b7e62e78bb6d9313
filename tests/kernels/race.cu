// The barrier between writing and reading is missing.
__global__ void race(const float *A, float *C)
{
    __shared__ float s[64];

    s[threadIdx.x] = 0.0f;
    __syncthreads();
    s[threadIdx.x] = A[threadIdx.x];
    C[threadIdx.x] = s[(threadIdx.x + 1) % 64];
}
