/*
 * recording_memory: allocates the arrays, variables and shared memory of a
 * launch. See recording_parts.h.
 */
#include <stdlib.h>

#include "gpu/record/recording_parts.h"
#include "record/contents.h"
#include "trace/trace_format.h"

/* Bytes between variables of a module that may be for their alignment. */
#define GLOBAL_GAP 16

static int upload_bytes(CUdeviceptr *to, const void *from, uint64_t bytes,
			struct error *e)
{
	if (CUDA_TRY(e, MemAlloc, to, bytes) < 0)
		return -1;
	return CUDA_TRY(e, MemcpyHtoD, *to, from, bytes);
}

/* Adds a range of valid addresses. With more ranges than there is room for,
 * addresses are not checked. */
static void range_add(struct gpu_recording *r, uint64_t lo, uint64_t bytes)
{
	if (r->ranges < RECORD_RANGES) {
		r->host.range[r->ranges][0] = lo;
		r->host.range[r->ranges][1] = lo + bytes;
	}
	r->ranges++;
	r->host.range_count = r->ranges <= RECORD_RANGES ? r->ranges : 0;
}

static int matrix_make(struct gpu_recording *r, int argument, struct error *e)
{
	struct argument *a = &r->arguments[argument];
	int m = a->array;
	uint64_t bytes;

	if (contents_array(&r->plan, a, &r->arrays[m], e) < 0)
		return -1;
	bytes = trace_array_bytes(&r->arrays[m]);
	r->contents[m] = xmalloc(bytes);
	contents_fill(&r->plan, a, &r->arrays[m], r->contents[m]);
	contents_range(&r->plan, a, &r->arrays[m], r->contents[m]);
	if (upload_bytes(&r->memory[m], r->contents[m], bytes, e) < 0)
		return -1;
	range_add(r, r->memory[m], bytes);
	return launch_array(&r->values, argument, a,
			     r->memory[m] + a->before * r->arrays[m].elem_bytes,
			     (int)r->arrays[m].dims[0],
			     (int)r->arrays[m].dims[1], e);
}

static uint64_t matrix_bytes(const struct gpu_recording *r, int argument)
{
	return trace_array_bytes(&r->arrays[r->arguments[argument].array]);
}

/*
 * What runs over the end of one matrix must not be in the next: between two,
 * as much is taken and given back. (Of another size, it would come from
 * elsewhere.)
 */
int recording_matrices(struct gpu_recording *r, struct error *e)
{
	CUdeviceptr gaps[ARGUMENTS_MOST] = { 0 };
	int rc = 0;

	r->argument_count = arguments_find(&r->plan, r->signature ?
					     r->signature : r->entry,
					     r->arguments, e);
	if (r->argument_count < 0)
		return -1;
	inferred_apply(&r->assumed, r->arguments, r->argument_count);
	for (int i = 0; i < r->argument_count && rc == 0; i++) {
		if (r->arguments[i].array < 0) {
			launch_value(&r->values, i, &r->arguments[i]);
			continue;
		}
		rc = matrix_make(r, i, e);
		if (rc == 0)
			rc = CUDA_TRY(e, MemAlloc, &gaps[i],
				      matrix_bytes(r, i));
	}
	for (int i = 0; i < r->argument_count; i++)
		if (gaps[i])
			cuda.MemFree(gaps[i]);
	return rc;
}

/* Sets the bounds of the shared memory that the kernel may access. */
static int shared_bound(struct gpu_recording *r, struct error *e)
{
	int bytes;

	if (CUDA_TRY(e, FuncGetAttribute, &bytes,
		     CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, r->function) < 0 ||
	    launch_shared(&r->plan, r->function, e) < 0)
		return -1;
	r->host.shared_first = (unsigned)r->reserved;
	r->host.shared_end = (unsigned)(r->reserved + bytes) +
			     plan_shared(&r->plan);
	return 0;
}

static int global_keep(struct gpu_recording *r, CUdeviceptr at, size_t bytes,
		       struct error *e)
{
	void *was = xmalloc(bytes);

	grow(&r->globals, &r->global_capacity, r->global_count + 1,
	     sizeof(*r->globals));
	r->globals[r->global_count].at = at;
	r->globals[r->global_count].bytes = bytes;
	r->globals[r->global_count++].was = was;
	return CUDA_TRY(e, MemcpyDtoH, was, at, bytes);
}

static int by_address(const void *a, const void *b)
{
	const struct global *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Adds the ranges of the module's variables. They lie side by side, dozens
 * where headers have asserts: a small gap between two counts as part of
 * both. */
static void globals_bound(struct gpu_recording *r)
{
	const struct global *g = r->globals;

	if (r->global_count)
		qsort(r->globals, r->global_count, sizeof(*g), by_address);
	for (size_t i = 0, first = 0; i < r->global_count; i++) {
		uint64_t end = g[i].at + g[i].bytes;

		if (i + 1 < r->global_count && g[i + 1].at < end + GLOBAL_GAP)
			continue;
		range_add(r, g[first].at, end - g[first].at);
		first = i + 1;
	}
}

/* Finds the variables that the module has in global memory, of which one is the
 * recorder's. */
static int globals_find(struct gpu_recording *r, struct error *e)
{
	size_t bytes;

	if (CUDA_TRY(e, ModuleGetGlobal, &r->state, &bytes, r->module,
		     "gemmviz_state") < 0)
		return -1;
	for (size_t i = 0; i < r->ptx->symbol_count; i++) {
		const struct ptx_symbol *s = &r->ptx->symbols[i];
		CUdeviceptr at;

		if (s->space != PTX_GLOBAL)
			continue;
		if (CUDA_TRY(e, ModuleGetGlobal, &at, &bytes, r->module,
			     s->name) < 0 ||
		    global_keep(r, at, bytes, e) < 0)
			return -1;
		replay_global(r->replay, s->name, at);
	}
	globals_bound(r);
	return 0;
}

int recording_replay(struct gpu_recording *r, int fd, struct error *e)
{
	r->reserved = MAX(0, device_attribute(r->device,
		CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK));
	r->replay = replay_new(&r->plan, r->ptx, &r->names,
			       r->shared_names.debug, r->debug_ptx,
			       r->device->name, r->entry->name,
			       (uint64_t)r->reserved, fd);
	for (int m = 0; m < ARGUMENT_ARRAYS; m++)
		for (int i = 0; i < r->argument_count; i++)
			if (r->arguments[i].array == m)
				replay_matrix(r->replay, &r->arrays[m],
					(uint32_t)i,
					r->arguments[i].var->type.to_const,
					r->memory[m]);
	replay_arguments(r->replay, &r->assumed);
	findings_headers(replay_findings(r->replay), &r->compiled[0].left_out);
	return shared_bound(r, e) < 0 ? -1 : globals_find(r, e);
}
