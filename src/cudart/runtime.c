/*
 * runtime: errors, and launches by a pointer. See runtime.h.
 */
#include "cudart/runtime.h"

#include <stdlib.h>
#include <string.h>

#include "cudart/device_uninit.h"
#include "cudart/device_heap.h"
#include "cudart/devices.h"

void runtime_begin(void)
{
	emu_program = (struct emu_program) {
		.parked_blocks = runtime_resident,
		.heap_take = device_heap_take,
		.heap_free = device_heap_free,
		.heap_lines = device_heap_lines,
		.heap_overrun = device_heap_overrun,
		.launch_begin = device_heap_launch_begin,
		.is_unwritten = device_is_fresh,
		.end_unwritten = device_uninit_end_at,
		.end_all_unwritten = device_uninit_end_all,
	};
}

static const struct error_words {
	int number;
	const char *name, *words;
} errors[] = {
#define ERROR_WORDS(name, number, words) { number, "cuda" #name, words },
	GEMMVIZ_CUDA_ERRORS(ERROR_WORDS)
#undef ERROR_WORDS
};

static const struct error_words *find_error(int error)
{
	for (size_t i = 0; i < LENGTH(errors); i++)
		if (errors[i].number == error)
			return &errors[i];
	return NULL;
}

const char *runtime_error_name(int error)
{
	const struct error_words *w = find_error(error);

	return w ? w->name : "cudaErrorUnknown";
}

cudaError_t runtime_done(int error, const char *what, const char *file,
			 int line)
{
	if (!error && program.sticky)
		error = program.sticky;
	program_fail(error, program_place(file, line), what);
	/* The program looks at the status, which may be a kernel's failure. */
	if (error && program_uses_status(what, file, line))
		program.error_word = NULL;
	return (cudaError_t)error;
}

const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error)
{
	return find_error((int)error) ? find_error((int)error)->name :
					"unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error)
{
	return find_error((int)error) ? find_error((int)error)->words :
					"unrecognized error code";
}

cudaError_t cudaPeekAtLastError(void);
cudaError_t cudaPeekAtLastError(void)
{
	program.error_word = NULL;	/* somebody looks */
	return (cudaError_t)(program.error ? program.error : program.sticky);
}

cudaError_t cudaGetLastError(void);
cudaError_t cudaGetLastError(void)
{
	cudaError_t error = cudaPeekAtLastError();

	program.error = 0;
	return error;
}

cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceSynchronize(void)
{
	int error;

	if (emu_in_kernel())
		program_unplayed(program.config.at, "cudaDeviceSynchronize() "
				 "in a kernel (removed in CUDA 12)");
	error = graph_capture_break(CAPTURE_WAIT);
	if (error)
		return (cudaError_t)error;
	stream_finish_device(devices.current);
	if (program.sticky)
		program.error_word = NULL;
	return (cudaError_t)program.sticky;
}

/* Starts a kernel as program.config has it. */
cudaError_t gemmviz_launch_pending(const void *kernel, void **arguments,
				   const char *file, int line);
cudaError_t gemmviz_launch_pending(const void *kernel, void **arguments,
				   const char *file, int line)
{
	struct program_kernel *k = program_kernel((uintptr_t)kernel);

	if (!k)
		return runtime_done(cudaErrorInvalidDeviceFunction,
				    "cudaLaunchKernel", file, line);
	return (cudaError_t)program_launch_pointers(k, arguments);
}

cudaError_t gemmviz_launch(const void *kernel, const struct trace_dim *grid,
			   const struct trace_dim *block, void **arguments,
			   size_t shared, cudaStream_t stream, int cooperative,
			   const char *file, int line);
cudaError_t gemmviz_launch(const void *kernel, const struct trace_dim *grid,
			   const struct trace_dim *block, void **arguments,
			   size_t shared, cudaStream_t stream, int cooperative,
			   const char *file, int line)
{
	program.config = (struct launch_config) {
		.pending = true, .at = program_place(file, line),
		.grid = *grid, .block = *block, .shared = shared,
		.cooperative = cooperative, .stream = stream,
	};
	device_of_launch(&program.config);
	return gemmviz_launch_pending(kernel, arguments, file, line);
}

/* Configures a launch by attributes. Those that tell how fast, not what, are
 * ignored. */
cudaError_t gemmviz_configured_with(const cudaLaunchConfig_t *c,
				    const char *file, int line);
cudaError_t gemmviz_configured_with(const cudaLaunchConfig_t *c,
				    const char *file, int line)
{
	struct launch_config *to = &program.config;

	if (!c || (c->numAttrs && !c->attrs))
		return runtime_done(cudaErrorInvalidValue,
				    "cudaLaunchKernelEx", file, line);
	*to = (struct launch_config) {
		.pending = true, .at = program_place(file, line),
		.grid = c->gridDim, .block = c->blockDim,
		.shared = c->dynamicSmemBytes, .stream = c->stream,
	};
	device_of_launch(to);
	for (unsigned i = 0; i < c->numAttrs; i++) {
		const cudaLaunchAttribute *a = &c->attrs[i];

		if (a->id == cudaLaunchAttributeCooperative)
			to->cooperative = a->val.cooperative;
		if (a->id == cudaLaunchAttributeClusterDimension)
			to->cluster = (struct trace_dim) {
				a->val.clusterDim.x, a->val.clusterDim.y,
				a->val.clusterDim.z };
	}
	return cudaSuccess;
}

cudaError_t gemmviz_launched(void);
cudaError_t gemmviz_launched(void)
{
	return (cudaError_t)program.launched;
}
