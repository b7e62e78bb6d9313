// A warp has boxes of A brought that are inside the matrix, at its corners,
// and outside, and reads them as they lie in shared memory, in a structure.
#include <ptx.h>

#ifndef SWIZZLE
#define SWIZZLE 128
#endif

constexpr int ROWS = 16, COLS = SWIZZLE ? SWIZZLE / 2 : 24;

__global__ void
boxes(const __grid_constant__ tensor_map<half, ROWS, COLS, SWIZZLE> A,
      int M, int K)
{
    __shared__ struct {
        mbarrier full;
        alignas(1024) half As[ROWS * COLS];
    } s;
    const int row[] = { 4, -3, M - 5, M }, col[] = { 8, -8, K - 8, 0 };
    float sum = 0;

    if (threadIdx.x == 0) {
        mbarrier_init(&s.full, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect_tx(&s.full, sizeof(s.As));
            tma_load(s.As, A, row[i], col[i], &s.full);
        }
        mbarrier_wait_parity(&s.full, i % 2);
        for (int n = threadIdx.x; n < ROWS * COLS; n += 32)
            sum += __half2float(s.As[n]);
        __syncthreads();
    }
}
