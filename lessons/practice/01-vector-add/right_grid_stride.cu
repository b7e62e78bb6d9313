__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int threads = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += threads)
        c[i] = a[i] + b[i];
}

void launch(const float *a, const float *b, float *c, int n)
{
    vector_add<<<2, 256>>>(a, b, c, n);
}
