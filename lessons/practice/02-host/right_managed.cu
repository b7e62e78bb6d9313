#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

// Ends the program with status 1 and the reason, if a call failed.
static void check(cudaError_t e)
{
    if (e == cudaSuccess)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(e));
    exit(1);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    size_t bytes = n * sizeof(float);
    float *a, *b, *c;
    double sum = 0.0;

    check(cudaMallocManaged(&a, bytes));
    check(cudaMallocManaged(&b, bytes));
    check(cudaMallocManaged(&c, bytes));
    for (int i = 0; i < n; ++i) {
        a[i] = i % 7;
        b[i] = i % 5;
    }

    vector_add<<<(n + 255) / 256, 256>>>(a, b, c, n);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());

    for (int i = 0; i < n; ++i)
        sum += c[i];
    printf("%g\n", sum);

    check(cudaFree(a));
    check(cudaFree(b));
    check(cudaFree(c));
    return 0;
}
