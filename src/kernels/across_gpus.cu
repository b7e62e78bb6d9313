// across_gpus: C over a grid of GPUs, which pass panels of A and B on.
//
// Idea (SUMMA): what blocks do with tiles in shared memory, GPUs do one
// level up. Each GPU of a grid of P x Q keeps a tile of A, of B and of
// C. In each step a panel of A, a few of its columns, goes along every
// row of GPUs, from the one that has it to the others, and a panel of
// B, as many of its rows, along every column. Then each GPU has what it
// takes to add the panels' product to its own tile of C: an element of
// A has crossed to Q - 1 GPUs, one of B to P - 1, none of C to any.
// NCCL's broadcasts carry the panels. There is room for BUFFERS panels
// of each: with two, the next travel while the last are multiplied.
//
// Assumes: A is M x K, B is K x N, C is M x N, row-major; any sizes and
// any grid. A part of a matrix may be larger than the next by a row or
// a column, and a panel is narrower where a GPU's part of A or B ends.
//
// nvcc -O3 across_gpus.cu -lnccl; its arguments are M, N, K, P and Q.

#include <cstdio>
#include <cstdlib>

#include <nccl.h>

#ifndef PANEL
#define PANEL 16    // columns of A and rows of B in a step, at most
#endif
#ifndef BUFFERS
#define BUFFERS 2   // panels of each that a GPU has room for
#endif
#ifndef GPU_ROWS
#define GPU_ROWS 0  // P, where it is no argument; 0: as square as can be
#endif
#ifndef FAST
#define FAST 0      // the product on a GPU: 0 tiled, 1 sgemm
#endif

#if FAST
#include "sgemm.cu"
#else
#include "tiled.cu"
#endif

#define MOST 64     // GPUs

#define TRY(call) check((int)(call), #call)

static void check(int error, const char *call)
{
    if (error == 0)
        return;
    fprintf(stderr, "%s: error %d\n", call, error);
    exit(1);
}

// A stretch of a matrix's rows or columns.
struct part {
    int from, size;
};

// The i-th of `count` parts, as equal as they can be.
static part part_of(int n, int count, int i)
{
    int from = (long)n * i / count;
    int to = (long)n * (i + 1) / count;

    return { from, to - from };
}

// The part that has this row or column, and how many it has from it on.
static int owner_of(int n, int count, int at, int *left)
{
    int i = 0;

    while (part_of(n, count, i + 1).from <= at)
        i++;
    *left = part_of(n, count, i + 1).from - at;
    return i;
}

// A GPU at its place in the grid: which rows and columns of C it has,
// which columns of A and rows of B; and where.
struct gpu {
    int device, row, column;
    part rows, columns, of_A, of_B;
    float *A, *B, *C;
    float *A_panel[BUFFERS], *B_panel[BUFFERS], *product;
    ncclComm_t along_row, along_column;
    cudaStream_t copies, products;
    cudaEvent_t here[BUFFERS], used[BUFFERS];
};

// What A and B hold: whole numbers, so that every sum is exact.
static float value(unsigned seed, unsigned row, unsigned column)
{
    unsigned h = row * 73856093u ^ column * 19349663u ^ seed * 8349271u;

    return (float)((int)(h % 19) - 9);
}

static float *tile_of(unsigned seed, part rows, part columns)
{
    size_t bytes = sizeof(float) * rows.size * columns.size;
    float *all = (float *)malloc(bytes + 1);
    float *tile;

    for (int i = 0; i < rows.size; i++)
        for (int j = 0; j < columns.size; j++)
            all[(size_t)i * columns.size + j] =
                value(seed, rows.from + i, columns.from + j);
    TRY(cudaMalloc(&tile, bytes + 1));
    TRY(cudaMemcpy(tile, all, bytes, cudaMemcpyHostToDevice));
    free(all);
    return tile;
}

