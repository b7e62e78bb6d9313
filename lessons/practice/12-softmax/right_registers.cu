#include <math_constants.h>
#define FULL 0xffffffff
__global__ void softmax(const float *X, float *Y, int M, int N)
{
    int row = blockIdx.x, lane = threadIdx.x;
    float v[8], m = -CUDART_INF_F, s = 0;
    for (int i = 0; i < 8; ++i) {
        int c = lane + 32 * i;
        v[i] = c < N ? X[row * N + c] : -CUDART_INF_F;
        m = max(m, v[i]);
    }
    for (int d = 1; d < 32; d *= 2) m = max(m, __shfl_xor_sync(FULL, m, d));
    for (int i = 0; i < 8; ++i) s += v[i] = exp2f((v[i] - m) * 1.4426950408889634f);
    for (int d = 1; d < 32; d *= 2) s += __shfl_xor_sync(FULL, s, d);
    for (int i = 0; i < 8; ++i) if (lane + 32 * i < N) Y[row * N + lane + 32 * i] = v[i] / s;
}
void launch(const float *X, float *Y, int M, int N) { softmax<<<M, 32>>>(X, Y, M, N); }
