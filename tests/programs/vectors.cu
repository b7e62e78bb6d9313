// cuBLAS on vectors, triangles and whole matrices, against sums written out
// here; with scalars of the host's and of the device's.
#include <chrono> // which brings std::setw along, as GCC 13's does
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

#include <cublas_v2.h>

static int wrong;
static cublasHandle_t h;

static void same(double got, double want, int line)
{
    if (!(std::fabs(got - want) <= 1e-5 * (1 + std::fabs(want))) && ++wrong)
        printf("line %d: %g, not %g\n", line, got, want);
}
#define SAME(got, want) same(got, want, __LINE__)

// An array of the device that the host can see the elements of.
template <class T> struct array {
    std::vector<T> host;
    T *on = nullptr;
    array(std::vector<T> v) : host(v)
    {
        cudaMalloc(&on, v.size() * sizeof(T));
        cublasSetVector(v.size(), sizeof(T), v.data(), 1, on, 1);
    }
    ~array() { cudaFree(on); }
    std::vector<T> &now()
    {
        cublasGetVector(host.size(), sizeof(T), on, 1, host.data(), 1);
        return host;
    }
};

static void vectors()
{
    array<float> x({ 1, -2, 3, -4 }), y({ 10, 20, 30, 40 });
    float two = 2, sum = 0, c = 0.6f, s = 0.8f;
    int at = 0;

    cublasSaxpy(h, 4, &two, x.on, 1, y.on, 1);
    SAME(y.now()[3], 32);
    cublasSaxpy(h, 4, &two, x.on, -1, y.on, 1);  // the last of x first
    SAME(y.now()[0], 10 + 2 - 8);
    cublasSdot(h, 2, x.on, 2, x.on + 1, 2, &sum);
    SAME(sum, 1 * -2 + 3 * -4);
    cublasSnrm2(h, 4, x.on, 1, &sum);
    SAME(sum, std::sqrt(30.0));
    cublasSasum(h, 4, x.on, 1, &sum);
    SAME(sum, 10);
    cublasIsamax(h, 4, x.on, 1, &at);
    SAME(at, 4);
    cublasIsamin(h, 4, x.on, 1, &at);
    SAME(at, 1);
    cublasIsamax(h, 0, x.on, 1, &at);
    SAME(at, 0);
    cublasSscal(h, 2, &two, x.on, 2);
    SAME(x.now()[2], 6);
    SAME(x.now()[1], -2);
    cublasSswap(h, 4, x.on, 1, y.on, 1);
    SAME(y.now()[2], 6);
    cublasScopy(h, 4, x.on, 1, y.on, 1);
    SAME(y.now()[2], x.now()[2]);
    array<float> p({ 1, 2 }), q({ 3, 4 });
    cublasSrot(h, 2, p.on, 1, q.on, 1, &c, &s);
    SAME(p.now()[0], 0.6 * 1 + 0.8 * 3);
    SAME(q.now()[1], 0.6 * 4 - 0.8 * 2);
    array<double> d({ 1e200, 1e200 });
    double norm = 0;
    cublasDnrm2(h, 2, d.on, 1, &norm);
    SAME(norm / 1e200, std::sqrt(2.0));
    norm = 5;
    cublasDnrm2(h, 0, d.on, 1, &norm);
    SAME(norm, 0);
}

