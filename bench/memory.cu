/*
 * memory: how long a word takes from each level of a GPU's memory, and how
 * many bytes a second each level gives to the whole GPU; prints JSON
 * (data/README.md, "memory-h200.json").
 *
 * Latency: one thread follows pointers, each load waiting for the one before,
 * along a random cycle through the lines of an array that lies in the level:
 * one that the level holds and the levels above do not. DRAM's cycle is never
 * run through twice, so that no line comes from a cache. For the registers it
 * is a chain of multiply-adds.
 * Bandwidth: all SMs read 16 bytes a thread at a time, for at least 10 ms a
 * sample; of L2 and DRAM also by bulk copies to shared memory ("bulk_..."). For the registers it is multiply-adds: each reads three operands of
 * four bytes. Loads that a compiler could move out of the loop are volatile.
 * Each figure is a median of REPEATS samples; all samples are printed.
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#define REPEATS 15
#define LINE 128
#define KIB 1024ull
#define MIB (1024 * KIB)

static void check(cudaError_t r, const char *what)
{
	if (r == cudaSuccess)
		return;
	fprintf(stderr, "memory: %s: %s\n", what, cudaGetErrorString(r));
	exit(1);
}
#define TRY(call) check(call, #call)

/* ---- latency ---- */

__global__ void link(char *base, const uint32_t *next, uint32_t lines)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < lines)
		*(uint64_t *)(base + (uint64_t)i * LINE) =
			(uint64_t)(base + (uint64_t)next[i] * LINE);
}

/* From *at on, which is left where the chain ends. */
template <bool L1> __global__ void chase(uint64_t *at, int hops, int64_t *took)
{
	uint64_t p = *at;
	int64_t begun = clock64();

	for (int i = 0; i < hops; i++)
		if (L1)
			asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(p)
				     :: "memory");
		else
			asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p)
				     :: "memory");
	*took = clock64() - begun;
	*at = p;
}

__global__ void chase_shared(uint32_t *out, int hops, int64_t *took)
{
	__shared__ uint32_t chain[4096];
	uint32_t base = (uint32_t)__cvta_generic_to_shared(chain), p = base;
	int64_t begun;

	for (uint32_t i = 0; i < 4096; i++)
		chain[i] = base + (i + 33) % 4096 * 4;
	begun = clock64();
	for (int i = 0; i < hops; i++)
		asm volatile("ld.shared.u32 %0, [%0];" : "+r"(p) :: "memory");
	*took = clock64() - begun;
	*out = p;
}

__global__ void chain_fma(float *out, int hops, int64_t *took)
{
	float v = *out;
	int64_t begun = clock64();

	for (int i = 0; i < hops; i += 16)
#pragma unroll
		for (int k = 0; k < 16; k++)
			asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(v));
	*took = clock64() - begun;
	*out = v;
}

/* ---- bandwidth ---- */

template <bool L1> __device__ uint32_t load(const uint4 *p)
{
	uint4 v;

	if (L1)
		asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3}, [%4];"
			     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
			     : "l"(p));
	else
		asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
			     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
			     : "l"(p));
	return v.x ^ v.y ^ v.z ^ v.w;
}

/* All blocks read all of the array, `times` times, a part each at a time. */
__global__ void stream(const uint4 *from, size_t count, int times,
		       uint32_t *out)
{
	size_t step = (size_t)gridDim.x * blockDim.x;
	size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	uint32_t sum = 0;

	for (int t = 0; t < times; t++)
#pragma unroll 8
		for (size_t i = first; i < count; i += step)
			sum ^= load<false>(from + i);
	if (sum == 12345)
		*out = sum;
}

/* Each block reads a part of its own that L1 holds. */
__global__ void stream_l1(const uint4 *from, int count, int times,
			  uint32_t *out)
{
	const uint4 *own = from + (size_t)blockIdx.x * count;
	uint32_t sum = 0;

	for (int t = 0; t < times; t++)
#pragma unroll 8
		for (int i = threadIdx.x; i < count; i += blockDim.x)
			sum ^= load<true>(own + i);
	if (sum == 12345)
		*out = sum;
}

__global__ void stream_shared(int times, uint32_t *out)
{
	__shared__ uint4 words[2048];
	uint32_t base = (uint32_t)__cvta_generic_to_shared(words) +
			threadIdx.x * 16, sum = 0;

	for (int i = threadIdx.x; i < 2048; i += blockDim.x)
		words[i] = make_uint4(i, i, i, i);
	__syncthreads();
	for (int t = 0; t < times; t++)
#pragma unroll
		for (int i = 0; i < 8; i++) {
			uint4 v;

			asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
				     : "=r"(v.x), "=r"(v.y), "=r"(v.z),
				       "=r"(v.w) : "r"(base + i * 4096));
			sum ^= v.x ^ v.y ^ v.z ^ v.w;
		}
	if (sum == 12345)
		*out = sum;
}

