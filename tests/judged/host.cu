// The host's part: sizes, streams, and whose memory it is.
#include "judged.h"

__global__ void add(float *a, const float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += b[i];
}

// Each test returns after it has freed what it made.
static void sizes_in_bytes(int n)
{
    std::vector<float> h(n, 1);
    float *a = unset_array<float>(n), *b = filled_array<float>(n, 2);
    CHECK(cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    add<<<(n + 63) / 64, 64>>>(a, b, n);
    end_program(a, b);
}
static void sizes_in_elements(int n)
{
    std::vector<float> h(n, 1);
    float *a = unset_array<float>(n), *b = filled_array<float>(n, 2);
    CHECK(cudaMemcpy(a, h.data(), n, cudaMemcpyHostToDevice));
    add<<<(n + 63) / 64, 64>>>(a, b, n);
    end_program(a, b);
}
static void allocated_in_elements(int n)
{
    float *a, *b = filled_array<float>(n, 2);
    CHECK(cudaMalloc(&a, n));
    CHECK(cudaMemset(a, 0, n));
    add<<<(n + 63) / 64, 64>>>(a, b, n);
    end_program(a, b);
}
// Two streams, and an event between them.
static void two_streams_and_an_event(int n)
{
    float *a = filled_array<float>(n, 1), *b = filled_array<float>(n, 2);
    cudaStream_t first, second;
    cudaEvent_t done;
    CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&done));
    add<<<(n + 63) / 64, 64, 0, first>>>(a, b, n);
    CHECK(cudaEventRecord(done, first));
    CHECK(cudaStreamWaitEvent(second, done, 0));
    add<<<(n + 63) / 64, 64, 0, second>>>(a, b, n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventDestroy(done));
    CHECK(cudaStreamDestroy(first));
    CHECK(cudaStreamDestroy(second));
    end_program(a, b);
}
static void two_streams(int n)
{
    float *a = filled_array<float>(n, 1), *b = filled_array<float>(n, 2);
    cudaStream_t first, second;
    CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    add<<<(n + 63) / 64, 64, 0, first>>>(a, b, n);
    add<<<(n + 63) / 64, 64, 0, second>>>(a, b, n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamDestroy(first));
    CHECK(cudaStreamDestroy(second));
    end_program(a, b);
}
// The host's array is the device's, too; it waits before it reads.
static void managed_and_awaited(int n)
{
    float *a, *b = filled_array<float>(n, 2);
    CHECK(cudaMallocManaged(&a, n * sizeof(float)));
    for (int i = 0; i < n; i++) a[i] = 1;
    add<<<(n + 63) / 64, 64>>>(a, b, n);
    CHECK(cudaDeviceSynchronize());
    printf("%g\n", a[0]);
    end_program(a, b);
}
static void managed_not_awaited(int n)
{
    float *a, *b = filled_array<float>(n, 2);
    CHECK(cudaMallocManaged(&a, n * sizeof(float)));
    for (int i = 0; i < n; i++) a[i] = 1;
    add<<<(n + 63) / 64, 64>>>(a, b, n);
    printf("%g\n", a[0]);
    end_program(a, b);
}
// The kernel has the host's pointer.
static void host_pointer(int n)
{
    std::vector<float> h(n, 1);
    float *b = filled_array<float>(n, 2);
    add<<<(n + 63) / 64, 64>>>(h.data(), b, n);
    end_program(b);
}
// In pinned memory a kernel may work on the host's array.
static void pinned_pointer(int n)
{
    float *a, *b = filled_array<float>(n, 2);
    CHECK(cudaMallocHost(&a, n * sizeof(float)));
    for (int i = 0; i < n; i++) a[i] = 1;
    add<<<(n + 63) / 64, 64>>>(a, b, n);
    CHECK(cudaDeviceSynchronize());
    printf("%g\n", a[0]);
    CHECK(cudaFreeHost(a));
    end_program(b);
}
// One block has 1024 threads at most; nothing runs.
static void too_many_threads(int n)
{
    float *a = filled_array<float>(n, 1), *b = filled_array<float>(n, 2);
    add<<<1, 2048>>>(a, b, n);
    end_program(a, b);
}
static void as_many_threads_as_may_be(int n)
{
    float *a = filled_array<float>(n, 1), *b = filled_array<float>(n, 2);
    add<<<1, 1024>>>(a, b, n);
    end_program(a, b);
}
// Freed by the time it is used.
static void used_after_free(int n)
{
    float *a = filled_array<float>(n, 1), *b = filled_array<float>(n, 2);
    CHECK(cudaFree(a));
    add<<<(n + 63) / 64, 64>>>(a, b, n);
    end_program(b);
}

#undef RUN
#define RUN(test, size) if (!strcmp(name, #test)) test(size)
int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    RUN(sizes_in_bytes, 100);
    RUN(sizes_in_elements, 100);
    RUN(allocated_in_elements, 1000);
    RUN(two_streams_and_an_event, 100);
    RUN(two_streams, 100);
    RUN(managed_and_awaited, 100);
    RUN(managed_not_awaited, 100);
    RUN(host_pointer, 100);
    RUN(pinned_pointer, 100);
    RUN(too_many_threads, 100);
    RUN(as_many_threads_as_may_be, 100);
    RUN(used_after_free, 100);
    return 0;
}
