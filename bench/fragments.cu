/*
 * fragments: asks a GPU which lane holds which element, and prints a line of
 * JSON a layout; fragments_hardware.sh beside this builds and runs it. Build
 * for sm_90a.
 *
 * A line has "name", "operand", "layout" and "accumulator" as `gemmviz
 * fragment` takes them, "arch", "elements" of a lane, and the lists "row",
 * "col" and, of several matrices, "matrix": at lane * elements + element what
 * that element is, -1 where the answer made no sense. Or it has "swizzle",
 * 32, 64 or 128 bytes, and the lists "row" and "byte": at index i what lies
 * at address 2 i of a K-major tile with two-byte elements.
 *
 * Who can be asked what: ldmatrix, stmatrix and wmma meet memory, where every
 * element has a known place: their layouts are read off. mma and wgmma see
 * registers only, and would not notice rows that change places in A and in D
 * alike. So one operand is probed at a time, the others being laid out by
 * the formulas of the PTX ISA: with a single 1 in A, and k + 1 in row k of
 * B, the sums say the row and the column at which the 1 was. wgmma's B lies in
 * shared memory, and a single 1 there says which element an address is.
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#define CHECK(call) check(call, #call)

static void check(cudaError_t error, const char *call)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "fragments: %s: %s\n", call,
		cudaGetErrorString(error));
	exit(1);
}

/* Memory that both sides see. */
template <class T> struct shared_array {
	T *data;
	size_t count;

	explicit shared_array(size_t n) : count(n)
	{
		CHECK(cudaMallocManaged(&data, n * sizeof(T)));
		memset(data, 0, n * sizeof(T));
	}
	~shared_array()
	{
		cudaFree(data);
	}
	T &operator[](size_t i)
	{
		return data[i];
	}
	shared_array(const shared_array &) = delete;
};

static void finish(void)
{
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
}

/* ---- what is printed ---- */

struct place {
	int lane, element, matrix, row, col;
};

static int arch, failed;

static void print_member(const char *name, const std::vector<int> &numbers)
{
	const char *before = "";

	printf(",\"%s\":[", name);
	for (int n : numbers) {
		printf("%s%d", before, n);
		before = ",";
	}
	putchar(']');
}

/* Every element of every lane, in this order; -1 where nothing is known. */
static void print_layout(const char *name, char operand, char layout,
			 const char *sums, const std::vector<place> &places)
{
	int elements = 0, matrices = 0, lanes = 0;

	for (const place &p : places) {
		lanes = std::max(lanes, p.lane + 1);
		elements = std::max(elements, p.element + 1);
		matrices = std::max(matrices, p.matrix + 1);
	}
	std::vector<int> matrix((size_t)lanes * elements, -1);
	std::vector<int> row(matrix), col(matrix);

	for (const place &p : places) {
		size_t at = (size_t)p.lane * elements + p.element;

		matrix[at] = p.matrix;
		row[at] = p.row;
		col[at] = p.col;
	}
	printf("{\"name\":\"%s\",\"operand\":\"%c\",\"layout\":\"%s\","
	       "\"accumulator\":\"%s\",\"arch\":%d,\"elements\":%d", name,
	       operand, layout == 'c' ? "col" : "row", sums, arch, elements);
	if (matrices > 1)
		print_member("matrix", matrix);
	print_member("row", row);
	print_member("col", col);
	printf("}\n");
	fflush(stdout);
}

static void not_found(const char *name, char operand, int lane, int element)
{
	failed++;
	fprintf(stderr, "fragments: %s %c: lane %d, element %d: the sums make "
		"no sense\n", name, operand, lane, element);
}

/* ---- numbers in registers ---- */

enum kind { F16, BF16, TF32, S8, U8, F32, S32 };

static __host__ __device__ constexpr int per_register(enum kind k)
{
	return k == F16 || k == BF16 ? 2 : k == S8 || k == U8 ? 4 : 1;
}

static __device__ uint32_t bits(enum kind k, float x)
{
	switch (k) {
	case F16:
		return __half_as_ushort(__float2half(x));
	case BF16:
		return __bfloat16_as_ushort(__float2bfloat16(x));
	case S8:
	case U8:
		return (uint8_t)(int)x;
	case S32:
		return (uint32_t)(int)x;
	default:
		return __float_as_uint(x);
	}
}

static __device__ float number(enum kind k, uint32_t x)
{
	switch (k) {
	case F16:
		return __half2float(__ushort_as_half((uint16_t)x));
	case S32:
		return (float)(int)x;
	default:
		return __uint_as_float(x);
	}
}

static __device__ uint32_t pack(enum kind k, const float *x)
{
	uint32_t word = 0;
	int n = per_register(k);

	for (int i = 0; i < n; i++)
		word |= bits(k, x[i]) << (32 / n * i);
	return word;
}

