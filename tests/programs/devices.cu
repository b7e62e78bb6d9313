/* Several devices: what is right, and what the runtime's rules forbid, by the
 * argument. Those whose name begins with "no_" are wrong. */
#include <cstdio>
#include <cstring>

#include <cublas_v2.h>

__device__ int offset = 7;
__constant__ float scale = 1;

__global__ void fill(float *to, int n, float by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        to[i] = by * scale + offset;
}

__global__ void add(const float *from, float *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        to[i] += from[i];
}

__global__ void multiply(const float *A, const float *B, float *C, int M,
                         int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    if (row >= M || col >= N)
        return;
    for (int k = 0; k < K; k++)
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || (!strncmp(a, "no_", 3) && !strcmp(a + 3, b));
}

static const int n = 256;
static const size_t size = n * sizeof(float);

static float at(const float *p, int i)
{
    float all[n];

    cudaMemcpy(all, p, size, cudaMemcpyDefault);
    return all[i];
}

int main(int argc, char **argv)
{
    const char *how = argv[argc - 1];
    bool wrong = !strncmp(how, "no_", 3);
    float *a, *b, *pinned;
    int count, seen = -1, can = 5;
    cudaStream_t s0, s1, other;
    cudaEvent_t e0, e1;

    cudaGetDeviceCount(&count);
    if (is(how, "count")) {
        cudaDeviceProp p;
        cudaError_t error = cudaSetDevice(count);

        cudaGetDevice(&seen);
        cudaGetDeviceProperties(&p, count - 1);
        cudaDeviceCanAccessPeer(&can, 0, count - 1);
        printf("%d devices, %d is current, %s, bus %d, can %d\n", count, seen,
               cudaGetErrorName(error), p.pciBusID, can);
        cudaGetLastError();
        return 0;
    }
    cudaMalloc(&a, size);
    cudaStreamCreate(&s0);
    cudaEventCreate(&e0);
    cudaSetDevice(1);
    cudaMalloc(&b, size);
    cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);
    cudaStreamCreate(&other);
    cudaEventCreate(&e1);
    cudaMallocHost(&pinned, size);
    cudaSetDevice(0);
    if (is(how, "peer")) {
        fill<<<1, n>>>(a, n, 1);
        cudaDeviceSynchronize();
        cudaSetDevice(1);
        if (!wrong)
            cudaDeviceEnablePeerAccess(0, 0);
        fill<<<1, n>>>(b, n, 2);
        add<<<1, n>>>(a, b, n);     /* peer */
        if (!wrong)
            printf("%g %s\n", at(b, 5),
                   cudaGetErrorName(cudaDeviceEnablePeerAccess(0, 0)));
        cudaGetLastError();
    } else if (is(how, "stream")) {
        fill<<<1, n, 0, s0>>>(a, n, 1);
        if (!wrong)
            cudaSetDevice(1);
        fill<<<1, n, 0, s1>>>(b, n, 1);
        printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    } else if (is(how, "event")) {
        fill<<<1, n, 0, s0>>>(a, n, 1);
        cudaEventRecord(e0, s0);
        cudaStreamWaitEvent(s1, e0, 0);
        cudaSetDevice(1);
        printf("%s\n", cudaGetErrorName(cudaEventRecord(wrong ? e0 : e1, s1)));
        cudaGetLastError();
    } else if (is(how, "elapsed")) {
        float ms = 0;

        fill<<<1, n, 0, s0>>>(a, n, 1);
        cudaEventRecord(e0, s0);
        cudaEventRecord(e1, s1);
        cudaEventSynchronize(e0);
        cudaEventSynchronize(e1);
        printf("%s\n", cudaGetErrorName(
            cudaEventElapsedTime(&ms, e0, wrong ? e1 : e0)));
        cudaGetLastError();
    } else if (is(how, "copy")) {
        fill<<<1, n>>>(a, n, 3);
        cudaMemcpyPeer(b, wrong ? 0 : 1, a, 0, size);
        printf("%g\n", wrong ? 0 : at(b, 7));
        cudaGetLastError();
    } else if (is(how, "order")) {      /* nothing orders two devices */
        fill<<<1, n, 0, s0>>>(a, n, 1);
        cudaEventRecord(e0, s0);
        if (!wrong)
            cudaStreamWaitEvent(s1, e0, 0);
        cudaMemcpyPeerAsync(b, 1, a, 0, size, s1);
        cudaSetDevice(1);
        add<<<1, n, 0, s1>>>(b, b, n);
        cudaStreamSynchronize(s1);
        printf("%g\n", at(b, 0));
    } else if (is(how, "alone")) {      /* what a copy without a stream waits */
        fill<<<1, n, 0, s0>>>(a, n, 1);
        if (wrong)
            cudaMemcpyAsync(b, a, size, cudaMemcpyDefault, s1);
        else
            cudaMemcpy(b, a, size, cudaMemcpyDefault);
        cudaSetDevice(1);
        add<<<1, n, 0, s1>>>(b, b, n);
        cudaStreamSynchronize(s1);
        printf("%g\n", at(b, 0));
    } else if (is(how, "default")) {    /* each device has its own */
        fill<<<1, n>>>(a, n, 1);
        cudaSetDevice(1);
        cudaMemset(b, 0, size);
        cudaDeviceEnablePeerAccess(0, 0);
        if (!wrong) {
            cudaSetDevice(0);
            cudaDeviceSynchronize();
            cudaSetDevice(1);
        }
        add<<<1, n>>>(a, b, n);
    } else if (is(how, "host")) {       /* the host waits for one of them */
        cudaSetDevice(1);
        fill<<<1, n>>>(pinned, n, 1);
        if (wrong)
            cudaSetDevice(0);
        cudaDeviceSynchronize();
        printf("%g\n", pinned[0]);
    } else if (is(how, "variables")) {  /* each device has its own */
        int there = 0, here = 0, set = 40;
        float twice = 2;

        cudaMemcpyToSymbol(offset, &set, sizeof(set));
        cudaSetDevice(1);
        cudaMemcpyToSymbol(scale, &twice, sizeof(twice));
        cudaMemcpyFromSymbol(&there, offset, sizeof(there));
        fill<<<1, n>>>(b, n, 10);
        cudaDeviceSynchronize();
        cudaSetDevice(0);
        cudaMemcpyFromSymbol(&here, offset, sizeof(here));
        fill<<<1, n>>>(a, n, 10);
        printf("%d %d %g %g\n", here, there, at(a, 0), at(b, 0));
    } else if (is(how, "product")) {
        float *A, *B, *C;
        float zeros[48 * 32] = { 0 };

        cudaSetDevice(1);
        cudaMalloc(&A, sizeof(zeros));
        cudaMalloc(&B, sizeof(zeros));
        cudaMalloc(&C, sizeof(zeros));
        cudaMemcpy(A, zeros, sizeof(zeros), cudaMemcpyHostToDevice);
        cudaMemcpyAsync(B, A, sizeof(zeros), cudaMemcpyDeviceToDevice, s1);
        multiply<<<dim3(2, 3), dim3(16, 16), 0, s1>>>(A, B, C, 48, 32, 16);
        cudaStreamSynchronize(s1);
        cudaFree(A);
        cudaFree(B);
        cudaFree(C);
    } else if (is(how, "blas")) {       /* a handle is of its device */
        cublasHandle_t h;
        float one = 1, zero = 0;

        cudaSetDevice(1);
        cublasCreate(&h);
        cublasSetStream(h, s1);
        cudaMemsetAsync(b, 0, size, s1);
        cudaSetDevice(0);
        cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 8, 2, &one, b, 4,
                    wrong ? a : b + 64, 2, &zero, b + 128, 4);
        cublasDestroy(h);
        fill<<<1, n, 0, s0>>>(a, n, 1);
    } else if (is(how, "graph")) {      /* a node stays on its device */
        cudaGraph_t graph;
        cudaGraphExec_t exec;

        cudaStreamBeginCapture(s0, cudaStreamCaptureModeGlobal);
        fill<<<1, n, 0, s0>>>(a, n, 1);
        cudaEventRecord(e0, s0);
        cudaStreamWaitEvent(s1, e0, 0);
        cudaSetDevice(1);
        fill<<<1, n, 0, s1>>>(b, n, 2);
        cudaEventRecord(e1, s1);
        cudaSetDevice(0);
        cudaStreamWaitEvent(s0, e1, 0);
        cudaStreamEndCapture(s0, &graph);
        cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
        cudaGraphLaunch(exec, s0);
        cudaStreamSynchronize(s0);
        printf("%g %g\n", at(a, 0), at(b, 0));
    } else {
        return 3;
    }
    for (int device = 0; device < count; device++) {
        cudaSetDevice(device);
        cudaDeviceSynchronize();
    }
    printf("%s\n", how);
    cudaFree(a);
    cudaFree(b);
    cudaFreeHost(pinned);
    return 0;
}
