__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    if (blockIdx.x * blockDim.x + threadIdx.x == 0)
        for (int i = 0; i < n; ++i)
            c[i] = a[i] + b[i];
}
void launch(const float *a, const float *b, float *c, int n)
{
    vector_add<<<(n + 255) / 256, 256>>>(a, b, c, n);
}
