// shuffles: how kernels pass values from lane to lane, for shuffle_test.

// Two folds: of each warp, then of what the warps stored.
__global__ void sum(const int *in, int *out)
{
    __shared__ int part[8];
    int i = threadIdx.x;
    int v = in[i];

    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (i % 32 == 0)
        part[i / 32] = v;
    __syncthreads();
    if (i < 32) {
        v = i < 8 ? part[i] : 0;
        for (int d = 4; d > 0; d /= 2)
            v += __shfl_down_sync(0xffffffff, v, d);
        if (i == 0)
            out[0] = v;
    }
}

// A scan: lane l gets the sum of lanes 0 to l.
__global__ void scan(const int *in, int *out)
{
    int lane = threadIdx.x;
    int v = in[lane];

    for (int d = 1; d < 32; d *= 2) {
        int got = __shfl_up_sync(0xffffffff, v, d);

        if (lane >= d)
            v += got;
    }
    out[lane] = v;
}

// A butterfly: all lanes get the largest.
__global__ void largest(const float *in, float *out)
{
    int lane = threadIdx.x;
    float v = in[lane];

    for (int d = 16; d > 0; d >>= 1)
        v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
    out[lane] = v;
}

// Without a loop, and among 8 lanes.
__global__ void eights(const int *in, int *out)
{
    int lane = threadIdx.x % warpSize;
    int v = in[lane];

    v += __shfl_xor_sync(~0u, v, 4, 8);
    v += __shfl_xor_sync(~0u, v, 2, 8);
    v += __shfl_xor_sync(~0u, v, 1, 8);
    out[lane] = v;
}

// Each lane names the lane that it reads from.
__global__ void reversed(const int *in, int *out)
{
    int lane = threadIdx.x;
    int v = in[lane];
    int w = __shfl_sync(0xffffffff, v, 31 - lane);

    out[lane] = w;
}

// The values before the first shuffle are not what was loaded.
__global__ void changed(const int *in, int *out)
{
    int lane = threadIdx.x;
    int v = in[lane];

    v *= 3;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (lane == 0)
        out[0] = v;
}

// What is done with what is got is not understood.
__global__ void mixed(const int *in, int *out)
{
    int lane = threadIdx.x;
    int v = in[lane];

    for (int d = 16; d > 0; d /= 2)
        v = 2 * v - __shfl_down_sync(0xffffffff, v, d);
    out[lane] = v;
}
