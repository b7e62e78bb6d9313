/*
 * trace_bench: writing and reading traces as the float4 kernel makes them.
 *
 * The requests are those of one block of 256 threads on 64x64x64, made here
 * with the values they would have (inputs are the integers -9..9), and
 * written for eight blocks: 10.6 million events. Lines are for bench/run.
 */
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trace/trace.h"

#define N 64
#define DEEP 16
#define WARPS 8
#define BLOCKS 8
#define MAX_REQUESTS 8192

enum { A, B, C, AS, BS, REG_A, REG_B, ACCUM, ARRAYS };

static struct trace_array arrays[ARRAYS] = {
	[A] = { "A", SPACE_GLOBAL, ELEM_F32, 4, 2, { N, N }, 0x1000 },
	[B] = { "B", SPACE_GLOBAL, ELEM_F32, 4, 2, { N, N }, 0x6000 },
	[C] = { "C", SPACE_GLOBAL, ELEM_F32, 4, 2, { N, N }, 0xA000 },
	[AS] = { "As", SPACE_SHARED, ELEM_F32, 4, 2, { N, DEEP }, 0 },
	[BS] = { "Bs", SPACE_SHARED, ELEM_F32, 4, 2, { DEEP, N }, 4096 },
	[REG_A] = { "reg_A", SPACE_REGISTER, ELEM_F32, 4, 1, { 4 }, 0 },
	[REG_B] = { "reg_B", SPACE_REGISTER, ELEM_F32, 4, 1, { 4 }, 0 },
	[ACCUM] = { "accum", SPACE_REGISTER, ELEM_F32, 4, 2, { 4, 4 }, 0 },
};
static struct trace_site sites[64];
static struct trace_info info = {
	.kernel = "float4", .file = "float4.cu", .text = "", .on = "cpu",
	.device = "", .m = N, .n = N, .k = N, .grid = { BLOCKS, 1, 1 },
	.block = { 16, 16, 1 }, .seed = 1, .spaces = 7,
	.arrays = arrays, .array_count = ARRAYS, .sites = sites,
};

/* The block's memory: what each array holds, registers for each thread. */
static float memory[C + 1][N][N], shared_A[N][DEEP], shared_B[DEEP][N];
static float reg_a[256][4], reg_b[256][4], accum[256][4][4];

static struct trace_request *requests[WARPS];
static uint32_t counts[WARPS];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* The site of a line; made when first used. */
static uint32_t site_of(uint32_t line, enum op op, uint32_t array,
			uint32_t bytes)
{
	for (uint32_t i = 0; i < info.site_count; i++)
		if (sites[i].line == line && sites[i].op == op &&
		    sites[i].array == array)
			return i;
	sites[info.site_count] = (struct trace_site){
		.line = line, .column = 1, .op = op, .array = array,
		.bytes = bytes,
	};
	return (uint32_t)info.site_count++;
}

/* Where a thread's access goes and the words it moves. */
typedef uint64_t (*lane_access)(int thread, const int at[4], float **moved);

static void step(int warp, uint32_t line, enum op op, uint32_t array,
		 uint32_t bytes, const int at[4], lane_access access)
{
	struct trace_request *r = &requests[warp][counts[warp]++];

	if (counts[warp] > MAX_REQUESTS)
		fatal("more requests than expected");
	memset(r, 0, sizeof(*r));
	r->site = site_of(line, op, array, bytes);
	r->mask = UINT32_MAX;
	for (int l = 0; access && l < WARP_LANES; l++) {
		float *moved;

		r->offset[l] = access(warp * WARP_LANES + l, at, &moved);
		memcpy(&r->value[l * 4], moved, bytes);
	}
}

static uint64_t place(void *array, void *element)
{
	return (uint64_t)((char *)element - (char *)array);
}

/* at: tile, k, i, j */
static uint64_t at_A(int t, const int at[4], float **moved)
{
	*moved = &memory[A][t / 4][at[0] * DEEP + t % 4 * 4];
	return place(memory[A], *moved);
}

static uint64_t at_B(int t, const int at[4], float **moved)
{
	*moved = &memory[B][at[0] * DEEP + t / 16][t % 16 * 4];
	return place(memory[B], *moved);
}

