/*
 * calibrate_patterns: measures the cycles of access patterns. See
 * calibrate_parts.h.
 *
 * A way is a number of warps of one block, and whether each access waits for
 * the previous one. All patterns of one kernel are one launch; it is repeated
 * PATTERN_REPEATS times, and each pattern's result is the median.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "gpu/calibrate/calibrate_parts.h"

#define PATTERNS_MOST 20000
#define WAYS_MOST 8
#define PATTERN_REPEATS 7
#define PATTERN_WINDOW (128u << 10)	/* as in calibrate.cu */
#define PATTERN_SLOTS 16u
#define PATTERN_UNROLL 8
#define PATTERN_ROUNDS 32
#define LANES 32
/* Shared memory that a kernel has besides the window. */
#define WINDOW_BESIDE 2048

struct lane_pattern {
	uint32_t mask, address[LANES];
};

/* A kernel's patterns, and where in the job each stands. */
struct batch {
	char kernel[64];
	struct lane_pattern *list;
	size_t *where;
	size_t count;
};

struct batches {
	struct batch *list;
	size_t count;
};

/* ---- what the job says ---- */

/* Sets the error for pattern `at` of the job. Returns -1. */
static int fail_pattern(size_t at, const char *why, struct error *e)
{
	return error_set(e, EXIT_USAGE, "bad request: pattern %zu: %s", at,
			 _(why));
}

static int read_addresses(const json_t *o, size_t at, long size,
			  struct lane_pattern *p, struct error *e)
{
	const json_t *list = json_object_get(o, "addresses");

	if (json_array_size(list) != LANES)
		return fail_pattern(at, "it needs 32 \"addresses\"", e);
	*p = (struct lane_pattern){ .mask = 0 };
	for (size_t lane = 0; lane < LANES; lane++) {
		const json_t *v = json_array_get(list, lane);
		json_int_t a = json_integer_value(v);

		if (json_is_null(v))
			continue;
		if (!json_is_integer(v) || a < 0 || a % size)
			return fail_pattern(at, "an invalid address", e);
		p->mask |= 1u << lane;
		p->address[lane] = (uint32_t)(a % PATTERN_WINDOW);
	}
	return p->mask ? 0 : fail_pattern(at, "it has no active lane", e);
}

/* Returns the number of matrices whose rows the first 8, 16 or all lanes
 * address; 0 for other masks. */
static int matrices_of(uint32_t mask)
{
	return mask == 0xff ? 1 : mask == 0xffff ? 2 :
	       mask == UINT32_MAX ? 4 : 0;
}

/* Reads a pattern and the name of its kernel. */
static int read_pattern(const json_t *o, size_t at, struct lane_pattern *p,
			char kernel[64], struct error *e)
{
	const char *space = json_string_value(json_object_get(o, "space"));
	const char *op = json_string_value(json_object_get(o, "op"));
	long size = (long)json_integer_value(json_object_get(o, "size"));
	bool matrix = space && !strcmp(space, "ldmatrix");
	bool trans = json_is_true(json_object_get(o, "trans"));

	if (!space || (!matrix && strcmp(space, "shared") &&
		       strcmp(space, "global")))
		return fail_pattern(at,
				    "\"space\" must be global, shared or "
				    "ldmatrix",
				    e);
	if (!op || (strcmp(op, "ld") && (matrix || strcmp(op, "st"))))
		return fail_pattern(at, "\"op\" must be ld or st", e);
	if (size < 1 || size > 16 || size & (size - 1) ||
	    (matrix && size != 16))
		return fail_pattern(at, "\"size\" must be 1, 2, 4, 8 or 16", e);
	if (read_addresses(o, at, size, p, e) < 0)
		return -1;
	if (!matrix)
		snprintf(kernel, 64, "gemmviz_pattern_%s_%s_%ld", space, op,
			 size);
	else if (matrices_of(p->mask))
		snprintf(kernel, 64, "gemmviz_pattern_ldmatrix_%s%d",
			 trans ? "trans_" : "", matrices_of(p->mask));
	else
		return fail_pattern(at, "ldmatrix has 8, 16 or 32 active lanes",
				    e);
	return 0;
}

