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
    float *a, *b, *c, *da, *db, *dc;
    cudaStream_t stream;
    double sum = 0.0;

    check(cudaMallocHost(&a, bytes));
    check(cudaMallocHost(&b, bytes));
    check(cudaMallocHost(&c, bytes));
    for (int i = 0; i < n; ++i) {
        a[i] = i % 7;
        b[i] = i % 5;
    }

    check(cudaStreamCreate(&stream));
    check(cudaMalloc(&da, bytes));
    check(cudaMalloc(&db, bytes));
    check(cudaMalloc(&dc, bytes));
    check(cudaMemcpyAsync(da, a, bytes, cudaMemcpyHostToDevice, stream));
    check(cudaMemcpyAsync(db, b, bytes, cudaMemcpyHostToDevice, stream));
    vector_add<<<(n + 255) / 256, 256, 0, stream>>>(da, db, dc, n);
    check(cudaGetLastError());
    check(cudaMemcpyAsync(c, dc, bytes, cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));

    for (int i = 0; i < n; ++i)
        sum += c[i];
    printf("%g\n", sum);

    check(cudaFree(da));
    check(cudaFree(db));
    check(cudaFree(dc));
    check(cudaStreamDestroy(stream));
    check(cudaFreeHost(a));
    check(cudaFreeHost(b));
    check(cudaFreeHost(c));
    return 0;
}
