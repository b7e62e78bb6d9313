// cublasLtMatmul: layouts, types, epilogues; and scans of groups of lanes.
#include <cmath>
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <vector>

namespace cg = cooperative_groups;

static int failed;
static void is(const char *what, bool right)
{
    failed += !right;
    if (!right)
        printf("%s is wrong\n", what);
}
static void good(cublasStatus_t s)
{
    if (s)
        printf("status %d\n", (int)s), exit(1);
}

static double gelu(double x)
{
    return x / 2 * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}
static double gelu_slope(double x)
{
    double h = 1e-5;
    return (gelu(x + h) - gelu(x - h)) / (2 * h);
}

template <class T> struct of { static const cudaDataType type = CUDA_R_32F; };
template <> struct of<half> { static const cudaDataType type = CUDA_R_16F; };
template <> struct of<__nv_bfloat16> {
    static const cudaDataType type = CUDA_R_16BF;
};

// A matrix on both sides: element (row, column) of the batch's number b.
template <class T> struct matrix {
    int rows, cols, count;
    bool by_rows;
    std::vector<T> host;
    T *device;
    cublasLtMatrixLayout_t layout;

    matrix(int rows, int cols, bool by_rows = false, int count = 1)
        : rows(rows), cols(cols), count(count), by_rows(by_rows),
          host(size_t(next()) * count)
    {
        int order = by_rows ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
        int64_t stride = next();

        for (size_t i = 0; i < host.size(); i++)
            host[i] = T(float(int(i * 7919 % 13) - 6) / 4);
        cudaMalloc(&device, host.size() * sizeof(T));
        cudaMemcpy(device, host.data(), host.size() * sizeof(T),
                   cudaMemcpyHostToDevice);
        good(cublasLtMatrixLayoutCreate(&layout, of<T>::type, rows, cols,
                                        ld()));
        good(cublasLtMatrixLayoutSetAttribute(
            layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof(order)));
        good(cublasLtMatrixLayoutSetAttribute(
            layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
            sizeof(count)));
        good(cublasLtMatrixLayoutSetAttribute(
            layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
            sizeof(stride)));
    }
    ~matrix()
    {
        cublasLtMatrixLayoutDestroy(layout);
        cudaFree(device);
    }
    int ld() const { return (by_rows ? cols : rows) + 8; }
    int next() const { return ld() * (by_rows ? rows : cols); }
    double at(int r, int c, int b = 0) const
    {
        return float(host[size_t(b) * next() +
                          (by_rows ? r * ld() + c : r + c * ld())]);
    }
    void fetch()
    {
        cudaMemcpy(host.data(), device, host.size() * sizeof(T),
                   cudaMemcpyDeviceToHost);
    }
};

static cublasLtHandle_t handle;

static bool near(double a, double b, double bits)
{
    return fabs(a - b) <= (1 + fabs(b)) * ldexp(1, -bits);
}

// One product and what is done to it; bits are those that must be right.
template <class T> struct product {
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    bool ta = false, tb = false, rows[3] = {};
    int m = 24, n = 16, k = 40, count = 1;
    float alpha = 1, beta = 0;
    double bits = 18;
    bool in_place = false;

    template <class V>
    void set(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t a, V v)
    {
        good(cublasLtMatmulDescSetAttribute(d, a, &v, sizeof(v)));
    }
    void check(const char *what)
    {
        matrix<T> a(ta ? k : m, ta ? m : k, rows[0], count);
        matrix<T> b(tb ? n : k, tb ? k : n, rows[1], count);
        matrix<T> c(m, n, rows[2], count), d(m, n, rows[2], count);
        matrix<T> bias(m, 1), aux(m, n), was = c;
        cublasLtMatmulDesc_t of;
        cublasLtMatmulPreference_t p;
        cublasLtMatmulHeuristicResult_t h;
        size_t most = 1 << 22;
        void *workspace;
        int found = 0;
        bool right = true;

        was.device = nullptr;
        was.layout = nullptr;
        good(cublasLtMatmulDescCreate(&of, CUBLAS_COMPUTE_32F, CUDA_R_32F));
        set(of, CUBLASLT_MATMUL_DESC_TRANSA, ta ? CUBLAS_OP_T : CUBLAS_OP_N);
        set(of, CUBLASLT_MATMUL_DESC_TRANSB, tb ? CUBLAS_OP_T : CUBLAS_OP_N);
        set(of, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
        if (epilogue & 4)
            set(of, CUBLASLT_MATMUL_DESC_BIAS_POINTER, (void *)bias.device);
        if (epilogue & 128) {
            set(of, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
                (void *)aux.device);
            set(of, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t(aux.ld()));
        }
        good(cublasLtMatmulPreferenceCreate(&p));
        good(cublasLtMatmulPreferenceSetAttribute(
            p, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most,
            sizeof(most)));
        good(cublasLtMatmulAlgoGetHeuristic(handle, of, a.layout, b.layout,
                                            c.layout, d.layout, p, 1, &h,
                                            &found));
        cudaMalloc(&workspace, most);
        good(cublasLtMatmul(handle, of, &alpha, a.device, a.layout, b.device,
                            b.layout, &beta, c.device, c.layout,
                            in_place ? c.device : d.device, d.layout,
                            &h.algo, workspace, most, 0));
        matrix<T> &to = in_place ? c : d;
        to.fetch();
        matrix<T> before(m, n);
        aux.fetch();
        for (int i = 0; i < count; i++)
            for (int r = 0; r < m; r++)
                for (int s = 0; s < n; s++) {
                    double v = 0, x = before.at(r, s);

                    for (int l = 0; l < k; l++)
                        v += (ta ? a.at(l, r, i) : a.at(r, l, i)) *
                             (tb ? b.at(s, l, i) : b.at(l, s, i));
                    v = alpha * v + beta * was.at(r, s, i);
                    if (epilogue & 4)
                        v += bias.at(r, 0);
                    if (epilogue == CUBLASLT_EPILOGUE_DGELU)
                        v *= gelu_slope(x);
                    else if (epilogue & 128)
                        right = right && near(aux.at(r, s), v, bits);
                    v = epilogue & 2 ? fmax(v, 0) :
                        epilogue & 32 ? gelu(v) : v;
                    right = right && near(to.at(r, s, i), v, bits);
                }
        is(what, right && found == 1);
        cudaFree(workspace);
        cublasLtMatmulPreferenceDestroy(p);
        cublasLtMatmulDescDestroy(of);
    }
};

template <class T> static product<T> with(cublasLtEpilogue_t e, double bits)
{
    product<T> p;

    p.epilogue = e;
    p.bits = bits;
    return p;
}

// Each lane's place among those up to it.
__global__ void scans(int *to)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int i = threadIdx.x, *mine = to + i * 6;

    mine[0] = cg::inclusive_scan(tile, i);
    mine[1] = cg::exclusive_scan(tile, i);
    mine[2] = cg::inclusive_scan(tile, i * 5 % 7, cg::greater<int>());
    mine[3] = mine[4] = mine[5] = -1;
    if (i % 3) {
        auto some = cg::coalesced_threads();

        mine[3] = cg::inclusive_scan(some, 1);
        mine[4] = cg::exclusive_scan(some, i);
        mine[5] = cg::exclusive_scan(some, i, cg::greater<int>());
    }
}

