#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
#define TRY(x) if (cudaError_t e = (x)) { fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e)); return 1; }
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    std::vector<float> a(n), b(n), c(n);
    double sum = 0.0;
    for (int i = 0; i < n; ++i) { a[i] = i % 7; b[i] = i % 5; }
    float *d[3];
    cudaStream_t s;
    TRY(cudaStreamCreate(&s));
    for (auto &p : d) TRY(cudaMallocAsync(&p, n * sizeof(float), s));
    TRY(cudaMemcpyAsync(d[0], a.data(), n * sizeof(float), cudaMemcpyHostToDevice, s));
    TRY(cudaMemcpyAsync(d[1], b.data(), n * sizeof(float), cudaMemcpyHostToDevice, s));
    vector_add<<<(n + 255) / 256, 256, 0, s>>>(d[0], d[1], d[2], n);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(c.data(), d[2], n * sizeof(float), cudaMemcpyDeviceToHost, s));
    for (auto p : d) TRY(cudaFreeAsync(p, s));
    TRY(cudaStreamSynchronize(s));
    TRY(cudaStreamDestroy(s));
    for (int i = 0; i < n; ++i) sum += c[i];
    printf("%g\n", sum);
    return 0;
}
