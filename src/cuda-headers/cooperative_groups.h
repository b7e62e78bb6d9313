/*
 * cooperative_groups: the block, its tiles of lanes, and the grid, for the
 * host. What is not there is a cluster's other shared
 * memory.
 */
#ifndef COOPERATIVE_GROUPS_H
#define COOPERATIVE_GROUPS_H

#include <chrono>	/* as CUDA's does */

#include "cuda_pipeline_primitives.h"

namespace cooperative_groups {

GEMMVIZ_QUIET unsigned int gemmviz_thread()
{
	return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x +
	       threadIdx.x;
}
GEMMVIZ_QUIET unsigned int gemmviz_threads()
{ return blockDim.x * blockDim.y * blockDim.z; }

#define GEMMVIZ_SELF GEMMVIZ_BARE static

struct thread_block {
	GEMMVIZ_SELF void sync() { gemmviz_syncthreads(GEMMVIZ_HERE); }
	GEMMVIZ_SELF unsigned int thread_rank() { return gemmviz_thread(); }
	GEMMVIZ_SELF unsigned int size() { return gemmviz_threads(); }
	GEMMVIZ_SELF unsigned int num_threads() { return gemmviz_threads(); }
	GEMMVIZ_SELF dim3 group_index() { return dim3(blockIdx); }
	GEMMVIZ_SELF dim3 thread_index() { return dim3(threadIdx); }
	GEMMVIZ_SELF dim3 group_dim() { return dim3(blockDim); }
	GEMMVIZ_SELF dim3 dim_threads() { return dim3(blockDim); }
};
GEMMVIZ_QUIET thread_block this_thread_block() { return thread_block(); }

/* What lanes of a warp do together; Self says which these are. */
#define GEMMVIZ_SHUFFLE(name, word, how, by_type) \
	template <class T> GEMMVIZ_BARE T name(T mine, by_type by) const \
	{ \
		T theirs; \
		gemmviz_shuffle(#word, self().gemmviz_mask(), how, \
				self().gemmviz_lane(by), \
				self().gemmviz_width(), &mine, &theirs, \
				sizeof(T), GEMMVIZ_HERE); \
		return theirs; \
	}
#define GEMMVIZ_VOTE(type, name, word, result) \
	GEMMVIZ_BARE type name(int predicate) const \
	{ \
		unsigned int among = 0; \
		unsigned int ballot = gemmviz_vote( \
			#word, self().gemmviz_mask(), predicate, &among, \
			GEMMVIZ_HERE); \
		return result; \
	}
template <class Self> struct gemmviz_lanes {
	GEMMVIZ_BARE const Self &self() const
	{ return *static_cast<const Self *>(this); }
	GEMMVIZ_BARE void sync() const
	{ gemmviz_syncwarp(self().gemmviz_mask(), GEMMVIZ_HERE); }
	GEMMVIZ_BARE unsigned int num_threads() const { return self().size(); }
	GEMMVIZ_SHUFFLE(shfl, __shfl_sync, 0, int)
	GEMMVIZ_SHUFFLE(shfl_up, __shfl_up_sync, 1, unsigned int)
	GEMMVIZ_SHUFFLE(shfl_down, __shfl_down_sync, 2, unsigned int)
	GEMMVIZ_SHUFFLE(shfl_xor, __shfl_xor_sync, 3, unsigned int)
	GEMMVIZ_VOTE(unsigned int, ballot, __ballot_sync,
		     self().gemmviz_among(ballot))
	GEMMVIZ_VOTE(int, any, __any_sync, ballot != 0)
	GEMMVIZ_VOTE(int, all, __all_sync, ballot == among)
};
#undef GEMMVIZ_SHUFFLE
#undef GEMMVIZ_VOTE

template <unsigned int Size, class Parent = void> struct thread_block_tile;
/* How many threads the parent of a tile has. */
template <class Parent> struct gemmviz_tile {
	GEMMVIZ_SELF unsigned int threads() { return gemmviz_threads(); }
};
template <unsigned int Size, class Parent>
struct gemmviz_tile<thread_block_tile<Size, Parent>> {
	GEMMVIZ_SELF unsigned int threads() { return Size; }
};

template <unsigned int Size, class Parent> struct thread_block_tile
	: gemmviz_lanes<thread_block_tile<Size, Parent>> {
	static_assert(Size <= 32 && (Size & (Size - 1)) == 0,
		      "tiles of 1 to 32 lanes can be recorded on the CPU");
	thread_block_tile() = default;
	template <class Other>
	GEMMVIZ_BARE thread_block_tile(const thread_block_tile<Size, Other> &)
	{}
	GEMMVIZ_SELF unsigned int gemmviz_first()
	{ return gemmviz_thread() % 32 / Size * Size; }
	GEMMVIZ_SELF unsigned int gemmviz_mask()
	{ return 0xffffffffu >> (32 - Size) << gemmviz_first(); }
	GEMMVIZ_SELF unsigned int gemmviz_among(unsigned int lanes)
	{ return lanes >> gemmviz_first(); }
	GEMMVIZ_SELF unsigned int gemmviz_lane(unsigned int by) { return by; }
	GEMMVIZ_SELF unsigned int gemmviz_width() { return Size; }
	GEMMVIZ_SELF unsigned int thread_rank()
	{ return gemmviz_thread() % Size; }
	GEMMVIZ_SELF constexpr unsigned int size() { return Size; }
	/* In the parent, which is the block or another tile. */
	GEMMVIZ_SELF unsigned int meta_group_rank()
	{
		return gemmviz_thread() % gemmviz_tile<Parent>::threads() /
		       Size;
	}
	GEMMVIZ_SELF unsigned int meta_group_size()
	{
		return (gemmviz_tile<Parent>::threads() + Size - 1) / Size;
	}
};
template <unsigned int Size, class Parent>
GEMMVIZ_QUIET thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{ return thread_block_tile<Size, Parent>(); }

/* The lanes that come here together: one behind the other. */
struct coalesced_group : gemmviz_lanes<coalesced_group> {
	unsigned int gemmviz_lanes_here;

