// vectors: structures that are stored as a function gives them, or copied.
__device__ float4 twice(float4 v)
{
    return make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
}

__global__ void vectors(const float4 *A, float4 *C)
{
    __shared__ double4 d[32];
    __shared__ int3 i[32];
    int t = threadIdx.x;

    C[t] = make_float4(t, 1, 2, 3);
    C[t + 32] = twice(make_float4(t, t, t, t));
    C[t + 64] = A[t];
    d[t] = make_double4(1, 2, 3, t);
    i[t] = make_int3(t, 5, 6);
    float4 v = C[t + 32];
    C[t].x = v.x + d[t].w + i[t].x;
}
