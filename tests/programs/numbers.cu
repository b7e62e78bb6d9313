// CUDA's functions of numbers, held to values worked out by hand; shared
// memory whose last row is not whole; arguments of many bytes.
#include <cstdio>
#include <cuda_runtime.h>

struct large {
    int v[7000];
};

struct mixed {
    float x;
    int y;
    double z;
};

__device__ int wrong;

__device__ void expect(bool right, int number)
{
    if (!right)
        wrong = number;
}

__global__ void numbers(float one)
{
    expect(__popc(0xff0) == 8, 1);
    expect(__brev(1) == 0x80000000 && __brevll(2) == 1ull << 62, 2);
    expect(__byte_perm(0x33221100, 0x77665544, 0x7531) == 0x77553311, 3);
    expect(__funnelshift_l(0x80000000, 1, 1) == 3, 4);
    expect(__funnelshift_r(0, 1, 1) == 0x80000000, 5);
    expect(__float2int_rn(2.5f * one) == 2 && __float2int_rz(-2.5f) == -2, 6);
    expect(__float2int_rd(-2.5f) == -3 && __float2uint_rn(-1.0f) == 0, 7);
    expect(__float2int_rn(1e20f) == 0x7fffffff && __double2int_ru(1.1) == 2, 8);
    expect(__saturatef(2 * one) == 1 && __saturatef(-one) == 0, 9);
    expect(__double2hiint(__hiloint2double(5, -6)) == 5, 10);
    expect(__double2loint(__hiloint2double(5, -6)) == -6, 11);
    expect(__sad(-3, 4, 1) == 8 && __usad(3, 4, 1) == 2, 12);
    expect(__umul64hi(1ull << 63, 4) == 2 && __mul64hi(-1, 1) == -1, 13);
    expect(__vadd4(0x01ff7f80, 0x01018080) == 0x0200ff00, 14);
    expect(umin(1, 2) == 1 && umax(1, ~0u) == ~0u, 15);
    expect(__fadd_rd(one, 1e-10f) == 1 && __fadd_ru(one, 1e-10f) > 1 &&
           __fadd_rz(-one, 1e-10f) == -0x1.fffffep-1f, 19);
    expect(__fdiv_rd(one, 3) == 0x1.555554p-2f &&
           __fdiv_ru(one, 3) == 0x1.555556p-2f &&
           __fsqrt_ru(2 * one) == 0x1.6a09e8p+0f, 20);
    expect(__dsub_rd(one, 1e-20) == 0x1.fffffffffffffp-1 &&
           __fma_rz(one, -1, 1e-20) == -0x1.fffffffffffffp-1 &&
           __drcp_ru(3.0 * one) == 0x1.5555555555556p-2, 21);
    expect(__logf(one) == 0 && __sinf(0) == 0 && __powf(2, 3 * one) == 8, 16);
    expect(__log2f(8 * one) == 3 && cospif(one) == -1, 17);
    expect(__frsqrt_rn(4 * one) == 0.5f && norm3df(2, 3, 6) == 7, 18);
}

// 33 floats are a row of 32 and one more.
__global__ void rows(float *to)
{
    extern __shared__ float s[][32];
    s[threadIdx.x / 32][threadIdx.x % 32] = threadIdx.x;
    __syncthreads();
    to[threadIdx.x] = s[threadIdx.x / 32][threadIdx.x % 32];
}

__global__ void many(large from, mixed with, float *to)
{
    to[threadIdx.x] = from.v[6999 - threadIdx.x];
}

int main()
{
    static large l;
    float *to, host[33];
    int failed = 0;

    for (int i = 0; i < 7000; i++)
        l.v[i] = i;
    cudaMalloc(&to, sizeof(host));
    numbers<<<1, 1>>>(1.0f);
    cudaMemcpyFromSymbol(&failed, wrong, sizeof(failed));
    rows<<<1, 33, 33 * sizeof(float)>>>(to);
    cudaMemcpy(host, to, sizeof(host), cudaMemcpyDeviceToHost);
    failed = failed ? failed : host[32] != 32 ? 100 : 0;
    many<<<1, 32>>>(l, {1, 2, 3}, to);
    cudaMemcpy(host, to, 128, cudaMemcpyDeviceToHost);
    failed = failed ? failed : host[31] != 6968 ? 200 : 0;
    printf("failed %d\n", failed);
    cudaFree(to);
    return failed != 0;
}