static void complexes()
{
    typedef cuDoubleComplex Z;
    array<Z> x({ { 1, 2 }, { 3, -1 } }), y({ { 0, 1 }, { 2, 2 } });
    std::complex<double> u(1, 2), v(3, -1), a(0, 1), b(2, 2);
    std::complex<double> dot = u * a + v * b;
    Z got = { 0, 0 }, alpha = { 0, 1 };
    double sum = 0, half = 0.5;

    cublasZdotu(h, 2, x.on, 1, y.on, 1, &got);
    SAME(got.x, dot.real());
    SAME(got.y, dot.imag());
    dot = std::conj(u) * a + std::conj(v) * b;
    cublasZdotc(h, 2, x.on, 1, y.on, 1, &got);
    SAME(got.x, dot.real());
    SAME(got.y, dot.imag());
    cublasDznrm2(h, 2, x.on, 1, &sum);
    SAME(sum, std::sqrt(15.0));
    cublasDzasum(h, 2, x.on, 1, &sum);
    SAME(sum, 7);
    cublasZdscal(h, 2, &half, y.on, 1);
    SAME(y.now()[1].y, 1);
    cublasZscal(h, 2, &alpha, y.on, 1);
    SAME(y.now()[0].x, -0.5);
    // A^H A, of columns (1+2i, 3-i) alone.
    array<cuComplex> m({ { 1, 2 }, { 3, -1 } }), c({ { 7, 7 } });
    cuComplex one = { 1, 0 }, none = { 0, 0 };
    cublasCgemm(h, CUBLAS_OP_C, CUBLAS_OP_N, 1, 1, 2, &one, m.on, 2, m.on, 2,
                &none, c.on, 1);
    SAME(c.now()[0].x, 15);
    SAME(c.now()[0].y, 0);
    // 2 x^H of y = 2 y x^H: an element.
    array<cuComplex> g({ none, none, none, none });
    cublasCgerc(h, 2, 2, &one, m.on, 1, m.on, 1, g.on, 2);
    SAME(g.now()[2].y, (std::complex<double>(1, 2) *
                        std::conj(std::complex<double>(3, -1))).imag());
}

// A by columns: 1 3 5 / 2 4 6 in a leading dimension of 3.
static void matrix()
{
    array<float> A({ 1, 2, 99, 3, 4, 99, 5, 6, 99 });
    array<float> x({ 1, 10, 100 }), y({ NAN, NAN }), z({ 1, 1, 1 });
    float one = 1, none = 0, two = 2;

    cublasSgemv(h, CUBLAS_OP_N, 2, 3, &one, A.on, 3, x.on, 1, &none, y.on, 1);
    SAME(y.now()[0], 531);
    SAME(y.now()[1], 642);
    cublasSgemv(h, CUBLAS_OP_T, 2, 3, &two, A.on, 3, x.on, 1, &one, z.on, -1);
    SAME(z.now()[2], 1 + 2 * (1 + 20));  // the first is the last
    SAME(z.now()[0], 1 + 2 * (5 + 60));
    cublasSger(h, 2, 3, &two, x.on, 1, x.on, 1, A.on, 3);
    SAME(A.now()[7], 6 + 2 * 10 * 100);
    SAME(A.now()[8], 99);
    // The triangle that is not named is not read.
    array<double> S({ 2, NAN, 1, 3 }), u({ 1, 2 }), w({ 0, 0 });
    double d1 = 1, d0 = 0;
    cublasDsymv(h, CUBLAS_FILL_MODE_UPPER, 2, &d1, S.on, 2, u.on, 1, &d0, w.on,
                1);
    SAME(w.now()[0], 4);
    SAME(w.now()[1], 7);
    // [2 1; 0 3] u, and back again.
    for (int op = 0; op < 2; op++) {
        cublasDtrmv(h, CUBLAS_FILL_MODE_UPPER, (cublasOperation_t)op,
                    CUBLAS_DIAG_NON_UNIT, 2, S.on, 2, u.on, 1);
        SAME(u.now()[0], op ? 2 : 4);
        SAME(u.now()[1], op ? 1 * 1 + 3 * 2 : 6);
        cublasDtrsv(h, CUBLAS_FILL_MODE_UPPER, (cublasOperation_t)op,
                    CUBLAS_DIAG_NON_UNIT, 2, S.on, 2, u.on, 1);
        SAME(u.now()[0], 1);
        SAME(u.now()[1], 2);
    }
    // From each side: op(A) X = 2 B, X op(A) = 2 B.
    array<double> L({ 1, 5, NAN, 1 }), B({ 1, 2, 3, 4 });
    double d2 = 2;
    cublasDtrsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                CUBLAS_DIAG_UNIT, 2, 2, &d2, L.on, 2, B.on, 2);
    SAME(B.now()[0], 2);
    SAME(B.now()[1], 4 - 5 * 2);
    cublasDtrsm(h, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                CUBLAS_DIAG_UNIT, 2, 2, &d1, L.on, 2, B.on, 2);
    SAME(B.now()[0], 2);                 // X [1 5; 0 1] = B
    SAME(B.now()[2], 6 - 5 * 2);
}

