// Accesses of 8 and 16 bytes, and arrays seen as other types.
#include "judged.h"
#define ARRAYS const float *a, float *b, int n

__global__ void four_at_once(ARRAYS)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) reinterpret_cast<float4 *>(b)[i] = reinterpret_cast<const float4 *>(a)[i];
}
// n is no multiple of 4: the last one hangs over.
__global__ void four_over_the_end(ARRAYS)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i * 4 < n) reinterpret_cast<float4 *>(b)[i] = reinterpret_cast<const float4 *>(a)[i];
}
__global__ void four_and_the_rest(ARRAYS)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) reinterpret_cast<float4 *>(b)[i] = reinterpret_cast<const float4 *>(a)[i];
    if (i == 0)
        for (int k = n / 4 * 4; k < n; k++) b[k] = a[k];
}
// An odd offset of floats is no multiple of 16 bytes.
__global__ void four_from_an_odd_offset(ARRAYS)
{
    int i = threadIdx.x;
    if (i < 8) reinterpret_cast<float4 *>(b)[i] = *reinterpret_cast<const float4 *>(a + 2 + 4 * i);
}
// Two floats from an even offset are.
__global__ void two_from_an_even_offset(ARRAYS)
{
    int i = threadIdx.x;
    if (i < 16) reinterpret_cast<float2 *>(b)[i] = *reinterpret_cast<const float2 *>(a + 2 + 2 * i);
}
// Rows of 20 floats are 80 bytes, a multiple of 16.
__global__ void rows_of_twenty(ARRAYS)
{
    __shared__ __align__(16) float s[8][20];
    int t = threadIdx.x;
    for (int k = 0; k < 20; k++)
        if (t < 8) s[t][k] = a[k];
    __syncthreads();
    if (t < 8) *reinterpret_cast<float4 *>(&b[t * 4]) = *reinterpret_cast<float4 *>(&s[t][4]);
}
// Rows of 21 are not.
__global__ void rows_of_twenty_one(ARRAYS)
{
    __shared__ __align__(16) float s[8][21];
    int t = threadIdx.x;
    for (int k = 0; k < 21; k++)
        if (t < 8) s[t][k] = a[k];
    __syncthreads();
    if (t < 8) *reinterpret_cast<float4 *>(&b[t * 4]) = *reinterpret_cast<float4 *>(&s[t][4]);
}
// Bytes of floats, each with its own index.
__global__ void bytes_of_floats(ARRAYS)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * 4) reinterpret_cast<char *>(b)[i] = reinterpret_cast<const char *>(a)[i];
}
// As doubles there are half as many.
__global__ void as_many_doubles(ARRAYS)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) reinterpret_cast<double *>(b)[i] = reinterpret_cast<const double *>(a)[i];
}
__global__ void half_as_many_doubles(ARRAYS)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) reinterpret_cast<double *>(b)[i] = reinterpret_cast<const double *>(a)[i];
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const int n = 102;
    float *a = filled_array<float>(n, 1), *b = unset_array<float>(n);
    RUN(four_at_once, 2, 32, a, b, 100);
    RUN(four_over_the_end, 2, 32, a, b, n);
    RUN(four_and_the_rest, 2, 32, a, b, n);
    RUN(four_from_an_odd_offset, 1, 32, a, b, n);
    RUN(two_from_an_even_offset, 1, 32, a, b, n);
    RUN(rows_of_twenty, 1, 32, a, b, n);
    RUN(rows_of_twenty_one, 1, 32, a, b, n);
    RUN(bytes_of_floats, 13, 32, a, b, n);
    RUN(as_many_doubles, 4, 32, a, b, n);
    RUN(half_as_many_doubles, 2, 32, a, b, n);
    return end_program(a, b);
}
