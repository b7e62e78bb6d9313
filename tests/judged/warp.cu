// Lanes of a warp: shuffles, votes and masks.
#include "judged.h"
#define ARRAYS const float *a, float *b
#define ALL 0xffffffffu

// Half a warp, and a mask of that half.
__global__ void half_and_its_mask(ARRAYS)
{
    int t = threadIdx.x;
    float v = a[t];
    if (t < 16)
        for (int d = 8; d; d /= 2) v += __shfl_xor_sync(0xffffu, v, d);
    b[t] = v;
}
__global__ void half_and_whole_mask(ARRAYS)
{
    int t = threadIdx.x;
    float v = a[t];
    if (t < 16)
        for (int d = 8; d; d /= 2) v += __shfl_xor_sync(ALL, v, d);
    b[t] = v;
}
// Reading beyond lane 31 gives a lane its own value, which nothing uses.
__global__ void down_past_the_end(ARRAYS)
{
    int t = threadIdx.x;
    float v = a[t];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(ALL, v, d);
    if (t == 0) b[0] = v;
    if (t) b[t] = 0;
}
// The mask names 16 lanes; 32 call.
__global__ void caller_not_in_mask(ARRAYS)
{
    int t = threadIdx.x;
    float v = a[t];
    v += __shfl_down_sync(0xffffu, v, 8);
    b[t] = v;
}
// Reads from a lane that takes no part.
__global__ void from_a_lane_outside(ARRAYS)
{
    int t = threadIdx.x;
    float v = a[t];
    if (t < 16) v = __shfl_sync(0xffffu, v, t + 16);
    b[t] = v;
}
// Within 16 lanes: t + 16 is lane t of them.
__global__ void lane_within_width(ARRAYS)
{
    int t = threadIdx.x;
    float v = a[t];
    if (t < 16) v = __shfl_sync(0xffffu, v, t + 16, 16);
    b[t] = v;
}
// Lanes exchange through shared memory, each step ordered.
__global__ void tree_with_syncwarp(ARRAYS)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncwarp();
    for (int d = 16; d; d /= 2) {
        float v = t < d ? s[t + d] : 0;
        __syncwarp();
        if (t < d) s[t] += v;
        __syncwarp();
    }
    b[t] = s[0];
}
// As before Volta: lanes were in step then.
__global__ void tree_in_lockstep(ARRAYS)
{
    __shared__ volatile float s[32];
    int t = threadIdx.x;
    s[t] = a[t];
    for (int d = 16; d; d /= 2)
        if (t < d) s[t] += s[t + d];
    b[t] = s[0];
}
// A vote of the lanes that are in the branch, and the mask of these.
__global__ void vote_of_those_here(ARRAYS)
{
    int t = threadIdx.x;
    unsigned those = __ballot_sync(ALL, a[t] > 0);
    float v = 0;
    if (those >> t & 1) v = __popc(__ballot_sync(those, a[t] > 1));
    b[t] = v;
}
__global__ void vote_of_all_in_branch(ARRAYS)
{
    int t = threadIdx.x;
    float v = 0;
    if (a[t] > 0) v = __popc(__ballot_sync(ALL, a[t] > 1));
    b[t] = v;
}
// Those that have returned need not come.
__global__ void after_a_return(ARRAYS)
{
    int t = threadIdx.x;
    if (t >= 16) return;
    b[t] = __shfl_xor_sync(0xffffu, a[t], 1);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    float *a = filled_array<float>(32, 1), *b = unset_array<float>(32);
    RUN(half_and_its_mask, 1, 32, a, b);
    RUN(half_and_whole_mask, 1, 32, a, b);
    RUN(down_past_the_end, 1, 32, a, b);
    RUN(caller_not_in_mask, 1, 32, a, b);
    RUN(from_a_lane_outside, 1, 32, a, b);
    RUN(lane_within_width, 1, 32, a, b);
    RUN(tree_with_syncwarp, 1, 32, a, b);
    RUN(tree_in_lockstep, 1, 32, a, b);
    RUN(vote_of_those_here, 1, 32, a, b);
    RUN(vote_of_all_in_branch, 1, 32, a, b);
    RUN(after_a_return, 1, 32, a, b);
    return end_program(a, b);
}
