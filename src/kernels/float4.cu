// float4: a thread computes 4 x 4 elements of C and loads four at once.
//
// Idea: a block of 16 x 16 threads works on a 64 x 64 tile of C, 16
// deep. The threads have two roles. First they are 256 carriers: each
// brings one float4 of A's 64 x 16 tile and one of B's 16 x 64 tile
// to shared memory, numbered along the rows of the tile it loads. Then
// they are 16 x 16 workers: each reads 4 elements of a column of As and
// 4 of a row of Bs into registers; their outer product gives 16
// multiply-adds for 8 reads.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense.
// The launcher checks that M and N are multiples of 64 and K of 16, and
// that A, B and C are aligned to 16 bytes, and refuses the launch in
// words otherwise: there are no edges here, and a float4 that is not
// aligned stops the kernel.

#define TILE 64    // rows and columns of C a block computes
#define DEPTH 16   // columns of A and rows of B in one phase
#define WORK 4     // rows and columns of C a thread computes

__global__ void matmul_float4(const float *A, const float *B, float *C,
                              int M, int N, int K)
{
    __shared__ float As[TILE][DEPTH];
    __shared__ float Bs[DEPTH][TILE];

    float accum[WORK][WORK] = {};
    float reg_A[WORK];
    float reg_B[WORK];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row0 = blockIdx.y * TILE;
    int col0 = blockIdx.x * TILE;

    // As a carrier: where this thread's two float4 are in their tiles.
    int tid = ty * (TILE / WORK) + tx;
    int a_row = tid / (DEPTH / 4);
    int a_col = tid % (DEPTH / 4) * 4;
    int b_row = tid / (TILE / 4);
    int b_col = tid % (TILE / 4) * 4;

    for (int t = 0; t < K; t += DEPTH) {
        const float *from_A = &A[(row0 + a_row) * K + t + a_col];
        const float *from_B = &B[(t + b_row) * N + col0 + b_col];
        float4 a = *reinterpret_cast<const float4 *>(from_A);
        float4 b = *reinterpret_cast<const float4 *>(from_B);

        As[a_row][a_col + 0] = a.x;
        As[a_row][a_col + 1] = a.y;
        As[a_row][a_col + 2] = a.z;
        As[a_row][a_col + 3] = a.w;
        Bs[b_row][b_col + 0] = b.x;
        Bs[b_row][b_col + 1] = b.y;
        Bs[b_row][b_col + 2] = b.z;
        Bs[b_row][b_col + 3] = b.w;
        __syncthreads();

        // As a worker: 4 x 4 elements of C, starting at (ty, tx) * 4.
        for (int k = 0; k < DEPTH; ++k) {
            for (int i = 0; i < WORK; ++i) {
                reg_A[i] = As[ty * WORK + i][k];
                reg_B[i] = Bs[k][tx * WORK + i];
            }
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
