// A pointer that nobody set, in one thread.
__global__ void null(const float *A, float *C)
{
    const float *p = threadIdx.x == 5 ? nullptr : A;

    C[threadIdx.x] = p[threadIdx.x];
}
