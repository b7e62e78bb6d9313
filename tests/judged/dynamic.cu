// Dynamic shared memory: how a kernel divides it, and how much a launch gives.
#include "judged.h"
#define ARRAYS const float *a, float *b, int n
#undef RUN
#define RUN(kernel, bytes, ...) \
    if (!strcmp(name, #kernel)) kernel<<<1, 32, bytes>>>(__VA_ARGS__)

// One array, of which the kernel makes two.
__global__ void divided_in_two(ARRAYS)
{
    extern __shared__ float s[];
    float *first = s, *second = s + n;
    int t = threadIdx.x;
    first[t] = a[t];
    second[t] = 2 * a[t];
    __syncthreads();
    b[t] = first[31 - t] + second[31 - t];
}
// Two declarations begin at one byte.
__global__ void declared_twice(ARRAYS)
{
    extern __shared__ float first[];
    extern __shared__ float second[];
    int t = threadIdx.x;
    first[t] = a[t];
    second[t] = 2 * a[t];
    __syncthreads();
    b[t] = first[31 - t] + second[31 - t];
}
// The launch gives elements where bytes are meant.
__global__ void elements_for_bytes(ARRAYS)
{
    extern __shared__ float s[];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    b[t] = s[31 - t];
}
__global__ void as_many_bytes_as_used(ARRAYS)
{
    extern __shared__ float s[];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    b[t] = s[31 - t];
}
// Doubles behind an odd number of floats.
__global__ void doubles_at_four_bytes(ARRAYS)
{
    extern __shared__ float s[];
    double *d = reinterpret_cast<double *>(s + 33);
    int t = threadIdx.x;
    s[t] = a[t];
    d[t] = a[t];
    __syncthreads();
    b[t] = s[31 - t] + (float)d[31 - t];
}
__global__ void doubles_first(ARRAYS)
{
    extern __shared__ double d[];
    float *s = reinterpret_cast<float *>(d + 32);
    int t = threadIdx.x;
    s[t] = a[t];
    d[t] = a[t];
    __syncthreads();
    b[t] = s[31 - t] + (float)d[31 - t];
}
// The second part begins where the first one ends, in bytes and not elements.
__global__ void second_part_in_bytes(ARRAYS)
{
    extern __shared__ float s[];
    float *second = s + n * sizeof(float);
    int t = threadIdx.x;
    s[t] = a[t];
    second[t] = 2 * a[t];
    __syncthreads();
    b[t] = s[31 - t] + second[31 - t];
}
// Used again for something else, after a barrier.
__global__ void used_twice(ARRAYS)
{
    extern __shared__ float s[];
    int *counts = reinterpret_cast<int *>(s);
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    float v = s[31 - t];
    __syncthreads();
    counts[t] = t;
    __syncthreads();
    b[t] = v + counts[t ^ 1];
}
__global__ void used_twice_at_once(ARRAYS)
{
    extern __shared__ float s[];
    int *counts = reinterpret_cast<int *>(s);
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    float v = s[31 - t];
    counts[t] = t;
    __syncthreads();
    b[t] = v + counts[t ^ 1];
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const int n = 32;
    float *a = filled_array<float>(n, 1), *b = unset_array<float>(n);
    RUN(divided_in_two, 2 * n * sizeof(float), a, b, n);
    RUN(declared_twice, 2 * n * sizeof(float), a, b, n);
    RUN(elements_for_bytes, n, a, b, n);
    RUN(as_many_bytes_as_used, n * sizeof(float), a, b, n);
    RUN(doubles_at_four_bytes, 33 * sizeof(float) + n * sizeof(double), a, b, n);
    RUN(doubles_first, n * (sizeof(double) + sizeof(float)), a, b, n);
    RUN(second_part_in_bytes, 2 * n * sizeof(float), a, b, n);
    RUN(used_twice, n * sizeof(float), a, b, n);
    RUN(used_twice_at_once, n * sizeof(float), a, b, n);
    return end_program(a, b);
}
