/* lesson_launch: functions of expressions on a whole launch, and on recorded
 * races. */
#include "lesson/lesson_query.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "timing/benchmark.h"
#include "timing/compiled.h"
#include "trace/finding.h"

/* ---- count over the whole launch ---- */

int query_total(struct query *q, struct value *out, struct error *e)
{
	const struct report *report = lesson_report(q->s, e);
	int64_t sum = 0, n;
	bool any = false;

	if (!report)
		return -1;
	for (size_t i = 0; i < report->site_count; i++) {
		const struct report_site *site = &report->sites[i];

		if (strcmp(site->array, q->array) ||
		    (q->op >= 0 && (int)site->op != q->op))
			continue;
		n = q->which == TOTAL_SECTORS ? site->sectors :
						site->wavefronts;
		any = any || n != NA;
		sum += n == NA ? 0 : n;
	}
	*out = any ? value_int(sum) : (struct value){ .kind = VALUE_NONE };
	return 0;
}

int query_compiled(struct query *q, struct value *out, struct error *e)
{
	struct compiled_counts c;

	if (!compiled_find(&c, q->s->info, q->array,
			   q->op < 0 ? OP_LD : (enum op)q->op))
		return error_set(e, EXIT_INPUT,
				 _("%s of this launch is not in "
				   "data/compiled.jsonl"), text_show(q->array));
	if (q->which == COMPILED_BY)
		*out = value_text(c.by);
	else
		*out = value_int(q->which == COMPILED_BYTES ? c.bytes :
				 q->which == COMPILED_REQUESTS ? c.requests :
								 c.wavefronts);
	return 0;
}

int query_sum(struct query *q, struct value *out, struct error *e)
{
	const struct report *r = lesson_report(q->s, e);

	if (!r)
		return -1;
	switch (q->which) {
	case SUM_FLOPS:
		*out = r->flops == NA ? (struct value){ .kind = VALUE_NONE } :
		       value_int(r->flops);
		break;
	case SUM_BYTES:
		*out = value_int(r->bytes_global);
		break;
	case SUM_LOAD_SECTORS:
		*out = value_int(r->global_load_sectors);
		break;
	case SUM_LOAD_REQUESTS:
		*out = value_int(r->global_load_requests);
		break;
	default:
		*out = r->intensity < 0 ? (struct value){ .kind = VALUE_NONE } :
		       value_real(r->intensity);
	}
	return 0;
}

static int64_t shared_bytes(const struct trace_info *info)
{
	int64_t sum = 0, size;

	for (size_t i = 0; i < info->array_count; i++) {
		const struct trace_array *a = &info->arrays[i];

		if (a->space != SPACE_SHARED)
			continue;
		size = a->elem_bytes;
		for (uint32_t d = 0; d < a->rank; d++)
			size *= a->dims[d];
		sum += size;
	}
	return sum;
}

int query_launch(struct query *q, struct value *out, struct error *e)
{
	const struct trace_info *info = q->s->info;
	int64_t threads = (int64_t)info->block.x * info->block.y *
			  info->block.z;
	uint32_t phases = trace_warp(q->s->trace, q->s->warp)->phases;

	(void)e;
	switch (q->which) {
	case LAUNCH_PHASES:
		*out = value_int(phases);
		break;
	case LAUNCH_BARRIERS:
		*out = value_int(phases - 1);
		break;
	case LAUNCH_THREADS:
		*out = value_int(threads);
		break;
	case LAUNCH_WARPS:
		*out = value_int((threads + WARP_LANES - 1) / WARP_LANES);
		break;
	case LAUNCH_BLOCKS:
		*out = value_int((int64_t)info->grid.x * info->grid.y *
				 info->grid.z);
		break;
	default:
		*out = value_int(shared_bytes(info));
	}
	return 0;
}

int query_dims(struct query *q, struct value *out, struct error *e)
{
	const struct trace_array *a = query_find_array(q);

	(void)e;
	if (q->which)
		*out = value_int(a->dims[a->rank - 1]);
	else
		*out = value_int(a->rank < 2 ? 1 : a->dims[a->rank - 2]);
	return 0;
}

/* ---- findings ---- */

static int count_cause(const struct query *q, struct value *out,
		       struct error *e)
{
	int cause = finding_cause_from(q->text[0]);
	int64_t n = 0;

	if (cause < 0)
		return error_set(e, EXIT_INPUT, _("no cause '%s'"),
				 text_show(q->text[0]));
	for (size_t i = 0; i < q->s->info->finding_count; i++)
		n += (int)q->s->info->findings[i].cause == cause;
	*out = value_int(n);
	return 0;
}

