/*
 * texture: what a kernel reads through a texture or a surface (CUDA C++
 * Programming Guide, "Texture and Surface Memory" and "Texture Fetching").
 * Fractions of texels, and the weights of the four that are mixed in two
 * dimensions, have 8 bits after the point and are rounded to the nearest, as an
 * H200 does. Each texel that is read is a load of memory. An array's texels lie
 * row by row, for the order in which a GPU has them is not public.
 */
#ifndef CUDART_TEXTURE_H
#define CUDART_TEXTURE_H

#include <gemmviz_runtime_types.h>
#include <gemmviz_texture_types.h>

#include "cudart/device_memory.h"

struct cudaArray {
	struct allocation *memory;
	struct cudaChannelFormatDesc format;
	struct cudaExtent extent;	/* in elements; 0: fewer dimensions */
	unsigned flags;
	size_t pitch;			/* bytes of a row */
};

struct texture {
	bool live, surface;
	bool normalized;	/* integers are read as -1..1 or 0..1 */
	struct cudaResourceDesc resource;
	struct cudaTextureDesc how;
	struct cudaChannelFormatDesc format;
	uintptr_t memory;
	size_t pitch;
	int size[3];		/* x, y, z or layers; elements */
	struct place made;
};

/* Finds the texture or surface of a handle; NULL: there is none. Returns the
 * bytes of an array's element (runtime_array.c). */
struct texture *texture_at(uint64_t handle);
uint32_t array_element_bytes(const struct cudaArray *a);
/* Changes a box of arrays, for a copy, into one of memory that counts in bytes;
 * a cudaError_t. */
int array_box(struct cudaMemcpy3DParms *p);

#endif
