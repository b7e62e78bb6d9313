/*
 * streams: what several queues and several GPUs give a kernel; prints JSON
 * (data/README.md, "streams-h200.json").
 *
 * All figures are seconds, medians of REPEATS samples, of the kernel float4
 * (src/kernels/float4.cu) on square matrices of `n`:
 *
 *   small    SMALL products of 512, which fill a part of the GPU each, in
 *	      one stream and in a stream each.
 *   large    the same with 4096, which fill the GPU.
 *   copied   BATCH products of 4096 whose A and B come from the host's
 *	      pinned memory and whose C goes there: in one stream, in two,
 *	      and the copies and the kernels alone.
 *   split    a product of 8192 on one GPU, and by rows of A and C on two,
 *	      each of which has all of B; and the time in which the second GPU
 *	      gets its B and its half of A from the first, and the first the
 *	      second's half of C.
 *
 * The streams of a sample begin behind one event and end before another.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "../src/kernels/float4.cu"

#define REPEATS 15
#define SMALL 8
#define BATCH 8

static void check(cudaError_t r, const char *what)
{
	if (r == cudaSuccess)
		return;
	fprintf(stderr, "streams: %s: %s\n", what, cudaGetErrorString(r));
	exit(1);
}
#define TRY(call) check(call, #call)

/* ---- streams of one GPU, and its matrices ---- */

struct queue { int device; cudaStream_t stream; cudaEvent_t done; };

static queue queue_new(int device)
{
	queue q = { device, nullptr, nullptr };

	TRY(cudaSetDevice(device));
	TRY(cudaStreamCreateWithFlags(&q.stream, cudaStreamNonBlocking));
	TRY(cudaEventCreateWithFlags(&q.done, cudaEventDisableTiming));
	return q;
}

static float *matrix(int device, int n)
{
	size_t bytes = (size_t)n * n * sizeof(float);
	float *m;

	TRY(cudaSetDevice(device));
	TRY(cudaMalloc(&m, bytes));
	TRY(cudaMemset(m, 0, bytes));
	return m;
}

struct product { int n; float *a, *b, *c; };

static product product_new(int device, int n)
{
	return { n, matrix(device, n), matrix(device, n), matrix(device, n) };
}

static void product_free(const product &p)
{
	TRY(cudaFree(p.a));
	TRY(cudaFree(p.b));
	TRY(cudaFree(p.c));
}

static void multiply(const product &p, int rows, const queue &q)
{
	dim3 grid(p.n / TILE, rows / TILE), block(TILE / WORK, TILE / WORK);

	TRY(cudaSetDevice(q.device));
	matmul_float4<<<grid, block, 0, q.stream>>>(p.a, p.b, p.c, rows, p.n,
						    p.n);
	TRY(cudaGetLastError());
}

/* ---- time ---- */

/* The seconds that what `fill` puts into the queues takes, from an event of the
 * first queue before it to one of the same behind all of them. */
static double sample(const std::vector<queue> &queues,
		     const std::function<void()> &fill)
{
	cudaEvent_t start, stop;
	float ms;

	TRY(cudaSetDevice(queues[0].device));
	TRY(cudaEventCreate(&start));
	TRY(cudaEventCreate(&stop));
	TRY(cudaEventRecord(start, queues[0].stream));
	for (const queue &q : queues)
		TRY(cudaStreamWaitEvent(q.stream, start, 0));
	fill();
	for (const queue &q : queues) {
		TRY(cudaSetDevice(q.device));
		TRY(cudaEventRecord(q.done, q.stream));
		TRY(cudaStreamWaitEvent(queues[0].stream, q.done, 0));
	}
	TRY(cudaSetDevice(queues[0].device));
	TRY(cudaEventRecord(stop, queues[0].stream));
	TRY(cudaEventSynchronize(stop));
	TRY(cudaEventElapsedTime(&ms, start, stop));
	TRY(cudaEventDestroy(start));
	TRY(cudaEventDestroy(stop));
	return ms / 1000;
}

static void print_seconds(const char *name, const std::vector<queue> &queues,
			  int times, const std::function<void()> &fill)
{
	std::vector<double> all;

	sample(queues, fill);
	for (int i = 0; i < REPEATS; i++)
		all.push_back(sample(queues, [&] {
			for (int k = 0; k < times; k++)
				fill();
		}) / times);
	std::sort(all.begin(), all.end());
	printf(",\n\"%s\":%.6g", name, all[REPEATS / 2]);
	printf(",\"%s_spread\":%.3g", name,
	       (all[REPEATS - 1] - all[0]) / all[REPEATS / 2]);
}

/* ---- one GPU ---- */