int query_found(struct query *q, struct value *out, struct error *e)
{
	const struct trace_info *info = q->s->info;

	if (q->which == FOUND_CAUSE)
		return count_cause(q, out, e);
	*out = value_int((int64_t)info->finding_count);
	if (q->which == FOUND_ALL)
		return 0;
	if (q->i[0] < 0 || (uint64_t)q->i[0] >= info->finding_count)
		return error_set(e, EXIT_INPUT, _("there is no finding %lld"),
				 (long long)q->i[0]);
	*out = value_int(info->findings[q->i[0]].access.line);
	return 0;
}

/* ---- recorded races ---- */

/* Opens the newest recording of the query's kernels at its size. The caller
 * calls benchmark_plan_done() on `plan` in any case. Returns NULL with e. */
static struct timing *open_race(const struct query *q,
				struct benchmark_plan *plan, struct error *e)
{
	char *folder = xasprintf("%s/races", paths()->data);
	char *size = xasprintf("%lld", (long long)q->i[0]);
	struct timing *t = NULL;
	int status;

	benchmark_plan_init(plan);
	status = benchmark_add_size(plan, size, e);
	for (size_t i = 0; i < 2 && q->kernel[i] && !status; i++)
		status = benchmark_add(plan, q->kernel[i], e);
	if (!status)
		t = benchmark_find(folder, plan, e);
	free(folder);
	free(size);
	return t;
}

/* Gets the FLOP/s of the kernels named and of the first one's cuBLAS, in the
 * newest recording of them at this size. */
static int race_flops(const struct query *q, double flops[2], double *cublas,
		      struct error *e)
{
	struct benchmark_plan p;
	struct timing *t = open_race(q, &p, e);
	int status = t ? 0 : -1;

	for (size_t i = 0; i < p.job.case_count && t; i++) {
		size_t at = (size_t)benchmark_case(t, &p.job.cases[i]);
		long against = timing_held(t, &t->cases[at].what);

		flops[i] = timing_figures(t, 0, at).flops;
		if (i == 0 && against >= 0)
			*cublas = timing_figures(t, 0, (size_t)against).flops;
	}
	timing_free(t);
	benchmark_plan_done(&p);
	return status;
}

/* Records which kernels the expression compares, if it is a lesson's. */
static void note_race(struct query *q)
{
	struct lesson_model *m = q->s->traces ? q->s->traces->model : NULL;

	if (!m || q->which == RACE_TFLOPS)
		return;
	m->races++;
	for (int i = 0; i < 2; i++)
		snprintf(m->race[i], sizeof(m->race[i]), "%s",
			 q->kernel[i] ? q->kernel[i] : "");
}

int query_race(struct query *q, struct value *out, struct error *e)
{
	double flops[2] = { NA, NA }, cublas = NA, by;

	if (race_flops(q, flops, &cublas, e) < 0)
		return -1;
	by = q->which == RACE_TFLOPS ? 1e12 :
	     q->which == RACE_SHARE ? cublas : flops[1];
	note_race(q);
	*out = (struct value){ .kind = VALUE_NONE };
	if (flops[0] != NA && by != NA)
		*out = value_real(flops[0] / by);
	return 0;
}

static int counter_of(const struct query *q, struct timing_counts *counts,
		      double *v, struct error *e)
{
	for (size_t i = 0; i < timing_count_count; i++) {
		if (strcmp(q->text[0], timing_count_name(i)))
			continue;
		*v = *timing_count(counts, i);
		return 0;
	}
	return error_set(e, EXIT_INPUT, _("no counter '%s'"),
			 text_show(q->text[0]));
}

static double get_race_figure(int what, const struct timing *t, size_t at)
{
	const struct timing_result *r = timing_result(t, 0, at);
	struct timing_figures f = timing_figures(t, 0, at);

	switch (what) {
	case RACE_SPREAD:
		return f.slowest == NA ? NA : f.slowest / f.fastest - 1;
	case RACE_PEAK_FLOPS:
		return timing_peak_flops(&t->machine);
	case RACE_PEAK_BYTES:
		return timing_peak_bytes(&t->machine);
	case RACE_REGISTERS:
		return r->registers;
	default:
		return r->shared_bytes;
	}
}

int query_race_used(struct query *q, struct value *out, struct error *e)
{
	struct benchmark_plan p;
	struct timing *t = open_race(q, &p, e);
	int status = t ? 0 : -1;
	double v = NA;

	for (size_t i = 0; i < p.job.case_count && t; i++) {
		size_t at = (size_t)benchmark_case(t, &p.job.cases[i]);

		if (q->which == RACE_COUNTER)
			status = counter_of(q, t->cases[at].counts, &v, e);
		else
			v = get_race_figure(q->which, t, at);
	}
	*out = v == NA ? (struct value){ .kind = VALUE_NONE } :
	       q->which == RACE_REGISTERS || q->which == RACE_SHARED_BYTES ?
	       value_int((int64_t)v) : value_real(v);
	timing_free(t);
	benchmark_plan_done(&p);
	return status;
}