/* All blocks copy all of the array into shared memory, a part each at a time:
 * one thread asks for pieces, some ahead, as TMA does. */
#define PIECE (16 * 1024)
#define AHEAD 8

__global__ void stream_bulk(const char *from, size_t bytes, int times)
{
	extern __shared__ __align__(128) char room[];
	__shared__ __align__(8) uint64_t full[AHEAD];
	uint32_t to = (uint32_t)__cvta_generic_to_shared(room);
	uint32_t bar = (uint32_t)__cvta_generic_to_shared(full);
	size_t pieces = bytes / PIECE, each = pieces / gridDim.x;
	size_t count = each * times;

	if (threadIdx.x)
		return;
	for (int i = 0; i < AHEAD; i++)
		asm volatile("mbarrier.init.shared.b64 [%0], 1;"
			     :: "r"(bar + i * 8) : "memory");
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
	for (size_t n = 0; n < count + AHEAD; n++) {
		uint32_t slot = n % AHEAD, done = 0;
		size_t piece = ((n % each) * gridDim.x + blockIdx.x);

		while (n >= AHEAD && !done)
			asm volatile("{ .reg .pred p;"
				"mbarrier.try_wait.parity.shared.b64 p, [%1], %2;"
				"selp.u32 %0, 1, 0, p; }" : "=r"(done)
				: "r"(bar + slot * 8),
				  "r"((uint32_t)(n / AHEAD - 1) & 1)
				: "memory");
		if (n >= count)
			continue;
		asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
			     :: "r"(bar + slot * 8), "r"(PIECE) : "memory");
		asm volatile("cp.async.bulk.shared::cluster.global"
			     ".mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
			     :: "r"(to + slot * PIECE),
				"l"(from + piece * PIECE), "r"(PIECE),
				"r"(bar + slot * 8) : "memory");
	}
}

__global__ void stream_fma(float *out, int times)
{
	float v[16], x = out[0], y = out[1];

	for (int i = 0; i < 16; i++)
		v[i] = threadIdx.x + i;
	for (int t = 0; t < times; t++)
#pragma unroll
		for (int k = 0; k < 4; k++)
#pragma unroll
			for (int i = 0; i < 16; i++)
				v[i] = v[i] * x + y;
	for (int i = 1; i < 16; i++)
		v[0] += v[i];
	if (v[0] == 12345)
		out[2] = v[0];
}

/* ---- samples ---- */

static cudaEvent_t start, stop;

static double seconds(const std::function<void()> &launch)
{
	float ms;

	TRY(cudaEventRecord(start));
	launch();
	TRY(cudaEventRecord(stop));
	TRY(cudaEventSynchronize(stop));
	TRY(cudaGetLastError());
	TRY(cudaEventElapsedTime(&ms, start, stop));
	return ms / 1e3;
}

static double median(std::vector<double> v)
{
	std::sort(v.begin(), v.end());
	return v[v.size() / 2];
}

static void print_samples(const char *name, const std::vector<double> &v)
{
	printf("\"%s\":%.6g,\"%s_samples\":[", name, median(v), name);
	for (size_t i = 0; i < v.size(); i++)
		printf("%s%.6g", i ? "," : "", v[i]);
	printf("]");
}

/* Cycles and nanoseconds of a hop: `launch` makes so many and says how many
 * cycles they took. */
static void print_latency(int hops, int64_t *took,
			  const std::function<void()> &launch)
{
	std::vector<double> cycles, ns;

	for (int i = 0; i < REPEATS; i++) {
		double s = seconds(launch);
		int64_t n;

		TRY(cudaMemcpy(&n, took, sizeof(n), cudaMemcpyDeviceToHost));
		cycles.push_back((double)n / hops);
		ns.push_back(s * 1e9 / hops);
	}
	print_samples("cycles", cycles);
	printf(",");
	print_samples("ns", ns);
}

/* `launch` moves so many bytes in each of `times` rounds. */
static void print_bandwidth(double bytes,
			    const std::function<void(int)> &launch,
			    const char *name = "bytes_per_second")
{
	std::vector<double> rates;
	int times = 1;

	while (seconds([&] { launch(times); }) < 10e-3)
		times *= 2;
	for (int i = 0; i < REPEATS; i++)
		rates.push_back(bytes * times /
				seconds([&] { launch(times); }));
	print_samples(name, rates);
}

/* A cycle through all lines of an array, in random order. */
static void link_lines(char *base, size_t bytes)
{
	uint32_t lines = (uint32_t)(bytes / LINE), *there;
	std::vector<uint32_t> order(lines), next(lines);
	std::mt19937 random(1);

	for (uint32_t i = 0; i < lines; i++)
		order[i] = i;
	std::shuffle(order.begin(), order.end(), random);
	for (uint32_t i = 0; i < lines; i++)
		next[order[i]] = order[(i + 1) % lines];
	TRY(cudaMalloc(&there, lines * sizeof(*there)));
	TRY(cudaMemcpy(there, next.data(), lines * sizeof(*there),
		       cudaMemcpyHostToDevice));
	link<<<(lines + 255) / 256, 256>>>(base, there, lines);
	TRY(cudaDeviceSynchronize());
	TRY(cudaFree(there));
}

