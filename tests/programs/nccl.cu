/* NCCL between the devices of one process: what is right, and what hangs or
 * fails on GPUs, by the argument. Those whose name begins with "no_" are wrong. */
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <nccl.h>

static const int n = 24;
static int ranks;
static ncclComm_t comm[8];
static cudaStream_t stream[8];
static float *from[8], *to[8];

__global__ void add(float *p, int n, float by)
{
    if (threadIdx.x < n)
        p[threadIdx.x] += by;
}

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || (!strncmp(a, "no_", 3) && !strcmp(a + 3, b));
}

/* Rank r has r + 1 times 1, 2, ... */
static void fill(int count)
{
    std::vector<float> v(count);

    for (int r = 0; r < ranks; r++) {
        for (int i = 0; i < count; i++)
            v[i] = (r + 1) * (i + 1.0f);
        cudaSetDevice(r);
        cudaMemcpy(from[r], v.data(), count * sizeof(float),
                   cudaMemcpyHostToDevice);
        cudaMemset(to[r], 0, n * sizeof(float));
    }
}

static void wait_all(void)
{
    for (int r = 0; r < ranks; r++) {
        cudaSetDevice(r);
        cudaStreamSynchronize(stream[r]);
    }
}

/* The first elements of each rank, as they are now. */
static void print(const char *what, int count)
{
    float v[n];

    printf("%s:", what);
    for (int r = 0; r < ranks; r++) {
        cudaSetDevice(r);
        cudaMemcpy(v, to[r], sizeof(v), cudaMemcpyDeviceToHost);
        for (int i = 0; i < count; i++)
            printf(" %g", v[i]);
        printf(r + 1 < ranks ? " |" : "\n");
    }
}

/* A sum of three of another type, of which rank 0 tells. */
template <typename T>
static void typed(const char *name, ncclDataType_t type, ncclRedOp_t op,
                  const T (&v)[4])
{
    T got[2];

    for (int r = 0; r < ranks; r++) {
        cudaSetDevice(r);
        cudaMemcpy(from[r], v + r, 2 * sizeof(T), cudaMemcpyHostToDevice);
    }
    ncclGroupStart();
    for (int r = 0; r < ranks; r++)
        ncclAllReduce(from[r], to[r], 2, type, op, comm[r], stream[r]);
    ncclGroupEnd();
    wait_all();
    cudaSetDevice(0);
    cudaMemcpy(got, to[0], sizeof(got), cudaMemcpyDeviceToHost);
    printf("%s %.9g %.9g\n", name, (double)(float)got[0],
           (double)(float)got[1]);
}

static void all_types(void)
{
    typed<int8_t>("int8", ncclInt8, ncclSum, {100, 50, -20, 7});
    typed<uint8_t>("uint8", ncclUint8, ncclMax, {100, 250, 20, 7});
    typed<int32_t>("int32", ncclInt, ncclProd, {3, -5, 7, 11});
    typed<uint32_t>("uint32", ncclUint32, ncclMin, {3, 4000000000u, 7, 1});
    typed<int64_t>("int64", ncclInt64, ncclAvg, {-3, -5, 2, 1});
    typed<uint64_t>("uint64", ncclUint64, ncclSum, {1, 2, 3, 4});
    typed<float>("float", ncclFloat, ncclAvg, {1.5f, 3, 6, 12});
    typed<double>("double", ncclDouble, ncclSum, {0.5, 0.25, 4, 8});
    typed<__half>("half", ncclHalf, ncclSum,
                  {__float2half(2048), __float2half(1), __float2half(1),
                   __float2half(3)});
    typed<__nv_bfloat16>("bfloat16", ncclBfloat16, ncclSum,
                         {__float2bfloat16(256), __float2bfloat16(1),
                          __float2bfloat16(1), __float2bfloat16(3)});
}

