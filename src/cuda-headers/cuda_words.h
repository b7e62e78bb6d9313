/*
 * cuda_words: the words of CUDA for the host's C++ compiler, so that kernel
 * text is compiled unmodified and recorded. Included before the kernel's
 * first line; it is C++ and, like the kernels, compiled at -O0 with
 * -fsanitize=thread.
 *
 * Each CUDA thread is a fibre of one host thread. __shared__ variables become
 * thread_local ones, whose every access asks for their address; the recorder
 * answers with the block's shared memory. Helpers below must not show up in
 * a recording and are compiled without instrumentation (GEMMVIZ_QUIET); what
 * touches memory on the kernel's behalf is a macro, so that the access
 * belongs to the kernel's line.
 */
#ifndef CUDA_WORDS_H
#define CUDA_WORDS_H

#include <assert.h>
#include <fenv.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 131
#ifdef GEMMVIZ_ARCH
#define __CUDA_ARCH__ GEMMVIZ_ARCH
#else
#define __CUDA_ARCH__ 900
#endif
#define GEMMVIZ_BARE \
	__attribute__((unused, no_sanitize("thread"), no_sanitize_coverage))
#define GEMMVIZ_QUIET static inline GEMMVIZ_BARE

#ifdef GEMMVIZ_PROGRAM
/* Its host's calls lead to the recorder, which finds kernels by how they are
 * aligned: see launch_stub.h and module.h. */
#define __global__ \
	__attribute__((used, noipa, patchable_function_entry(24), aligned(32)))
#else
#define __global__ __attribute__((used))
#endif
#define __device__
#define __host__
#define __constant__
#ifdef GEMMVIZ_PROGRAM
/* In pages of its own, for the host's accesses to be seen: see host_race.h. */
#define __managed__ __attribute__((aligned(4096)))
#else
#define __managed__
#endif
#define __shared__ thread_local
#define __forceinline__ inline
/* Nothing is inlined; the standard library has a use of its own for it. */
#define __noinline__
#define __restrict__ __restrict
/* The recorder finds it in how many bytes the kernel begins with: see launch_stub.h.
 * g++ computes it, of a template's arguments, too. */
#if defined(GEMMVIZ_PROGRAM) && !defined(__SANITIZE_THREAD__)
template <unsigned int Threads, unsigned int...>
struct gemmviz_bounds { char bytes[24 + Threads]; };
#define __launch_bounds__(...) __attribute__((patchable_function_entry( \
	sizeof(gemmviz_bounds<__VA_ARGS__>))))
#else
#define __launch_bounds__(...)
#endif
#define __grid_constant__
/* The recorder finds it as the kernel's alignment, which g++ computes, of a
 * template's arguments too: see module.h. */
constexpr size_t gemmviz_cluster_align(unsigned int x, unsigned int y = 1,
				       unsigned int z = 1)
{ return y == 1 && z == 1 && x >= 1 && x <= 8 ? 16 << x : 16 << 9; }
#define __cluster_dims__(...) \
	__attribute__((aligned(gemmviz_cluster_align(__VA_ARGS__))))
/* Both may stand behind __shared__, where C++ takes no alignas; of which the
 * standard library has types to align to. */
template <size_t Bytes> constexpr size_t gemmviz_align() { return Bytes; }
template <class T> constexpr size_t gemmviz_align() { return alignof(T); }
#define __align__(n) __attribute__((aligned(n)))
#define alignas(n) __attribute__((aligned(gemmviz_align<n>())))

/* What is done for the kernel, and recorded, in the line that is returned to:
 * functions of the recorder's. */
extern "C" {
void gemmviz_load(const void *from, size_t bytes, void *here);
void gemmviz_store(void *to, size_t bytes, void *here);
void gemmviz_copy(void *to, const void *from, size_t bytes, void *here);
}
#define GEMMVIZ_HERE __builtin_return_address(0)

