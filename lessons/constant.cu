// A polynomial of each element of A, and a weight for each: both take
// numbers from constant memory, which all threads may read and none
// may write. The host fills it with cudaMemcpyToSymbol().

__constant__ float weights[8];

// All lanes want the same weight at the same time.
__global__ void polynomial(const float *A, float *C, int M, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < M * N) {
        float x = __ldg(&A[i]);
        float sum = 0.0f;

        for (int k = 0; k < 8; ++k)
            sum = sum * x + weights[k];
        C[i] = sum;
    }
}

// Eight lanes after each other want eight weights.
__global__ void by_column(const float *A, float *C, int M, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < M * N)
        C[i] = __ldg(&A[i]) * weights[i % 8];
}
