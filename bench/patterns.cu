/*
 * patterns: performs access patterns on a GPU, each as a launch of one warp,
 * so that a profiler can count what each costs. Build for a GPU that has
 * ldmatrix (sm_75 or later); access_hardware.sh beside this builds and runs it.
 *
 * `patterns FILE`: the file has a pattern a line: space op size trans, then 32 byte
 * addresses, `-` for a lane that is inactive. size is 1, 2, 4, 8 or 16; for
 * ldmatrix, which lanes are active says how many matrices it reads: 1 (lanes
 * 0-7), 2 (0-15) or 4. Launch i of the process is pattern i.
 *
 * The addresses come from the kernel's parameters, which are constant memory,
 * and a kernel has no other instruction that accesses the space it is about:
 * what a shared or ldmatrix kernel reads could only go to global memory, what
 * a global one reads goes to shared memory.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define WINDOW (128 * 1024)	/* addresses are below it */

enum space { GLOBAL, SHARED, LDMATRIX };

struct pattern {
	unsigned char *global;		/* WINDOW bytes, aligned to a line */
	uint32_t *sink;
	uint32_t nobody;		/* a lane that there isn't */
	uint32_t mask;
	uint32_t address[32];
};

struct request {
	enum space space;
	bool store;
	int size, trans;
	struct pattern pattern;
};

#define CHECK(call) check(call, #call)

static void check(cudaError_t error, const char *call)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "patterns: %s: %s\n", call, cudaGetErrorString(error));
	exit(1);
}

/* ---- the accesses ---- */

extern __shared__ __align__(1024) unsigned char window[];

/* One instruction, predicated: a lane whose `on` is 0 takes no part. */
#define LOAD(name, instruction, address) \
	asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0;\n" \
		     "@p " instruction " %0, [%2]; }" \
		     : "+r"(name) : "r"(on), address : "memory")
#define LOAD2(instruction, address) \
	asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0;\n" \
		     "@p " instruction " {%0, %1}, [%3]; }" \
		     : "+r"(r[0]), "+r"(r[1]) : "r"(on), address : "memory")
#define LOAD4(instruction, address) \
	asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0;\n" \
		     "@p " instruction " {%0, %1, %2, %3}, [%5]; }" \
		     : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]) \
		     : "r"(on), address : "memory")
#define STORE(instruction, address) \
	asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0;\n" \
		     "@p " instruction " [%2], %1; }" \
		     : : "r"(on), "r"(on), address : "memory")
#define STORE2(instruction, address) \
	asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0;\n" \
		     "@p " instruction " [%2], {%1, %1}; }" \
		     : : "r"(on), "r"(on), address : "memory")
#define STORE4(instruction, address) \
	asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0;\n" \
		     "@p " instruction " [%2], {%1, %1, %1, %1}; }" \
		     : : "r"(on), "r"(on), address : "memory")

#define ACCESS(space, address) \
	do { \
		if constexpr (!STORE_IT && SIZE == 1) \
			LOAD(r[0], "ld.volatile." space ".u8", address); \
		else if constexpr (!STORE_IT && SIZE == 2) \
			LOAD(r[0], "ld.volatile." space ".u16", address); \
		else if constexpr (!STORE_IT && SIZE == 4) \
			LOAD(r[0], "ld.volatile." space ".u32", address); \
		else if constexpr (!STORE_IT && SIZE == 8) \
			LOAD2("ld.volatile." space ".v2.u32", address); \
		else if constexpr (!STORE_IT) \
			LOAD4("ld.volatile." space ".v4.u32", address); \
		else if constexpr (SIZE == 1) \
			STORE("st.volatile." space ".u8", address); \
		else if constexpr (SIZE == 2) \
			STORE("st.volatile." space ".u16", address); \
		else if constexpr (SIZE == 4) \
			STORE("st.volatile." space ".u32", address); \
		else if constexpr (SIZE == 8) \
			STORE2("st.volatile." space ".v2.u32", address); \
		else \
			STORE4("st.volatile." space ".v4.u32", address); \
	} while (0)

template <bool STORE_IT, int SIZE>
__global__ void shared_kernel(const __grid_constant__ pattern p)
{
	uint32_t lane = threadIdx.x, on = p.mask >> lane & 1, r[4] = {};
	uint32_t at = (uint32_t)__cvta_generic_to_shared(window) +
		      p.address[lane];

	ACCESS("shared", "r"(at));
	if (lane == p.nobody)
		*p.sink = r[0] ^ r[1] ^ r[2] ^ r[3];
}

template <bool STORE_IT, int SIZE>
__global__ void global_kernel(const __grid_constant__ pattern p)
{
	uint32_t lane = threadIdx.x, on = p.mask >> lane & 1, r[4] = {};
	unsigned char *at = p.global + p.address[lane];

	ACCESS("global", "l"(at));
	if (!STORE_IT)
		((uint32_t *)window)[lane] = r[0] ^ r[1] ^ r[2] ^ r[3];
}

/* As compilers write it, not volatile: cached in L1. */
template <>
__global__ void global_kernel<false, 4>(const __grid_constant__ pattern p)
{
	uint32_t lane = threadIdx.x, on = p.mask >> lane & 1, r = 0;

	LOAD(r, "ld.global.u32", "l"(p.global + p.address[lane]));
	((uint32_t *)window)[lane] = r;
}

