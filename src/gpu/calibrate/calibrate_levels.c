/*
 * calibrate_levels: latency and bandwidth of the levels of memory. See
 * calibrate_parts.h.
 *
 * A chain runs through the lines of an array that lies in the level: one that
 * the level holds and the levels above do not. DRAM's is never run through
 * twice, so that no line comes from a cache.
 */
#include <stdlib.h>

#include "gpu/calibrate/calibrate_parts.h"

#define HOPS 65536
#define SAMPLE_SECONDS 10e-3	/* a sample of bandwidth lasts so long */
#define PIECE (16u << 10)	/* as in calibrate.cu: of a bulk copy, and */
#define AHEAD 8u		/* how many of them are under way */
/* Until the clock has risen. */
#define WARM_LAUNCHES 20
#define WARM_ROUNDS 100000

static json_t *add_level_members(struct calibration_run *c, const char *name,
				 double bytes, const char *of)
{
	json_t *o = json_pack("{ss sf ss}", "name", name, "bytes", bytes,
			      "of", of);

	json_array_append_new(json_object_get(c->answer, "levels"), o);
	return o;
}

static CUdeviceptr took_at(const struct calibration_run *c)
{
	return c->small + CALIBRATE_SMALL / 2;
}

/* ---- latency ---- */

static int time_chain(struct calibration_run *c, const char *kernel, int hops,
		      double *cycles, double *seconds, struct error *e)
{
	CUdeviceptr took = took_at(c);
	const struct calibrate_launch l = {
		kernel, 1, 1, 0, (void *[]){ &c->small, &hops, &took },
	};
	unsigned long long n;

	if (calibrate_time(c, &l, 1, seconds, e) < 0 ||
	    CUDA_TRY(e, MemcpyDtoH, &n, took, sizeof(n)) < 0)
		return -1;
	*cycles = (double)n / hops;
	*seconds /= hops;
	return 0;
}

/* Adds the cycles and nanoseconds of one step of a chain. The kernel continues
 * where it stopped. */
static int add_latency(struct calibration_run *c, json_t *o, const char *kernel,
		       struct error *e)
{
	struct samples cycles = { .count = 0 }, ns = { .count = 0 };

	for (int i = 0; i < CALIBRATE_REPEATS; i++) {
		double n, s;

		if (time_chain(c, kernel, HOPS, &n, &s, e) < 0)
			return -1;
		samples_add(&cycles, n);
		samples_add(&ns, s * 1e9);
	}
	samples_members(&cycles, "cycles", o);
	samples_members(&ns, "ns", o);
	return CUDA_TRY(e, MemsetD8, c->small, 0, CALIBRATE_SMALL);
}

/* Makes a random cycle: for each line, the number of the next one; heap. */
static uint32_t *cycle_new(uint32_t lines)
{
	uint32_t *order = xcalloc(lines, sizeof(*order));
	uint32_t *next = xcalloc(lines, sizeof(*next));

	for (uint32_t i = 0; i < lines; i++)
		order[i] = i;
	for (uint32_t i = lines - 1; i > 0; i--) {
		uint32_t k = (uint32_t)(random_at(1, i) % (i + 1));
		uint32_t other = order[k];

		order[k] = order[i];
		order[i] = other;
	}
	for (uint32_t i = 0; i < lines; i++)
		next[order[i]] = order[(i + 1) % lines];
	free(order);
	return next;
}

/* Links the lines of the memory's first bytes to a chain, and resets it to the
 * beginning. */
static int link_lines(struct calibration_run *c, size_t bytes, struct error *e)
{
	uint32_t lines = (uint32_t)(bytes / CALIBRATE_LINE);
	uint32_t *next = cycle_new(lines);
	CUdeviceptr there = 0;
	const struct calibrate_launch l = {
		"gemmviz_link", (lines + 255) / 256, 256, 0,
		(void *[]){ &c->memory, &there, &lines },
	};
	int rc = CUDA_TRY(e, MemAlloc, &there, lines * sizeof(*next));

	if (rc == 0)
		rc = CUDA_TRY(e, MemcpyHtoD, there, next,
			      lines * sizeof(*next));
	if (rc == 0)
		rc = calibrate_start(c, &l, e);
	if (rc == 0)
		rc = CUDA_TRY(e, MemcpyHtoD, c->small, &c->memory,
			      sizeof(c->memory));
	if (there)
		cuda.MemFree(there);
	free(next);
	return rc;
}

/* ---- bandwidth ---- */

/* A kernel that does `bytes` in each of `times` rounds. */
struct flow {
	const char *kernel;
	unsigned grid, block, shared;
	unsigned long long count;	/* the kernel's own: of what it reads */
	double bytes;
};

