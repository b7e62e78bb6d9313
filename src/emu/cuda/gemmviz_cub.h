/*
 * gemmviz_cub: CUB's blocks and warps, by the algorithms that are CUB's defaults:
 * the same values in the same order, and the same words of shared memory
 * (block_reduce_warp_reductions.cuh, block_scan_raking.cuh,
 * warp_reduce_shfl.cuh, warp_scan_shfl.cuh). All that they do belongs to the
 * line that calls them.
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

/* A word of shared memory, on behalf of the line `here`. */
template <class T> GEMMVIZ_QUIET T gemmviz_get(const T *p, void *here)
{
	T v;

	gemmviz_load(p, sizeof(v), here);
	__builtin_memcpy((void *)&v, (const void *)p, sizeof(v));
	return v;
}
template <class T> GEMMVIZ_QUIET void gemmviz_put(T *p, const T &v, void *here)
{
	gemmviz_store(p, sizeof(v), here);
	__builtin_memcpy((void *)p, (const void *)&v, sizeof(v));
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
template <class T, int Count> struct gemmviz_storage {
	alignas(T) unsigned char byte[sizeof(T) * Count];

	GEMMVIZ_BARE T *at(int i) { return (T *)byte + i; }
};

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
	typedef gemmviz_storage<T, gemmviz_warps> TempStorage;
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
			gemmviz_put(gemmviz_shared.at(rank / 32), v, here);
		gemmviz_syncthreads(here);
		for (int w = 1; rank == 0 && w < gemmviz_warps; w++)
			if (w * 32 < valid)
				v = f(v, gemmviz_get(gemmviz_shared.at(w),
						     here));
		return v;
	}
};

template <class T, int X, BlockScanAlgorithm How = BLOCK_SCAN_RAKING,
	  int Y = 1, int Z = 1, int = 0>
struct BlockScan {
	static_assert(How == BLOCK_SCAN_RAKING, "by its default algorithm "
		      "BlockScan can be recorded on the CPU");
	/* A warp, each lane of which has a segment; one word lies between
	 * segments of even length. */
	enum { gemmviz_threads = X * Y * Z,
	       gemmviz_lanes = gemmviz_threads < 32 ? gemmviz_threads : 32,
	       gemmviz_segment = (gemmviz_threads + gemmviz_lanes - 1) /
				 gemmviz_lanes,
	       gemmviz_pitch = gemmviz_segment + !(gemmviz_segment & 1) };
	static_assert(gemmviz_threads % gemmviz_lanes == 0 &&
		      (gemmviz_lanes == 32 || !(gemmviz_lanes &
						(gemmviz_lanes - 1))),
		      "BlockScan of whole warps, or of a power of two of "
		      "threads, can be recorded on the CPU");
	typedef gemmviz_storage<T, gemmviz_lanes * gemmviz_pitch + 1>
		TempStorage;
	typedef gemmviz_warp<gemmviz_lanes> warp;
	TempStorage &gemmviz_shared;

	GEMMVIZ_BARE BlockScan(TempStorage &s) : gemmviz_shared(s) {}
	GEMMVIZ_BARE void ExclusiveSum(T v, T &to)
	{ T all; to = sum(before(v, cub::Sum(), all, GEMMVIZ_HERE)); }
	GEMMVIZ_BARE void ExclusiveSum(T v, T &to, T &all)
	{ to = sum(before(v, cub::Sum(), all, GEMMVIZ_HERE)); }
	GEMMVIZ_BARE void InclusiveSum(T v, T &to)
	{ T all; to = with(v, cub::Sum(), all, GEMMVIZ_HERE); }
	GEMMVIZ_BARE void InclusiveSum(T v, T &to, T &all)
	{ to = with(v, cub::Sum(), all, GEMMVIZ_HERE); }
	template <class F> GEMMVIZ_BARE void InclusiveScan(T v, T &to, F f)
	{ T all; to = with(v, f, all, GEMMVIZ_HERE); }
	template <class F> GEMMVIZ_BARE void
	InclusiveScan(T v, T &to, F f, T &all)
	{ to = with(v, f, all, GEMMVIZ_HERE); }
	template <class F> GEMMVIZ_BARE void
	ExclusiveScan(T v, T &to, T first, F f)
	{
		T all, up = before(v, f, all, GEMMVIZ_HERE);

		to = gemmviz_rank() ? f(first, up) : first;
	}
	template <class F> GEMMVIZ_BARE void
	ExclusiveScan(T v, T &to, T first, F f, T &all)
	{
		T up = before(v, f, all, GEMMVIZ_HERE);

		to = gemmviz_rank() ? f(first, up) : first;
		all = f(first, all);
	}
private:
	GEMMVIZ_BARE T sum(T up) { return gemmviz_rank() ? up : T(); }
	template <class F> GEMMVIZ_BARE T with(T v, F f, T &all, void *here)
	{
		T up = before(v, f, all, here);

		return gemmviz_rank() ? f(up, v) : v;
	}
	/* What is before each thread; of the first, nothing in particular. */
	template <class F> GEMMVIZ_BARE T before(T v, F f, T &all, void *here)
	{
		int rank = gemmviz_rank();
		T *own = gemmviz_shared.at(rank / gemmviz_segment *
					   gemmviz_pitch +
					   rank % gemmviz_segment);
		T *last = gemmviz_shared.at(gemmviz_lanes * gemmviz_pitch);

		gemmviz_put(own, v, here);
		gemmviz_syncthreads((char *)here - 1);
		if (rank < gemmviz_lanes) {
			T *at = gemmviz_shared.at(rank * gemmviz_pitch);
			T part[gemmviz_segment], up;

			for (int i = 0; i < gemmviz_segment; i++)
				part[i] = gemmviz_get(at + i, here);
			up = part[0];
			for (int i = 1; i < gemmviz_segment; i++)
				up = f(up, part[i]);
			up = warp::scan(up, f, here);
			if (rank == gemmviz_lanes - 1)
				gemmviz_put(last, up, here);
			up = warp::before(up, here);
			for (int i = 0; i < gemmviz_segment; i++) {
				T next = rank || i ? f(up, part[i]) : part[i];

				gemmviz_put(at + i, up, here);
				up = next;
			}
		}
		gemmviz_syncthreads(here);
		all = gemmviz_get(last, here);
		return gemmviz_get(own, here);
	}
};

}

#endif
