// A function that calls itself without end.
__device__ int deeper(int n)
{
    return n < 0 ? n : deeper(n + 1) + 1;
}

__global__ void endless_calls(const float *A, float *C, int N)
{
    C[0] = A[0] * (float)deeper(N);
}
