// register_tiled_fast: a thread computes 4 x 4 elements, 16 apart.
//
// Idea: as in `register_tiled` a thread computes 16 elements of C, but
// not 16 neighbours. Its columns are tx, tx + 16, tx + 32 and tx + 48,
// so neighbouring lanes always stand on neighbouring words: what a warp
// reads of Bs is in different banks, what it reads of As is one word
// for 16 lanes, and its stores to C fill whole sectors. B is not
// transposed: a row of it is what the lanes want. The threads bring the
// tiles in the order of their elements, one row after the other. And
// the tile is 64 x 64, so an element is used 64 times, not 32.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense.
// Any M, N, K: what lies outside A or B is loaded as zero, and every
// thread reaches both barriers. The launcher has nothing to check.

#define TILE 64    // rows and columns of C a block computes
#define DEPTH 16   // columns of A and rows of B in one phase
#define SIDE 16    // rows and columns of threads in a block
#define WORK 4     // rows and columns of C a thread computes

__global__ void register_tiled_fast(const float *A, const float *B,
                                    float *C, int M, int N, int K)
{
    __shared__ float As[TILE][DEPTH];
    __shared__ float Bs[DEPTH][TILE];

    float accum[WORK][WORK] = {};
    float reg_A[WORK];
    float reg_B[WORK];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int tid = ty * SIDE + tx;
    int row0 = blockIdx.y * TILE;
    int col0 = blockIdx.x * TILE;

    for (int t = 0; t < K; t += DEPTH) {
        for (int i = tid; i < TILE * DEPTH; i += SIDE * SIDE) {
            int row = i / DEPTH;
            int col = i % DEPTH;

            if (row0 + row < M && t + col < K)
                As[row][col] = A[(row0 + row) * K + t + col];
            else
                As[row][col] = 0.0f;
        }
        for (int i = tid; i < DEPTH * TILE; i += SIDE * SIDE) {
            int row = i / TILE;
            int col = i % TILE;

            if (t + row < K && col0 + col < N)
                Bs[row][col] = B[(t + row) * N + col0 + col];
            else
                Bs[row][col] = 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < DEPTH; ++k) {
            for (int i = 0; i < WORK; ++i) {
                reg_A[i] = As[ty + i * SIDE][k];
                reg_B[i] = Bs[k][tx + i * SIDE];
            }
            for (int row = 0; row < WORK; ++row)
                for (int col = 0; col < WORK; ++col)
                    accum[row][col] += reg_A[row] * reg_B[col];
        }
        __syncthreads();
    }

    for (int i = 0; i < WORK; ++i) {
        for (int j = 0; j < WORK; ++j) {
            int row = row0 + ty + i * SIDE;
            int col = col0 + tx + j * SIDE;

            if (row < M && col < N)
                C[row * N + col] = accum[i][j];
        }
    }
}
