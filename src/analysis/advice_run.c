#include "analysis/advice_run.h"

bool run_extend(struct advice_run *run, const struct trace_site *site,
		const struct trace_request *r)
{
	if (!run->count || site->op != run->op || site->bytes != run->bytes ||
	    r->mask != run->first.mask || run_full(run))
		return false;
	for (uint32_t m = r->mask; m; m &= m - 1) {
		int lane = __builtin_ctz(m);

		if (r->offset[lane] != run->next[lane])
			return false;
	}
	for (int lane = 0; lane < WARP_LANES; lane++)
		run->next[lane] += run->bytes;
	run->count++;
	return true;
}

bool run_begin(struct advice_run *run, const struct trace_site *site,
	       const struct trace_array *array,
	       const struct trace_request *r)
{
	run->count = 0;
	if (site->matrix || site->bytes < 2 || site->bytes >= RUN_BYTES)
		return false;
	for (uint32_t m = r->mask; m; m &= m - 1)
		if ((array->base + r->offset[__builtin_ctz(m)]) % RUN_BYTES)
			return false;
	run->op = site->op;
	run->bytes = site->bytes;
	run->count = 1;
	run->first = *r;
	for (int lane = 0; lane < WARP_LANES; lane++)
		run->next[lane] = r->offset[lane] + site->bytes;
	return true;
}

bool run_full(const struct advice_run *run)
{
	return run->count * run->bytes == RUN_BYTES;
}
