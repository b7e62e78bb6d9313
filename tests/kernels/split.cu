// Two blocks have half of K each; the first leaves its sums for the other one,
// which BUG does not add.
__device__ float P[16 * 16];
__device__ int done;

__global__ void split(const float *A, const float *B, float *C, int M, int N,
                      int K)
{
    int i = threadIdx.y, j = threadIdx.x;
    int half = K / 2;
    float sum = 0;

    for (int k = blockIdx.x * half; k < (blockIdx.x + 1) * half; ++k)
        sum += A[i * K + k] * B[k * N + j];
    if (blockIdx.x == 0) {
        P[i * N + j] = sum;
        __threadfence();
        __syncthreads();
        if (i == 0 && j == 0)
            atomicExch(&done, 1);
    } else {
        if (i == 0 && j == 0)
            while (atomicAdd(&done, 0) == 0)
                ;
        __syncthreads();
        __threadfence();
#ifndef BUG
        sum += __ldcg(&P[i * N + j]);
#endif
        C[i * N + j] = sum;
    }
}
