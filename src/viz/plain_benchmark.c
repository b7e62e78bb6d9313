/* Writes a race as sentences. */
#include <stdlib.h>
#include <string.h>

#include "viz/view_benchmark.h"

int benchmark_digits(double tflops)
{
	return tflops >= 100 ? 1 : tflops >= 0.1 ? 2 : 4;
}

const char *benchmark_state(enum timing_state state, bool over)
{
	static const char *const words[] = {
		[TIMING_WAITING] = N_("waiting"),
		[TIMING_CHECKING] = N_("checking the result"),
		[TIMING_READY] = N_("ready"),
		[TIMING_TIMED] = N_("timed"),
		[TIMING_SKIPPED] = N_("skipped"),
		[TIMING_FAILED] = N_("failed"),
	};

	return over && state < TIMING_TIMED ? _("not timed") :
					      _(words[state]);
}

/* ---- reasons ---- */

static void add_pattern_reason(struct str *out,
			       const struct benchmark_reason *r)
{
	switch (r->pattern) {
	case PATTERN_UNKNOWN:
		return;
	case PATTERN_CONFLICTS:
		str_addf(out, _("%.0f-way bank conflicts in %s"), r->n,
			 r->array);
		return;
	case PATTERN_SCATTERED:
		str_addf(out, _("%.0f sectors a load of %s"), r->n,
			 r->array);
		return;
	case PATTERN_COALESCED:
		str_addf(out, _("coalesced: %.0f sectors a load of %s"), r->n,
			 r->array);
		return;
	case PATTERN_SHARED:
		str_addf(out, _("%.2g products per shared value"), r->n);
		return;
	case PATTERN_REUSE:
		str_addf(out, _("a value is used %.0f times"),
			 r->n);
		return;
	}
}

static const char *unit_words(enum benchmark_unit unit)
{
	static const char *const words[] = {
		[UNIT_NONE] = "",
		[UNIT_TENSOR] = N_("tensor cores %.0f %% busy"),
		[UNIT_FMA] = N_("FP32 units %.0f %% busy"),
		[UNIT_L1] = N_("L1/shared %.0f %% busy"),
		[UNIT_L2] = N_("L2 %.0f %% busy"),
		[UNIT_DRAM] = N_("DRAM %.0f %% busy"),
	};

	return words[unit];
}

void benchmark_reason_words(struct str *out, const struct benchmark_reason *r)
{
	add_pattern_reason(out, r);
	if (r->unit == UNIT_NONE)
		return;
	if (r->pattern != PATTERN_UNKNOWN)
		str_add(out, " \xc2\xb7 ");
	str_addf(out, _(unit_words(r->unit)), r->busy * 100);
}

void benchmark_factor(char *buf, size_t size, double factor)
{
	bool slower = factor < 0.995;
	double v = slower ? 1 / factor : factor;

	if (factor == NA)
		snprintf(buf, size, "%s", "");
	else
		snprintf(buf, size, "%s %.*f", slower ? "\xc3\xb7" :
			 "\xc3\x97", v < 1.1 ? 2 : v < 9.95 ? 1 : 0, v);
}

/* ---- sentences ---- */

static void add_time(struct str *s, double seconds)
{
	if (seconds < 1e-3)
		str_addf(s, "%.1f %s", seconds * 1e6,
			 lang_utf8() ? "\xc2\xb5s" : "us");
	else
		str_addf(s, "%.3f ms", seconds * 1e3);
}

static void add_times(struct str *s, const struct benchmark_row *row)
{
	struct str median = {0}, low = {0}, high = {0};

	add_time(&median, row->figures.median);
	add_time(&low, row->figures.low);
	add_time(&high, row->figures.high);
	str_addf(s, _("%s per launch, the median of %zu; 10th to 90th "
		      "percentile %s to %s.\n"), median.data, row->samples,
		 low.data, high.data);
	str_done(&median);
	str_done(&low);
	str_done(&high);
	str_addf(s, "%.*f TFLOP/s", benchmark_digits(row->figures.flops / 1e12),
		 row->figures.flops / 1e12);
	if (row->share != NA && !row->baseline)
		str_addf(s, _(", %.0f %% of %s"), row->share * 100, row->held);
	str_add(s, _(".\n"));
}

