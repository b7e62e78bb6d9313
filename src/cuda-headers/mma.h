/*
 * mma: nvcuda::wmma for the host, in the layouts of sm_80 and newer. See
 * wmma.c, which does the work: each lane reads or writes its own elements, and
 * a warp's lanes meet to multiply.
 */
#ifndef MMA_H
#define MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

struct gemmviz_fragment {
	int m, n, k;
	char operand;
	const char *type;
};

extern "C" {
void gemmviz_wmma_fill(const gemmviz_fragment *f, void *x, const void *value,
		       void *here);
void gemmviz_wmma_load(const gemmviz_fragment *f, int columns, void *x,
		       const void *from, unsigned int pitch, void *here);
void gemmviz_wmma_store(const gemmviz_fragment *f, int columns, const void *x,
			void *to, unsigned int pitch, void *here);
void gemmviz_wmma_mma(const gemmviz_fragment *of, void *const *x, int saturate,
		      void *here);
}

namespace nvcuda {
namespace wmma {

namespace precision {
struct tf32;
}

enum layout_t { mem_row_major, mem_col_major };
struct row_major { enum { gemmviz_columns = 0 }; };
struct col_major { enum { gemmviz_columns = 1 }; };
struct matrix_a { enum { gemmviz_operand = 'A' }; };
struct matrix_b { enum { gemmviz_operand = 'B' }; };
struct accumulator { enum { gemmviz_operand = 'C' }; };

/*
 * The elements of factors or of sums: what they are kept as, what fragment.h
 * calls them, how many of them a lane has at least, and of which K, or which
 * other.
 */
template <class Use, class T> struct gemmviz_kind {
	typedef T stored;
	enum { least, k = 0, or_k = 0 };
};
#define GEMMVIZ_KIND(Use, T, kept_as, name, at_least, depth, or_depth) \
	template <> struct gemmviz_kind<Use, T> { \
		typedef kept_as stored; \
		static constexpr const char *type = name; \
		enum { least = at_least, k = depth, or_k = or_depth }; \
	};
#define GEMMVIZ_FACTORS(T, kept_as, name, least, k) \
	GEMMVIZ_KIND(matrix_a, T, kept_as, name, least, k, k) \
	GEMMVIZ_KIND(matrix_b, T, kept_as, name, least, k, k)
GEMMVIZ_FACTORS(__half, __half, "f16", 16, 16)
GEMMVIZ_FACTORS(__nv_bfloat16, __nv_bfloat16, "bf16", 0, 16)
GEMMVIZ_FACTORS(signed char, signed char, "s8", 0, 16)
GEMMVIZ_FACTORS(unsigned char, unsigned char, "u8", 0, 16)
GEMMVIZ_FACTORS(precision::tf32, float, "tf32", 0, 8)
GEMMVIZ_FACTORS(double, double, "f64", 0, 4)
GEMMVIZ_KIND(accumulator, float, float, "f32", 0, 16, 8)
GEMMVIZ_KIND(accumulator, __half, __half, "f16", 0, 16, 16)
GEMMVIZ_KIND(accumulator, int, int, "s32", 0, 16, 16)
GEMMVIZ_KIND(accumulator, double, double, "f64", 0, 4, 4)
#undef GEMMVIZ_FACTORS
#undef GEMMVIZ_KIND

constexpr int gemmviz_count(int elements, int least)
{
	return elements / 32 > least ? elements / 32 : least;
}

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
	typedef gemmviz_kind<Use, T> kind;
	static_assert((K == kind::k || K == kind::or_k) &&
		      (K == 16 ? M * N == 256 && M >= 8 && N >= 8 :
		       K == 8 ? M == 16 && N == 16 : M == 8 && N == 8),
		      "no fragments of this shape and type can be recorded on "
		      "the CPU");
	typedef T element_type;
	typedef typename kind::stored storage_element_type;
	enum { num_elements = gemmviz_count(
		Use::gemmviz_operand == 'A' ? M * K :
		Use::gemmviz_operand == 'B' ? K * N : M * N, kind::least) };

