/* Memory that host and device share, used by the host with and without waiting
 * for the device: the argument says how. Those whose name begins with "no_"
 * are wrong. */
#include <cstdio>
#include <cstring>

__managed__ int counter, other;
__device__ __managed__ struct { int n, sum; } pair;

__global__ void fill(int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        to[i] = i;
}

__global__ void add_up(const int *from, int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        atomicAdd(to, from[i]);
}

__global__ void count(void)
{
    atomicAdd(&counter, 1);
    if (threadIdx.x == 0 && blockIdx.x == 0)
        pair.sum = pair.n + 1;
}

__global__ void progress(volatile int *done)
{
    for (int i = 1; i <= 3; i++)
        *done = i;
}

__global__ void tell(int *to, int *done)
{
    *to = 5;
#ifdef SYSTEM
    __threadfence_system();
    atomicExch_system(done, 1);
#endif
}

static int seen;

static void look(void *of)
{
    seen = ((int *)of)[1];
}

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

int main(int argc, char **argv)
{
    const int n = 4096;
    const char *how = argv[argc - 1];
    bool wrong = !strncmp(how, "no_", 3);
    int *a, *b, *pinned, *own = new int[n], *device;
    cudaStream_t s, apart;
    cudaEvent_t e;

    cudaMallocManaged(&a, n * sizeof(int));
    cudaMallocManaged(&b, n * sizeof(int));
    cudaMallocHost(&pinned, n * sizeof(int));
    cudaMalloc(&device, n * sizeof(int));
    cudaStreamCreate(&s);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaEventCreate(&e);
    b[0] = 0;
    if (is(how, "device") || is(how, "no_device")) {
        fill<<<16, 256>>>(a, n);
        if (!wrong)
            cudaDeviceSynchronize();
        seen = a[7];
    } else if (is(how, "write") || is(how, "no_write")) {
        memset(a, 0, n * sizeof(int));
        add_up<<<16, 256>>>(a, b, n);
        if (!wrong)
            cudaStreamSynchronize(0);
        a[100] = 5;
    } else if (is(how, "elsewhere")) {
        fill<<<8, 256>>>(a, n / 2);     /* of the first half only */
        for (int i = n / 2; i < n; i++)
            a[i] = 1;
        fill<<<1, 10>>>(b, 10);
        b[10] = a[n - 1];
        seen = b[1000];
        cudaDeviceSynchronize();
    } else if (is(how, "reads")) {
        memset(a, 0, n * sizeof(int));
        add_up<<<16, 256>>>(a, b, n);
        seen = a[5];            /* both read it */
        cudaDeviceSynchronize();
    } else if (is(how, "stream") || is(how, "no_stream")) {
        fill<<<16, 256, 0, s>>>(a, n);
        fill<<<16, 256, 0, apart>>>(b, n);
        cudaStreamSynchronize(wrong ? apart : s);
        seen = a[1];
        cudaStreamSynchronize(apart);
        cudaStreamSynchronize(s);
    } else if (is(how, "legacy") || is(how, "no_legacy")) {
        fill<<<16, 256, 0, wrong ? apart : s>>>(a, n);
        fill<<<1, 1>>>(b, 1);
        cudaStreamSynchronize(0);
        seen = a[1];
    } else if (is(how, "event") || is(how, "no_event")) {
        fill<<<16, 256, 0, s>>>(a, n);
        cudaEventRecord(e, s);
        fill<<<16, 256, 0, s>>>(b, n);
        cudaEventSynchronize(e);
        seen = wrong ? b[1] : a[1];
        cudaDeviceSynchronize();
    } else if (is(how, "wait") || is(how, "no_wait")) {
        fill<<<16, 256, 0, s>>>(a, n);
        cudaEventRecord(e, s);
        if (!wrong)
            cudaStreamWaitEvent(apart, e, 0);
        fill<<<16, 256, 0, apart>>>(b, n);
        cudaStreamSynchronize(apart);
        seen = a[1];
    } else if (is(how, "copy")) {
        fill<<<16, 256, 0, s>>>(a, n);
        cudaMemcpy(own, device, 4, cudaMemcpyDeviceToHost);
        seen = a[1];
    } else if (is(how, "no_copy")) {
        fill<<<16, 256>>>(a, n);
        cudaMemcpy(device, a, 4, cudaMemcpyDeviceToDevice);
        seen = a[1];
    } else if (is(how, "pinned") || is(how, "no_pinned")) {
        fill<<<16, 256, 0, s>>>(device, n);
        cudaMemcpyAsync(pinned, device, n * sizeof(int),
                        cudaMemcpyDeviceToHost, s);
        if (!wrong)
            while (cudaStreamQuery(s) == cudaErrorNotReady)
                ;
        seen = pinned[9];
    } else if (is(how, "pageable")) {
        fill<<<16, 256, 0, s>>>(a, n);
        cudaMemcpyAsync(own, a, n * sizeof(int), cudaMemcpyDeviceToHost, s);
        seen = own[9] + a[9];
    } else if (is(how, "no_refill")) {
        cudaMemcpyAsync(device, pinned, n * sizeof(int),
                        cudaMemcpyHostToDevice, s);
        pinned[0] = 1;
    } else if (is(how, "callback")) {
        fill<<<16, 256, 0, s>>>(a, n);
        cudaLaunchHostFunc(s, look, a);
        cudaStreamSynchronize(s);
    } else if (is(how, "variable") || is(how, "no_variable")) {
        count<<<2, 32>>>();
        other = 3;
        seen = other + pair.n;
        if (!wrong)
            cudaDeviceSynchronize();
        seen += counter;
        printf("%d\n", counter);
    } else if (is(how, "no_member")) {
        count<<<2, 32>>>();
        seen = pair.n;
        seen = pair.sum;
    } else if (is(how, "no_set")) {
        cudaMemset(a, 0, n * sizeof(int));
        a[3] = 1;
    } else if (is(how, "file") || is(how, "no_file")) {
        FILE *in = fopen(argv[1], "r");

        fill<<<wrong ? 16 : 8, 256>>>(a, n);
        seen = (int)fread(a + n / 2 + 8, 4, n / 2 - 8, in);
        printf("%s\n", seen == n / 2 - 8 ? "whole" : "in part");
        cudaDeviceSynchronize();
        fclose(in);
    } else if (is(how, "loop") || is(how, "no_loop")) {
        for (int i = 0; i < 50; i++) {
            fill<<<16, 256>>>(a, n);
            if (!wrong)
                cudaDeviceSynchronize();
            seen += a[i];
        }
    } else if (is(how, "progress")) {
        progress<<<1, 1>>>(pinned);
        while (*(volatile int *)pinned < 3)
            ;
    } else if (is(how, "system") || is(how, "no_system")) {
        pinned[0] = 1;
        tell<<<1, 1>>>(a, pinned);
        while (*(volatile int *)pinned == 0)
            ;
        seen = a[0];
    } else if (is(how, "free")) {
        fill<<<16, 256>>>(a, n);
        cudaFree(b);
        seen = a[1];
        cudaMallocManaged(&b, 4);
    }
    cudaDeviceSynchronize();
    printf("%s %d\n", how, seen);
    cudaEventDestroy(e);
    cudaFree(a);
    cudaFree(b);
    cudaFree(device);
    cudaFreeHost(pinned);
    delete[] own;
    return 0;
}
