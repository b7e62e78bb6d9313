// More warps than a trace holds.
#include <cstdio>

__global__ void few(int *x)
{
    if (blockIdx.x == 2199999)
        *x = 7;
}

int main()
{
    int *d, h = 0;

    cudaMalloc(&d, sizeof(h));
    few<<<2200000, 1>>>(d);
    cudaMemcpy(&h, d, sizeof(h), cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%d\n", h);
}