/* Registers of a sum: float for the ISA's .f32, else 32 bits. */
static __device__ void set(float &to, uint32_t word)
{
	to = __uint_as_float(word);
}
static __device__ void set(uint32_t &to, uint32_t word)
{
	to = word;
}
static __device__ uint32_t get(float x)
{
	return __float_as_uint(x);
}
static __device__ uint32_t get(uint32_t x)
{
	return x;
}

template <enum kind SUM>
static __device__ void unpack(uint32_t word, float *x)
{
	constexpr int n = per_register(SUM);

	for (int i = 0; i < n; i++)
		x[i] = number(SUM, n == 1 ? word :
			      word >> (32 / n * i) & 0xffff);
}

/* ---- mma ---- */

#define FLOATS(x) "+f"(x)
#define WORDS(x) "+r"(x)
#define MMA_112(text, how) \
	asm volatile("mma.sync.aligned." text " {%0,%1}, {%2}, {%3}, {%0,%1};" \
		     : how(d[0]), how(d[1]) : "r"(a[0]), "r"(b[0]))
#define MMA_212(text, how) \
	asm volatile("mma.sync.aligned." text " {%0,%1}, {%2,%3}, {%4}, " \
		     "{%0,%1};" \
		     : how(d[0]), how(d[1]) \
		     : "r"(a[0]), "r"(a[1]), "r"(b[0]))
#define MMA_214(text, how) \
	asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3}, {%4,%5}, " \
		     "{%6}, {%0,%1,%2,%3};" \
		     : how(d[0]), how(d[1]), how(d[2]), how(d[3]) \
		     : "r"(a[0]), "r"(a[1]), "r"(b[0]))
#define MMA_422(text, how) \
	asm volatile("mma.sync.aligned." text " {%0,%1}, {%2,%3,%4,%5}, " \
		     "{%6,%7}, {%0,%1};" \
		     : how(d[0]), how(d[1]) \
		     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), \
		       "r"(b[0]), "r"(b[1]))
#define MMA_424(text, how) \
	asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3}, " \
		     "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
		     : how(d[0]), how(d[1]), how(d[2]), how(d[3]) \
		     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), \
		       "r"(b[0]), "r"(b[1]))
#define MMA_224(text, how) \
	asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3}, {%4,%5}, " \
		     "{%6,%7}, {%0,%1,%2,%3};" \
		     : how(d[0]), how(d[1]), how(d[2]), how(d[3]) \
		     : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]))
#define MMA_228(text, how) \
	asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3,%4,%5,%6,%7}, " \
		     "{%8,%9}, {%10,%11}, {%0,%1,%2,%3,%4,%5,%6,%7};" \
		     : how(d[0]), how(d[1]), how(d[2]), how(d[3]), \
		       how(d[4]), how(d[5]), how(d[6]), how(d[7]) \
		     : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]))

#define M8N8K4(id, layouts, al, bl) \
	INSTRUCTION(id##_wide, "m8n8k4.f16", al, bl, F16, F32, float, 8, 8, \
		    4, 2, 2, 8, MMA_228("m8n8k4." layouts \
					".f32.f16.f16.f32", FLOATS)) \
	INSTRUCTION(id##_half, "m8n8k4.f16", al, bl, F16, F16, uint32_t, 8, \
		    8, 4, 2, 2, 4, MMA_224("m8n8k4." layouts \
					   ".f16.f16.f16.f16", WORDS))
#define BYTES(id, type, KIND) \
	INSTRUCTION(id##_k16_small, "m8n8k16." type, 'r', 'c', KIND, S32, \
		    uint32_t, 8, 8, 16, 1, 1, 2, \
		    MMA_112("m8n8k16.row.col.s32." type "." type ".s32", \
			    WORDS)) \
	INSTRUCTION(id##_k16, "m16n8k16." type, 'r', 'c', KIND, S32, \
		    uint32_t, 16, 8, 16, 2, 1, 4, \
		    MMA_214("m16n8k16.row.col.s32." type "." type ".s32", \
			    WORDS)) \
	INSTRUCTION(id##_k32, "m16n8k32." type, 'r', 'c', KIND, S32, \
		    uint32_t, 16, 8, 32, 4, 2, 4, \
		    MMA_424("m16n8k32.row.col.s32." type "." type ".s32", \
			    WORDS))

/* id, name, layouts of A and B, their type, type of C and D and of the
 * registers that hold them, M, N, K, registers of A, B and C, code */