static void begin(const char *name, double size, const char *of)
{
	printf("{\"name\":\"%s\",\"bytes\":%.0f,\"of\":\"%s\",", name, size,
	       of);
}

int main(void)
{
	const size_t big = 4096 * MIB, chased = 256 * MIB;
	struct cudaDeviceProp p;
	int64_t *took;
	uint64_t *at;
	uint32_t *out;
	char *m;
	int sms;

	TRY(cudaGetDeviceProperties(&p, 0));
	sms = p.multiProcessorCount;
	TRY(cudaEventCreate(&start));
	TRY(cudaEventCreate(&stop));
	TRY(cudaMalloc(&m, big));
	TRY(cudaMemset(m, 0, big));
	TRY(cudaMalloc(&took, sizeof(*took)));
	TRY(cudaMalloc(&at, sizeof(*at)));
	TRY(cudaMalloc(&out, 64));
	TRY(cudaMemset(out, 0, 64));
	auto all = [&](size_t bytes, int times) {
		stream<<<sms * 4, 512>>>((const uint4 *)m, bytes / 16, times,
					 out);
	};
	auto follow = [&](size_t bytes, int hops, bool l1, bool again) {
		link_lines(m, bytes);
		TRY(cudaMemcpy(at, &m, sizeof(m), cudaMemcpyHostToDevice));
		auto run = [&] {
			if (l1)
				chase<true><<<1, 1>>>(at, hops, took);
			else
				chase<false><<<1, 1>>>(at, hops, took);
		};
		if (again)
			run();
		else	/* nothing that was linked is left in L2 */
			stream<<<sms * 4, 512>>>((const uint4 *)(m + chased),
						 1024 * MIB / 16, 1, out);
		print_latency(hops, took, run);
	};

	TRY(cudaFuncSetAttribute(stream_bulk,
				 cudaFuncAttributeMaxDynamicSharedMemorySize,
				 AHEAD * PIECE));
	auto print_bulk = [&](size_t bytes) {
		size_t pieces = bytes / PIECE / sms * sms;

		printf(",");
		print_bandwidth((double)pieces * PIECE, [&](int times) {
			stream_bulk<<<sms, 32, AHEAD * PIECE>>>(m, bytes,
								times);
		}, "bulk_bytes_per_second");
	};

	/* The clock rises within the first tenths of a second. */
	for (int i = 0; i < 20; i++)
		stream_fma<<<sms * 8, 256>>>((float *)out, 100000);
	TRY(cudaDeviceSynchronize());
	printf("{\"machine\":{\"gpu\":\"%s\",\"compute\":\"%d.%d\",\"sms\":%d},",
	       p.name, p.major, p.minor, sms);
	printf("\"levels\":[\n");
	begin("registers", 4.0 * p.regsPerMultiprocessor, "sm");
	print_latency(65536, took, [&] {
		chain_fma<<<1, 1>>>((float *)out, 65536, took);
	});
	printf(",");
	print_bandwidth((double)sms * 8 * 256 * 64 * 12, [&](int times) {
		stream_fma<<<sms * 8, 256>>>((float *)out, times);
	});
	printf("},\n");
	begin("shared", (double)p.sharedMemPerMultiprocessor, "sm");
	print_latency(65536, took, [&] {
		chase_shared<<<1, 1>>>(out, 65536, took);
	});
	printf(",");
	print_bandwidth((double)sms * 4 * 256 * 8 * 16, [&](int times) {
		stream_shared<<<sms * 4, 256>>>(times, out);
	});
	printf("},\n");
	/* Shared memory and L1 are one: what the one does not take. */
	begin("l1", 256.0 * KIB, "sm");
	follow(32 * KIB, 65536, true, true);
	printf(",");
	TRY(cudaFuncSetAttribute(stream_l1,
				 cudaFuncAttributePreferredSharedMemoryCarveout,
				 0));
	print_bandwidth((double)sms * 64 * KIB, [&](int times) {
		stream_l1<<<sms, 1024>>>((const uint4 *)m, 64 * KIB / 16,
					 times, out);
	});
	printf("},\n");
	begin("l2", (double)p.l2CacheSize, "gpu");
	follow(8 * MIB, 65536, false, true);
	printf(",");
	print_bandwidth(16.0 * MIB, [&](int times) { all(16 * MIB, times); });
	print_bulk(16 * MIB);
	printf("},\n");
	begin("dram", (double)p.totalGlobalMem, "gpu");
	follow(chased, 65536, false, false);
	printf(",");
	print_bandwidth((double)big, [&](int times) { all(big, times); });
	print_bulk(big);
	printf("}]}\n");
	return 0;
}
