/* Derives figures from a benchmark: the machine's limits, shares of cuBLAS. */
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "timing/baseline.h"
#include "timing/timing_parts.h"

/* Interpolates a quantile between the two samples next to it. */
static double interpolate_quantile(const double *sorted, size_t n, double q)
{
	double at = q * (double)(n - 1);
	size_t i = (size_t)at;

	if (i + 1 >= n)
		return sorted[n - 1];
	return sorted[i] + (sorted[i + 1] - sorted[i]) * (at - (double)i);
}

struct timing_figures timing_figures_of(const double *samples, size_t count,
					const struct problem_sizes *s)
{
	struct timing_figures f = { NA, NA, NA, NA, NA, NA };
	double *sorted;

	if (!count)
		return f;
	sorted = xmalloc(count * sizeof(*sorted));
	memcpy(sorted, samples, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), double_order);
	f.low = interpolate_quantile(sorted, count, 0.1);
	f.median = interpolate_quantile(sorted, count, 0.5);
	f.high = interpolate_quantile(sorted, count, 0.9);
	f.fastest = sorted[0];
	f.slowest = sorted[count - 1];
	if (s->m)
		f.flops = problem_gemm.flops(s->m, s->n, s->k) / f.median;
	free(sorted);
	return f;
}

struct timing_figures timing_figures(const struct timing *t, size_t size,
				     size_t case_at)
{
	const struct timing_result *r = timing_result_at(t, size, case_at);

	return timing_figures_of(r->samples, r->state == TIMING_FAILED ? 0 :
				 r->sample_count, &t->sizes[size]);
}

/* Returns the FLOP/s of `lanes` multiply-adds a clock and SM; NA when not
 * known. */
static double peak_of_lanes(const struct timing_machine *m, double lanes)
{
	if (m->sms == NA || lanes == NA || m->clock_mhz == NA)
		return NA;
	return m->sms * lanes * 2 * m->clock_mhz * 1e6;
}

double timing_peak_flops(const struct timing_machine *m)
{
	return peak_of_lanes(m, m->fp32_lanes);
}

/* Multiply-adds of halves a clock and SM, in dense matrices: NVIDIA's papers on
 * the architectures V100, Turing, A100, GA102, Ada, H100, Blackwell (RTX). */
static double tensor_lanes(const struct timing_machine *m)
{
	static const struct { const char *compute; double lanes; } table[] = {
		{ "7.0", 512 }, { "7.5", 512 }, { "8.0", 1024 },
		{ "8.6", 512 }, { "8.9", 512 }, { "9.0", 2048 },
		{ "12.0", 512 },
	};

	for (size_t i = 0; m->compute && m->gpu && i < LENGTH(table); i++)
		if (!strcmp(m->compute, table[i].compute))
			/* GeForce takes two clocks where sums are fp32. */
			return strstr(m->gpu, "GeForce") ?
			       table[i].lanes / 2 : table[i].lanes;
	return NA;
}

double timing_tensor_flops(const struct timing_machine *m)
{
	return peak_of_lanes(m, tensor_lanes(m));
}

double timing_peak_bytes(const struct timing_machine *m)
{
	if (m->memory_clock_mhz == NA || m->bus_bits == NA)
		return NA;
	return m->memory_clock_mhz * 1e6 * 2 * m->bus_bits / 8;
}

const char *timing_baseline(const struct job_kernel *what)
{
	const struct kernel *k = what->name ? kernel_find(what->name) : NULL;
	const char *text = what->text;
	int p[KERNEL_PARAMS];

	if (what->baseline) {
		const struct baseline *b = baseline_find(what->baseline);

		return b ? b->held : what->baseline;
	}
	if (k && k->baseline) {
		kernel_values(k, p, job_defined, &what->defines);
		return k->baseline(p);
	}
	if (text && strstr(text, "__nv_bfloat16"))
		return "cublas-bf16";
	return text && strstr(text, "half") ? "cublas-fp16" : "cublas-fp32";
}

bool timing_halves(const struct job_kernel *what)
{
	const char *name = timing_baseline(what);

	return !strcmp(name, "cublas-fp16") || !strcmp(name, "cublas-bf16");
}

static long baseline_at(const struct timing *t, const char *name)
{
	for (size_t i = 0; i < t->case_count; i++)
		if (t->cases[i].baseline &&
		    !strcmp(t->cases[i].name, name))
			return (long)i;
	return -1;
}

long timing_held(const struct timing *t, const struct job_kernel *what)
{
	return baseline_at(t, timing_baseline(what));
}

long timing_cublas(const struct timing *t)
{
	for (size_t i = 0; i < t->case_count; i++)
		if (!t->cases[i].baseline)
			return timing_held(t, &t->cases[i].what);
	return t->case_count ? 0 : -1;
}

bool timing_tied(const struct timing *t, size_t size, size_t case_at)
{
	long at = timing_held(t, &t->cases[case_at].what);
	struct timing_figures own, other;

	if (at < 0 || at == (long)case_at)
		return false;
	own = timing_figures(t, size, case_at);
	other = timing_figures(t, size, (size_t)at);
	return own.median != NA && other.median != NA &&
	       own.low <= other.high && other.low <= own.high;
}

double timing_share(const struct timing *t, size_t size, size_t case_at)
{
	long cublas = timing_held(t, &t->cases[case_at].what);
	double own = timing_figures(t, size, case_at).flops, its;

	if (cublas < 0 || own == NA)
		return NA;
	its = timing_figures(t, size, (size_t)cublas).flops;
	return its == NA ? NA : own / its;
}
