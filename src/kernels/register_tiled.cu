// register_tiled: a thread computes 4 x 4 neighbouring elements of C.
//
// Idea: a block of 8 x 8 threads works on a 32 x 32 tile of C. In each
// phase a thread brings 4 x 4 elements of A's tile and of B's to shared
// memory, B's transposed. Then it reads 4 elements of As and 4 of Bs
// into registers, and their outer product gives 16 multiply-adds for 8
// reads; in `tiled` 16 multiply-adds take 32 reads. Nevertheless it is
// slower: neighbouring lanes stand 4 elements apart, so each sector of
// A and B is asked for four times, once for each j, and in As and Bs
// many lanes fall in the same bank. `register_tiled_fast` keeps the
// idea and gives the elements to the threads in another way.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense.
// Any M, N, K: what lies outside A or B is loaded as zero, and every
// thread reaches both barriers. The launcher has nothing to check.

#define TILE 32    // rows and columns of C a block computes
#define WORK 4     // rows and columns of C a thread computes

__global__ void register_tiled(const float *A, const float *B, float *C,
                               int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    float accum[WORK][WORK] = {};
    float reg_A[WORK];
    float reg_B[WORK];

    int tx = threadIdx.x * WORK;
    int ty = threadIdx.y * WORK;
    int row0 = blockIdx.y * TILE;
    int col0 = blockIdx.x * TILE;

    for (int t = 0; t < K; t += TILE) {
        for (int i = ty; i < ty + WORK; ++i) {
            for (int j = tx; j < tx + WORK; ++j) {
                if (row0 + i < M && t + j < K)
                    As[i][j] = A[(row0 + i) * K + t + j];
                else
                    As[i][j] = 0.0f;
                if (t + i < K && col0 + j < N)
                    Bs[j][i] = B[(t + i) * N + col0 + j];
                else
                    Bs[j][i] = 0.0f;
            }
        }
        __syncthreads();

        for (int k = 0; k < TILE; ++k) {
            for (int i = 0; i < WORK; ++i) {
                reg_A[i] = As[ty + i][k];
                reg_B[i] = Bs[tx + i][k];
            }
            for (int row = 0; row < WORK; ++row)
                for (int col = 0; col < WORK; ++col)
                    accum[row][col] += reg_A[row] * reg_B[col];
        }
        __syncthreads();
    }

    for (int i = 0; i < WORK; ++i) {
        for (int j = 0; j < WORK; ++j) {
            int row = row0 + ty + i;
            int col = col0 + tx + j;

            if (row < M && col < N)
                C[row * N + col] = accum[i][j];
        }
    }
}
