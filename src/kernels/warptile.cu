// warptile: a thread computes 8 x 8 of C, and a warp a tile of its own.
//
// Idea: of what float4 does per k, 8 reads for 16 multiply-adds, the reads
// are the dear part. With 8 x 8 sums a thread needs 16 for 64. Its rows and
// columns are not 8 neighbours but twice 4, so that the lanes of a warp
// together read 32 neighbours at once, 16 bytes each: no two of them meet in
// a bank. A warp covers 64 x 32 of C, a block of four warps 64 x 128.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense. The
// launcher checks that M is a multiple of 64, N of 128 and K of 16, and that
// A, B and C are aligned to 16 bytes, and refuses the launch in words
// otherwise.

#define BM 64       // rows and columns of C a block computes
#define BN 128
#define BK 16       // columns of A and rows of B in a tile
#define WORK 8      // rows and columns of C a thread computes
#define WN 32       // columns of C a warp computes
#define THREADS 128
#define PAD 8       // words behind four rows of As

__global__ void __launch_bounds__(THREADS)
warptile(const float *A, const float *B, float *C, int M, int N, int K)
{
    // As is transposed; PAD lets the lanes that store neighbouring columns
    // of A, four rows of As further, do so in other banks.
    __shared__ __align__(16) float As[BK / 4][4 * BM + PAD];
    __shared__ __align__(16) float Bs[BK][BN];

    float a[WORK];
    float b[WORK];
    float c[WORK][WORK] = {};

    int row0 = blockIdx.y * BM;
    int col0 = blockIdx.x * BN;

    // As a carrier: the first of this thread's float4s of each tile.
    int tid = threadIdx.x;
    int a_row = tid / (BK / 4);
    int a_col = tid % (BK / 4) * 4;
    int b_row = tid / (BN / 4);
    int b_col = tid % (BN / 4) * 4;

    // As a worker: lanes stand 8 x 4 in the warp's tile, those whose numbers
    // differ in bit 0 beside each other and those that differ in bit 1 below
    // each other. Each phase of a read, 8 lanes, then has a neighbour that
    // asks for the same, and two are served at once.
    int lane = tid % 32;
    int lane_row = ((lane >> 1 & 1) | (lane >> 2 & 6)) * 4;
    int lane_col = ((lane & 1) | (lane >> 1 & 2)) * 4;
    int warp_col = tid / 32 * WN;

    for (int t = 0; t < K; t += BK) {
        for (int i = 0; i < BM; i += THREADS / (BK / 4)) {
            const float *from = &A[(row0 + a_row + i) * K + t + a_col];
            float4 v = *reinterpret_cast<const float4 *>(from);
            float *to = &As[a_col / 4][a_row + i];

            to[0 * BM] = v.x;
            to[1 * BM] = v.y;
            to[2 * BM] = v.z;
            to[3 * BM] = v.w;
        }
        for (int i = 0; i < BK; i += THREADS / (BN / 4)) {
            const float *from = &B[(t + b_row + i) * N + col0 + b_col];

            *reinterpret_cast<float4 *>(&Bs[b_row + i][b_col]) =
                *reinterpret_cast<const float4 *>(from);
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < WORK; i += 4) {
                const float *at_A = &As[k / 4][k % 4 * BM + lane_row + i * 8];
                const float *at_B = &Bs[k][warp_col + lane_col + i * 4];
                float4 u = *reinterpret_cast<const float4 *>(at_A);
                float4 v = *reinterpret_cast<const float4 *>(at_B);

                a[i + 0] = u.x;
                a[i + 1] = u.y;
                a[i + 2] = u.z;
                a[i + 3] = u.w;
                b[i + 0] = v.x;
                b[i + 1] = v.y;
                b[i + 2] = v.z;
                b[i + 3] = v.w;
            }
            for (int i = 0; i < WORK; ++i)
                for (int j = 0; j < WORK; ++j)
                    c[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < WORK; ++i)
        for (int j = 0; j < WORK; j += 4) {
            int row = row0 + i / 4 * 32 + lane_row + i % 4;
            int col = col0 + warp_col + j * 4 + lane_col;

            float4 v = make_float4(c[i][j + 0], c[i][j + 1],
                                   c[i][j + 2], c[i][j + 3]);

            *reinterpret_cast<float4 *>(&C[row * N + col]) = v;
        }
}
