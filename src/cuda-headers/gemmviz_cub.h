/*
 * gemmviz_cub: CUB's blocks and warps, by the algorithms that are CUB's defaults:
 * the same values in the same order, and the accesses of the same words of
 * shared memory that nvcc has there (block_reduce_warp_reductions.cuh,
 * block_scan_raking.cuh, warp_reduce_shfl.cuh, warp_scan_shfl.cuh of CUDA 13.0).
 * All that they do belongs to the line that calls them.
 */
#ifndef GEMMVIZ_CUB_H
#define GEMMVIZ_CUB_H

namespace cub {

#define GEMMVIZ_OPERATION(name, result) \
	struct name { \
		template <class T> GEMMVIZ_BARE T \
		operator()(const T &a, const T &b) const \
		{ return result; } \
	};
GEMMVIZ_OPERATION(Sum, a + b)
GEMMVIZ_OPERATION(Max, a < b ? b : a)
GEMMVIZ_OPERATION(Min, b < a ? b : a)
#undef GEMMVIZ_OPERATION
struct Equality {
	template <class T> GEMMVIZ_BARE bool
	operator()(const T &a, const T &b) const
	{ return a == b; }
};

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
			    BLOCK_REDUCE_RAKING,
			    BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE,
			  BLOCK_SCAN_WARP_SCANS };

GEMMVIZ_QUIET int gemmviz_rank()
{
	return (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x +
		     threadIdx.x);
}

/* Memory on behalf of the line `here`, in words as wide as a type's alignment. */
template <class T> GEMMVIZ_QUIET T gemmviz_get(const T *p, void *here)
{
	const size_t step = alignof(T) < 16 ? alignof(T) : 16;
	T v;

	for (size_t i = 0; i < sizeof(T); i += step) {
		gemmviz_load((const char *)p + i, step, here);
		__builtin_memcpy((char *)&v + i, (const char *)p + i, step);
	}
	return v;
}
template <class T> GEMMVIZ_QUIET void gemmviz_put(T *p, const T &v, void *here)
{
	const size_t step = alignof(T) < 16 ? alignof(T) : 16;

	for (size_t i = 0; i < sizeof(T); i += step) {
		gemmviz_store((char *)p + i, step, here);
		__builtin_memcpy((char *)p + i, (const char *)&v + i, step);
	}
}

/* ---- warps: `Lanes` of them, of which `valid` have a value ---- */

template <int Lanes> struct gemmviz_warp {
	static_assert(Lanes >= 1 && Lanes <= 32 && !(Lanes & (Lanes - 1)),
		      "a power of two of lanes can be recorded on the CPU");

	GEMMVIZ_BARE static unsigned int mask(int first)
	{ return 0xffffffffu >> (32 - Lanes) << first; }
	GEMMVIZ_BARE static int lane() { return gemmviz_rank() % Lanes; }
	/* The lanes of this one that the block has. */
	GEMMVIZ_BARE static unsigned int here_mask()
	{
		int first = gemmviz_rank() % 32 / Lanes * Lanes;
		int left = (int)(blockDim.x * blockDim.y * blockDim.z) -
			   gemmviz_rank() / 32 * 32;

		return mask(first) & (left >= 32 ? 0xffffffffu :
				      (1u << left) - 1);
	}
	template <class T, class F> GEMMVIZ_BARE static T
	reduce(T v, F f, int valid, void *here)
	{
		unsigned int among = here_mask();

		for (int by = 1; by < Lanes; by *= 2) {
			T other;

			gemmviz_shuffle("__shfl_down_sync", among, 2, by,
					Lanes, &v, &other, sizeof(v), here);
			if (lane() + by < valid)
				v = f(v, other);
		}
		return v;
	}
	/* Up to each lane, itself among them. */
	template <class T, class F> GEMMVIZ_BARE static T
	scan(T v, F f, void *here)
	{
		unsigned int among = here_mask();

		for (int by = 1; by < Lanes; by *= 2) {
			T other;

			gemmviz_shuffle("__shfl_up_sync", among, 1, by, Lanes,
					&v, &other, sizeof(v), here);
			if (lane() >= by)
				v = f(other, v);
		}
		return v;
	}
	/* Of the lane before. */
	template <class T> GEMMVIZ_BARE static T before(T v, void *here)
	{
		T other;

		gemmviz_shuffle("__shfl_up_sync", here_mask(), 1, 1, Lanes, &v,
				&other, sizeof(v), here);
		return other;
	}
	template <class T> GEMMVIZ_BARE static T of(T v, int lane, void *here)
	{
		T other;

		gemmviz_shuffle("__shfl_sync", here_mask(), 0, lane, Lanes,
				&v, &other, sizeof(v), here);
		return other;
	}
};

struct gemmviz_no_storage {};

