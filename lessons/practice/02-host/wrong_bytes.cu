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
    std::vector<float> a(n), b(n), c(n);
    double sum = 0.0;

    for (int i = 0; i < n; ++i) {
        a[i] = i % 7;
        b[i] = i % 5;
    }

    float *da, *db, *dc;

    check(cudaMalloc(&da, bytes));
    check(cudaMalloc(&db, bytes));
    check(cudaMalloc(&dc, n));
    check(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
    check(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));

    vector_add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
    check(cudaGetLastError());
    check(cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost));

    for (int i = 0; i < n; ++i)
        sum += c[i];
    printf("%g\n", sum);

    check(cudaFree(da));
    check(cudaFree(db));
    check(cudaFree(dc));
    return 0;
}
