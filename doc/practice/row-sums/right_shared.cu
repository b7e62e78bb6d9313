__global__ void row_sums(const float *A, float *sums, int m, int n)
{
    __shared__ float parts[64];

    int row = blockIdx.x;
    float sum = 0.0f;

    for (int col = threadIdx.x; col < n; col += 64)
        sum += A[row * n + col];
    parts[threadIdx.x] = sum;
    for (int half = 32; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            parts[threadIdx.x] += parts[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        sums[row] = parts[0];
}

void launch(const float *A, float *sums, int m, int n)
{
    row_sums<<<m, 64>>>(A, sums, m, n);
}
