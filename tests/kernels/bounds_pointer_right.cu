// Pointers into a thread's arrays that stay where they may go.
struct parts {
    float *to;
    float own[4];
};

__device__ void fill(float *p, int n)
{
    for (int i = 0; i < n; ++i)
        p[i] = (float)i;
}

__device__ void fill_down(float *end, int n)
{
    for (int i = 1; i <= n; ++i)
        end[-i] = (float)i;
}

__device__ void fill_all(parts *p, float **list)
{
    for (int i = 0; i < 4; ++i) {
        p->to[i] = 1.0f;
        p->own[i] = 2.0f;
        list[0][i] += 3.0f;
        *list[1] += 4.0f;
    }
}

// The right side of an assignment is a variable whose address is known.
__device__ void parts_of(float x, float *whole, float *rest)
{
    *whole = floorf(x);
    *rest = x - *whole;
}

__device__ float sum_of_parts(float x)
{
    float whole, rest, &same = rest, sums[2], *to = sums;

    parts_of(x, &whole, &rest);
    sums[0] = whole;
    sums[1] = same;
    sums[0] += rest;
    to[1] = whole;
    to[1] *= whole;
    return sums[0] + sums[1];
}

__global__ void bounds_pointer_right(const float *A, float *C)
{
    float a[4], b[4], rows[2][4];
    parts own = { a, {} };
    float *list[2] = { a, b }, *p = a;
    int t = threadIdx.x;

    fill(a, 4);
    fill(b, 4);
    fill(rows[0], 8);
    fill_down(a + 4, 4);
    fill_down(b + 4, 4);
    fill_all(&own, list);
    for (p = a; p != a + 4; ++p)
        p[0] += A[t];
    p[-1] = p[-2];
    p = &b[0];
    p[3] += rows[1][3];
    list[t % 2][1] = own.to[t % 4];
    C[t] = a[0] + b[3] + own.own[1] + sum_of_parts(A[t]);
}
