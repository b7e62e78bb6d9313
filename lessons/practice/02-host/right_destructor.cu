#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
static void ok(cudaError_t e, const char *what)
{
    if (e != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e));
}
struct Buffer {
    float *p = nullptr;
    explicit Buffer(size_t n) { ok(cudaMalloc(&p, n * sizeof(float)), "cudaMalloc"); }
    ~Buffer() { cudaFree(p); }
    Buffer(const Buffer &) = delete;
};
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
static void run(int n)
{
    std::vector<float> a(n), b(n), c(n);
    for (int i = 0; i < n; ++i) { a[i] = i % 7; b[i] = i % 5; }
    Buffer da(n), db(n), dc(n);
    ok(cudaMemcpy(da.p, a.data(), n * sizeof(float), cudaMemcpyHostToDevice), "copy a");
    ok(cudaMemcpy(db.p, b.data(), n * sizeof(float), cudaMemcpyHostToDevice), "copy b");
    vector_add<<<(n + 255) / 256, 256>>>(da.p, db.p, dc.p, n);
    ok(cudaGetLastError(), "launch");
    ok(cudaMemcpy(c.data(), dc.p, n * sizeof(float), cudaMemcpyDeviceToHost), "copy c");
    double sum = 0;
    for (float x : c) sum += x;
    std::cout << sum << "\n";
}
int main(int argc, char **argv)
{
    try { run(argc > 1 ? std::atoi(argv[1]) : 1000); }
    catch (const std::exception &e) { std::cerr << e.what() << std::endl; return 1; }
    return 0;
}
