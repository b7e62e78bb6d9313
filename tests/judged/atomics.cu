// Atomics, fences and flags between threads and blocks.
#include "judged.h"
#define ARRAYS const float *a, float *b, int *n

// Each block counts in shared memory, then adds to the whole.
__global__ void histogram_in_two_levels(ARRAYS)
{
    __shared__ int bins[8];
    int t = threadIdx.x;
    if (t < 8) bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[(blockIdx.x * blockDim.x + t) * 5 % 8], 1);
    __syncthreads();
    if (t < 8) atomicAdd(&n[t], bins[t]);
}
// The bins are cleared by some while others count.
__global__ void histogram_cleared_late(ARRAYS)
{
    __shared__ int bins[8];
    int t = threadIdx.x;
    if (t < 8) bins[t] = 0;
    atomicAdd(&bins[(blockIdx.x * blockDim.x + t) * 5 % 8], 1);
    __syncthreads();
    if (t < 8) atomicAdd(&n[t], bins[t]);
}
__global__ void count_without_atomic(ARRAYS)
{
    if (a[threadIdx.x % 64] > 0) n[0] += 1;
}
// Each thread has a counter of its own.
__global__ void count_each_its_own(ARRAYS)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 64 && a[i] > 0) n[i] += 1;
}
// All store the same value in one place: no order matters.
__global__ void all_store_the_same(ARRAYS)
{
    if (a[threadIdx.x % 64] > 1000) atomicExch(&n[0], 1);
    n[1 + blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
// A ticket gives each a place of its own.
__global__ void place_by_ticket(ARRAYS)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 64) b[atomicAdd(&n[0], 1)] = a[i];
}
// The ticket is read and counted in two steps.
__global__ void place_by_plain_counter(ARRAYS)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 64) {
        int at = n[0];
        atomicAdd(&n[0], 1);
        b[at] = a[i];
    }
}
// The last block to arrive sums up what all have stored and fenced.
__global__ void last_block_sums(ARRAYS)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        b[blockIdx.x] = a[blockIdx.x];
        __threadfence();
        last = atomicAdd(&n[0], 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        __threadfence();
        for (unsigned i = 0; i < gridDim.x; i++) sum += ((volatile float *)b)[i];
        b[63] = sum;
    }
}
// Without a fence the count may be seen before what it counts.
__global__ void last_block_without_fence(ARRAYS)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        b[blockIdx.x] = a[blockIdx.x];
        last = atomicAdd(&n[0], 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++) sum += b[i];
        b[63] = sum;
    }
}
// One block reads what another one stores, and nothing orders them.
__global__ void neighbour_block(ARRAYS)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    n[i] = i;
    __syncthreads();
    b[i] = n[(i + 32) % 64];
}
// Of its own block.
__global__ void neighbour_thread(ARRAYS)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    n[i] = i;
    __syncthreads();
    b[i] = n[i ^ 1];
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    float *a = filled_array<float>(64, 1), *b = unset_array<float>(64);
    int *n = unset_array<int>(65);
    CHECK(cudaMemset(n, 0, 65 * sizeof(int)));
    RUN(histogram_in_two_levels, 2, 32, a, b, n);
    RUN(histogram_cleared_late, 1, 64, a, b, n);
    RUN(count_without_atomic, 2, 32, a, b, n);
    RUN(count_each_its_own, 2, 32, a, b, n);
    RUN(all_store_the_same, 2, 32, a, b, n);
    RUN(place_by_ticket, 2, 32, a, b, n);
    RUN(place_by_plain_counter, 2, 32, a, b, n);
    RUN(last_block_sums, 4, 32, a, b, n);
    RUN(last_block_without_fence, 4, 32, a, b, n);
    RUN(neighbour_block, 2, 32, a, b, n);
    RUN(neighbour_thread, 2, 32, a, b, n);
    return end_program(a, b, n);
}