#define INSTRUCTIONS \
	M8N8K4(volta_rr, "row.row", 'r', 'r') \
	M8N8K4(volta_rc, "row.col", 'r', 'c') \
	M8N8K4(volta_cr, "col.row", 'c', 'r') \
	M8N8K4(volta_cc, "col.col", 'c', 'c') \
	INSTRUCTION(half_k8, "m16n8k8.f16", 'r', 'c', F16, F32, float, 16, 8, \
		    8, 2, 1, 4, \
		    MMA_214("m16n8k8.row.col.f32.f16.f16.f32", FLOATS)) \
	INSTRUCTION(half_k8_half, "m16n8k8.f16", 'r', 'c', F16, F16, \
		    uint32_t, 16, 8, 8, 2, 1, 2, \
		    MMA_212("m16n8k8.row.col.f16.f16.f16.f16", WORDS)) \
	INSTRUCTION(half_k16, "m16n8k16.f16", 'r', 'c', F16, F32, float, 16, \
		    8, 16, 4, 2, 4, \
		    MMA_424("m16n8k16.row.col.f32.f16.f16.f32", FLOATS)) \
	INSTRUCTION(half_k16_half, "m16n8k16.f16", 'r', 'c', F16, F16, \
		    uint32_t, 16, 8, 16, 4, 2, 2, \
		    MMA_422("m16n8k16.row.col.f16.f16.f16.f16", WORDS)) \
	INSTRUCTION(bf_k8, "m16n8k8.bf16", 'r', 'c', BF16, F32, float, 16, 8, \
		    8, 2, 1, 4, \
		    MMA_214("m16n8k8.row.col.f32.bf16.bf16.f32", FLOATS)) \
	INSTRUCTION(bf_k16, "m16n8k16.bf16", 'r', 'c', BF16, F32, float, 16, \
		    8, 16, 4, 2, 4, \
		    MMA_424("m16n8k16.row.col.f32.bf16.bf16.f32", FLOATS)) \
	INSTRUCTION(tf_k4, "m16n8k4.tf32", 'r', 'c', TF32, F32, float, 16, 8, \
		    4, 2, 1, 4, \
		    MMA_214("m16n8k4.row.col.f32.tf32.tf32.f32", FLOATS)) \
	INSTRUCTION(tf_k8, "m16n8k8.tf32", 'r', 'c', TF32, F32, float, 16, 8, \
		    8, 4, 2, 4, \
		    MMA_424("m16n8k8.row.col.f32.tf32.tf32.f32", FLOATS)) \
	BYTES(s8, "s8", S8) \
	BYTES(u8, "u8", U8)

#define INSTRUCTION(id, title, al, bl, kind_ab, kind_sum, register_type, \
		    m, n, k, ra, rb, rc, code) \
	struct id { \
		static constexpr const char *name = title; \
		static constexpr char a_layout = al, b_layout = bl; \
		static constexpr enum kind AB = kind_ab, SUM = kind_sum; \
		static constexpr int M = m, N = n, K = k; \
		static constexpr int RA = ra, RB = rb, RC = rc; \
		typedef register_type sum; \
		static __device__ void run(sum *d, const uint32_t *a, \
					   const uint32_t *b) \
		{ \
			code; \
		} \
	};
INSTRUCTIONS
#undef INSTRUCTION

/* A block, one warp, a question: elements come and go as float, 32 lanes of
 * each operand's elements. */
template <class I>
__global__ void ask_mma(const float *a, const float *b, const float *c,
			float *d)
{
	constexpr int ea = per_register(I::AB), ec = per_register(I::SUM);
	size_t thread = blockIdx.x * 32 + threadIdx.x;
	uint32_t ra[I::RA], rb[I::RB];
	typename I::sum rc[I::RC];

	for (int i = 0; i < I::RA; i++)
		ra[i] = pack(I::AB, a + (thread * I::RA + i) * ea);
	for (int i = 0; i < I::RB; i++)
		rb[i] = pack(I::AB, b + (thread * I::RB + i) * ea);
	for (int i = 0; i < I::RC; i++)
		set(rc[i], pack(I::SUM, c + (thread * I::RC + i) * ec));
	I::run(rc, ra, rb);
	for (int i = 0; i < I::RC; i++)
		unpack<I::SUM>(get(rc[i]), d + (thread * I::RC + i) * ec);
}

/* ---- mma: the ISA's formulas ---- */

template <class I> static place isa_volta(char operand, int lane, int i)
{
	int high = lane < 16 ? 0 : 4, four = lane % 4;
	place p = { lane, i, lane % 16 / 4, 0, 0 };

	if (operand == 'A') {
		bool by_rows = I::a_layout == 'r';

		p.row = (by_rows ? four : i) + high;
		p.col = by_rows ? i : four;
	} else if (operand == 'B') {
		bool by_rows = I::b_layout == 'r';

		p.row = by_rows ? four : i;
		p.col = (by_rows ? i : four) + high;
	} else if (I::SUM == F32) {
		p.row = (lane & 1) + (i & 2) + high;
		p.col = (i & 4) + (lane & 2) + (i & 1);
	} else {
		p.row = four + high;
		p.col = i;
	}
	return p;
}

template <class I> static place isa(char operand, int lane, int i)
{
	constexpr int e = per_register(I::AB);
	int group = lane / 4, thread = lane % 4, reg = i / e;

	if (I::K == 4 && I::M == 8)
		return isa_volta<I>(operand, lane, i);
	if (operand == 'A')
		return { lane, i, 0, group + 8 * (reg % 2),
			 thread * e + i % e + 4 * e * (reg / 2) };
	if (operand == 'B')
		return { lane, i, 0, thread * e + i % e + 4 * e * reg, group };
	return { lane, i, 0, group + 8 * (i / 2), thread * 2 + i % 2 };
}

