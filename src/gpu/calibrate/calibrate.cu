/*
 * calibrate: the kernels that measure the GPU itself (calibrate_parts.h). Each
 * is launched by name; times within a kernel are cycles of the SM's clock.
 *
 * Latency: one thread follows pointers, each load waiting for the one before.
 * Bandwidth: all SMs read 16 bytes a thread at a time. Patterns: warps of one
 * block do the same access over and over, and the block's cycles are divided by
 * the number of accesses.
 *
 * All memory that is read holds zeros: what is loaded is added to the address
 * of the next load where that has to wait.
 */
#include <cstdint>

typedef unsigned long long u64;

#define LINE 128
#define PATTERN_UNROLL 8	/* as in calibrate_parts.h */
#define PATTERN_WINDOW (128 * 1024)
#define PATTERN_SLOTS 16

/* One access; `mask` has its active lanes. */
struct pattern {
	uint32_t mask;
	uint32_t address[32];
};

/* ---- loads ---- */

static __device__ uint32_t shared_at(const void *p)
{
	return (uint32_t)__cvta_generic_to_shared(p);
}

template <bool L1> static __device__ uint32_t load16(const uint4 *p)
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

template <bool L1> static __device__ u64 load8(u64 p)
{
	u64 v;

	if (L1)
		asm volatile("ld.global.ca.u64 %0, [%1];"
			     : "=l"(v) : "l"(p) : "memory");
	else
		asm volatile("ld.global.cg.u64 %0, [%1];"
			     : "=l"(v) : "l"(p) : "memory");
	return v;
}

static __device__ u64 nanoseconds(void)
{
	u64 t;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) :: "memory");
	return t;
}

/* ---- latency ---- */

extern "C" __global__ void gemmviz_link(char *base, const uint32_t *next,
					uint32_t lines)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < lines)
		*(u64 *)(base + (u64)i * LINE) =
			(u64)(base + (u64)next[i] * LINE);
}

/* From *at on, which is left where the chain ends. */
template <bool L1> static __device__ void chase(u64 *at, int hops, u64 *took)
{
	u64 p = *at, begun = clock64();

	for (int i = 0; i < hops; i++)
		p = load8<L1>(p);
	*took = clock64() - begun;
	*at = p;
}

extern "C" __global__ void gemmviz_chase_l1(u64 *at, int hops, u64 *took)
{
	chase<true>(at, hops, took);
}

extern "C" __global__ void gemmviz_chase(u64 *at, int hops, u64 *took)
{
	chase<false>(at, hops, took);
}

extern "C" __global__ void gemmviz_chase_shared(u64 *at, int hops, u64 *took)
{
	__shared__ uint32_t chain[4096];
	uint32_t base = shared_at(chain), p = base;
	u64 begun;

	for (uint32_t i = 0; i < 4096; i++)
		chain[i] = base + (i + 33) % 4096 * 4;
	begun = clock64();
	for (int i = 0; i < hops; i++)
		asm volatile("ld.shared.u32 %0, [%0];" : "+r"(p) :: "memory");
	*took = clock64() - begun;
	*at = p;
}

extern "C" __global__ void gemmviz_chain_fma(float *at, int hops, u64 *took)
{
	float v = *at;
	u64 begun = clock64();

	for (int i = 0; i < hops; i += 16)
#pragma unroll
		for (int k = 0; k < 16; k++)
			asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(v));
	*took = clock64() - begun;
	*at = v;
}

/* ---- bandwidth ---- */

/* All blocks read all of the array, `times` times, a part each at a time. */
extern "C" __global__ void gemmviz_stream(const uint4 *from, u64 count,
					  int times, uint32_t *out)
{
	u64 step = (u64)gridDim.x * blockDim.x;
	u64 first = (u64)blockIdx.x * blockDim.x + threadIdx.x;
	uint32_t sum = 0;

	for (int t = 0; t < times; t++)
#pragma unroll 8
		for (u64 i = first; i < count; i += step)
			sum ^= load16<false>(from + i);
	if (sum == 12345)
		*out = sum;
}

