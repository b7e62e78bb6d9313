// Kernels whose machine code has many different instructions; each result
// depends on all of them. tests/machine_faults.sh leaves out one after the other.
#include <cuda_fp16.h>

__constant__ int factors[4] = { 3, 5, 7, 11 };

__global__ void whole(const int *in, const int *other, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = in[i], y = other[i];
    unsigned u = (unsigned)x * 2654435761u;
    long long wide = (long long)x * y + n;
    int sum = abs(x) + min(x, y) + max(x, y + 1) + __popc(u) + __clz(u >> 3);

    sum += (int)__brev(u) >> 7;
    sum += (int)__byte_perm(u, (unsigned)y, 0x5140);
    sum ^= (x & y) | (~x & n);
    sum += __mulhi(x, 0x12345678) + (int)(wide >> 5);
    sum += x / (abs(y) + 1) + (int)(u % (unsigned)(n + 2));
    sum += (u >> (y & 7)) + (u << (x & 3)) + factors[i & 3];
    sum += x > y && (y & 1) ? 17 : 4;
    out[i] = sum;
}

__global__ void reals(const float *in, const float *other, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i], y = other[i];
    float sum = x * y + 2 - fminf(x, y) * fmaxf(x, 0.5f);

    sum += sqrtf(fabsf(x)) + x / (y * y + 1) + (float)n;
    sum += (float)(int)(y * 3) + floorf(x * 0.3f);
    if (x > y)
        sum -= 3;
    out[i] = x == y ? sum + 1 : sum * 2;
}

__global__ void doubles(const double *in, const double *other, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = in[i], y = other[i];
    double sum = x * y + 2.5 - n;

    sum += x / (y * y + 1) + (double)(int)(y * 3);
    if (x > y)
        sum = sum * 3 - 1;
    out[i] = sum + (double)(float)(x * 0.3);
}

__global__ void halves(const __half2 *in, const __half2 *other, __half2 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 x = in[i], y = other[i];
    __half2 sum = __hadd2(__hfma2(x, y, x), __hmul2(y, x));

    if (__hgt(__low2half(x), __high2half(y)))
        sum = __hsub2(sum, x);
    out[i] = __hadd2(sum, __float2half2_rn(__half2float(__low2half(y)) * 0.5f));
}

__global__ void lanes(const int *in, int *out, int *total, int n)
{
    __shared__ int part[64];
    __shared__ int most;
    int t = threadIdx.x, x = in[blockIdx.x * blockDim.x + t];
    int sum = __shfl_xor_sync(~0u, x, 4) + __shfl_down_sync(~0u, x, 2);

    if (t == 0)
        most = 0;
    __syncthreads();
    sum += __popc(__ballot_sync(~0u, x > 0)) + __any_sync(~0u, x == 7);
    sum += __match_any_sync(~0u, x & 3) & 255;
    atomicMax(&most, x);
    part[t] = sum;
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t < n)
        atomicAdd(total + t, part[0]);
    out[blockIdx.x * blockDim.x + t] = sum + most + part[63 - t];
}

__global__ void stack(const float *in, float *out, int n)
{
    float v[16];
    int t = threadIdx.x;

    for (int i = 0; i < 16; i++)
        v[i] = in[t * 16 + i];
    for (int i = 0; i < n; i++)
        v[(i * 7 + t) & 15] += v[(i + t) & 15];
    out[t] = v[t & 15] + v[n & 15];
}
