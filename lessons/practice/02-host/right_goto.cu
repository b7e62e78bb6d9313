#include <stdio.h>
#include <stdlib.h>
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    size_t size = n * sizeof(float);
    float *a = (float *)malloc(size), *b = (float *)malloc(size), *c = (float *)malloc(size);
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    double sum = 0.0;
    cudaError_t err;
    for (int i = 0; i < n; ++i) { a[i] = (float)(i % 7); b[i] = (float)(i % 5); }
    if ((err = cudaMalloc((void **)&d_a, size)) != cudaSuccess) goto error;
    if ((err = cudaMalloc((void **)&d_b, size)) != cudaSuccess) goto error;
    if ((err = cudaMalloc((void **)&d_c, size)) != cudaSuccess) goto error;
    if ((err = cudaMemset(d_c, 0, size)) != cudaSuccess) goto error;
    if ((err = cudaMemcpy(d_a, a, size, cudaMemcpyHostToDevice)) != cudaSuccess) goto error;
    if ((err = cudaMemcpy(d_b, b, size, cudaMemcpyDefault)) != cudaSuccess) goto error;
    vector_add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
    if ((err = cudaGetLastError()) != cudaSuccess) goto error;
    if ((err = cudaDeviceSynchronize()) != cudaSuccess) goto error;
    if ((err = cudaMemcpy(c, d_c, size, cudaMemcpyDeviceToHost)) != cudaSuccess) goto error;
    for (int i = 0; i < n; ++i) sum += c[i];
    printf("%g\n", sum);
    cudaFree(d_a); cudaFree(d_b); cudaFree(d_c);
    free(a); free(b); free(c);
    return 0;
error:
    printf("Error: %s\n", cudaGetErrorString(err));
    cudaFree(d_a); cudaFree(d_b); cudaFree(d_c);
    free(a); free(b); free(c);
    return 1;
}
