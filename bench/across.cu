/*
 * across: what several GPUs give a product that across_gpus deals out, beside
 * one GPU and beside the link between them; prints JSON (data/README.md,
 * "across-*.json").
 *
 * across_gpus is taken as it is (src/kernels/across_gpus.cu), with sgemm for
 * the products on each GPU. Times are seconds on the host's clock, from the
 * first call to the end of what all GPUs do: medians of ROUNDS, in each of
 * which everything that is timed at a size runs once, in an order of its own.
 *
 *   cublas, sgemm  the whole product on one GPU
 *   across	    the whole of summa(), panels of `panel` columns
 *   first	    the same, where panels go before products: their stream has
 *		    the greater priority
 *   products	    only the products of its steps, of what panels are there
 *   panels	    only the panels, passed on as in summa()
 *   broadcast	    `bytes` from GPU 0 to GPU 1 by ncclBroadcast
 *   copied	    the same by cudaMemcpyPeerAsync
 *
 * Its arguments are sizes, of square matrices; without, SIZES. What each way
 * computes is compared with the answer, in as many elements as across_gpus
 * looks at.
 */
#include <algorithm>
#include <chrono>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <cublas_v2.h>

static int panel;
#define PANEL panel
#define FAST 1
#define main across_gpus_main
#include "../src/kernels/across_gpus.cu"
#undef main

#ifndef ROUNDS
#define ROUNDS 9
#endif
#define LARGEST 32768
#define LINK (1 << 30)	/* bytes: the most that the link is given at once */
static const int SIZES[] = { 4096, 8192, 16384 };
static const int PANELS[] = { 4096, 2048, 1024, 512 };

/* ---- time ---- */

struct timed {
	std::string what;	/* members of its JSON object, but for the time */
	std::function<void()> run;	/* returns when all of it is done */
	std::vector<double> seconds;
};

static double seconds_of(const std::function<void()> &run)
{
	auto start = std::chrono::steady_clock::now();

	run();
	return std::chrono::duration<double>(
		       std::chrono::steady_clock::now() - start).count();
}

static void print_object(const std::string &members)
{
	static bool another;

	printf("%s\n{%s}", another ? "," : "", members.c_str());
	another = true;
}

static void print_timed(timed &t)
{
	char text[128];

	std::sort(t.seconds.begin(), t.seconds.end());
	double median = t.seconds[ROUNDS / 2];

	snprintf(text, sizeof(text), ",\"seconds\":%.6g,\"spread\":%.3g", median,
		 (t.seconds.back() - t.seconds.front()) / median);
	print_object(t.what + text);
}

/* Each once to begin with, which is not counted. */
static void time_all(std::vector<timed> &all)
{
	static std::mt19937 random(1);

	for (timed &t : all)
		t.run();
	for (int round = 0; round < ROUNDS; round++) {
		std::vector<timed *> order;

		for (timed &t : all)
			order.push_back(&t);
		std::shuffle(order.begin(), order.end(), random);
		for (timed *t : order)
			t->seconds.push_back(seconds_of(t->run));
	}
	for (timed &t : all)
		print_timed(t);
}

static std::string members(const char *by, int n, int gpus)
{
	return std::string("\"by\":\"") + by + "\",\"n\":" + std::to_string(n) +
	       ",\"gpus\":" + std::to_string(gpus);
}

static void all_done(const gpu *gpus, int count)
{
	for (int i = 0; i < count; i++) {
		TRY(cudaSetDevice(gpus[i].device));
		TRY(cudaStreamSynchronize(gpus[i].copies));
		TRY(cudaStreamSynchronize(gpus[i].products));
	}
}

/* ---- one GPU ---- */

static gpu one;
static cublasHandle_t blas;

static void by_sgemm(int n)
{
	TRY(cudaSetDevice(0));
	local_product(one, one.A, one.B, n, n, n);
	all_done(&one, 1);
}

/* By columns, as cuBLAS has it, C is B A. */
static void by_cublas(int n)
{
	const float by = 1, plus = 0;

	TRY(cudaSetDevice(0));
	TRY(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &by, one.B, n,
			one.A, n, &plus, one.product, n));
	all_done(&one, 1);
}

