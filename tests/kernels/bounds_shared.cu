// As[300] would be an element of Bs.
__global__ void bounds_shared(const float *A, float *C)
{
    __shared__ float As[256];
    __shared__ float Bs[256];

    As[threadIdx.x] = A[threadIdx.x];
    Bs[threadIdx.x] = 0.0f;
    __syncthreads();
    C[threadIdx.x] = As[threadIdx.x + 45] + Bs[threadIdx.x];
}
