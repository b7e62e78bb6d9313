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
    for (auto &p : d) TRY(cudaMalloc(&p, n * sizeof(float)));
    TRY(cudaMemcpy(d[0], a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(d[1], b.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    vector_add<<<(n + 255) / 256, 256>>>(d[0], d[1], d[2], n);
    TRY(cudaMemcpy(c.data(), d[2], n * sizeof(float), cudaMemcpyDeviceToHost));
    for (auto p : d) TRY(cudaFree(p));
    for (int i = 0; i < n; ++i) sum += c[i];
    printf("%g\n", sum);
    return 0;
}
