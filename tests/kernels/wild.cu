// An address far outside everything.
__global__ void wild(const float *A, float *C)
{
    const float *p = A;

    if (threadIdx.x == 1)
        p = (const float *)0x123456789000;
    C[threadIdx.x] = p[threadIdx.x];
}
