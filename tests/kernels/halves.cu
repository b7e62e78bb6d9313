// halves: accesses of reals of 16 bits, each kind once.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ half twice(half a)
{
    return a + a;
}

__global__ void halves(const half *A, const __nv_bfloat16 *B, half *C)
{
    __shared__ half s[4][32];
    half r[2];
    int t = threadIdx.x;

    s[0][t] = A[t];
    s[1][t] = s[0][t] * A[t + 32];
    s[2][t] = __float2half(0.1f);
    s[3][t] = twice(A[t]);
    r[t & 1] = s[3][t];
    s[2][t] += r[t & 1];
    float f = __bfloat162float(B[t]) + (float)s[1][t];
    C[t] = f;
    half2 v = *reinterpret_cast<const half2 *>(&A[2 * t]);
    *reinterpret_cast<half2 *>(&C[2 * t + 32]) = v * v;
    C[t + 96] = __hfma(A[t], A[t], v.y);
}