static int check_way(const json_t *way, struct error *e)
{
	const json_t *warps = json_object_get(way, "warps");
	const json_t *chained = json_object_get(way, "chained");

	if (json_is_integer(warps) && json_integer_value(warps) >= 1 &&
	    json_integer_value(warps) <= PATTERN_SLOTS &&
	    json_is_boolean(chained))
		return 0;
	return error_set(e, EXIT_USAGE, "bad request: a way has \"warps\", "
			 "1 to %u, and \"chained\"", PATTERN_SLOTS);
}

int calibrate_check(const struct job *job, struct error *e)
{
	const json_t *patterns = json_object_get(job->message, "patterns");
	const json_t *ways = json_object_get(job->message, "ways"), *o;
	struct lane_pattern p;
	char kernel[64];
	size_t i;

	if (!json_is_array(patterns) || !json_is_array(ways))
		return error_set(e, EXIT_USAGE, "bad request: \"patterns\" "
				 "and \"ways\" are needed");
	if (json_array_size(patterns) > PATTERNS_MOST ||
	    json_array_size(ways) > WAYS_MOST)
		return error_set(e, EXIT_USAGE, "bad request: at most %d "
				 "patterns in %d ways", PATTERNS_MOST,
				 WAYS_MOST);
	json_array_foreach(patterns, i, o)
		if (read_pattern(o, i, &p, kernel, e) < 0)
			return -1;
	json_array_foreach(ways, i, o)
		if (check_way(o, e) < 0)
			return -1;
	return 0;
}

/* ---- batches ---- */

static struct batch *batch_of(struct batches *b, const char *kernel,
			      size_t most)
{
	struct batch *n;

	for (size_t i = 0; i < b->count; i++)
		if (!strcmp(b->list[i].kernel, kernel))
			return &b->list[i];
	b->list = xrealloc(b->list, b->count + 1, sizeof(*b->list));
	n = &b->list[b->count++];
	*n = (struct batch){
		.list = xcalloc(most, sizeof(*n->list)),
		.where = xcalloc(most, sizeof(*n->where)),
	};
	snprintf(n->kernel, sizeof(n->kernel), "%s", kernel);
	return n;
}

/* Sorts the patterns by kernel. Addresses of shared memory are taken modulo the
 * window, whose bytes are a power of two. */
static struct batches batches_new(const json_t *patterns, uint32_t window)
{
	struct batches b = { NULL, 0 };
	const json_t *o;
	size_t i;

	json_array_foreach(patterns, i, o) {
		struct lane_pattern p;
		struct batch *n;
		char kernel[64];

		if (read_pattern(o, i, &p, kernel, NULL) < 0)
			continue;
		n = batch_of(&b, kernel, json_array_size(patterns));
		for (int lane = 0; lane < LANES; lane++)
			if (!strstr(kernel, "global"))
				p.address[lane] %= window;
		n->list[n->count] = p;
		n->where[n->count++] = i;
	}
	return b;
}

static void batches_done(struct batches *b)
{
	for (size_t i = 0; i < b->count; i++) {
		free(b->list[i].list);
		free(b->list[i].where);
	}
	free(b->list);
}

