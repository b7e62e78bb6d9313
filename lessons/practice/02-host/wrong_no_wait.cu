#include <cstdio>
#include <cstdlib>
#define TRY(x) if (cudaError_t e = (x)) { fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e)); return 1; }
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    float *a, *b, *c;
    double sum = 0.0;
    TRY(cudaMallocManaged(&a, n * sizeof(float)));
    TRY(cudaMallocManaged(&b, n * sizeof(float)));
    TRY(cudaMallocManaged(&c, n * sizeof(float)));
    for (int i = 0; i < n; ++i) { a[i] = i % 7; b[i] = i % 5; }
    vector_add<<<(n + 255) / 256, 256>>>(a, b, c, n);
    TRY(cudaGetLastError());
    for (int i = 0; i < n; ++i) sum += c[i];
    printf("%g\n", sum);
    TRY(cudaFree(a)); TRY(cudaFree(b)); TRY(cudaFree(c));
    return 0;
}
