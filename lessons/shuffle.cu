// Sums of rows: a warp adds up a row, and its lanes pass what they have
// to each other, without shared memory and without a barrier.
//
// In row_sums all lanes stay, also where the row is shorter than a warp.
// In early_lanes those without a column of their own leave.

__global__ void row_sums(const float *A, float *C, int M, int N)
{
    int row = blockIdx.x;
    int lane = threadIdx.x;
    float sum = 0.0f;

    for (int col = lane; col < N; col += 32)
        sum += A[row * N + col];
    for (int by = 16; by > 0; by /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, by);
    if (lane == 0)
        C[row] = sum;
}

__global__ void early_lanes(const float *A, float *C, int M, int N)
{
    int row = blockIdx.x;
    int lane = threadIdx.x;
    float sum = 0.0f;

    if (lane >= N)
        return;
    for (int col = lane; col < N; col += 32)
        sum += A[row * N + col];
    for (int by = 16; by > 0; by /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, by);
    if (lane == 0)
        C[row] = sum;
}
