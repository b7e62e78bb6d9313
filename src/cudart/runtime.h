/*
 * runtime: the functions of the CUDA runtime that a program's host calls
 * (cuda/gemmviz_runtime.h), done at once and in order: no work of a stream is
 * ever left. An error of a call is returned as CUDA would, and reported.
 */
#ifndef CUDART_RUNTIME_H
#define CUDART_RUNTIME_H

#include <gemmviz_runtime_types.h>

#include "cudart/program.h"
#include "cudart/stream_order.h"

#define CUDA_ERROR_VALUE cudaErrorInvalidValue
#define CUDA_ERROR_CONFIGURATION cudaErrorInvalidConfiguration
#define CUDA_ERROR_LAUNCH cudaErrorLaunchFailure
#define CUDA_ERROR_TIMEOUT cudaErrorLaunchTimeout

/* Has the recorder use the device's memory; before any launch. */
void runtime_begin(void);
const char *runtime_error_name(int error);
/* Sets a failed call's error as the program's last one, and returns it; what a
 * kernel has spoilt before comes first. */
cudaError_t runtime_done(int error, const char *what, const char *file,
			 int line);
/* Returns how many blocks of `threads` threads the emulated GPU has at once. */
uint32_t runtime_resident(uint32_t threads, uint64_t shared);
/* Fills in the properties of the emulated GPU. */
void runtime_properties(struct cudaDeviceProp *p);
/* Copies rows, with all checks; a cudaError_t. */
int runtime_copy(void *to, size_t to_pitch, const void *from,
		 size_t from_pitch, size_t width, size_t height,
		 enum cudaMemcpyKind kind, const char *what, struct place at);
/* Copies a box, and makes a box of rows; sets elements of 1, 2 or 4 bytes. Each
 * returns a cudaError_t. */
int runtime_copy_box(const struct cudaMemcpy3DParms *p, cudaStream_t s,
		     bool async, const char *what, struct place at);
void runtime_box(struct cudaMemcpy3DParms *p, void *to, size_t to_pitch,
		 const void *from, size_t from_pitch, size_t width,
		 size_t height, enum cudaMemcpyKind kind);
int runtime_set(const struct cudaMemsetParams *p, cudaStream_t s, bool async,
		const char *what, struct place at);

/* Updates the pool that freed memory is from (runtime_pool.c). */
void runtime_pool_freed(const struct allocation *a);
/* Returns whether the pool that memory is from lets this device use it; whether
 * a pool of any other device lets it. */
bool runtime_pool_access(const struct allocation *a, uint32_t device);
bool runtime_pool_shared(uint32_t device);
cudaError_t gemmviz_malloc(void **to, size_t bytes, int kind, const char *file,
			   int line);
cudaError_t gemmviz_copy_rows(void *to, size_t to_pitch, const void *from,
			      size_t from_pitch, size_t width, size_t height,
			      enum cudaMemcpyKind kind, cudaStream_t s,
			      int async, const char *what, const char *file,
			      int line);

/* Reports what is wrong with memory that `what` was given; a: its allocation,
 * or NULL. */
void runtime_failed(const char *kind, const char *what, struct place at,
		    const struct allocation *a, uint64_t bytes);
/* Frees an allocation. */
void runtime_release(struct allocation *a, struct place at);
/* Reports an allocation that the device may not use. */
void runtime_foreign(const struct allocation *a, uint32_t device,
		     const char *what, struct place at);
/* Checks that `bytes` from p on are all there, and reports it if they are not;
 * 0: they are. */
int runtime_span(const void *p, uint64_t bytes, const char *what,
		 struct place at);
/* Reports a copy between two devices that goes through the host. */
void runtime_peer_copy(uint32_t to, uint32_t from, struct place at);
/* Sets which device a launch that is configured is of (program_launch.c). */
void device_of_launch(struct launch_config *c);
/* Calls a function of the host's, after the stream's work. */
void gemmviz_callback(cudaStream_t s, cudaStreamCallback_t f,
		      cudaHostFn_t other, void *with);

/* ---- runtime_library.c: what CUDA's libraries do ---- */

/* Memory that a function of a library uses. */
struct runtime_use {
	const void *p;
	uint64_t bytes;
	bool writes;
};
/* Returns whether the device has all of it. */
bool runtime_there(const void *p, uint64_t bytes);
/* Checks that the device has all that a function uses, and adds it as work of
 * the stream; false: it has not, which is reported. */
bool runtime_uses(cudaStream_t s, const struct runtime_use *uses, size_t count,
		  const char *what, struct place at);
/* Ends the program, as an access of the host would, if this is memory that only
 * kernels may use. */
void runtime_host_uses(const void *p, bool writes, struct place at);
/* Reports that the function failed; returns the status. */
int runtime_fails(const char *what, struct place at, int status);

/* Returns whether this is in the data of a module, which follow its code:
 * kernels run in the program's module or in the recorder's. */
bool runtime_in_module(const void *p);

/* ---- runtime_capture.c: work that goes into a graph instead of being done
 * ---- */

/* Returns whether a stream's work is captured. */
bool graph_captures(cudaStream_t s);
/* Gets what is captured before an event in a stream; a stream that waits for
 * the event joins the capture. */
void graph_capture_event(cudaStream_t s, struct stream_clock *to);
void graph_capture_join(cudaStream_t s, const struct stream_clock *event);
/* Ends the program if any stream is captured: the call would be done at
 * once. */
void graph_refuse(struct place at, const char *what);

/* Calls that may break what is captured. */
enum capture_call {
	CAPTURE_UNSAFE,	/* that a relaxed capture alone allows */
	CAPTURE_WAIT,	/* waits for a stream that is captured, or for all */
	CAPTURE_EVENT,	/* waits for an event that is recorded in one */
};
/* Returns CUDA's error if the call breaks what is captured; 0: nothing is
 * captured, or the call is allowed. Which calls break a capture was measured on
 * an H100 with CUDA 13.0. */
int graph_capture_break(enum capture_call what);
/* Returns likewise for work that is begun in a stream: in the legacy default
 * one. */
int graph_capture_work(cudaStream_t s);
void graph_capture_launch(const struct stub_call *c,
			  const struct program_kernel *k,
			  const struct launch_config *config);
void graph_capture_copy(const struct cudaMemcpy3DParms *p, cudaStream_t s,
			struct place at);
void graph_capture_set(const struct cudaMemsetParams *p, cudaStream_t s,
		       struct place at);
void graph_capture_host(cudaHostFn_t f, void *with, cudaStream_t s);
/* Captures allocating and freeing memory of the current device
 * (graph_memory.c). */
cudaError_t graph_capture_malloc(void **to, size_t bytes, cudaStream_t s,
				 const char *file, int line);
cudaError_t graph_capture_free(void *p, cudaStream_t s, const char *file,
			       int line);
/* Updates the graph that has allocated freed memory. */
void graph_memory_freed(const struct allocation *a);

#endif
