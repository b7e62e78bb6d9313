// sizes: arrays whose sizes are not those of a product, and one of indices.

// y = A x, A of M rows and N columns.
__global__ void gemv(const float *A, const float *x, float *y, int M, int N)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    for (int i = 0; row < M && i < N; i++)
        sum += A[row * N + i] * x[i];
    if (row < M)
        y[row] = sum;
}

__global__ void beyond(const float *A, float *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    y[row] = A[row];
}

// A look-up: index holds elements of the table.
__global__ void embed(const float *table, const int *index, float *out)
{
    out[threadIdx.x] = table[index[threadIdx.x]];
}