static void print_side_by_side(const char *one, const char *each, int n,
			       int times)
{
	std::vector<queue> queues;
	std::vector<product> products;

	for (int i = 0; i < SMALL; i++) {
		queues.push_back(queue_new(0));
		products.push_back(product_new(0, n));
	}
	print_seconds(one, { queues[0] }, times, [&] {
		for (const product &p : products)
			multiply(p, n, queues[0]);
	});
	print_seconds(each, queues, times, [&] {
		for (int i = 0; i < SMALL; i++)
			multiply(products[i], n, queues[i]);
	});
	for (const product &p : products)
		product_free(p);
}

static void print_copied(int n)
{
	std::vector<queue> queues = { queue_new(0), queue_new(0) };
	std::vector<product> on = { product_new(0, n), product_new(0, n) };
	size_t bytes = (size_t)n * n * sizeof(float);
	float *host[3];

	for (float *&h : host) {
		TRY(cudaMallocHost(&h, bytes));
		std::fill(h, h + (size_t)n * n, 0.0f);
	}
	auto one = [&](const product &p, const queue &q, bool copy, bool run) {
		if (copy) {
			TRY(cudaMemcpyAsync(p.a, host[0], bytes,
					    cudaMemcpyHostToDevice, q.stream));
			TRY(cudaMemcpyAsync(p.b, host[1], bytes,
					    cudaMemcpyHostToDevice, q.stream));
		}
		if (run)
			multiply(p, n, q);
		if (copy)
			TRY(cudaMemcpyAsync(host[2], p.c, bytes,
					    cudaMemcpyDeviceToHost, q.stream));
	};
	auto all = [&](size_t streams, bool copy, bool run) {
		for (size_t i = 0; i < BATCH; i++)
			one(on[i % streams], queues[i % streams], copy, run);
	};
	print_seconds("copied_one_stream", { queues[0] }, 1,
		      [&] { all(1, true, true); });
	print_seconds("copied_two_streams", queues, 1,
		      [&] { all(2, true, true); });
	print_seconds("copies_alone", { queues[0] }, 1,
		      [&] { all(1, true, false); });
	print_seconds("kernels_alone", { queues[0] }, 1,
		      [&] { all(1, false, true); });
	for (const product &p : on)
		product_free(p);
	for (float *h : host)
		TRY(cudaFreeHost(h));
}

/* ---- two GPUs ---- */

static void print_split(int n)
{
	std::vector<queue> queues = { queue_new(0), queue_new(1) };
	product on[2] = { product_new(0, n), product_new(1, n) };
	size_t bytes = (size_t)n * n * sizeof(float);

	for (int i = 0; i < 2; i++) {
		TRY(cudaSetDevice(i));
		TRY(cudaDeviceEnablePeerAccess(1 - i, 0));
	}
	auto halves = [&] {
		for (int i = 0; i < 2; i++)
			multiply(on[i], n / 2, queues[i]);
	};
	auto give = [&] {
		TRY(cudaSetDevice(1));
		TRY(cudaMemcpyPeerAsync(on[1].b, 1, on[0].b, 0, bytes,
					queues[1].stream));
		TRY(cudaMemcpyPeerAsync(on[1].a, 1, on[0].a, 0, bytes / 2,
					queues[1].stream));
	};
	auto take = [&] {
		TRY(cudaSetDevice(1));
		TRY(cudaMemcpyPeerAsync(on[0].c, 0, on[1].c, 1, bytes / 2,
					queues[1].stream));
	};
	print_seconds("one_gpu", { queues[0] }, 1,
		      [&] { multiply(on[0], n, queues[0]); });
	print_seconds("two_gpus", queues, 1, halves);
	print_seconds("two_gpus_copied", queues, 1, [&] {
		give();
		halves();
		take();
	});
	print_seconds("split_copies", { queues[0], queues[1] }, 1, [&] {
		give();
		take();
	});
}

int main(void)
{
	cudaDeviceProp p;
	int devices;

	TRY(cudaGetDeviceCount(&devices));
	if (devices < 2) {
		fprintf(stderr, "streams: two GPUs are needed\n");
		return 1;
	}
	TRY(cudaGetDeviceProperties(&p, 0));
	printf("{\"machine\":{\"gpu\":\"%s\",\"compute\":\"%d.%d\","
	       "\"sms\":%d,\"gpus\":2}", p.name, p.major, p.minor,
	       p.multiProcessorCount);
	/* The clock rises within the first tenths of a second. */
	for (int device = 0; device < 2; device++) {
		queue q = queue_new(device);
		product big = product_new(device, 4096);

		for (int i = 0; i < 100; i++)
			multiply(big, 4096, q);
		TRY(cudaStreamSynchronize(q.stream));
		product_free(big);
	}
	print_side_by_side("small_one_stream", "small_streams", 512, 20);
	print_side_by_side("large_one_stream", "large_streams", 4096, 1);
	print_copied(4096);
	print_split(8192);
	printf("}\n");
	return 0;
}
