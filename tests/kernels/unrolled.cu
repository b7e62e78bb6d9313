// Sums a block; the last warp trusts its lanes to be in step.
__global__ void unrolled(const float *A, float *C)
{
    __shared__ float s[128];
    int t = threadIdx.x;

    s[t] = A[t];
    __syncthreads();
    if (t < 64)
        s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) {
        volatile float *v = s;

        v[t] += v[t + 32];
        v[t] += v[t + 16];
        v[t] += v[t + 8];
        v[t] += v[t + 4];
        v[t] += v[t + 2];
        v[t] += v[t + 1];
    }
    if (t == 0)
        C[0] = s[0];
}
