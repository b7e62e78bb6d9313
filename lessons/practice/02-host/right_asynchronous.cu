#include <cstdio>
#include <cstdlib>
#define CUDA_CHECK(call)                                                  \
    do {                                                                  \
        cudaError_t err = call;                                           \
        if (err != cudaSuccess) {                                         \
            fprintf(stderr, "CUDA error at %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err)); \
            return 1;                                                     \
        }                                                                 \
    } while (0)
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    float *ha, *hb, *hc, *da, *db, *dc;
    CUDA_CHECK(cudaMallocHost(&ha, n * sizeof(float)));
    CUDA_CHECK(cudaMallocHost((void **)&hb, n * sizeof(float)));
    CUDA_CHECK(cudaHostAlloc((void **)&hc, n * sizeof(float), cudaHostAllocDefault));
    for (int i = 0; i < n; ++i) { ha[i] = i % 7; hb[i] = i % 5; }
    CUDA_CHECK(cudaMalloc((void **)&da, n * sizeof *da));
    CUDA_CHECK(cudaMalloc((void **)&db, n * sizeof *db));
    CUDA_CHECK(cudaMalloc((void **)&dc, n * sizeof *dc));
    CUDA_CHECK(cudaMemcpyAsync(da, ha, n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpyAsync(db, hb, n * sizeof(float), cudaMemcpyHostToDevice));
    dim3 block(128), grid((n + block.x - 1) / block.x);
    vector_add<<<grid, block>>>(da, db, dc, n);
    CUDA_CHECK(cudaPeekAtLastError());
    CUDA_CHECK(cudaMemcpyAsync(hc, dc, n * sizeof(float), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaDeviceSynchronize());
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += hc[i];
    printf("%g\n", sum);
    CUDA_CHECK(cudaFree(da)); CUDA_CHECK(cudaFree(db)); CUDA_CHECK(cudaFree(dc));
    CUDA_CHECK(cudaFreeHost(ha)); CUDA_CHECK(cudaFreeHost(hb)); CUDA_CHECK(cudaFreeHost(hc));
    return 0;
}
