// A block hands on to the next one: all begin with what is asked for, and
// do without one thing each where a macro says so.
__device__ unsigned flags[8];

__global__ void hand_over(const float *A, float *C, int K)
{
    __shared__ float seen[64];
    int t = threadIdx.x;
    int b = blockIdx.x;

    if (b > 0) {
#ifndef NO_WAIT
        if (t == 0)
            while (atomicExch(&flags[b - 1], 0) == 0)
                ;
#endif
#ifndef NO_BARRIER_BEHIND
        __syncthreads();
#endif
        seen[t] = C[63 - t];
        __syncthreads();
    }
    C[t] = A[t] + (b > 0 ? seen[t] : 0);
#ifdef FENCE_BY_ONE
    __syncthreads();
    if (t == 0)
        __threadfence();
#elif !defined NO_FENCE
    __threadfence();
#endif
#ifndef NO_BARRIER_BEFORE
    __syncthreads();
#endif
#ifdef LATE
    C[64 + t] = 1;
#endif
    if (t == 0)
        atomicExch(&flags[b], 1);
}

// Waits by reading, as flags without atomics do.
__global__ void hand_over_volatile(const float *A, float *C, int K)
{
    volatile unsigned *flag = flags;
    int t = threadIdx.x;
    int b = blockIdx.x;
    float sum = A[t];

    if (b > 0) {
        if (t == 0)
            while (flag[b - 1] == 0)
                ;
        __syncthreads();
        sum += C[63 - t];
        __syncthreads();
    }
    C[t] = sum;
    __syncthreads();
    if (t == 0) {
#ifndef NO_FENCE
        __threadfence();
#endif
        flag[b] = 1;
    }
}

__device__ unsigned ended;

// The last block adds up what all have left; as in the programming guide.
__global__ void last_adds(const float *A, float *C, int K)
{
    __shared__ bool last;
    int t = threadIdx.x;
    int b = blockIdx.x;

    if (t == 0) {
        C[1 + b] = A[b];
#ifndef NO_FENCE
        __threadfence();
#endif
        last = atomicInc(&ended, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t < gridDim.x)
        atomicAdd(&C[0], C[1 + t]);
}

// What was handed on twice is still handed on.
__global__ void chain(const float *A, float *C, int K)
{
    int b = blockIdx.x;

    if (b == 0)
        C[0] = A[0];
    if (b > 0)
        atomicExch(&flags[b - 1], 0);
    if (b == 3)
        C[0] += 1;
    __threadfence();
#ifdef SKIP
    if (b != 1)
#endif
        atomicExch(&flags[b], 1);
}

// A warp waits for the other one of its block.
__global__ void within(const float *A, float *C, int K)
{
    int t = threadIdx.x;

    if (t == 0)
        while (atomicAdd(&flags[0], 0) == 0)
            ;
    if (t == 32) {
        C[1] = A[0];
        __threadfence();
        atomicExch(&flags[0], 1);
    }
    if (t == 0)
        C[0] = C[1];
}

// Block 0 waits for block 1, which has its turn meanwhile, if there is one.
__global__ void too_early(const float *A, float *C, int K)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
        while (atomicAdd(&flags[1], 0) == 0)
            ;
    atomicExch(&flags[blockIdx.x], 1);
    C[blockIdx.x * 64 + threadIdx.x] = A[0];
}

__device__ float kept[2][4] = { { 1, 2, 3, 4 } };

__global__ void counts(const float *A, float *C, int K)
{
    int t = threadIdx.x;

    kept[t / 4][t % 4] += 1;
#ifdef BEYOND
    kept[t / 4 + 2][t % 4] += 1;
#endif
#ifdef BEYOND_ATOMIC
    atomicAdd(&kept[t / 4 + 2][t % 4], 1.0f);
#endif
    C[t] = kept[t / 4][t % 4];
}
