#define SIZE 64      // rows and columns of C of a block
#define DEPTH 16     // columns of A, rows of B in a phase
#define WORK 4       // rows and columns of C of a thread
#define APART (SIZE / WORK)
#define THREADS (APART * APART)

__device__ float at(const float *X, int row, int col, int rows, int cols)
{
    return row < rows && col < cols ? X[row * cols + col] : 0.0f;
}

__global__ void outer(const float *A, const float *B, float *C,
                      int M, int N, int K)
{
    __shared__ float As[SIZE][DEPTH];
    __shared__ float Bs[DEPTH][SIZE];

    int tid = threadIdx.x;
    int tx = tid % APART;
    int ty = tid / APART;
    int row0 = blockIdx.y * SIZE;
    int col0 = blockIdx.x * SIZE;
    float sums[WORK][WORK] = {};

    for (int t = 0; t < K; t += DEPTH) {
        for (int i = tid; i < SIZE * DEPTH; i += THREADS) {
            As[i / DEPTH][i % DEPTH] =
                at(A, row0 + i / DEPTH, t + i % DEPTH, M, K);
            Bs[i / SIZE][i % SIZE] =
                at(B, t + i / SIZE, col0 + i % SIZE, K, N);
        }
        __syncthreads();

        for (int i = 0; i < WORK; ++i)
            for (int k = 0; k < DEPTH; ++k) {
                float a = As[ty + i * APART][k];

                for (int j = 0; j < WORK; ++j)
                    sums[i][j] += a * Bs[k][tx + j * APART];
            }
        __syncthreads();
    }

    for (int i = 0; i < WORK; ++i)
        for (int j = 0; j < WORK; ++j) {
            int row = row0 + ty + i * APART;
            int col = col0 + tx + j * APART;

            if (row < M && col < N)
                C[row * N + col] = sums[i][j];
        }
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid((N + SIZE - 1) / SIZE, (M + SIZE - 1) / SIZE);

    outer<<<grid, THREADS>>>(A, B, C, M, N, K);
}
