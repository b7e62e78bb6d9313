/* tensor: a matrix's tensor map for TMA, as ptx.h's tensor_map holds it. */
#ifndef GPU_DEVICE_TENSOR_H
#define GPU_DEVICE_TENSOR_H

#include "record/debug.h"
#include "gpu/device/cuda.h"

/* Describes a row-major matrix of this type (DEBUG_TENSOR_MAP) in the GPU's
 * memory. -1 with e: EXIT_USAGE if no tensor map can describe such a matrix or
 * box, or none on this GPU. */
int tensor_map(CUtensorMap *to, const struct debug_var *v, CUdeviceptr at,
	       int rows, int columns, struct error *e);

#endif
