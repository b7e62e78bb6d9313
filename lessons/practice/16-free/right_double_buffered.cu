#define SIZE 128     // rows and columns of C of a block
#define DEPTH 8      // columns of A, rows of B in a phase
#define WORK 8       // rows and columns of C of a thread
#define PITCH (SIZE + 4)
#define HALF (SIZE / 2)
#define THREADS (SIZE / WORK * SIZE / WORK)

// Four neighbours in a row, or zeros; cols is a multiple of 4.
__device__ float4 four_at(const float *X, int row, int col,
                          int rows, int cols)
{
    if (row < rows && col < cols)
        return *reinterpret_cast<const float4 *>(&X[row * cols + col]);
    return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
}

__global__ void product(const float *A, const float *B, float *C,
                        int M, int N, int K)
{
    __shared__ __align__(16) float As[2][DEPTH][PITCH];    // As[k][row]
    __shared__ __align__(16) float Bs[2][DEPTH][SIZE];

    int tid = threadIdx.x;
    int tx = tid % (SIZE / WORK) * 4;
    int ty = tid / (SIZE / WORK) * 4;
    int row0 = blockIdx.y * SIZE;
    int col0 = blockIdx.x * SIZE;
    float sums[WORK][WORK] = {};

    int a_row = tid / (DEPTH / 4);
    int a_col = tid % (DEPTH / 4) * 4;
    int b_row = tid / (SIZE / 4);
    int b_col = tid % (SIZE / 4) * 4;

    for (int t = 0, now = 0; t < K; t += DEPTH, now ^= 1) {
        float4 a = four_at(A, row0 + a_row, t + a_col, M, K);
        float4 b = four_at(B, t + b_row, col0 + b_col, K, N);

        As[now][a_col + 0][a_row] = a.x;
        As[now][a_col + 1][a_row] = a.y;
        As[now][a_col + 2][a_row] = a.z;
        As[now][a_col + 3][a_row] = a.w;
        *reinterpret_cast<float4 *>(&Bs[now][b_row][b_col]) = b;
        __syncthreads();

        for (int k = 0; k < DEPTH; ++k) {
            __align__(16) float a[WORK], b[WORK];

            for (int i = 0; i < WORK; i += 4) {
                int half = i / 4 * HALF;

                *reinterpret_cast<float4 *>(&a[i]) =
                    *reinterpret_cast<float4 *>(&As[now][k][ty + half]);
                *reinterpret_cast<float4 *>(&b[i]) =
                    *reinterpret_cast<float4 *>(&Bs[now][k][tx + half]);
            }
            for (int i = 0; i < WORK; ++i)
                for (int j = 0; j < WORK; ++j)
                    sums[i][j] += a[i] * b[j];
        }
    }

    for (int i = 0; i < WORK; ++i)
        for (int j = 0; j < WORK; j += 4) {
            int row = row0 + ty + i / 4 * HALF + i % 4;
            int col = col0 + tx + j / 4 * HALF;

            if (row < M && col < N)
                *reinterpret_cast<float4 *>(&C[row * N + col]) =
                    make_float4(sums[i][j], sums[i][j + 1],
                                sums[i][j + 2], sums[i][j + 3]);
        }
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid((N + SIZE - 1) / SIZE, (M + SIZE - 1) / SIZE);

    product<<<grid, THREADS>>>(A, B, C, M, N, K);
}
