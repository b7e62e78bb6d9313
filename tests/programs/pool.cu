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

// Each of two devices has a pool of its own, and a stream allocates from its
// device's. To use another's takes the pool's leave ('p'): that of peers does not
// do.
static int devices(char how)
{
    cudaMemPool_t first, second, own;
    cudaMemPoolProps props = {};
    cudaMemAccessDesc access = {};
    cudaMemLocation at = {};
    cudaMemAccessFlags flags;
    cudaPointerAttributes what;
    cudaStream_t s;
    int *a, got = 0;

    SAME(cudaDeviceGetDefaultMemPool(&first, 0), cudaSuccess);
    SAME(cudaDeviceGetDefaultMemPool(&second, 1), cudaSuccess);
    SAME(first == second, false);
    cudaSetDevice(1);
    cudaStreamCreate(&s);
    cudaMallocAsync(&a, 400, s);
    cudaPointerGetAttributes(&what, a);
    SAME(what.device, 1);
    SAME(of(first, cudaMemPoolAttrUsedMemCurrent), 0);
    SAME(of(second, cudaMemPoolAttrUsedMemCurrent), 400);
    cudaStreamSynchronize(s);
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 2;
    SAME(cudaMemPoolCreate(&own, &props), cudaErrorInvalidValue);
    props.location.id = 1;
    SAME(cudaMemPoolCreate(&own, &props), cudaSuccess);
    SAME(cudaDeviceSetMemPool(0, own), cudaErrorInvalidValue);
    cudaGetLastError();
    access.location.type = at.type = cudaMemLocationTypeDevice;
    access.location.id = at.id = 0;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    SAME(cudaMemPoolGetAccess(&flags, second, &at), cudaSuccess);
    SAME(flags, cudaMemAccessFlagsProtNone);
    if (how == 'p')
        cudaMemPoolSetAccess(second, &access, 1);
    cudaSetDevice(0);
    cudaDeviceEnablePeerAccess(1, 0);
    fill<<<1, 64>>>(a, 100, 6);
    SAME(cudaMemcpy(&got, a + 99, sizeof(got), cudaMemcpyDeviceToHost),
         cudaSuccess);
    SAME(got, 6);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
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
    if (argc > 2)
        return devices(*argv[1]);
    if (argc > 1) {
        cudaIpcMemHandle_t handle;
        cudaMalloc(&a, 4);
        cudaIpcGetMemHandle(&handle, a);
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
    SAME(cudaMallocAsync(&a, 29 * MB, own, s), cudaErrorMemoryAllocation);
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