int main(int argc, char **argv)
{
    const char *how = argv[argc - 1];
    bool wrong = !strncmp(how, "no_", 3);
    cudaEvent_t event;
    ncclUniqueId id;
    ncclRedOp_t op[8];
    int count, rank, device, version;
    float factor = 10;

    cudaGetDeviceCount(&ranks);
    for (int r = 0; r < ranks; r++) {
        cudaSetDevice(r);
        cudaMalloc(&from[r], n * sizeof(float));
        cudaMalloc(&to[r], n * sizeof(float));
        cudaStreamCreate(&stream[r]);
    }
    cudaSetDevice(1);
    cudaEventCreate(&event);
    if (is(how, "ranks")) {
        ncclGetUniqueId(&id);
        if (!wrong)
            ncclGroupStart();
        for (int r = 0; r < ranks; r++) {
            cudaSetDevice(r);
            /* ranks */
            ncclCommInitRank(&comm[r], ranks, id, r);
        }
        ncclGroupEnd();
    } else {
        ncclCommInitAll(comm, ranks, NULL);
    }
    fill(n);
    if (is(how, "ranks")) {
        ncclCommCount(comm[1], &count);
        ncclCommUserRank(comm[1], &rank);
        ncclCommCuDevice(comm[1], &device);
        ncclGetVersion(&version);
        printf("%d %d %d %s %s\n", count, rank, device,
               version == NCCL_VERSION_CODE ? "version" : "?",
               ncclGetErrorString(ncclInvalidUsage));
    } else if (is(how, "sum")) {
        if (!wrong)
            ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            /* sum */
            ncclAllReduce(from[r], to[r], n, ncclFloat, ncclSum, comm[r],
                          stream[r]);
        if (!wrong)
            ncclGroupEnd();
        wait_all();
        print("sum", 2);
    } else if (is(how, "broadcast")) {
        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            /* broadcast */
            ncclBroadcast(from[r], to[r], n, ncclFloat,
                          wrong && r == 2 ? 0 : 1, comm[r],
                          stream[r]);
        ncclGroupEnd();
        wait_all();
        print("broadcast", 2);
    } else if (is(how, "reduce")) {
        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            /* reduce */
            ncclReduce(from[r], to[r], n, ncclFloat,
                       wrong && r == 1 ? ncclSum : ncclMax, 2, comm[r],
                       stream[r]);
        ncclGroupEnd();
        wait_all();
        print("reduce", 2);
    } else if (is(how, "gather")) {
        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            /* gather */
            ncclAllGather(from[r], to[r], wrong && r == 1 ? 3 : 2, ncclFloat,
                          comm[r], stream[r]);
        ncclGroupEnd();
        wait_all();
        print("gather", 6);
    } else if (is(how, "scatter")) {
        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            /* scatter */
            ncclReduceScatter(from[r], to[r], 2,
                              wrong && r == 1 ? ncclInt : ncclFloat, ncclSum,
                              comm[r], stream[r]);
        ncclGroupEnd();
        wait_all();
        print("scatter", 2);
    } else if (is(how, "others")) {
        ncclGroupStart();
        for (int r = 0; r < ranks; r++) {
            ncclAlltoAll(from[r], to[r], 2, ncclFloat, comm[r], stream[r]);
            ncclGather(from[r], to[r] + 6, 2, ncclFloat, 1, comm[r],
                       stream[r]);
            ncclScatter(from[r], to[r] + 12, 2, ncclFloat, 2, comm[r],
                        stream[r]);
        }
        ncclGroupEnd();
        wait_all();
        print("others", 14);
    } else if (is(how, "place")) {      /* in place, as NCCL has it */
        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            /* place */
            ncclAllGather(from[r] + (wrong ? 1 : 2 * r), from[r], 2,
                          ncclFloat, comm[r], stream[r]);
        ncclGroupEnd();
        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            ncclBcast(from[r], 6, ncclFloat, 2, comm[r], stream[r]);
        ncclGroupEnd();
        for (int r = 0; r < ranks; r++)
            cudaMemcpyAsync(to[r], from[r], 24, cudaMemcpyDefault, stream[r]);
        wait_all();
        print("place", 6);
    } else if (is(how, "ring")) {       /* each to the next */
        ncclGroupStart();
        for (int r = 0; r < ranks; r++) {
            /* ring */
            ncclSend(from[r], n, ncclFloat, (r + 1) % ranks, comm[r],
                     stream[r]);
            if (!wrong || r != 1)
                ncclRecv(to[r], n, ncclFloat, (r + ranks - 1) % ranks,
                         comm[r], stream[r]);
        }
        ncclGroupEnd();
        wait_all();
        print("ring", 1);
    } else if (is(how, "sizes")) {
        ncclGroupStart();
        ncclSend(from[0], n, ncclFloat, 1, comm[0], stream[0]);
        ncclRecv(to[1], wrong ? n - 1 : n, ncclFloat, 0, comm[1], stream[1]);
        ncclGroupEnd();
        wait_all();
        print("sizes", 1);
    } else if (is(how, "missing")) {
        ncclGroupStart();
        for (int r = 0; r < ranks - wrong; r++)
            /* missing */
            ncclAllReduce(from[r], to[r], n, ncclFloat, ncclSum, comm[r],
                          stream[r]);
        ncclGroupEnd();
        cudaSetDevice(0);
        add<<<1, 32, 0, stream[0]>>>(to[0], n, 1);
        cudaStreamSynchronize(stream[0]);
        print("missing", 1);
    } else if (is(how, "calls")) {
        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            if (wrong && r == 2)
                ncclBroadcast(from[r], to[r], n, ncclFloat, 0, comm[r],
                              stream[r]);
            else
                /* calls */
                ncclAllReduce(from[r], to[r], n, ncclFloat, ncclSum, comm[r],
                              stream[r]);
        ncclGroupEnd();
        wait_all();
    } else if (is(how, "order")) {      /* what is behind a broadcast */
        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            /* order */
            ncclBroadcast(from[r], to[r], n, ncclFloat, 0, comm[r],
                          stream[r]);
        ncclGroupEnd();
        cudaSetDevice(1);
        if (wrong) {
            cudaStream_t other;

            cudaStreamCreate(&other);
            add<<<1, 32, 0, other>>>(to[1], n, 1);
        } else {
            add<<<1, 32, 0, stream[1]>>>(to[1], n, 1);
        }
        cudaDeviceSynchronize();
        print("order", 1);
    } else if (is(how, "turns")) {      /* copies beside products */
        for (int step = 0; step < 3; step++) {
            ncclGroupStart();
            for (int r = 0; r < ranks; r++)
                ncclBroadcast(from[r], to[r], n, ncclFloat, step, comm[r],
                              stream[r]);
            ncclGroupEnd();
            for (int r = 0; r < ranks; r++) {
                cudaSetDevice(r);
                add<<<1, 32, 0, stream[r]>>>(to[r], n, 1);
            }
        }
        wait_all();
        print("turns", 1);
    } else if (is(how, "split")) {
        ncclComm_t part[8];

        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            ncclCommSplit(comm[r], r == 1 ? NCCL_SPLIT_NOCOLOR : 5, -r,
                          &part[r], NULL);
        ncclGroupEnd();
        ncclGroupStart();
        for (int r = 0; r < ranks; r += 2)
            ncclAllGather(from[r], to[r], 1, ncclFloat, part[r], stream[r]);
        ncclGroupEnd();
        wait_all();
        printf("%s, ", part[1] ? "?" : "none");
        print("split", 2);
    } else if (is(how, "times")) {
        for (int r = 0; r < ranks; r++)
            ncclRedOpCreatePreMulSum(&op[r], &factor, ncclFloat,
                                     ncclScalarHostImmediate, comm[r]);
        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            ncclAllReduce(from[r], to[r], n, ncclFloat, op[r], comm[r],
                          stream[r]);
        ncclGroupEnd();
        wait_all();
        print("times", 2);
    } else if (is(how, "types")) {
        all_types();
    } else if (is(how, "stream")) {
        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            /* stream */
            printf("%d\n", ncclBroadcast(from[r], to[r], n, ncclFloat, 0,
                                         comm[r],
                                         stream[wrong ? 0 : r]));
        ncclGroupEnd();
        wait_all();
    } else if (is(how, "memory")) {
        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            /* memory */
            ncclBroadcast(from[r], to[wrong ? 0 : r], n, ncclFloat, 0,
                          comm[r], stream[r]);
        ncclGroupEnd();
        wait_all();
    } else if (is(how, "large")) {
        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            /* large */
            ncclBroadcast(from[r], to[r], wrong ? n + 1 : n, ncclFloat, 0,
                          comm[r], stream[r]);
        ncclGroupEnd();
        wait_all();
    } else if (is(how, "host")) {
        static float own[n];

        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            /* host */
            ncclBroadcast(from[r], wrong ? own : to[r], n, ncclFloat, 0,
                          comm[r], stream[r]);
        ncclGroupEnd();
        wait_all();
    } else if (is(how, "open")) {
        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            ncclBroadcast(from[r], to[r], n, ncclFloat, 0, comm[r],
                          stream[r]);
        if (wrong)
            wait_all();
        ncclGroupEnd();
        wait_all();
    } else if (is(how, "destroyed")) {
        if (wrong)
            ncclCommDestroy(comm[0]);
        ncclGroupStart();
        for (int r = 0; r < ranks; r++)
            /* destroyed */
            printf("%d\n", ncclBroadcast(from[r], to[r], n, ncclFloat, 0,
                                         comm[r], stream[r]));
        ncclGroupEnd();
        if (wrong)
            return 0;
        wait_all();
    } else if (is(how, "refused")) {    /* one call, and with it the group */
        ncclGroupStart();
        for (int r = 0; r < ranks; r++) {
            ncclAllReduce(from[r], to[r], 2, ncclFloat, ncclSum, comm[r],
                          stream[r]);
            ncclBroadcast(from[r], to[r], 2, ncclFloat, ranks, comm[r],
                          stream[r]);
        }
        printf("%d\n", ncclGroupEnd());
        wait_all();
        print("refused", 2);
    } else if (is(how, "arguments")) {
        ncclComm_t none[9];

        printf("%d %d %d %d\n",
               ncclCommInitAll(none, ranks + 1, NULL),
               ncclBroadcast(from[0], to[0], n, ncclFloat, ranks, comm[0],
                             stream[0]),
               ncclAllReduce(from[0], to[0], n, ncclFloat, (ncclRedOp_t)9,
                             comm[0], stream[0]),
               ncclGroupEnd());

        int twice[] = {1, 1};

        printf("%d %d %d\n", ncclCommDestroy(NULL), ncclCommAbort(NULL),
               ncclCommFinalize(NULL));
        printf("%d %d\n", ncclCommInitAll(none, 2, twice),
               ncclSend(from[0], 0, ncclFloat, 1, comm[0], stream[0]));
    } else {
        return 3;
    }
    for (int r = 0; r < ranks; r++) {
        cudaSetDevice(r);
        add<<<1, 32, 0, stream[r]>>>(to[r], n, 1);
        cudaDeviceSynchronize();
        cudaFree(from[r]);
        cudaFree(to[r]);
        if (!is(how, "arguments"))
            ncclCommDestroy(comm[r]);
    }
    printf("%s\n", how);
    return 0;
}
