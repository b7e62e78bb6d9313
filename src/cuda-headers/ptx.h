/*
 * ptx: the functions of src/kernels/ptx.h for the host. What they do to
 * memory, and to the registers of the kernel's that they are given, is
 * recorded in the line that they return to.
 */
#ifndef PTX_H
#define PTX_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

extern "C" {
void gemmviz_ldmatrix(int trans, unsigned int *r, const void *row, void *here);
void gemmviz_stmatrix(int trans, unsigned int count, void *row,
		      const unsigned int *r, void *here);
void gemmviz_mma(float *d, const unsigned int *a, const unsigned int *b,
		 int bf16, void *here);
}

GEMMVIZ_QUIET unsigned int shared_address(const void *p)
{ return gemmviz_shared_address(p); }

GEMMVIZ_QUIET void ldmatrix_x4(unsigned int (&r)[4], const void *row)
{ gemmviz_ldmatrix(0, r, row, GEMMVIZ_HERE); }
GEMMVIZ_QUIET void ldmatrix_x4_trans(unsigned int (&r)[4], const void *row)
{ gemmviz_ldmatrix(1, r, row, GEMMVIZ_HERE); }
GEMMVIZ_QUIET void stmatrix_x4(void *row, const unsigned int (&r)[4])
{ gemmviz_stmatrix(0, 4, row, r, GEMMVIZ_HERE); }
GEMMVIZ_QUIET void stmatrix_x2_trans(void *row, const unsigned int (&r)[2])
{ gemmviz_stmatrix(1, 2, row, r, GEMMVIZ_HERE); }

GEMMVIZ_QUIET void mma_m16n8k16(float (&d)[4], const unsigned int (&a)[4],
				const unsigned int *b, const __half &)
{ gemmviz_mma(d, a, b, 0, GEMMVIZ_HERE); }
GEMMVIZ_QUIET void mma_m16n8k16(float (&d)[4], const unsigned int (&a)[4],
				const unsigned int *b, const __nv_bfloat16 &)
{ gemmviz_mma(d, a, b, 1, GEMMVIZ_HERE); }

/* ---- barriers ---- */

extern "C" {
void gemmviz_bar_sync(int id, int threads, void *here);
unsigned int gemmviz_cluster_rank(void);
void gemmviz_cluster_arrive(void *here);
void gemmviz_cluster_wait(void *here);
void gemmviz_cluster_store(void *to, unsigned int rank, const void *v,
			   void *here);
void gemmviz_mbarrier_init(void *b, unsigned int arrivals, void *here);
unsigned int gemmviz_mbarrier_arrive(void *b, unsigned int rank,
				     unsigned int bytes, void *here);
void gemmviz_mbarrier_wait(void *b, unsigned int parity, void *here);
void gemmviz_fence_mbarriers(void);
}

GEMMVIZ_QUIET void bar_sync(int id, int threads)
{ gemmviz_bar_sync(id, threads, GEMMVIZ_HERE); }

/* The host's stacks are as large as they are. */
template <int Registers> GEMMVIZ_QUIET void setmaxnreg_dec() {}
template <int Registers> GEMMVIZ_QUIET void setmaxnreg_inc() {}

GEMMVIZ_QUIET unsigned int cluster_ctarank() { return gemmviz_cluster_rank(); }
GEMMVIZ_QUIET void cluster_arrive() { gemmviz_cluster_arrive(GEMMVIZ_HERE); }
GEMMVIZ_QUIET void cluster_wait() { gemmviz_cluster_wait(GEMMVIZ_HERE); }

GEMMVIZ_QUIET void st_shared_cluster(float4 *to, unsigned int rank, float4 v)
{ gemmviz_cluster_store(to, rank, &v, GEMMVIZ_HERE); }

struct mbarrier {
	unsigned long long state;
};

GEMMVIZ_QUIET void mbarrier_init(mbarrier *b, unsigned int arrivals)
{ gemmviz_mbarrier_init(b, arrivals, GEMMVIZ_HERE); }
GEMMVIZ_QUIET void fence_mbarrier_init() { gemmviz_fence_mbarriers(); }
GEMMVIZ_QUIET void mbarrier_arrive(mbarrier *b)
{ gemmviz_mbarrier_arrive(b, 0xffffffff, 0, GEMMVIZ_HERE); }
GEMMVIZ_QUIET void mbarrier_arrive_cluster(mbarrier *b, unsigned int rank)
{ gemmviz_mbarrier_arrive(b, rank, 0, GEMMVIZ_HERE); }
GEMMVIZ_QUIET void mbarrier_arrive_expect_tx(mbarrier *b, unsigned int bytes)
{ gemmviz_mbarrier_arrive(b, 0xffffffff, bytes, GEMMVIZ_HERE); }
GEMMVIZ_QUIET void mbarrier_wait_parity(mbarrier *b, unsigned int parity)
{ gemmviz_mbarrier_wait(b, parity, GEMMVIZ_HERE); }

/* ---- TMA ---- */

/* As tma.c has it. */
struct gemmviz_box {
	const void *matrix;
	unsigned int rows, columns, swizzle, element;
	int row, column;
};

