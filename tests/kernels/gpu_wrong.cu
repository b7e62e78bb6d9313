// Leaves out the last product of one element in a hundred.
__global__ void wrong(const float *A, const float *B, float *C,
                      int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int depth = (row * N + col) % 100 == 0 ? K - 1 : K;
    float sum = 0.0f;

    for (int k = 0; k < depth; ++k)
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
