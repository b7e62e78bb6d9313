/*
 * runtime: the functions of the CUDA runtime that a program's host calls
 * (cuda/gemmviz_runtime.h), done at once and in order: a stream is never
 * behind. What is wrong with a call is returned as CUDA would, and noted.
 */
#ifndef EMU_RUNTIME_H
#define EMU_RUNTIME_H

#include <gemmviz_runtime_types.h>

#include "emu/program.h"
#include "emu/stream_order.h"

#define CUDA_ERROR_VALUE cudaErrorInvalidValue
#define CUDA_ERROR_CONFIGURATION cudaErrorInvalidConfiguration
#define CUDA_ERROR_LAUNCH cudaErrorLaunchFailure
#define CUDA_ERROR_TIMEOUT cudaErrorLaunchTimeout
#define SHARED_USUAL (48u << 10)	/* without opting in to more */

const char *runtime_error_name(int error);
/* Notes a failed call's error, and returns it; what a kernel has spoilt before
 * comes first. */
cudaError_t runtime_done(int error, const char *what, const char *file,
			 int line);
/* The properties of the GPU that is played. */
void runtime_properties(struct cudaDeviceProp *p);
/* Copies rows, with all checks; a cudaError_t. */
int runtime_copy(void *to, size_t to_pitch, const void *from,
		 size_t from_pitch, size_t width, size_t height,
		 enum cudaMemcpyKind kind, const char *what, struct place at);

#endif
