/* Why a kernel is as fast as it is: what the model says about its loads, and
 * which unit the hardware's counters show to be the busiest. */
#include "scene/benchmark_scene.h"

#include "hardware/access.h"
#include "timing/ladder.h"

/* A pattern is bad from this multiple of the minimum on; in global memory not
 * if it takes no more sectors than adjacent floats do. */
#define WASTE 1.5

static double divide_by_least(double count, double least)
{
	return least > 0 ? count / least : 1;
}

/*
 * Returns the shared-memory wavefronts of a launch divided by those that it
 * would take without bank conflicts. `counted` comes from the timed build, in
 * which the compiler may have merged several loads into a wide one; NA: use the
 * model's.
 */
static double get_conflict_factor(const struct ladder_rung *r, double counted,
				  const struct problem_sizes *size)
{
	if (counted != NA)
		return divide_by_least(
			counted, ladder_loads(r, r->shared_load_ideal, size));
	return divide_by_least(r->shared_load_wavefronts, r->shared_load_ideal);
}

static void take_pattern(struct benchmark_reason *to,
			 const struct ladder_rung *r, double wavefronts,
			 const struct problem_sizes *size)
{
	if (get_conflict_factor(r, wavefronts, size) >= WASTE) {
		to->pattern = PATTERN_CONFLICTS;
		to->n = r->way;
		to->array = r->way_array;
		to->bad = true;
	} else if (r->sectors > WARP_LANES * 4 / SECTOR_BYTES &&
		   divide_by_least(r->sectors, r->ideal_sectors) >= WASTE) {
		to->pattern = PATTERN_SCATTERED;
		to->n = r->sectors;
		to->array = r->sector_array;
		to->bad = true;
	} else if (r->shared_values > 0 && r->products > r->shared_values) {
		to->pattern = PATTERN_SHARED;
		to->n = r->products / r->shared_values;
	} else if (r->global_values > 0 && r->shared_values > 0) {
		to->pattern = PATTERN_REUSE;
		to->n = 2 * r->products / r->global_values;
	} else if (r->sectors > 0) {
		to->pattern = PATTERN_COALESCED;
		to->n = r->sectors;
		to->array = r->sector_array;
	}
}

void benchmark_reason_fill(struct benchmark_reason *to,
			   const struct timing_case *n,
			   const struct timing_counts *counts,
			   const struct problem_sizes *size)
{
	const struct { enum benchmark_unit unit; double busy; } units[] = {
		{ UNIT_TENSOR, counts->tensor_busy },
		{ UNIT_FMA, counts->fma_busy }, { UNIT_L1, counts->l1_busy },
		{ UNIT_L2, counts->l2_busy }, { UNIT_DRAM, counts->dram_busy },
	};
	const struct ladder_rung *r = ladder_find(n);

	*to = (struct benchmark_reason){ .busy = NA,
					 .issue = counts->issue_busy };
	/* The model's loads do not include the tensor cores' reads. */
	if (r && benchmark_group_of(n) == GROUP_FLOAT)
		take_pattern(to, r, counts->shared_load_wavefronts, size);
	for (size_t i = 0; i < LENGTH(units); i++) {
		if (units[i].busy == NA || units[i].busy <= to->busy)
			continue;
		to->unit = units[i].unit;
		to->busy = units[i].busy;
	}
}
