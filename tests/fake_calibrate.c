/*
 * fake_calibrate: the kernels of src/gpu/calibrate/calibrate.cu, for fake_cuda.c. This
 * GPU has a clock of 1 GHz, does what the model says, and each access takes
 * LEAST cycles more than the model's.
 *
 * FAKE_CUDA_BANKS: by what the cost of 8-byte loads of shared memory is
 * multiplied.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hardware/access.h"
#include "fake_calibrate.h"

#define LEAST 2
#define HERTZ 1e9
#define L1_BYTES (128ull << 10)
#define L2_BYTES (32ull << 20)
#define L1_CYCLES 30
#define L2_CYCLES 250
#define DRAM_CYCLES 600
#define SECTOR 32

typedef unsigned long long u64;

struct pattern {
	uint32_t mask, address[32];
};

static u64 linked;		/* bytes of the newest chain */

/* What the model says of what is wrong with an access: nothing is. */
int error_set(struct error *e, enum exit_status status, const char *fmt, ...)
{
	(void)e, (void)status, (void)fmt;
	return -1;
}

/* "..._shared_ld_16": the last number of a name. */
static int number_of(const char *name)
{
	return atoi(strrchr(name, '_') + 1);
}

static struct access access_from(const char *name, const struct pattern *p)
{
	bool matrix = strstr(name, "ldmatrix") != NULL;
	struct access a = {
		.space = matrix ? ACCESS_LDMATRIX : strstr(name, "shared") ?
			 ACCESS_SHARED : ACCESS_GLOBAL,
		.op = strstr(name, "_st_") ? OP_ST : OP_LD,
		.bytes = matrix ? 16 : (uint32_t)number_of(name),
		.mask = p->mask,
	};

	for (int lane = 0; lane < 32; lane++)
		a.address[lane] = p->address[lane];
	return a;
}

static double cost_of(const char *name, const struct pattern *p)
{
	const char *banks = getenv("FAKE_CUDA_BANKS");
	struct access a = access_from(name, p);
	struct access_cost cost = { 0 };

	access_cost(&a, &cost, NULL);
	return LEAST + cost.cycles * (banks && a.op == OP_LD &&
				      a.space == ACCESS_SHARED &&
				      a.bytes == 8 ? atof(banks) : 1);
}

static double patterns(const char *name, unsigned block, void **a)
{
	const struct pattern *p = *(struct pattern **)a[0];
	int count = *(int *)a[1], rounds = *(int *)a[2];
	u64 *cycles = *(u64 **)a[4], sum = 0;

	for (int i = 0; i < count; i++) {
		cycles[i] = (u64)(cost_of(name, &p[i]) * rounds * 8 *
				  (block / 32.0));
		sum += cycles[i];
	}
	return (double)sum / HERTZ;
}

static double chase(const char *name, void **a)
{
	int hops = *(int *)a[1];
	u64 each = strstr(name, "fma") ? 4 : strstr(name, "shared") ? 20 :
		   strstr(name, "l1") && linked <= L1_BYTES ? L1_CYCLES :
		   linked <= L2_BYTES ? L2_CYCLES : DRAM_CYCLES;

	**(u64 **)a[2] = each * (u64)hops;
	return (double)(each * (u64)hops) / HERTZ;
}

/* An L1 in sectors: what lies in the first one is there. */
static double fetched(void **a)
{
	const uint32_t *offset = *(uint32_t **)a[1];
	int count = *(int *)a[2], lines = *(int *)a[3];
	u64 *took = *(u64 **)a[4];

	for (int i = 0; i < count; i++)
		took[i] = (u64)lines * (L2_CYCLES + (offset[i] < SECTOR ?
						     L1_CYCLES : L2_CYCLES));
	return 1e-6;
}

static double stream(const char *name, unsigned grid, unsigned block, void **a)
{
	double count = (double)*(u64 *)a[1], times = *(int *)a[2];
	double threads = (double)grid * block;

	if (strstr(name, "fma"))
		return times * threads * 64 / (128 * HERTZ);
	if (strstr(name, "shared"))
		return times * threads * 128 / (128 * HERTZ);
	if (strstr(name, "l1"))
		return times * grid * count * 16 / (64 * HERTZ * grid);
	if (!strstr(name, "bulk"))
		count *= 16;
	return times * count / (count <= (double)L2_BYTES ? 4e12 : 1e12);
}

bool fake_calibrate(const char *name, unsigned grid, unsigned block, void **a,
		    double *seconds)
{
	if (strstr(name, "gemmviz_link")) {
		linked = *(uint32_t *)a[2] * 128ull;
		*seconds = 1e-6;
	} else if (strstr(name, "gemmviz_pattern")) {
		*seconds = patterns(name, block, a);
	} else if (strstr(name, "gemmviz_cha")) {
		*seconds = chase(name, a);
	} else if (strstr(name, "gemmviz_stream")) {
		*seconds = stream(name, grid, block, a);
	} else if (strstr(name, "gemmviz_fetched")) {
		*seconds = fetched(a);
	} else if (strstr(name, "gemmviz_clock")) {
		u64 *took = *(u64 **)a[2];

		took[0] = took[1] = *(u64 *)a[1];
		*seconds = (double)took[0] / HERTZ;
	} else if (strstr(name, "gemmviz_nothing")) {
		*seconds = 2e-6;
	} else {
		return false;
	}
	return true;
}