/* ---- mma: questions and answers ---- */

template <class I> struct mma_probe {
	static constexpr int EA = I::RA * per_register(I::AB);
	static constexpr int EB = I::RB * per_register(I::AB);
	static constexpr int EC = I::RC * per_register(I::SUM);
	static constexpr int MATRICES = I::K == 4 && I::M == 8 ? 4 : 1;

	/* Gives every element of a block's operand what `value` says of its
	 * place. */
	template <class V>
	static void fill(float *to, char operand, int elements, V value)
	{
		for (int lane = 0; lane < 32; lane++)
			for (int i = 0; i < elements; i++)
				to[lane * elements + i] =
					value(isa<I>(operand, lane, i));
	}

	static void launch(int blocks, shared_array<float> &a,
			   shared_array<float> &b, shared_array<float> &c,
			   shared_array<float> &d)
	{
		ask_mma<I><<<blocks, 32>>>(a.data, b.data, c.data, d.data);
		finish();
	}

	/* The sums that are not 0, as places whose element is the sum. */
	static std::vector<place> sums(const float *d)
	{
		std::vector<place> found;

		for (int lane = 0; lane < 32; lane++)
			for (int i = 0; i < EC; i++) {
				place p = isa<I>('D', lane, i);

				p.element = (int)d[lane * EC + i];
				if (p.element)
					found.push_back(p);
			}
		return found;
	}

	/* A single 1 in A fills a row of D with k + 1, in B a column, in C
	 * an element. */
	static bool decode(char operand, const std::vector<place> &s, place *p)
	{
		size_t want = operand == 'A' ? I::N : operand == 'B' ? I::M : 1;

		if (s.size() != want)
			return false;
		p->matrix = s[0].matrix;
		p->row = operand == 'B' ? s[0].element - 1 : s[0].row;
		p->col = operand == 'A' ? s[0].element - 1 : s[0].col;
		for (const place &q : s)
			if (q.matrix != p->matrix ||
			    q.element != s[0].element ||
			    (operand == 'A' && q.row != s[0].row) ||
			    (operand == 'B' && q.col != s[0].col))
				return false;
		return true;
	}

	static void one_by_one(char operand, char layout, const char *type)
	{
		int n = operand == 'A' ? EA : operand == 'B' ? EB : EC;
		int blocks = 32 * n;
		shared_array<float> a((size_t)blocks * 32 * EA);
		shared_array<float> b((size_t)blocks * 32 * EB);
		shared_array<float> c((size_t)blocks * 32 * EC);
		shared_array<float> d((size_t)blocks * 32 * EC);
		std::vector<place> places;

		for (int t = 0; t < blocks; t++) {
			float *at = (operand == 'A' ? a.data : operand == 'B' ?
				     b.data : c.data) + (size_t)t * 32 * n;

			if (operand == 'A')
				fill(&b[(size_t)t * 32 * EB], 'B', EB,
				     [](place p) { return p.row + 1.f; });
			if (operand == 'B')
				fill(&a[(size_t)t * 32 * EA], 'A', EA,
				     [](place p) { return p.col + 1.f; });
			at[t] = 1;
		}
		launch(blocks, a, b, c, d);
		for (int t = 0; t < blocks; t++) {
			place p = { t / n, t % n, 0, 0, 0 };

			if (decode(operand, sums(&d[(size_t)t * 32 * EC]), &p))
				places.push_back(p);
			else
				not_found(I::name, operand, t / n, t % n);
		}
		print_layout(I::name, operand, layout, type, places);
	}

	/* Every sum says its place: 64 matrix + N row + column. */
	static void results(const char *type)
	{
		shared_array<float> a(32 * EA), b(32 * EB), c(32 * EC),
			d(32 * EC);
		std::vector<place> places;

		fill(a.data, 'A', EA, [](place p) {
			return p.col == 0 ? (float)p.row : p.col == 1 ? 1.f :
			       p.col == 2 ? (float)p.matrix : 0.f;
		});
		fill(b.data, 'B', EB, [](place p) {
			return p.row == 0 ? (float)I::N :
			       p.row == 1 ? (float)p.col :
			       p.row == 2 ? 64.f : 0.f;
		});
		launch(1, a, b, c, d);
		for (int lane = 0; lane < 32; lane++)
			for (int i = 0; i < EC; i++) {
				int sum = (int)d[lane * EC + i];
				int matrix = MATRICES > 1 ? sum / 64 : 0;
				int in = sum - 64 * matrix;

				places.push_back({ lane, i, matrix, in / I::N,
						   in % I::N });
			}
		print_layout(I::name, 'D', 'r', type, places);
	}

	static void all()
	{
		const char *type = I::SUM == F16 ? "f16" : I::SUM == F32 ?
				   "f32" : "s32";

		one_by_one('A', I::a_layout, type);
		one_by_one('B', I::b_layout, type);
		one_by_one('C', 'r', type);
		results(type);
	}
};

