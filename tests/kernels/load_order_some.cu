// Threads of a warp that load not all of an expression from arrays: thread 1
// has no y there and thread 2 no b, each in a variable of its own.
__device__ float three(float x, float y, float z)
{
    return x - y * z;
}

__global__ void load_order_some(float *a, float *b, float *d, int *y)
{
    int t = threadIdx.x, none = 0;
    float nothing = 0;
    const int *to = t == 1 ? &none : &y[t];
    const float *from = t == 2 ? &nothing : &b[t];

    a[t] = three(*from, t, d[*to]); // b y d
}