/* Each block reads a part of its own that L1 holds. */
extern "C" __global__ void gemmviz_stream_l1(const uint4 *from, u64 count,
					     int times, uint32_t *out)
{
	const uint4 *own = from + blockIdx.x * count;
	uint32_t sum = 0;

	for (int t = 0; t < times; t++)
#pragma unroll 8
		for (int i = threadIdx.x; i < (int)count; i += blockDim.x)
			sum ^= load16<true>(own + i);
	if (sum == 12345)
		*out = sum;
}

/* 128 bytes a thread and round, from shared memory. */
extern "C" __global__ void gemmviz_stream_shared(const uint4 *from, u64 count,
						 int times, uint32_t *out)
{
	__shared__ uint4 words[2048];
	uint32_t base = shared_at(words) + threadIdx.x * 16, sum = 0;

	for (int i = threadIdx.x; i < 2048; i += blockDim.x)
		words[i] = from[i];
	__syncthreads();
	for (int t = 0; t < times; t++)
#pragma unroll
		for (int i = 0; i < 8; i++) {
			uint4 v;

			asm volatile("ld.volatile.shared.v4.u32 "
				     "{%0,%1,%2,%3}, [%4];"
				     : "=r"(v.x), "=r"(v.y), "=r"(v.z),
				       "=r"(v.w) : "r"(base + i * 4096));
			sum ^= v.x ^ v.y ^ v.z ^ v.w;
		}
	if (sum == 12345 + count)
		*out = sum;
}

/* Copies all of the array into shared memory, a part each block at a time: one
 * thread asks for pieces, some ahead, as TMA does. */
#define PIECE (16 * 1024)
#define AHEAD 8

extern "C" __global__ void gemmviz_stream_bulk(const char *from, u64 bytes,
					       int times)
{
#if __CUDA_ARCH__ >= 900
	extern __shared__ __align__(128) char room[];
	__shared__ __align__(8) u64 full[AHEAD];
	uint32_t to = shared_at(room), bar = shared_at(full);
	u64 each = bytes / PIECE / gridDim.x, count = each * times;

	if (threadIdx.x)
		return;
	for (int i = 0; i < AHEAD; i++)
		asm volatile("mbarrier.init.shared.b64 [%0], 1;"
			     :: "r"(bar + i * 8) : "memory");
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
	for (u64 n = 0; n < count + AHEAD; n++) {
		uint32_t slot = n % AHEAD, done = 0;
		u64 piece = n % each * gridDim.x + blockIdx.x;

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
#endif
}

/* 64 multiply-adds a thread and round. */
extern "C" __global__ void gemmviz_stream_fma(const float *from, u64 count,
					      int times, float *out)
{
	float v[16], x = from[0], y = from[1];

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
	if (v[0] == 12345 + count)
		*out = v[0];
}

/* ---- launches and clocks ---- */

extern "C" __global__ void gemmviz_nothing(void)
{
}

/* Multiply-adds for so many cycles; block 0 says how many cycles and
 * nanoseconds it was. */
extern "C" __global__ void gemmviz_clock(float *out, u64 cycles, u64 *took)
{
	u64 since = nanoseconds(), begun = clock64(), now = begun;
	float v[8];

	for (int i = 0; i < 8; i++)
		v[i] = *out;
	while (now - begun < cycles) {
		for (int k = 0; k < 64; k++)
#pragma unroll
			for (int i = 0; i < 8; i++)
				asm volatile("fma.rn.f32 %0, %0, %0, %0;"
					     : "+f"(v[i]));
		now = clock64();
	}
	if (blockIdx.x == 0 && threadIdx.x == 0) {
		took[1] = nanoseconds() - since;
		took[0] = clock64() - begun;
	}
	for (int i = 0; i < 8; i++)
		if (v[i] == 12345)
			*out = v[i];
}

/* ---- what one load brings along ---- */

/*
 * For each of `count` offsets: one thread loads the first word of a line that
 * is not in L1, and then a word `offset` bytes further, and so on with `lines`
 * lines, each load waiting for the one before. *took: cycles of all the lines
 * of an offset. Lines are 2 * LINE apart, and no line comes twice.
 */
extern "C" __global__ void gemmviz_fetched(u64 from, const uint32_t *offset,
					   int count, int lines, u64 *took)
{
	u64 line = from;

	for (int i = 0; i < count; i++) {
		u64 step = offset[i], begun = clock64(), wait = 0;

		for (int k = 0; k < lines; k++, line += 2 * LINE) {
			wait = load8<true>(line + wait);
			wait = load8<true>(line + step + wait);
		}
		took[i] = clock64() - begun + wait;
	}
}

/* ---- patterns ---- */

extern __shared__ __align__(1024) unsigned char window[];

/* The accesses: each returns the first word of what it loads, or 0. */
template <int SIZE> struct shared_ld {
	static __device__ uint32_t at(uint32_t p)
	{
		uint32_t r[4];

		if constexpr (SIZE == 1)
			asm volatile("ld.volatile.shared.u8 %0, [%1];"
				     : "=r"(r[0]) : "r"(p) : "memory");
		else if constexpr (SIZE == 2)
			asm volatile("ld.volatile.shared.u16 %0, [%1];"
				     : "=r"(r[0]) : "r"(p) : "memory");
		else if constexpr (SIZE == 4)
			asm volatile("ld.volatile.shared.u32 %0, [%1];"
				     : "=r"(r[0]) : "r"(p) : "memory");
		else if constexpr (SIZE == 8)
			asm volatile("ld.volatile.shared.v2.u32 {%0,%1}, [%2];"
				     : "=r"(r[0]), "=r"(r[1])
				     : "r"(p) : "memory");
		else
			asm volatile("ld.volatile.shared.v4.u32 "
				     "{%0,%1,%2,%3}, [%4];"
				     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]),
				       "=r"(r[3]) : "r"(p) : "memory");
		return r[0];
	}
};