static void gpu_begin(gpu *g, int M, int N, int K, int P, int Q)
{
    g->rows = part_of(M, P, g->row);
    g->columns = part_of(N, Q, g->column);
    g->of_A = part_of(K, Q, g->column);
    g->of_B = part_of(K, P, g->row);

    size_t c_bytes = sizeof(float) * g->rows.size * g->columns.size;

    TRY(cudaSetDevice(g->device));
    g->A = tile_of(1, g->rows, g->of_A);
    g->B = tile_of(2, g->of_B, g->columns);
    TRY(cudaMalloc(&g->C, c_bytes));
    TRY(cudaMalloc(&g->product, c_bytes));
    TRY(cudaMemset(g->C, 0, c_bytes));
    TRY(cudaStreamCreateWithFlags(&g->copies, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&g->products, cudaStreamNonBlocking));
    for (int i = 0; i < BUFFERS; i++) {
        TRY(cudaMalloc(&g->A_panel[i],
                       sizeof(float) * g->rows.size * PANEL));
        TRY(cudaMalloc(&g->B_panel[i],
                       sizeof(float) * PANEL * g->columns.size));
        TRY(cudaEventCreateWithFlags(&g->here[i],
                                     cudaEventDisableTiming));
        TRY(cudaEventCreateWithFlags(&g->used[i],
                                     cudaEventDisableTiming));
    }
    TRY(cudaDeviceSynchronize());
}

static void gpu_end(gpu *g)
{
    TRY(cudaSetDevice(g->device));
    TRY(ncclCommDestroy(g->along_row));
    TRY(ncclCommDestroy(g->along_column));
    for (int i = 0; i < BUFFERS; i++) {
        TRY(cudaFree(g->A_panel[i]));
        TRY(cudaFree(g->B_panel[i]));
    }
    TRY(cudaFree(g->A));
    TRY(cudaFree(g->B));
    TRY(cudaFree(g->C));
    TRY(cudaFree(g->product));
}

// A communicator for each row of the grid, and for each column.
static void connect(gpu *gpus, int P, int Q)
{
    ncclComm_t comms[MOST];
    int devices[MOST];

    for (int p = 0; p < P; p++) {
        for (int q = 0; q < Q; q++)
            devices[q] = gpus[p * Q + q].device;
        TRY(ncclCommInitAll(comms, Q, devices));
        for (int q = 0; q < Q; q++)
            gpus[p * Q + q].along_row = comms[q];
    }
    for (int q = 0; q < Q; q++) {
        for (int p = 0; p < P; p++)
            devices[p] = gpus[p * Q + q].device;
        TRY(ncclCommInitAll(comms, P, devices));
        for (int p = 0; p < P; p++)
            gpus[p * Q + q].along_column = comms[p];
    }
}

// C += product, element by element.
__global__ void add(const float *product, float *C, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        C[i] += product[i];
}

