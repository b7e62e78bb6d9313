// A host that has no end, and is in the C library nearly all the time; with an
// argument it launches a kernel again and again instead.
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void add(int *to) { to[threadIdx.x] += 1; }

int main(int argc, char **)
{
    int *to;

    cudaMalloc(&to, 32 * sizeof(*to));
    cudaMemset(to, 0, 32 * sizeof(*to));
    for (size_t i = 0;; i++) {
        if (argc > 1)
            add<<<1, 32>>>(to);
        else
            free(realloc(malloc(i % 50000), i % 70001));
    }
}
