// CUDA's functions of half and bfloat16, a kernel a group, held to values
// worked out by hand from its documents.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__device__ int wrong;
__device__ void expect(bool right, int number)
{
    if (!right)
        wrong = number;
}
__device__ bool bits(half a, unsigned x) { return __half_as_ushort(a) == x; }
__device__ bool bits(__nv_bfloat16 a, unsigned x)
{
    return __bfloat16_as_ushort(a) == x;
}

__global__ void functions()
{
    const half one(1.0f), four(4.0f), zero(0.0f), none(-1.0f);
    const half2 pair = __halves2half2(four, one);
    expect(bits(hexp(zero), 0x3c00) && bits(hexp(one), 0x4170), 1);
    expect(bits(hexp(half(12.0f)), 0x7c00) && bits(hexp2(four), 0x4c00), 2);
    expect(bits(hlog(zero), 0xfc00) && __hisnan(hlog(none)), 3);
    expect(bits(hlog2(four), 0x4000) && bits(hlog10(half(100)), 0x4000), 4);
    expect(bits(hrsqrt(four), 0x3800) && bits(hrsqrt(zero), 0x7c00), 5);
    expect(bits(hrcp(four), 0x3400) && bits(hrcp(half(3.0f)), 0x3555), 6);
    expect(bits(htanh(half(20.0f)), 0x3c00) && bits(htanh(zero), 0), 7);
    expect(bits(hfloor(half(-1.5f)), 0xc000) &&
           bits(hceil(half(-1.5f)), 0xbc00) &&
           bits(htrunc(half(-1.5f)), 0xbc00) &&
           bits(hrint(half(2.5f)), 0x4000), 8);
    half2 roots = h2sqrt(pair);
    expect(bits(__low2half(roots), 0x4000) && bits(__high2half(roots), 0x3c00),
           9);
    expect(bits(__hmax(__ushort_as_half(0x7e00), one), 0x3c00) &&
           __hisnan(__hmax_nan(__ushort_as_half(0x7e00), one)), 10);
    expect(bits(__hadd_sat(one, one), 0x3c00) &&
           bits(__hmul_sat(none, one), 0), 11);
}

__global__ void comparisons()
{
    const half one(1.0f), two(2.0f), nan = __ushort_as_half(0x7e00);
    const half2 a = __halves2half2(one, two), b = __halves2half2(two, one);
    half2 more = __hgt2(a, b);
    expect(bits(__low2half(more), 0) && bits(__high2half(more), 0x3c00), 20);
    expect(!__hbgt2(a, b) && __hbge2(a, a) && __hbne2(a, b), 21);
    expect(!__hne(nan, one) && __hneu(nan, one) && !__hlt(nan, one) &&
           __hltu(nan, one) && !__heq(nan, nan), 22);
}

__global__ void conversions()
{
    expect(bits(__float2half_rz(1.9999f), 0x3fff) &&
           bits(__float2half_rn(1.9999f), 0x4000) &&
           bits(__float2half_ru(1.9991f), 0x4000), 30);
    expect(bits(__float2half_rd(-1.9999f), 0xc000) &&
           bits(__float2half_rz(-1.9999f), 0xbfff) &&
           bits(__float2half_ru(-1.9999f), 0xbfff), 31);
    expect(bits(__float2half_rz(1e6f), 0x7bff) &&
           bits(__float2half_rn(1e6f), 0x7c00) &&
           bits(__float2half_ru(1e-9f), 1) &&
           bits(__float2half_rd(1e-9f), 0), 32);
    expect(__half2int_rz(half(-2.5f)) == -2 &&
           __half2int_rd(half(-2.5f)) == -3 &&
           __half2int_rn(half(2.5f)) == 2 && __half2int_ru(half(2.5f)) == 3,
           33);
    expect(__half2uint_rz(half(-2.5f)) == 0 &&
           __half2short_rz(half(60000.0f)) == 32767 &&
           __half2int_rz(__ushort_as_half(0x7e00)) == 0, 34);
    expect(bits(__ushort2half_rn(65535), 0x7c00) &&
           bits(__int2half_rn(2049), 0x6800), 35);
    __half_raw raw;
    raw.x = 0x4400;
    expect(bits(half(raw), 0x4400), 36);
    half2 turned = __lowhigh2highlow(__floats2half2_rn(1, 4));
    expect(bits(__low2half(turned), 0x4400), 37);
}

__global__ void brain()
{
    const __nv_bfloat16 one(1.0f), three(3.0f);
    expect(bits(hexp(one), 0x402e) && bits(hrcp(three), 0x3eab), 40);
    expect(bits(__float2bfloat16_rz(1.999f), 0x3fff) &&
           bits(__float2bfloat16_rn(1.999f), 0x4000), 41);
    expect(__bfloat162int_rz(__nv_bfloat16(-7.5f)) == -7, 42);
    __nv_bfloat162 h = __lows2bfloat162(__floats2bfloat162_rn(3, 1),
                                        __floats2bfloat162_rn(1, 3));
    expect(bits(__low2bfloat16(h), 0x4040) && bits(__high2bfloat16(h), 0x3f80),
           43);
}

__global__ void atomics(half *h, half2 *h2, __nv_bfloat16 *b)
{
    atomicAdd(h, half(1.0f));
    atomicAdd(h2, __floats2half2_rn(1, -2));
    atomicAdd(b, __nv_bfloat16(2.0f));
    __syncthreads();
    expect(bits(*h, 0x5000) && bits(h2->x, 0x5000) && bits(h2->y, 0xd400) &&
           bits(*b, 0x4280), 50);
}

int main()
{
    int failed = -1;
    char *to;

    cudaMalloc(&to, 16);
    cudaMemset(to, 0, 16);
    functions<<<1, 1>>>();
    comparisons<<<1, 1>>>();
    conversions<<<1, 1>>>();
    brain<<<1, 1>>>();
    atomics<<<1, 32>>>((half *)to, (half2 *)(to + 4), (__nv_bfloat16 *)to + 4);
    cudaMemcpyFromSymbol(&failed, wrong, sizeof(failed));
    printf("failed %d\n", failed);
    cudaFree(to);
    return failed != 0;
}