/* Built-in vectors. */
#define GEMMVIZ_VECTOR(name, type, align2, align4) \
	struct name##1 { type x; }; \
	struct alignas(align2) name##2 { type x, y; }; \
	struct name##3 { type x, y, z; }; \
	struct alignas(align4) name##4 { type x, y, z, w; }; \
	GEMMVIZ_QUIET name##1 make_##name##1(type x) { return { x }; } \
	GEMMVIZ_QUIET name##2 make_##name##2(type x, type y) \
	{ return { x, y }; } \
	GEMMVIZ_QUIET name##3 make_##name##3(type x, type y, type z) \
	{ return { x, y, z }; } \
	GEMMVIZ_QUIET name##4 make_##name##4(type x, type y, type z, type w) \
	{ return { x, y, z, w }; }
GEMMVIZ_VECTOR(char, signed char, 2, 4)
GEMMVIZ_VECTOR(uchar, unsigned char, 2, 4)
GEMMVIZ_VECTOR(short, short, 4, 8)
GEMMVIZ_VECTOR(ushort, unsigned short, 4, 8)
GEMMVIZ_VECTOR(int, int, 8, 16)
GEMMVIZ_VECTOR(uint, unsigned int, 8, 16)
GEMMVIZ_VECTOR(longlong, long long, 16, 16)
GEMMVIZ_VECTOR(ulonglong, unsigned long long, 16, 16)
GEMMVIZ_VECTOR(float, float, 8, 16)
GEMMVIZ_VECTOR(double, double, 16, 16)
#undef GEMMVIZ_VECTOR

