#include "scene/rung_counts.h"

#include <math.h>
#include <stdio.h>

#include "base/lang.h"

/* Returns the decimals of a number with three digits in all. */
static int count_decimals(double v)
{
	return v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
}

const char *rung_count_name(enum rung_count what)
{
	static const char *const names[] = {
		[RUNG_L1] = N_("wavefronts of L1/shared"),
		[RUNG_SHARED_WAVEFRONTS] = N_("shared-load wavefronts"),
		[RUNG_SHARED_LOADS] = N_("shared-load instructions"),
		[RUNG_SHARED_STORES] = N_("shared-store instructions"),
		[RUNG_REQUESTS] = N_("global-load requests"),
		[RUNG_SECTORS] = N_("global-load sectors"),
		[RUNG_L2_READ] = N_("bytes read from L2"),
		[RUNG_DRAM] = N_("bytes of DRAM"),
		[RUNG_STORE_REQUESTS] = N_("global-store requests"),
		[RUNG_STORE_SECTORS] = N_("global-store sectors"),
		[RUNG_L2_WRITE] = N_("bytes written to L2"),
	};

	return names[what];
}

double rung_count(const struct timing_counts *c, enum rung_count what)
{
	const double counts[] = {
		[RUNG_L1] = c->l1_wavefronts,
		[RUNG_SHARED_WAVEFRONTS] = c->shared_load_wavefronts,
		[RUNG_SHARED_LOADS] = c->shared_load_instructions,
		[RUNG_SHARED_STORES] = c->shared_store_instructions,
		[RUNG_REQUESTS] = c->global_load_requests,
		[RUNG_SECTORS] = c->global_load_sectors,
		[RUNG_L2_READ] = c->l2_read_bytes,
		[RUNG_DRAM] = c->dram_bytes,
		[RUNG_STORE_REQUESTS] = c->global_store_requests,
		[RUNG_STORE_SECTORS] = c->global_store_sectors,
		[RUNG_L2_WRITE] = c->l2_write_bytes,
	};

	return counts[what];
}

void rung_count_figure(char *buf, size_t size, enum rung_count what, double v)
{
	bool bytes = what == RUNG_L2_READ || what == RUNG_L2_WRITE ||
		     what == RUNG_DRAM;
	static const char *const units[] = { "", "k", "M", "G", "T" };
	size_t i = 0;

	while (v >= 999.5 && i + 1 < LENGTH(units)) {
		v /= 1e3;
		i++;
	}
	snprintf(buf, size, "%.*f%s%s%s", v > 0 ? count_decimals(v) : 0, v,
		 i || bytes ? " " : "", units[i], bytes ? "B" : "");
}

void rung_time_figure(char *buf, size_t size, double seconds)
{
	snprintf(buf, size, "%.*f ms", count_decimals(seconds * 1e3),
		 seconds * 1e3);
}

double rung_busy(const struct timing_counts *c, enum benchmark_unit unit)
{
	switch (unit) {
	case UNIT_TENSOR:
		return c->tensor_busy;
	case UNIT_FMA:
		return c->fma_busy;
	case UNIT_L1:
		return c->l1_busy;
	case UNIT_L2:
		return c->l2_busy;
	case UNIT_DRAM:
		return c->dram_busy;
	case UNIT_NONE:
		return NA;
	}
	return NA;
}

const char *rung_unit_name(enum benchmark_unit unit)
{
	static const char *const names[] = {
		[UNIT_NONE] = "", [UNIT_TENSOR] = N_("tensor cores"),
		[UNIT_FMA] = "FP32", [UNIT_L1] = "L1/shared", [UNIT_L2] = "L2",
		[UNIT_DRAM] = "DRAM",
	};

	return names[unit];
}

enum benchmark_unit rung_limiter(const struct timing_counts *c)
{
	enum benchmark_unit found = UNIT_NONE;
	double most = RUNG_BUSY;

	for (int u = UNIT_TENSOR; u <= UNIT_DRAM; u++)
		if (rung_busy(c, (enum benchmark_unit)u) >= most) {
			found = (enum benchmark_unit)u;
			most = rung_busy(c, found);
		}
	return found;
}

enum rung_count rung_work_of(enum benchmark_unit unit)
{
	return unit == UNIT_L1 ? RUNG_L1 : unit == UNIT_L2 ? RUNG_L2_READ :
	       unit == UNIT_DRAM ? RUNG_DRAM : RUNG_COUNTS;
}