static uint32_t window_bytes(const struct calibration_run *c)
{
	int most = device_attribute(c->device,
		CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
	uint32_t window = PATTERN_WINDOW;

	while (window > 1024 && (int)window + WINDOW_BESIDE > most)
		window /= 2;
	return window;
}

/* ---- running ---- */

struct pattern_run {
	struct calibration_run *c;
	int warps, chained;
	uint32_t window;
	CUdeviceptr patterns, cycles;	/* on the GPU, of a batch */
	json_t *medians, *lows, *highs;	/* by place in the job */
};

static int launch_batch(const struct pattern_run *r, const struct batch *b,
			struct error *e)
{
	int count = (int)b->count, rounds = PATTERN_ROUNDS;
	int chained = r->chained;
	CUdeviceptr patterns = r->patterns, cycles = r->cycles;
	CUdeviceptr global = r->c->memory, sink = r->c->small;
	uint32_t window = r->window;
	const struct calibrate_launch l = {
		b->kernel, 1, (unsigned)r->warps * LANES,
		strstr(b->kernel, "global") ? 0 : window,
		(void *[]){ &patterns, &count, &rounds, &chained, &cycles,
			    &window, &global, &sink },
	};
	CUfunction f;

	if (calibrate_function(r->c, b->kernel, &f, e) < 0 ||
	    CUDA_TRY(e, FuncSetAttribute, f,
		     CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
		     (int)l.shared) < 0)
		return -1;
	return calibrate_start(r->c, &l, e);
}

static void store_cycles(const struct pattern_run *r, const struct batch *b,
			 const unsigned long long *cycles)
{
	double accesses = (double)PATTERN_ROUNDS * PATTERN_UNROLL * r->warps;

	for (size_t i = 0; i < b->count; i++) {
		struct samples s = { .count = 0 };
		double low = 0, high = 0;

		for (int k = 0; k < PATTERN_REPEATS; k++) {
			double v = (double)cycles[(size_t)k * b->count + i] /
				   accesses;

			samples_add(&s, v);
			low = k && low < v ? low : v;
			high = k && high > v ? high : v;
		}
		json_array_set_new(r->medians, b->where[i],
				   json_real(samples_median(&s)));
		json_array_set_new(r->lows, b->where[i], json_real(low));
		json_array_set_new(r->highs, b->where[i], json_real(high));
	}
}

static int run_batch(struct pattern_run *r, const struct batch *b,
		     struct error *e)
{
	size_t bytes = b->count * sizeof(unsigned long long);
	unsigned long long *cycles = xcalloc(PATTERN_REPEATS * b->count,
					     sizeof(*cycles));
	int rc = CUDA_TRY(e, MemAlloc, &r->patterns,
			  b->count * sizeof(*b->list));

	if (rc == 0)
		rc = CUDA_TRY(e, MemAlloc, &r->cycles, bytes);
	if (rc == 0)
		rc = CUDA_TRY(e, MemcpyHtoD, r->patterns, b->list,
			      b->count * sizeof(*b->list));
	for (size_t k = 0; rc == 0 && k < PATTERN_REPEATS; k++) {
		rc = launch_batch(r, b, e);
		if (rc == 0)
			rc = CUDA_TRY(e, MemcpyDtoH, cycles + k * b->count,
				      r->cycles, bytes);
	}
	if (rc == 0)
		store_cycles(r, b, cycles);
	if (r->patterns)
		cuda.MemFree(r->patterns);
	if (r->cycles)
		cuda.MemFree(r->cycles);
	r->patterns = r->cycles = 0;
	free(cycles);
	return rc;
}

static json_t *null_list(size_t count)
{
	json_t *list = json_array();

	while (count--)
		json_array_append_new(list, json_null());
	return list;
}

int calibrate_patterns(struct calibration_run *c, const struct job *job,
		       const json_t *way, struct error *e)
{
	const json_t *patterns = json_object_get(job->message, "patterns");
	size_t count = json_array_size(patterns);
	struct pattern_run r = {
		.c = c,
		.window = window_bytes(c),
		.warps = (int)json_integer_value(json_object_get(way, "warps")),
		.chained = json_is_true(json_object_get(way, "chained")),
		.medians = null_list(count),
		.lows = null_list(count),
		.highs = null_list(count),
	};
	struct batches b = batches_new(patterns, r.window);
	int rc = 0;

	json_array_append_new(json_object_get(c->answer, "patterns"),
		json_pack("{si sb si so so so}", "warps", r.warps, "chained",
			  r.chained, "window", (int)r.window, "cycles",
			  r.medians, "low", r.lows, "high", r.highs));
	if (c->bytes < (size_t)r.warps * PATTERN_SLOTS * PATTERN_WINDOW)
		rc = error_set(e, EXIT_RUNNER, "the GPU has too little free "
			       "memory");
	for (size_t i = 0; rc == 0 && i < b.count; i++)
		rc = run_batch(&r, &b.list[i], e);
	batches_done(&b);
	return rc;
}
