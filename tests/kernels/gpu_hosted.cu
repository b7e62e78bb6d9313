// A file with its host's code, and headers that NVRTC does not have. Its
// kernels are a template, and one that adds to what C holds.
#include <cstdint>
#include <cstdio>
#include <vector>
#include "my_timer.h"

class Timer {
public:
    Timer() : begun(0) { cudaEventCreate(&start); }
    static int count;
private:
    float begun;
    void *start;
};

std::vector<float> numbers(const char *note = R"(not a comment: /*)")
{
    return std::vector<float>(note[0]);
}

template <class T, int TILE>
__global__ void hosted(const T *A, const T *B, T *C, int M, int N, int K)
{
    uint row = blockIdx.y * TILE + threadIdx.y;
    uint32_t col = blockIdx.x * TILE + threadIdx.x;
    T sum = 0;

    for (int k = 0; k < K; k++)
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}

__global__ void adds(const float *A, const float *B, float *C,
                     int M, int N, int K, float beta)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    for (int k = 0; k < K; k++)
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum + beta * C[row * N + col];
}

int main()
{
    Timer t;
    std::vector<float> a = numbers();
    hosted<float, 16><<<dim3(4, 4), dim3(16, 16)>>>(a.data(), 0, 0, 1, 2, 3);
    printf("%d { \n", Timer::count);
    return 0;
}
