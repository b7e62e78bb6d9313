// More shared memory than a kernel may declare; and as much as it may, where both
// kernels' together are more.
__global__ void declared(float *C)
{
    __shared__ float large[96][129];

    large[95][threadIdx.x] = 1.0f;
    C[threadIdx.x] = large[95][threadIdx.x];
}

__global__ void fits(float *C)
{
    __shared__ float all[96][128];

    all[95][threadIdx.x] = 1.0f;
    C[threadIdx.x] = all[95][threadIdx.x];
}
