// Two places trust lanes to be in step; between them they wait.
__global__ void unrolled_apart(const float *A, float *C)
{
    __shared__ float s[64];
    int t = threadIdx.x, mirror = t ^ 31;

    s[t] = A[t];
    __syncwarp();
    C[t] = s[mirror];
    s[t] = 1.0f;
    s[mirror] += 2.0f;
    __syncwarp();
    C[t] += s[mirror];
    s[t] = 3.0f;
    s[mirror] += 4.0f;
}
