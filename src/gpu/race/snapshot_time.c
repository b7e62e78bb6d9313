/*
 * snapshot_time: see snapshot_time.h.
 */
#include "gpu/race/snapshot_time.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "gpu/race/benchmark_order.h"
#include "toolkit/compile.h"
#include "gpu/device/device.h"
#include "gpu/race/snapshot.h"
#include "gpu/race/snapshot_product.h"
#include "record/contents.h"

/* As races have it (benchmark_samples.c). */
#define SAMPLE_SECONDS 10e-3
#define SETTLE_SECONDS 0.1
#define REPEAT_MOST 1000
enum { KERNEL, CUBLAS, RACERS };

static struct {
	struct device device;
	struct job_kernel kernel;
	const json_t *request, *header;
	int fd;
	CUmodule module;
	CUfunction function;
	struct snapshot image;
	struct snapshot_product product;
	bool is_product;
	bool again;		/* a second launch behind the first does the
				   same */
	CUevent start, stop;
	double about[RACERS];	/* seconds of a launch */
	json_t *samples[RACERS];
	double clock;
} own = { .clock = NA };

/* ---- the kernel ---- */

/* Returns the text of the file that contains the kernel. */
static const char *kernel_file_text(void)
{
	const char *name = json_string_value(json_object_get(own.header,
							     "text"));
	const char *text = name ? job_defined(&own.kernel.headers, name) : NULL;

	return text ? text : own.kernel.text;
}

static int compile_module(struct error *e)
{
	const char *name = json_string_value(json_object_get(own.header,
							     "kernel"));
	struct compiled c;
	int rc;

	if (!name)
		return error_set(e, EXIT_USAGE, "bad request: no kernel");
	if (nvrtc_compile(&c, COMPILE_TIMED, &own.kernel, kernel_file_text(),
			  name, own.device.major, own.device.minor, e) < 0)
		return -1;
	rc = CUDA_TRY(e, ModuleLoadDataEx, &own.module, c.code, 0, NULL, NULL);
	if (rc == 0)
		rc = CUDA_TRY(e, ModuleGetFunction, &own.function, own.module,
			      c.entry);
	compiled_done(&c);
	return rc;
}

static int shared_allow(struct error *e)
{
	if (own.image.shared <= SHARED_USUAL)
		return 0;
	return CUDA_TRY(e, FuncSetAttribute, own.function,
			CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
			(int)own.image.shared);
}

static int launch_kernel(struct error *e)
{
	const struct snapshot *i = &own.image;
	CUlaunchAttribute attributes[2];
	CUlaunchConfig c = {
		.gridDimX = i->grid.x, .gridDimY = i->grid.y,
		.gridDimZ = i->grid.z, .blockDimX = i->block.x,
		.blockDimY = i->block.y, .blockDimZ = i->block.z,
		.sharedMemBytes = i->shared, .attrs = attributes,
	};

	if (i->cluster.x)
		attributes[c.numAttrs++] = (CUlaunchAttribute) {
			.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
			.value.clusterDim = { i->cluster.x, i->cluster.y,
					      i->cluster.z } };
	if (i->cooperative)
		attributes[c.numAttrs++] = (CUlaunchAttribute) {
			.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
			.value.cooperative = 1 };
	if (c.numAttrs)
		return CUDA_TRY_NEWER(e, LaunchKernelEx, &c, own.function,
				      (void **)i->parameters, NULL);
	return CUDA_TRY(e, LaunchKernel, own.function, c.gridDimX, c.gridDimY,
			c.gridDimZ, c.blockDimX, c.blockDimY, c.blockDimZ,
			c.sharedMemBytes, NULL, (void **)i->parameters, NULL);
}

/* ---- time ---- */

static int launch_racer(int racer, struct error *e)
{
	return racer == KERNEL ? launch_kernel(e) :
				 snapshot_product_launch(&own.product, e);
}

/* Times `count` launches between two events; sets *seconds to the time of
 * one. */
static int time_racer(int racer, int count, double *seconds, struct error *e)
{
	float ms;

	if (CUDA_TRY(e, EventRecord, own.start, NULL) < 0)
		return -1;
	for (int i = 0; i < count; i++)
		if (launch_racer(racer, e) < 0)
			return -1;
	if (CUDA_TRY(e, EventRecord, own.stop, NULL) < 0)
		return -1;
	own.clock = device_clock(&own.device);
	if (CUDA_TRY(e, EventSynchronize, own.stop) < 0 ||
	    CUDA_TRY(e, EventElapsedTime, &ms, own.start, own.stop) < 0)
		return -1;
	*seconds = ms / 1e3 / count;
	return 0;
}

