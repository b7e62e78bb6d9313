// float4_or_one: float4 for any K. Where the rows of A do not begin at
// multiples of 16 bytes, a carrier loads its four floats one by one.
// M and N must be multiples of 64.

__device__ float4 four(const float *from, int pitch, int left)
{
    if (pitch % 4 == 0 && left >= 4)
        return *reinterpret_cast<const float4 *>(from);
    float4 v;
    v.x = left > 0 ? from[0] : 0.0f;
    v.y = left > 1 ? from[1] : 0.0f;
    v.z = left > 2 ? from[2] : 0.0f;
    v.w = left > 3 ? from[3] : 0.0f;
    return v;
}

__global__ void float4_or_one(const float *A, const float *B, float *C,
                              int M, int N, int K)
{
    __shared__ float As[64][16];
    __shared__ float Bs[16][64];

    float accum[4][4] = {};
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row0 = blockIdx.y * 64;
    int col0 = blockIdx.x * 64;
    int tid = ty * 16 + tx;
    int a_row = tid / 4;
    int a_col = tid % 4 * 4;
    int b_row = tid / 16;
    int b_col = tid % 16 * 4;

    for (int t = 0; t < K; t += 16) {
        float4 a = four(&A[(row0 + a_row) * K + t + a_col], K,
                        K - t - a_col);
        float4 b = four(&B[(t + b_row) * N + col0 + b_col], N,
                        t + b_row < K ? 4 : 0);

        As[a_row][a_col + 0] = a.x;
        As[a_row][a_col + 1] = a.y;
        As[a_row][a_col + 2] = a.z;
        As[a_row][a_col + 3] = a.w;
        Bs[b_row][b_col + 0] = b.x;
        Bs[b_row][b_col + 1] = b.y;
        Bs[b_row][b_col + 2] = b.z;
        Bs[b_row][b_col + 3] = b.w;
        __syncthreads();

        for (int k = 0; k < 16; ++k)
            for (int row = 0; row < 4; ++row)
                for (int col = 0; col < 4; ++col)
                    accum[row][col] += As[ty * 4 + row][k] *
                                       Bs[k][tx * 4 + col];
        __syncthreads();
    }

    for (int row = 0; row < 4; ++row)
        for (int col = 0; col < 4; ++col)
            C[(row0 + ty * 4 + row) * N + col0 + tx * 4 + col] =
                accum[row][col];
}
