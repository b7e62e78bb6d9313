// A warpgroup stores tiles to shared memory as wgmma wants them, K-major or
// not, and multiplies them: C is 64 x COLS, K is 64.
// BUG tells what is wrong with it.
#include <ptx.h>

#ifndef TYPE
#define TYPE half
#endif
#ifndef COLS
#define COLS 64
#endif
#ifndef A_MN
#define A_MN 0
#endif
#ifndef B_MN
#define B_MN 0
#endif
#ifndef B_WIDE
#define B_WIDE 64   // columns of a row of B, where it is not K-major
#endif
#ifndef APART
#define APART 0
#endif
#ifndef BUG
#define BUG 0
#endif

// Rows of `wide`, 64 or 32, swizzled by as many bytes; of the next `wide`, a
// tile further.
__device__ int place(int row, int column, int rows, int wide = 64)
{
    int turn = row * wide / 64 % (wide / 8);

    return column / wide * rows * wide + row * wide +
           (column % wide / 8 ^ turn) * 8 + column % 8;
}

template <class L, class R>
__device__ void product(float (&d)[COLS / 8][4], L a, R b, int add)
{
    wgmma(d, a, b, add);
}

__global__ void __launch_bounds__(128)
products(const TYPE *A, const TYPE *B, float *C)
{
    __shared__ alignas(1024) TYPE As[64 * 64], Bs[64 * COLS];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float d[COLS / 8][4];

    for (int i = threadIdx.x; i < 64 * 64; i += 128)
        As[A_MN ? place(i % 64, i / 64, 64) : place(i / 64, i % 64, 64)] =
            A[i];
    for (int i = threadIdx.x; i < 64 * COLS; i += 128)
        Bs[B_MN ? place(i / COLS, i % COLS, 64, B_WIDE) :
                  place(i % COLS, i / COLS, COLS)] = B[i];
#if BUG != 1  // wgmma need not see what was stored
    fence_proxy_async();
#endif
    __syncthreads();
#if BUG != 5  // registers that were written need not be seen
    wgmma_fence();
#endif
#if BUG == 2  // a warp does not come
    if (warp == 3)
        return;
#endif
    for (int k = 0; k < 64; k += 16) {
#if BUG == 3  // no operand begins there
        auto a = k_major(As + k + 4);
#elif BUG == 4  // nor does it end there
        auto a = k_major(As + 8 * 64 + k);
#elif A_MN
        auto a = mn_major(As + k * 64, 0);
#else
        auto a = k_major(As + k);
#endif
#if B_MN
        auto b = mn_major<B_WIDE>(Bs + k * B_WIDE,
                                  64 * B_WIDE * sizeof(TYPE));
#else
        auto b = k_major(Bs + k);
#endif
#if APART  // in a function that has ended when the product is done
        product(d, a, b, k > 0);
#else
        wgmma(d, a, b, k > 0);
#endif
    }
    wgmma_commit_group();
#if BUG == 6  // it ends before the product does
    return;
#endif
    wgmma_wait_group<0>();
    for (int i = 0; i < COLS / 8; ++i)
        for (int j = 0; j < 4; ++j)
            C[(warp * 16 + lane / 4 + j / 2 * 8) * COLS +
              i * 8 + lane % 4 * 2 + j % 2] = d[i][j];
}
