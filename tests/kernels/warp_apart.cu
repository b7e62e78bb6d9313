// warp_apart: half of the warp waits for the other half, which waits at a
// barrier.
__global__ void warp_apart(float *C)
{
    int t = threadIdx.x;

    if (t < 16)
        C[t] = __shfl_sync(0xffffffff, t, 20);
    else
        __syncthreads();
}
