// Arrays of a thread, left through a pointer: r has no r[4].
__device__ void fill(float p[4], int n)
{
    for (int i = 0; i < n; ++i)
        p[i] = (float)i;
}

template <int N> __device__ void fill_rows(float (&rows)[2][N], int n)
{
    for (int i = 0; i < n; ++i)
        rows[i / N][i % N] = 1.0f;
}

__global__ void bounds_pointer(const float *A, float *C)
{
    float before[4] = {}, r[4] = {}, tile[2][2] = {}, after[4] = {};
    float *q = r + 1;
    int t = threadIdx.x;

    if (t == 0)
        fill(r, 6);
    if (t == 1)
        fill_rows(tile, 5);
    if (t == 2)
        q[A ? -2 : 0] = 1.0f;
    C[t] = before[t & 3] + r[t & 3] + tile[t & 1][0] + after[t & 3];
}
