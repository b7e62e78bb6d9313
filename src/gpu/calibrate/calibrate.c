/*
 * calibrate: the order of the measurements, and their launches. See
 * calibrate.h.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/calibrate/calibrate.h"
#include "gpu/calibrate/calibrate_parts.h"
#include "gpu/device/embedded.h"

/* ldmatrix, which is measured, began there. */
#define ARCH_LEAST 75
/* What is taken of the memory that is free, and at most. */
#define MEMORY_PART 2
#define MEMORY_MOST (4096 * CALIBRATE_MIB)

/* ---- samples ---- */

void samples_add(struct samples *s, double v)
{
	if (s->count < CALIBRATE_REPEATS)
		s->v[s->count++] = v;
}

double samples_median(const struct samples *s)
{
	struct samples sorted = *s;

	if (!s->count)
		return NA;
	qsort(sorted.v, (size_t)s->count, sizeof(*sorted.v), double_order);
	return sorted.v[s->count / 2];
}

void samples_members(const struct samples *s, const char *name, json_t *o)
{
	char *all = xasprintf("%s_samples", name);
	json_t *list = json_array();

	for (int i = 0; i < s->count; i++)
		json_array_append_new(list, json_real(s->v[i]));
	json_object_set_new(o, name, json_real(samples_median(s)));
	json_object_set_new(o, all, list);
	free(all);
}

/* ---- launches ---- */

int calibrate_function(struct calibration_run *c, const char *kernel,
		       CUfunction *f, struct error *e)
{
	return CUDA_TRY(e, ModuleGetFunction, f, c->module, kernel);
}

int calibrate_start(struct calibration_run *c, const struct calibrate_launch *l,
		    struct error *e)
{
	CUfunction f;

	if (calibrate_function(c, l->kernel, &f, e) < 0)
		return -1;
	return CUDA_TRY(e, LaunchKernel, f, l->grid, 1, 1, l->block, 1, 1,
			l->shared, NULL, l->arguments, NULL);
}

int calibrate_time(struct calibration_run *c, const struct calibrate_launch *l,
		   int launches, double *seconds, struct error *e)
{
	CUfunction f;
	float ms;

	if (calibrate_function(c, l->kernel, &f, e) < 0 ||
	    CUDA_TRY(e, EventRecord, c->start, NULL) < 0)
		return -1;
	for (int i = 0; i < launches; i++)
		if (CUDA_TRY(e, LaunchKernel, f, l->grid, 1, 1, l->block, 1,
			     1, l->shared, NULL, l->arguments, NULL) < 0)
			return -1;
	if (CUDA_TRY(e, EventRecord, c->stop, NULL) < 0 ||
	    CUDA_TRY(e, EventSynchronize, c->stop) < 0 ||
	    CUDA_TRY(e, EventElapsedTime, &ms, c->start, c->stop) < 0)
		return -1;
	*seconds = ms / 1e3;
	return 0;
}

/* ---- all of it ---- */

/* Returns the resources of an SM that the driver reports, for occupancy. */
static json_t *sm_limits(const struct device *d)
{
	static const struct { const char *name; CUdevice_attribute of; }
	list[] = {
		{ "threads",
		  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR },
		{ "blocks", CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR },
		{ "registers",
		  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR },
		{ "block_registers",
		  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK },
		{ "shared",
		  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR },
		{ "block_shared",
		  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK },
		{ "optin_shared",
		  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN },
		{ "shared_reserved",
		  CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK },
	};
	json_t *o = json_object();

	for (size_t i = 0; i < LENGTH(list); i++) {
		int v = device_attribute(d, list[i].of);

		json_object_set_new(o, list[i].name, v == NA ? json_null() :
				    json_integer(v));
	}
	return o;
}

static int allocate_memory(struct calibration_run *c, struct error *e)
{
	size_t left, all;

	if (CUDA_TRY(e, MemGetInfo, &left, &all) < 0)
		return -1;
	c->bytes = MIN(left / MEMORY_PART, MEMORY_MOST) / CALIBRATE_MIB *
		   CALIBRATE_MIB;
	if (CUDA_TRY(e, MemAlloc, &c->memory, c->bytes) < 0 ||
	    CUDA_TRY(e, MemsetD8, c->memory, 0, c->bytes) < 0 ||
	    CUDA_TRY(e, MemAlloc, &c->small, CALIBRATE_SMALL) < 0)
		return -1;
	return CUDA_TRY(e, MemsetD8, c->small, 0, CALIBRATE_SMALL);
}

static int begin_calibration(struct calibration_run *c, struct error *e)
{
	c->sms = device_attribute(c->device,
				  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
	if (CUDA_TRY(e, ModuleLoadDataEx, &c->module,
		     embedded_calibrate_fatbin, 0, NULL, NULL) < 0 ||
	    CUDA_TRY(e, EventCreate, &c->start, CU_EVENT_DEFAULT) < 0 ||
	    CUDA_TRY(e, EventCreate, &c->stop, CU_EVENT_DEFAULT) < 0)
		return -1;
	return allocate_memory(c, e);
}

static void end_calibration(struct calibration_run *c)
{
	if (c->memory)
		cuda.MemFree(c->memory);
	if (c->small)
		cuda.MemFree(c->small);
	if (c->module)
		cuda.ModuleUnload(c->module);
}

typedef int step(struct calibration_run *c, struct error *e);

static int measure_all(struct calibration_run *c, const struct job *job,
		       bool (*goes_on)(uint64_t done, uint64_t of),
		       struct error *e)
{
	/* The clocks first: what draws power raises them. */
	static step *const steps[] = { calibrate_clocks, calibrate_launches,
				       calibrate_sectors, calibrate_levels };
	const json_t *list = json_object_get(job->message, "ways");
	size_t ways = json_array_size(list), of = ways + LENGTH(steps);

	for (size_t i = 0; i < of; i++) {
		int rc;

		if (!goes_on(i, of))
			return error_set(e, EXIT_RUNNER, "cancelled");
		rc = i < ways ? calibrate_patterns(c, job, json_array_get(
							   list, i), e) :
				steps[i - ways](c, e);
		if (rc < 0)
			return -1;
	}
	return 0;
}

json_t *calibrate_run(const struct job *job, const struct device *device,
		      bool (*goes_on)(uint64_t done, uint64_t of),
		      struct error *e)
{
	struct calibration_run c = { .device = device };
	int arch = device->major * 10 + device->minor, rc;

	if (calibrate_check(job, e) < 0)
		return NULL;
	if (arch < ARCH_LEAST) {
		error_set(e, EXIT_GPU, "calibrate needs sm_%d or newer, this "
			  "GPU is sm_%d", ARCH_LEAST, arch);
		return NULL;
	}
	c.answer = json_pack("{so so s[]}", "machine", device_machine(device),
			     "limits", sm_limits(device), "patterns");
	rc = begin_calibration(&c, e);
	if (rc == 0)
		rc = measure_all(&c, job, goes_on, e);
	end_calibration(&c);
	if (rc == 0)
		return c.answer;
	json_decref(c.answer);
	return NULL;
}