static void add_result_error(struct str *s, const struct benchmark_row *row)
{
	if (row->error == NA)
		return;
	str_addf(s, _("Relative error %.1e"), row->error);
	if (row->reference)
		str_addf(s, _(" against %s"), row->reference);
	if (row->bound != NA)
		str_addf(s, _("; rounding explains %.1e"), row->bound);
	str_add(s, _(".\n"));
}

static void add_why(struct str *s, const struct benchmark_row *row)
{
	char factor[32];

	benchmark_factor(factor, sizeof(factor), row->factor);
	if (*factor)
		str_addf(s, _("%s against the rung before, %s.\n"), factor,
			 row->below);
	if (row->reason.pattern != PATTERN_UNKNOWN ||
	    row->reason.unit != UNIT_NONE) {
		str_add(s, _("Why: "));
		benchmark_reason_words(s, &row->reason);
		str_add(s, _(".\n"));
	}
	if (row->reason.issue != NA)
		str_addf(s, _("The schedulers issue in %.0f %% of all "
			      "cycles.\n"), row->reason.issue * 100);
}

char *benchmark_row_words(const struct benchmark_row *row)
{
	struct str s = {0};

	if (row->figures.median != NA) {
		add_times(&s, row);
		add_why(&s, row);
	}
	if (row->why)
		str_addf(&s, "%s\n", row->why);
	if (row->earlier)
		str_add(&s, _("This time is of an older version of the "
			      "source.\n"));
	add_result_error(&s, row);
	if (row->from)
		str_addf(&s, _("Recorded %s (%s).\n"), row->date,
			 file_base(row->from));
	if (row->tuned[0])
		str_addf(&s, _("Tuned for this size:%s.\n"), row->tuned);
	if (row->registers != NA && row->shared_bytes != NA)
		str_addf(&s, _("%.0f registers per thread, %.0f bytes of "
			       "shared memory per block.\n"), row->registers,
			 row->shared_bytes);
	if (row->intensity_date)
		str_addf(&s, _("%.1f FLOP per byte of DRAM traffic, as "
			       "recorded %s.\n"),
			 row->intensity, row->intensity_date);
	else if (row->intensity != NA)
		str_addf(&s, _("%.1f FLOP per byte of DRAM traffic.\n"),
			 row->intensity);
	else
		str_add(&s, _("DRAM traffic: not measured.\n"));
	return str_take(&s);
}

static void add_race_row(struct str *out, const struct benchmark_row *row)
{
	char *words, *line, *save;

	if (!row->on)
		return;
	str_addf(out, "\n%s", row->label);
	if (row->state != TIMING_TIMED)
		str_addf(out, " (%s)", benchmark_state(row->state, row->never));
	str_add(out, "\n");
	words = benchmark_row_words(row);
	for (line = strtok_r(words, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		str_addf(out, "  %s\n", line);
	free(words);
}

char *benchmark_words(const struct benchmark_scene *s)
{
	struct str out = {0};

	str_addf(&out, _("Race: C = A B, %d x %d x %d, on %s"), s->size.m,
		 s->size.n, s->size.k,
		 s->machine->gpu ? s->machine->gpu : _("n/a"));
	if (s->date)
		str_addf(&out, _(", recorded %s (%s)"), s->date, s->from);
	str_add(&out, _(".\n"));
	if (s->error)
		str_addf(&out, "%s\n", s->error);
	if (s->uncounted)
		str_addf(&out, "%s\n", s->uncounted);
	if (s->peak_flops != NA && s->peak_bytes != NA)
		str_addf(&out, s->calibrated ?
			 _("The machine's limits: %.1f TFLOP/s of fp32, and "
			   "%.2f TB/s that you have measured from DRAM.\n") :
			 _("The machine's limits: %.1f TFLOP/s of fp32, "
			   "%.2f TB/s from DRAM.\n"),
			 s->peak_flops / 1e12, s->peak_bytes / 1e12);
	if (s->tensor_flops != NA)
		str_addf(&out, _("Limit of the tensor cores: %.0f TFLOP/s "
				 "(half).\n"), s->tensor_flops / 1e12);
	for (size_t i = 0; i < s->row_count; i++)
		add_race_row(&out, &s->rows[i]);
	return str_take(&out);
}
