// given: shared memory whose size the launch gives, under two names, behind
// shared memory of a known size; and what nvcc wants said of a kernel.
extern __shared__ float first[];

template <int BY> __device__ int times(int x)
{
    return x * BY;
}

__global__ void __launch_bounds__(64, 2) given(float *C)
{
    __shared__ int known[3];
    extern __shared__ unsigned char bytes[];
    int t = threadIdx.x;

    if (t < 3)
        known[t] = 1;
    first[t] = times<3>(t);
    __syncthreads();
    C[t] = bytes[4 * (t ^ 1) + 3];
#ifdef BEYOND
    if (t == 63)
        first[t + 1] = 0;
#endif
}