template <int SIZE> struct shared_st {
	static __device__ uint32_t at(uint32_t p)
	{
		if constexpr (SIZE == 1)
			asm volatile("st.volatile.shared.u8 [%0], %1;"
				     :: "r"(p), "r"(0) : "memory");
		else if constexpr (SIZE == 2)
			asm volatile("st.volatile.shared.u16 [%0], %1;"
				     :: "r"(p), "h"((short)0) : "memory");
		else if constexpr (SIZE == 4)
			asm volatile("st.volatile.shared.u32 [%0], %1;"
				     :: "r"(p), "r"(0) : "memory");
		else if constexpr (SIZE == 8)
			asm volatile("st.volatile.shared.v2.u32 [%0], {%1,%1};"
				     :: "r"(p), "r"(0) : "memory");
		else
			asm volatile("st.volatile.shared.v4.u32 [%0], "
				     "{%1,%1,%1,%1};"
				     :: "r"(p), "r"(0) : "memory");
		return 0;
	}
};

template <int MATRICES, bool TRANS> struct ldmatrix {
	static __device__ uint32_t at(uint32_t p)
	{
		uint32_t r[4];

		if constexpr (MATRICES == 1 && !TRANS)
			asm volatile("ldmatrix.sync.aligned.m8n8.x1"
				     ".shared.b16 {%0}, [%1];"
				     : "=r"(r[0]) : "r"(p) : "memory");
		else if constexpr (MATRICES == 1)
			asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans"
				     ".shared.b16 {%0}, [%1];"
				     : "=r"(r[0]) : "r"(p) : "memory");
		else if constexpr (MATRICES == 2 && !TRANS)
			asm volatile("ldmatrix.sync.aligned.m8n8.x2"
				     ".shared.b16 {%0,%1}, [%2];"
				     : "=r"(r[0]), "=r"(r[1])
				     : "r"(p) : "memory");
		else if constexpr (MATRICES == 2)
			asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans"
				     ".shared.b16 {%0,%1}, [%2];"
				     : "=r"(r[0]), "=r"(r[1])
				     : "r"(p) : "memory");
		else if constexpr (!TRANS)
			asm volatile("ldmatrix.sync.aligned.m8n8.x4"
				     ".shared.b16 {%0,%1,%2,%3}, [%4];"
				     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]),
				       "=r"(r[3]) : "r"(p) : "memory");
		else
			asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans"
				     ".shared.b16 {%0,%1,%2,%3}, [%4];"
				     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]),
				       "=r"(r[3]) : "r"(p) : "memory");
		return r[0];
	}
};

