// sgemm_pipelined: `warptile` that does not wait for memory.
//
// Idea: everything is fetched a step before it is needed. Shared memory
// holds two pairs of tiles: while the block computes with one, the other
// comes, B's tile by itself (cp.async) and A's through registers, since it
// is turned before it is stored. And while a thread multiplies for one k,
// what it needs for the next comes from shared memory into a second set of
// registers. One barrier a tile says that the next has come and that this
// one may be overwritten.
//
// Assumes: A is M x K, B is K x N, C is M x N, all row-major and dense;
// sm_80 or newer. The launcher checks that M is a multiple of 64, N of 128
// and K of 16, and that A, B and C are aligned to 16 bytes, and refuses the
// launch in words otherwise.

#include <cuda_pipeline_primitives.h>

#define BM 64       // rows and columns of C a block computes
#define BN 128
#define BK 16       // columns of A and rows of B in a tile
#define WORK 8      // rows and columns of C a thread computes
#define WN 32       // columns of C a warp computes
#define THREADS 128
#define PAD 8       // words behind four rows of As
#define STEP_A (THREADS / (BK / 4))   // rows between a thread's float4s
#define STEP_B (THREADS / (BN / 4))

// Eight of a row of a tile: 4 neighbours, and 4 further on.
__device__ __forceinline__ void read(float (&v)[WORK], const float *from,
                                     int further)
{
    for (int i = 0; i < WORK; i += 4) {
        float4 u = *reinterpret_cast<const float4 *>(from + i / 4 * further);

        v[i + 0] = u.x;
        v[i + 1] = u.y;
        v[i + 2] = u.z;
        v[i + 3] = u.w;
    }
}

// A thread as a carrier of its float4s of each pair of tiles: where the next
// ones come from, and where they go.
struct carrier {
    const float *from_A, *from_B;
    float4 held[BM / STEP_A];
    float *to_A, *to_B;
};

__device__ __forceinline__ void begin(carrier &self, int pair, int N, int K)
{
    for (int i = 0; i < BM / STEP_A; ++i)
        self.held[i] = *reinterpret_cast<const float4 *>(
            self.from_A + (size_t)(i * STEP_A) * K);
    for (int i = 0; i < BK / STEP_B; ++i)
        __pipeline_memcpy_async(self.to_B + (pair * BK + i * STEP_B) * BN,
                                self.from_B + (size_t)(i * STEP_B) * N, 16);
    self.from_A += BK;
    self.from_B += (size_t)BK * N;
}

__device__ __forceinline__ void finish(const carrier &self, int pair)
{
    for (int i = 0; i < BM / STEP_A; ++i) {
        float *to = self.to_A + pair * (BK / 4) * (4 * BM + PAD) + i * STEP_A;

        to[0 * BM] = self.held[i].x;
        to[1 * BM] = self.held[i].y;
        to[2 * BM] = self.held[i].z;
        to[3 * BM] = self.held[i].w;
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

__global__ void __launch_bounds__(THREADS)
sgemm_pipelined(const float *A, const float *B, float *C,
                int M, int N, int K)
{
    __shared__ __align__(16) float As[2][BK / 4][4 * BM + PAD];
    __shared__ __align__(16) float Bs[2][BK][BN];

    carrier self;
    float a[2][WORK];
    float b[2][WORK];
    float c[WORK][WORK] = {};

    int row0 = blockIdx.y * BM;
    int col0 = blockIdx.x * BN;
    int tid = threadIdx.x;
    int a_row = tid / (BK / 4);
    int a_col = tid % (BK / 4) * 4;
    int b_row = tid / (BN / 4);
    int b_col = tid % (BN / 4) * 4;

    self.from_A = &A[(size_t)(row0 + a_row) * K + a_col];
    self.from_B = &B[(size_t)b_row * N + col0 + b_col];
    self.to_A = &As[0][a_col / 4][a_row];
    self.to_B = &Bs[0][b_row][b_col];

    // As a worker: see warptile.
    int lane = tid % 32;
    int lane_row = ((lane >> 1 & 1) | (lane >> 2 & 6)) * 4;
    int lane_col = ((lane & 1) | (lane >> 1 & 2)) * 4;
    int warp_col = tid / 32 * WN;

    begin(self, 0, N, K);
    finish(self, 0);
    __syncthreads();
    read(a[0], &As[0][0][lane_row], 32);
    read(b[0], &Bs[0][0][warp_col + lane_col], 16);

    for (int t = 0; t < K / BK; ++t) {
        int use = t % 2;
        bool more = t + 1 < K / BK;

        if (more)
            begin(self, 1 - use, N, K);

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            int next = (k + 1) % BK;

            if (next == 0) {
                if (more)
                    finish(self, 1 - use);
                __syncthreads();
                use = 1 - use;
            }
            if (next != 0 || more) {
                read(a[next % 2],
                     &As[use][next / 4][next % 4 * BM + lane_row], 32);
                read(b[next % 2], &Bs[use][next][warp_col + lane_col], 16);
            }
            for (int i = 0; i < WORK; ++i)
                for (int j = 0; j < WORK; ++j)
                    c[i][j] += a[k % 2][i] * b[k % 2][j];
        }
    }

    for (int i = 0; i < WORK; ++i)
        for (int j = 0; j < WORK; j += 4) {
            int row = row0 + i / 4 * 32 + lane_row + i % 4;
            int col = col0 + warp_col + j * 4 + lane_col;

            float4 v = make_float4(c[i][j + 0], c[i][j + 1],
                                   c[i][j + 2], c[i][j + 3]);

            *reinterpret_cast<float4 *>(&C[(size_t)row * N + col]) = v;
        }
}
