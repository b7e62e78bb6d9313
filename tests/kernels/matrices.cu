// matrices: what a warp's registers get from ldmatrix, and what mma makes of
// them, of halves and of bfloat16; C tells of each element whether a loop
// gives the same. With APART half of the warp does not come, with GLOBAL the
// rows are not in shared memory, with SKEWED they are not aligned.
#include <ptx.h>

#ifdef GLOBAL
#define ROW(s, row, col) &A[(row) * 16 + (col)]
#elif defined SKEWED
#define ROW(s, row, col) &s[row][(col) + 4]
#else
#define ROW(s, row, col) &s[row][col]
#endif

__device__ float product(const half (*a)[16], const half (*b)[16], int row,
                         int col)
{
    float sum = 0;

    for (int k = 0; k < 16; ++k)
        sum += __half2float(a[row][k]) * __half2float(b[k][col]);
    return sum;
}

__global__ void matrices(const half *A, const half *B, float *C)
{
    __shared__ __align__(16) half as[16][16], bs[16][16];
    __shared__ __align__(16) __nv_bfloat16 at[16][16], bt[16][16];
    unsigned a[4], b[4], wide_a[4], wide_b[4];
    float c[2][4] = {}, wide[2][4] = {};
    int lane = threadIdx.x;
    int row = lane % 16, col = lane / 16 * 8;

    for (int i = lane; i < 256; i += blockDim.x) {
        as[i / 16][i % 16] = A[i];
        bs[i / 16][i % 16] = B[i];
        at[i / 16][i % 16] = __float2bfloat16(__half2float(A[i]));
        bt[i / 16][i % 16] = __float2bfloat16(__half2float(B[i]));
    }
    __syncthreads();
#ifdef APART
    if (lane >= 16)
        __syncthreads();
#endif
    ldmatrix_x4(a, ROW(as, row, col));
    ldmatrix_x4_trans(b, &bs[row][col]);
    ldmatrix_x4(wide_a, &at[row][col]);
    ldmatrix_x4_trans(wide_b, &bt[row][col]);
    for (int j = 0; j < 2; ++j) {
        mma_m16n8k16(c[j], a, b + 2 * j, half());
        mma_m16n8k16(wide[j], wide_a, wide_b + 2 * j, __nv_bfloat16());
    }

    for (int j = 0; j < 2; ++j)
        for (int e = 0; e < 4; ++e) {
            int at_row = lane / 4 + e / 2 * 8;
            int at_col = 8 * j + lane % 4 * 2 + e % 2;
            float want = product(as, bs, at_row, at_col);

            C[at_row * 16 + at_col] = c[j][e] == want;
            C[at_row * 16 + at_col] = wide[j][e] == want;
        }
}