// The panels' product, by a kernel of the ladder.
static void local_product(const gpu &g, const float *A, const float *B,
                          int M, int N, int K)
{
#if FAST
    int steps = 3 * BK * (BM + BN + 4);
    int out = THREADS / 32 * OUT_COLUMNS * OUT_ROWS;
    int bytes = (int)sizeof(float) * (steps > out ? steps : out);
    int tiles = (M + BM - 1) / BM * ((N + BN - 1) / BN);
    int at_once;

    TRY(cudaDeviceGetAttribute(&at_once, cudaDevAttrMultiProcessorCount,
                               g.device));
    TRY(cudaFuncSetAttribute(
        sgemm, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    at_once *= BLOCKS;
    sgemm<<<tiles < at_once ? tiles : at_once, THREADS, bytes,
            g.products>>>(A, B, g.product, M, N, K);
#else
    dim3 block(TILE, TILE);
    dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);

    tiled<<<grid, block, 0, g.products>>>(A, B, g.product, M, N, K);
#endif
}

// The panels of `depth` from k on come to where those of an earlier
// step were, once these have been multiplied.
static void pass_panels(const gpu *gpus, int count, int buffer, int k,
                        int depth, int p, int q)
{
    for (int i = 0; i < count; i++) {
        const gpu &g = gpus[i];

        TRY(cudaSetDevice(g.device));
        TRY(cudaStreamWaitEvent(g.copies, g.used[buffer], 0));
        // Rows of a panel of A are not side by side in the tile.
        if (g.column == q)
            TRY(cudaMemcpy2DAsync(
                g.A_panel[buffer], sizeof(float) * depth,
                g.A + (k - g.of_A.from), sizeof(float) * g.of_A.size,
                sizeof(float) * depth, g.rows.size,
                cudaMemcpyDeviceToDevice, g.copies));
    }
    TRY(ncclGroupStart());
    for (int i = 0; i < count; i++) {
        const gpu &g = gpus[i];

        TRY(ncclBroadcast(g.A_panel[buffer], g.A_panel[buffer],
                          (size_t)g.rows.size * depth, ncclFloat, q,
                          g.along_row, g.copies));
    }
    TRY(ncclGroupEnd());
    TRY(ncclGroupStart());
    for (int i = 0; i < count; i++) {
        const gpu &g = gpus[i];
        float *to = g.B_panel[buffer];
        size_t before = (size_t)(k - g.of_B.from) * g.columns.size;

        TRY(ncclBroadcast(g.row == p ? g.B + before : to, to,
                          (size_t)depth * g.columns.size, ncclFloat, p,
                          g.along_column, g.copies));
    }
    TRY(ncclGroupEnd());
}

static void multiply(const gpu *gpus, int count, int buffer, int depth)
{
    for (int i = 0; i < count; i++) {
        const gpu &g = gpus[i];
        int elements = g.rows.size * g.columns.size;

        TRY(cudaSetDevice(g.device));
        TRY(cudaEventRecord(g.here[buffer], g.copies));
        TRY(cudaStreamWaitEvent(g.products, g.here[buffer], 0));
        if (elements > 0) {
            local_product(g, g.A_panel[buffer], g.B_panel[buffer],
                          g.rows.size, g.columns.size, depth);
            add<<<(elements + 255) / 256, 256, 0, g.products>>>(
                g.product, g.C, elements);
            TRY(cudaGetLastError());
        }
        TRY(cudaEventRecord(g.used[buffer], g.products));
    }
}

static void summa(const gpu *gpus, int K, int P, int Q)
{
    for (int k = 0, step = 0; k < K; step++) {
        int left_A, left_B;
        int q = owner_of(K, Q, k, &left_A);
        int p = owner_of(K, P, k, &left_B);
        int depth = left_A < left_B ? left_A : left_B;

        depth = depth < PANEL ? depth : PANEL;
        pass_panels(gpus, P * Q, step % BUFFERS, k, depth, p, q);
        multiply(gpus, P * Q, step % BUFFERS, depth);
        k += depth;
    }
    for (int i = 0; i < P * Q; i++) {
        TRY(cudaSetDevice(gpus[i].device));
        TRY(cudaStreamSynchronize(gpus[i].copies));
        TRY(cudaStreamSynchronize(gpus[i].products));
    }
}

// How many elements of a GPU's tile of C are wrong, of those looked at:
// all of them, where that does not take long.
static int wrong_in(const gpu &g, int K)
{
    size_t count = (size_t)g.rows.size * g.columns.size;
    size_t step = (count * K >> 26) + 1;
    float *C = (float *)malloc(sizeof(float) * count + 1);
    int wrong = 0;

    TRY(cudaSetDevice(g.device));
    TRY(cudaMemcpy(C, g.C, sizeof(float) * count,
                   cudaMemcpyDeviceToHost));
    for (size_t at = 0; at < count; at += step) {
        int i = g.rows.from + (int)(at / g.columns.size);
        int j = g.columns.from + (int)(at % g.columns.size);
        double sum = 0;

        for (int k = 0; k < K; k++)
            sum += (double)value(1, i, k) * value(2, k, j);
        wrong += !(C[at] == (float)sum);
    }
    free(C);
    return wrong;
}

int main(int argc, char **argv)
{
    int M = argc > 1 ? atoi(argv[1]) : 64;
    int N = argc > 2 ? atoi(argv[2]) : 64;
    int K = argc > 3 ? atoi(argv[3]) : 64;
    int P = argc > 4 ? atoi(argv[4]) : GPU_ROWS;
    int Q = argc > 5 ? atoi(argv[5]) : 0;
    int count, wrong = 0;

    TRY(cudaGetDeviceCount(&count));
    if (P < 1) {                // as square as all GPUs can stand
        for (P = 1; (P + 1) * (P + 1) <= count; P++)
            ;
        while (count % P != 0)
            P--;
    }
    if (Q < 1)
        Q = count / P;
    if (M < 1 || N < 1 || K < 1 || Q < 1 || P * Q > count ||
        P * Q > MOST) {
        fprintf(stderr, "%d x %d x %d on %d x %d GPUs: %d are there\n",
                M, N, K, P, Q, count);
        return 1;
    }

    static gpu gpus[MOST];

    for (int i = 0; i < P * Q; i++) {
        gpus[i].device = i;
        gpus[i].row = i / Q;
        gpus[i].column = i % Q;
        gpu_begin(&gpus[i], M, N, K, P, Q);
    }
    connect(gpus, P, Q);
    summa(gpus, K, P, Q);
    for (int i = 0; i < P * Q; i++)
        wrong += wrong_in(gpus[i], K);
    printf("%d x %d x %d on %d x %d GPUs: %d wrong in C\n", M, N, K, P,
           Q, wrong);
    for (int i = 0; i < P * Q; i++)
        gpu_end(&gpus[i]);
    return wrong != 0;
}