static void ask_all_mma(void)
{
#define INSTRUCTION(id, ...) mma_probe<id>::all();
	INSTRUCTIONS
#undef INSTRUCTION
}

/* ---- wmma ---- */

using namespace nvcuda;

#define PITCH 32		/* elements; of all matrices for wmma */

template <class T>
__global__ void number_matrix(T *to, bool by_rows, bool say_rows)
{
	int fast = threadIdx.x, slow = blockIdx.x;
	int row = by_rows ? slow : fast, col = by_rows ? fast : slow;

	to[slow * PITCH + fast] = (T)(float)(say_rows ? row : col);
}

template <class F, class T, bool IS_SUM>
__global__ void ask_wmma(const T *rows, const T *cols, bool by_rows,
			 float *out)
{
	F r, c;

	if constexpr (IS_SUM) {
		wmma::layout_t l = by_rows ? wmma::mem_row_major :
				   wmma::mem_col_major;

		wmma::load_matrix_sync(r, rows, PITCH, l);
		wmma::load_matrix_sync(c, cols, PITCH, l);
	} else {
		wmma::load_matrix_sync(r, rows, PITCH);
		wmma::load_matrix_sync(c, cols, PITCH);
	}
	for (int i = 0; i < F::num_elements; i++) {
		float *to = out + (threadIdx.x * F::num_elements + i) * 2;

		to[0] = (float)r.x[i];
		to[1] = (float)c.x[i];
	}
}

template <class F, class T, bool IS_SUM>
static void read_wmma(const char *name, char operand, char layout,
		      const char *sums)
{
	shared_array<T> rows(PITCH * PITCH), cols(PITCH * PITCH);
	shared_array<float> out(32 * F::num_elements * 2);
	std::vector<place> places;
	bool by_rows = layout == 'r';

	number_matrix<<<PITCH, PITCH>>>(rows.data, by_rows, true);
	number_matrix<<<PITCH, PITCH>>>(cols.data, by_rows, false);
	ask_wmma<F, T, IS_SUM><<<1, 32>>>(rows.data, cols.data, by_rows,
					  out.data);
	finish();
	for (int lane = 0; lane < 32; lane++)
		for (int i = 0; i < F::num_elements; i++) {
			float *at = &out[(lane * F::num_elements + i) * 2];

			places.push_back({ lane, i, 0, (int)at[0],
					   (int)at[1] });
		}
	print_layout(name, operand, layout, sums, places);
}

template <int M, int N, int K, class T, class STORED>
static void read_factors(const char *name, const char *sums)
{
	read_wmma<wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major>,
		  STORED, false>(name, 'A', 'r', sums);
	read_wmma<wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::col_major>,
		  STORED, false>(name, 'A', 'c', sums);
	read_wmma<wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::row_major>,
		  STORED, false>(name, 'B', 'r', sums);
	read_wmma<wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major>,
		  STORED, false>(name, 'B', 'c', sums);
}

template <int M, int N, int K, class T>
static void read_sums(const char *name, const char *sums)
{
	typedef wmma::fragment<wmma::accumulator, M, N, K, T> F;

	/* Both ways of loading fill the same registers, or the second line
	 * contradicts the first. */
	read_wmma<F, T, true>(name, 'C', 'r', sums);
	read_wmma<F, T, true>(name, 'C', 'c', sums);
}

template <int M, int N, int K> static void ask_wmma_shape(const char *shape)
{
	char name[40];
	auto of = [&](const char *type) {
		snprintf(name, sizeof(name), "wmma.%s.%s", shape, type);
		return name;
	};

	read_factors<M, N, K, half, half>(of("f16"), "f32");
	read_sums<M, N, K, float>(of("f16"), "f32");
	read_sums<M, N, K, half>(of("f16"), "f16");
	read_factors<M, N, K, __nv_bfloat16, __nv_bfloat16>(of("bf16"), "f32");
	read_sums<M, N, K, float>(of("bf16"), "f32");
	read_factors<M, N, K, signed char, signed char>(of("s8"), "s32");
	read_sums<M, N, K, int>(of("s8"), "s32");
	read_factors<M, N, K, unsigned char, unsigned char>(of("u8"), "s32");
	read_sums<M, N, K, int>(of("u8"), "s32");
}

static void ask_all_wmma(void)
{
	ask_wmma_shape<16, 16, 16>("m16n16k16");
	ask_wmma_shape<32, 8, 16>("m32n8k16");
	ask_wmma_shape<8, 32, 16>("m8n32k16");
	read_factors<16, 16, 8, wmma::precision::tf32, float>(
		"wmma.m16n16k8.tf32", "f32");
	read_sums<16, 16, 8, float>("wmma.m16n16k8.tf32", "f32");
	read_factors<8, 8, 4, double, double>("wmma.m8n8k4.f64", "f64");
	read_sums<8, 8, 4, double>("wmma.m8n8k4.f64", "f64");
}

