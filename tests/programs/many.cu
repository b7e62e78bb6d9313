/* Many launches of three kernels, one of which has two shapes. */
__global__ void one(int *p, int i)
{
    p[threadIdx.x] = i;
}

__global__ void two(int *p, int i)
{
    p[threadIdx.x] += i;
}

template <int N> __global__ void three(int *p)
{
    p[threadIdx.x] = N;
}

int main()
{
    int *p;
    cudaMalloc(&p, 256);
    for (int i = 0; i < 1000; i++) {
        one<<<1, 64>>>(p, i);
        two<<<dim3(1, 1), 32>>>(p, i);
        three<3><<<1, i < 600 ? 16 : 32>>>(p);
    }
    cudaDeviceSynchronize();
    return cudaFree(p);
}
