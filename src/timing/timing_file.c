/* Writes a benchmark to a file, and reads it back. */
#include <config.h>

#include "timing/timing_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "timing/timing_members.h"
#include "timing/timing_parts.h"

#define FILE_LIMIT (64u << 20)
#define SIZE_LIMIT 65536

/* ---- writing ---- */

static json_t *value_json(double v)
{
	if (v == NA)
		return json_null();
	return v == floor(v) && fabs(v) < 1e15 ? json_integer((json_int_t)v) :
						 json_real(v);
}

static json_t *text_or_null(const char *s)
{
	return s ? json_string(s) : json_null();
}

static json_t *machine_json(const struct timing_machine *m)
{
	return json_pack(
		"{so so so so so so so so so so so so so}", "gpu",
		text_or_null(m->gpu), "uuid", text_or_null(m->uuid), "compute",
		text_or_null(m->compute), "driver", text_or_null(m->driver),
		"cuda", text_or_null(m->cuda), "cublas",
		text_or_null(m->cublas), "sms", value_json(m->sms),
		"memory_bytes", value_json(m->memory_bytes), "l2_bytes",
		value_json(m->l2_bytes), "clock_mhz", value_json(m->clock_mhz),
		"memory_clock_mhz", value_json(m->memory_clock_mhz), "bus_bits",
		value_json(m->bus_bits), "fp32_lanes",
		value_json(m->fp32_lanes));
}

static void size_name(const struct problem_sizes *s, char *buf, size_t n)
{
	snprintf(buf, n, "%dx%dx%d", s->m, s->n, s->k);
}

/* Returns the counters as an object; NULL when nothing was counted. */
static json_t *counts_json(const struct timing_counts *from)
{
	struct timing_counts counts = *from;
	json_t *o = NULL;

	for (size_t i = 0; i < timing_count_count; i++) {
		double v = *timing_count(&counts, i);

		if (v == NA)
			continue;
		if (!o)
			o = json_object();
		json_object_set_new(o, timing_count_name(i), value_json(v));
	}
	return o;
}

static json_t *case_json(const struct timing *t, const struct timing_case *n)
{
	json_t *intensity = json_object(), *counters = json_object();
	char name[48];

	for (size_t i = 0; i < t->size_count; i++) {
		json_t *counts = counts_json(&n->counts[i]);

		size_name(&t->sizes[i], name, sizeof(name));
		if (n->intensity[i] != NA)
			json_object_set_new(intensity, name,
					    value_json(n->intensity[i]));
		if (counts)
			json_object_set_new(counters, name, counts);
	}
	return json_pack("{ss ss so so so so}", "name", n->name, "label",
			 n->label, "what", job_kernel_members(&n->what),
			 "text_hash", text_or_null(n->text_hash), "intensity",
			 intensity, "counters", counters);
}

static json_t *result_json(const struct timing *t, size_t size,
			   size_t case_at)
{
	const struct timing_result *r = timing_result_at(t, size, case_at);
	json_t *samples = json_array();

	for (size_t i = 0; i < r->sample_count; i++)
		json_array_append_new(samples, json_real(r->samples[i]));
	return json_pack(
		"{sI sI ss so so so so so so so so so* so* so*}", "entrant",
		(json_int_t)case_at, "size", (json_int_t)size, "state",
		timing_state_names[r->state], "why", text_or_null(r->why),
		"error", value_json(r->error), "bound", value_json(r->bound),
		"reference", text_or_null(r->reference), "registers",
		value_json(r->registers), "shared_bytes",
		value_json(r->shared_bytes), "clock_mhz",
		value_json(r->clock_mhz), "samples", samples, "defines",
		r->defines.count ? job_defines_members(&r->defines) : NULL,
		"tried", r->tried == NA ? NULL : value_json(r->tried), "early",
		r->early ? json_true() : NULL);
}

/* Runs of samples of one result: [result, how many], ... */
static json_t *order_json(const struct timing *t)
{
	json_t *order = json_array();
	size_t n;

	for (size_t i = 0; i < t->order_count; i += n) {
		for (n = 1; i + n < t->order_count &&
		     t->order[i + n] == t->order[i]; n++)
			;
		json_array_append_new(order, json_pack("[I I]",
			(json_int_t)t->order[i], (json_int_t)n));
	}
	return order;
}

json_t *timing_json(const struct timing *t)
{
	json_t *cases = json_array(), *sizes = json_array();
	json_t *results = json_array();

	for (size_t i = 0; i < t->case_count; i++)
		json_array_append_new(cases,
				      case_json(t, &t->cases[i]));
	for (size_t s = 0; s < t->size_count; s++) {
		json_array_append_new(sizes, json_pack("[i i i]",
			t->sizes[s].m, t->sizes[s].n, t->sizes[s].k));
		for (size_t i = 0; i < t->case_count; i++)
			json_array_append_new(results, result_json(t, s, i));
	}
	return json_pack("{ss so so so so so so}", "gemmviz", PACKAGE_VERSION,
			 "date", text_or_null(t->date), "machine",
			 machine_json(&t->machine), "entrants", cases, "sizes",
			 sizes, "results", results, "order", order_json(t));
}

/* ---- reading ---- */

static int read_case(struct timing *t, const json_t *from, struct error *e)
{
	struct job_kernel what;
	int status = job_kernel_read(&what, from, e);

	if (!status && !what.baseline && !what.name && !what.file)
		status = members_wrong(e, _("an entrant without a kernel"));
	if (status)
		job_kernel_done(&what);
	else
		timing_add_case(t, &what);
	return status;
}

