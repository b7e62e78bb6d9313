__global__ void row_sums(const float *A, float *sums, int m, int n)
{
    int row = blockIdx.x;
    int lane = threadIdx.x;
    float sum = 0.0f;

    for (int col = lane; col < n; col += 32)
        sum += A[row * n + col];
    for (int by = 16; by > 0; by /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, by);
    if (lane == 0)
        sums[row] = sum;
}

void launch(const float *A, float *sums, int m, int n)
{
    row_sums<<<m, 32>>>(A, sums, m, n);
}