	GEMMVIZ_BARE coalesced_group(unsigned int lanes)
		: gemmviz_lanes_here(lanes) {}
	GEMMVIZ_BARE unsigned int gemmviz_mask() const
	{ return gemmviz_lanes_here; }
	GEMMVIZ_BARE unsigned int gemmviz_among(unsigned int lanes) const
	{
		unsigned int among = 0, n = 0;

		for (int l = 0; l < 32; l++)
			if (gemmviz_lanes_here >> l & 1)
				among |= (lanes >> l & 1) << n++;
		return among;
	}
	GEMMVIZ_BARE unsigned int thread_rank() const
	{
		return __builtin_popcount(gemmviz_lanes_here &
			((1u << gemmviz_thread() % 32) - 1));
	}
	GEMMVIZ_BARE unsigned int size() const
	{ return __builtin_popcount(gemmviz_lanes_here); }
	GEMMVIZ_BARE unsigned int num_threads() const { return size(); }
	GEMMVIZ_BARE unsigned int meta_group_rank() const { return 0; }
	GEMMVIZ_BARE unsigned int meta_group_size() const { return 1; }
	/* From the lane of a rank; one's own where there is none. */
	template <class T> GEMMVIZ_BARE T
	gemmviz_from(const char *word, T mine, unsigned int rank,
		     void *here) const
	{
		unsigned int lane = gemmviz_thread() % 32, n = 0;
		T theirs;

		for (unsigned int l = 0; l < 32; l++)
			if (gemmviz_lanes_here >> l & 1 && n++ == rank)
				lane = l;
		gemmviz_shuffle(word, gemmviz_lanes_here, 0, lane, 32, &mine,
				&theirs, sizeof(T), here);
		return theirs;
	}
	template <class T> GEMMVIZ_BARE T shfl(T mine, unsigned int rank) const
	{
		return gemmviz_from("shfl", mine, rank % size(),
				    GEMMVIZ_HERE);
	}
	template <class T> GEMMVIZ_BARE T shfl_up(T mine, unsigned int by) const
	{
		unsigned int rank = thread_rank();

		return gemmviz_from("shfl_up", mine,
				    rank < by ? rank : rank - by,
				    GEMMVIZ_HERE);
	}
	template <class T> GEMMVIZ_BARE T
	shfl_down(T mine, unsigned int by) const
	{
		return gemmviz_from("shfl_down", mine, thread_rank() + by,
				    GEMMVIZ_HERE);
	}
};
GEMMVIZ_QUIET coalesced_group coalesced_threads()
{
	unsigned int among = 0;

	gemmviz_vote("__activemask", 0, 1, &among, GEMMVIZ_HERE);
	return coalesced_group(among);
}
/* Those of its lanes whose labels are the same. */
template <class Group, class Label>
GEMMVIZ_QUIET coalesced_group
labeled_partition(const Group &group, Label label)
{
	unsigned int among;

	return coalesced_group(gemmviz_match(
		"labeled_partition", group.gemmviz_mask(), label, &among,
		GEMMVIZ_HERE));
}
template <class Group>
GEMMVIZ_QUIET coalesced_group binary_partition(const Group &group, bool which)
{
	unsigned int among;

	return coalesced_group(gemmviz_match(
		"binary_partition", group.gemmviz_mask(), (int)which, &among,
		GEMMVIZ_HERE));
}

/* ---- the cluster ---- */

extern "C" {
unsigned int gemmviz_cluster_rank(void);
unsigned int gemmviz_cluster_blocks(void);
void gemmviz_cluster_arrive(void *here);
void gemmviz_cluster_wait(void *here);
void *gemmviz_cluster_map(void *p, unsigned int rank, void *here);
unsigned int gemmviz_cluster_whose(const void *p);
}
struct cluster_group {
	struct arrival_token {};
	GEMMVIZ_SELF unsigned int num_blocks()
	{ return gemmviz_cluster_blocks(); }
	GEMMVIZ_SELF unsigned int block_rank()
	{ return gemmviz_cluster_rank(); }
	GEMMVIZ_SELF unsigned int num_threads()
	{ return num_blocks() * gemmviz_threads(); }
	GEMMVIZ_SELF unsigned int size() { return num_threads(); }
	GEMMVIZ_SELF unsigned int thread_rank()
	{ return block_rank() * gemmviz_threads() + gemmviz_thread(); }
	GEMMVIZ_SELF dim3 dim_blocks() { return dim3(num_blocks()); }
	GEMMVIZ_SELF dim3 block_index() { return dim3(block_rank(), 0, 0); }
	GEMMVIZ_SELF dim3 dim_threads()
	{ return dim3(num_blocks() * blockDim.x, blockDim.y, blockDim.z); }
	GEMMVIZ_SELF dim3 thread_index()
	{
		return dim3(block_rank() * blockDim.x + threadIdx.x,
			    threadIdx.y, threadIdx.z);
	}
	GEMMVIZ_SELF arrival_token barrier_arrive()
	{
		gemmviz_cluster_arrive(GEMMVIZ_HERE);
		return arrival_token();
	}
	GEMMVIZ_SELF void barrier_wait() { gemmviz_cluster_wait(GEMMVIZ_HERE); }
	GEMMVIZ_SELF void barrier_wait(arrival_token &&)
	{ gemmviz_cluster_wait(GEMMVIZ_HERE); }
	GEMMVIZ_SELF void sync()
	{
		gemmviz_cluster_arrive((char *)GEMMVIZ_HERE - 1);
		gemmviz_cluster_wait(GEMMVIZ_HERE);
	}
	template <class T> GEMMVIZ_SELF T *map_shared_rank(T *p, int rank)
	{
		return (T *)gemmviz_cluster_map((void *)p, (unsigned int)rank,
						GEMMVIZ_HERE);
	}
	GEMMVIZ_SELF unsigned int query_shared_rank(const void *p)
	{ return gemmviz_cluster_whose(p); }
};
GEMMVIZ_QUIET cluster_group this_cluster() { return cluster_group(); }

/* The launch, whose blocks meet if it is a cooperative one (parked_blocks.c). */
extern "C" {
bool gemmviz_grid_valid(void);
void gemmviz_grid_sync(void *here);
}
struct grid_group {
	struct arrival_token {};
	GEMMVIZ_SELF void sync() { gemmviz_grid_sync(GEMMVIZ_HERE); }
	/* Who arrives may go on meanwhile: here all is done at the wait. */
	GEMMVIZ_SELF arrival_token barrier_arrive() { return arrival_token(); }
	GEMMVIZ_SELF void barrier_wait(arrival_token &&)
	{ gemmviz_grid_sync(GEMMVIZ_HERE); }
	GEMMVIZ_SELF bool is_valid() { return gemmviz_grid_valid(); }
	GEMMVIZ_SELF unsigned long long num_blocks()
	{ return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
	GEMMVIZ_SELF unsigned long long block_rank()
	{
		return ((unsigned long long)blockIdx.z * gridDim.y +
			blockIdx.y) * gridDim.x + blockIdx.x;
	}
	GEMMVIZ_SELF unsigned long long num_threads()
	{ return num_blocks() * gemmviz_threads(); }
	GEMMVIZ_SELF unsigned long long size() { return num_threads(); }
	GEMMVIZ_SELF unsigned long long thread_rank()
	{ return block_rank() * gemmviz_threads() + gemmviz_thread(); }
	GEMMVIZ_SELF dim3 group_dim() { return dim3(gridDim); }
	GEMMVIZ_SELF dim3 dim_blocks() { return dim3(gridDim); }
	GEMMVIZ_SELF dim3 block_index() { return dim3(blockIdx); }
};
GEMMVIZ_QUIET grid_group this_grid() { return grid_group(); }
#undef GEMMVIZ_SELF

/* Any of these: lanes of a warp, or the block (no lanes). */
struct thread_group : gemmviz_lanes<thread_group> {
	/* Of whole 16 bytes, which the compiler copies as such. */
	unsigned int gemmviz_lanes_of, gemmviz_rank, gemmviz_size, gemmviz_no;