template <class T, int Lanes = 32, int = 0> struct WarpReduce {
	typedef gemmviz_no_storage TempStorage;
	typedef gemmviz_warp<Lanes> warp;

	GEMMVIZ_BARE WarpReduce(TempStorage &) {}
	GEMMVIZ_BARE T Sum(T v)
	{ return warp::reduce(v, cub::Sum(), Lanes, GEMMVIZ_HERE); }
	GEMMVIZ_BARE T Sum(T v, int valid)
	{ return warp::reduce(v, cub::Sum(), valid, GEMMVIZ_HERE); }
	template <class F> GEMMVIZ_BARE T Reduce(T v, F f)
	{ return warp::reduce(v, f, Lanes, GEMMVIZ_HERE); }
	template <class F> GEMMVIZ_BARE T Reduce(T v, F f, int valid)
	{ return warp::reduce(v, f, valid, GEMMVIZ_HERE); }
};

template <class T, int Lanes = 32, int = 0> struct WarpScan {
	typedef gemmviz_no_storage TempStorage;
	typedef gemmviz_warp<Lanes> warp;

	GEMMVIZ_BARE WarpScan(TempStorage &) {}
	GEMMVIZ_BARE void InclusiveSum(T v, T &to)
	{ to = warp::scan(v, cub::Sum(), GEMMVIZ_HERE); }
	GEMMVIZ_BARE void InclusiveSum(T v, T &to, T &all)
	{
		to = warp::scan(v, cub::Sum(), GEMMVIZ_HERE);
		all = warp::of(to, Lanes - 1, GEMMVIZ_HERE);
	}
	template <class F> GEMMVIZ_BARE void InclusiveScan(T v, T &to, F f)
	{ to = warp::scan(v, f, GEMMVIZ_HERE); }
	GEMMVIZ_BARE void ExclusiveSum(T v, T &to)
	{
		T up = warp::before(warp::scan(v, cub::Sum(), GEMMVIZ_HERE),
				    GEMMVIZ_HERE);
		to = warp::lane() ? up : T();
	}
	template <class F> GEMMVIZ_BARE void
	ExclusiveScan(T v, T &to, T first, F f)
	{
		T up = warp::before(warp::scan(v, f, GEMMVIZ_HERE),
				    GEMMVIZ_HERE);
		to = warp::lane() ? f(first, up) : first;
	}
	GEMMVIZ_BARE T Broadcast(T v, unsigned int lane)
	{ return warp::of(v, (int)lane, GEMMVIZ_HERE); }
};

/* ---- blocks ---- */

/* Shared memory that no thread's constructor sets. */
template <class T, int Count,
	  bool = __is_trivially_constructible(T)> struct gemmviz_words {
	alignas(T) unsigned char word[sizeof(T) * Count];
};
template <class T, int Count> struct gemmviz_words<T, Count, true> {
	T word[Count];
};
template <class T, int Count, bool Plain> GEMMVIZ_QUIET T *
gemmviz_word(gemmviz_words<T, Count, Plain> &w, int i)
{ return (T *)w.word + i; }

/* Values of a thread, one after the other. */
template <class T, int Items, class F> GEMMVIZ_QUIET T
gemmviz_items(const T (&v)[Items], F f, void *here)
{
	T sum = v[0];

	for (int i = 1; i < Items; i++)
		sum = f(sum, v[i]);
	return sum;
}

template <class T, int X, BlockReduceAlgorithm How =
	  BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
struct BlockReduce {
	static_assert(How == BLOCK_REDUCE_WARP_REDUCTIONS, "by its default "
		      "algorithm BlockReduce can be recorded on the CPU");
	enum { gemmviz_threads = X * Y * Z,
	       gemmviz_warps = (gemmviz_threads + 31) / 32 };
	struct TempStorage {
		unsigned char warp_reduce[gemmviz_warps];
		gemmviz_words<T, gemmviz_warps> warp_aggregates;
		gemmviz_words<T, 1> block_prefix;
	};
	TempStorage &gemmviz_shared;

