/* Which memory addresses are in, and how instructions have them. */
#include <cstdio>

__constant__ int constants[4];
__device__ int variable[4];

__global__ void spaces(int *to)
{
    __shared__ int shared[4];
    int own[4] = { 1, 2, 3, 4 };
    const void *all[] = { to, variable, shared, own, constants };
    for (int i = 0; i < 5; i++)
        to[i] = __isGlobal(all[i]) | __isShared(all[i]) << 1 |
                __isLocal(all[i]) << 2 | __isConstant(all[i]) << 3;
    shared[1] = 7;
    int *same = (int *)__cvta_shared_to_generic(
        __cvta_generic_to_shared(&shared[1]));
    to[5] = *same;
    same = (int *)__cvta_global_to_generic(__cvta_generic_to_global(to));
    to[6] = same == to;
}

int main()
{
    static const int right[] = { 1, 1, 2, 4, 8, 7, 1 };
    int *to, host[7], wrong = 0;
    cudaMalloc(&to, sizeof(host));
    for (int i = 0; i < 3; i++)
        spaces<<<1, 1>>>(to);
    cudaMemcpy(host, to, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 7; i++)
        wrong += host[i] != right[i];
    printf("%d wrong\n", wrong);
    return cudaFree(to);
}