extern "C" {
void gemmviz_tma_load(void *to, const gemmviz_box *box, void *b,
		      unsigned int blocks, void *here);
void gemmviz_tma_store(const gemmviz_box *box, const void *from, void *here);
void gemmviz_bulk_commit(void);
void gemmviz_bulk_wait(unsigned int but, void *here);
void gemmviz_fence_async(void);
}

/* Its copying is a function, so that it is passed by its address. */
template <class T, int Rows, int Columns, int Swizzle = 128>
struct alignas(64) tensor_map {
	const void *gemmviz_matrix;
	unsigned char bytes[120];

	tensor_map() = default;
	GEMMVIZ_BARE tensor_map(const tensor_map &o)
		: gemmviz_matrix(o.gemmviz_matrix) {}
	GEMMVIZ_BARE gemmviz_box gemmviz_at(int row, int column) const
	{
		return { gemmviz_matrix, Rows, Columns, Swizzle, sizeof(T),
			 row, column };
	}
};

#define GEMMVIZ_MAP template <class T, int Rows, int Columns, int Swizzle> \
	GEMMVIZ_QUIET void
#define GEMMVIZ_MAP_OF tensor_map<T, Rows, Columns, Swizzle>

GEMMVIZ_MAP prefetch_tensormap(const GEMMVIZ_MAP_OF &) {}
GEMMVIZ_MAP tma_load(T *to, const GEMMVIZ_MAP_OF &map, int row, int column,
		     mbarrier *b)
{
	gemmviz_box box = map.gemmviz_at(row, column);
	gemmviz_tma_load(to, &box, b, 0, GEMMVIZ_HERE);
}
GEMMVIZ_MAP tma_load_multicast(T *to, const GEMMVIZ_MAP_OF &map, int row,
			       int column, mbarrier *b, unsigned short blocks)
{
	gemmviz_box box = map.gemmviz_at(row, column);
	gemmviz_tma_load(to, &box, b, blocks, GEMMVIZ_HERE);
}
GEMMVIZ_MAP tma_store(const GEMMVIZ_MAP_OF &map, int row, int column,
		      const T *from)
{
	gemmviz_box box = map.gemmviz_at(row, column);
	gemmviz_tma_store(&box, from, GEMMVIZ_HERE);
}
#undef GEMMVIZ_MAP
#undef GEMMVIZ_MAP_OF

GEMMVIZ_QUIET void cp_async_bulk_commit_group() { gemmviz_bulk_commit(); }
template <int Groups> GEMMVIZ_QUIET void cp_async_bulk_wait_group_read()
{ gemmviz_bulk_wait(Groups, GEMMVIZ_HERE); }
GEMMVIZ_QUIET void fence_proxy_async() { gemmviz_fence_async(); }

/* ---- launches: here each begins when the one before has ended ---- */

GEMMVIZ_QUIET void griddepcontrol_wait() {}
GEMMVIZ_QUIET void griddepcontrol_launch_dependents() {}

/* ---- wgmma ---- */

enum major { K_MAJOR, MN_MAJOR };

/* As wgmma.c has it. */
struct gemmviz_operand {
	const void *at;
	unsigned int next, columns;
};

template <class T, enum major Major> struct wgmma_operand {
	gemmviz_operand gemmviz_of;
};

template <class T> GEMMVIZ_QUIET wgmma_operand<T, K_MAJOR> k_major(const T *at)
{ return { { at, 0, 0 } }; }
template <int Columns = 64, class T> GEMMVIZ_QUIET wgmma_operand<T, MN_MAJOR>
mn_major(const T *at, unsigned int next)
{ return { { at, next, Columns } }; }

extern "C" {
void gemmviz_wgmma(float *d, unsigned int columns, const gemmviz_operand *a,
		   const gemmviz_operand *b, int add, int bf16, void *here);
void gemmviz_wgmma_fence(void);
void gemmviz_wgmma_commit(void);
void gemmviz_wgmma_wait(unsigned int but, void *here);
}

GEMMVIZ_QUIET void wgmma_fence() { gemmviz_wgmma_fence(); }
GEMMVIZ_QUIET void wgmma_commit_group() { gemmviz_wgmma_commit(); }
template <int Groups> GEMMVIZ_QUIET void wgmma_wait_group()
{ gemmviz_wgmma_wait(Groups, GEMMVIZ_HERE); }

#define GEMMVIZ_WGMMA(type, bf16) \
	template <int N8, enum major MajorA, enum major MajorB> \
	GEMMVIZ_QUIET void wgmma(float (&d)[N8][4], \
				 const wgmma_operand<type, MajorA> &a, \
				 const wgmma_operand<type, MajorB> &b, int add) \
	{ \
		gemmviz_wgmma(&d[0][0], N8 * 8, &a.gemmviz_of, &b.gemmviz_of, \
			      add, bf16, GEMMVIZ_HERE); \
	}
GEMMVIZ_WGMMA(__half, 0)
GEMMVIZ_WGMMA(__nv_bfloat16, 1)
#undef GEMMVIZ_WGMMA

#endif
