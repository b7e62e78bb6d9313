// A and B through TMA, in boxes of 16 x 16 elements of either type.
#include <ptx.h>

#ifdef BF16
typedef __nv_bfloat16 T;
#else
typedef half T;
#endif
#define TILE 16
#define BYTES (TILE * TILE * (unsigned)sizeof(T))

__global__ void gpu_mapped(
    const __grid_constant__ tensor_map<T, TILE, TILE, 0> A,
    const __grid_constant__ tensor_map<T, TILE, TILE, 0> B,
    T *C, int M, int N, int K)
{
    __shared__ alignas(128) T As[TILE][TILE], Bs[TILE][TILE];
    __shared__ mbarrier full;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    unsigned parity = 0;
    float sum = 0;

    if (tx == 0 && ty == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    for (int t = 0; t < K; t += TILE, parity ^= 1) {
        if (tx == 0 && ty == 0) {
            mbarrier_arrive_expect_tx(&full, 2 * BYTES);
            tma_load(&As[0][0], A, row, t, &full);
            tma_load(&Bs[0][0], B, t, col, &full);
        }
        mbarrier_wait_parity(&full, parity);
        for (int k = 0; k < TILE; ++k)
            sum += (float)As[ty][k] * (float)Bs[k][tx];
        __syncthreads();
    }
    if (row + ty < M && col + tx < N)
        C[(row + ty) * N + col + tx] = (T)sum;
}
