// Sums by atomics beside stores that are not; macros leave out what puts the
// two in order.

__device__ unsigned int count;

// The last block adds up what the others left, and clears the counter behind
// itself: whose atomic gave the last number came after all others.
__global__ void last_block(const float *A, const float *B, float *C, int K)
{
    __shared__ bool last;

    if (threadIdx.x == 0) {
        C[1 + blockIdx.x] = A[blockIdx.x];
        __threadfence();
#ifdef RESULT_UNUSED
        atomicInc(&count, gridDim.x);
        last = blockIdx.x == gridDim.x - 1;
#else
        unsigned int before = atomicInc(&count, gridDim.x);
        last = before == gridDim.x - 1;
#endif
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0;
        for (int b = 0; b < gridDim.x; b++)
            sum += C[1 + b];
        C[0] = sum;
        count = 0;
    }
}

// One thread clears the sum, all add to it.
__global__ void clear_first(const float *A, const float *B, float *C, int K)
{
    __shared__ float sum;

    if (threadIdx.x == 0)
        sum = 0;
#ifndef NO_BARRIER
    __syncthreads();
#endif
    atomicAdd(&sum, A[threadIdx.x]);
#ifndef READ_EARLY
    __syncthreads();
#endif
    if (threadIdx.x == 0)
        C[0] = sum;
}

// The thread that comes last in the block clears the count.
__global__ void last_thread(const float *A, const float *B, float *C, int K)
{
    __shared__ unsigned int arrived;

    if (threadIdx.x == 0)
        arrived = 0;
    __syncthreads();
    if (atomicAdd(&arrived, 1u) == blockDim.x - 1) {
        arrived = 0;
        C[0] = A[threadIdx.x];
    }
}
