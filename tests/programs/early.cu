// Launches that may start while the one before them ends: each waits for that
// in words of CUDA's or in PTX, and adds to what the one before has left.
#include <cuda_runtime.h>
#include <stdio.h>

#define THREADS 64

__global__ void in_words(int *sums)
{
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
    sums[threadIdx.x] += 1;
}

__global__ void in_ptx(int *sums)
{
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
    sums[threadIdx.x] += 2;
}

static cudaError_t launch(void (*kernel)(int *), int *sums)
{
    cudaLaunchAttribute early = {};
    cudaLaunchConfig_t config = {};

    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = 1;
    config.blockDim = THREADS;
    config.attrs = &early;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, sums);
}

int main()
{
    int *sums, wrong = 0;

    cudaMallocManaged(&sums, THREADS * sizeof(*sums));
    cudaMemset(sums, 0, THREADS * sizeof(*sums));
    for (int i = 0; i < 3; i++) {
        wrong += launch(in_words, sums) != cudaSuccess;
        wrong += launch(in_ptx, sums) != cudaSuccess;
    }
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < THREADS; i++)
        wrong += sums[i] != 9;
    printf("%d wrong\n", wrong);
    cudaFree(sums);
    return wrong != 0;
}
