/*
 * runtime_pool: memory pools, and what is allocated in a stream's order
 * (cuda/gemmviz_pool.h). A pool is a count of what it has: each allocation is one
 * like any other, at once.
 */
#include <stdlib.h>

#include <gemmviz_pool_types.h>

#include "emu/runtime.h"

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
	bool gone;
};

#define REUSE { 1, 1, 1, 1 }
static struct CUmemPoolHandle_st device_pool = { .reuse = REUSE };
static cudaMemPool_t current = &device_pool;

static uint64_t pieces(uint64_t bytes)
{
	return (bytes + PIECE - 1) / PIECE * PIECE;
}

static void most_note(cudaMemPool_t p)
{
	p->number[RESERVED] = MAX(p->number[RESERVED],
				  pieces(p->number[USED]));
	p->number[RESERVED_HIGH] = MAX(p->number[RESERVED_HIGH],
				       p->number[RESERVED]);
	p->number[USED_HIGH] = MAX(p->number[USED_HIGH], p->number[USED]);
}

/* Gives back what is beyond so much and not in use. */
static void trim(cudaMemPool_t p, uint64_t keep)
{
	if (keep < p->number[RESERVED])
		p->number[RESERVED] = MAX(pieces(p->number[USED]),
					  pieces(keep));
}

cudaError_t gemmviz_malloc_async(void **to, size_t bytes, cudaMemPool_t pool,
				 cudaStream_t s, const char *file, int line);
cudaError_t gemmviz_malloc_async(void **to, size_t bytes, cudaMemPool_t pool,
				 cudaStream_t s, const char *file, int line)
{
	struct place at = program_place(file, line);
	cudaMemPool_t p = pool ? pool : current;
	cudaError_t error;

	if (graph_captures(s))
		program_unplayed(at, "an allocation as a node of a graph");
	if (p->gone || (p->most && p->number[USED] + bytes > p->most))
		return runtime_done(p->gone ? cudaErrorInvalidValue :
					      cudaErrorMemoryAllocation,
				    "cudaMallocAsync", file, line);
	error = gemmviz_malloc(to, bytes, ALLOCATION_DEVICE, file, line);
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
	trim(p, p->number[THRESHOLD]);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *to, int device,
					const char *file, int line);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *to, int device,
					const char *file, int line)
{
	*to = &device_pool;
	return runtime_done(device ? cudaErrorInvalidDevice : 0,
			    "cudaDeviceGetDefaultMemPool", file, line);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *to, int device,
				 const char *file, int line);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *to, int device,
				 const char *file, int line)
{
	*to = current;
	return runtime_done(device ? cudaErrorInvalidDevice : 0,
			    "cudaDeviceGetMemPool", file, line);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t p, const char *file,
				 int line);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t p, const char *file,
				 int line)
{
	bool good = p && !p->gone;

	if (good)
		current = p;
	return runtime_done(device ? cudaErrorInvalidDevice :
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
	cudaMemPool_t p = xcalloc(1, sizeof(*p));

	*p = (struct CUmemPoolHandle_st) { .reuse = REUSE,
					   .most = how->maxSize };
	*to = p;
	return runtime_done(0, "cudaMemPoolCreate", file, line);
}

/* What it has allocated stays until it is freed. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t p, const char *file, int line);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t p, const char *file, int line)
{
	bool good = p && p != &device_pool && !p->gone;

	if (good)
		p->gone = true;
	if (good && current == p)
		current = &device_pool;
	return runtime_done(good ? 0 : cudaErrorInvalidValue,
			    "cudaMemPoolDestroy", file, line);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t p, size_t keep, const char *file,
			      int line);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t p, size_t keep, const char *file,
			      int line)
{
	trim(p, keep);
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
