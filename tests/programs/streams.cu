/* Work in several streams that uses one array, with and without something that
 * orders it: the argument says how. Those whose name begins with "no_" are
 * wrong. */
#include <cstdio>
#include <cstring>

__device__ float total[256];

__global__ void fill(float *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        to[i] = (float)i;
}

__global__ void twice(const float *from, float *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        to[i] = 2 * from[i];
}

__global__ void count(int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        atomicAdd(&bins[i % 8], 1);
}

__global__ void bytes(char *to, int n, int from)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + from;

    if (i < n)
        to[i] = 1;
}

__global__ void sum_up(const float *from)
{
    total[threadIdx.x] += from[threadIdx.x];
}

__global__ void tell(float *data, int *done)
{
    data[threadIdx.x] = 1;
    __threadfence();
    if (threadIdx.x == 0)
        atomicExch(done, 1);
}

__global__ void hear(const float *data, int *done, float *to)
{
    while (atomicAdd(done, 0) == 0)
        ;
    __threadfence();
    to[threadIdx.x] = data[threadIdx.x];
}

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || (!strncmp(a, "no_", 3) && !strcmp(a + 3, b));
}

int main(int argc, char **argv)
{
    const int n = 1024;
    const size_t size = n * sizeof(float);
    const char *how = argv[argc - 1];
    bool wrong = !strncmp(how, "no_", 3);
    float *a, *b, *c, *pinned, *own = new float[n]();
    int *bins;
    char *text;
    cudaStream_t s, t, u;
    cudaEvent_t e, f;
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    cudaMalloc(&a, size);
    cudaMalloc(&b, size);
    cudaMalloc(&c, size);
    cudaMalloc(&bins, 8 * sizeof(int));
    cudaMalloc(&text, n);
    cudaMallocHost(&pinned, size);
    memset(pinned, 0, size);
    cudaMemset(a, 0, size);
    cudaMemset(b, 0, size);
    cudaMemset(c, 0, size);
    cudaMemset(bins, 0, 8 * sizeof(int));
    cudaDeviceSynchronize();
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaStreamCreate(&u);
    cudaEventCreate(&e);
    cudaEventCreate(&f);
    if (is(how, "event")) {
        fill<<<4, 256, 0, s>>>(a, n);
        cudaEventRecord(e, s);
        if (!wrong)
            cudaStreamWaitEvent(t, e, 0);
        twice<<<4, 256, 0, t>>>(a, b, n);
    } else if (is(how, "late_event")) {
        if (wrong)
            cudaEventRecord(e, s);      /* before there is work */
        fill<<<4, 256, 0, s>>>(a, n);
        if (!wrong)
            cudaEventRecord(e, s);
        cudaStreamWaitEvent(t, e, 0);
        twice<<<4, 256, 0, t>>>(a, b, n);
    } else if (is(how, "chain")) {
        fill<<<4, 256, 0, s>>>(a, n);
        cudaEventRecord(e, s);
        cudaStreamWaitEvent(u, e, 0);
        cudaEventRecord(f, wrong ? s : u);
        cudaStreamWaitEvent(t, f, 0);
        twice<<<4, 256, 0, t>>>(a, b, n);
        if (wrong)
            fill<<<4, 256, 0, u>>>(b, n);
    } else if (is(how, "again")) {      /* both ways */
        fill<<<4, 256, 0, s>>>(a, n);
        cudaEventRecord(e, s);
        cudaStreamWaitEvent(t, e, 0);
        twice<<<4, 256, 0, t>>>(a, b, n);
        cudaEventRecord(f, t);
        if (!wrong)
            cudaStreamWaitEvent(s, f, 0);
        fill<<<4, 256, 0, s>>>(a, n);   /* again */
    } else if (is(how, "legacy")) {
        fill<<<4, 256, 0, wrong ? s : u>>>(a, n);
        twice<<<4, 256>>>(a, b, n);     /* the default stream */
    } else if (is(how, "legacy_between")) {
        cudaStream_t v;

        cudaStreamCreate(&v);
        fill<<<4, 256, 0, u>>>(a, n);
        if (!wrong)
            fill<<<1, 1>>>(c, 1);       /* the default stream */
        twice<<<4, 256, 0, v>>>(a, b, n);
    } else if (is(how, "new")) {
        cudaStream_t v;

        fill<<<4, 256>>>(a, n);         /* the default stream */
        cudaStreamCreateWithFlags(&v, wrong ? cudaStreamNonBlocking :
                                              cudaStreamDefault);
        twice<<<4, 256, 0, v>>>(a, b, n);
    } else if (is(how, "host")) {
        fill<<<4, 256, 0, s>>>(a, n);
        cudaStreamSynchronize(wrong ? t : s);
        twice<<<4, 256, 0, t>>>(a, b, n);       /* host */
    } else if (is(how, "query")) {
        fill<<<4, 256, 0, s>>>(a, n);
        cudaEventRecord(e, s);
        while (!wrong && cudaEventQuery(e) == cudaErrorNotReady)
            ;
        twice<<<4, 256, 0, t>>>(a, b, n);       /* query */
    } else if (is(how, "copy")) {
        cudaMemcpyAsync(a, pinned, size, cudaMemcpyHostToDevice, s);
        twice<<<4, 256, 0, wrong ? t : s>>>(a, b, n);   /* copy */
        if (!wrong)
            cudaMemcpyAsync(pinned, b, size, cudaMemcpyDeviceToHost, s);
    } else if (is(how, "blocking_copy")) {
        if (wrong)
            fill<<<4, 256, 0, s>>>(a, n);
        cudaMemcpy(a, own, size, cudaMemcpyHostToDevice);
        twice<<<4, 256, 0, s>>>(a, b, n);
    } else if (is(how, "set")) {
        cudaMemsetAsync(a, 0, size, wrong ? 0 : s);
        twice<<<4, 256, 0, s>>>(a, b, n);       /* set */
    } else if (is(how, "reads")) {
        twice<<<4, 256, 0, s>>>(a, b, n);
        twice<<<4, 256, 0, t>>>(a, wrong ? b : c, n);   /* reads */
    } else if (is(how, "parts")) {
        fill<<<2, 256, 0, s>>>(a, n / 2);
        fill<<<2, 256, 0, t>>>(a + n / 2 - wrong, n / 2);       /* parts */
    } else if (is(how, "bytes")) {
        bytes<<<2, 256, 0, s>>>(text, n, 0);
        bytes<<<2, 256, 0, t>>>(text, n, !wrong);
    } else if (is(how, "columns")) {
        fill<<<4, 256, 0, s>>>(c, n);
        cudaMemcpy2DAsync(a, 128, pinned, 64, 64, 32, cudaMemcpyHostToDevice,
                          s);
        cudaMemcpy2DAsync(a + (wrong ? 15 : 16), 128, pinned, 64, 64, 32,
                          cudaMemcpyHostToDevice, t);
    } else if (is(how, "atomics")) {
        count<<<4, 256, 0, s>>>(bins, n);
        count<<<4, 256, 0, t>>>(bins, n);
        if (wrong)
            cudaMemsetAsync(bins, 0, 8 * sizeof(int), t);
    } else if (is(how, "variable")) {
        sum_up<<<1, 256, 0, s>>>(a);
        sum_up<<<1, 256, 0, wrong ? t : s>>>(b);        /* variable */
    } else if (is(how, "flag")) {
        tell<<<1, 32, 0, s>>>(a, bins);
        hear<<<1, 32, 0, t>>>(a, bins, b);
    } else if (is(how, "buffers")) {
        for (int i = 0; i < 4; i++) {
            cudaStream_t in = i % 2 ? s : t;
            float *at = a + i % 2 * 256;

            cudaMemcpyAsync(at, pinned + 256 * i, 1024,
                            cudaMemcpyHostToDevice, in);
            twice<<<1, 256, 0, in>>>(at, b + 256 * i, 256);
            cudaMemcpyAsync(pinned + 256 * i, b + 256 * i, 1024,
                            cudaMemcpyDeviceToHost, in);
        }
    } else if (is(how, "freed")) {
        fill<<<4, 256, 0, s>>>(c, n);
        cudaFree(c);
        cudaMalloc(&c, size);
        twice<<<4, 256, 0, t>>>(a, c, n);
    } else if (is(how, "per_thread")) {
        fill<<<4, 256>>>(a, n);         /* per_thread */
        twice<<<4, 256, 0, wrong ? s : cudaStreamPerThread>>>(a, b, n);
    } else if (is(how, "per_thread_legacy")) {
        fill<<<4, 256>>>(a, n);
        twice<<<4, 256, 0, cudaStreamLegacy>>>(a, b, n);
    } else if (is(how, "graph")) {
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaMemcpyAsync(a, pinned, size, cudaMemcpyHostToDevice, s);
        twice<<<4, 256, 0, s>>>(a, b, n);
        cudaStreamEndCapture(s, &graph);
        cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
        cudaGraphLaunch(exec, s);
        if (!wrong)
            cudaStreamSynchronize(s);
        twice<<<4, 256, 0, t>>>(b, c, n);       /* graph */
    } else if (is(how, "graph_host")) {
        fill<<<4, 256, 0, s>>>(c, n);
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaMemcpyAsync(pinned, a, size, cudaMemcpyDeviceToHost, s);
        cudaStreamEndCapture(s, &graph);
        cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
        cudaGraphLaunch(exec, s);
        if (!wrong)
            cudaStreamSynchronize(s);
        own[0] = pinned[5];     /* graph_host */
    } else {
        return 3;
    }
    cudaDeviceSynchronize();
    printf("%s\n", how);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(bins);
    cudaFree(text);
    cudaFreeHost(pinned);
    delete[] own;
    return 0;
}
