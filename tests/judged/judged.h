// What the programs of this folder share. The first argument names the kernel
// that main() launches.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// Launches `kernel` if the argument names it.
#define RUN(kernel, grid, block, ...) \
    if (!strcmp(name, #kernel)) kernel<<<grid, block>>>(__VA_ARGS__)

#define CHECK(call) check_call(call, #call)
static inline void check_call(cudaError_t e, const char *what)
{
    if (e == cudaSuccess) return;
    printf("%s: %s\n", what, cudaGetErrorName(e));
    exit(0);
}

// Number i of an array's contents.
static inline float value_of(int i, int seed) { return ((i * 7 + seed * 5) % 11 - 5) * 0.25f; }

template <class T> T *unset_array(size_t n)
{
    T *d;
    CHECK(cudaMalloc(&d, n * sizeof(T)));
    return d;
}
template <class T> T *filled_array(size_t n, int seed)
{
    std::vector<T> h(n);
    for (size_t i = 0; i < n; i++) h[i] = (T)value_of((int)i, seed);
    T *d = unset_array<T>(n);
    CHECK(cudaMemcpy(d, h.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    return d;
}
template <class T> std::vector<T> copied_back(const T *d, size_t n)
{
    std::vector<T> h(n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost));
    return h;
}

// Main's end without a comparison: the kernel is judged by what it does.
template <class... P> int end_program(P *...arrays)
{
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    int each[] = { (cudaFree(arrays), 0)... };
    (void)each;
    return 0;
}