static int flow_time(struct calibration_run *c, const struct flow *f, int times,
		     double *seconds, struct error *e)
{
	unsigned long long count = f->count;
	CUdeviceptr out = took_at(c);
	const struct calibrate_launch l = {
		f->kernel, f->grid, f->block, f->shared,
		(void *[]){ &c->memory, &count, &times, &out },
	};

	return calibrate_time(c, &l, 1, seconds, e);
}

static int add_bandwidth(struct calibration_run *c, json_t *o,
			 const struct flow *f, const char *name,
			 struct error *e)
{
	struct samples rates = { .count = 0 };
	int times = 1;
	double s = 0;

	while (s < SAMPLE_SECONDS && times < 1 << 28) {
		times *= 2;
		if (flow_time(c, f, times, &s, e) < 0)
			return -1;
	}
	for (int i = 0; i < CALIBRATE_REPEATS; i++) {
		if (flow_time(c, f, times, &s, e) < 0)
			return -1;
		samples_add(&rates, f->bytes * times / s);
	}
	samples_members(&rates, name, o);
	return 0;
}

/* Returns a flow in which all SMs read the first bytes of the memory. */
static struct flow stream_of(const struct calibration_run *c, size_t bytes)
{
	return (struct flow){ "gemmviz_stream", (unsigned)c->sms * 4, 512, 0,
			      bytes / 16, (double)bytes };
}

/* Adds the bandwidth of loads, and of bulk copies where the GPU has them. */
static int add_streams(struct calibration_run *c, json_t *o, size_t bytes,
		       struct error *e)
{
	struct flow f = stream_of(c, bytes);
	size_t sms = (size_t)c->sms;
	CUfunction bulk;

	if (add_bandwidth(c, o, &f, "bytes_per_second", e) < 0)
		return -1;
	f = (struct flow){ "gemmviz_stream_bulk", (unsigned)c->sms, 32,
			   AHEAD * PIECE, bytes,
			   (double)(bytes / PIECE / sms * sms * PIECE) };
	if (c->device->major < 9 || !(f.bytes > 0))
		return 0;
	if (calibrate_function(c, f.kernel, &bulk, e) < 0 ||
	    CUDA_TRY(e, FuncSetAttribute, bulk,
		     CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
		     (int)f.shared) < 0)
		return -1;
	return add_bandwidth(c, o, &f, "bulk_bytes_per_second", e);
}

/* ---- levels ---- */

static double attribute_of(const struct calibration_run *c,
			   CUdevice_attribute a)
{
	return device_attribute(c->device, a);
}

