// warp_mask: lane 9 takes part in what it is not meant for.
__global__ void warp_mask(float *C)
{
    if (threadIdx.x < 10)
        C[threadIdx.x] = __any_sync(0x1ff, threadIdx.x);
}
