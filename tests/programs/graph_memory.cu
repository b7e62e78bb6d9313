// Memory that graphs allocate and free: by hand, captured, and used wrongly.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static int wrong;
#define SAME(got, want) same(__LINE__, (long long)(got), (long long)(want))
static void same(int line, long long got, long long want)
{
    if (got != want)
        printf("line %d: %lld, not %lld\n", line, got, want);
    wrong += got != want;
}

#define MB (1 << 20)

__global__ void fill(int *to, int value) { to[threadIdx.x] = value; }
__global__ void add(int *to, const int *from) { to[threadIdx.x] += from[threadIdx.x]; }

static uint64_t kept(cudaGraphMemAttributeType which)
{
    uint64_t bytes = 77;

    SAME(cudaDeviceGetGraphMemAttribute(0, which, &bytes), cudaSuccess);
    return bytes;
}

static cudaMemAllocNodeParams memory(size_t bytes)
{
    cudaMemAllocNodeParams p;

    memset(&p, 0, sizeof(p));
    p.bytesize = bytes;
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    return p;
}

// A graph of one allocation, which `frees` says to free, and its address.
static cudaGraphExec_t simple(bool frees, int **at, unsigned long long flags)
{
    cudaGraph_t graph;
    cudaGraphNode_t alloc, work, free;
    cudaGraphExec_t exec, second;
    cudaMemAllocNodeParams p = memory(MB);
    cudaKernelNodeParams k = {};
    int value = 5;
    void *arguments[] = { at, &value };

    SAME(cudaGraphCreate(&graph, 0), cudaSuccess);
    SAME(cudaGraphAddMemAllocNode(&alloc, graph, 0, 0, &p), cudaSuccess);
    *at = (int *)p.dptr;
    k.func = (void *)fill;
    k.gridDim = dim3(1);
    k.blockDim = dim3(32);
    k.kernelParams = arguments;
    SAME(cudaGraphAddKernelNode(&work, graph, &alloc, 1, &k), cudaSuccess);
    if (frees) {
        SAME(cudaGraphAddMemFreeNode(&free, graph, &work, 1, *at), cudaSuccess);
        // Twice in one graph, or what no graph allocates.
        SAME(cudaGraphAddMemFreeNode(&free, graph, &work, 1, *at),
             cudaErrorInvalidValue);
        SAME(cudaGraphAddMemFreeNode(&free, graph, &work, 1, &value),
             cudaErrorInvalidValue);
        cudaGetLastError();
    }
    SAME(cudaGraphInstantiate(&exec, graph, flags), cudaSuccess);
    // Its memory is one instance's, and no copy's.
    SAME(cudaGraphInstantiate(&second, graph, flags), cudaErrorInvalidValue);
    cudaGraph_t copy;
    SAME(cudaGraphClone(&copy, graph), cudaErrorInvalidValue);
    cudaGetLastError();
    SAME(cudaGraphDestroy(graph), cudaSuccess);
    return exec;
}

static void captured(cudaStream_t s)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *a, *b, got[32];

    SAME(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal), cudaSuccess);
    SAME(cudaMallocAsync(&a, 32 * sizeof(int), s), cudaSuccess);
    SAME(cudaMallocAsync(&b, 32 * sizeof(int), s), cudaSuccess);
    fill<<<1, 32, 0, s>>>(a, 3);
    fill<<<1, 32, 0, s>>>(b, 4);
    add<<<1, 32, 0, s>>>(b, a);
    SAME(cudaFreeAsync(a, s), cudaSuccess);
    SAME(cudaMemcpyAsync(got, b, sizeof(got), cudaMemcpyDeviceToHost, s),
         cudaSuccess);
    SAME(cudaFreeAsync(b, s), cudaSuccess);
    SAME(cudaStreamEndCapture(s, &graph), cudaSuccess);
    SAME(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    for (int i = 0; i < 3; i++) {
        got[0] = got[31] = 0;
        SAME(cudaGraphLaunch(exec, s), cudaSuccess);
        SAME(cudaStreamSynchronize(s), cudaSuccess);
        SAME(got[0], 7);
        SAME(got[31], 7);
    }
    SAME(cudaGraphExecDestroy(exec), cudaSuccess);
    SAME(cudaGraphDestroy(graph), cudaSuccess);
}

int main(int argc, char **argv)
{
    int how = argc > 1 ? atoi(argv[1]) : 0;
    cudaStream_t s;
    cudaGraphExec_t freeing, holding, automatic;
    int *a, *b, *c, got;
    uint64_t none = 0;

    cudaStreamCreate(&s);
    freeing = simple(true, &a, 0);
    holding = simple(false, &b, 0);
    automatic = simple(false, &c, cudaGraphInstantiateFlagAutoFreeOnLaunch);
    if (how == 1)
        fill<<<1, 32>>>(b, 1);
    if (how == 2) {
        cudaGraphLaunch(holding, s);
        cudaGraphLaunch(holding, s);
    }
    if (how == 3) {
        cudaGraphLaunch(freeing, s);
        cudaFree(a);
    }
    if (how == 4)
        cudaMemcpy(&got, b, sizeof(got), cudaMemcpyDeviceToHost);
    if (how == 5) {
        cudaGraphLaunch(freeing, s);
        fill<<<1, 32>>>(a, 1);
    }
    SAME(kept(cudaGraphMemAttrUsedMemCurrent), 0);
    for (int i = 0; i < 3; i++)
        SAME(cudaGraphLaunch(freeing, s), cudaSuccess);
    SAME(kept(cudaGraphMemAttrUsedMemCurrent), MB);
    SAME(cudaGraphLaunch(holding, s), cudaSuccess);
    SAME(kept(cudaGraphMemAttrUsedMemCurrent), MB);
    add<<<1, 32, 0, s>>>(b, b);
    SAME(cudaMemcpyAsync(&got, b + 31, sizeof(got), cudaMemcpyDeviceToHost, s),
         cudaSuccess);
    cudaStreamSynchronize(s);
    SAME(got, 10);
    for (int i = 0; i < 2; i++)
        SAME(cudaGraphLaunch(automatic, s), cudaSuccess);
    SAME(kept(cudaGraphMemAttrReservedMemHigh), 2 * MB);
    SAME(cudaFreeAsync(b, s), cudaSuccess);
    SAME(cudaFree(c), cudaSuccess);
    SAME(kept(cudaGraphMemAttrUsedMemCurrent), 2 * MB);
    SAME(cudaDeviceGraphMemTrim(0), cudaSuccess);
    SAME(kept(cudaGraphMemAttrUsedMemCurrent), 0);
    SAME(kept(cudaGraphMemAttrUsedMemHigh), 2 * MB);
    SAME(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &none),
         cudaSuccess);
    SAME(kept(cudaGraphMemAttrUsedMemHigh), 0);
    captured(s);
    cudaGraphExecDestroy(freeing);
    cudaGraphExecDestroy(holding);
    cudaGraphExecDestroy(automatic);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
