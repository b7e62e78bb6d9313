// Memory that is allocated in a stream's order, from the device's pool and from
// one's own.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

static int wrong;

#define SAME(got, want) same((uint64_t)(got), (uint64_t)(want), __LINE__)
static void same(uint64_t got, uint64_t want, int line)
{
    if (got != want && ++wrong)
        printf("line %d: %llu, not %llu\n", line, (unsigned long long)got,
               (unsigned long long)want);
}

static uint64_t of(cudaMemPool_t pool, cudaMemPoolAttr which)
{
    uint64_t value = ~0ull;

    SAME(cudaMemPoolGetAttribute(pool, which, &value), cudaSuccess);
    return value;
}

__global__ void fill(int *to, int n, int value)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        to[i] = value;
}

int main(int argc, char **argv)
{
    const uint64_t MB = 1 << 20;
    cudaMemPool_t pool, own, current;
    cudaMemPoolProps props = {};
    cudaStream_t s;
    int *a, *b, *c, got, there = 0, on = 5;
    uint64_t keep = UINT64_MAX;

    cudaStreamCreate(&s);
    if (argc > 1 && atoi(argv[1]) == 1) {
        cudaIpcMemHandle_t handle;
        cudaMalloc(&a, 4);
        cudaIpcGetMemHandle(&handle, a);
    } else if (argc > 1) {
        cudaGraph_t graph;
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaMallocAsync(&a, 4, s);
        cudaStreamEndCapture(s, &graph);
    }
    cudaDeviceGetAttribute(&there, cudaDevAttrMemoryPoolsSupported, 0);
    SAME(there, 1);
    SAME(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
    SAME(cudaDeviceGetDefaultMemPool(&current, 7), cudaErrorInvalidDevice);
    cudaGetLastError();
    SAME(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep),
         cudaSuccess);
    SAME(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic,
                                 &on), cudaSuccess);
    SAME(on, 1);
    cudaMallocAsync(&a, 40 * MB, s);
    cudaMallocAsync((void **)&b, 2 * MB, s);
    SAME(of(pool, cudaMemPoolAttrUsedMemCurrent), 42 * MB);
    SAME(of(pool, cudaMemPoolAttrReservedMemCurrent), 64 * MB);
    fill<<<1, 64, 0, s>>>(a, 1000, 7);
    fill<<<1, 64, 0, s>>>(b, 1000, 8);
    cudaMemcpyAsync(&got, a + 999, sizeof(got), cudaMemcpyDeviceToHost, s);
    cudaFreeAsync(a, s);
    cudaFreeAsync(b, s);
    cudaStreamSynchronize(s);
    SAME(got, 7);
    SAME(of(pool, cudaMemPoolAttrUsedMemCurrent), 0);
    SAME(of(pool, cudaMemPoolAttrUsedMemHigh), 42 * MB);
    SAME(of(pool, cudaMemPoolAttrReservedMemCurrent), 64 * MB);
    SAME(cudaMemPoolTrimTo(pool, 10 * MB), cudaSuccess);
    SAME(of(pool, cudaMemPoolAttrReservedMemCurrent), 32 * MB);
    SAME(cudaMemPoolTrimTo(pool, 0), cudaSuccess);
    SAME(of(pool, cudaMemPoolAttrReservedMemCurrent), 0);
    SAME(of(pool, cudaMemPoolAttrReservedMemHigh), 64 * MB);
    keep = 0;
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &keep);
    SAME(of(pool, cudaMemPoolAttrReservedMemHigh), 0);

    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    props.maxSize = 8 * MB;
    SAME(cudaMemPoolCreate(&own, &props), cudaSuccess);
    SAME(cudaMallocFromPoolAsync(&c, 4 * MB, own, s), cudaSuccess);
    SAME(cudaMallocAsync(&a, 8 * MB, own, s), cudaErrorMemoryAllocation);
    cudaGetLastError();
    SAME(of(own, cudaMemPoolAttrUsedMemCurrent), 4 * MB);
    SAME(of(pool, cudaMemPoolAttrUsedMemCurrent), 0);
    fill<<<1, 64, 0, s>>>(c, 10, 9);
    cudaMemcpyAsync(&got, c, sizeof(got), cudaMemcpyDeviceToHost, s);
    cudaFreeAsync(c, s);
    cudaStreamSynchronize(s);
    SAME(got, 9);
    SAME(of(own, cudaMemPoolAttrUsedMemCurrent), 0);
    SAME(cudaDeviceSetMemPool(0, own), cudaSuccess);
    SAME(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
    SAME(current == own, true);
    cudaMallocAsync(&a, MB, s);
    SAME(of(own, cudaMemPoolAttrUsedMemCurrent), MB);
    cudaFree(a);
    SAME(of(own, cudaMemPoolAttrUsedMemCurrent), 0);
    SAME(cudaMemPoolDestroy(own), cudaSuccess);
    cudaStreamDestroy(s);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
