// Conditional nodes of graphs: if, else, while, switch, one in another.
#include <cstdio>
#include <cstdlib>

static int wrong;
#define SAME(got, want) same(__LINE__, (long long)(got), (long long)(want))
static void same(int line, long long got, long long want)
{
    if (got != want)
        printf("line %d: %lld, not %lld\n", line, got, want);
    wrong += got != want;
}

__global__ void decide(const int *value, cudaGraphConditionalHandle handle)
{
    cudaGraphSetConditional(handle, (unsigned int)*value);
}
__global__ void count(int *to, int by) { *to += by; }
__global__ void down(int *value, cudaGraphConditionalHandle handle)
{
    if (--*value == 0)
        cudaGraphSetConditional(handle, 0);
}

template <class K, class... A>
static cudaGraphNode_t kernel(cudaGraph_t g, cudaGraphNode_t after, K k, A... a)
{
    void *arguments[] = { &a... };
    cudaGraphNodeParams p = { cudaGraphNodeTypeKernel };
    cudaGraphNode_t node;

    p.kernel.func = (void *)k;
    p.kernel.gridDim.x = p.kernel.gridDim.y = p.kernel.gridDim.z = 1;
    p.kernel.blockDim.x = p.kernel.blockDim.y = p.kernel.blockDim.z = 1;
    p.kernel.kernelParams = arguments;
#if CUDART_VERSION >= 13000
    SAME(cudaGraphAddNode(&node, g, after ? &after : 0, 0, after ? 1 : 0, &p),
         cudaSuccess);
#else
    SAME(cudaGraphAddNode(&node, g, after ? &after : 0, after ? 1 : 0, &p),
         cudaSuccess);
#endif
    return node;
}

static cudaGraph_t *condition(cudaGraph_t g, cudaGraphNode_t after,
                              cudaGraphConditionalHandle handle,
                              cudaGraphConditionalNodeType type,
                              unsigned int size, int want)
{
    cudaGraphNodeParams p = { cudaGraphNodeTypeConditional };
    cudaGraphNode_t node;

    p.conditional.handle = handle;
    p.conditional.type = type;
    p.conditional.size = size;
#if CUDART_VERSION >= 13000
    SAME(cudaGraphAddNode(&node, g, after ? &after : 0, 0, after ? 1 : 0, &p),
         want);
#else
    SAME(cudaGraphAddNode(&node, g, after ? &after : 0, after ? 1 : 0, &p),
         want);
#endif
    cudaGetLastError();
    return p.conditional.phGraph_out;
}

static int launched(cudaGraphExec_t exec, int *to, int *value, int is)
{
    *to = 0;
    *value = is;
    SAME(cudaGraphLaunch(exec, 0), cudaSuccess);
    SAME(cudaDeviceSynchronize(), cudaSuccess);
    return *to;
}

int main(int argc, char **argv)
{
    int *to, *value;
    cudaGraph_t g, *body;
    cudaGraphExec_t exec;
    cudaGraphNode_t first;
    cudaGraphConditionalHandle handle, inner;

    cudaMallocManaged(&to, sizeof(int));
    cudaMallocManaged(&value, sizeof(int));

    // if and else
    cudaGraphCreate(&g, 0);
    SAME(cudaGraphConditionalHandleCreate(&handle, g), cudaSuccess);
    first = kernel(g, 0, decide, (const int *)value, handle);
    condition(g, first, handle, cudaGraphCondTypeIf, 3, cudaErrorInvalidValue);
    condition(g, first, handle, cudaGraphCondTypeWhile, 2, cudaErrorInvalidValue);
    condition(g, first, 0, cudaGraphCondTypeIf, 1, cudaErrorInvalidValue);
    body = condition(g, first, handle, cudaGraphCondTypeIf, 2, cudaSuccess);
    kernel(body[0], 0, count, to, 1);
    kernel(body[1], 0, count, to, 2);
    SAME(cudaGraphInstantiate(&exec, g, 0), cudaSuccess);
    SAME(launched(exec, to, value, 1), 1);
    SAME(launched(exec, to, value, 0), 2);
    SAME(launched(exec, to, value, 7), 1);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(g);

    // switch, whose value may be no body's
    cudaGraphCreate(&g, 0);
    SAME(cudaGraphConditionalHandleCreate(&handle, g), cudaSuccess);
    first = kernel(g, 0, decide, (const int *)value, handle);
    body = condition(g, first, handle, cudaGraphCondTypeSwitch, 3, cudaSuccess);
    for (int i = 0; i < 3; i++)
        kernel(body[i], 0, count, to, 10 + i);
    SAME(cudaGraphInstantiate(&exec, g, 0), cudaSuccess);
    for (int i = 0; i < 5; i++)
        SAME(launched(exec, to, value, i), i < 3 ? 10 + i : 0);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(g);

    // while, from a default value; in its body an if, and what is captured
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaGraphCreate(&g, 0);
    SAME(cudaGraphConditionalHandleCreate(&handle, g, 1,
                                          cudaGraphCondAssignDefault),
         cudaSuccess);
    body = condition(g, 0, handle, cudaGraphCondTypeWhile, 1, cudaSuccess);
    SAME(cudaGraphConditionalHandleCreate(&inner, body[0], 0,
                                          cudaGraphCondAssignDefault),
         cudaSuccess);
    cudaGraph_t *more =
        condition(body[0], 0, inner, cudaGraphCondTypeIf, 2, cudaSuccess);
    kernel(more[0], 0, count, to, 1000);
    kernel(more[1], 0, count, to, 100);
    SAME(cudaStreamBeginCaptureToGraph(s, body[0], 0, 0, 0,
                                       cudaStreamCaptureModeGlobal),
         cudaSuccess);
    count<<<1, 1, 0, s>>>(to, 1);
    if (argc < 2)
        down<<<1, 1, 0, s>>>(value, handle);
    SAME(cudaStreamEndCapture(s, 0), cudaSuccess);
    SAME(cudaGraphInstantiate(&exec, g, 0), cudaSuccess);
    for (int i = 1; i < 4; i++)
        SAME(launched(exec, to, value, i), 101 * i);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(g);

    // captured around one that is added
    SAME(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal), cudaSuccess);
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *after;
    size_t n;
    count<<<1, 1, 0, s>>>(to, 1);
#if CUDART_VERSION >= 13000
    SAME(cudaStreamGetCaptureInfo(s, &status, 0, &g, &after, 0, &n), 0);
#else
    SAME(cudaStreamGetCaptureInfo(s, &status, 0, &g, &after, &n), 0);
#endif
    SAME(status, cudaStreamCaptureStatusActive);
    SAME(n, 1);
    SAME(cudaGraphConditionalHandleCreate(&handle, g, 1,
                                          cudaGraphCondAssignDefault),
         cudaSuccess);
    body = condition(g, after[0], handle, cudaGraphCondTypeIf, 1, cudaSuccess);
    kernel(body[0], 0, count, to, 10);
    count<<<1, 1, 0, s>>>(to, 100);
    SAME(cudaStreamEndCapture(s, &g), cudaSuccess);
    SAME(cudaGraphInstantiate(&exec, g, 0), cudaSuccess);
    SAME(launched(exec, to, value, 0), 111);
    cudaFree(to);
    cudaFree(value);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
