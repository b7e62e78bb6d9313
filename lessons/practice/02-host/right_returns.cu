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
    float *da, *db, *dc;
    cudaError_t e;

    for (int i = 0; i < n; ++i) {
        a[i] = i % 7;
        b[i] = i % 5;
    }

    if ((e = cudaMalloc(&da, bytes)) != cudaSuccess ||
        (e = cudaMalloc(&db, bytes)) != cudaSuccess ||
        (e = cudaMalloc(&dc, bytes)) != cudaSuccess ||
        (e = cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice)) !=
            cudaSuccess ||
        (e = cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice)) !=
            cudaSuccess) {
        printf("%s\n", cudaGetErrorString(e));
        return 1;
    }
    vector_add<<<(n + 127) / 128, 128>>>(da, db, dc, n);
    if ((e = cudaGetLastError()) != cudaSuccess ||
        (e = cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost)) !=
            cudaSuccess) {
        printf("%s\n", cudaGetErrorString(e));
        return 1;
    }
    for (int i = 0; i < n; ++i)
        sum += c[i];
    printf("%g\n", sum);

    if ((e = cudaFree(da)) != cudaSuccess ||
        (e = cudaFree(db)) != cudaSuccess ||
        (e = cudaFree(dc)) != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(e));
        return 1;
    }
    return 0;
}
