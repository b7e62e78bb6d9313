// The same with a read in the loop.
__global__ void endless_reads(const float *A, float *C)
{
    float sum = 0.0f;

    while (sum < 1.0f)
        sum += A[threadIdx.x] * 0.0f;
    C[threadIdx.x] = sum;
}
