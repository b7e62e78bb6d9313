// warp_order: lanes hand over through shared memory, in order by the warp's
// barrier: where there is one.
#ifdef APART
#define ORDER __syncwarp(threadIdx.x % 32 < 16 ? 0xffff : 0xffff0000)
#elif !defined(NONE)
#define ORDER __syncwarp()
#else
#define ORDER ((void)0)
#endif

__global__ void warp_order(float *C)
{
    __shared__ float s[64];
    int t = threadIdx.x;

    for (int i = 0; i < 3; ++i) {
        s[t] = t + i;
        ORDER;
        C[t] = s[t ^ 31];
        ORDER;
    }
}
