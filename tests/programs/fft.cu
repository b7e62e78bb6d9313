// cuFFT's plans and transforms, held to the sums that define them: each type,
// one to three dimensions, batches, strides, in place and not, streams.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cufft.h>
#include <cufftXt.h>

typedef std::complex<double> number;
typedef std::vector<number> numbers;

static int wrong;

static void good(cufftResult r, int line)
{
    if (r != CUFFT_SUCCESS) {
        printf("line %d: %d\n", line, r);
        wrong++;
    }
}
#define GOOD(call) good(call, __LINE__)

static double random_number()
{
    static unsigned seed = 1;

    seed = seed * 1103515245 + 12345;
    return (seed >> 8 & 0xffff) / 32768.0 - 1;
}

// The transform of a box of n0 x n1 x n2, by its definition.
static numbers defined(const numbers &x, int n0, int n1, int n2, int sign)
{
    numbers to(x.size());

    for (int a = 0; a < n0; a++)
        for (int b = 0; b < n1; b++)
            for (int c = 0; c < n2; c++)
                for (int i = 0; i < n0; i++)
                    for (int j = 0; j < n1; j++)
                        for (int k = 0; k < n2; k++)
                            to[(a * n1 + b) * n2 + c] +=
                                x[(i * n1 + j) * n2 + k] *
                                std::polar(1.0, sign * 2 * M_PI *
                                           (double(a * i % n0) / n0 +
                                            double(b * j % n1) / n1 +
                                            double(c * k % n2) / n2));
    return to;
}

static void same(number got, number want, double scale, double eps, int line)
{
    if (!(std::abs(got - want) <= eps * scale) && ++wrong < 20)
        printf("line %d: %g%+gi, not %g%+gi\n", line, got.real(), got.imag(),
               want.real(), want.imag());
}

template <class T> struct device {
    T *p;
    size_t n;
    device(size_t n) : n(n) { cudaMalloc(&p, n * sizeof(T)); }
    device(const std::vector<T> &x) : device(x.size())
    { cudaMemcpy(p, x.data(), n * sizeof(T), cudaMemcpyHostToDevice); }
    ~device() { cudaFree(p); }
    std::vector<T> get()
    {
        std::vector<T> x(n);
        cudaMemcpy(x.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
        return x;
    }
};

// The functions of one precision.
struct single {
    typedef float R;
    typedef cufftComplex C;
    enum { c2c = CUFFT_C2C, r2c = CUFFT_R2C, c2r = CUFFT_C2R };
    static cufftResult cc(cufftHandle p, C *i, C *o, int d)
    { return cufftExecC2C(p, i, o, d); }
    static cufftResult rc(cufftHandle p, R *i, C *o)
    { return cufftExecR2C(p, i, o); }
    static cufftResult cr(cufftHandle p, C *i, R *o)
    { return cufftExecC2R(p, i, o); }
    static constexpr double eps = 1e-6;
};
struct twice {
    typedef double R;
    typedef cufftDoubleComplex C;
    enum { c2c = CUFFT_Z2Z, r2c = CUFFT_D2Z, c2r = CUFFT_Z2D };
    static cufftResult cc(cufftHandle p, C *i, C *o, int d)
    { return cufftExecZ2Z(p, i, o, d); }
    static cufftResult rc(cufftHandle p, R *i, C *o)
    { return cufftExecD2Z(p, i, o); }
    static cufftResult cr(cufftHandle p, C *i, R *o)
    { return cufftExecZ2D(p, i, o); }
    static constexpr double eps = 1e-13;
};

static cufftResult plan_of(cufftHandle *p, int n0, int n1, int n2, int type)
{
    if (n0 > 1)
        return cufftPlan3d(p, n0, n1, n2, (cufftType)type);
    if (n1 > 1)
        return cufftPlan2d(p, n1, n2, (cufftType)type);
    return cufftPlan1d(p, n2, (cufftType)type, 1);
}

template <class C> static number of(const C &c) { return number(c.x, c.y); }

template <class S> static void complex_box(int n0, int n1, int n2)
{
    typedef typename S::C C;
    numbers x(n0 * n1 * n2);
    std::vector<C> from(x.size());
    cufftHandle p;

    for (size_t i = 0; i < x.size(); i++) {
        from[i].x = random_number();
        from[i].y = random_number();
        x[i] = of(from[i]);
    }
    GOOD(plan_of(&p, n0, n1, n2, S::c2c));
    for (int sign = -1; sign <= 1; sign += 2) {
        numbers want = defined(x, n0, n1, n2, sign);
        device<C> in(from), out(x.size());

        GOOD(S::cc(p, in.p, out.p, sign));
        GOOD(S::cc(p, in.p, in.p, sign));
        for (size_t i = 0; i < x.size(); i++) {
            same(of(out.get()[i]), want[i], x.size(), S::eps, __LINE__);
            same(of(in.get()[i]), want[i], x.size(), S::eps, __LINE__);
        }
    }
    GOOD(cufftDestroy(p));
}

// There and back, out of place and in it, where rows are longer.
template <class S> static void real_box(int n0, int n1, int n2)
{
    typedef typename S::C C;
    typedef typename S::R R;
    int half = n2 / 2 + 1, rows = n0 * n1;
    numbers x(rows * n2);
    std::vector<R> from(x.size()), padded(rows * half * 2);
    cufftHandle there, back;

    for (size_t i = 0; i < x.size(); i++) {
        from[i] = random_number();
        padded[i / n2 * 2 * half + i % n2] = from[i];
        x[i] = from[i];
    }
    GOOD(plan_of(&there, n0, n1, n2, S::r2c));
    GOOD(plan_of(&back, n0, n1, n2, S::c2r));
    numbers want = defined(x, n0, n1, n2, -1);
    device<R> in(from), in_place(padded), again(x.size());
    device<C> out(rows * half);

    GOOD(S::rc(there, in.p, out.p));
    GOOD(S::rc(there, in_place.p, (C *)in_place.p));
    std::vector<C> got = out.get();
    std::vector<R> got_in_place = in_place.get();
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < half; k++) {
            int at = r * half + k;

            same(of(got[at]), want[r * n2 + k], x.size(), S::eps, __LINE__);
            same(number(got_in_place[2 * at], got_in_place[2 * at + 1]),
                 want[r * n2 + k], x.size(), S::eps, __LINE__);
        }
    GOOD(S::cr(back, out.p, again.p));
    GOOD(S::cr(back, (C *)in_place.p, in_place.p));
    got_in_place = in_place.get();
    std::vector<R> got_again = again.get();
    for (size_t i = 0; i < x.size(); i++) {
        number n = x[i] * double(x.size());

        same(got_again[i], n, x.size(), S::eps, __LINE__);
        same(got_in_place[i / n2 * 2 * half + i % n2], n, x.size(), S::eps,
             __LINE__);
    }
    GOOD(cufftDestroy(there));
    GOOD(cufftDestroy(back));
}

