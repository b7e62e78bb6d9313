// A stencil: each block has a row of its elements, and three beyond each end.
__global__ void halo(const float *in, float *out, int n)
{
    __shared__ float row[128 + 6];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    row[threadIdx.x + 3] = in[i];
    if (threadIdx.x < 3) {
        row[threadIdx.x] = i >= 3 ? in[i - 3] : 0;
        row[threadIdx.x + 131] = i + 128 < n ? in[i + 128] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 7; ++k)
        sum += row[threadIdx.x + k];
    out[i] = sum;
}

int main()
{
    float *in, *out;

    cudaMalloc(&in, 512 * sizeof(float));
    cudaMalloc(&out, 512 * sizeof(float));
    cudaMemset(in, 0, 512 * sizeof(float));
    halo<<<4, 128>>>(in, out, 512);
    return cudaDeviceSynchronize();
}
