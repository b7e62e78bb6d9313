__global__ void transpose(const float *A, float *B, int M, int N)
{
    __shared__ float tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    int tilesX = (N + 31) / 32, tiles = tilesX * ((M + 31) / 32);
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        int r = t / tilesX * 32, c = t % tilesX * 32;
        if (r + ty < M && c + tx < N) tile[ty][tx] = A[(r + ty) * N + c + tx];
        __syncthreads();
        if (c + ty < N && r + tx < M) B[(c + ty) * M + r + tx] = tile[tx][ty];
        __syncthreads();
    }
}
void launch(const float *A, float *B, int M, int N)
{
    transpose<<<2, dim3(32, 32)>>>(A, B, M, N);
}
