/*
 * runtime_pool: memory pools, and memory that is allocated in the order of a
 * stream (cuda/gemmviz_pool.h). A pool only counts what it has: each allocation
 * is one like any other, made at once.
 */
#include <stdlib.h>

#include <gemmviz_pool_types.h>

#include "cudart/devices.h"
#include "cudart/runtime.h"

/* A pool takes memory of the system in pieces of this size. */
#define PIECE (32ull << 20)
enum { REUSE_LAST = cudaMemPoolReuseAllowInternalDependencies,
       THRESHOLD = cudaMemPoolAttrReleaseThreshold,
       RESERVED = cudaMemPoolAttrReservedMemCurrent,
       RESERVED_HIGH = cudaMemPoolAttrReservedMemHigh,
       USED = cudaMemPoolAttrUsedMemCurrent,
       USED_HIGH = cudaMemPoolAttrUsedMemHigh, ATTRIBUTES };

struct CUmemPoolHandle_st {
	uint64_t number[ATTRIBUTES];	/* those of THRESHOLD and above */
	int reuse[REUSE_LAST + 1];
	uint64_t most;			/* 0: without a limit */
	uint32_t device;		/* whose memory it has */
	/* A bit for each other device that may use it: to let devices use each
	 * other's memory does not let them use that of pools. */
	uint32_t access;
	bool gone;
};

#define REUSE { 1, 1, 1, 1 }
/* The own pool of each device, and the one that it allocates from: NULL, its
 * own. */
static struct CUmemPoolHandle_st device_pool[DEVICES_MOST];
static cudaMemPool_t current[DEVICES_MOST];

/* A bit for each device that some pool of another lets use it. */
static uint32_t pools_shared;

static cudaMemPool_t own_pool(uint32_t device)
{
	cudaMemPool_t p = &device_pool[device];

	if (!p->reuse[REUSE_LAST])
		*p = (struct CUmemPoolHandle_st) { .reuse = REUSE,
						   .device = device };
	return p;
}

static cudaMemPool_t pool_of(uint32_t device)
{
	return current[device] ? current[device] : own_pool(device);
}

static uint64_t round_to_pieces(uint64_t bytes)
{
	return (bytes + PIECE - 1) / PIECE * PIECE;
}

static void most_note(cudaMemPool_t p)
{
	p->number[RESERVED] =
		MAX(p->number[RESERVED], round_to_pieces(p->number[USED]));
	p->number[RESERVED_HIGH] = MAX(p->number[RESERVED_HIGH],
				       p->number[RESERVED]);
	p->number[USED_HIGH] = MAX(p->number[USED_HIGH], p->number[USED]);
}

/* Gives back memory beyond `keep` bytes that is not in use. */
static void trim_pool(cudaMemPool_t p, uint64_t keep)
{
	if (keep < p->number[RESERVED])
		p->number[RESERVED] = MAX(round_to_pieces(p->number[USED]),
					  round_to_pieces(keep));
}

cudaError_t gemmviz_malloc_async(void **to, size_t bytes, cudaMemPool_t pool,
				 cudaStream_t s, const char *file, int line);
cudaError_t gemmviz_malloc_async(void **to, size_t bytes, cudaMemPool_t pool,
				 cudaStream_t s, const char *file, int line)
{
	uint32_t was = devices.current;
	cudaMemPool_t p = pool ? pool : pool_of(stream_device(s));
	cudaError_t error;

	if (graph_captures(s)) {
		devices.current = p->device;
		error = graph_capture_malloc(to, bytes, s, file, line);
		devices.current = was;
		return error;
	}
	error = p->gone ? cudaErrorInvalidValue :
		p->most && bytes > p->most - p->number[USED] ?
		cudaErrorMemoryAllocation :
		(cudaError_t)graph_capture_break(CAPTURE_UNSAFE);
	if (error)
		return runtime_done(error, "cudaMallocAsync", file, line);
	devices.current = p->device;
	error = gemmviz_malloc(to, bytes, ALLOCATION_DEVICE, file, line);
	devices.current = was;
	if (error || !*to)
		return error;
	device_at((uintptr_t)*to)->pool = p;
	p->number[USED] += bytes;
	most_note(p);
	return 0;
}