static int read_race_size(struct timing *t, const json_t *from, struct error *e)
{
	struct problem_sizes *s = &t->sizes[t->size_count];
	int *to[] = { &s->m, &s->n, &s->k };

	for (size_t i = 0; i < LENGTH(to); i++) {
		const json_t *v = json_array_get(from, i);
		json_int_t d = json_integer_value(v);

		if (!json_is_integer(v) || d < 1 || d > SIZE_LIMIT ||
		    json_array_size(from) != LENGTH(to))
			return members_wrong(
				e, _("expected sizes M, N, K of 1 to %d"),
				SIZE_LIMIT);
		*to[i] = (int)d;
	}
	t->size_count++;
	return 0;
}

static int read_details(struct timing *t, size_t i, const json_t *from,
			struct error *e)
{
	struct timing_case *n = &t->cases[i];
	const json_t *intensity = json_object_get(from, "intensity");
	const json_t *counters = json_object_get(from, "counters");
	char name[48];

	if (member_text(from, "label", &n->label, e) ||
	    member_text(from, "text_hash", &n->text_hash, e))
		return -1;
	for (size_t s = 0; s < t->size_count; s++) {
		size_name(&t->sizes[s], name, sizeof(name));
		if (member_number(intensity, name, 0, &n->intensity[s], e) ||
		    members_counts(&n->counts[s],
				   json_object_get(counters, name), e))
			return -1;
	}
	return 0;
}

static int read_result(struct timing *t, const json_t *from, struct error *e)
{
	struct timing_result *r;
	size_t size, case_at;

	if (members_pair(t, from, &size, &case_at, e))
		return -1;
	r = timing_result_at(t, size, case_at);
	if (r->sample_count)
		return members_wrong(e, _("two results of %s"),
			     t->cases[case_at].label);
	return members_state(r, from, "why", e) ||
	       member_samples(r, json_object_get(from, "samples"), e) ? -1 : 0;
}

/* Reads the order of the samples. Each result must be named as often as it was
 * sampled; without an order the results keep the order of the file. */
static int read_order(struct timing *t, const json_t *order, struct error *e)
{
	size_t i, results = t->size_count * t->case_count;
	size_t *left = xcalloc(results, sizeof(*left));
	int status = 0;
	json_t *run;

	for (i = 0; i < results; i++)
		left[i] = t->results[i].sample_count;
	json_array_foreach(order, i, run) {
		json_int_t at = json_integer_value(json_array_get(run, 0));
		json_int_t n = json_integer_value(json_array_get(run, 1));

		if (json_array_size(run) != 2 || at < 0 ||
		    (size_t)at >= results || n < 1 || (size_t)n > left[at]) {
			status = members_wrong(
				e, _("an order of samples that do not exist"));
			break;
		}
		left[at] -= (size_t)n;
		while (n--)
			timing_sampled(t, (size_t)at);
	}
	for (i = 0; !status && i < results; i++)
		while (left[i]--)
			timing_sampled(t, i);
	free(left);
	return status;
}

/* Reads the cases and sizes of a file; NULL with e. */
static struct timing *read_shape(const json_t *from, struct error *e)
{
	json_t *cases = json_object_get(from, "entrants"), *v, *what;
	json_t *sizes = json_object_get(from, "sizes");
	size_t i, n = json_array_size(cases), k = json_array_size(sizes);
	struct timing *t;
	int status = 0;

	if (!json_is_string(json_object_get(from, "gemmviz"))) {
		members_wrong(e, _("expected a race that gemmviz wrote"));
		return NULL;
	}
	if (!n || n > TIMING_MAX_CASES || !k || k > TIMING_MAX_SIZES) {
		members_wrong(e,
			      _("expected 1 to %d entrants and 1 to %d sizes"),
			      TIMING_MAX_CASES, TIMING_MAX_SIZES);
		return NULL;
	}
	t = timing_empty(n, k);
	for (i = 0; i < k && !status; i++)
		status = read_race_size(t, json_array_get(sizes, i), e);
	for (i = 0; i < n && !status; i++) {
		v = json_array_get(cases, i);
		what = json_object_get(v, "what");
		status = read_case(t, what ? what : v, e);
	}
	if (!status)
		return t;
	timing_free(t);
	return NULL;
}

static int read_race(struct timing *t, const json_t *from, struct error *e)
{
	json_t *v;
	size_t i;

	if (member_text(from, "date", &t->date, e) ||
	    members_machine(t, json_object_get(from, "machine"), e))
		return -1;
	if (!t->date)
		return members_wrong(e, _("expected text in \"%s\""), "date");
	json_array_foreach(json_object_get(from, "entrants"), i, v)
		if (read_details(t, i, v, e))
			return -1;
	json_array_foreach(json_object_get(from, "results"), i, v)
		if (read_result(t, v, e))
			return -1;
	return read_order(t, json_object_get(from, "order"), e);
}

struct timing *timing_read(const char *path, struct error *e)
{
	struct timing *t;
	struct error what;
	json_error_t problem;
	json_t *from;
	size_t len;
	char *data = file_read(path, FILE_LIMIT, &len, e);

	if (!data)
		return NULL;
	from = json_loadb(data, len, JSON_REJECT_DUPLICATES, &problem);
	free(data);
	if (!from) {
		error_set(e, EXIT_INPUT, _("%s:%d: not JSON: %s"),
			  text_show(path), problem.line,
			  text_show(problem.text));
		return NULL;
	}
	t = read_shape(from, &what);
	if (t && read_race(t, from, &what)) {
		timing_free(t);
		t = NULL;
	}
	if (t) {
		t->from = xstrdup(path);
		t->done = true;
	} else {
		error_set(e, EXIT_INPUT, "%s: %s", text_show(path),
			  what.text);
	}
	json_decref(from);
	return t;
}
