/*
 * record.cu: what the code that ptx.h inserts calls, on the GPU. Compiled to
 * PTX at build time (nvcc -O3 -rdc=true -ptx: nothing here calls these
 * functions); it stands in front of a kernel's own.
 *
 * `what` is a site, its top two bits the space of its address as far as the
 * instruction says it (RECORD_NOWHERE: a generic address); ~0: the thread's
 * predicate is false, nothing happens.
 */
#include "record.h"

typedef unsigned int u32;
typedef unsigned long long u64;

#define API extern "C" __device__ __noinline__
#define NOBODY (~0ull)

extern "C" {
__device__ struct record_state gemmviz_state;
}

/* The number of this thread among those that are recorded, or NOBODY. */
static __device__ __forceinline__ u64 self()
{
	const record_state &s = gemmviz_state;
	u64 block = blockIdx.x + (u64)gridDim.x *
		    (blockIdx.y + (u64)gridDim.y * blockIdx.z);
	u32 thread = threadIdx.x + blockDim.x *
		     (threadIdx.y + blockDim.y * threadIdx.z);
	u32 slot;

	if (!s.slots || !(s.warps >> thread / 32 & 1))
		return NOBODY;
	slot = ((const u32 *)s.slots)[block];
	if (slot == ~0u)
		return NOBODY;
	return (u64)slot * (blockDim.x * blockDim.y * blockDim.z) + thread;
}

static __device__ __forceinline__ void leave()
{
	asm volatile("exit;");
}

static __device__ __forceinline__ record_event *event_at(u64 me, u32 index)
{
	const record_state &s = gemmviz_state;

	if (!s.room || index >= ((const u32 *)s.room)[me])
		return 0;
	return (record_event *)s.events + ((const u64 *)s.first)[me] + index;
}

/* Up to 16 bytes, of which so many are read. */
static __device__ __forceinline__ void fetch(record_event *e, u32 bytes)
{
	u64 at = e->address;
	const unsigned char *p = (const unsigned char *)
		(e->site >> RECORD_SPACE_SHIFT == RECORD_SHARED ?
		 (u64)__cvta_shared_to_generic(at) : at);

	for (u32 i = 0; i < bytes; i++)
		e->value[i / 4] |= (u32)p[i] << 8 * (i % 4);
	e->flags |= RECORD_VALUE;
}

static __device__ __forceinline__ void same(record_event *e, u32 index)
{
	if (index && !((e[-1].site ^ (e->site - 1)) & RECORD_SITE_MASK))
		for (int i = 0; i < 4; i++)
			e->value[i] = e[-1].value[i];
	e->flags |= RECORD_VALUE;
}

/* The thread ends here when there is a flag, or its budget is spent. */
static __device__ __forceinline__ void append(u32 what, u64 address, u32 flags,
					      u32 bytes = 0)
{
	u64 me = self();
	record_event *e;
	u32 *count;

	if (me != NOBODY) {
		count = (u32 *)gemmviz_state.counts + me;
		if (*count + 1ull >= gemmviz_state.budget)
			flags |= RECORD_ENDED;
		e = event_at(me, *count);
		if (e) {
			e->address = address;
			e->site = what;
			e->flags = flags | (bytes & RECORD_BYTES_MASK)
					   << RECORD_WIDTH_SHIFT;
			for (int i = 0; i < 4; i++)
				e->value[i] = 0;
			if (!flags && bytes & RECORD_FETCH)
				fetch(e, bytes & RECORD_BYTES_MASK);
			if (!flags && bytes & RECORD_SAME)
				same(e, *count);
		}
		++*count;
	}
	if (flags)
		leave();
}

/* ---- where an address is ---- */

static __device__ __forceinline__ bool is_constant(const void *p)
{
	u32 constant, parameter;

	asm("{ .reg .pred %%q; isspacep.const %%q, %1;"
	    " selp.u32 %0, 1, 0, %%q; }" : "=r"(constant) : "l"(p));
	asm("{ .reg .pred %%q; isspacep.param %%q, %1;"
	    " selp.u32 %0, 1, 0, %%q; }" : "=r"(parameter) : "l"(p));
	return constant | parameter;
}

/* A generic address becomes that of its space; RECORD_NOWHERE: constants
 * and parameters, which are not recorded. */
static __device__ __forceinline__ u32 classify(u64 *address)
{
	const void *p = (const void *)*address;

	if (__isShared(p)) {
		*address = __cvta_generic_to_shared(p);
		return RECORD_SHARED;
	}
	if (__isLocal(p)) {
		*address = __cvta_generic_to_local(p);
		return RECORD_LOCAL;
	}
	return is_constant(p) ? RECORD_NOWHERE : RECORD_GLOBAL;
}

static __device__ __forceinline__ bool outside(u32 space, u64 address,
					       u32 bytes)
{
	const record_state &s = gemmviz_state;
	bool in = false;

	if (space == RECORD_SHARED)
		return s.shared_end && (address < s.shared_first ||
					address + bytes > s.shared_end);
	if (space != RECORD_GLOBAL || !s.range_count)
		return false;
	for (u32 i = 0; i < s.range_count; i++)
		in |= address >= s.range[i][0] &&
		      address + bytes <= s.range[i][1];
	return !in;
}

/* ---- what is called ---- */

/* Before an access of `bytes`, a power of two unless cp.async reads less. */
API void gemmviz_access(u32 what, u64 address, u32 bytes)
{
	u32 space = what >> RECORD_SPACE_SHIFT, flags = 0, how = bytes;

	if (what == ~0u)
		return;
	bytes &= RECORD_BYTES_MASK;
	if (space == RECORD_NOWHERE) {
		space = classify(&address);
		if (space == RECORD_NOWHERE)
			return;
		what |= space << RECORD_SPACE_SHIFT;
	}
	if (outside(space, address, bytes))
		flags |= RECORD_OUTSIDE;
	if (!(bytes & (bytes - 1)) && address & (bytes - 1))
		flags |= RECORD_MISALIGNED;
	append(what, address, flags, how);
}

/* Before an instruction with a rule of its own, and which it breaks. */
API void gemmviz_rule(u32 what, u64 address, u32 broken)
{
	if (what != ~0u && broken)
		append(what, address, broken);
}

/* The value of the event of this site that is `back` before the newest. */
API void gemmviz_value(u32 what, u32 back, u32 v0, u32 v1, u32 v2, u32 v3)
{
	u64 me = self();
	record_event *e;
	u32 count;

	if (what == ~0u || me == NOBODY)
		return;
	count = ((const u32 *)gemmviz_state.counts)[me];
	if (count <= back)
		return;
	e = event_at(me, count - 1 - back);
	if (!e || (e->site ^ what) & RECORD_SITE_MASK)
		return;
	e->value[0] = v0;
	e->value[1] = v1;
	e->value[2] = v2;
	e->value[3] = v3;
	e->flags |= RECORD_VALUE;
}

/* An event without an address. */
API void gemmviz_mark(u32 what)
{
	if (what != ~0u)
		append(what, 0, 0);
}

/* Where variables begin, or which lanes are waited for: nothing is touched at
 * this address. */
API void gemmviz_begin(u32 what, u64 address)
{
	if (what != ~0u)
		append(what, address, 0);
}