/* ---- ldmatrix, stmatrix ---- */

#define MOVES(MOVE) \
	MOVE(x1, "x1", "", 1) MOVE(x2, "x2", "", 2) MOVE(x4, "x4", "", 4) \
	MOVE(x1t, "x1", ".trans", 1) MOVE(x2t, "x2", ".trans", 2) \
	MOVE(x4t, "x4", ".trans", 4)

#define LOADS_1(t) \
	asm volatile("ldmatrix.sync.aligned.m8n8" t ".shared.b16 {%0}, [%1];" \
		     : "=r"(r[0]) : "r"(row) : "memory")
#define LOADS_2(t) \
	asm volatile("ldmatrix.sync.aligned.m8n8" t ".shared.b16 {%0,%1}, " \
		     "[%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(row) : "memory")
#define LOADS_4(t) \
	asm volatile("ldmatrix.sync.aligned.m8n8" t ".shared.b16 " \
		     "{%0,%1,%2,%3}, [%4];" \
		     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) \
		     : "r"(row) : "memory")
#define STORES_1(t) \
	asm volatile("stmatrix.sync.aligned.m8n8" t ".shared.b16 [%0], {%1};" \
		     :: "r"(row), "r"(r[0]) : "memory")
#define STORES_2(t) \
	asm volatile("stmatrix.sync.aligned.m8n8" t ".shared.b16 [%0], " \
		     "{%1,%2};" :: "r"(row), "r"(r[0]), "r"(r[1]) : "memory")
#define STORES_4(t) \
	asm volatile("stmatrix.sync.aligned.m8n8" t ".shared.b16 [%0], " \
		     "{%1,%2,%3,%4};" :: "r"(row), "r"(r[0]), "r"(r[1]), \
		     "r"(r[2]), "r"(r[3]) : "memory")

/* 4 matrices of 8 rows of 8 numbers of 16 bits; lane 8m + r points to row r
 * of matrix m. */
#define TILE (4 * 64)

/* to: 8 numbers a lane, those of its registers */
#define MOVE(id, num, trans, count) \
	static __global__ void load_##id(uint16_t *to) \
	{ \
		__shared__ __align__(128) uint16_t tile[TILE]; \
		uint32_t r[4] = { 0, 0, 0, 0 }; \
		uint32_t row = (uint32_t)__cvta_generic_to_shared( \
			tile + threadIdx.x * 8); \
		for (int i = threadIdx.x; i < TILE; i += 32) \
			tile[i] = (uint16_t)i; \
		__syncwarp(); \
		LOADS_##count("." num trans); \
		for (int i = 0; i < 2 * count; i++) \
			to[threadIdx.x * 8 + i] = \
				(uint16_t)(r[i / 2] >> i % 2 * 16); \
	} \
	static __global__ void store_##id(uint16_t *to) \
	{ \
		__shared__ __align__(128) uint16_t tile[TILE]; \
		uint32_t r[4]; \
		uint32_t row = (uint32_t)__cvta_generic_to_shared( \
			tile + threadIdx.x * 8); \
		for (int i = 0; i < 4; i++) \
			r[i] = threadIdx.x * 8 + i * 2 + \
			       ((threadIdx.x * 8 + i * 2 + 1) << 16); \
		STORES_##count("." num trans); \
		__syncwarp(); \
		for (int i = threadIdx.x; i < TILE; i += 32) \
			to[i] = tile[i]; \
	}
MOVES(MOVE)
#undef MOVE

static place tile_place(int lane, int element, int at)
{
	return { lane, element, at / 64, at / 8 % 8, at % 8 };
}

static void ask_load(const char *name, void (*kernel)(uint16_t *), int count)
{
	shared_array<uint16_t> to(TILE);
	std::vector<place> places;

	kernel<<<1, 32>>>(to.data);
	finish();
	for (int lane = 0; lane < 32; lane++)
		for (int i = 0; i < 2 * count; i++)
			places.push_back(tile_place(lane, i,
						    to[lane * 8 + i]));
	print_layout(name, 'R', 'r', "f32", places);
}

static void ask_store(const char *name, void (*kernel)(uint16_t *), int count)
{
	shared_array<uint16_t> to(TILE);
	std::vector<place> places;

	kernel<<<1, 32>>>(to.data);
	finish();
	for (int at = 0; at < count * 64; at++)
		places.push_back(tile_place(to[at] / 8, to[at] % 8, at));
	print_layout(name, 'R', 'r', "f32", places);
}

