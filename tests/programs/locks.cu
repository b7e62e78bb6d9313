// What orders the threads of a block besides barriers: fences of the block, and
// atomics or flags in its shared memory.
#include <cstdio>

#ifdef UNFENCED
#define FENCE()
#else
#define FENCE() __threadfence_block()
#endif

// A lock, and a sum that it guards.
__global__ void locked(int *to)
{
    __shared__ int lock, sum;

    if (threadIdx.x == 0)
        lock = sum = 0;
    __syncthreads();
    for (bool done = false; !done;) {
        if (atomicCAS(&lock, 0, 1) != 0)
            continue;
        FENCE();
        sum += threadIdx.x;
        FENCE();
        atomicExch(&lock, 0);
        done = true;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        to[blockIdx.x] = sum;
}

// One warp tells another that it has written.
__global__ void handed(int *to)
{
    __shared__ volatile int ready;
    __shared__ int data[32];

    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        while (ready == 0)
            ;
        FENCE();
        to[threadIdx.x] = data[31 - threadIdx.x];
    } else {
        data[threadIdx.x - 32] = threadIdx.x;
        __syncwarp();
        FENCE();
        if (threadIdx.x == 32)
            ready = 1;
    }
}

// What is fenced for the block alone is no other block's.
__global__ void passed(int *data, int *flag, int *to)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 5;
#ifdef NARROW
        __threadfence_block();
#else
        __threadfence();
#endif
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) != 1)
            ;
        __threadfence();
        *to = *data;
    }
}

int main()
{
    int *memory, got[64], wrong = 0;

    cudaMalloc(&memory, sizeof(got));
    cudaMemset(memory, 0, sizeof(got));
    locked<<<2, 64>>>(memory);
    handed<<<1, 64>>>(memory + 2);
    passed<<<2, 32>>>(memory + 40, memory + 41, memory + 42);
    cudaMemcpy(got, memory, sizeof(got), cudaMemcpyDeviceToHost);
    cudaFree(memory);
    wrong += got[0] != 2016 || got[1] != 2016 || got[42] != 5;
    for (int i = 0; i < 32; i++)
        wrong += got[2 + i] != 63 - i;
    puts(wrong ? "FAIL" : "PASS");
    return wrong;
}
