#define ROWS 64      // rows of C of a block
#define COLS 64      // columns of C of a block
#define DEPTH 8      // columns of A, rows of B in a phase
#define SUMS 8       // elements of C of a thread, in one column

__device__ float at(const float *X, int row, int col, int rows, int cols)
{
    return row < rows && col < cols ? X[row * cols + col] : 0.0f;
}

__global__ void column(const float *A, const float *B, float *C,
                       int M, int N, int K)
{
    __shared__ float As[ROWS][DEPTH];
    __shared__ float Bs[DEPTH][COLS];

    int tid = threadIdx.x;
    int tx = tid % COLS;
    int ty = tid / COLS;
    int row0 = blockIdx.y * ROWS;
    int col0 = blockIdx.x * COLS;
    float sums[SUMS] = {};

    for (int t = 0; t < K; t += DEPTH) {
        As[tid / DEPTH][tid % DEPTH] =
            at(A, row0 + tid / DEPTH, t + tid % DEPTH, M, K);
        Bs[ty][tx] = at(B, t + ty, col0 + tx, K, N);
        __syncthreads();

        for (int i = 0; i < SUMS; ++i)
            for (int k = 0; k < DEPTH; ++k)
                sums[i] += As[ty * SUMS + i][k] * Bs[k][tx];
        __syncthreads();
    }

    for (int i = 0; i < SUMS; ++i) {
        int row = row0 + ty * SUMS + i;
        int col = col0 + tx;

        if (row < M && col < N)
            C[row * N + col] = sums[i];
    }
}

void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid((N + COLS - 1) / COLS, (M + ROWS - 1) / ROWS);

    column<<<grid, ROWS * COLS / SUMS>>>(A, B, C, M, N, K);
}