	GEMMVIZ_BARE thread_group(const thread_block &)
		: gemmviz_lanes_of(0), gemmviz_rank(gemmviz_thread()),
		  gemmviz_size(gemmviz_threads()) {}
	template <unsigned int Size, class Parent>
	GEMMVIZ_BARE thread_group(const thread_block_tile<Size, Parent> &t)
		: gemmviz_lanes_of(t.gemmviz_mask()),
		  gemmviz_rank(t.thread_rank()), gemmviz_size(Size) {}
	GEMMVIZ_BARE thread_group(const coalesced_group &g)
		: gemmviz_lanes_of(g.gemmviz_mask()),
		  gemmviz_rank(g.thread_rank()), gemmviz_size(g.size()) {}
	GEMMVIZ_BARE unsigned int gemmviz_mask() const
	{ return gemmviz_lanes_of; }
	GEMMVIZ_BARE unsigned int gemmviz_first() const
	{ return gemmviz_lanes_of ? __builtin_ctz(gemmviz_lanes_of) : 0; }
	GEMMVIZ_BARE unsigned int gemmviz_among(unsigned int lanes) const
	{ return lanes >> gemmviz_first(); }
	GEMMVIZ_BARE unsigned int gemmviz_lane(unsigned int by) const
	{ return by; }
	GEMMVIZ_BARE unsigned int gemmviz_width() const
	{ return gemmviz_size; }
	GEMMVIZ_BARE unsigned int thread_rank() const { return gemmviz_rank; }
	GEMMVIZ_BARE unsigned int size() const { return gemmviz_size; }
	GEMMVIZ_BARE void sync() const
	{
		if (gemmviz_lanes_of)
			gemmviz_syncwarp(gemmviz_lanes_of, GEMMVIZ_HERE);
		else
			gemmviz_syncthreads(GEMMVIZ_HERE);
	}
};
/* Groups of a power of two, at most a warp. */
template <class Group>
GEMMVIZ_QUIET thread_group tiled_partition(const Group &parent,
					   unsigned int size)
{
	thread_group g(parent);
	unsigned int lane = gemmviz_thread() % 32 / size * size;

	g.gemmviz_lanes_of = 0xffffffffu >> (32 - size) << lane;
	g.gemmviz_rank = gemmviz_thread() % size;
	g.gemmviz_size = size;
	return g;
}

template <class Group> GEMMVIZ_QUIET void sync(const Group &)
{ gemmviz_syncthreads(GEMMVIZ_HERE); }
GEMMVIZ_QUIET void sync(const thread_group &group)
{
	if (group.gemmviz_mask())
		gemmviz_syncwarp(group.gemmviz_mask(), GEMMVIZ_HERE);
	else
		gemmviz_syncthreads(GEMMVIZ_HERE);
}
GEMMVIZ_QUIET void sync(const grid_group &)
{ gemmviz_grid_sync(GEMMVIZ_HERE); }
template <unsigned int Size, class Parent>
GEMMVIZ_QUIET void sync(const thread_block_tile<Size, Parent> &tile)
{ gemmviz_syncwarp(tile.gemmviz_mask(), GEMMVIZ_HERE); }

/* ---- reduce ---- */

#define GEMMVIZ_OPERATION(name, result) \
	template <class T> struct name { \
		GEMMVIZ_BARE T operator()(const T &a, const T &b) const \
		{ return result; } \
	};
GEMMVIZ_OPERATION(plus, a + b)
GEMMVIZ_OPERATION(less, a < b ? a : b)
GEMMVIZ_OPERATION(greater, a > b ? a : b)
GEMMVIZ_OPERATION(bit_and, a & b)
GEMMVIZ_OPERATION(bit_or, a | b)
GEMMVIZ_OPERATION(bit_xor, a ^ b)
#undef GEMMVIZ_OPERATION

template <unsigned int Size, class Parent, class T, class Operation>
GEMMVIZ_QUIET T reduce(const thread_block_tile<Size, Parent> &tile, T mine,
		       const Operation &of)
{
	for (unsigned int by = Size / 2; by; by /= 2) {
		T theirs;
		gemmviz_shuffle("reduce", tile.gemmviz_mask(), 3, by, Size,
				&mine, &theirs, sizeof(T), GEMMVIZ_HERE);
		mine = of(mine, theirs);
	}
	return mine;
}
/* Each has the next `by` ranks together, then twice as many: rank 0 has all. */
template <class T, class Operation>
GEMMVIZ_QUIET T reduce(const coalesced_group &group, T mine,
		       const Operation &of)
{
	unsigned int rank = group.thread_rank(), size = group.size();

	for (unsigned int by = 1; by < size; by *= 2) {
		T theirs = group.gemmviz_from("reduce", mine, rank + by,
					      GEMMVIZ_HERE);

		if (rank + by < size)
			mine = of(mine, theirs);
	}
	return group.gemmviz_from("reduce", mine, 0, GEMMVIZ_HERE);
}

/* ---- asynchronous copies ---- */

/* Pieces of 16 bytes, or of 4, go to the threads in turn. Waiting and meeting
 * have a place each within the call. */
template <class Group, class T, class U, class Bytes>
GEMMVIZ_QUIET void memcpy_async(const Group &group, T *to, const U *from,
				const Bytes &count)
{
	size_t bytes = count, at = group.thread_rank();
	size_t piece = ((size_t)to | (size_t)from | bytes) % 16 ? 4 : 16;

	for (; at < bytes / piece; at += group.size())
		gemmviz_copy_async((char *)to + at * piece,
				   (const char *)from + at * piece, piece, 0,
				   GEMMVIZ_HERE);
	gemmviz_copy_commit();
}
template <unsigned int But, class Group>
GEMMVIZ_QUIET void wait_prior(const Group &)
{
	gemmviz_copy_wait(But, (char *)GEMMVIZ_HERE - 1);
	gemmviz_syncthreads(GEMMVIZ_HERE);
}
template <class Group> GEMMVIZ_QUIET void wait(const Group &)
{
	gemmviz_copy_wait(0, (char *)GEMMVIZ_HERE - 1);
	gemmviz_syncthreads(GEMMVIZ_HERE);
}

}

#endif
