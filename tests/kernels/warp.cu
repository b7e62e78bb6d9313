// warp: what a warp does together, each word once.
#include <cuda_fp16.h>

__global__ void warp(float *C)
{
    __shared__ float got[64];
    __shared__ unsigned int vote[64];
    unsigned int all = 0xffffffff;
    int t = threadIdx.x;
    int lane = t % 32;

    float sum = lane + 1;
    for (int by = 16; by > 0; by /= 2)
        sum += __shfl_down_sync(all, sum, by);
    got[t] = __shfl_sync(all, sum, 0);
    got[t] = __shfl_up_sync(all, 2.0 * lane, 3);
    got[t] = __shfl_xor_sync(all, lane, 5, 8);
    got[t] = __shfl_down_sync(all, half(lane), 3, 4);
    vote[t] = __ballot_sync(all, lane % 3 == 0);
    vote[t] = __any_sync(all, lane == 40);
    vote[t] = __all_sync(all, lane < 32);
    if (lane < 7)
        vote[t] = __activemask();
    else
        vote[t] = __ballot_sync(~127u, lane > 20);
    C[t] = got[t ^ 0];
}
