/* Reads the members that messages and files have in common. See
 * timing_members.h. */
#include "timing/timing_members.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "timing/timing_parts.h"

#define TEXT_LIMIT 400		/* bytes of a peer's words that are kept */
#define SECONDS_MAX 86400.0	/* no launch takes a day */

const char *const timing_state_names[] = {
	[TIMING_WAITING] = "waiting", [TIMING_CHECKING] = "checking",
	[TIMING_READY] = "ready", [TIMING_TIMED] = "timed",
	[TIMING_SKIPPED] = "skipped", [TIMING_FAILED] = "failed",
};

static int state_from(const char *name)
{
	for (size_t i = 0; name && i < LENGTH(timing_state_names); i++)
		if (!strcmp(name, timing_state_names[i]))
			return (int)i;
	return -1;
}

int members_wrong(struct error *e, const char *fmt, ...)
{
	char what[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), _(fmt), ap);
	va_end(ap);
	return error_set(e, EXIT_RUNNER, "%s", what);
}

int member_number(const json_t *from, const char *name, double lowest,
		       double *out, struct error *e)
{
	const json_t *v = json_object_get(from, name);
	double d = json_number_value(v);

	if (!v || json_is_null(v))
		return 0;
	if (!json_is_number(v) || !isfinite(d) || !(d >= lowest))
		return members_wrong(e, _("expected a number in \"%s\""), name);
	*out = d;
	return 0;
}

int member_text(const json_t *from, const char *name, char **out,
		     struct error *e)
{
	const json_t *v = json_object_get(from, name);

	if (!v || json_is_null(v))
		return 0;
	if (!json_is_string(v))
		return members_wrong(e, _("expected text in \"%s\""), name);
	free(*out);
	*out = text_clean(json_string_value(v),
			  MIN(json_string_length(v), TEXT_LIMIT), 0);
	return 0;
}

static int member_defines(const json_t *from, struct job_defines *out,
			struct error *e)
{
	json_t *defines = json_object_get(from, "defines"), *v;
	const char *name;

	if (!defines)
		return 0;
	if (!json_is_object(defines))
		return members_wrong(e, _("expected text in \"%s\""),
				     "defines");
	job_defines_done(out);
	json_object_foreach(defines, name, v) {
		if (!json_is_string(v))
			return members_wrong(e, _("expected text in \"%s\""),
					     name);
		job_define(out, name, json_string_value(v));
	}
	return 0;
}

static int member_index(const json_t *from, const char *name, size_t count,
		      size_t *out, struct error *e)
{
	const json_t *v = json_object_get(from, name);
	json_int_t i = json_integer_value(v);

	if (!json_is_integer(v) || i < 0 || (size_t)i >= count)
		return members_wrong(e, _("there is no such %s"), name);
	*out = (size_t)i;
	return 0;
}

int member_samples(struct timing_result *r, const json_t *list,
			struct error *e)
{
	size_t i, n = json_array_size(list);
	json_t *v;

	if (list && !json_is_array(list))
		return members_wrong(e, _("expected a list of samples"));
	if (r->sample_count + n > TIMING_MAX_SAMPLES)
		return members_wrong(e, _("more than %d samples"),
				     TIMING_MAX_SAMPLES);
	grow(&r->samples, &r->sample_capacity, r->sample_count + n,
	     sizeof(*r->samples));
	json_array_foreach(list, i, v) {
		double s = json_number_value(v);

		if (!json_is_number(v) || !(s > 0 && s <= SECONDS_MAX))
			return members_wrong(e,
					     _("an invalid launch time"));
		r->samples[r->sample_count++] = s;
	}
	return 0;
}

int members_machine(struct timing *t, const json_t *m, struct error *e)
{
	struct timing_machine *to = &t->machine;
	const struct { const char *name; char **to; } texts[] = {
		{ "gpu", &to->gpu }, { "compute", &to->compute },
		{ "driver", &to->driver }, { "cuda", &to->cuda },
		{ "cublas", &to->cublas }, { "uuid", &to->uuid },
	};
	const struct { const char *name; double *to; } numbers[] = {
		{ "sms", &to->sms }, { "clock_mhz", &to->clock_mhz },
		{ "memory_clock_mhz", &to->memory_clock_mhz },
		{ "bus_bits", &to->bus_bits },
		{ "fp32_lanes", &to->fp32_lanes },
		{ "memory_bytes", &to->memory_bytes },
		{ "l2_bytes", &to->l2_bytes },
	};

	for (size_t i = 0; i < LENGTH(texts); i++)
		if (member_text(m, texts[i].name, texts[i].to, e))
			return -1;
	for (size_t i = 0; i < LENGTH(numbers); i++)
		if (member_number(m, numbers[i].name, 0, numbers[i].to, e))
			return -1;
	return 0;
}

int members_counts(struct timing_counts *to, const json_t *from,
		   struct error *e)
{
	for (size_t i = 0; i < timing_count_count; i++)
		if (member_number(from, timing_count_name(i), 0,
				  timing_count(to, i), e))
			return -1;
	return 0;
}

int members_pair(const struct timing *t, const json_t *m, size_t *size,
		     size_t *case_at, struct error *e)
{
	if (member_index(m, "entrant", t->case_count, case_at, e))
		return -1;
	return member_index(m, "size", t->size_count, size, e);
}

/* Marks a result as failed when its error is above the bound. A NaN fails. */
static void judge_error(struct timing_result *r)
{
	if (r->state == TIMING_FAILED || r->bound == NA || r->error == NA ||
	    r->error <= r->bound)
		return;
	r->state = TIMING_FAILED;
	free(r->why);
	r->why = xasprintf(_("wrong: relative error %.2g; rounding explains at "
			     "most %.2g"), r->error, r->bound);
}

int members_state(struct timing_result *r, const json_t *m,
		      const char *why, struct error *e)
{
	const char *name = json_string_value(json_object_get(m, "state"));
	int state = state_from(name);

	if (state < 0)
		return members_wrong(e, _("no state '%s'"),
			     text_show(name ? name : ""));
	if (member_number(m, "error", 0, &r->error, e) ||
	    member_number(m, "bound", 0, &r->bound, e) ||
	    member_number(m, "registers", 0, &r->registers, e) ||
	    member_number(m, "shared_bytes", 0, &r->shared_bytes, e) ||
	    member_number(m, "tried", 0, &r->tried, e) ||
	    member_number(m, "clock_mhz", 0, &r->clock_mhz, e) ||
	    member_text(m, "reference", &r->reference, e) ||
	    member_defines(m, &r->defines, e))
		return -1;
	if ((state == TIMING_FAILED || state == TIMING_SKIPPED) &&
	    member_text(m, why, &r->why, e))
		return -1;
	if (json_is_true(json_object_get(m, "early")))
		r->early = true;
	r->state = (enum timing_state)state;
	judge_error(r);
	return 0;
}
