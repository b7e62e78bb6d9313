// Two blocks of a cluster: the first makes an mbarrier when they have met, and
// tells the second, which arrives there. BUG tells what is wrong with it.
#include <ptx.h>

#ifndef BUG
#define BUG 0
#endif

__global__ void __cluster_dims__(2, 1, 1) relay(float *C)
{
    __shared__ mbarrier told, late;

    if (threadIdx.x == 0)
        mbarrier_init(&told, 1);
    cluster_arrive();
    cluster_wait();

    if (cluster_ctarank() == 0 && threadIdx.x == 0) {
        mbarrier_init(&late, 1);
#if BUG != 1  // an arrival tells the other block of no writes
        fence_mbarrier_init();
#endif
        mbarrier_arrive_cluster(&told, 1);
#if BUG != 2  // neither block waits for the other
        mbarrier_wait_parity(&late, 0);
#endif
    }
#if BUG != 2
    if (cluster_ctarank() == 1 && threadIdx.x == 0) {
        mbarrier_wait_parity(&told, 0);
        mbarrier_arrive_cluster(&late, 0);
    }
#endif
    C[blockIdx.x] = 1;
}
