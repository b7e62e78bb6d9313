__global__ void transpose(const float *__restrict__ in, float *__restrict__ out, const int rows, const int cols)
{
    for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < rows; r += gridDim.y * blockDim.y)
        for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < cols; c += gridDim.x * blockDim.x)
            out[c * rows + r] = in[r * cols + c];
}
void launch(const float *A, float *B, int M, int N)
{
    const dim3 threads{16, 16, 1};
    const dim3 blocks(2, 2);
    transpose<<<blocks, threads>>>(A, B, M, N);
}
