// values: small types by value, and shared memory that one kernel alone has.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Each argument adds 1, whatever its type; beta is 0.
__global__ void sum(half alpha, __nv_bfloat16 gamma, half2 pair, double beta,
                    float4 four, float3 three, double2 two, bool off,
                    float *C)
{
    float s = __half2float(alpha) + __bfloat162float(gamma);

    s += __low2float(pair) * __high2float(pair) + (float)beta;
    s += four.x * four.y * four.z * four.w + three.x * three.y * three.z;
    s += (float)(two.x * two.y);
    C[threadIdx.x] = off ? 0 : s;
}

__global__ void product(const char *A, const char *B, int *C, int M, int N,
                        int K, int alpha, int beta)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;

    for (int k = 0; k < K; k++)
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

__global__ void fixed(int *C)
{
    __shared__ int s[64];

    s[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    C[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void given(int *C)
{
    extern __shared__ int t[];

    t[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    C[threadIdx.x] = t[63 - threadIdx.x];
}