	GEMMVIZ_BARE BlockReduce(TempStorage &s) : gemmviz_shared(s) {}
	GEMMVIZ_BARE T Sum(T v)
	{ return of(v, cub::Sum(), gemmviz_threads, GEMMVIZ_HERE); }
	GEMMVIZ_BARE T Sum(T v, int valid)
	{ return of(v, cub::Sum(), valid, GEMMVIZ_HERE); }
	template <class F> GEMMVIZ_BARE T Reduce(T v, F f)
	{ return of(v, f, gemmviz_threads, GEMMVIZ_HERE); }
	template <class F> GEMMVIZ_BARE T Reduce(T v, F f, int valid)
	{ return of(v, f, valid, GEMMVIZ_HERE); }
	template <int Items> GEMMVIZ_BARE T Sum(T (&v)[Items])
	{
		return of(gemmviz_items(v, cub::Sum(), GEMMVIZ_HERE),
			  cub::Sum(), gemmviz_threads, GEMMVIZ_HERE);
	}
	template <int Items, class F> GEMMVIZ_BARE T Reduce(T (&v)[Items], F f)
	{
		return of(gemmviz_items(v, f, GEMMVIZ_HERE), f,
			  gemmviz_threads, GEMMVIZ_HERE);
	}
private:
	template <class F> GEMMVIZ_BARE T of(T v, F f, int valid, void *here)
	{
		int rank = gemmviz_rank(), first = rank / 32 * 32;
		int lanes = valid - first;

		v = gemmviz_warp<32>::reduce(
			v, f, lanes > 32 ? 32 : lanes, here);
		if (rank == first)
			gemmviz_put(at(rank / 32), v, here);
		gemmviz_syncthreads(here);
		for (int w = 1; rank == 0 && w < gemmviz_warps; w++)
			if (w * 32 < valid)
				v = f(v, gemmviz_get(at(w), here));
		return v;
	}
	GEMMVIZ_BARE T *at(int w)
	{ return gemmviz_word(gemmviz_shared.warp_aggregates, w); }
};

template <class T, int X, BlockScanAlgorithm How = BLOCK_SCAN_RAKING,
	  int Y = 1, int Z = 1, int = 0>
struct BlockScan {
	static_assert(How == BLOCK_SCAN_RAKING, "by its default algorithm "
		      "BlockScan can be recorded on the CPU");
	/* A warp, each lane of which has a segment; a word lies between longer
	 * segments of even length. */
	enum { gemmviz_threads = X * Y * Z,
	       gemmviz_lanes = gemmviz_threads < 32 ? gemmviz_threads : 32,
	       gemmviz_segment = (gemmviz_threads + gemmviz_lanes - 1) /
				 gemmviz_lanes,
	       gemmviz_pitch = gemmviz_segment + (gemmviz_segment > 2 &&
						  !(gemmviz_segment & 1)),
	       gemmviz_one_warp = gemmviz_threads == gemmviz_lanes };
	static_assert(gemmviz_threads % gemmviz_lanes == 0 &&
		      (gemmviz_lanes == 32 || !(gemmviz_lanes &
						(gemmviz_lanes - 1))),
		      "BlockScan of whole warps, or of a power of two of "
		      "threads, can be recorded on the CPU");
	struct TempStorage {
		gemmviz_no_storage warp_scan;
		alignas(16) gemmviz_words<T, gemmviz_lanes * gemmviz_pitch>
			raking_grid;
		gemmviz_words<T, 1> block_aggregate;
	};
	typedef gemmviz_warp<gemmviz_lanes> warp;
	TempStorage &gemmviz_shared;

	GEMMVIZ_BARE BlockScan(TempStorage &s) : gemmviz_shared(s) {}
	GEMMVIZ_BARE void ExclusiveSum(T v, T &to)
	{
		T none = T();

		rake<false>(v, to, cub::Sum(), &none, 0, GEMMVIZ_HERE);
	}
	GEMMVIZ_BARE void ExclusiveSum(T v, T &to, T &all)
	{
		T none = T();

		rake<false>(v, to, cub::Sum(), &none, &all, GEMMVIZ_HERE);
	}
	GEMMVIZ_BARE void InclusiveSum(T v, T &to)
	{ rake<true>(v, to, cub::Sum(), 0, 0, GEMMVIZ_HERE); }
	GEMMVIZ_BARE void InclusiveSum(T v, T &to, T &all)
	{ rake<true>(v, to, cub::Sum(), 0, &all, GEMMVIZ_HERE); }
	template <class F> GEMMVIZ_BARE void InclusiveScan(T v, T &to, F f)
	{ rake<true>(v, to, f, 0, 0, GEMMVIZ_HERE); }
	template <class F> GEMMVIZ_BARE void
	InclusiveScan(T v, T &to, F f, T &all)
	{ rake<true>(v, to, f, 0, &all, GEMMVIZ_HERE); }
	template <class F> GEMMVIZ_BARE void
	ExclusiveScan(T v, T &to, T first, F f)
	{ rake<false>(v, to, f, &first, 0, GEMMVIZ_HERE); }
	template <class F> GEMMVIZ_BARE void
	ExclusiveScan(T v, T &to, T first, F f, T &all)
	{ rake<false>(v, to, f, &first, &all, GEMMVIZ_HERE); }