static void scans_check()
{
    int *device, host[32][6];
    bool right = true;

    cudaMalloc(&device, sizeof(host));
    scans<<<1, 32>>>(device);
    cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
    cudaFree(device);
    for (int i = 0, some = 0, sum = 0, last = 0; i < 32; i++) {
        int all = 0, most = 0;

        for (int l = i / 16 * 16; l <= i; l++) {
            all += l;
            most = l * 5 % 7 > most ? l * 5 % 7 : most;
        }
        right = right && host[i][0] == all && host[i][1] == all - i &&
                host[i][2] == most;
        if (i % 3)
            right = right && host[i][3] == ++some && host[i][4] == sum &&
                    host[i][5] == last;
        else
            right = right && host[i][3] == -1;
        sum += i % 3 ? i : 0;
        last = i % 3 ? i : last;
    }
    is("scans", right);
}

int main()
{
    product<float> p;

    good(cublasLtCreate(&handle));
    p.check("float");
    p.ta = true;
    p.alpha = 0.5f;
    p.beta = 2;
    p.check("transposed, with C");
    p.tb = p.in_place = true;
    p.check("both transposed, in place");
    p.count = 3;
    p.in_place = false;
    p.check("three");
    for (int i = 0; i < 8; i++) {
        product<float> q;

        q.rows[0] = i & 1;
        q.rows[1] = i & 2;
        q.rows[2] = i & 4;
        q.ta = i % 3 == 1;
        q.beta = 1;
        q.check("by rows");
    }
    with<half>(CUBLASLT_EPILOGUE_DEFAULT, 9).check("half");
    with<half>(CUBLASLT_EPILOGUE_RELU, 9).check("half, relu");
    with<half>(CUBLASLT_EPILOGUE_GELU_BIAS, 9).check("half, gelu and bias");
    with<__nv_bfloat16>(CUBLASLT_EPILOGUE_BIAS, 6).check("bfloat16, bias");
    with<__nv_bfloat16>(CUBLASLT_EPILOGUE_GELU_AUX_BIAS, 6)
        .check("bfloat16, gelu, bias and aux");
    with<__nv_bfloat16>(CUBLASLT_EPILOGUE_DGELU, 6).check("slope of gelu");
    with<float>(CUBLASLT_EPILOGUE_RELU_BIAS, 18).check("float, relu, bias");

    matrix<float> a(16, 8), b(16, 8), c(16, 8);
    cublasLtMatmulDesc_t of;
    float one = 1;
    good(cublasLtMatmulDescCreate(&of, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    is("sizes", cublasLtMatmul(handle, of, &one, a.device, a.layout, b.device,
                               b.layout, &one, c.device, c.layout, c.device,
                               c.layout, nullptr, nullptr, 0, 0) ==
                    CUBLAS_STATUS_INVALID_VALUE);
    cublasLtMatmulDescDestroy(of);
    good(cublasLtDestroy(handle));
    scans_check();
    printf("failed %d\n", failed);
}
