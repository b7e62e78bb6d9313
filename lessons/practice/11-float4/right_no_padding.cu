#define SIZE 64      // rows and columns of C of a block
#define DEPTH 16     // columns of A, rows of B in a phase
#define WORK 4       // rows and columns of C of a thread
#define PITCH SIZE
#define THREADS (SIZE / WORK * SIZE / WORK)

// Four neighbours in a row, or zeros; cols is a multiple of 4.
__device__ float4 four_at(const float *X, int row, int col,
                          int rows, int cols)
{
    if (row < rows && col < cols)
        return *reinterpret_cast<const float4 *>(&X[row * cols + col]);
    return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
}

__global__ void by_four(const float *A, const float *B, float *C,
                        int M, int N, int K)
{
    __shared__ __align__(16) float As[DEPTH][PITCH];    // As[k][row]
    __shared__ __align__(16) float Bs[DEPTH][SIZE];

    int tid = threadIdx.x;
    int tx = tid % (SIZE / WORK) * WORK;
    int ty = tid / (SIZE / WORK) * WORK;
    int row0 = blockIdx.y * SIZE;
    int col0 = blockIdx.x * SIZE;
    float sums[WORK][WORK] = {};

    int a_row = tid / (DEPTH / 4);
    int a_col = tid % (DEPTH / 4) * 4;
    int b_row = tid / (SIZE / 4);
    int b_col = tid % (SIZE / 4) * 4;

    for (int t = 0; t < K; t += DEPTH) {
        float4 a = four_at(A, row0 + a_row, t + a_col, M, K);
        float4 b = four_at(B, t + b_row, col0 + b_col, K, N);

        As[a_col + 0][a_row] = a.x;
        As[a_col + 1][a_row] = a.y;
        As[a_col + 2][a_row] = a.z;
        As[a_col + 3][a_row] = a.w;
        *reinterpret_cast<float4 *>(&Bs[b_row][b_col]) = b;
        __syncthreads();

        for (int k = 0; k < DEPTH; ++k) {
            float4 a4 = *reinterpret_cast<float4 *>(&As[k][ty]);
            float4 b4 = *reinterpret_cast<float4 *>(&Bs[k][tx]);
            float a[WORK] = { a4.x, a4.y, a4.z, a4.w };
            float b[WORK] = { b4.x, b4.y, b4.z, b4.w };

            for (int i = 0; i < WORK; ++i)
                for (int j = 0; j < WORK; ++j)
                    sums[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < WORK; ++i) {
        int row = row0 + ty + i;
        int col = col0 + tx;

        if (row < M && col < N)
            *reinterpret_cast<float4 *>(&C[row * N + col]) =
                make_float4(sums[i][0], sums[i][1], sums[i][2],
                            sums[i][3]);
    }
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid((N + SIZE - 1) / SIZE, (M + SIZE - 1) / SIZE);

    by_four<<<grid, THREADS>>>(A, B, C, M, N, K);
}
