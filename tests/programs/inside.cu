/* Arrays that no parameter is: their pointers are in structures, in arrays, in
 * what a lambda captures. */
#include <cstdio>

struct Matrix {
    int width, height;
    float *elements;
};
struct Layer {
    const char *name;
    struct { Matrix w; float *bias[2]; } own;
};

__global__ void scale(Matrix a, Matrix b)
{
    int i = threadIdx.x;

    if (i < a.width * a.height)
        b.elements[i] = 2 * a.elements[i];
}

__global__ void layer(const Layer l, float *to)
{
    int i = threadIdx.x;

    to[i] = l.own.w.elements[i] + l.own.bias[0][i] + l.own.bias[1][i];
}

__global__ void batch(float **from, Matrix *to)
{
    int i = threadIdx.x;

    to[blockIdx.x].elements[i] = from[blockIdx.x][i];
}

template <class F>
__global__ void each(int n, F f)
{
    if (threadIdx.x < n)
        f(threadIdx.x);
}

static float *make(size_t n)
{
    float *made;

    cudaMallocManaged(&made, n * sizeof(float));
    for (size_t i = 0; i < n; i++)
        made[i] = 1;
    return made;
}

int main()
{
    Matrix a = { 8, 4, make(32) }, b = { 8, 4, make(32) }, *to;
    Layer l = { "first", { a, { make(32), make(32) } } };
    float **from, *x = make(32), *y = b.elements;

    cudaMallocManaged(&from, 2 * sizeof(float *));
    cudaMallocManaged(&to, 2 * sizeof(Matrix));
    from[0] = a.elements;
    from[1] = x;
    to[0] = b;
    to[1].elements = l.own.bias[0];
    scale<<<1, 32>>>(a, b);
    layer<<<1, 32>>>(l, x);
    batch<<<2, 32>>>(from, to);
    each<<<1, 32>>>(32, [=] __device__ (int i) { y[i] += x[i]; });
    cudaDeviceSynchronize();
    printf("%g\n", y[3]);
    float *all[] = { a.elements, b.elements, x, l.own.bias[0],
                     l.own.bias[1] };
    for (float *p : all)
        cudaFree(p);
    cudaFree(from);
    cudaFree(to);
    return 0;
}