/* From L2, past L1: volatile, for of other loads of the same address ptxas
 * leaves out all but one. */
template <int SIZE> struct global_ld {
	static __device__ uint32_t at(const unsigned char *p)
	{
		uint32_t r[4] = {};

		if constexpr (SIZE == 1)
			asm volatile("ld.volatile.global.u8 %0, [%1];"
				     : "=r"(r[0]) : "l"(p) : "memory");
		else if constexpr (SIZE == 2)
			asm volatile("ld.volatile.global.u16 %0, [%1];"
				     : "=r"(r[0]) : "l"(p) : "memory");
		else if constexpr (SIZE == 4)
			asm volatile("ld.volatile.global.u32 %0, [%1];"
				     : "=r"(r[0]) : "l"(p) : "memory");
		else if constexpr (SIZE == 8)
			asm volatile("ld.volatile.global.v2.u32 {%0,%1}, [%2];"
				     : "=r"(r[0]), "=r"(r[1])
				     : "l"(p) : "memory");
		else
			asm volatile("ld.volatile.global.v4.u32 {%0,%1,%2,%3}, [%4];"
				     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]),
				       "=r"(r[3]) : "l"(p) : "memory");
		/* All of it is used, so that all of it is loaded. */
		return r[0] | r[1] | r[2] | r[3];
	}
};

template <int SIZE> struct global_st {
	static __device__ uint32_t at(unsigned char *p)
	{
		if constexpr (SIZE == 1)
			asm volatile("st.global.cg.u8 [%0], %1;"
				     :: "l"(p), "r"(0) : "memory");
		else if constexpr (SIZE == 2)
			asm volatile("st.global.cg.u16 [%0], %1;"
				     :: "l"(p), "h"((short)0) : "memory");
		else if constexpr (SIZE == 4)
			asm volatile("st.global.cg.u32 [%0], %1;"
				     :: "l"(p), "r"(0) : "memory");
		else if constexpr (SIZE == 8)
			asm volatile("st.global.cg.v2.u32 [%0], {%1,%1};"
				     :: "l"(p), "r"(0) : "memory");
		else
			asm volatile("st.global.cg.v4.u32 [%0], {%1,%1,%1,%1};"
				     :: "l"(p), "r"(0) : "memory");
		return 0;
	}
};

/* `slot`: addresses that go to L2 lie in another window each time, so that no
 * access finds the one before still under way. */
static __device__ uint32_t moved(uint32_t p, uint32_t slot)
{
	return p;
}

static __device__ unsigned char *moved(unsigned char *p, uint32_t slot)
{
	return p + slot % PATTERN_SLOTS * PATTERN_WINDOW;
}

/* What the active lanes do; leaves their clock before and after. */
template <class ACCESS, class ADDRESS>
static __device__ void repeat(ADDRESS p, int rounds, bool chained, bool leads,
			      u64 *begun, u64 *ended, uint32_t *sink)
{
	uint32_t sum = 0;
	u64 from = clock64(), to;

	if (chained)
		for (int r = 0; r < rounds; r++)
#pragma unroll
			for (int i = 0; i < PATTERN_UNROLL; i++)
				p += ACCESS::at(p);
	else
		for (int r = 0; r < rounds; r++) {
			uint32_t v[PATTERN_UNROLL];

#pragma unroll
			for (int i = 0; i < PATTERN_UNROLL; i++)
				v[i] = ACCESS::at(moved(p,
					r * PATTERN_UNROLL + i));
#pragma unroll
			for (int i = 0; i < PATTERN_UNROLL; i++)
				sum ^= v[i];
		}
	sum ^= (uint32_t)(u64)p;
	to = clock64();
	if (leads) {
		*begun = from;
		*ended = to;
	}
	if (sum == 1)
		*sink = sum;
}

