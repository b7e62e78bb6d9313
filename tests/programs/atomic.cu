// cuda::atomic: what it computes, and what its orders and scopes order.
#include <cstdio>
#include <cuda.h>
#include <cuda/atomic>
#include <cuda/std/atomic>

#ifndef STORE
#define STORE cuda::memory_order_release
#endif
#ifndef LOAD
#define LOAD cuda::memory_order_acquire
#endif
#ifndef SCOPE
#define SCOPE cuda::thread_scope_device
#endif

struct pair { int a, b; };

// Block 0 writes, the others read behind its flag.
__global__ void pass(int *data, cuda::atomic<int, SCOPE> *flag, int *to)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        data[0] = 42;
#ifdef FENCE
        cuda::atomic_thread_fence(cuda::memory_order_release, SCOPE);
#endif
        flag->store(1, STORE);
    } else if (threadIdx.x == 0) {
        while (flag->load(LOAD) == 0)
            ;
#ifdef FENCE
        cuda::atomic_thread_fence(cuda::memory_order_acquire, SCOPE);
#endif
        to[blockIdx.x] = data[0];
    }
}

// The same within a block, by shared memory.
__global__ void within(int *to)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
    __shared__ int data;

    if (threadIdx.x == 0)
        flag.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 32) {
        data = 7;
        flag.store(1, STORE);
        flag.notify_all();
    } else if (threadIdx.x == 0) {
        flag.wait(0, LOAD);
        to[0] = data;
    }
}

// A chain: who finds its number adds to what those before have left.
__global__ void chain(int *sum, int *turn)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> next(*turn);

    if (threadIdx.x)
        return;
    while (next.load(cuda::std::memory_order_acquire) != blockIdx.x)
        ;
    *sum = *sum + blockIdx.x;
    next.fetch_add(1, cuda::std::memory_order_release);
}

__global__ void operations(cuda::atomic<unsigned int> *u,
                           cuda::atomic<float> *f, cuda::std::atomic<int *> *p,
                           cuda::atomic<pair> *two, int *lowest)
{
    unsigned int old = u[0].load(), n = threadIdx.x;

    while (!u[0].compare_exchange_weak(old, old + n))
        ;
    u[1]++;
    u[2] |= 1u << n;
    u[3].fetch_max(n, cuda::memory_order_relaxed);
    f->fetch_add(0.5f);
    p->fetch_add(1);
    cuda::atomic_ref<int>(*lowest).fetch_min((int)n - 9);
    if (n == 5) {
        pair was = two->load(), wrong = { 0, 0 };
        u[4] = two->compare_exchange_strong(wrong, pair { 9, 9 });
        u[5] = wrong.a == 3 && two->exchange(pair { 4, was.b }).a == 3;
    }
}

__device__ cuda::atomic<int, cuda::thread_scope_device> count(5);
__device__ const char *said;

__global__ void more()
{
    count.fetch_sub(1);
    if (threadIdx.x == 0)
        said = "20 of them";
}

static int host(cuda::atomic<int> *x)
{
    int is = 3, got = x->load();
    cuda::std::atomic_flag flag(false);
    volatile cuda::atomic<int> *v = x;

    *x = 3;
    got += v->compare_exchange_strong(is, 8) ? x->load() : 0;
    got += ++*x + (*x)-- + x->exchange(1);
    return got + flag.test_and_set() + flag.test_and_set();
}

int main(void)
{
    int *data, got;
    char text[64];
    const char *at;
    CUdeviceptr from;
    size_t bytes;
    unsigned int *u;
    cuda::atomic<int, SCOPE> *flag;
    cuda::atomic<pair> *two;

    cudaMallocManaged(&data, 16 * sizeof(int));
    cudaMallocManaged(&u, 16 * sizeof(int));
    cudaMalloc(&flag, sizeof(*flag));
    cudaMemset(flag, 0, sizeof(*flag));
    cudaMallocManaged(&two, sizeof(*two));
    pass<<<4, 64>>>(data, flag, data + 4);
    within<<<1, 64>>>(data + 8);
    chain<<<4, 32>>>(data + 9, data + 10);
    cudaDeviceSynchronize();
    *two = pair { 3, 1 };
    operations<<<1, 32>>>((cuda::atomic<unsigned int> *)u,
                          (cuda::atomic<float> *)(u + 6),
                          (cuda::std::atomic<int *> *)(u + 8), two, data + 11);
    cudaDeviceSynchronize();
    printf("%d %d %d, %d, %d\n", data[5], data[6], data[7], data[8], data[9]);
    printf("%u %u %x %u %u %u %g %llu %d %d\n", u[0], u[1], u[2], u[3], u[4],
           u[5], *(float *)(u + 6), *(unsigned long long *)(u + 8), data[11],
           two->load().a);
    more<<<1, 4>>>();
    cudaMemcpyFromSymbol(&got, count, sizeof(int));
    printf("%d %d\n", got, host((cuda::atomic<int> *)(data + 12)));
    // A kernel's own text, whose end the driver knows.
    cudaMemcpyFromSymbol(&at, said, sizeof(at));
    cuMemGetAddressRange(&from, &bytes, (CUdeviceptr)at);
    cudaMemcpy(text, at, bytes < 64 ? bytes : 64, cudaMemcpyDeviceToHost);
    puts(text);
    cudaFree(data);
    cudaFree(u);
    cudaFree(flag);
    cudaFree(two);
    return 0;
}
