__global__ void transpose(const float *A, float *B, int M, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < M * N)
        B[i % N * M + i / N] = A[i];
}

void launch(const float *A, float *B, int M, int N)
{
    int blocks = (M * N + 127) / 128;

    transpose<<<blocks, 128>>>(A, B, M, N);
}
