// Only the even elements are written.
__global__ void unwritten(const float *A, float *C)
{
    __shared__ float s[32];

    if (threadIdx.x % 2 == 0)
        s[threadIdx.x] = A[threadIdx.x];
    __syncthreads();
    C[threadIdx.x] = s[31 - threadIdx.x];
}
