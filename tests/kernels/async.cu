// async: asynchronous copies of three widths, one of them with zeros at its
// end. EARLY reads before it waits, NEVER commits too late, OTHERS reads what
// other threads copied without a barrier.
#include <cuda_pipeline.h>

__global__ void async(const float *A, float *C)
{
    __shared__ alignas(16) float s[4][128];
    int t = threadIdx.x;

    __pipeline_memcpy_async(&s[0][4 * t], &A[4 * t], 16);
#ifndef NEVER
    __pipeline_commit();
#endif
    __pipeline_memcpy_async(&s[1][2 * t], &A[2 * t], 8, 4);
    __pipeline_memcpy_async(&s[2][t], &A[t], 4, t % 2 ? 4 : 0);
    __pipeline_commit();
#ifdef EARLY
    C[t + 200] = s[0][4 * t];
#endif
#ifdef NEVER
    __pipeline_memcpy_async(&s[3][t], &A[t], 4);
#endif
    __pipeline_wait_prior(1);
    C[t] = s[0][4 * t + 3];
#ifdef NEVER
    C[t + 300] = s[3][t];
#endif
    __pipeline_wait_prior(0);
#ifdef OTHERS
    C[t + 100] = s[2][t ^ 1];
#endif
    __syncthreads();
    C[t + 32] = s[1][2 * t + 1];
    C[t + 64] = s[2][t ^ 1];
}