static void matrices()
{
    array<float> A({ 1, 2, 3, 4, 5, 6 }), C({ 0, 0, 0, 0, 0, 0 });
    array<float> x({ 10, 100 });
    float one = 1, none = 0, two = 2;

    // The transpose of 2 x 3.
    cublasSgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, 3, 2, &one, A.on, 2, &none,
                nullptr, 3, C.on, 3);
    SAME(C.now()[1], 3);
    SAME(C.now()[3], 2);
    cublasSgeam(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 3, &one, A.on, 2, &two, A.on,
                2, C.on, 2);
    SAME(C.now()[5], 18);
    cublasSdgmm(h, CUBLAS_SIDE_LEFT, 2, 3, A.on, 2, x.on, 1, C.on, 2);
    SAME(C.now()[4], 50);
    SAME(C.now()[5], 600);
    // Two products, whose addresses the device has.
    array<float> P({ 1, 2, 3, 4 }), Q({ 0, 0 });
    array<const float *> a({ P.on, P.on + 2 }), b({ P.on, P.on });
    array<float *> c({ Q.on, Q.on + 1 });
    cublasSgemmBatched(h, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 2, &one, a.on, 2,
                       b.on, 2, &none, c.on, 1, 2);
    SAME(Q.now()[0], 5);
    SAME(Q.now()[1], 11);
}

// What the device has is asked of it, and the host waits for its own only.
static void pointers()
{
    array<float> x({ 1, 2, 3 }), scale({ 3 }), sum({ 0, 0 });
    array<int> at({ 0 });
    cublasPointerMode_t mode;
    cudaStream_t s, own;

    cudaStreamCreate(&s);
    cublasSetStream(h, s);
    cublasGetStream(h, &own);
    SAME(own == s, 1);
    cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
    cublasGetPointerMode(h, &mode);
    SAME(mode, CUBLAS_POINTER_MODE_DEVICE);
    cublasSscal(h, 3, scale.on, x.on, 1);
    cublasSdot(h, 3, x.on, 1, x.on, 1, sum.on);
    cublasIsamax(h, 3, x.on, 1, at.on);
    cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, scale.on, x.on, 1, x.on,
                1, scale.on, sum.on + 1, 1);
    cudaStreamSynchronize(s);
    SAME(sum.now()[0], 9 * 14);
    SAME(sum.now()[1], 3 * 9);
    SAME(at.now()[0], 3);
    cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST);
    // In a graph, twice, with the scalar that it was captured with.
    float two = 2;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cublasSscal(h, 1, &two, x.on, 1);
    cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &two, x.on, 1, x.on, 1,
                &two, sum.on, 1);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&ready, graph, 0);
    two = 100;
    SAME(x.now()[0], 3);
    cudaGraphLaunch(ready, s);
    cudaGraphLaunch(ready, s);
    cudaStreamSynchronize(s);
    SAME(x.now()[0], 12);
    SAME(sum.now()[0], 2 * (2 * 126 + 2 * 36) + 2 * 144);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    cublasSetStream(h, 0);
    cudaStreamDestroy(s);
}

// refuse N: a call that cuBLAS refuses.
static int refuse(int which)
{
    array<float> x({ 1, 2, 3, 4 });
    float one = 1;
    int got = -1;

    switch (which) {
    case 1:
        got = cublasSgemv(h, CUBLAS_OP_N, 4, 1, &one, x.on, 3, x.on, 1, &one,
                          x.on, 1);
        break;
    case 2:
        got = cublasSgemv(h, CUBLAS_OP_N, 2, 2, &one, x.on, 2, x.on, 0, &one,
                          x.on, 1);
        break;
    case 3:
        got = cublasSaxpy(h, 5, &one, x.on, 1, x.on, 1);
        break;
    case 4:
        cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
        got = cublasSscal(h, 4, &one, x.on, 1);
        break;
    case 5:
        cublasDestroy(h);
        got = cublasSscal(h, 4, &one, x.on, 1);
        break;
    case 6:
        got = cublasSdot(h, 4, x.on, 1, x.on, 1, x.on);
        break;
    }
    printf("status %d\n", got);
    return 0;
}

int main(int argc, char **argv)
{
    cublasCreate(&h);
    if (argc > 1)
        return refuse(atoi(argv[1]));
    vectors();
    complexes();
    matrix();
    matrices();
    pointers();
#if __cplusplus >= 202002L
    std::cout << std::setw(3) << 7 << '\n';
#endif
    cublasDestroy(h);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