void runtime_pool_freed(const struct allocation *a)
{
	cudaMemPool_t p = a->pool;

	if (!p)
		return;
	p->number[USED] -= a->bytes;
	trim_pool(p, p->number[THRESHOLD]);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *to, int device,
					const char *file, int line);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *to, int device,
					const char *file, int line)
{
	if (device_is(device))
		*to = own_pool((uint32_t)device);
	return runtime_done(device_is(device) ? 0 : cudaErrorInvalidDevice,
			    "cudaDeviceGetDefaultMemPool", file, line);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *to, int device,
				 const char *file, int line);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *to, int device,
				 const char *file, int line)
{
	if (device_is(device))
		*to = pool_of((uint32_t)device);
	return runtime_done(device_is(device) ? 0 : cudaErrorInvalidDevice,
			    "cudaDeviceGetMemPool", file, line);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t p, const char *file,
				 int line);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t p, const char *file,
				 int line)
{
	bool there = device_is(device);
	bool good = there && p && !p->gone && p->device == (uint32_t)device;

	if (good)
		current[device] = p;
	return runtime_done(!there ? cudaErrorInvalidDevice :
			    good ? 0 : cudaErrorInvalidValue,
			    "cudaDeviceSetMemPool", file, line);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *to,
			      const struct cudaMemPoolProps *how,
			      const char *file, int line);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *to,
			      const struct cudaMemPoolProps *how,
			      const char *file, int line)
{
	bool good = how->allocType == cudaMemAllocationTypePinned &&
		    how->location.type == cudaMemLocationTypeDevice &&
		    device_is(how->location.id);

	if (good) {
		*to = xcalloc(1, sizeof(**to));
		**to = (struct CUmemPoolHandle_st) {
			.reuse = REUSE, .most = round_to_pieces(how->maxSize),
			.device = (uint32_t)how->location.id };
	}
	return runtime_done(good ? 0 : cudaErrorInvalidValue,
			    "cudaMemPoolCreate", file, line);
}

/* Destroys a pool; what it has allocated stays until it is freed. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t p, const char *file, int line);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t p, const char *file, int line)
{
	bool good = p && !p->gone && p != own_pool(p->device);

	if (good)
		p->gone = true;
	if (good && current[p->device] == p)
		current[p->device] = NULL;
	return runtime_done(good ? 0 : cudaErrorInvalidValue,
			    "cudaMemPoolDestroy", file, line);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t p, size_t keep, const char *file,
			      int line);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t p, size_t keep, const char *file,
			      int line)
{
	trim_pool(p, keep);
	return runtime_done(0, "cudaMemPoolTrimTo", file, line);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t p, enum cudaMemPoolAttr which,
				    void *value, const char *file, int line);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t p, enum cudaMemPoolAttr which,
				    void *value, const char *file, int line)
{
	int error = 0;

	if ((int)which <= REUSE_LAST)
		p->reuse[which] = *(const int *)value;
	else if ((int)which == THRESHOLD)
		p->number[which] = *(const uint64_t *)value;
	/* What was reached most is forgotten, and nothing else. */
	else if (((int)which == RESERVED_HIGH || (int)which == USED_HIGH) &&
		 !*(const uint64_t *)value)
		p->number[which] = p->number[which - 1];
	else
		error = cudaErrorInvalidValue;
	return runtime_done(error, "cudaMemPoolSetAttribute", file, line);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t p, enum cudaMemPoolAttr which,
				    void *to, const char *file, int line);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t p, enum cudaMemPoolAttr which,
				    void *to, const char *file, int line)
{
	bool known = (int)which >= 1 && (int)which < ATTRIBUTES;

	if (known && (int)which <= REUSE_LAST)
		*(int *)to = p->reuse[which];
	else if (known)
		*(uint64_t *)to = p->number[which];
	return runtime_done(known ? 0 : cudaErrorInvalidValue,
			    "cudaMemPoolGetAttribute", file, line);
}

/* Sets what kernels of other devices may do with all that a pool has. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t p,
				 const struct cudaMemAccessDesc *list,
				 size_t count, const char *file, int line);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t p,
				 const struct cudaMemAccessDesc *list,
				 size_t count, const char *file, int line)
{
	uint32_t access = p->access;
	bool good = true;

	for (size_t i = 0; i < count && good; i++) {
		int device = list[i].location.id;
		bool all = list[i].flags == cudaMemAccessFlagsProtReadWrite;

		good = list[i].location.type == cudaMemLocationTypeDevice &&
		       device_is(device) &&
		       (all || (list[i].flags == cudaMemAccessFlagsProtNone &&
				(uint32_t)device != p->device));
		if (good && all)
			access |= 1u << device;
		else if (good)
			access &= ~(1u << device);
	}
	if (good) {
		p->access = access;
		pools_shared |= access & ~(1u << p->device);
	}
	return runtime_done(good ? 0 : cudaErrorInvalidValue,
			    "cudaMemPoolSetAccess", file, line);
}

bool runtime_pool_shared(uint32_t device)
{
	return pools_shared >> device & 1;
}

bool runtime_pool_access(const struct allocation *a, uint32_t device)
{
	return a->pool && (a->pool->access >> device & 1);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *to, cudaMemPool_t p,
				 struct cudaMemLocation *of, const char *file,
				 int line);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *to, cudaMemPool_t p,
				 struct cudaMemLocation *of, const char *file,
				 int line)
{
	bool good = of->type == cudaMemLocationTypeDevice && device_is(of->id);

	if (good)
		*to = (uint32_t)of->id == p->device ||
		      (p->access >> of->id & 1) ?
		      cudaMemAccessFlagsProtReadWrite :
		      cudaMemAccessFlagsProtNone;
	return runtime_done(good ? 0 : cudaErrorInvalidValue,
			    "cudaMemPoolGetAccess", file, line);
}