static void ask_all_moves(void)
{
#define MOVE(id, num, trans, count) \
	ask_load("ldmatrix." num trans, load_##id, count); \
	ask_store("stmatrix." num trans, store_##id, count);
	MOVES(MOVE)
#undef MOVE
}

/* ---- wgmma ---- */

/* What the descriptor of a K-major tile says: where it begins, that its
 * groups of 8 rows are 8 * span bytes apart, and the swizzle. */
static __device__ uint64_t descriptor(const void *tile, int span)
{
	uint64_t at = __cvta_generic_to_shared(tile);
	uint64_t mode = span == 128 ? 1 : span == 64 ? 2 : 3;

	return (at & 0x3ffff) >> 4 | (uint64_t)1 << 16 |
	       (uint64_t)(8 * span >> 4) << 32 | mode << 62;
}

#define D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define D16(i) D4(i), D4(i + 4), D4(i + 8), D4(i + 12)

template <int N, class T> struct warpgroup;

#define WARPGROUP(T, type) \
	template <> struct warpgroup<16, T> { \
		static __device__ void run(float *d, const uint32_t *a, \
					   uint64_t b) \
		{ \
			asm volatile("wgmma.mma_async.sync.aligned.m64n16k16" \
				     ".f32." type "." type \
				     " {%0,%1,%2,%3,%4,%5,%6,%7}, " \
				     "{%8,%9,%10,%11}, %12, 1, 1, 1, 0;" \
				     : D4(0), D4(4) \
				     : "r"(a[0]), "r"(a[1]), "r"(a[2]), \
				       "r"(a[3]), "l"(b)); \
		} \
	}; \
	template <> struct warpgroup<64, T> { \
		static __device__ void run(float *d, const uint32_t *a, \
					   uint64_t b) \
		{ \
			asm volatile("wgmma.mma_async.sync.aligned.m64n64k16" \
				     ".f32." type "." type \
				     " {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10," \
				     "%11,%12,%13,%14,%15,%16,%17,%18,%19," \
				     "%20,%21,%22,%23,%24,%25,%26,%27,%28," \
				     "%29,%30,%31}, {%32,%33,%34,%35}, %36, " \
				     "1, 1, 1, 0;" \
				     : D16(0), D16(16) \
				     : "r"(a[0]), "r"(a[1]), "r"(a[2]), \
				       "r"(a[3]), "l"(b)); \
		} \
	};
WARPGROUP(half, "f16")
WARPGROUP(__nv_bfloat16, "bf16")

/*
 * A block, one warpgroup, a question. a: 8 elements a lane; b: N rows of
 * `span` bytes as they are to lie in shared memory; `slice` says which 16
 * values of k are multiplied.
 */
template <int N, class T>
__global__ void ask_wgmma(const float *a, const float *b, int span, int slice,
			  float *out)
{
	extern __shared__ __align__(1024) unsigned char tile[];
	T *to = (T *)tile;
	int count = N * span / 2;
	size_t thread = (size_t)blockIdx.x * 128 + threadIdx.x;
	uint32_t ra[4];
	float d[N / 2];

	for (int i = threadIdx.x; i < count; i += 128)
		to[i] = (T)b[(size_t)blockIdx.x * count + i];
	for (int i = 0; i < 4; i++)
		ra[i] = pack(std::is_same<T, half>::value ? F16 : BF16,
			     a + thread * 8 + i * 2);
	for (int i = 0; i < N / 2; i++)
		d[i] = 0;
	asm volatile("fence.proxy.async;" ::: "memory");
	__syncthreads();
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
	warpgroup<N, T>::run(d, ra, descriptor(tile + slice * 32, span));
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
	asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
	for (int i = 0; i < N / 2; i++)
		out[thread * (N / 2) + i] = d[i];
}

/* The ISA's figures: a warp has 16 rows, laid out like m16n8k16. */
static place isa_wgmma(int lane, int i, bool is_a)
{
	int group = lane % 32 / 4, thread = lane % 4;
	int row = lane / 32 * 16 + group + 8 * (i / 2 % 2);

	return { lane, i, 0, row, thread * 2 + i % 2 +
		 (is_a ? 8 * (i / 4) : i / 4 * 8) };
}

template <int N, class T> struct wgmma_probe {
	static constexpr int E = N / 2;		/* sums a lane */

	static void launch(int blocks, int span, int slice,
			   shared_array<float> &a, shared_array<float> &b,
			   shared_array<float> &d)
	{
		ask_wgmma<N, T><<<blocks, 128, N * span>>>(a.data, b.data,
							   span, slice,
							   d.data);
		finish();
	}

	/* Where an element of B is by the definition of the 32-byte swizzle:
	 * of 8 rows the last four have their halves exchanged. */
	static int in_tile(int n, int k)
	{
		return n * 16 + (k ^ (n & 4) << 1);
	}

	static void fill_b(float *b, float (*value)(int k, int n))
	{
		for (int n = 0; n < N; n++)
			for (int k = 0; k < 16; k++)
				b[in_tile(n, k)] = value(k, n);
	}

	/* One row of D has the same number all along: k + 1. */
	static bool decode(const float *d, place *p)
	{
		int found = 0, row = 0, sum = 0;

		for (int lane = 0; lane < 128; lane++)
			for (int i = 0; i < E; i++) {
				place q = isa_wgmma(lane, i, false);
				int x = (int)d[lane * E + i];

				if (!x)
					continue;
				if (found++ && (q.row != row || x != sum))
					return false;
				row = q.row;
				sum = x;
			}
		p->row = row;
		p->col = sum - 1;
		return found == N;
	}

	static void ask_a(const char *name)
	{
		int blocks = 128 * 8;
		shared_array<float> a((size_t)blocks * 128 * 8);
		shared_array<float> b((size_t)blocks * N * 16);
		shared_array<float> d((size_t)blocks * 128 * E);
		std::vector<place> places;

		for (int t = 0; t < blocks; t++) {
			a[(size_t)t * 128 * 8 + t] = 1;
			fill_b(&b[(size_t)t * N * 16],
			       [](int k, int) { return k + 1.f; });
		}
		launch(blocks, 32, 0, a, b, d);
		for (int t = 0; t < blocks; t++) {
			place p = { t / 8, t % 8, 0, 0, 0 };

			if (decode(&d[(size_t)t * 128 * E], &p))
				places.push_back(p);
			else
				not_found(name, 'A', t / 8, t % 8);
		}
		print_layout(name, 'A', 'r', "f32", places);
	}

	static void ask_d(const char *name)
	{
		shared_array<float> a(128 * 8), b(N * 16), d(128 * E);
		std::vector<place> places;

		for (int lane = 0; lane < 128; lane++)
			for (int i = 0; i < 8; i++) {
				place p = isa_wgmma(lane, i, true);

				a[lane * 8 + i] = p.col == 0 ? p.row :
						  p.col == 1;
			}
		fill_b(b.data, [](int k, int n) {
			return k == 0 ? (float)N : k == 1 ? (float)n : 0.f;
		});
		launch(1, 32, 0, a, b, d);
		for (int lane = 0; lane < 128; lane++)
			for (int i = 0; i < E; i++) {
				int sum = (int)d[lane * E + i];

				places.push_back({ lane, i, 0, sum / N,
						   sum % N });
			}
		print_layout(name, 'D', 'r', "f32", places);
	}

	/*
	 * A single 1 at each place of the tile, block t at byte 2 t; A has
	 * k + 1 in column k. Row 0 of D says then which element of B it is;
	 * it is in elements 0, 1, 4, 5, ... of lanes 0 to 3.
	 */
	static void ask_swizzle(int span)
	{
		int blocks = N * span / 2;
		shared_array<float> a((size_t)blocks * 128 * 8);
		shared_array<float> b((size_t)blocks * blocks);
		shared_array<float> d((size_t)blocks * 128 * E);
		std::vector<int> row((size_t)blocks, -1), byte(row);

		for (int t = 0; t < blocks; t++) {
			b[(size_t)t * blocks + t] = 1;
			for (int i = 0; i < 128 * 8; i++)
				a[(size_t)t * 128 * 8 + i] =
					isa_wgmma(i / 8, i % 8, true).col + 1;
		}
		for (int i = 0; i < span / 32 * blocks * N; i++) {
			int slice = i / N / blocks, t = i / N % blocks;
			int n = i % N, lane = n % 8 / 2;
			int e = n / 8 * 4 + n % 2, k;

			if (i % (blocks * N) == 0)
				launch(blocks, span, slice, a, b, d);
			k = (int)d[((size_t)t * 128 + lane) * E + e] - 1;
			if (k < 0)
				continue;
			row[t] = n;
			byte[t] = (slice * 16 + k) * 2;
		}
		printf("{\"swizzle\":%d,\"arch\":%d", span, arch);
		print_member("row", row);
		print_member("byte", byte);
		printf("}\n");
		fflush(stdout);
	}
};

static void ask_all_wgmma(void)
{
	wgmma_probe<16, half>::ask_a("wgmma.m64n16k16.f16");
	wgmma_probe<16, half>::ask_d("wgmma.m64n16k16.f16");
	wgmma_probe<64, half>::ask_d("wgmma.m64n64k16.f16");
	wgmma_probe<16, __nv_bfloat16>::ask_a("wgmma.m64n16k16.bf16");
	wgmma_probe<16, __nv_bfloat16>::ask_d("wgmma.m64n16k16.bf16");
	wgmma_probe<16, half>::ask_swizzle(32);
	wgmma_probe<16, half>::ask_swizzle(64);
	wgmma_probe<16, half>::ask_swizzle(128);
}

int main(void)
{
	cudaDeviceProp device;

	CHECK(cudaGetDeviceProperties(&device, 0));
	arch = device.major * 10 + device.minor;
	ask_all_moves();
	ask_all_wmma();
	ask_all_mma();
	ask_all_wgmma();
	return failed != 0;
}