	storage_element_type x[num_elements];
};

#define GEMMVIZ_OF template <class Use, int M, int N, int K, class T, \
			     class Layout
#define GEMMVIZ_FRAGMENT fragment<Use, M, N, K, T, Layout>

GEMMVIZ_OF> GEMMVIZ_QUIET gemmviz_fragment
gemmviz_of(const GEMMVIZ_FRAGMENT &)
{
	return { M, N, K, Use::gemmviz_operand, gemmviz_kind<Use, T>::type };
}

/* A value as an element: reals of 16 bits are rounded as they are made. */
template <class T, class V> GEMMVIZ_QUIET void gemmviz_put(T &to, const V &v)
{ to = v; }
GEMMVIZ_QUIET void gemmviz_put(__half &to, const __half &v) { to.__x = v.__x; }
GEMMVIZ_QUIET void gemmviz_put(__half &to, const float &v)
{ to.__x = __half(v).__x; }
GEMMVIZ_QUIET void gemmviz_put(__nv_bfloat16 &to, const __nv_bfloat16 &v)
{ to.__x = v.__x; }
GEMMVIZ_QUIET void gemmviz_put(__nv_bfloat16 &to, const float &v)
{ to.__x = __nv_bfloat16(v).__x; }

GEMMVIZ_OF, class V> GEMMVIZ_QUIET void fill_fragment(GEMMVIZ_FRAGMENT &f,
						      const V &v)
{
	gemmviz_fragment of = gemmviz_of(f);
	typename GEMMVIZ_FRAGMENT::storage_element_type value;

	gemmviz_put(value, v);
	gemmviz_wmma_fill(&of, f.x, &value, GEMMVIZ_HERE);
}

GEMMVIZ_OF> GEMMVIZ_QUIET void load_matrix_sync(
	GEMMVIZ_FRAGMENT &f,
	const typename GEMMVIZ_FRAGMENT::storage_element_type *from,
	unsigned int pitch)
{
	gemmviz_fragment of = gemmviz_of(f);

	gemmviz_wmma_load(&of, Layout::gemmviz_columns, f.x, from, pitch,
			  GEMMVIZ_HERE);
}

template <int M, int N, int K, class T>
GEMMVIZ_QUIET void load_matrix_sync(fragment<accumulator, M, N, K, T> &f,
				    const T *from, unsigned int pitch,
				    layout_t layout)
{
	gemmviz_fragment of = gemmviz_of(f);

	gemmviz_wmma_load(&of, layout == mem_col_major, f.x, from, pitch,
			  GEMMVIZ_HERE);
}

template <int M, int N, int K, class T>
GEMMVIZ_QUIET void store_matrix_sync(T *to,
				     const fragment<accumulator, M, N, K, T> &f,
				     unsigned int pitch, layout_t layout)
{
	gemmviz_fragment of = gemmviz_of(f);

	gemmviz_wmma_store(&of, layout == mem_col_major, f.x, to, pitch,
			   GEMMVIZ_HERE);
}

template <int M, int N, int K, class T, class LayoutA, class LayoutB, class D,
	  class C>
GEMMVIZ_QUIET void mma_sync(fragment<accumulator, M, N, K, D> &d,
			    const fragment<matrix_a, M, N, K, T, LayoutA> &a,
			    const fragment<matrix_b, M, N, K, T, LayoutB> &b,
			    const fragment<accumulator, M, N, K, C> &c,
			    bool saturate = false)
{
	gemmviz_fragment of[4] = { gemmviz_of(a), gemmviz_of(b),
				   gemmviz_of(c), gemmviz_of(d) };
	void *x[4] = { (void *)a.x, (void *)b.x, (void *)c.x, d.x };

	gemmviz_wmma_mma(of, x, saturate, GEMMVIZ_HERE);
}

/* To 10 bits of fraction, to nearest, away from zero. */
GEMMVIZ_QUIET float __float_to_tf32(float v)
{
	unsigned int bits;

	__builtin_memcpy(&bits, &v, sizeof(bits));
	if ((bits & 0x7f800000) != 0x7f800000)
		bits = (bits + 0x1000) & ~0x1fffu;
	__builtin_memcpy(&v, &bits, sizeof(v));
	return v;
}

#undef GEMMVIZ_FRAGMENT
#undef GEMMVIZ_OF

}
}

#endif
