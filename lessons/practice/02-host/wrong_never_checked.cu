#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
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

    cudaMalloc(&da, bytes);
    cudaMalloc(&db, bytes);
    cudaMalloc(&dc, bytes);
    cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice);

    vector_add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
    cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost);

    for (int i = 0; i < n; ++i)
        sum += c[i];
    printf("%g\n", sum);

    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    return 0;
}