/* Takes a sample. Where a second launch would compute something else, restores
 * the data before each. */
static int take_racer_sample(int racer, double *seconds, struct error *e)
{
	double about = MAX(own.about[racer], 1e-6);
	int count = racer == CUBLAS || own.again ?
		    (int)ceil(SAMPLE_SECONDS / about) : 1;

	if (racer == KERNEL && !own.again) {
		if (snapshot_restore(&own.image, e) < 0)
			return -1;
	} else if (about < SAMPLE_SECONDS && launch_racer(racer, e) < 0) {
		return -1;
	}
	return time_racer(racer, count, seconds, e);
}

static int racer_count(void)
{
	return own.is_product ? RACERS : 1;
}

static int warm_up_racers(struct error *e)
{
	double begun = seconds_now(), seconds;

	for (int r = 0; r < racer_count(); r++)
		if (time_racer(r, 1, &own.about[r], e) < 0)
			return -1;
	while (seconds_now() - begun < SETTLE_SECONDS)
		for (int r = 0; r < racer_count(); r++) {
			if (take_racer_sample(r, &seconds, e) < 0)
				return -1;
			own.about[r] = seconds;
		}
	return 0;
}

static int samples_take(long repeat, double most, struct error *e)
{
	double spent = 0, seconds;
	int order[RACERS];

	for (int r = 0; r < RACERS; r++)
		own.samples[r] = json_array();
	if (warm_up_racers(e) < 0)
		return -1;
	for (int round = 0; round < repeat && (!round || spent < most);
	     round++) {
		benchmark_order(order, racer_count(), 1, round);
		for (int k = 0; k < racer_count(); k++) {
			if (take_racer_sample(order[k], &seconds, e) < 0)
				return -1;
			if (order[k] == KERNEL)
				spent += MAX(seconds, SAMPLE_SECONDS);
			json_array_append_new(own.samples[order[k]],
					      json_real(seconds));
		}
	}
	return 0;
}

/* ---- what it did, beside what it did on the CPU ---- */

struct snapshot_difference {
	double apart, size;	/* of reals: sums of squares */
	double elements, differ;
};

static void compare_array(struct snapshot_difference *d,
			  const struct snapshot_array *a, const char *mine,
			  const char *theirs)
{
	size_t bytes = a->elem == ELEM_RAW ? 1 : elem_size(a->elem);

	for (uint64_t i = 0; i < a->bytes / bytes; i++) {
		double x, y;

		d->elements++;
		d->differ += memcmp(mine + i * bytes, theirs + i * bytes,
				    bytes) != 0;
		if (!elem_is_real(a->elem))
			continue;
		contents_value(a->elem, mine, i, &x);
		contents_value(a->elem, theirs, i, &y);
		if (!isfinite(y) && (x == y || (isnan(x) && isnan(y))))
			continue;
		d->apart += (x - y) * (x - y);
		d->size += y * y;
	}
}

/* Compares the changed arrays with the CPU's. Skips arrays that hold pointers,
 * which differ here. */
static int differences_find(struct snapshot_difference *d, struct error *e)
{
	*d = (struct snapshot_difference){ .elements = 0 };
	for (size_t k = 0; k < own.image.array_count; k++) {
		const struct snapshot_array *a = &own.image.arrays[k];
		void *mine, *theirs;

		if (!a->changed || a->pointers)
			continue;
		mine = snapshot_fetch(a, e);
		theirs = mine ? snapshot_read(own.fd, a->after, a->bytes, e) :
				NULL;
		if (theirs)
			compare_array(d, a, mine, theirs);
		free(mine);
		free(theirs);
		if (!theirs)
			return -1;
	}
	return 0;
}

/* Finds out whether a second launch leaves the same data as the first. */
static int again_find(struct error *e)
{
	const struct snapshot *i = &own.image;
	size_t n = i->array_count + i->variable_count;
	void **first = xcalloc(n + 1, sizeof(*first));
	int rc = 0;

	for (size_t k = 0; k < n && rc == 0; k++)
		if (i->arrays[k].first && !(first[k] = snapshot_fetch(&i->arrays[k], e)))
			rc = -1;
	if (rc == 0)
		rc = launch_kernel(e);
	own.again = rc == 0;
	for (size_t k = 0; k < n && rc == 0; k++) {
		void *second = first[k] ? snapshot_fetch(&i->arrays[k], e) :
					  NULL;

		if (first[k] && !second)
			rc = -1;
		else if (second)
			own.again &= !memcmp(first[k], second,
					     i->arrays[k].bytes);
		free(second);
	}
	for (size_t k = 0; k < n; k++)
		free(first[k]);
	free(first);
	return rc;
}

