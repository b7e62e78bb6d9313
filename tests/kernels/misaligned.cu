// A float4 that begins at A[1].
__global__ void misaligned(const float *A, float *C)
{
    float4 v = *reinterpret_cast<const float4 *>(&A[1 + threadIdx.x]);

    C[threadIdx.x] = v.x + v.w;
}