/* The cycles that all warps of the block take for `rounds` of
 * PATTERN_UNROLL accesses each. */
template <class ACCESS, class ADDRESS>
static __device__ void measure(const struct pattern *p, bool all, ADDRESS base,
			       int rounds, int chained, u64 *cycles,
			       uint32_t *sink)
{
	__shared__ u64 begun[32], ended[32];
	uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	bool leads = lane == __ffs(p->mask) - 1;
	ADDRESS at = base + p->address[lane];
	u64 first, last;

	__syncthreads();
	if (all || p->mask >> lane & 1)
		repeat<ACCESS>(at, rounds, chained, leads, &begun[warp],
			       &ended[warp], sink);
	__syncthreads();
	if (threadIdx.x)
		return;
	first = begun[0];
	last = ended[0];
	for (int i = 1; i < (int)blockDim.x / 32; i++) {
		first = begun[i] < first ? begun[i] : first;
		last = ended[i] > last ? ended[i] : last;
	}
	*cycles = last - first;
}

/* The first time is for the instructions' sake. */
template <class ACCESS, class ADDRESS>
static __device__ void measure_all(const struct pattern *p, int count,
				   bool all, ADDRESS base, int rounds,
				   int chained, u64 *cycles, uint32_t *sink)
{
	for (int i = 0; i < 2 * count; i++)
		measure<ACCESS>(&p[i / 2], all, base, i % 2 ? rounds : 2,
				chained, &cycles[i / 2], sink);
}

static __device__ void window_clear(uint32_t bytes)
{
	for (uint32_t i = threadIdx.x * 4; i < bytes; i += blockDim.x * 4)
		*(uint32_t *)(window + i) = 0;
	__syncthreads();
}

#define SHARED_KERNEL(name, all, ...) \
	extern "C" __global__ void gemmviz_pattern_##name( \
		const struct pattern *p, int count, int rounds, int chained, \
		u64 *cycles, uint32_t bytes, unsigned char *global, \
		uint32_t *sink) \
	{ \
		window_clear(bytes); \
		measure_all<__VA_ARGS__>(p, count, all, shared_at(window), \
					 rounds, chained, cycles, sink); \
	}

/* Warps have windows of their own. */
#define GLOBAL_KERNEL(name, ...) \
	extern "C" __global__ void gemmviz_pattern_##name( \
		const struct pattern *p, int count, int rounds, int chained, \
		u64 *cycles, uint32_t bytes, unsigned char *global, \
		uint32_t *sink) \
	{ \
		measure_all<__VA_ARGS__>(p, count, false, \
			global + threadIdx.x / 32 * \
				 ((u64)PATTERN_SLOTS * PATTERN_WINDOW), \
			rounds, chained, cycles, sink); \
	}

#define SIZES(kernel, space, op) \
	kernel(space##_##op##_1, space##_##op<1>) \
	kernel(space##_##op##_2, space##_##op<2>) \
	kernel(space##_##op##_4, space##_##op<4>) \
	kernel(space##_##op##_8, space##_##op<8>) \
	kernel(space##_##op##_16, space##_##op<16>)

#define SHARED_LANES(name, access) SHARED_KERNEL(name, false, access)
SIZES(SHARED_LANES, shared, ld)
SIZES(SHARED_LANES, shared, st)
SIZES(GLOBAL_KERNEL, global, ld)
SIZES(GLOBAL_KERNEL, global, st)
SHARED_KERNEL(ldmatrix_1, true, ldmatrix<1, false>)
SHARED_KERNEL(ldmatrix_2, true, ldmatrix<2, false>)
SHARED_KERNEL(ldmatrix_4, true, ldmatrix<4, false>)
SHARED_KERNEL(ldmatrix_trans_1, true, ldmatrix<1, true>)
SHARED_KERNEL(ldmatrix_trans_2, true, ldmatrix<2, true>)
SHARED_KERNEL(ldmatrix_trans_4, true, ldmatrix<4, true>)
