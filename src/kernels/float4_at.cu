// float4_at: `float4` that reads shared memory four at a time as well.
//
// Idea: a worker needs 4 elements of a column of A's tile. Kept as it
// is, they lie in 4 rows; kept transposed they lie side by side, and
// one 16-byte read brings all of them, as one brings the 4 of B's. The
// stores turn the tile: a carrier's 4 elements go to 4 rows of As. So
// that a warp's do not meet in a bank, two carriers share a row of A
// (32 bytes, a whole sector), 16 such pairs stand below each other, and
// PAD puts the rows of As 4 words further apart: the second of each
// pair then writes 16 banks beside the first.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense.
// The launcher checks that M and N are multiples of 64 and K of 16, and
// that A, B and C are aligned to 16 bytes, and refuses the launch in
// words otherwise: there are no edges here, and a float4 that is not
// aligned stops the kernel.

#define TILE 64    // rows and columns of C a block computes
#define DEPTH 16   // columns of A and rows of B in one phase
#define WORK 4     // rows and columns of C a thread computes
#define PAD 4      // words at a row's end that nobody uses

__global__ void float4_at(const float *A, const float *B, float *C,
                          int M, int N, int K)
{
    __shared__ __align__(16) float As[DEPTH][TILE + PAD];
    __shared__ __align__(16) float Bs[DEPTH][TILE];

    float accum[WORK][WORK] = {};

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row0 = blockIdx.y * TILE;
    int col0 = blockIdx.x * TILE;

    // As a carrier: where this thread's two float4 are in their tiles.
    int tid = ty * (TILE / WORK) + tx;
    int a_row = tid / 2 % TILE;
    int a_col = (tid % 2 + tid / (2 * TILE) * 2) * 4;
    int b_row = tid / (TILE / 4);
    int b_col = tid % (TILE / 4) * 4;

    for (int t = 0; t < K; t += DEPTH) {
        const float *from_A = &A[(row0 + a_row) * K + t + a_col];
        const float *from_B = &B[(t + b_row) * N + col0 + b_col];
        float4 a = *reinterpret_cast<const float4 *>(from_A);
        float4 b = *reinterpret_cast<const float4 *>(from_B);

        As[a_col + 0][a_row] = a.x;
        As[a_col + 1][a_row] = a.y;
        As[a_col + 2][a_row] = a.z;
        As[a_col + 3][a_row] = a.w;
        *reinterpret_cast<float4 *>(&Bs[b_row][b_col]) = b;
        __syncthreads();

        // As a worker: 4 x 4 elements of C, starting at (ty, tx) * 4.
        for (int k = 0; k < DEPTH; ++k) {
            float4 u = *reinterpret_cast<float4 *>(&As[k][ty * WORK]);
            float4 v = *reinterpret_cast<float4 *>(&Bs[k][tx * WORK]);
            float reg_A[WORK] = { u.x, u.y, u.z, u.w };
            float reg_B[WORK] = { v.x, v.y, v.z, v.w };

            for (int row = 0; row < WORK; ++row)
                for (int col = 0; col < WORK; ++col)
                    accum[row][col] += reg_A[row] * reg_B[col];
        }
        __syncthreads();
    }

    for (int i = 0; i < WORK; ++i) {
        int row = row0 + ty * WORK + i;
        int col = col0 + tx * WORK;
        float4 c = make_float4(accum[i][0], accum[i][1],
                               accum[i][2], accum[i][3]);

        *reinterpret_cast<float4 *>(&C[row * N + col]) = c;
    }
}