static void must_be_right(const char *what, const gpu &g, const float *C, int n)
{
	gpu with = g;

	with.C = const_cast<float *>(C);
	if (wrong_in(with, n) == 0)
		return;
	fprintf(stderr, "across: %s is wrong at %d\n", what, n);
	exit(1);
}

static void one_begin(int n, std::vector<timed> &all)
{
	one = {};
	gpu_begin(&one, n, n, n, 1, 1);
	connect(&one, 1, 1);
	TRY(cublasSetStream(blas, one.products));
	by_sgemm(n);
	must_be_right("sgemm", one, one.product, n);
	by_cublas(n);
	must_be_right("cuBLAS", one, one.product, n);
	all.push_back({ members("cublas", n, 1), [n] { by_cublas(n); }, {} });
	all.push_back({ members("sgemm", n, 1), [n] { by_sgemm(n); }, {} });
}

/* ---- several GPUs ---- */

struct grid {
	int P, Q;
	gpu gpus[MOST];
	gpu first[MOST];	/* the same, with copies before products */
};

/* As square as so many can stand. */
static void grid_begin(grid *all, int count, int n)
{
	int least, greatest;

	for (all->P = 1; (all->P + 1) * (all->P + 1) <= count; all->P++)
		;
	while (count % all->P != 0)
		all->P--;
	all->Q = count / all->P;
	panel = PANELS[0];
	for (int i = 0; i < count; i++) {
		gpu *g = &all->gpus[i];

		*g = {};
		g->device = i;
		g->row = i / all->Q;
		g->column = i % all->Q;
		gpu_begin(g, n, n, n, all->P, all->Q);
	}
	connect(all->gpus, all->P, all->Q);
	for (int i = 0; i < count; i++) {
		all->first[i] = all->gpus[i];
		TRY(cudaSetDevice(i));
		TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
		TRY(cudaStreamCreateWithPriority(&all->first[i].copies,
						 cudaStreamNonBlocking,
						 greatest));
	}
}

/* The steps of summa(), with only one half of each. */
static void one_half(const grid *all, int n, bool products)
{
	for (int k = 0, step = 0; k < n; step++) {
		int left_A, left_B;
		int q = owner_of(n, all->Q, k, &left_A);
		int p = owner_of(n, all->P, k, &left_B);
		int depth = std::min(panel, std::min(left_A, left_B));

		if (products)
			multiply(all->gpus, all->P * all->Q, step % BUFFERS,
				 depth);
		else
			pass_panels(all->gpus, all->P * all->Q, step % BUFFERS,
				    k, depth, p, q);
		k += depth;
	}
	all_done(all->gpus, all->P * all->Q);
}

static void grid_check(const grid *all, const gpu *gpus, int n)
{
	int count = all->P * all->Q;

	for (int i = 0; i < count; i++) {
		TRY(cudaSetDevice(i));
		TRY(cudaMemset(gpus[i].C, 0, sizeof(float) *
			       gpus[i].rows.size * gpus[i].columns.size));
		TRY(cudaDeviceSynchronize());
	}
	summa(gpus, n, all->P, all->Q);
	for (int i = 0; i < count; i++)
		must_be_right("across_gpus", gpus[i], gpus[i].C, n);
}

static void grid_timed(const grid *g, int n, int width,
		       std::vector<timed> &all)
{
	std::string tail = ",\"P\":" + std::to_string(g->P) + ",\"Q\":" +
		std::to_string(g->Q) + ",\"panel\":" + std::to_string(width);
	int count = g->P * g->Q;

	auto add = [&](const char *by, std::function<void()> run) {
		all.push_back({ members(by, n, count) + tail, [=] {
			panel = width;
			run();
		}, {} });
	};
	panel = width;
	grid_check(g, g->gpus, n);
	add("across", [=] { summa(g->gpus, n, g->P, g->Q); });
	add("first", [=] { summa(g->first, n, g->P, g->Q); });
	add("products", [=] { one_half(g, n, true); });
	add("panels", [=] { one_half(g, n, false); });
}

static void measure(int n, int devices)
{
	static grid grids[6];	/* of 2, 4, ... 64 GPUs */
	std::vector<timed> all;

	one_begin(n, all);
	for (int i = 0; 2 << i <= devices; i++) {
		grid_begin(&grids[i], 2 << i, n);
		for (int width : PANELS)
			if (width * grids[i].Q <= n)
				grid_timed(&grids[i], n, width, all);
		grid_check(&grids[i], grids[i].first, n);
	}
	time_all(all);
	gpu_end(&one);
	for (int i = 0; 2 << i <= devices; i++)
		for (int k = 0; k < 2 << i; k++) {
			gpu_end(&grids[i].gpus[k]);
			TRY(cudaStreamDestroy(grids[i].first[k].copies));
		}
}

