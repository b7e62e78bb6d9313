// A tiled product by a template, sizes from the command line, several launches.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                    \
    do {                                                               \
        cudaError_t error = (call);                                    \
        if (error != cudaSuccess) {                                    \
            fprintf(stderr, "line %d: %s\n", __LINE__,                 \
                    cudaGetErrorString(error));                        \
            exit(2);                                                   \
        }                                                              \
    } while (0)

template <typename T, int TILE>
__global__ void matmul(const T *A, const T *B, T *C, int M, int N, int K)
{
    __shared__ T As[TILE][TILE], Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    T sum = 0;

    for (int k = 0; k < K; k += TILE) {
        As[threadIdx.y][threadIdx.x] = A[row * K + k + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * N + col];
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += As[threadIdx.y][i] * Bs[i][threadIdx.x];
        __syncthreads();
    }
    C[row * N + col] = sum;
}

namespace scale {
__constant__ float factor;
__device__ int done;
__global__ void all(float *C, int n)
{
    extern __shared__ float part[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    part[threadIdx.x] = i < n ? C[i] : 0;
    __syncthreads();
    if (i < n) {
        C[i] = part[threadIdx.x] * factor;
        atomicAdd(&done, 1);
    }
}
}

int main(int argc, char **argv)
{
    int M = argc > 1 ? atoi(argv[1]) : 64, N = M, K = M;
    std::vector<float> A(M * K), B(K * N), C(M * N);
    float *dA, *dB, *dC, factor = 0.5f;
    int done;

    for (size_t i = 0; i < A.size(); i++)
        A[i] = i % 7, B[i] = i % 5;
    CHECK(cudaMalloc(&dA, A.size() * sizeof(float)));
    CHECK(cudaMalloc(&dB, B.size() * sizeof(float)));
    CHECK(cudaMallocManaged(&dC, C.size() * sizeof(float)));
    CHECK(cudaMemcpy(dA, A.data(), A.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dB, B.data(), B.size() * 4, cudaMemcpyDefault));
    CHECK(cudaMemcpyToSymbol(scale::factor, &factor, sizeof(factor)));
    dim3 block(16, 16), grid(N / block.x, M / block.y);
    for (int i = 0; i < 3; i++)
        matmul<float, 16><<<grid, block>>>(dA, dB, dC, M, N, K);
    CHECK(cudaGetLastError());
    scale::all<<<(M * N + 127) / 128, 128, 128 * sizeof(float)>>>(dC,
                                                                 M * N);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(&done, scale::done, sizeof(done)));
    for (int r = 0; r < M; r++)
        for (int c = 0; c < N; c++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[r * K + k] * B[k * N + c];
            if (dC[r * N + c] != sum * factor) {
                printf("FAIL at %d, %d\n", r, c);
                return 1;
            }
        }
    printf("PASS %d\n", done);
    CHECK(cudaFree(dA));
    CHECK(cudaFree(dB));
    CHECK(cudaFree(dC));
    return 0;
}
