/*
 * runtime_array: a program's CUDA arrays, textures and surfaces. See texture.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cudart/runtime.h"
#include "cudart/texture.h"

/* What handles are counted from: no small number is one by accident. */
#define HANDLES 0x7e00000000ull

static struct texture **objects;
static size_t object_count, object_capacity;

struct texture *texture_at(uint64_t handle)
{
	uint64_t i = handle - HANDLES;

	return i < object_count && objects[i]->live ? objects[i] : NULL;
}

static uint32_t format_bytes(const struct cudaChannelFormatDesc *f)
{
	return (uint32_t)(f->x + f->y + f->z + f->w) / 8;
}

/* Checks that all channels have one width, and that there are one, two or four
 * of them. */
static bool format_known(const struct cudaChannelFormatDesc *f)
{
	int n = 1 + (f->y != 0) + (f->z != 0) + (f->w != 0);

	return (f->x == 8 || f->x == 16 || f->x == 32) && n != 3 &&
	       (n < 2 || f->y == f->x) && (n < 4 || f->w == f->x) &&
	       (n < 4 || f->z == f->x) &&
	       (unsigned)f->f <= cudaChannelFormatKindFloat &&
	       (f->f != cudaChannelFormatKindFloat || f->x != 8);
}

cudaError_t gemmviz_array(cudaArray_t *to,
			  const struct cudaChannelFormatDesc *format,
			  struct cudaExtent e, unsigned int flags,
			  const char *file, int line);
cudaError_t gemmviz_array(cudaArray_t *to,
			  const struct cudaChannelFormatDesc *format,
			  struct cudaExtent e, unsigned int flags,
			  const char *file, int line)
{
	const char *what = e.depth ? "cudaMalloc3DArray" : "cudaMallocArray";
	struct place at = program_place(file, line);
	struct cudaArray *a;
	size_t rows = MAX(e.height, 1) * MAX(e.depth, 1);

	if (!to || !format_known(format) || !e.width ||
	    e.width > INT32_MAX / 16 || rows > INT32_MAX)
		return runtime_done(cudaErrorInvalidValue, what, file, line);
	a = xcalloc(1, sizeof(*a));
	*a = (struct cudaArray) { .format = *format, .extent = e,
				  .flags = flags,
				  .pitch = e.width * format_bytes(format) };
	a->memory = device_allocate(ALLOCATION_DEVICE, a->pitch * rows, at);
	if (!a->memory) {
		free(a);
		return runtime_done(cudaErrorMemoryAllocation, what, file,
				    line);
	}
	*to = a;
	return runtime_done(0, what, file, line);
}

/* Frees the array's memory. The array itself is kept: a texture may still be of
 * it. */
cudaError_t cudaFreeArray(cudaArray_t a, const char *file, int line);
cudaError_t cudaFreeArray(cudaArray_t a, const char *file, int line)
{
	int error = a && !a->memory->live ? cudaErrorInvalidValue : 0;

	stream_finish_all();
	if (a && !error)
		device_free(a->memory, program_place(file, line));
	return runtime_done(error, "cudaFreeArray", file, line);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format,
			     struct cudaExtent *e, unsigned int *flags,
			     cudaArray_t a, const char *file, int line);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format,
			     struct cudaExtent *e, unsigned int *flags,
			     cudaArray_t a, const char *file, int line)
{
	if (format)
		*format = a->format;
	if (e)
		*e = a->extent;
	if (flags)
		*flags = a->flags;
	return runtime_done(0, "cudaArrayGetInfo", file, line);
}

/* ---- copies ---- */

uint32_t array_element_bytes(const struct cudaArray *a)
{
	return format_bytes(&a->format);
}

/* Checks that a box is within an array, whose rows are as wide as it is: what
 * lies beyond one is not the next one's. */
static int check_fits(const struct cudaArray *a, size_t x, size_t y,
		      size_t width, size_t height)
{
	size_t rows = a->memory->bytes / a->pitch;

	return x <= a->pitch && width <= a->pitch - x && y <= rows &&
	       height <= rows - y ? 0 : cudaErrorInvalidValue;
}

/* Splits what has no height into whole rows. */
static int split_rows(const struct cudaArray *a, size_t x, size_t *pitch,
		      size_t *width, size_t *height)
{
	if (*height)
		return 0;
	*height = 1;
	*pitch = *width;
	if (*width > a->pitch) {
		if (x || *width % a->pitch)
			return cudaErrorInvalidValue;
		*height = *width / a->pitch;
		*width = *pitch = a->pitch;
	}
	return 0;
}