/* ---- the link ---- */

static int peers(int a, int b)
{
	int can;

	TRY(cudaDeviceCanAccessPeer(&can, a, b));
	return can;
}

static void link_measure(void)
{
	const int devices[] = { 0, 1 };
	std::vector<timed> all;
	ncclComm_t comms[2];
	gpu ends[2] = {};
	char *at[2];

	for (int i = 0; i < 2; i++) {
		ends[i].device = i;
		TRY(cudaSetDevice(i));
		if (peers(i, 1 - i))
			TRY(cudaDeviceEnablePeerAccess(1 - i, 0));
		TRY(cudaStreamCreateWithFlags(&ends[i].copies,
					      cudaStreamNonBlocking));
		TRY(cudaStreamCreateWithFlags(&ends[i].products,
					      cudaStreamNonBlocking));
		TRY(cudaMalloc(&at[i], LINK));
		TRY(cudaMemset(at[i], 1, LINK));
		TRY(cudaDeviceSynchronize());
	}
	TRY(ncclCommInitAll(comms, 2, devices));
	auto broadcast = [&](size_t bytes) {
		TRY(ncclGroupStart());
		for (int i = 0; i < 2; i++)
			TRY(ncclBroadcast(at[i], at[i], bytes, ncclChar, 0,
					  comms[i], ends[i].copies));
		TRY(ncclGroupEnd());
		all_done(ends, 2);
	};
	auto copy = [&](size_t bytes) {
		TRY(cudaMemcpyPeerAsync(at[1], 1, at[0], 0, bytes,
					ends[1].copies));
		all_done(ends, 2);
	};
	for (size_t bytes = LINK; bytes >= 4 << 20; bytes /= 2) {
		std::string tail = ",\"bytes\":" + std::to_string(bytes);

		all.push_back({ "\"by\":\"broadcast\"" + tail,
				[=] { broadcast(bytes); }, {} });
		all.push_back({ "\"by\":\"copied\"" + tail,
				[=] { copy(bytes); }, {} });
	}
	time_all(all);
	for (int i = 0; i < 2; i++) {
		TRY(ncclCommDestroy(comms[i]));
		TRY(cudaSetDevice(i));
		TRY(cudaFree(at[i]));
	}
}

static void print_machine(int devices)
{
	cudaDeviceProp p;
	int nccl, blas_version;

	TRY(cudaGetDeviceProperties(&p, 0));
	TRY(ncclGetVersion(&nccl));
	TRY(cublasGetVersion(blas, &blas_version));
	printf("{\"machine\":{\"gpu\":\"%s\",\"compute\":\"%d.%d\","
	       "\"sms\":%d,\"gpus\":%d,\"peers\":%s,\"nccl\":%d,"
	       "\"cublas\":%d},\n"
	       "\"rounds\":%d,\"measured\":[", p.name, p.major, p.minor,
	       p.multiProcessorCount, devices,
	       peers(0, 1) ? "true" : "false", nccl, blas_version, ROUNDS);
}

int main(int argc, char **argv)
{
	std::vector<int> sizes(std::begin(SIZES), std::end(SIZES));
	int devices;

	if (argc > 1)
		sizes.clear();
	for (int i = 1; i < argc; i++) {
		char *end;
		long n = strtol(argv[i], &end, 10);

		if (*end != '\0' || n < 1 || n > LARGEST) {
			fprintf(stderr, "across: %s is no size: 1 to %d\n",
				argv[i], LARGEST);
			return 2;
		}
		sizes.push_back((int)n);
	}
	TRY(cudaGetDeviceCount(&devices));
	if (devices < 2 || devices > MOST) {
		fprintf(stderr, "across: 2 to %d GPUs are needed, %d are there\n",
			MOST, devices);
		return 1;
	}
	TRY(cublasCreate(&blas));
	print_machine(devices);
	link_measure();
	for (int n : sizes)
		measure(n, devices);
	printf("]}\n");
	return 0;
}
