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

/* Has the recorder use the device's memory; before any launch. */
void runtime_begin(void);
const char *runtime_error_name(int error);
/* Notes a failed call's error, and returns it; what a kernel has spoilt before
 * comes first. */
cudaError_t runtime_done(int error, const char *what, const char *file,
			 int line);
/* How many blocks of so many threads the GPU that is played has at once. */
uint32_t runtime_resident(uint32_t threads, uint64_t shared);
/* The properties of the GPU that is played. */
void runtime_properties(struct cudaDeviceProp *p);
/* Copies rows, with all checks; a cudaError_t. */
int runtime_copy(void *to, size_t to_pitch, const void *from,
		 size_t from_pitch, size_t width, size_t height,
		 enum cudaMemcpyKind kind, const char *what, struct place at);
/* The same of a box; rows as a box. Sets elements of 1, 2 or 4 bytes. */
int runtime_copy_box(const struct cudaMemcpy3DParms *p, cudaStream_t s,
		     bool async, const char *what, struct place at);
void runtime_box(struct cudaMemcpy3DParms *p, void *to, size_t to_pitch,
		 const void *from, size_t from_pitch, size_t width,
		 size_t height, enum cudaMemcpyKind kind);
int runtime_set(const struct cudaMemsetParams *p, cudaStream_t s, bool async,
		const char *what, struct place at);

/* runtime_pool.c: what a pool had allocated is freed. */
void runtime_pool_freed(const struct allocation *a);
/* Whether the pool that it is from lets this device use it; whether one of
 * another device's lets it. */
bool runtime_pool_access(const struct allocation *a, uint32_t device);
bool runtime_pool_shared(uint32_t device);
cudaError_t gemmviz_malloc(void **to, size_t bytes, int kind, const char *file,
			   int line);
cudaError_t gemmviz_copy_rows(void *to, size_t to_pitch, const void *from,
			      size_t from_pitch, size_t width, size_t height,
			      enum cudaMemcpyKind kind, cudaStream_t s,
			      int async, const char *what, const char *file,
			      int line);

/* Notes what is wrong with memory that `what` was given; a: its allocation, or
 * NULL. */
void runtime_failed(const char *kind, const char *what, struct place at,
		    const struct allocation *a, uint64_t bytes);
/* Frees it. */
void runtime_release(struct allocation *a, struct place at);
/* Notes that it is one that the device may not use. */
void runtime_foreign(const struct allocation *a, uint32_t device,
		     const char *what, struct place at);
/* Notes that so many bytes from p on are not all there; 0: they are. */
int runtime_span(const void *p, uint64_t bytes, const char *what,
		 struct place at);
/* Notes a copy between two devices that goes through the host. */
void runtime_peer_copy(uint32_t to, uint32_t from, struct place at);
/* program_launch.c: which device a launch that is configured is of. */
void device_of_launch(struct launch_config *c);
/* What a stream calls comes behind the stream's work. */
void gemmviz_callback(cudaStream_t s, cudaStreamCallback_t f,
		      cudaHostFn_t other, void *with);

/* ---- runtime_library.c: what CUDA's libraries do ---- */

/* Memory that a function of a library uses. */
struct runtime_use {
	const void *p;
	uint64_t bytes;
	bool writes;
};
/* Whether the device has all of it. */
bool runtime_there(const void *p, uint64_t bytes);
/* Whether it has all that the function uses, which is noted as work of the
 * stream; or what it has not is. */
bool runtime_uses(cudaStream_t s, const struct runtime_use *uses, size_t count,
		  const char *what, struct place at);
/* Ends the program, as the host's own access would, if that is memory which only
 * kernels may use. */
void runtime_host_uses(const void *p, bool writes, struct place at);
/* Notes that it failed; returns the status. */
int runtime_fails(const char *what, struct place at, int status);

/* Whether it is one of a module's data, which stand behind its code: kernels run
 * in the program's module or in the recorder's. */
bool runtime_in_module(const void *p);

/* ---- runtime_capture.c: work that is put into a graph in place of done ---- */

/* Whether a stream's work is. */
bool graph_captures(cudaStream_t s);
/* An event in a stream that is captured: what is captured before it. A stream
 * that waits for it is captured, too. */
void graph_capture_event(cudaStream_t s, struct stream_clock *to);
void graph_capture_join(cudaStream_t s, const struct stream_clock *event);
/* Ends the program if any stream's is: the call would be done at once. */
void graph_refuse(struct place at, const char *what);

/* Calls that may break what is captured. */
enum capture_call {
	CAPTURE_UNSAFE,	/* that a relaxed capture alone allows */
	CAPTURE_WAIT,	/* waits for a stream that is captured, or for all */
	CAPTURE_EVENT,	/* waits for an event that is recorded in one */
};
/* CUDA's error if it breaks it; 0: nothing is captured, or it may be called.
 * What breaks what was measured on an H100 with CUDA 13.0. */
int graph_capture_break(enum capture_call what);
/* The same of work that is begun in a stream: in the legacy default one. */
int graph_capture_work(cudaStream_t s);
void graph_capture_launch(const struct entry_call *c,
			  const struct program_kernel *k,
			  const struct launch_config *config);
void graph_capture_copy(const struct cudaMemcpy3DParms *p, cudaStream_t s,
			struct place at);
void graph_capture_set(const struct cudaMemsetParams *p, cudaStream_t s,
		       struct place at);
void graph_capture_host(cudaHostFn_t f, void *with, cudaStream_t s);
/* graph_memory.c: the same of memory, from the device that is current. */
cudaError_t graph_capture_malloc(void **to, size_t bytes, cudaStream_t s,
				 const char *file, int line);
cudaError_t graph_capture_free(void *p, cudaStream_t s, const char *file,
			       int line);
/* What a graph has allocated is freed. */
void graph_memory_freed(const struct allocation *a);

#endif
