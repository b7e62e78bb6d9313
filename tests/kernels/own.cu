// own: a file as people have them: CUDA's libraries, the standard's, a header
// of one's own, classes and functions for the host, and three kernels.
#include <cstdio>
#include <iostream>
#include <memory>
#include <vector>
#include <cublas_v2.h>
#include "cuda_timer.h"

#define CHECK(call) do { cudaError_t e = call; if (e) exit(1); } while (0)
#define ON_GPU __device__ __forceinline__

class Timer {
public:
    Timer() : begun{0} { cudaEventCreate(&start); }
    static int count;
private:
    float begun;
    void *start;
};

struct Corner {
    int row, col;
    __host__ __device__ Corner(int r, int c) : row{r}, col(c) {}
    bool operator==(const Corner &o) const { return cudaSame(o); }
};

template <class T> T on_host(const std::vector<T> &v)
{
    return cublasSum(v.data(), R"(not a brace: { " )");
}

// Nobody's macro: the name says it all.
ON_GPU float weigh(float x)
{
    return x;
}

namespace tiles {
template <class T, int Tile> __device__ void fill(T (&s)[Tile][Tile],
                                                  const T *g, int pitch)
{
    s[threadIdx.y][threadIdx.x] = g[threadIdx.y * pitch + threadIdx.x];
}
}

template <class T, int Tile>
__global__ void __launch_bounds__(Tile * Tile)
tiled(int M, int N, int K, float alpha, const T *d_A, const T *d_B,
      float beta, T *d_C)
{
    __shared__ T a[Tile][Tile];
    __shared__ T b[Tile][Tile];
    Corner at(blockIdx.y * Tile, blockIdx.x * Tile);
    T sum = 0;

    for (uint k = 0; k < K; k += Tile) {
        tiles::fill(a, d_A + at.row * K + k, K);
        tiles::fill(b, d_B + k * N + at.col, N);
        __syncthreads();
        for (int i = 0; i < Tile; i++)
            sum += a[threadIdx.y][i] * b[i][threadIdx.x];
        __syncthreads();
    }
    T *c = &d_C[(at.row + threadIdx.y) * N + at.col + threadIdx.x];
    *c = alpha * weigh(sum) + beta * *c;
}

// C first, and what libraries for courses call the sizes.
__global__ void course(float *out, const float *x, const float *y,
                       int numARows, int numAColumns, int numBColumns)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    if (row >= numARows || col >= numBColumns)
        return;
    for (int k = 0; k < numAColumns; k++)
        sum += x[row * numAColumns + k] * y[k * numBColumns + col];
    out[row * numBColumns + col] = sum;
}

// Each of the grid's layers adds its part of K.
static __global__ void split(const float *dA, const float *dB, float *dC,
                             int m_ld, int n_ld, int k_ld)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    for (int k = blockIdx.z; k < k_ld; k += gridDim.z)
        sum += dA[row * k_ld + k] * dB[k * n_ld + col];
    atomicAdd(&dC[row * n_ld + col], sum);
}

template void launch<float>(cudaStream_t stream);

template <class T> void launch(cudaStream_t stream)
{
    CHECK(cudaMalloc(&d_C, bytes));
    tiled<T, 16><<<dim3(3, 2), dim3(16, 16), 0, stream>>>(d_A, d_B, d_C);
    split<<<grid, block>>>(d_A, d_B, d_C, M, N, K);
}

#ifdef WRONG
__global__ void wrong(timer_t *C) { C[0] = nothing_known; }
#endif

int main(int argc, char **argv)
{
    Timer t;
    launch<float>(0);
#if 1
    std::cout << "done}" << std::endl; // {
#endif
    return 0;
}

// A fourth array: D is A B, and C is added.
__global__ void added(const float *a, const float *b, const float *c,
                      float *d, int M, int N, int K, float beta)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    for (int k = 0; k < K; k++)
        sum += a[row * K + k] * b[k * N + col];
#ifdef TURNED
    d[col * M + row] = sum;
#else
    d[row * N + col] = sum + beta * c[row * N + col];
#endif
}

// As BLAS has matrices: by columns.
__global__ void columns(int m, int n, int k, const float *A, const float *B,
                        float *C)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;

    for (int p = 0; p < k; p++)
#ifdef WRONG_INDEX
        sum += A[row + p * m] * B[p + (col ^ 1) * k];
#else
        sum += A[row + p * m] * B[p + col * k];
#endif
    C[row + col * m] = sum;
}
