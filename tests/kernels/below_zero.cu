// Each of the first threads is far outside an array: by an unsigned index that
// went below 0, or, the last, by a large one.
__global__ void below_zero(const float *A, float *C, int n)
{
    __shared__ float s[64], t[8][8];
    unsigned none = threadIdx.x - threadIdx.x;
    unsigned one = none + 1;
    const float *from = s + 8;

    s[threadIdx.x] = 0;
    t[threadIdx.x / 8][threadIdx.x % 8] = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        C[0] = s[none - 1];
    else if (threadIdx.x == 1)
        C[1] = A[one - 2];
    else if (threadIdx.x == 2)
        C[2] = t[none - 1][none];
    else if (threadIdx.x == 3)
        C[3] = t[one][none - 1];
    else if (threadIdx.x == 4)
        C[4] = from[one - 2];
    else if (threadIdx.x == 5)
        C[(1ull << 40) + one] = 0;
    else
        C[threadIdx.x] = A[threadIdx.x] + s[threadIdx.x - 1];
}