template <>
__global__ void global_kernel<false, 16>(const __grid_constant__ pattern p)
{
	uint32_t lane = threadIdx.x, on = p.mask >> lane & 1, r[4] = {};

	LOAD4("ld.global.v4.u32", "l"(p.global + p.address[lane]));
	((uint32_t *)window)[lane] = r[0] ^ r[1] ^ r[2] ^ r[3];
}

#define LDMATRIX1(trans) \
	asm volatile("ldmatrix.sync.aligned.m8n8.x1" trans ".shared.b16 " \
		     "{%0}, [%1];" : "=r"(r[0]) : "r"(at) : "memory")
#define LDMATRIX2(trans) \
	asm volatile("ldmatrix.sync.aligned.m8n8.x2" trans ".shared.b16 " \
		     "{%0, %1}, [%2];" \
		     : "=r"(r[0]), "=r"(r[1]) : "r"(at) : "memory")
#define LDMATRIX4(trans) \
	asm volatile("ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 " \
		     "{%0, %1, %2, %3}, [%4];" \
		     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) \
		     : "r"(at) : "memory")

template <int MATRICES, bool TRANS>
__global__ void ldmatrix_kernel(const __grid_constant__ pattern p)
{
	uint32_t lane = threadIdx.x, r[4] = {};
	uint32_t at = (uint32_t)__cvta_generic_to_shared(window) +
		      p.address[lane];

	if constexpr (MATRICES == 1 && !TRANS)
		LDMATRIX1("");
	else if constexpr (MATRICES == 1)
		LDMATRIX1(".trans");
	else if constexpr (MATRICES == 2 && !TRANS)
		LDMATRIX2("");
	else if constexpr (MATRICES == 2)
		LDMATRIX2(".trans");
	else if constexpr (!TRANS)
		LDMATRIX4("");
	else
		LDMATRIX4(".trans");
	if (lane == p.nobody)
		*p.sink = r[0] ^ r[1] ^ r[2] ^ r[3];
}

/* ---- choosing the kernel ---- */

typedef void kernel(pattern);

static int size_index(int size)
{
	return __builtin_ctz((unsigned)size);
}

#define SIZES(k, store) \
	{ k<store, 1>, k<store, 2>, k<store, 4>, k<store, 8>, k<store, 16> }

static kernel *kernel_of(const struct request *r)
{
	static kernel *const shared[2][5] = {
		SIZES(shared_kernel, false), SIZES(shared_kernel, true),
	};
	static kernel *const global[2][5] = {
		SIZES(global_kernel, false), SIZES(global_kernel, true),
	};
	static kernel *const ldmatrix[2][3] = {
		{ ldmatrix_kernel<1, false>, ldmatrix_kernel<2, false>,
		  ldmatrix_kernel<4, false> },
		{ ldmatrix_kernel<1, true>, ldmatrix_kernel<2, true>,
		  ldmatrix_kernel<4, true> },
	};
	int lanes = __builtin_popcount(r->pattern.mask);

	if (r->space == LDMATRIX)
		return ldmatrix[r->trans][size_index(lanes / 8)];
	return (r->space == SHARED ? shared : global)[r->store]
						     [size_index(r->size)];
}

/* ---- reading ---- */

static bool read_addresses(FILE *f, int size, struct pattern *p)
{
	char word[16];

	for (int lane = 0; lane < 32; lane++) {
		if (fscanf(f, "%15s", word) != 1)
			return false;
		if (!strcmp(word, "-"))
			continue;
		p->mask |= 1u << lane;
		p->address[lane] = (uint32_t)strtoul(word, NULL, 10);
		if (p->address[lane] > (uint32_t)(WINDOW - size))
			return false;
	}
	return true;
}

static bool valid(const struct request *r)
{
	uint32_t mask = r->pattern.mask;

	if (r->space == LDMATRIX)
		return r->size == 16 && (unsigned)r->trans < 2 &&
		       (mask == 0xff || mask == 0xffff || mask == UINT32_MAX);
	return r->size > 0 && r->size <= 16 && !(r->size & (r->size - 1));
}

/* False at the end of input. */
static bool read_request(FILE *f, struct request *r)
{
	char space[16], op[8];

	*r = request{};
	if (fscanf(f, "%15s %7s %d %d", space, op, &r->size, &r->trans) != 4)
		return false;
	r->store = !strcmp(op, "st");
	r->space = !strcmp(space, "global") ? GLOBAL :
		   !strcmp(space, "shared") ? SHARED : LDMATRIX;
	if (!read_addresses(f, r->size, &r->pattern) || !valid(r)) {
		fprintf(stderr, "patterns: a pattern that is none\n");
		exit(2);
	}
	return true;
}

int main(int argc, char **argv)
{
	FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
	std::vector<struct request> requests;
	struct request r;
	unsigned char *global;
	uint32_t *sink;

	if (!f) {
		fprintf(stderr, "patterns: give it one file to read\n");
		return 2;
	}
	while (read_request(f, &r))
		requests.push_back(r);
	CHECK(cudaMalloc(&global, WINDOW));
	CHECK(cudaMalloc(&sink, sizeof(*sink)));
	CHECK(cudaMemset(global, 0, WINDOW));
	for (struct request &each : requests) {
		kernel *k = kernel_of(&each);
		size_t shared = each.space == GLOBAL ? 128 : WINDOW;

		each.pattern.global = global;
		each.pattern.sink = sink;
		each.pattern.nobody = 32;
		CHECK(cudaFuncSetAttribute(k,
			cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
		k<<<1, 32, shared>>>(each.pattern);
		CHECK(cudaGetLastError());
	}
	CHECK(cudaDeviceSynchronize());
	return 0;
}
