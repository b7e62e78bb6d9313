// Behind each statement: what it loads, in the order in which nvcc does that.
struct vec {
    float x, y;
    float v[4];
};

__device__ float two(float x, float y)
{
    return x - y;
}

__device__ float three(float x, float y, float z)
{
    return x - y * z;
}

__global__ void load_order(float *a, float *b, float *c, float *d, int *x,
                           int *y, int *z, vec *s)
{
    int t = threadIdx.x;

    a[t] = b[t] + c[t] * d[t]; // b c d
    a[t] += b[t]; // b a
    a[t] -= b[t] - c[t]; // b c a
    x[t] <<= y[t] & 1; // y x
    a[t] = two(b[t], c[t]); // b c
    a[t] = three(b[t], c[t], d[t]); // b c d
    a[t] = three(b[t], c[t] + 1, *d); // b c d
    a[t] = three(b[x[t]], t, d[y[t]]); // x b y d
    a[t] = two(-b[t], c[t]); // b c
    a[t] = two((float)x[t], c[t]); // x c
    a[t] = two(x[t], y[t]); // x y
    a[t] = three(s->x, *b, s[x[t]].v[y[t] & 3]); // s b x y s
    a[t] = fmaf(b[t], c[t], d[t]); // b c d
    a[t] = min(x[t], y[t]); // x y
    a[t] = b[x[t]] + c[y[t]]; // x b y c
    a[x[t]] = b[y[t]]; // y b x
    a[x[t]] += b[y[t]]; // y b x a
    a[x[t]] += b[y[t]] * c[z[t]]; // y b z c x a
    a[x[y[t]]] *= b[t]; // b y x a
    *(a + x[t]) += *(b + y[t]); // y b x a
    s[x[t]].v[y[t] & 3] += b[t]; // b x y s
    a[x[t]]++; // x a
    a[t] = b[t] * two(c[t], d[t]); // b c d
    a[t] = b[t] + two(c[t], d[t] * s[t].x); // b c d s
    a[t] = b[t] < c[t]; // b c
    vec v = { b[t], c[t], { d[t] } }; // b c d
    a[t] = __shfl_down_sync(~0u, b[t], x[t]); // b x
    atomicAdd(&a[x[t]], b[y[t]]); // x y b a
    if (t < 32) a[x[t]] += two(b[t], v.x); // b x a
    a[t] = *(float *)(b + x[t]) + *reinterpret_cast<float *>(&c[y[t]]); // x b y c
}
