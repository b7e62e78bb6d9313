// Addresses of variables: as arguments, in structures, and kept in variables by
// the host and by kernels. An argument is a launch that goes beyond its array.
#include <cuda_runtime.h>
#include <stdio.h>

#define THREADS 32

struct node {
    float *at;
    int more;
};

__device__ float table[2 * THREADS];
__constant__ float few[4] = { 1, 2, 3, 4 };
__device__ float *kept = table;
__device__ node list[2];

__global__ void fill(node n, float x)
{
    n.at[threadIdx.x] = x;
    table[THREADS + threadIdx.x] = n.at[threadIdx.x] + kept[threadIdx.x];
}

__global__ void keep()
{
    if (threadIdx.x == 0) {
        kept = table + 1;
        list[0] = node{ table, 7 };
    }
}

__global__ void add(const float *from, float *to)
{
    to[threadIdx.x] = from[threadIdx.x % 4] + kept[threadIdx.x];
}

__global__ void follow(float *to)
{
    to[threadIdx.x] = list[1].at[threadIdx.x] + list[0].more;
}

__global__ void beyond(float *to)
{
    to[blockIdx.x * THREADS + threadIdx.x] = 0;
}

static bool holds(const float *at, float first, float last)
{
    float got[THREADS];

    cudaMemcpy(got, at, sizeof(got), cudaMemcpyDeviceToHost);
    return got[0] == first && got[THREADS - 1] == last;
}

int main(int argc, char **)
{
    float *variable, *constant, *to;
    bool good;

    cudaGetSymbolAddress((void **)&variable, table);
    cudaGetSymbolAddress((void **)&constant, few);
    cudaMalloc(&to, THREADS * sizeof(*to));
    fill<<<1, THREADS>>>(node{ variable, 0 }, 2.5f);
    good = holds(variable, 2.5f, 2.5f) && holds(variable + THREADS, 5, 5);
    keep<<<1, THREADS>>>();
    add<<<1, THREADS>>>(constant, to);
    good = good && holds(to, 3.5f, 9);

    node second = { variable + THREADS, 0 };
    cudaMemcpyToSymbol(list, &second, sizeof(second), sizeof(second));
    follow<<<1, THREADS>>>(to);
    good = good && holds(to, 12, 12);
    if (argc > 1)
        beyond<<<3, THREADS>>>(variable);
    printf("%d %s\n", cudaDeviceSynchronize(), good ? "PASS" : "FAIL");
    cudaFree(to);
}
