// An integer division by zero.
__global__ void divide(const float *A, float *C, int N)
{
    C[0] = A[N / (int)threadIdx.y & 63];
}
