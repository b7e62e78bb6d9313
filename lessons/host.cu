// Twice as much: a whole program. main() runs on the host, the CPU; the
// kernel runs on the GPU, which has a memory of its own.

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void twice(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = 2 * in[i];
}

// Ends the program if a call to CUDA has failed.
static void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(e));
        exit(1);
    }
}

int main(void)
{
    const int n = 1000;
    const size_t bytes = n * sizeof(float);
    std::vector<float> x(n, 1.5f);
    float *in, *out;

    check(cudaMalloc(&in, bytes));
    check(cudaMalloc(&out, bytes));
    check(cudaMemcpy(in, x.data(), bytes, cudaMemcpyHostToDevice));

    dim3 block(256);
    dim3 grid((n + 255) / 256);

    twice<<<grid, block>>>(in, out, n);
    check(cudaGetLastError());         // was it launched?
    check(cudaDeviceSynchronize());    // waits: did it end well?

    check(cudaMemcpy(x.data(), out, bytes, cudaMemcpyDeviceToHost));
    printf("%g\n", x[n - 1]);
    check(cudaFree(in));
    check(cudaFree(out));
    return 0;
}
