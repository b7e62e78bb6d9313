#define TILE 32
__global__ void __launch_bounds__(256) mm(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float4 As[TILE][TILE / 4], Bs[TILE][TILE / 4];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + 4 * x;
    float4 s = {0, 0, 0, 0};
    for (int t = 0; t < K; t += TILE) {
        As[y][x] = *reinterpret_cast<const float4 *>(A + row * K + t + 4 * x);
        Bs[y][x] = *reinterpret_cast<const float4 *>(B + (t + y) * N + col);
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            float a = reinterpret_cast<float *>(As[y])[k];
            float4 b = Bs[k][x];
            s.x += a * b.x; s.y += a * b.y; s.z += a * b.z; s.w += a * b.w;
        }
        __syncthreads();
    }
    reinterpret_cast<float4 *>(C + row * N)[col / 4] = s;
}
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    mm<<<dim3(N / TILE, M / TILE), dim3(TILE / 4, TILE)>>>(A, B, C, M, N, K);
}
