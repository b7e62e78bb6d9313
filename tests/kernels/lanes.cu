// Lanes that part and meet again: a branch, loops of different lengths, a
// function called from two places, continue, an early end.
__device__ float pick(const float *p, int i)
{
    return i % 2 ? p[i] : p[0];
}

__global__ void lanes(const float *A, float *C, int N)
{
    int tx = threadIdx.x;
    float sum = 0.0f;

    if (tx < 3)
        sum += A[tx];
    for (int i = 0; i < tx % 4; ++i)
        sum += A[i];
    if (tx < 16)
        sum += pick(A, tx);
    else
        sum += pick(A, tx + 1);
    for (int i = 0; i < 6; ++i) {
        if (i % 2 == tx % 2)
            continue;
        sum += A[i * N];
    }
    if (tx >= 30)
        return;
    C[tx] = sum;
}
