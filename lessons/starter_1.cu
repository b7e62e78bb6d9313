// starter_1: starter with a second barrier, which lets no warp load the
// next tiles while others still read these.

__global__ void starter_1(const float *A, const float *B, float *C,
                          int M, int N, int K)
{
    __shared__ float As[32][32];
    __shared__ float Bs[32][32];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * 32 + ty;
    int col = blockIdx.x * 32 + tx;
    int first = blockIdx.x * 32;
    float sum = 0.0f;

    for (int t = 0; t < K; t += 32) {
        As[ty][tx] = A[row * K + t + tx];
        Bs[ty][tx] = B[(t + tx) * N + first + ty];
        __syncthreads();

        for (int k = 0; k < 32; ++k)
            sum += As[ty][k] * Bs[tx][k];
        __syncthreads();
    }

    C[row * N + col] = sum;
}
