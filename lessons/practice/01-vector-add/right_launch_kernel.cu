template<int BLOCK> __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) *(c + i) = *(a + i) + *(b + i);
}
void launch(const float *a, const float *b, float *c, int n)
{
    void *args[] = { &a, &b, &c, &n };
    cudaLaunchKernel((const void *)vector_add<256>, dim3((n + 255) / 256), dim3(256), args, 0, 0);
}
