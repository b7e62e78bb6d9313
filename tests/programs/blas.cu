#include <atomic> // cuBLAS, cuRAND, streams, events, memory, attributes
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>

__global__ void product(const float *A, const float *B, float *C, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    for (int k = 0; k < n; k++)
        sum += A[row * n + k] * B[k * n + col];
    C[row * n + col] = sum;
}

__global__ void draw(float *to, unsigned long long seed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState state;

    curand_init(seed, i, 0, &state);
    to[i] = curand_uniform(&state);
}

int main()
{
    const int n = 32;
    const size_t bytes = n * n * sizeof(float);
    float *A, *B, *C, *D, *c, *d, one = 1, zero = 0;
    cudaStream_t stream;
    cudaDeviceProp p;
    size_t pitch;
    void *rows;
    int blocks = 0;

    cudaGetDeviceProperties(&p, 0);
    cudaStreamCreate(&stream);
    cudaMallocAsync(&A, bytes, stream);
    cudaMalloc(&B, bytes);
    cudaMalloc(&C, bytes);
    cudaMalloc(&D, bytes);
    cudaMallocHost(&c, bytes);
    cudaHostAlloc(&d, bytes, cudaHostAllocDefault);
    curandGenerator_t g;
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(g, 42);
    curandGenerateUniform(g, A, n * n);
    draw<<<n, n, 0, stream>>>(B, 7);
    product<<<dim3(2, 2), dim3(16, 16), 0, stream>>>(A, B, C, n);
    cublasHandle_t h;
    cublasCreate(&h);
    // By columns, so that C = A B by rows is B A.
    cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, B, n, A, n, &zero,
                D, n);
    cudaMemcpyAsync(c, C, bytes, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(d, D, bytes, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < n * n; i++)
        if (!(std::fabs(c[i] - d[i]) < 1e-4)) {
            printf("FAIL at %d: %g, %g\n", i, c[i], d[i]);
            return 1;
        }
    cudaMallocPitch(&rows, &pitch, 100, 3);
    cudaMemset2D(rows, pitch, 1, 100, 3);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, product, 256, 0);
    void *arguments[] = { &A, &B, &C, (void *)&n };
    if (cudaLaunchKernel((void *)product, dim3(2, 2), dim3(16, 16), arguments,
                         0, stream))
        return 2;
    printf("PASS sm_%d%d %d blocks, pitch %zu, warp %d\n", p.major, p.minor,
           blocks, pitch, p.warpSize);
    // What a host has of its own: atomics, hints that a CPU has no use for.
    static std::atomic<int> bits(1);
    bits.fetch_or(6);
    int seven = 7;
    cudaStreamAttrValue value = {};
    value.accessPolicyWindow = { A, 64, 1.0f, cudaAccessPropertyPersisting,
                                 cudaAccessPropertyNormal };
    if (!bits.compare_exchange_strong(seven, 8) || bits.exchange(9) != 8 ||
        cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow,
                               &value) ||
        cudaDeviceDisablePeerAccess(1) != cudaErrorInvalidDevice)
        return 3;
    cudaGetLastError();
#ifndef CUBLAS_API_H_
    return 4;
#endif
    // From a later number on.
    curandSetPseudoRandomGeneratorSeed(g, 5);
    curandGenerateUniform(g, A, 512);
    curandSetPseudoRandomGeneratorSeed(g, 5);
    curandSetGeneratorOffset(g, 256);
    curandGenerateUniform(g, B, 256);
    cudaMemcpy(c, A, 512 * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(d, B, 256 * sizeof(float), cudaMemcpyDeviceToHost);
    if (memcmp(c + 256, d, 256 * sizeof(float)) || c[0] == d[0])
        return 5;
    cublasDestroy(h);
    curandDestroyGenerator(g);
    cudaFree(rows);
    cudaFreeAsync(A, stream);
    cudaFree(B);
    cudaFree(C);
    cudaFree(D);
    cudaFreeHost(c);
    cudaFreeHost(d);
    cudaStreamDestroy(stream);
    return 0;
}