/* ---- the answer ---- */

static int kernel_attribute(CUfunction_attribute a)
{
	int v;

	return cuda.FuncGetAttribute(&v, a, own.function) == CUDA_SUCCESS ? v :
									    0;
}

static json_t *product_members(void)
{
	const struct snapshot_product *p = &own.product;

	if (!own.is_product)
		return json_null();
	return json_pack("{si si si sb sb ss sf sO}", "m", p->m, "n", p->n,
			 "k", p->k, "a_by_columns", p->a_by_columns,
			 "b_by_columns", p->b_by_columns, "baseline",
			 snapshot_product_baseline(p), "error", p->error,
			 "samples", own.samples[CUBLAS]);
}

static json_t *launch_members(const struct snapshot_difference *d)
{
	json_t *o = json_pack(
		"{sO si si so sf sf}", "samples", own.samples[KERNEL],
		"registers", kernel_attribute(CU_FUNC_ATTRIBUTE_NUM_REGS),
		"shared_bytes",
		kernel_attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) +
			(int)own.image.shared,
		"product", product_members(), "elements", d->elements, "differ",
		d->differ);
	double error = d->size > 0 ? sqrt(d->apart / d->size) : 0;

	if (isfinite(error) && d->elements > 0)
		json_object_set_new(o, "error", json_real(error));
	if (own.clock != NA)
		json_object_set_new(o, "clock_mhz", json_real(own.clock));
	return o;
}

/* ---- all of it ---- */

static int device_make(struct error *e)
{
	if (device_open(&own.device, e) < 0 ||
	    device_begin(&own.device, e) < 0 ||
	    CUDA_TRY(e, EventCreate, &own.start, CU_EVENT_DEFAULT) < 0)
		return -1;
	return CUDA_TRY(e, EventCreate, &own.stop, CU_EVENT_DEFAULT);
}

static int request_read(struct error *e)
{
	const char *path = json_string_value(json_object_get(own.request,
							     "file"));

	own.header = json_object_get(own.request, "image");
	if (job_kernel_read(&own.kernel, own.request, e) < 0)
		return -1;
	own.fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (own.fd < 0 || !own.header || !own.kernel.text)
		return error_set(e, EXIT_USAGE, "bad request: no image");
	if (json_is_true(json_object_get(own.header, "textures")))
		return error_set(e, EXIT_USAGE, "kernels that read textures "
				 "are not timed");
	if (json_is_true(json_object_get(own.header, "addresses")))
		return error_set(e, EXIT_USAGE, "kernels with a pointer to a "
				 "__device__ variable are not timed");
	return 0;
}

static int time_image(struct snapshot_difference *d, struct error *e)
{
	double seconds = json_number_value(json_object_get(own.request,
							   "seconds"));
	long repeat = (long)json_integer_value(json_object_get(own.request,
							       "repeat"));

	if (request_read(e) < 0 || device_make(e) < 0 ||
	    compile_module(e) < 0 ||
	    snapshot_load(&own.image, own.header, own.fd, own.module, e) < 0 ||
	    shared_allow(e) < 0 || launch_kernel(e) < 0 ||
	    CUDA_TRY(e, CtxSynchronize) < 0 || differences_find(d, e) < 0)
		return -1;
	own.is_product = snapshot_product_find(&own.product, &own.image, own.fd);
	if (again_find(e) < 0)
		return -1;
	return samples_take(MIN(repeat, REPEAT_MOST), seconds, e);
}

int snapshot_time_main(void)
{
	struct snapshot_difference d;
	struct error e = { .text = "" };
	json_t *request, *o;
	int out;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Standard output may be a kernel's: what it prints goes elsewhere. */
	out = fcntl(1, F_DUPFD_CLOEXEC, 3);
	dup2(2, 1);
	request = json_loadf(stdin, JSON_DISABLE_EOF_CHECK, NULL);
	own.request = request;
	if (time_image(&d, &e) == 0)
		o = launch_members(&d);
	else
		o = json_pack("{ss si}", "why", e.text, "status",
			      (int)e.status);
	json_dumpfd(o, out, JSON_COMPACT);
	json_decref(o);
	_exit(EXIT_DONE);
}
