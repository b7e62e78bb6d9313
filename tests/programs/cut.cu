// More than there is time for, by blocks that wait for each other.
#include <cooperative_groups.h>
__global__ void k(unsigned *to) {
    for (int round = 0; round < 1000; round++) {
        for (unsigned i = 0; i < 100; i++)
            to[blockIdx.x * blockDim.x + threadIdx.x] += i;
        cooperative_groups::this_grid().sync();
    }
}
int main() {
    unsigned *to;
    void *with[] = { &to };
    cudaMalloc(&to, 96 * 1024 * sizeof(*to));
    cudaMemset(to, 0, 96 * 1024 * sizeof(*to));
    cudaLaunchCooperativeKernel((void *)k, 96, 1024, with, 0, 0);
    cudaDeviceSynchronize();
}
