/*
 * runtime_host_memory: the host's memory that the device may use. See runtime.h.
 */
#include "cudart/program_judge.h"
#include "cudart/runtime.h"
#include "cudart/stream_race.h"

#include <sys/mman.h>
#include <unistd.h>

/* ---- memory of the host's own ---- */

/* Finds the registered memory that overlaps a range; NULL: there is none. */
static struct allocation *find_registered(uintptr_t from, uint64_t bytes)
{
	for (size_t i = 0; i < device_memory.count; i++) {
		struct allocation *a = device_memory.list[i];

		if (a->registered && a->live && from < a->lo + a->bytes &&
		    a->lo < from + bytes)
			return a;
	}
	return NULL;
}

/* Returns whether the process has all of a range: madvise() fails where it has
 * not, and is without effect otherwise. */
static bool is_mapped(uintptr_t from, uint64_t bytes)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = from / page * page;

	return bytes <= UINTPTR_MAX - from &&
	       madvise((void *)begin, from + bytes - begin, MADV_NORMAL) == 0;
}

cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned int flags,
			     const char *file, int line);
cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned int flags,
			     const char *file, int line)
{
	const struct allocation *a = device_at((uintptr_t)p);
	int error = 0;

	(void)flags;
	judge_host_memory("cudaHostRegister", program_place(file, line));
	if (!p || !bytes || (a && a->kind == ALLOCATION_DEVICE) ||
	    !is_mapped((uintptr_t)p, bytes))
		error = cudaErrorInvalidValue;
	else if ((a && a->live) || find_registered((uintptr_t)p, bytes))
		error = cudaErrorHostMemoryAlreadyRegistered;
	else
		device_register((uintptr_t)p, bytes, program_place(file, line));
	return runtime_done(error, "cudaHostRegister", file, line);
}

cudaError_t cudaHostUnregister(void *p, const char *file, int line);
cudaError_t cudaHostUnregister(void *p, const char *file, int line)
{
	struct allocation *a = find_registered((uintptr_t)p, 1);

	if (!a || a->lo != (uintptr_t)p)
		return runtime_done(!p ? cudaErrorInvalidValue :
				    cudaErrorHostMemoryNotRegistered,
				    "cudaHostUnregister", file, line);
	stream_finish_all();
	stream_race_freed(a);
	device_unregister(a);
	return runtime_done(0, "cudaHostUnregister", file, line);
}

/* ---- pointers ---- */

cudaError_t cudaHostGetDevicePointer(void **to, void *p, unsigned int flags,
				     const char *file, int line);
cudaError_t cudaHostGetDevicePointer(void **to, void *p, unsigned int flags,
				     const char *file, int line)
{
	const struct allocation *a = device_at((uintptr_t)p);

	(void)flags;
	*to = p;
	return runtime_done(a && a->live && a->kind == ALLOCATION_HOST ? 0 :
			    cudaErrorInvalidValue, "cudaHostGetDevicePointer",
			    file, line);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *to,
				     const void *p, const char *file,
				     int line);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *to,
				     const void *p, const char *file, int line)
{
	static const enum cudaMemoryType types[] = {
		cudaMemoryTypeDevice, cudaMemoryTypeManaged,
		cudaMemoryTypeHost };
	const struct allocation *a = device_at((uintptr_t)p);
	bool known = a && a->live;

	*to = (struct cudaPointerAttributes) {
		.type = known ? types[a->kind] : cudaMemoryTypeUnregistered,
		.device = known ? (int)a->device : 0,
		.devicePointer = known ? (void *)p : NULL,
		.hostPointer = known && a->kind == ALLOCATION_DEVICE ? NULL :
			       (void *)p,
	};
	return runtime_done(0, "cudaPointerGetAttributes", file, line);
}