cudaError_t gemmviz_array_copy(cudaArray_t to, size_t x, size_t y,
			       const void *from, size_t pitch, size_t width,
			       size_t height, enum cudaMemcpyKind kind,
			       cudaStream_t s, int async, const char *what,
			       const char *file, int line);
cudaError_t gemmviz_array_copy(cudaArray_t to, size_t x, size_t y,
			       const void *from, size_t pitch, size_t width,
			       size_t height, enum cudaMemcpyKind kind,
			       cudaStream_t s, int async, const char *what,
			       const char *file, int line)
{
	int error = split_rows(to, x, &pitch, &width, &height);

	if (!error)
		error = check_fits(to, x, y, width, height);
	if (error)
		return runtime_done(error, what, file, line);
	return gemmviz_copy_rows((char *)to->memory->lo + y * to->pitch + x,
				 to->pitch, from, pitch, width, height, kind,
				 s, async, what, file, line);
}

cudaError_t gemmviz_array_copy_from(void *to, size_t pitch, cudaArray_t from,
				    size_t x, size_t y, size_t width,
				    size_t height, enum cudaMemcpyKind kind,
				    cudaStream_t s, int async, const char *what,
				    const char *file, int line);
cudaError_t gemmviz_array_copy_from(void *to, size_t pitch, cudaArray_t from,
				    size_t x, size_t y, size_t width,
				    size_t height, enum cudaMemcpyKind kind,
				    cudaStream_t s, int async, const char *what,
				    const char *file, int line)
{
	int error = split_rows(from, x, &pitch, &width, &height);

	if (!error)
		error = check_fits(from, x, y, width, height);
	if (error)
		return runtime_done(error, what, file, line);
	return gemmviz_copy_rows(to, pitch, (char *)from->memory->lo +
				 y * from->pitch + x, from->pitch, width,
				 height, kind, s, async, what, file, line);
}

static void side_as_rows(const struct cudaArray *a, struct cudaPos *at,
			 struct cudaPitchedPtr *to)
{
	at->x *= array_element_bytes(a);
	*to = (struct cudaPitchedPtr) {
		(void *)a->memory->lo, a->pitch, a->pitch,
		MAX(a->extent.height, 1) };
}

/* Changes a box that counts in elements of an array into one that counts in
 * bytes of memory. */
int array_box(struct cudaMemcpy3DParms *p)
{
	cudaArray_t to = p->dstArray, from = p->srcArray;
	int error = 0;

	if (to || from)
		p->extent.width *= array_element_bytes(to ? to : from);
	if (to) {
		side_as_rows(to, &p->dstPos, &p->dstPtr);
		error = check_fits(to, p->dstPos.x, p->dstPos.y,
				   p->extent.width, p->extent.height);
	}
	if (from && !error) {
		side_as_rows(from, &p->srcPos, &p->srcPtr);
		error = check_fits(from, p->srcPos.x, p->srcPos.y,
				   p->extent.width, p->extent.height);
	}
	p->dstArray = p->srcArray = NULL;
	return error;
}

/* ---- textures ---- */

static int of_array(struct texture *t, const struct cudaArray *a)
{
	if (!a || !a->memory->live)
		return cudaErrorInvalidValue;
	t->format = a->format;
	t->memory = a->memory->lo;
	t->pitch = a->pitch;
	t->size[0] = (int)a->extent.width;
	t->size[1] = (int)MAX(a->extent.height, 1);
	t->size[2] = (int)MAX(a->extent.depth, 1);
	return 0;
}

static int of_memory(struct texture *t, const void *p,
		     const struct cudaChannelFormatDesc *format, size_t width,
		     size_t height, size_t pitch)
{
	if (!p || !format_known(format) || width > INT32_MAX ||
	    height > INT32_MAX)
		return cudaErrorInvalidValue;
	t->format = *format;
	t->memory = (uintptr_t)p;
	t->pitch = pitch;
	t->size[0] = (int)width;
	t->size[1] = (int)height;
	t->size[2] = 1;
	return 0;
}

