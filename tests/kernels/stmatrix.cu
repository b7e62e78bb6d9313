// stmatrix: puts back what ldmatrix got, as it was or transposed; C tells of
// each element whether it is where it belongs.
#include <ptx.h>

__global__ void stmatrix(const half *A, float *C)
{
    __shared__ __align__(16) half from[4][8][8], to[4][8][8];
    unsigned r[4];
    int lane = threadIdx.x;

    for (int i = lane; i < 256; i += blockDim.x)
        from[i / 64][i / 8 % 8][i % 8] = A[i];
    __syncthreads();
    ldmatrix_x4(r, from[lane / 8][lane % 8]);
    stmatrix_x4(to[lane / 8][lane % 8], r);
    __syncthreads();
    for (int i = lane; i < 256; i += blockDim.x)
        C[i] = to[i / 64][i / 8 % 8][i % 8] ==
               from[i / 64][i / 8 % 8][i % 8];
    __syncthreads();
    ldmatrix_x4_trans(r, from[lane / 8][lane % 8]);
    stmatrix_x4(to[lane / 8][lane % 8], r);
    __syncthreads();
    for (int i = lane; i < 256; i += blockDim.x)
        C[i] = to[i / 64][i % 8][i / 8 % 8] ==
               from[i / 64][i / 8 % 8][i % 8];
}
