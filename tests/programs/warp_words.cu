// What threads learn of each other, a kernel a word, held to what CUDA's
// documents say: two warps, of whose second lanes 0 .. 7 take part.
#include <cstdio>
#include <cuda_runtime.h>

#define WORD(name, ...) \
    __global__ void name(int *wrong) \
    { \
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32; \
        const unsigned mask = warp ? 0xff : 0xffffffff; \
        const bool in = mask >> lane & 1; \
        const int lanes = warp ? 8 : 32, last = lanes - 1; \
        bool right = true; \
        __VA_ARGS__ \
        if (!right) \
            wrong[0] = 1; \
    }

WORD(reduce_add, if (in) right = __reduce_add_sync(mask, -lane) ==
                                 -last * lanes / 2;)
WORD(reduce_min, if (in) right = __reduce_min_sync(mask, lane - 5) == -5;)
WORD(reduce_max, if (in) right = __reduce_max_sync(mask, lane - 40) ==
                                 last - 40;)
WORD(reduce_max_unsigned, if (in) right =
     __reduce_max_sync(mask, unsigned(lane - 1)) == 0xffffffff;)
WORD(reduce_add_wraps, if (in) right =
     __reduce_add_sync(mask, 0x80000001u) == unsigned(lanes);)
WORD(reduce_and, if (in) right = __reduce_and_sync(mask, ~0u << lane) ==
                                 ~0u << last;)
WORD(reduce_or, if (in) right = __reduce_or_sync(mask, 1u << lane) == mask;)
WORD(reduce_xor, if (in) right = __reduce_xor_sync(mask, lane == 3 ? 5u : 0) ==
                                 5;)
WORD(match_any, if (in) right = __match_any_sync(mask, lane % 4) ==
                                (mask & 0x11111111u << lane % 4);)
WORD(match_any_double, if (in) right =
     __match_any_sync(mask, lane ? 0.0 : -0.0) == (lane ? mask & ~1u : 1);)
WORD(match_all, int all = 7; if (in) {
     right = __match_all_sync(mask, 1ull << 40, &all) == mask && all == 1;
     right = right && __match_all_sync(mask, lane, &all) == 0 && all == 0; })
WORD(syncthreads_count, for (int i = 0; i < 3; i++)
     right = right && __syncthreads_count(int(threadIdx.x) < 40 + i) == 40 + i;)
WORD(syncthreads_and, right = __syncthreads_and(1) && __syncthreads_and(-4) &&
                              !__syncthreads_and(threadIdx.x != 63);)
WORD(syncthreads_or, right = !__syncthreads_or(0) &&
                             __syncthreads_or(threadIdx.x == 33 ? 256 : 0);)
WORD(syncthreads_ended, if (threadIdx.x >= 48) return;
     right = __syncthreads_count(1) == 48 && __syncthreads_and(1);)
WORD(fns, right = __fns(0x90, 0, 1) == 4 && __fns(0x90, 4, 2) == 7 &&
                  __fns(0x90, 31, -1) == 7 && __fns(0x90, 7, 0) == 7 &&
                  __fns(0x90, 3, 0) == 0xffffffff &&
                  __fns(0x90, 5, 2) == 0xffffffff;)
WORD(clocks, long long before = clock64(); right = clock() > before;
     __nanosleep(10);)
WORD(shared_address, __shared__ int s[4]; if (threadIdx.x == 0) s[3] = 5;
     __syncthreads();
     right = *(int *)__cvta_shared_to_generic(
                 __cvta_generic_to_shared(&s[3])) == 5;)

__global__ void atomics(int *wrong, unsigned short *small, long long *large,
                        float4 *four)
{
    unsigned short old = 0, was;

    do {
        was = old;
        old = atomicCAS(small, was, (unsigned short)(was + 1));
    } while (old != was);
    atomicMin(&large[0], -(long long)threadIdx.x);
    atomicMax(&large[1], 1ll << threadIdx.x % 32);
    atomicAdd(four, make_float4(1, 2, 3, threadIdx.x));
    __syncthreads();
    if (atomicCAS(small, 64, 64) != 64 || large[0] != -63 || large[1] != 1ll << 31 ||
        four->x != 64 || four->y != 128 || four->z != 192 || four->w != 2016)
        *wrong = 1;
}

static int *wrong;

static int failed(const char *name)
{
    int host = -1;

    cudaMemcpy(&host, wrong, sizeof(host), cudaMemcpyDeviceToHost);
    if (host)
        printf("wrong: %s\n", name);
    cudaMemset(wrong, 0, sizeof(*wrong));
    return host != 0;
}

#define TRY(name) name<<<1, 64>>>(wrong), count += failed(#name);

int main()
{
    int count = 0;
    void *to;

    cudaMalloc(&wrong, sizeof(*wrong));
    cudaMalloc(&to, 64);
    cudaMemset(wrong, 0, sizeof(*wrong));
    cudaMemset(to, 0, 64);
    TRY(reduce_add) TRY(reduce_min) TRY(reduce_max) TRY(reduce_max_unsigned)
    TRY(reduce_add_wraps) TRY(reduce_and) TRY(reduce_or) TRY(reduce_xor)
    TRY(match_any) TRY(match_any_double) TRY(match_all)
    TRY(syncthreads_count) TRY(syncthreads_and) TRY(syncthreads_or)
    TRY(syncthreads_ended) TRY(fns) TRY(clocks) TRY(shared_address)
    atomics<<<1, 64>>>(wrong, (unsigned short *)to, (long long *)to + 2,
                       (float4 *)to + 2);
    count += failed("atomics");
    printf("%d wrong\n", count);
    cudaFree(to);
    cudaFree(wrong);
    return count != 0;
}
