// Guards and indices at the ends of arrays.
#include "judged.h"
#define ARRAYS const float *a, float *b, int n
#define INDEX int i = blockIdx.x * blockDim.x + threadIdx.x

// One comparison for both ends: an index below 0 is a large number.
__global__ void unsigned_guard(ARRAYS)
{
    INDEX;
    float v = (unsigned)(i - 1) < (unsigned)n ? a[i - 1] : 0;
    if (i < n) b[i] = v;
}
__global__ void guard_at_most(ARRAYS)
{
    INDEX;
    if (i <= n) b[i] = a[i];
}
// The index is held to the array; what it reads there is not used.
__global__ void clamped_index(ARRAYS)
{
    INDEX;
    float v = a[i < n ? i : n - 1];
    if (i < n) b[i] = v;
}
__global__ void neighbour_of_last(ARRAYS)
{
    INDEX;
    if (i < n) b[i] = a[i] + a[i + 1];
}
// The pointer stands within the array: what is before it is, too.
__global__ void index_below_zero(ARRAYS)
{
    INDEX;
    const float *middle = a + n / 2;
    if (i < n) b[i] = middle[i - n / 2];
}
__global__ void neighbour_before_first(ARRAYS)
{
    INDEX;
    if (i < n) b[i] = a[i] - a[i - 1];
}
// More blocks than needed: those return.
__global__ void grid_too_large(ARRAYS)
{
    INDEX;
    if (i >= n) return;
    b[i] = a[i];
}
__global__ void guard_with_or(ARRAYS)
{
    INDEX;
    if (i < n || a != b) b[i] = a[i];
}
// A row that runs over its end runs into the next one: flat on purpose.
__global__ void flat_through_rows(ARRAYS)
{
    __shared__ float s[4][8];
    int t = threadIdx.x;
    (&s[0][0])[t % 32] = t < n ? a[t] : 0;
    __syncthreads();
    if (t < 32 && t < n) b[t] = (&s[0][0])[31 - t];
}
// The halo has one element on the left, none on the right.
__global__ void half_a_halo(ARRAYS)
{
    __shared__ float s[33];
    INDEX;
    int t = threadIdx.x + 1;
    s[t] = i < n ? a[i] : 0;
    if (threadIdx.x == 0) s[0] = i > 0 ? a[i - 1] : 0;
    __syncthreads();
    if (i < n) b[i] = s[t - 1] + s[t] + s[t + 1];
}
__global__ void whole_halo(ARRAYS)
{
    __shared__ float s[34];
    INDEX;
    int t = threadIdx.x + 1;
    s[t] = i < n ? a[i] : 0;
    if (threadIdx.x == 0) s[0] = i > 0 && i - 1 < n ? a[i - 1] : 0;
    if (threadIdx.x == 31) s[33] = i + 1 < n ? a[i + 1] : 0;
    __syncthreads();
    if (i < n) b[i] = s[t - 1] + s[t] + s[t + 1];
}
// An unsigned number is never below 0.
__global__ void unsigned_down(ARRAYS)
{
    float sum = 0;
    for (unsigned i = 31; i >= 0; i--) {
        sum += a[i];
        if (sum > 1e30f) break;
    }
    b[threadIdx.x % 32] = sum + n;
}
// Signed, it is: the loop ends.
__global__ void signed_down(ARRAYS)
{
    INDEX;
    float sum = 0;
    for (int k = 31; k >= 0; k--) sum += a[k];
    if (i < n) b[i] = sum;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const int n = 100;
    float *a = filled_array<float>(n, 1), *b = unset_array<float>(n);
    RUN(unsigned_guard, 4, 32, a, b, n);
    RUN(guard_at_most, 4, 32, a, b, n);
    RUN(clamped_index, 4, 32, a, b, n);
    RUN(neighbour_of_last, 4, 32, a, b, n);
    RUN(index_below_zero, 4, 32, a, b, n);
    RUN(neighbour_before_first, 4, 32, a, b, n);
    RUN(grid_too_large, 9, 32, a, b, n);
    RUN(guard_with_or, 4, 32, a, b, n);
    RUN(flat_through_rows, 1, 32, a, b, n);
    RUN(half_a_halo, 4, 32, a, b, n);
    RUN(whole_halo, 4, 32, a, b, n);
    RUN(unsigned_down, 1, 32, a, b, n);
    RUN(signed_down, 4, 32, a, b, n);
    return end_program(a, b);
}
