// assumed: what right kernels access of arrays whose sizes nobody says.

// The halo is before in[0] and behind in[N - 1]; main() passes in + 2.
__global__ void stencil(const float *in, float *out)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    for (int i = -2; i <= 2; i++)
        sum += in[at + i];
    out[at] = sum;
}

// Row `row` of a sparse matrix has the elements from start[row] on.
__global__ void spmv(const int *start, const int *column, float *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    for (int i = start[row]; i < start[row + 1]; i++)
        sum += (float)column[column[i]];
    y[row] = sum;
}

__global__ void bins(const int *data, int *count)
{
    __shared__ int bin[8];

    if (threadIdx.x < 8)
        bin[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bin[data[threadIdx.x]], 1);
    __syncthreads();
    if (threadIdx.x < 8)
        count[threadIdx.x] = bin[threadIdx.x];
}

// Nothing is as large as this.
__global__ void far(const float *in, float *out)
{
    out[threadIdx.x] = in[((long)threadIdx.x + 1) << 30];
}

// Five arrays, of which one is written: y = A x, A sparse.
__global__ void csr(const int *ptr, const int *col, const float *val,
                    const float *x, float *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    for (int i = ptr[row]; i < ptr[row + 1]; i++)
        sum += val[i] * x[col[i]];
    y[row] = sum;
}
