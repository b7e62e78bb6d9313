// Kernels of problems other than a product, right and wrong, as readers have
// them: the names of the parameters say little.
#include <cuda_fp16.h>

// B = A transposed, through shared memory.
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[16][17];
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x * 16 + threadIdx.x;

    if (row < rows && col < cols)
        tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
    __syncthreads();
    row = blockIdx.x * 16 + threadIdx.y;
    col = blockIdx.y * 16 + threadIdx.x;
    if (row < cols && col < rows)
#ifdef WRONG
        out[row * rows + col] = tile[threadIdx.y][threadIdx.x];
#else
        out[row * rows + col] = tile[threadIdx.x][threadIdx.y];
#endif
}

// The same under a name that says nothing, the output first.
__global__ void turned(int *y, int *x, int M, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < M && col < N)
#ifdef WRONG
        y[col * M + row] = x[row * N + col] + 1;
#else
        y[col * M + row] = x[row * N + col];
#endif
}

// Each row by one thread.
template <typename T>
__global__ void softmax(const T *x, T *y, int m, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float most = -INFINITY, sum = 0;

    if (row >= m)
        return;
    for (int j = 0; j < n; j++)
        most = fmaxf(most, (float)x[row * n + j]);
    for (int j = 0; j < n; j++)
        sum += expf((float)x[row * n + j] - most);
#ifdef WRONG
    sum += 1;
#endif
    for (int j = 0; j < n; j++)
        y[row * n + j] = (T)(expf((float)x[row * n + j] - most) / sum);
}

// C = A B with sums of halves, which round, and B by columns.
__global__ void halves(const half *A, const half *B, half *C, int M, int N,
                       int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    half sum = half(0);

    for (int k = 0; k < K; k++)
        sum += A[row * K + k] * B[col * K + k];
#ifdef WRONG
    sum += A[row * K] * B[col * K];
#endif
    C[row * N + col] = sum;
}

// C = max(A B, 0).
__global__ void relu(const float *A, const float *B, float *C, int M, int N,
                     int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    for (int k = 0; k < K; k++)
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum > 0 ? sum : 0;
}

// A product whose names leave open what it is.
template <typename T>
__global__ void multiply(T *x, T *y, T *z, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    T sum = 0;

    for (int k = 0; k < n; k++)
#ifdef WRONG
        sum += x[row * n + k] * y[row * n + col];
#else
        sum += x[row * n + k] * y[k * n + col];
#endif
    z[row * n + col] = sum;
}

// Whole numbers whose names say that C is A B.
__global__ void whole(int *A, int *B, int *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;

    for (int k = 0; k < K; k++)
#ifdef WRONG
        sum += A[row * K + k] * B[row * N + col];
#else
        sum += A[row * K + k] * B[k * N + col];
#endif
    C[row * N + col] = sum;
}

// What nobody knows: z = x + y.
__global__ void add(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    C[i] = A[i] + B[i];
}
