/* Launches to be timed on a GPU, each with what it works on: products of
 * matrices by rows and by columns, of half; kernels whose second launch does
 * something else; arrays behind structures, pointers and variables. */
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define TILE 16

/* C = A B, or B stored by columns. */
template <typename T, bool COLUMNS>
__global__ void product(const T *A, const T *B, T *C, int M, int N, int K)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;

    if (row >= M || col >= N)
        return;
    for (int k = 0; k < K; ++k)
        sum += (float)A[row * K + k] *
               (float)(COLUMNS ? B[col * K + k] : B[k * N + col]);
    C[row * N + col] = (T)sum;
}

__constant__ float weights[4];
__device__ int launched;

struct vector { float *data; int n; };

/* Launched again, it adds again. */
__global__ void add(vector v, float by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i == 0)
        atomicAdd(&launched, 1);
    if (i < v.n)
        v.data[i] += by * weights[i % 4];
}

/* The rows are arrays of their own. */
__global__ void rows(float *const *row, float *sum, int n)
{
    float s = 0;

    for (int i = 0; i < n; ++i)
        s += row[threadIdx.x][i];
    sum[threadIdx.x] = s;
}

/* Which bin comes where depends on what an array holds. */
__global__ void histogram(const int *bin, unsigned *count, int n)
{
    extern __shared__ unsigned part[];

    part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&part[bin[i]], 1u);
    __syncthreads();
    count[threadIdx.x] = part[threadIdx.x];
}

template <typename T>
static T *device(const T *from, int n)
{
    T *to;

    cudaMalloc(&to, n * sizeof(T));
    cudaMemcpy(to, from, n * sizeof(T), cudaMemcpyHostToDevice);
    return to;
}

template <typename T, bool COLUMNS>
static void multiply(int M, int N, int K)
{
    T *a = new T[M * K], *b = new T[K * N], *c = new T[M * N]();

    for (int i = 0; i < M * K; ++i)
        a[i] = (T)(float)((i * 7 + i / 5) % 13 - 6);
    for (int i = 0; i < K * N; ++i)
        b[i] = (T)(float)((i * 11 + i / 3) % 9 - 4);
    T *A = device(a, M * K), *B = device(b, K * N), *C = device(c, M * N);

    product<T, COLUMNS><<<dim3((N + TILE - 1) / TILE, (M + TILE - 1) / TILE),
                          dim3(TILE, TILE)>>>(A, B, C, M, N, K);
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    delete[] a;
    delete[] b;
    delete[] c;
}

int main()
{
    static const float four[4] = { 1, 2, 3, 4 };
    float numbers[1000], *row[8];
    int bins[5000];

    for (int i = 0; i < 1000; ++i)
        numbers[i] = (float)(i % 17);
    for (int i = 0; i < 5000; ++i)
        bins[i] = i * i % 64;
    multiply<float, false>(96, 80, 48);
    multiply<float, true>(70, 45, 33);
    multiply<half, false>(64, 96, 32);

    cudaMemcpyToSymbol(weights, four, sizeof(four));
    vector v = { device(numbers, 1000), 1000 };
    for (int i = 0; i < 3; ++i)
        add<<<4, 256>>>(v, 0.5f);

    for (int i = 0; i < 8; ++i)
        row[i] = device(numbers + i, 100);
    float **list = device(row, 8), *sum = device(numbers, 8);
    rows<<<1, 8>>>(list, sum, 100);

    int *bin = device(bins, 5000);
    unsigned *count = device((unsigned *)bins, 64);
    histogram<<<1, 64, 64 * sizeof(unsigned)>>>(bin, count, 5000);

    int times = 0;
    cudaMemcpyFromSymbol(&times, launched, sizeof(times));
    printf("%d\n", times);
    cudaFree(v.data);
    for (int i = 0; i < 8; ++i)
        cudaFree(row[i]);
    cudaFree(list);
    cudaFree(sum);
    cudaFree(bin);
    cudaFree(count);
    return 0;
}