static uint64_t at_store_As(int t, const int at[4], float **moved)
{
	float *from;

	*moved = &shared_A[t / 4][t % 4 * 4 + at[2]];
	at_A(t, at, &from);
	**moved = from[at[2]];
	return place(shared_A, *moved);
}

static uint64_t at_store_Bs(int t, const int at[4], float **moved)
{
	float *from;

	*moved = &shared_B[t / 16][t % 16 * 4];
	at_B(t, at, &from);
	memcpy(*moved, from, 16);
	return place(shared_B, *moved);
}

static uint64_t at_As(int t, const int at[4], float **moved)
{
	*moved = &shared_A[t / 16 * 4 + at[2]][at[1]];
	return place(shared_A, *moved);
}

static uint64_t at_Bs(int t, const int at[4], float **moved)
{
	*moved = &shared_B[at[1]][t % 16 * 4 + at[3]];
	return place(shared_B, *moved);
}

static uint64_t at_reg_a(int t, const int at[4], float **moved)
{
	*moved = &reg_a[t][at[2]];
	return place(reg_a[t], *moved);
}

static uint64_t at_reg_b(int t, const int at[4], float **moved)
{
	*moved = &reg_b[t][at[3]];
	return place(reg_b[t], *moved);
}

static uint64_t at_accum(int t, const int at[4], float **moved)
{
	*moved = &accum[t][at[2]][at[3]];
	return place(accum[t], *moved);
}

static uint64_t at_C(int t, const int at[4], float **moved)
{
	*moved = &memory[C][t / 16 * 4 + at[2]][t % 16 * 4 + at[3]];
	**moved = accum[t][at[2]][at[3]];
	return place(memory[C], *moved);
}

static void load_tile(int w, int tile)
{
	step(w, 20, OP_LD, A, 16, (int[]){ tile, 0, 0, 0 }, at_A);
	for (int i = 0; i < 4; i++)
		step(w, 21 + i, OP_ST, AS, 4, (int[]){ tile, 0, i, 0 },
		     at_store_As);
	step(w, 25, OP_LD, B, 16, (int[]){ tile, 0, 0, 0 }, at_B);
	step(w, 25, OP_ST, BS, 16, (int[]){ tile, 0, 0, 0 }, at_store_Bs);
	step(w, 26, OP_BARRIER, TRACE_NO_ARRAY, 0, NULL, NULL);
}

static void multiply_add(int w, const int at[4])
{
	step(w, 35, OP_LD, REG_A, 4, at, at_reg_a);
	step(w, 35, OP_LD, REG_B, 4, at, at_reg_b);
	step(w, 35, OP_LD, ACCUM, 4, at, at_accum);
	for (int t = w * WARP_LANES; t < (w + 1) * WARP_LANES; t++)
		accum[t][at[2]][at[3]] += reg_a[t][at[2]] * reg_b[t][at[3]];
	step(w, 35, OP_ST, ACCUM, 4, at, at_accum);
}

