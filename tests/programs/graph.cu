// Launches with attributes, and graphs: by hand, captured, copied, changed.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

static int wrong;
static void is(const char *what, int got, int want)
{
    if (got != want)
        printf("%s: %d, not %d\n", what, got, want);
    wrong += got != want;
}

__global__ void add(int *to, int by, double scale)
{
    to[threadIdx.x] += (int)(by * scale);
}

template <class T> __global__ void fill(T *to, T value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        to[i] = value;
}

__global__ void ranks(int *to)
{
    auto cluster = cooperative_groups::this_cluster();

    cluster.sync();
    to[blockIdx.x * blockDim.x + threadIdx.x] = cluster.block_rank();
}

__global__ void twice(int *to)
{
    to[threadIdx.x] *= 2;
}

static int first(const int *from)
{
    int host[32];

    cudaMemcpy(host, from, sizeof(host), cudaMemcpyDeviceToHost);
    return host[0] == host[31] ? host[0] : -1;
}

static int last(const int *from)
{
    int host;

    cudaMemcpy(&host, from + 31, sizeof(host), cudaMemcpyDeviceToHost);
    return host;
}

static void attributes(int *to)
{
    cudaLaunchConfig_t config = {0};
    cudaLaunchAttribute attribute[2];
    int value = 7, n = 32;
    void *arguments[] = {&to, &value, &n};

    config.gridDim = 4;
    config.blockDim = 8;
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = 2;
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    attribute[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[1].val.programmaticStreamSerializationAllowed = 1;
    config.attrs = attribute;
    config.numAttrs = 2;
    is("Ex", cudaLaunchKernelEx(&config, fill<int>, to, 5, n), 0);
    is("after Ex", first(to), 5);
    is("ExC", cudaLaunchKernelExC(&config, (const void *)fill<int>,
                                  arguments), 0);
    is("after ExC", first(to), 7);
    is("ranks", cudaLaunchKernelEx(&config, ranks, to), 0);
    is("of the last in two", last(to), 1);
    config.numAttrs = 0;
    is("alone", cudaLaunchKernelEx(&config, ranks, to), 0);
    is("of one alone", first(to), 0);
    config.numAttrs = 2;
    attribute[0].val.clusterDim.x = 3;
    is("four blocks in threes", cudaLaunchKernelEx(&config, fill<int>, to, 1, n),
       cudaErrorInvalidClusterSize);
    is("the error", cudaGetLastError(), cudaErrorInvalidClusterSize);
}

static void count(void *to)
{
    ++*(int *)to;
}

static void by_hand(int *to)
{
    cudaGraph_t graph, copy;
    cudaGraphNode_t set, kernel, doubled, back, called;
    cudaGraphExec_t exec;
    cudaKernelNodeParams k = {0};
    cudaMemsetParams m = {0};
    cudaMemcpy3DParms c = {0};
    cudaHostNodeParams h = {0};
    int by = 3, host[32], calls = 0;
    double scale = 2;
    void *arguments[] = {&to, &by, &scale}, *one[] = {&to};
    size_t nodes;

    cudaGraphCreate(&graph, 0);
    m.dst = to;
    m.value = 1000;
    m.elementSize = 4;
    m.width = 32;
    m.height = 1;
    cudaGraphAddMemsetNode(&set, graph, NULL, 0, &m);
    k.func = (void *)twice;
    k.gridDim = 1;
    k.blockDim = 32;
    k.kernelParams = one;
    // Made before what it waits for.
    cudaGraphAddKernelNode(&doubled, graph, &set, 1, &k);
    k.func = (void *)add;
    k.kernelParams = arguments;
    cudaGraphAddKernelNode(&kernel, graph, &set, 1, &k);
#if CUDART_VERSION >= 13000
    cudaGraphAddDependencies(graph, &kernel, &doubled, NULL, 1);
#else
    cudaGraphAddDependencies(graph, &kernel, &doubled, 1);
#endif
    c.srcPtr = make_cudaPitchedPtr(to, sizeof(host), 32, 1);
    c.dstPtr = make_cudaPitchedPtr(host, sizeof(host), 32, 1);
    c.extent = make_cudaExtent(sizeof(host), 1, 1);
    c.kind = cudaMemcpyDeviceToHost;
    cudaGraphAddMemcpyNode(&back, graph, &doubled, 1, &c);
    h.fn = count;
    h.userData = &calls;
    cudaGraphAddHostNode(&called, graph, &back, 1, &h);
    cudaGraphGetNodes(graph, NULL, &nodes);
    is("nodes", nodes, 5);
    by = 99; // the node has what it was
    cudaGraphClone(&copy, graph);
    cudaGraphInstantiate(&exec, copy, NULL, NULL, 0);
    cudaGraphLaunch(exec, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    is("by hand", host[31], (1000 + 6) * 2);
    is("calls", calls, 2);
    by = 4;
    cudaGraphKernelNodeSetParams(kernel, &k);
    cudaGraphExecDestroy(exec);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    is("changed", host[0], (1000 + 8) * 2);
    by = 5;
    cudaGraphExecKernelNodeSetParams(exec, kernel, &k);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    is("changed when ready", host[0], (1000 + 10) * 2);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(copy);
    cudaGraphDestroy(graph);
    is("destroyed", cudaGraphLaunch(exec, 0), cudaErrorInvalidValue);
    cudaGetLastError();
}

static void captured(int *to)
{
    cudaStream_t s, other;
    cudaEvent_t e;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;
    int host[32];

    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreate(&e);
    fill<<<1, 32>>>(to, 1, 32);
    cudaDeviceSynchronize();
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaStreamIsCapturing(s, &status);
    is("capturing", status, cudaStreamCaptureStatusActive);
    add<<<1, 32, 0, s>>>(to, 5, 2.0);
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(other, e, 0);
    twice<<<1, 32, 0, other>>>(to);
    cudaMemcpyAsync(host, to, sizeof(host), cudaMemcpyDeviceToHost, other);
    cudaMemsetAsync(to, 0, sizeof(host), other);
    is("not yet", first(to), 1);
    cudaEventRecord(e, other);
    cudaStreamWaitEvent(s, e, 0);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    is("captured", host[0], 22);
    is("set", first(to), 0);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    is("again", host[0], 20);
    twice<<<1, 32, 0, s>>>(to); // no more
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(s);
    cudaStreamDestroy(other);
    cudaEventDestroy(e);
}

// What breaks a capture: a call's error, of each mode in turn, and whether the
// stream is one that the legacy default stream waits for.
template <class F> static void breaks(const char *what, F call, int global,
                                      int relaxed, int nonblocking)
{
    for (int mode = 0; mode < 3; mode++)
        for (int apart = 0; apart < 2; apart++) {
            int want = apart ? nonblocking : global;
            cudaStreamCaptureStatus status;
            cudaStream_t s;
            cudaGraph_t graph;

            if (mode == cudaStreamCaptureModeRelaxed)
                want = apart && !nonblocking ? 0 : relaxed;
            cudaStreamCreateWithFlags(&s, apart ? cudaStreamNonBlocking : 0);
            cudaStreamBeginCapture(s, (cudaStreamCaptureMode)mode);
            is(what, call(s), want);
            cudaStreamIsCapturing(s, &status);
            is(what, status, want ? cudaStreamCaptureStatusInvalidated :
                                    cudaStreamCaptureStatusActive);
            is(what, cudaStreamEndCapture(s, &graph),
               want ? cudaErrorStreamCaptureInvalidated : cudaSuccess);
            is(what, graph != NULL, !want);
            cudaGetLastError();
            if (!want)
                cudaGraphDestroy(graph);
            cudaStreamDestroy(s);
        }
}

static void broken(int *to)
{
    const int implicit = cudaErrorStreamCaptureImplicit;
    const int unsafe = cudaErrorStreamCaptureUnsupported;
    const int event = cudaErrorCapturedEvent;
    static int host[32], *more;
    static cudaStream_t other;
    static cudaEvent_t e;

    cudaStreamCreate(&other);
    cudaEventCreate(&e);
    breaks("a copy", [=](cudaStream_t) {
        return cudaMemcpy(host, to, 4, cudaMemcpyDeviceToHost);
    }, implicit, implicit, 0);
    breaks("a set", [=](cudaStream_t) { return cudaMemset(to, 0, 4); },
           implicit, implicit, 0);
    breaks("a launch", [=](cudaStream_t) {
        twice<<<1, 32>>>(to);
        return cudaPeekAtLastError();
    }, implicit, implicit, 0);
    breaks("a launch in another", [=](cudaStream_t) {
        twice<<<1, 32, 0, other>>>(to);
        return cudaPeekAtLastError();
    }, 0, 0, 0);
    breaks("an allocation", [=](cudaStream_t) {
        cudaError_t error = cudaMalloc(&more, 4);

        if (!error)
            cudaFree(more);
        return error;
    }, unsafe, 0, unsafe);
    breaks("freeing", [=](cudaStream_t) { return cudaFree(NULL); },
           unsafe, 0, unsafe);
    breaks("waiting for all", [=](cudaStream_t) {
        return cudaDeviceSynchronize();
    }, unsafe, unsafe, unsafe);
    breaks("waiting for it", [=](cudaStream_t s) {
        return cudaStreamSynchronize(s);
    }, unsafe, unsafe, unsafe);
    breaks("asking for it", [=](cudaStream_t s) {
        return cudaStreamQuery(s);
    }, unsafe, unsafe, unsafe);
    breaks("waiting for another", [=](cudaStream_t) {
        return cudaStreamSynchronize(other);
    }, unsafe, 0, unsafe);
    breaks("waiting for an event", [=](cudaStream_t s) {
        cudaEventRecord(e, s);
        return cudaEventSynchronize(e);
    }, event, event, event);
    cudaStreamDestroy(other);
    cudaEventDestroy(e);
}

// A stream that is captured because of another's event must come back to that
// one, with all its work.
static void unjoined(int *to)
{
    cudaStream_t s, other;
    cudaEvent_t e;
    cudaGraph_t graph;
    cudaStreamCaptureStatus status;

    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreate(&e);
    for (int back = 0; back < 3; back++) {
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaEventRecord(e, s);
        cudaStreamWaitEvent(other, e, 0);
        twice<<<1, 32, 0, other>>>(to);
        if (back > 0) {
            cudaEventRecord(e, other);
            cudaStreamWaitEvent(s, e, 0);
        }
        if (back > 1)
            twice<<<1, 32, 0, other>>>(to); // behind that
        is("unjoined", cudaStreamEndCapture(s, &graph),
           back == 1 ? cudaSuccess : cudaErrorStreamCaptureUnjoined);
        is("its graph", graph != NULL, back == 1);
        if (graph)
            cudaGraphDestroy(graph);
        is("seen", cudaGetLastError(),
           back == 1 ? cudaSuccess : cudaErrorStreamCaptureUnjoined);
        cudaStreamIsCapturing(s, &status);
        is("its end", status, cudaStreamCaptureStatusNone);
        cudaStreamIsCapturing(other, &status);
        is("its other's", status, cudaStreamCaptureStatusNone);
    }
    cudaStreamDestroy(s);
    cudaStreamDestroy(other);
    cudaEventDestroy(e);
}

int main()
{
    int *to;

    cudaMalloc(&to, 32 * sizeof(int));
    attributes(to);
    by_hand(to);
    captured(to);
    broken(to);
    unjoined(to);
    cudaFree(to);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