	/* Of several values of each thread. */
	template <int N> GEMMVIZ_BARE void ExclusiveSum(T (&v)[N], T (&to)[N])
	{ scans(v, to, T(), cub::Sum(), 0, GEMMVIZ_HERE); }
	template <int N> GEMMVIZ_BARE void
	ExclusiveSum(T (&v)[N], T (&to)[N], T &all)
	{ scans(v, to, T(), cub::Sum(), &all, GEMMVIZ_HERE); }
	template <int N> GEMMVIZ_BARE void InclusiveSum(T (&v)[N], T (&to)[N])
	{ withs(v, to, cub::Sum(), 0, GEMMVIZ_HERE); }
	template <int N> GEMMVIZ_BARE void
	InclusiveSum(T (&v)[N], T (&to)[N], T &all)
	{ withs(v, to, cub::Sum(), &all, GEMMVIZ_HERE); }
	template <int N, class F> GEMMVIZ_BARE void
	InclusiveScan(T (&v)[N], T (&to)[N], F f)
	{ withs(v, to, f, 0, GEMMVIZ_HERE); }
	template <int N, class F> GEMMVIZ_BARE void
	InclusiveScan(T (&v)[N], T (&to)[N], F f, T &all)
	{ withs(v, to, f, &all, GEMMVIZ_HERE); }
	template <int N, class F> GEMMVIZ_BARE void
	ExclusiveScan(T (&v)[N], T (&to)[N], T first, F f)
	{ scans(v, to, first, f, 0, GEMMVIZ_HERE); }
	template <int N, class F> GEMMVIZ_BARE void
	ExclusiveScan(T (&v)[N], T (&to)[N], T first, F f, T &all)
	{ scans(v, to, first, f, &all, GEMMVIZ_HERE); }
private:
	GEMMVIZ_BARE T *at(int i)
	{ return gemmviz_word(gemmviz_shared.raking_grid, i); }
	template <int N, class F> GEMMVIZ_BARE void
	scans(T (&v)[N], T (&to)[N], T first, F f, T *all, void *here)
	{
		T up;

		rake<false>(gemmviz_items(v, f, here), up, f, &first, all, here);
		for (int i = 0; i < N; i++) {
			T own = v[i];

			to[i] = up;
			up = f(up, own);
		}
	}
	template <int N, class F> GEMMVIZ_BARE void
	withs(T (&v)[N], T (&to)[N], F f, T *all, void *here)
	{
		T up;

		rake<false>(gemmviz_items(v, f, here), up, f, 0, all, here);
		for (int i = 0; i < N; i++)
			to[i] = up = i || gemmviz_rank() ? f(up, v[i]) : v[i];
	}
	/* What is before each thread, from `first` on; without, the first
	 * thread's is nothing in particular. With: what is up to each thread. */
	template <bool With, class F> GEMMVIZ_BARE void
	rake(T v, T &to, F f, const T *first, T *all, void *here)
	{
		int rank = gemmviz_rank();

		if (gemmviz_one_warp) {
			to = lane<With>(v, f, first, all, here);
			return;
		}
		T *own = at(rank / gemmviz_segment * gemmviz_pitch +
			    rank % gemmviz_segment);
		T *total = gemmviz_word(gemmviz_shared.block_aggregate, 0);

		gemmviz_put(own, v, here);
		gemmviz_syncthreads(here);
		if (rank < gemmviz_lanes) {
			segment<With>(f, first, all, here);
			if (all && rank == 0)
				gemmviz_put(total, *all, here);
		}
		gemmviz_syncthreads(here);
		if (all)
			*all = gemmviz_get(total, here);
		to = gemmviz_get(own, here);
	}
	/* A lane's. */
	template <bool With, class F> GEMMVIZ_BARE T
	lane(T v, F f, const T *first, T *all, void *here)
	{
		T up = warp::scan(v, f, here);

		if (all)
			*all = warp::of(up, gemmviz_lanes - 1, here);
		if (With)
			return up;
		up = warp::before(up, here);
		if (first)
			up = gemmviz_rank() ? f(*first, up) : *first;
		return up;
	}
	/* A lane's segment: its sum, and once more each of it. */
	template <bool With, class F> GEMMVIZ_BARE void
	segment(F f, const T *first, T *all, void *here)
	{
		T *words = at(gemmviz_rank() * gemmviz_pitch);
		T part[gemmviz_segment], sum, up;
		bool has_up = gemmviz_rank() || first;

		for (int i = 0; i < gemmviz_segment; i++)
			part[i] = gemmviz_get(words + i, here);
		sum = part[0];
		for (int i = 1; i < gemmviz_segment; i++)
			sum = f(sum, part[i]);
		up = lane<false>(sum, f, first, all, here);
		for (int i = 0; i < gemmviz_segment - !With; i++)
			part[i] = gemmviz_get(words + i, here);
		for (int i = 0; i < gemmviz_segment; i++) {
			T next = up;

			if (With || i < gemmviz_segment - 1)
				next = has_up || i ? f(up, part[i]) : part[i];
			gemmviz_put(words + i, With ? next : up, here);
			up = next;
		}
	}
};

}

#endif
