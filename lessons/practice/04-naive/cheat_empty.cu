__global__ void naive(const float *A, const float *B, float *C,
                      int M, int N, int K)
{
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 block(16, 16);
    dim3 grid((N + 15) / 16, (M + 15) / 16);

    naive<<<grid, block>>>(A, B, C, M, N, K);
}
