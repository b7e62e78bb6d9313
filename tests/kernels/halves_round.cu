// halves_round: what rounding to 16 bits gives, of many operands. Every round
// stores each array once; the test works out what must be in it.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ unsigned short finite(unsigned int x)
{
    x &= 0xffff;
    return (x & 0x7c00) == 0x7c00 ? x ^ 0x4000 : x;
}

__global__ void halves_round(float *C)
{
    __shared__ float wide[32];
    __shared__ half a[32], b[32], c[32], narrow[32];
    __shared__ half sum[32], difference[32], product[32], fused[32];
    __shared__ __nv_bfloat16 p[32], q[32], brain[32], brain_product[32];
    int t = threadIdx.x;
    unsigned int x = 2654435761u * (t + 1);

    for (int i = 0; i < 64; ++i) {
        x = x * 1664525u + 1013904223u;
        a[t] = __ushort_as_half(finite(x >> 5));
        b[t] = __ushort_as_half(finite(x >> 13));
        c[t] = __ushort_as_half(finite(x * 40503u >> 16));
        // Below, between and above halves, and right in the middle.
        unsigned int bits = __float_as_uint(__half2float(a[t]));
        wide[t] = __uint_as_float(bits + (i % 4) * 0x800u + (i % 3 - 1));
        narrow[t] = __float2half(wide[t]);
        sum[t] = a[t] + b[t];
        difference[t] = __hsub(a[t], b[t]);
        product[t] = a[t] * b[t];
        fused[t] = __hfma(a[t], b[t], c[t]);
        p[t] = __ushort_as_bfloat16(finite(x >> 7));
        q[t] = __ushort_as_bfloat16(finite(x >> 3));
        brain[t] = __float2bfloat16(wide[t]);
        brain_product[t] = p[t] * q[t];
    }
    if (t == 0)
        C[0] = wide[t];
}