struct dim3 {
	unsigned int x, y, z;
	GEMMVIZ_BARE dim3(unsigned int x = 1, unsigned int y = 1,
			  unsigned int z = 1) : x(x), y(y), z(z) {}
	GEMMVIZ_BARE dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

/* Who am I: kept by the recorder. Their reading is not recorded, since the
 * compiler leaves alone what is const and has no constructor. */
extern "C" {
extern const uint3 threadIdx, blockIdx, blockDim, gridDim;
}
static const int warpSize __attribute__((unused)) = 32;

/* Barriers, by the address they are called from. */
extern "C" void __syncthreads(void);
extern "C" void gemmviz_syncthreads(void *here);
/* Of other blocks', to all of which both fences show what was done before. */
extern "C" void __threadfence(void);
extern "C" void __threadfence_block(void);
extern "C" void gemmviz_system_scope(void);
#define __threadfence_system() (gemmviz_system_scope(), __threadfence())

/* What a warp does together: each lane waits for those of the mask. */
extern "C" {
void gemmviz_shuffle(const char *word, unsigned int mask, int how,
		     unsigned int by, unsigned int width, const void *mine,
		     void *theirs, size_t bytes, void *here);
unsigned int gemmviz_vote(const char *word, unsigned int mask, int value,
			  unsigned int *among, void *here);
void gemmviz_syncwarp(unsigned int mask, void *here);
}
#define GEMMVIZ_SHUFFLE(name, how, by_type) \
	template <class T> GEMMVIZ_QUIET T \
	name(unsigned int mask, T mine, by_type by, int width = 32) \
	{ \
		T theirs; \
		gemmviz_shuffle(#name, mask, how, by, width, &mine, \
				&theirs, sizeof(T), GEMMVIZ_HERE); \
		return theirs; \
	}
GEMMVIZ_SHUFFLE(__shfl_sync, 0, int)
GEMMVIZ_SHUFFLE(__shfl_up_sync, 1, unsigned int)
GEMMVIZ_SHUFFLE(__shfl_down_sync, 2, unsigned int)
GEMMVIZ_SHUFFLE(__shfl_xor_sync, 3, int)
#undef GEMMVIZ_SHUFFLE
#define GEMMVIZ_VOTE(type, name, result) \
	GEMMVIZ_QUIET type name(unsigned int mask, int predicate) \
	{ \
		unsigned int among = 0; \
		unsigned int ballot = gemmviz_vote(#name, mask, predicate, \
						   &among, GEMMVIZ_HERE); \
		return result; \
	}
GEMMVIZ_VOTE(unsigned int, __ballot_sync, ballot)
GEMMVIZ_VOTE(int, __any_sync, ballot != 0)
GEMMVIZ_VOTE(int, __all_sync, ballot == among)
#undef GEMMVIZ_VOTE
GEMMVIZ_QUIET unsigned int __activemask(void)
{
	unsigned int among = 0;
	gemmviz_vote("__activemask", 0, 1, &among, GEMMVIZ_HERE);
	return among;
}
GEMMVIZ_QUIET void __syncwarp(unsigned int mask = 0xffffffff)
{ gemmviz_syncwarp(mask, GEMMVIZ_HERE); }

/* Atomic operations: a load and a store, of what the expression makes of the
 * old value and v. */
extern "C" void gemmviz_atomic(void *at, size_t bytes, void *here);
extern "C" void gemmviz_atomic_cas(void *at, const void *compare, size_t bytes,
				   void *here);
#define GEMMVIZ_ATOMIC(name, type, result) \
	GEMMVIZ_QUIET type name(type *at, type v) \
	{ \
		gemmviz_atomic(at, sizeof(*at), GEMMVIZ_HERE); \
		type old = *at; \
		*at = result; \
		return old; \
	}
#define GEMMVIZ_ATOMIC_CAS(type) \
	GEMMVIZ_QUIET type atomicCAS(type *at, type compare, type v) \
	{ \
		gemmviz_atomic_cas(at, &compare, sizeof(*at), GEMMVIZ_HERE); \
		type old = *at; \
		*at = old == compare ? v : old; \
		return old; \
	}
#define GEMMVIZ_ATOMICS_COMPARED(type) \
	GEMMVIZ_ATOMIC(atomicMin, type, old < v ? old : v) \
	GEMMVIZ_ATOMIC(atomicMax, type, old > v ? old : v) \
	GEMMVIZ_ATOMIC(atomicAnd, type, old & v) \
	GEMMVIZ_ATOMIC(atomicOr, type, old | v) \
	GEMMVIZ_ATOMIC(atomicXor, type, old ^ v)
#define GEMMVIZ_ATOMICS(type) \
	GEMMVIZ_ATOMIC(atomicAdd, type, old + v) \
	GEMMVIZ_ATOMIC(atomicSub, type, old - v) \
	GEMMVIZ_ATOMIC(atomicExch, type, v) \
	GEMMVIZ_ATOMICS_COMPARED(type) \
	GEMMVIZ_ATOMIC_CAS(type)
/* Of each part for itself. */
#define GEMMVIZ_ATOMIC_PARTS(type) \
	GEMMVIZ_QUIET type atomicAdd(type *at, const type &v) \
	{ \
		gemmviz_load(&v, sizeof(v), (char *)GEMMVIZ_HERE - 1); \
		gemmviz_atomic(at, sizeof(*at), GEMMVIZ_HERE); \
		type old; \
		memcpy((void *)&old, (const void *)at, sizeof(old)); \
		float *to = &at->x; \
		const float *by = &v.x; \
		for (size_t i = 0; i < sizeof(old) / sizeof(*to); i++) \
			to[i] += by[i]; \
		return old; \
	}
GEMMVIZ_ATOMICS(int)
GEMMVIZ_ATOMICS(unsigned int)
GEMMVIZ_ATOMICS(unsigned long long)
GEMMVIZ_ATOMICS_COMPARED(long long)
GEMMVIZ_ATOMIC_CAS(unsigned short)
GEMMVIZ_ATOMIC(atomicAdd, float, old + v)
GEMMVIZ_ATOMIC(atomicExch, float, v)
GEMMVIZ_ATOMIC(atomicAdd, double, old + v)
GEMMVIZ_ATOMIC(atomicInc, unsigned int, old >= v ? 0 : old + 1)
GEMMVIZ_ATOMIC(atomicDec, unsigned int, old == 0 || old > v ? v : old - 1)
GEMMVIZ_ATOMIC_PARTS(float2)
GEMMVIZ_ATOMIC_PARTS(float4)
#undef GEMMVIZ_ATOMIC
#undef GEMMVIZ_ATOMIC_CAS
#undef GEMMVIZ_ATOMICS_COMPARED
#undef GEMMVIZ_ATOMICS
#undef GEMMVIZ_ATOMIC_PARTS

/* Blocks run one at a time, so that a wider scope changes nothing, but for what
 * is thought of the host. */
#define atomicAdd_system(...) \
	(gemmviz_system_scope(), atomicAdd(__VA_ARGS__))
#define atomicAdd_block atomicAdd
#define atomicSub_system(...) \
	(gemmviz_system_scope(), atomicSub(__VA_ARGS__))
#define atomicSub_block atomicSub
#define atomicExch_system(...) \
	(gemmviz_system_scope(), atomicExch(__VA_ARGS__))
#define atomicExch_block atomicExch
#define atomicMin_system(...) \
	(gemmviz_system_scope(), atomicMin(__VA_ARGS__))
#define atomicMin_block atomicMin
#define atomicMax_system(...) \
	(gemmviz_system_scope(), atomicMax(__VA_ARGS__))
#define atomicMax_block atomicMax
#define atomicAnd_system(...) \
	(gemmviz_system_scope(), atomicAnd(__VA_ARGS__))
#define atomicAnd_block atomicAnd
#define atomicOr_system(...) \
	(gemmviz_system_scope(), atomicOr(__VA_ARGS__))
#define atomicOr_block atomicOr
#define atomicXor_system(...) \
	(gemmviz_system_scope(), atomicXor(__VA_ARGS__))
#define atomicXor_block atomicXor
#define atomicCAS_system(...) \
	(gemmviz_system_scope(), atomicCAS(__VA_ARGS__))
#define atomicCAS_block atomicCAS
#define atomicInc_system(...) \
	(gemmviz_system_scope(), atomicInc(__VA_ARGS__))
#define atomicInc_block atomicInc
#define atomicDec_system(...) \
	(gemmviz_system_scope(), atomicDec(__VA_ARGS__))
#define atomicDec_block atomicDec

/* Loads and stores with a hint are plain ones here. */
#define __ldg(p) (*(p))
#define __ldcg(p) (*(p))
#define __ldca(p) (*(p))
#define __ldcs(p) (*(p))
#define __ldlu(p) (*(p))
#define __ldcv(p) (*(p))
#define __stcs(p, v) ((void)(*(p) = (v)))
#define __stcg(p, v) __stcs(p, v)
#define __stwb(p, v) __stcs(p, v)
#define __stwt(p, v) __stcs(p, v)

/* Arithmetic that C++ has under other names or not at all. */
#define GEMMVIZ_LEAST(type, a_type, b_type) \
	GEMMVIZ_QUIET type min(a_type a, b_type b) \
	{ return (type)a < (type)b ? (type)a : (type)b; } \
	GEMMVIZ_QUIET type max(a_type a, b_type b) \
	{ return (type)a > (type)b ? (type)a : (type)b; }
#define GEMMVIZ_LEASTS(type) \
	GEMMVIZ_LEAST(type, type, type) \
	GEMMVIZ_LEAST(unsigned type, unsigned type, unsigned type) \
	GEMMVIZ_LEAST(unsigned type, type, unsigned type) \
	GEMMVIZ_LEAST(unsigned type, unsigned type, type)
GEMMVIZ_LEASTS(int)
GEMMVIZ_LEASTS(long)
GEMMVIZ_LEASTS(long long)
#undef GEMMVIZ_LEASTS
#undef GEMMVIZ_LEAST
GEMMVIZ_QUIET float min(float a, float b) { return fminf(a, b); }
GEMMVIZ_QUIET float max(float a, float b) { return fmaxf(a, b); }
GEMMVIZ_QUIET double min(double a, double b) { return fmin(a, b); }
GEMMVIZ_QUIET double max(double a, double b) { return fmax(a, b); }
GEMMVIZ_QUIET float rsqrtf(float x) { return 1.0f / sqrtf(x); }
GEMMVIZ_QUIET double rsqrt(double x) { return 1.0 / sqrt(x); }
GEMMVIZ_QUIET float __fmaf_rn(float a, float b, float c)
{ return fmaf(a, b, c); }
GEMMVIZ_QUIET float __fadd_rn(float a, float b) { return a + b; }
GEMMVIZ_QUIET float __fsub_rn(float a, float b) { return a - b; }
GEMMVIZ_QUIET float __fdiv_rn(float a, float b) { return a / b; }
GEMMVIZ_QUIET float __frcp_rn(float a) { return 1.0f / a; }
GEMMVIZ_QUIET float __fsqrt_rn(float a) { return sqrtf(a); }
GEMMVIZ_QUIET double __fma_rn(double a, double b, double c)
{ return fma(a, b, c); }
GEMMVIZ_QUIET double __dadd_rn(double a, double b) { return a + b; }
GEMMVIZ_QUIET double __dmul_rn(double a, double b) { return a * b; }
GEMMVIZ_QUIET float __fmul_rn(float a, float b) { return a * b; }
/* Rounded down, up and to zero; operands that are volatile wait until it is
 * so. */
#define GEMMVIZ_ROUNDED(name, T, how, parameters, operands, value) \
	GEMMVIZ_QUIET T name parameters \
	{ \
		volatile T operands; \
		int was = fegetround(); \
		fesetround(how); \
		volatile T to = value; \
		fesetround(was); \
		return to; \
	}
#define GEMMVIZ_ROUND(f, fma_name, T, to, how, fma_of, sqrt_of) \
	GEMMVIZ_ROUNDED(__##f##add_##to, T, how, (T a, T b), \
			x = a GEMMVIZ_AND y = b, x + y) \
	GEMMVIZ_ROUNDED(__##f##sub_##to, T, how, (T a, T b), \
			x = a GEMMVIZ_AND y = b, x - y) \
	GEMMVIZ_ROUNDED(__##f##mul_##to, T, how, (T a, T b), \
			x = a GEMMVIZ_AND y = b, x * y) \
	GEMMVIZ_ROUNDED(__##f##div_##to, T, how, (T a, T b), \
			x = a GEMMVIZ_AND y = b, x / y) \
	GEMMVIZ_ROUNDED(__##f##rcp_##to, T, how, (T a), x = a, 1 / x) \
	GEMMVIZ_ROUNDED(__##f##sqrt_##to, T, how, (T a), x = a, sqrt_of(x)) \
	GEMMVIZ_ROUNDED(fma_name##_##to, T, how, (T a, T b, T c), \
			x = a GEMMVIZ_AND y = b GEMMVIZ_AND z = c, \
			fma_of(x, y, z))
#define GEMMVIZ_AND ,
#define GEMMVIZ_ROUNDS(to, how) \
	GEMMVIZ_ROUND(f, __fmaf, float, to, how, fmaf, sqrtf) \
	GEMMVIZ_ROUND(d, __fma, double, to, how, fma, sqrt)
GEMMVIZ_ROUNDS(rd, FE_DOWNWARD)
GEMMVIZ_ROUNDS(ru, FE_UPWARD)
GEMMVIZ_ROUNDS(rz, FE_TOWARDZERO)
#undef GEMMVIZ_ROUNDS
#undef GEMMVIZ_ROUND
#undef GEMMVIZ_ROUNDED
#undef GEMMVIZ_AND
/* By a multiplication: the reciprocal of more than 2^126 is 0 (CUDA C++
 * Programming Guide, intrinsic functions). */
GEMMVIZ_QUIET float __fdividef(float a, float b)
{
	return fabsf(b) > 0x1p126f && !__builtin_isinf(b) ?
	       a * copysignf(0.0f, b) : a / b;
}
#define __expf(x) expf(x)
GEMMVIZ_QUIET float __int_as_float(int x)
{ float f; memcpy(&f, &x, sizeof(f)); return f; }
GEMMVIZ_QUIET int __float_as_int(float f)
{ int x; memcpy(&x, &f, sizeof(x)); return x; }
GEMMVIZ_QUIET float __uint_as_float(unsigned int x)
{ return __int_as_float((int)x); }
GEMMVIZ_QUIET unsigned int __float_as_uint(float f)
{ return (unsigned int)__float_as_int(f); }
GEMMVIZ_QUIET int __popc(unsigned int x) { return __builtin_popcount(x); }
GEMMVIZ_QUIET int __clz(int x)
{ return x ? __builtin_clz((unsigned int)x) : 32; }
GEMMVIZ_QUIET int __ffs(int x) { return __builtin_ffs(x); }
GEMMVIZ_QUIET int __clzll(long long x)
{ return x ? __builtin_clzll((unsigned long long)x) : 64; }
GEMMVIZ_QUIET int __popcll(unsigned long long x)
{ return __builtin_popcountll(x); }
GEMMVIZ_QUIET int __ffsll(long long x) { return __builtin_ffsll(x); }
/* Of the low 24 bits of each. */
GEMMVIZ_QUIET int __mul24(int a, int b)
{ return (int)((unsigned int)(a << 8 >> 8) * (unsigned int)(b << 8 >> 8)); }
GEMMVIZ_QUIET unsigned int __umul24(unsigned int a, unsigned int b)
{ return (a & 0xffffff) * (b & 0xffffff); }
GEMMVIZ_QUIET int __mulhi(int a, int b)
{ return (int)((long long)a * b >> 32); }
GEMMVIZ_QUIET unsigned int __umulhi(unsigned int a, unsigned int b)
{ return (unsigned int)((unsigned long long)a * b >> 32); }

/* Four products of bytes, and a sum. */
template <class Byte, class T> GEMMVIZ_QUIET T gemmviz_dp4a(T a, T b, T sum)
{
	for (int i = 0; i < 4; i++)
		sum += (Byte)(a >> 8 * i) * (Byte)(b >> 8 * i);
	return sum;
}
GEMMVIZ_QUIET int __dp4a(int a, int b, int c)
{ return gemmviz_dp4a<signed char>(a, b, c); }
GEMMVIZ_QUIET unsigned int __dp4a(unsigned int a, unsigned int b,
				  unsigned int c)
{ return gemmviz_dp4a<unsigned char>(a, b, c); }
#define GEMMVIZ_DP4A(name, type) \
	GEMMVIZ_QUIET type __dp4a(const name &a, const name &b, type c) \
	{ \
		type x, y; \
		gemmviz_load(&a, sizeof(a), (char *)GEMMVIZ_HERE - 1); \
		gemmviz_load(&b, sizeof(b), GEMMVIZ_HERE); \
		memcpy(&x, &a, sizeof(x)); \
		memcpy(&y, &b, sizeof(y)); \
		return __dp4a(x, y, c); \
	}
GEMMVIZ_DP4A(char4, int)
GEMMVIZ_DP4A(uchar4, unsigned int)
#undef GEMMVIZ_DP4A

/* An address of shared memory as its instructions have it. */
extern "C" unsigned int gemmviz_shared_address(const void *p);
GEMMVIZ_QUIET size_t __cvta_generic_to_shared(const void *p)
{ return gemmviz_shared_address(p); }
#define GEMMVIZ_SAME(space) \
	GEMMVIZ_QUIET size_t __cvta_generic_to_##space(const void *p) \
	{ return (size_t)p; } \
	GEMMVIZ_QUIET void *__cvta_##space##_to_generic(size_t address) \
	{ return (void *)address; }
GEMMVIZ_SAME(global)
GEMMVIZ_SAME(local)
GEMMVIZ_SAME(constant)
GEMMVIZ_SAME(grid_constant)
#undef GEMMVIZ_SAME

/* Which memory an address is in: trace.h numbers them. */
extern "C" int gemmviz_space(const void *p);
GEMMVIZ_QUIET unsigned int __isGlobal(const void *p)
{ return gemmviz_space(p) == 0; }
GEMMVIZ_QUIET unsigned int __isShared(const void *p)
{ return gemmviz_space(p) == 1; }
GEMMVIZ_QUIET unsigned int __isLocal(const void *p)
{ return gemmviz_space(p) == 2; }
GEMMVIZ_QUIET unsigned int __isConstant(const void *p)
{ return gemmviz_space(p) == 3; }

/* An asm statement: see asm_text.h and asm_text.c. */
struct gemmviz_operand_of_asm {
	const void *at;
	unsigned int bytes;
	unsigned long long value;	/* of an address */
};
extern "C" void gemmviz_asm_run(const char *text,
				const gemmviz_operand_of_asm *operands,
				size_t count, void *here);
struct gemmviz_asm {
	const char *text;
	size_t count;
	gemmviz_operand_of_asm operands[48];

	GEMMVIZ_BARE gemmviz_asm(const char *ptx) : text(ptx), count(0) {}
	GEMMVIZ_BARE gemmviz_asm &add(const void *at, size_t bytes)
	{
		if (count < sizeof(operands) / sizeof(*operands))
			operands[count++] = { at, (unsigned int)bytes, 0 };
		return *this;
	}
	template <class T> GEMMVIZ_BARE gemmviz_asm &out(const char *, T &x)
	{ return add(&x, sizeof(x)); }
	template <class T> GEMMVIZ_BARE gemmviz_asm &in(const char *,
							const T &x)
	{ return add(&x, sizeof(x)); }
	template <class T, size_t N>
	GEMMVIZ_BARE gemmviz_asm &in(const char *, const T (&x)[N])
	{
		gemmviz_operand_of_asm &o = operands[count];

		add(&o.value, sizeof(o.value));
		o.value = (unsigned long long)&x;
		return *this;
	}
	GEMMVIZ_BARE void run()
	{ gemmviz_asm_run(text, operands, count, GEMMVIZ_HERE); }
};

/* Ends the thread, as a failed assert() does. */
extern "C" void gemmviz_trap(void *here);
GEMMVIZ_QUIET void __trap(void)
{ gemmviz_trap(GEMMVIZ_HERE); }
GEMMVIZ_QUIET void __builtin_assume(bool) {}
GEMMVIZ_QUIET void __nanosleep(unsigned int) {}
/* A launch begins when those before it have ended. */
GEMMVIZ_QUIET void cudaGridDependencySynchronize() {}
GEMMVIZ_QUIET void cudaTriggerProgrammaticLaunchCompletion() {}

#include "gemmviz_numbers.h"
#include "gemmviz_warp.h"

#ifdef GEMMVIZ_PROGRAM
/* What the compiler's own start files would define. */
extern "C" {
__attribute__((weak, visibility("hidden"))) void *__dso_handle;
}
#include "gemmviz_runtime.h"
/* As cuda_runtime.h does. */
#include <utility>
#endif

#ifdef __SANITIZE_THREAD__
/* nvcc makes loops of a kernel's memset() and memcpy(). What is included from
 * here on, but is ours, says __builtin_memcpy(). */
#include <cstring>
extern "C" {
void *gemmviz_memset(void *to, int byte, size_t bytes);
void *gemmviz_memcpy(void *to, const void *from, size_t bytes);
}
/* A kernel's printf() returns the number of its arguments. */
#include <cstdio>
template <class... A>
GEMMVIZ_QUIET int gemmviz_printf(const char *format, A... arguments)
{ return printf(format, arguments...) < 0 ? -1 : (int)sizeof...(arguments); }
namespace std {
using ::gemmviz_memset;
using ::gemmviz_memcpy;
using ::gemmviz_printf;
}
#define memset gemmviz_memset
#define memcpy gemmviz_memcpy
#define printf(...) gemmviz_printf(__VA_ARGS__)

/* Rounding to whole numbers saturates, as a conversion does. */
#define GEMMVIZ_ROUNDS(name, type, double_name, float_name) \
	GEMMVIZ_QUIET type gemmviz_##name(double x) \
	{ return __double2ll_rn(double_name(x)); } \
	GEMMVIZ_QUIET type gemmviz_##name(float x) \
	{ return __float2ll_rn(float_name(x)); } \
	GEMMVIZ_QUIET type gemmviz_##name##f(float x) \
	{ return __float2ll_rn(float_name(x)); } \
	namespace std { \
	using ::gemmviz_##name; \
	using ::gemmviz_##name##f; \
	}
GEMMVIZ_ROUNDS(lrint, long, rint, rintf)
GEMMVIZ_ROUNDS(llrint, long long, rint, rintf)
GEMMVIZ_ROUNDS(lround, long, round, roundf)
GEMMVIZ_ROUNDS(llround, long long, round, roundf)
#undef GEMMVIZ_ROUNDS
#define lrint(x) gemmviz_lrint(x)
#define lrintf(x) gemmviz_lrintf(x)
#define llrint(x) gemmviz_llrint(x)
#define llrintf(x) gemmviz_llrintf(x)
#define lround(x) gemmviz_lround(x)
#define lroundf(x) gemmviz_lroundf(x)
#define llround(x) gemmviz_llround(x)
#define llroundf(x) gemmviz_llroundf(x)

/* Bessel functions of orders from 2 have no value at 0 on a GPU. */
GEMMVIZ_QUIET float gemmviz_jnf(int n, float x)
{ return n >= 2 && x == 0 ? NAN : jnf(n, x); }
GEMMVIZ_QUIET double gemmviz_jn(int n, double x)
{ return n >= 2 && x == 0 ? NAN : jn(n, x); }
#define jnf(n, x) gemmviz_jnf(n, x)
#define jn(n, x) gemmviz_jn(n, x)
#endif

#endif