static int resource(struct texture *t, const struct cudaResourceDesc *r,
		    struct place at)
{
	t->resource = *r;
	switch (r->resType) {
	case cudaResourceTypeArray:
		return of_array(t, r->res.array.array);
	case cudaResourceTypeLinear:
		return of_memory(t, r->res.linear.devPtr, &r->res.linear.desc,
				 r->res.linear.sizeInBytes /
				 MAX(format_bytes(&r->res.linear.desc), 1), 1,
				 r->res.linear.sizeInBytes);
	case cudaResourceTypePitch2D:
		return of_memory(t, r->res.pitch2D.devPtr,
				 &r->res.pitch2D.desc, r->res.pitch2D.width,
				 r->res.pitch2D.height,
				 r->res.pitch2D.pitchInBytes);
	default:
		program_unplayed(at, "textures of mipmapped arrays");
	}
}

static uint64_t object_add(const struct texture *t)
{
	grow(&objects, &object_capacity, object_count + 1, sizeof(*objects));
	objects[object_count] = xcalloc(1, sizeof(*t));
	*objects[object_count] = *t;
	return HANDLES + object_count++;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *to,
				    const struct cudaResourceDesc *r,
				    const struct cudaTextureDesc *how,
				    const struct cudaResourceViewDesc *view,
				    const char *file, int line);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *to,
				    const struct cudaResourceDesc *r,
				    const struct cudaTextureDesc *how,
				    const struct cudaResourceViewDesc *view,
				    const char *file, int line)
{
	struct place at = program_place(file, line);
	struct texture t = { .live = true, .how = *how, .made = at };
	int error = resource(&t, r, at);

	if (view)
		program_unplayed(at, "textures with a view "
				 "(cudaResourceViewDesc)");
	if (how->sRGB)
		program_unplayed(at, "textures with sRGB colours");
	t.normalized = how->readMode == cudaReadModeNormalizedFloat &&
		       t.format.f != cudaChannelFormatKindFloat;
	if (t.normalized && t.format.x == 32)
		error = cudaErrorInvalidValue;
	if (how->filterMode == cudaFilterModeLinear && !t.normalized &&
	    t.format.f != cudaChannelFormatKindFloat)
		error = cudaErrorInvalidValue;
	if (!error) {
		*to = object_add(&t);
		if (r->resType == cudaResourceTypeArray)
			program_problem((struct program_fault) {
				.kind = "texture", .at = at });
	}
	return runtime_done(error, "cudaCreateTextureObject", file, line);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *to,
				    const struct cudaResourceDesc *r,
				    const char *file, int line);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *to,
				    const struct cudaResourceDesc *r,
				    const char *file, int line)
{
	struct place at = program_place(file, line);
	struct texture t = { .live = true, .surface = true, .made = at };
	int error = r->resType == cudaResourceTypeArray ?
		    resource(&t, r, at) : cudaErrorInvalidValue;

	if (!error) {
		*to = object_add(&t);
		program_problem((struct program_fault) {
			.kind = "texture", .at = at });
	}
	return runtime_done(error, "cudaCreateSurfaceObject", file, line);
}

static cudaError_t destroy_object(uint64_t handle, const char *what,
				  const char *file, int line)
{
	struct texture *t = texture_at(handle);

	if (t)
		t->live = false;
	return runtime_done(t || !handle ? 0 : cudaErrorInvalidValue, what,
			    file, line);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t, const char *file,
				     int line);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t, const char *file,
				     int line)
{
	return destroy_object(t, "cudaDestroyTextureObject", file, line);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t s, const char *file,
				     int line);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t s, const char *file,
				     int line)
{
	return destroy_object(s, "cudaDestroySurfaceObject", file, line);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *to,
					     cudaTextureObject_t handle,
					     const char *file, int line);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *to,
					     cudaTextureObject_t handle,
					     const char *file, int line)
{
	const struct texture *t = texture_at(handle);

	if (t)
		*to = t->resource;
	return runtime_done(t ? 0 : cudaErrorInvalidValue,
			    "cudaGetTextureObjectResourceDesc", file, line);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *to,
					    cudaTextureObject_t handle,
					    const char *file, int line);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *to,
					    cudaTextureObject_t handle,
					    const char *file, int line)
{
	const struct texture *t = texture_at(handle);

	if (t)
		*to = t->how;
	return runtime_done(t ? 0 : cudaErrorInvalidValue,
			    "cudaGetTextureObjectTextureDesc", file, line);
}