// Columns of a matrix: stride and distance.
static void columns(int rows, int count)
{
    std::vector<cufftComplex> from(rows * count);
    cufftHandle p;
    cudaStream_t s;
    int n[] = { rows }, embed[] = { rows };

    for (cufftComplex &c : from) {
        c.x = random_number();
        c.y = random_number();
    }
    GOOD(cufftPlanMany(&p, 1, n, embed, count, 1, embed, 1, rows, CUFFT_C2C,
                       count));
    cudaStreamCreate(&s);
    GOOD(cufftSetStream(p, s));
    device<cufftComplex> in(from), out(from.size());
    GOOD(cufftExecC2C(p, in.p, out.p, CUFFT_INVERSE));
    cudaStreamSynchronize(s);
    std::vector<cufftComplex> got = out.get();
    for (int c = 0; c < count; c++) {
        numbers x(rows);

        for (int r = 0; r < rows; r++)
            x[r] = of(from[r * count + c]);
        numbers want = defined(x, 1, 1, rows, 1);
        for (int r = 0; r < rows; r++)
            same(of(got[c * rows + r]), want[r], rows, 1e-6, __LINE__);
    }
    GOOD(cufftDestroy(p));
    cudaStreamDestroy(s);
}

// Batches of real transforms in a plan that is made step by step.
static void batch(int n, int count)
{
    int half = n / 2 + 1;
    std::vector<double> from(n * count);
    cufftHandle p;
    size_t bytes = 0, other = 0;

    for (double &v : from)
        v = random_number();
    GOOD(cufftCreate(&p));
    GOOD(cufftMakePlan1d(p, n, CUFFT_D2Z, count, &bytes));
    GOOD(cufftGetSize(p, &other));
    wrong += bytes == 0 || other != bytes;
    device<double> in(from);
    device<cufftDoubleComplex> out(half * count);
    GOOD(cufftExecD2Z(p, in.p, out.p));
    std::vector<cufftDoubleComplex> got = out.get();
    for (int b = 0; b < count; b++) {
        numbers x(from.begin() + b * n, from.begin() + (b + 1) * n);
        numbers want = defined(x, 1, 1, n, -1);

        for (int k = 0; k < half; k++)
            same(of(got[b * half + k]), want[k], n, 1e-13, __LINE__);
    }
    GOOD(cufftDestroy(p));
}

__global__ void filter(cufftComplex *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] = cuCmulf(x[i], make_cuComplex(0, 1.0f / n));
}

