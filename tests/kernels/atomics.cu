// atomics: a histogram, and sums over all blocks. PLAIN reads a counter
// while it is counted.
__global__ void atomics(float *C, int *A)
{
    __shared__ int bins[4];
    int t = threadIdx.x;

    if (t < 4)
        bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[t % 4], t);
#ifdef PLAIN
    if (bins[0] > 100)
        return;
#endif
    __syncthreads();
    if (t < 4)
        atomicAdd(&C[t], (float)bins[t]);
    atomicMax(&A[0], t);
    atomicCAS(&A[1], 99, t);
}