static void outer_product(int w, int tile, int k)
{
	for (int i = 0; i < 4; i++) {
		const int at[4] = { tile, k, i, i };

		step(w, 30, OP_LD, AS, 4, at, at_As);
		for (int t = w * WARP_LANES; t < (w + 1) * WARP_LANES; t++)
			reg_a[t][i] = shared_A[t / 16 * 4 + i][k];
		step(w, 30, OP_ST, REG_A, 4, at, at_reg_a);
	}
	for (int j = 0; j < 4; j++) {
		const int at[4] = { tile, k, j, j };

		step(w, 32, OP_LD, BS, 4, at, at_Bs);
		for (int t = w * WARP_LANES; t < (w + 1) * WARP_LANES; t++)
			reg_b[t][j] = shared_B[k][t % 16 * 4 + j];
		step(w, 32, OP_ST, REG_B, 4, at, at_reg_b);
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			multiply_add(w, (int[]){ tile, k, i, j });
}

static void make_requests(void)
{
	uint32_t state = 1;

	for (int i = 0; i < 2 * N * N; i++) {
		state = state * 1664525 + 1013904223;
		memory[i / (N * N)][i / N % N][i % N] =
			(float)((int)(state >> 16) % 19 - 9);
	}
	for (int w = 0; w < WARPS; w++)
		requests[w] = xcalloc(MAX_REQUESTS, sizeof(**requests));
	for (int tile = 0; tile < N / DEEP; tile++) {
		for (int w = 0; w < WARPS; w++)
			load_tile(w, tile);
		for (int w = 0; w < WARPS; w++) {
			for (int k = 0; k < DEEP; k++)
				outer_product(w, tile, k);
			step(w, 40, OP_BARRIER, TRACE_NO_ARRAY, 0, NULL, NULL);
		}
	}
	for (int w = 0; w < WARPS; w++)
		for (int i = 0; i < 16; i++) {
			const int at[4] = { 0, 0, i / 4, i % 4 };

			step(w, 45, OP_LD, ACCUM, 4, at, at_accum);
			step(w, 45, OP_ST, C, 4, at, at_C);
		}
}

static void write_trace(int fd, bool values)
{
	struct trace_writer *w = trace_writer_new(fd, values);
	struct error e = { 0 };

	for (uint32_t b = 0; b < BLOCKS; b++)
		for (uint32_t i = 0; i < WARPS; i++) {
			trace_writer_warp(w, b, i, &e);
			for (uint32_t j = 0; j < counts[i]; j++)
				trace_writer_add(w, &info, &requests[i][j],
						 &e);
		}
	if (trace_writer_finish(w, &info, &e) < 0)
		fatal("%s", e.text);
}

static void read_all(struct trace *t)
{
	struct trace_request r;
	struct error e;

	for (size_t w = 0; w < trace_warp_count(t); w++)
		for (uint32_t i = 0; i < trace_warp(t, w)->requests; i++)
			if (trace_get(t, w, i, &r, &e) < 0)
				fatal("%s", e.text);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Steps far apart: nearly each is in a chunk that is not in memory. */
static void bench_random(struct trace *t)
{
	double times[500];
	struct trace_request r;
	struct error e;
	uint32_t state = 7;

	for (size_t i = 0; i < LENGTH(times); i++) {
		double start = now();
		size_t w;

		state = state * 1664525 + 1013904223;
		w = (state >> 8) % trace_warp_count(t);
		trace_get(t, w, (state >> 4) % trace_warp(t, w)->requests, &r,
			  &e);
		times[i] = now() - start;
	}
	qsort(times, LENGTH(times), sizeof(times[0]), by_value);
	printf("trace-step-median %.4f ms\n", times[LENGTH(times) / 2] * 1e3);
	printf("trace-step-99 %.4f ms\n",
	       times[LENGTH(times) * 99 / 100] * 1e3);
}

static void bench_near(struct trace *t)
{
	struct trace_request r;
	struct error e;
	double start = now();

	for (uint32_t i = 0; i < 100000; i++)
		trace_get(t, 3, 100 + i % 1000, &r, &e);
	printf("trace-step-near %.4f us\n", (now() - start) / 100000 * 1e6);
}

static void bench(bool values)
{
	const char *how = values ? "" : "-no-values";
	struct error e;
	int fd = temporary_file(&e);
	struct trace *t;
	double start, events;
	size_t before;

	if (fd < 0)
		fatal("%s", e.text);
	start = now();
	write_trace(fd, values);
	start = now() - start;
	before = mallinfo2().uordblks;
	t = trace_open_fd(fd, "bench", &e);
	if (!t)
		fatal("%s", e.text);
	events = (double)trace_event_count(t);
	printf("trace-write%s %.2f ns/event\n", how, start / events * 1e9);
	printf("trace-size%s %.4f bytes/event\n", how,
	       (double)lseek(fd, 0, SEEK_END) / events);
	start = now();
	read_all(t);
	printf("trace-read%s %.2f ns/event\n", how,
	       (now() - start) / events * 1e9);
	printf("trace-memory%s %.2f MB\n", how,
	       (double)(mallinfo2().uordblks - before) / 1e6);
	if (values) {
		bench_random(t);
		bench_near(t);
	}
	trace_close(t);
}

int main(void)
{
	make_requests();
	bench(true);
	bench(false);
	return 0;
}