static int measure_registers(struct calibration_run *c, struct error *e)
{
	const struct flow f = {
		"gemmviz_stream_fma", (unsigned)c->sms * 8, 256, 0, 0,
		(double)c->sms * 8 * 256 * 64 * 12,
	};
	double registers = attribute_of(
		c, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
	json_t *o = add_level_members(c, "registers", 4 * registers, "sm");

	if (add_latency(c, o, "gemmviz_chain_fma", e) < 0)
		return -1;
	return add_bandwidth(c, o, &f, "bytes_per_second", e);
}

static double shared_bytes(const struct calibration_run *c)
{
	return attribute_of(
		c, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
}

static int measure_shared(struct calibration_run *c, struct error *e)
{
	const struct flow f = {
		"gemmviz_stream_shared", (unsigned)c->sms * 4, 256, 0, 0,
		(double)c->sms * 4 * 256 * 8 * 16,
	};
	json_t *o = add_level_members(c, "shared", shared_bytes(c), "sm");

	if (add_latency(c, o, "gemmviz_chase_shared", e) < 0)
		return -1;
	return add_bandwidth(c, o, &f, "bytes_per_second", e);
}

/* Gives L1 all memory that shared memory could take. */
static int l1_whole(struct calibration_run *c, const char *kernel,
		    struct error *e)
{
	CUfunction f;

	if (calibrate_function(c, kernel, &f, e) < 0)
		return -1;
	return CUDA_TRY(e, FuncSetAttribute, f,
		CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 0);
}

/* L1 and shared memory are one, of which no driver tells the size: it is the
 * most that a chain can run through twice without a line from L2. */
#define L1_STEP (8u << 10)
#define L1_MOST (512u << 10)
#define L1_ROUNDS 8

static int add_l1_cycles(struct calibration_run *c, double *bytes,
			 struct error *e)
{
	double first = 0, cycles, s;

	for (size_t size = L1_STEP; size <= L1_MOST; size += L1_STEP) {
		int hops = L1_ROUNDS * (int)(size / CALIBRATE_LINE);

		if (link_lines(c, size, e) < 0 ||
		    time_chain(c, "gemmviz_chase_l1", hops, &cycles, &s, e) < 0)
			return -1;
		if (!(first > 0))
			first = cycles;
		json_array_append_new(json_object_get(c->answer, "l1_cycles"),
				      json_pack("[if]", (int)size, cycles));
		*bytes = (double)size;
	}
	return 0;
}

static int measure_l1(struct calibration_run *c, struct error *e)
{
	/* A power of two that L1 holds beside what shared memory keeps. */
	size_t own = 8u << 10;
	json_t *o = add_level_members(c, "l1", NA, "sm");
	struct flow f;
	double bytes;

	json_object_set_new(c->answer, "l1_cycles", json_array());
	while ((double)own * 2 < shared_bytes(c) / 3)
		own *= 2;
	f = (struct flow){ "gemmviz_stream_l1", (unsigned)c->sms, 1024, 0,
			   own / 16, (double)c->sms * (double)own };
	if (l1_whole(c, "gemmviz_chase_l1", e) < 0 ||
	    l1_whole(c, "gemmviz_stream_l1", e) < 0 ||
	    link_lines(c, own / 2, e) < 0 ||
	    add_latency(c, o, "gemmviz_chase_l1", e) < 0 ||
	    add_bandwidth(c, o, &f, "bytes_per_second", e) < 0)
		return -1;
	return add_l1_cycles(c, &bytes, e);
}

static size_t l2_bytes(const struct calibration_run *c)
{
	return (size_t)attribute_of(c, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
}

static int measure_l2(struct calibration_run *c, struct error *e)
{
	size_t bytes = l2_bytes(c);
	json_t *o = add_level_members(c, "l2", (double)bytes, "gpu");
	double s, n;

	if (link_lines(
		    c,
		    bytes / 8 / CALIBRATE_MIB * CALIBRATE_MIB +
			    (bytes < 8 * CALIBRATE_MIB ? CALIBRATE_MIB / 2 : 0),
		    e) < 0 ||
	    time_chain(c, "gemmviz_chase", HOPS, &n, &s, e) < 0 ||
	    add_latency(c, o, "gemmviz_chase", e) < 0)
		return -1;
	return add_streams(c, o, bytes / 4 / PIECE * PIECE, e);
}

/* Adds DRAM's latency. First reads other memory, so that L2 contains no line of
 * the chain. */
static int dram_latency(struct calibration_run *c, json_t *o, struct error *e)
{
	size_t chased = c->bytes / 16, rest = c->bytes / 4;
	struct flow f = stream_of(c, rest);
	double s;

	chased = MAX(chased, 2ul * CALIBRATE_LINE * HOPS * CALIBRATE_REPEATS);
	chased = MIN(chased, c->bytes / 2);
	if (link_lines(c, chased, e) < 0)
		return -1;
	c->memory += c->bytes - rest;
	if (flow_time(c, &f, 1, &s, e) < 0) {
		c->memory -= c->bytes - rest;
		return -1;
	}
	c->memory -= c->bytes - rest;
	return add_latency(c, o, "gemmviz_chase", e);
}

static int measure_dram(struct calibration_run *c, struct error *e)
{
	size_t bytes = 0;
	json_t *o;

	if (CUDA_TRY(e, DeviceTotalMem, &bytes, c->device->device) < 0)
		return -1;
	o = add_level_members(c, "dram", (double)bytes, "gpu");
	if (dram_latency(c, o, e) < 0)
		return -1;
	return add_streams(c, o, c->bytes, e);
}

static int warm_up_gpu(struct calibration_run *c, struct error *e)
{
	const struct flow f = { "gemmviz_stream_fma", (unsigned)c->sms * 8,
				256, 0, 0, 0 };
	double s;

	for (int i = 0; i < WARM_LAUNCHES; i++)
		if (flow_time(c, &f, WARM_ROUNDS, &s, e) < 0)
			return -1;
	return 0;
}

int calibrate_levels(struct calibration_run *c, struct error *e)
{
	json_object_set_new(c->answer, "levels", json_array());
	if (CUDA_TRY(e, MemsetD8, c->memory, 0, c->bytes) < 0 ||
	    warm_up_gpu(c, e) < 0 || measure_registers(c, e) < 0 ||
	    measure_shared(c, e) < 0 || measure_l1(c, e) < 0 ||
	    measure_l2(c, e) < 0)
		return -1;
	return measure_dram(c, e);
}