// A kernel between two transforms: x times i.
static void filtered(int n)
{
    std::vector<cufftComplex> from(n);
    cufftHandle p;

    for (int i = 0; i < n; i++)
        from[i] = make_cuComplex(i % 5 - 2, i % 3);
    GOOD(cufftPlan1d(&p, n, CUFFT_C2C, 1));
    device<cufftComplex> x(from);
    GOOD(cufftExecC2C(p, x.p, x.p, CUFFT_FORWARD));
    filter<<<(n + 63) / 64, 64>>>(x.p, n);
    GOOD(cufftExecC2C(p, x.p, x.p, CUFFT_INVERSE));
    cudaDeviceSynchronize();
    std::vector<cufftComplex> got = x.get();
    for (int i = 0; i < n; i++)
        same(of(got[i]), of(from[i]) * number(0, 1), 4, 1e-6, __LINE__);
    GOOD(cufftDestroy(p));
}

// Elements that the program itself loads and stores.
__device__ cufftComplex from_shorts(void *in, size_t at, void *scale, void *)
{
    const short2 *s = (const short2 *)in;
    float by = *(const float *)scale;

    return make_cuComplex(s[at].x * by, s[at].y * by);
}
__device__ cufftCallbackLoadC loads = from_shorts;
__device__ void as_parts(void *out, size_t at, cufftComplex v, void *, void *)
{
    float *to = (float *)out;

    to[2 * at] = v.y;
    to[2 * at + 1] = v.x;
}
__device__ cufftCallbackStoreC stores = as_parts;

static void called(int n)
{
    std::vector<short2> from(n);
    std::vector<float> scale(1, 0.25f);
    numbers x(n);
    cufftHandle p;
    cufftCallbackLoadC load;
    cufftCallbackStoreC store;
    long long length = n;
    size_t bytes;

    for (int i = 0; i < n; i++) {
        from[i] = make_short2(i % 7, -i % 4);
        x[i] = number(from[i].x * 0.25, from[i].y * 0.25);
    }
    device<short2> in(from);
    device<cufftComplex> out(n);
    device<float> by(scale);
    GOOD(cufftCreate(&p));
    GOOD(cufftXtMakePlanMany(p, 1, &length, NULL, 1, 1, CUDA_C_32F, NULL, 1, 1,
                             CUDA_C_32F, 1, &bytes, CUDA_C_32F));
    cudaMemcpyFromSymbol(&load, loads, sizeof(load));
    cudaMemcpyFromSymbol(&store, stores, sizeof(store));
    GOOD(cufftXtSetCallback(p, (void **)&load, CUFFT_CB_LD_COMPLEX,
                            (void **)&by.p));
    GOOD(cufftXtSetCallback(p, (void **)&store, CUFFT_CB_ST_COMPLEX, NULL));
    GOOD(cufftExecC2C(p, (cufftComplex *)in.p, out.p, CUFFT_FORWARD));
    numbers want = defined(x, 1, 1, n, -1);
    std::vector<cufftComplex> got = out.get();
    for (int i = 0; i < n; i++)
        same(number(got[i].y, got[i].x), want[i], n, 1e-6, __LINE__);
    GOOD(cufftDestroy(p));
}

int main(int argc, char **argv)
{
    cufftHandle p;

    if (argc > 1) {
        device<cufftComplex> small(100);
        static cufftComplex own[128];

        cufftPlan1d(&p, 128, CUFFT_C2C, 1);
        if (atoi(argv[1]) == 1)
            return cufftExecC2C(p, small.p, small.p, CUFFT_FORWARD);
        if (atoi(argv[1]) == 2)
            return cufftExecC2C(p, (cufftComplex *)malloc(1024), own,
                                CUFFT_FORWARD);
        cudaStream_t s;
        float2 *shared;
        cudaMallocManaged(&shared, 1024);
        cudaStreamCreate(&s);
        cufftSetStream(p, s);
        cufftExecC2C(p, shared, shared, CUFFT_FORWARD);
        float early = shared[0].x;
        cudaStreamSynchronize(s);
        cudaFree(shared);
        return early > 1;
    }
    for (int n : { 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 37, 60, 64, 97, 128 }) {
        complex_box<single>(1, 1, n);
        complex_box<twice>(1, 1, n);
        real_box<single>(1, 1, n);
        real_box<twice>(1, 1, n);
    }
    complex_box<single>(1, 6, 8);
    complex_box<twice>(3, 4, 5);
    complex_box<single>(4, 1, 7);
    real_box<single>(1, 5, 8);
    real_box<twice>(3, 4, 6);
    real_box<single>(4, 3, 7);
    columns(12, 5);
    batch(30, 4);
    filtered(200);
    called(24);
    wrong += cufftPlan1d(&p, 0, CUFFT_C2C, 1) != CUFFT_INVALID_SIZE;
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
