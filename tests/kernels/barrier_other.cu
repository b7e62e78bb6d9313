// Two barriers, each for half of the threads.
__global__ void barrier_other(const float *A, float *C)
{
    if (threadIdx.x < 16) {
        C[threadIdx.x] = A[threadIdx.x];
        __syncthreads();
    } else {
        __syncthreads();
        C[threadIdx.x] = A[threadIdx.x];
    }
}
