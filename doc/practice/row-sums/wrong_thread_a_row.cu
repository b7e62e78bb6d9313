__global__ void row_sums(const float *A, float *sums, int m, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    if (row < m) {
        for (int col = 0; col < n; ++col)
            sum += A[row * n + col];
        sums[row] = sum;
    }
}

void launch(const float *A, float *sums, int m, int n)
{
    row_sums<<<(m + 31) / 32, 32>>>(A, sums, m, n);
}
