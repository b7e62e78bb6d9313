// starter: a tiled kernel as one might write it, with three faults. The
// lesson your-kernel finds and mends them, one after the other:
// starter_1.cu, starter_2.cu and starter_3.cu.
//
// B's tile is stored with rows and columns exchanged, so that a thread
// finds its column of B in a row of Bs. M, N and K are multiples of 32.

__global__ void starter(const float *A, const float *B, float *C,
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
    }

    C[row * N + col] = sum;
}
