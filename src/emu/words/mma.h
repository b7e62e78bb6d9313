/*
 * mma: nvcuda::wmma for the host, fragments of 16x16x16. The layouts are those
 * of mma.m16n8k16, as they are on sm_90; see mma.c, which does the work: a
 * warp's lanes meet, and each reads or writes its own elements.
 */
#ifndef MMA_H
#define MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

extern "C" {
void gemmviz_wmma_load(int use, int columns, void *x, const void *from,
		       unsigned int pitch, size_t bytes, void *here);
void gemmviz_wmma_store(int columns, const void *x, void *to,
			unsigned int pitch, size_t bytes, void *here);
void gemmviz_wmma_mma(float *d, const float *a, const float *b, const float *c,
		      void *here);
}

GEMMVIZ_QUIET double gemmviz_value(const float &a) { return a; }
GEMMVIZ_QUIET void gemmviz_put(float &to, float v) { to = v; }
GEMMVIZ_QUIET void gemmviz_put(__half &to, float v) { to.__x = __half(v).__x; }
GEMMVIZ_QUIET void gemmviz_put(__nv_bfloat16 &to, float v)
{ to.__x = __nv_bfloat16(v).__x; }

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major { enum { gemmviz_columns = 0 }; };
struct col_major { enum { gemmviz_columns = 1 }; };
struct matrix_a { enum { gemmviz_use = 0, gemmviz_count = 16 }; };
struct matrix_b { enum { gemmviz_use = 1, gemmviz_count = 16 }; };
struct accumulator { enum { gemmviz_use = 2, gemmviz_count = 8 }; };

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
	static_assert(M == 16 && N == 16 && K == 16,
		      "only fragments of 16x16x16 can be recorded on the CPU");
	enum { num_elements = Use::gemmviz_count };
	T x[num_elements];
};

#define GEMMVIZ_FRAGMENT fragment<Use, M, N, K, T, Layout>
#define GEMMVIZ_OF template <class Use, int M, int N, int K, class T, \
			     class Layout>

template <class Use, int M, int N, int K, class T, class Layout, class V>
GEMMVIZ_QUIET void fill_fragment(GEMMVIZ_FRAGMENT &f, const V &v)
{
	for (int i = 0; i < f.num_elements; ++i)
		gemmviz_put(f.x[i], (float)gemmviz_value(v));
}

GEMMVIZ_OF GEMMVIZ_QUIET void load_matrix_sync(GEMMVIZ_FRAGMENT &f,
					       const T *from,
					       unsigned int pitch)
{
	gemmviz_wmma_load(Use::gemmviz_use, Layout::gemmviz_columns, f.x,
			  from, pitch, sizeof(T), GEMMVIZ_HERE);
}

template <int M, int N, int K, class T>
GEMMVIZ_QUIET void load_matrix_sync(fragment<accumulator, M, N, K, T> &f,
				    const T *from, unsigned int pitch,
				    layout_t layout)
{
	gemmviz_wmma_load(accumulator::gemmviz_use, layout == mem_col_major,
			  f.x, from, pitch, sizeof(T), GEMMVIZ_HERE);
}

template <int M, int N, int K, class T>
GEMMVIZ_QUIET void store_matrix_sync(T *to,
				     const fragment<accumulator, M, N, K, T> &f,
				     unsigned int pitch, layout_t layout)
{
	gemmviz_wmma_store(layout == mem_col_major, f.x, to, pitch, sizeof(T),
			   GEMMVIZ_HERE);
}

template <int M, int N, int K, class T, class LayoutA, class LayoutB, class D,
	  class C>
GEMMVIZ_QUIET void mma_sync(fragment<accumulator, M, N, K, D> &d,
			    const fragment<matrix_a, M, N, K, T, LayoutA> &a,
			    const fragment<matrix_b, M, N, K, T, LayoutB> &b,
			    const fragment<accumulator, M, N, K, C> &c)
{
	float x[4][8];

	for (int i = 0; i < 8; ++i) {
		x[1][i] = (float)gemmviz_value(a.x[i]);
		x[2][i] = (float)gemmviz_value(b.x[i]);
		x[3][i] = (float)gemmviz_value(c.x[i]);
	}
	gemmviz_wmma_mma(x[0], x[1], x[2], x[3], GEMMVIZ_HERE);
	for (int i = 0; i < 8; ++i)
		gemmviz_put(d.x[i], x[0][i]);
}

#undef GEMMVIZ_FRAGMENT
#undef GEMMVIZ_OF

}
}

#endif
