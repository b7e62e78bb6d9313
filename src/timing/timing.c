/* Runners' messages and recorded files become a race, strictly. */
#include <config.h>

#include "timing/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/kernels.h"
#include "base/lang.h"
#include "base/text.h"

#define TEXT_LIMIT 400		/* bytes of a peer's words that are kept */
#define FILE_LIMIT (64u << 20)
#define SECONDS_MAX 86400.0	/* no launch takes a day */
#define SIZE_LIMIT 65536

static const char *const state_names[] = {
	[TIMING_WAITING] = "waiting", [TIMING_CHECKING] = "checking",
	[TIMING_READY] = "ready", [TIMING_TIMED] = "timed",
	[TIMING_SKIPPED] = "skipped", [TIMING_FAILED] = "failed",
};

static int state_from(const char *name)
{
	for (size_t i = 0; name && i < LENGTH(state_names); i++)
		if (!strcmp(name, state_names[i]))
			return (int)i;
	return -1;
}

/* ---- members of a message ---- */

PRINTF(2, 3)
static int wrong(struct error *e, const char *fmt, ...)
{
	char what[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return error_set(e, EXIT_RUNNER, "%s", what);
}

/* A number of at least `lowest`; not there or null leaves *out alone. */
static int take_number(const json_t *from, const char *name, double lowest,
		       double *out, struct error *e)
{
	const json_t *v = json_object_get(from, name);
	double d = json_number_value(v);

	if (!v || json_is_null(v))
		return 0;
	if (!json_is_number(v) || !isfinite(d) || !(d >= lowest))
		return wrong(e, _("expected a number in \"%s\""), name);
	*out = d;
	return 0;
}

/* The text is somebody else's: from here on it is clean. */
static int take_text(const json_t *from, const char *name, char **out,
		     struct error *e)
{
	const json_t *v = json_object_get(from, name);

	if (!v || json_is_null(v))
		return 0;
	if (!json_is_string(v))
		return wrong(e, _("expected text in \"%s\""), name);
	free(*out);
	*out = text_clean(json_string_value(v),
			  MIN(json_string_length(v), TEXT_LIMIT), 0);
	return 0;
}

static int take_defines(const json_t *from, json_t **out, struct error *e)
{
	json_t *defines = json_object_get(from, "defines"), *v;
	const char *name;

	if (!defines)
		return 0;
	if (!json_is_object(defines))
		return wrong(e, _("expected text in \"%s\""), "defines");
	json_object_foreach(defines, name, v)
		if (!json_is_string(v))
			return wrong(e, _("expected text in \"%s\""), name);
	json_decref(*out);
	*out = json_incref(defines);
	return 0;
}

static int take_index(const json_t *from, const char *name, size_t count,
		      size_t *out, struct error *e)
{
	const json_t *v = json_object_get(from, name);
	json_int_t i = json_integer_value(v);

	if (!json_is_integer(v) || i < 0 || (size_t)i >= count)
		return wrong(e, _("there is no such %s"), name);
	*out = (size_t)i;
	return 0;
}

static int take_samples(struct timing_result *r, const json_t *list,
			struct error *e)
{
	size_t i, n = json_array_size(list);
	json_t *v;

	if (list && !json_is_array(list))
		return wrong(e, _("expected a list of samples"));
	if (r->sample_count + n > TIMING_MAX_SAMPLES)
		return wrong(e, _("more than %d samples"), TIMING_MAX_SAMPLES);
	grow(&r->samples, &r->sample_capacity, r->sample_count + n,
	     sizeof(*r->samples));
	json_array_foreach(list, i, v) {
		double s = json_number_value(v);

		if (!json_is_number(v) || !(s > 0 && s <= SECONDS_MAX))
			return wrong(e, _("a launch's time that is none"));
		r->samples[r->sample_count++] = s;
	}
	return 0;
}

/* ---- entrants and sizes ---- */

static const char *rival_label(const char *name)
{
	static const struct { const char *name, *label; } rivals[] = {
		{ "cublas-fp32", "cuBLAS fp32" },
		{ "cublas-tf32", "cuBLAS TF32" },
		{ "cublas-fp16", "cuBLAS fp16" },
		{ "cublas-bf16", "cuBLAS bf16" },
	};

	for (size_t i = 0; i < LENGTH(rivals); i++)
		if (!strcmp(rivals[i].name, name))
			return rivals[i].label;
	return name;
}

char *timing_defines(const json_t *defines)
{
	struct str s = {0};
	const char *define;
	json_t *v;

	json_object_foreach((json_t *)defines, define, v) {
		const char *value = json_string_value(v);
		char *word = xasprintf(" %s=%s", define, value ? value : "?");
		char *clean = text_clean(word, strlen(word), 0);

		str_add(&s, clean);
		free(word);
		free(clean);
	}
	return str_take(&s);
}

/* "tiled", {"TILE":"32"}: "tiled TILE=32". */
static char *label_of(const char *name, const json_t *what)
{
	char *defines, *label;

	if (json_object_get(what, "rival"))
		return xstrdup(rival_label(name));
	defines = timing_defines(json_object_get(what, "defines"));
	label = xasprintf("%s%s", name, defines);
	free(defines);
	return label;
}

static int add_entrant(struct timing *t, json_t *what, struct error *e)
{
	const char *kernel = json_string_value(json_object_get(what, "kernel"));
	const char *rival = json_string_value(json_object_get(what, "rival"));
	const char *file = json_string_value(json_object_get(
		json_object_get(what, "source"), "file"));
	const char *name = rival ? rival : kernel ? kernel : file;
	struct timing_case *n = &t->entrants[t->entrant_count];

	if (!name || !*name)
		return wrong(e, _("an entrant without a kernel"));
	*n = (struct timing_case){
		.name = text_clean(name, MIN(strlen(name), 64), 0),
		.rival = rival != NULL,
		.what = json_incref(what),
		.intensity = xcalloc(t->size_count, sizeof(*n->intensity)),
	};
	t->entrant_count++;
	n->label = label_of(n->name, what);
	for (size_t i = 0; i < t->size_count; i++)
		n->intensity[i] = NA;
	return 0;
}

static int add_size(struct timing *t, const json_t *size, struct error *e)
{
	int *to[] = { &t->sizes[t->size_count].m, &t->sizes[t->size_count].n,
		      &t->sizes[t->size_count].k };

	for (size_t i = 0; i < LENGTH(to); i++) {
		const json_t *v = json_array_get(size, i);
		json_int_t d = json_integer_value(v);

		if (!json_is_integer(v) || d < 1 || d > SIZE_LIMIT ||
		    json_array_size(size) != LENGTH(to))
			return wrong(e, _("expected sizes M, N, K of 1 to %d"),
				     SIZE_LIMIT);
		*to[i] = (int)d;
	}
	t->size_count++;
	return 0;
}

static void machine_init(struct timing_machine *m)
{
	*m = (struct timing_machine){
		.sms = NA, .clock_mhz = NA, .memory_clock_mhz = NA,
		.bus_bits = NA, .fp32_lanes = NA, .memory_bytes = NA,
		.l2_bytes = NA,
	};
}

/* Entrants and sizes of a request or a file, and a result for each pair. */
static int fill(struct timing *t, const json_t *from, struct error *e)
{
	json_t *entrants = json_object_get(from, "entrants");
	json_t *sizes = json_object_get(from, "sizes"), *v;
	size_t i, n = json_array_size(entrants), k = json_array_size(sizes);

	if (!n || n > TIMING_MAX_CASES || !k || k > TIMING_MAX_SIZES)
		return wrong(e, _("expected 1 to %d entrants and 1 to %d sizes"),
			     TIMING_MAX_CASES, TIMING_MAX_SIZES);
	t->entrants = xcalloc(n, sizeof(*t->entrants));
	t->sizes = xcalloc(k, sizeof(*t->sizes));
	json_array_foreach(sizes, i, v)
		if (add_size(t, v, e))
			return -1;
	json_array_foreach(entrants, i, v) {
		json_t *what = json_object_get(v, "what");

		if (add_entrant(t, what ? what : v, e))
			return -1;
	}
	t->results = xcalloc(n * k, sizeof(*t->results));
	for (i = 0; i < n * k; i++)
		t->results[i] = (struct timing_result){
			.error = NA, .bound = NA, .registers = NA,
			.shared_bytes = NA };
	return 0;
}

static struct timing *empty(void)
{
	struct timing *t = xcalloc(1, sizeof(*t));

	machine_init(&t->machine);
	t->now_mhz = t->watts = t->celsius = NA;
	t->place = -1;
	return t;
}

struct timing *timing_new(const json_t *request)
{
	struct timing *t = empty();
	time_t now = time(NULL);
	struct tm day;
	char date[32];
	struct error e;

	if (fill(t, request, &e))
		fatal("a request that is none: %s", e.text);
	strftime(date, sizeof(date), "%Y-%m-%d", gmtime_r(&now, &day));
	t->date = xstrdup(date);
	return t;
}

void timing_free(struct timing *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->entrant_count; i++) {
		free(t->entrants[i].name);
		free(t->entrants[i].label);
		free(t->entrants[i].text_hash);
		free(t->entrants[i].intensity);
		json_decref(t->entrants[i].what);
	}
	for (size_t i = 0; t->results && i < t->size_count * t->entrant_count;
	     i++) {
		free(t->results[i].why);
		free(t->results[i].reference);
		free(t->results[i].samples);
		json_decref(t->results[i].defines);
	}
	free(t->machine.gpu);
	free(t->machine.compute);
	free(t->machine.driver);
	free(t->machine.cuda);
	free(t->machine.cublas);
	free(t->machine.uuid);
	free(t->entrants);
	free(t->results);
	free(t->sizes);
	free(t->order);
	free(t->date);
	free(t->from);
	free(t);
}

/* ---- messages ---- */

static struct timing_result *result_at(const struct timing *t, size_t size,
				       size_t entrant)
{
	return &t->results[size * t->entrant_count + entrant];
}

const struct timing_result *timing_result(const struct timing *t, size_t size,
					  size_t entrant)
{
	return result_at(t, size, entrant);
}

static int take_queue(struct timing *t, const json_t *m, struct error *e)
{
	double place = NA;

	if (take_number(m, "place", 0, &place, e))
		return -1;
	if (place == NA || place > 1e6)
		return wrong(e, _("expected a number in \"%s\""), "place");
	t->place = place > 0 ? (int)place : -1;
	return 0;
}

static int take_machine(struct timing *t, const json_t *m, struct error *e)
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
		if (take_text(m, texts[i].name, texts[i].to, e))
			return -1;
	for (size_t i = 0; i < LENGTH(numbers); i++)
		if (take_number(m, numbers[i].name, 0, numbers[i].to, e))
			return -1;
	return 0;
}

static int take_pair(const struct timing *t, const json_t *m, size_t *size,
		     size_t *entrant, struct error *e)
{
	if (take_index(m, "entrant", t->entrant_count, entrant, e))
		return -1;
	return take_index(m, "size", t->size_count, size, e);
}

/* Written so that an error that is NaN fails. */
static void judge(struct timing_result *r)
{
	if (r->state == TIMING_FAILED || r->bound == NA || r->error == NA ||
	    r->error <= r->bound)
		return;
	r->state = TIMING_FAILED;
	free(r->why);
	r->why = xasprintf(_("wrong: relative error %.2g, at most %.2g is "
			     "rounding"), r->error, r->bound);
}

/* What messages and files say of a result, but for its samples. */
static int take_state(struct timing_result *r, const json_t *m,
		      const char *why, struct error *e)
{
	const char *name = json_string_value(json_object_get(m, "state"));
	int state = state_from(name);

	if (state < 0)
		return wrong(e, _("no state '%s'"), text_show(name ? name : ""));
	if (take_number(m, "error", 0, &r->error, e) ||
	    take_number(m, "bound", 0, &r->bound, e) ||
	    take_number(m, "registers", 0, &r->registers, e) ||
	    take_number(m, "shared_bytes", 0, &r->shared_bytes, e) ||
	    take_text(m, "reference", &r->reference, e) ||
	    take_defines(m, &r->defines, e))
		return -1;
	if ((state == TIMING_FAILED || state == TIMING_SKIPPED) &&
	    take_text(m, why, &r->why, e))
		return -1;
	r->state = (enum timing_state)state;
	judge(r);
	return 0;
}

static int take_entrant(struct timing *t, const json_t *m, struct error *e)
{
	struct timing_result *r;
	size_t size, entrant;

	if (take_pair(t, m, &size, &entrant, e))
		return -1;
	r = result_at(t, size, entrant);
	if (take_text(m, "text_hash", &t->entrants[entrant].text_hash, e) ||
	    take_number(m, "intensity", 0,
			&t->entrants[entrant].intensity[size], e))
		return -1;
	/* What has failed stays so: it may be our judgement. */
	if (r->state == TIMING_FAILED)
		return 0;
	return take_state(r, m, "text", e);
}

static void remember_order(struct timing *t, size_t result)
{
	grow(&t->order, &t->order_capacity, t->order_count + 1,
	     sizeof(*t->order));
	t->order[t->order_count++] = (uint32_t)result;
}

static int take_sample(struct timing *t, const json_t *m, struct error *e)
{
	struct timing_result *r;
	size_t size, entrant;
	json_t *one;
	int status;

	if (take_pair(t, m, &size, &entrant, e))
		return -1;
	r = result_at(t, size, entrant);
	if (r->state == TIMING_FAILED)
		return 0;
	if (r->state != TIMING_READY)
		return wrong(e, _("a sample of %s, which is %s"),
			     t->entrants[entrant].label,
			     state_names[r->state]);
	one = json_pack("[O]", json_object_get(m, "seconds"));
	status = one ? take_samples(r, one, e) :
		       wrong(e, _("a launch's time that is none"));
	json_decref(one);
	if (!status)
		remember_order(t, size * t->entrant_count + entrant);
	return status;
}

static int take_gauge(struct timing *t, const json_t *m, struct error *e)
{
	t->now_mhz = t->watts = t->celsius = NA;
	if (take_number(m, "clock_mhz", 0, &t->now_mhz, e) ||
	    take_number(m, "watts", 0, &t->watts, e))
		return -1;
	return take_number(m, "celsius", -100, &t->celsius, e);
}

static int take_timed(struct timing *t, const json_t *m, struct error *e)
{
	(void)m;
	(void)e;
	t->done = true;
	return 0;
}

bool timing_take(struct timing *t, const json_t *message, int *rc,
		 struct error *e)
{
	static const struct {
		const char *type;
		int (*take)(struct timing *t, const json_t *m,
			    struct error *e);
	} types[] = {
		{ "queue", take_queue }, { "machine", take_machine },
		{ "entrant", take_entrant }, { "sample", take_sample },
		{ "gauge", take_gauge }, { "timed", take_timed },
	};
	const char *type = json_string_value(json_object_get(message,
							     "type"));

	for (size_t i = 0; type && i < LENGTH(types); i++) {
		if (strcmp(type, types[i].type))
			continue;
		*rc = types[i].take(t, message, e);
		return true;
	}
	return false;
}

/* ---- figures ---- */

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Between the two samples beside it, as far as it lies between them. */
static double quantile(const double *sorted, size_t n, double q)
{
	double at = q * (double)(n - 1);
	size_t i = (size_t)at;

	if (i + 1 >= n)
		return sorted[n - 1];
	return sorted[i] + (sorted[i + 1] - sorted[i]) * (at - (double)i);
}

struct timing_figures timing_figures(const struct timing *t, size_t size,
				     size_t entrant)
{
	const struct timing_result *r = result_at(t, size, entrant);
	const struct timing_size *s = &t->sizes[size];
	struct timing_figures f = { NA, NA, NA, NA, NA, NA };
	double *sorted;

	if (!r->sample_count || r->state == TIMING_FAILED)
		return f;
	sorted = xmalloc(r->sample_count * sizeof(*sorted));
	memcpy(sorted, r->samples, r->sample_count * sizeof(*sorted));
	qsort(sorted, r->sample_count, sizeof(*sorted), by_size);
	f.low = quantile(sorted, r->sample_count, 0.1);
	f.median = quantile(sorted, r->sample_count, 0.5);
	f.high = quantile(sorted, r->sample_count, 0.9);
	f.fastest = sorted[0];
	f.slowest = sorted[r->sample_count - 1];
	f.flops = problem_gemm.flops(s->m, s->n, s->k) / f.median;
	free(sorted);
	return f;
}

/* Of so many multiply-adds a clock and SM. */
static double peak_of(const struct timing_machine *m, double lanes)
{
	if (m->sms == NA || lanes == NA || m->clock_mhz == NA)
		return NA;
	return m->sms * lanes * 2 * m->clock_mhz * 1e6;
}

double timing_peak_flops(const struct timing_machine *m)
{
	return peak_of(m, m->fp32_lanes);
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
	return peak_of(m, tensor_lanes(m));
}

double timing_peak_bytes(const struct timing_machine *m)
{
	if (m->memory_clock_mhz == NA || m->bus_bits == NA)
		return NA;
	return m->memory_clock_mhz * 1e6 * 2 * m->bus_bits / 8;
}

const char *timing_defined(const void *defines, const char *name)
{
	return json_string_value(json_object_get(defines, name));
}

const char *timing_rival(const json_t *what)
{
	const char *kernel = json_string_value(json_object_get(what, "kernel"));
	const char *text = json_string_value(json_object_get(
		json_object_get(what, "source"), "text"));
	const struct kernel *k = kernel ? kernel_find(kernel) : NULL;
	const char *rival = json_string_value(json_object_get(what, "rival"));
	int p[KERNEL_PARAMS];

	if (rival)
		return rival;
	if (k && k->rival) {
		kernel_values(k, p, timing_defined,
			      json_object_get(what, "defines"));
		return k->rival(p);
	}
	if (text && strstr(text, "__nv_bfloat16"))
		return "cublas-bf16";
	return text && strstr(text, "half") ? "cublas-fp16" : "cublas-fp32";
}

bool timing_halves(const json_t *what)
{
	const char *rival = timing_rival(what);

	return !strcmp(rival, "cublas-fp16") || !strcmp(rival, "cublas-bf16");
}

static long rival_at(const struct timing *t, const char *name)
{
	for (size_t i = 0; i < t->entrant_count; i++)
		if (t->entrants[i].rival &&
		    !strcmp(t->entrants[i].name, name))
			return (long)i;
	return -1;
}

long timing_held(const struct timing *t, const json_t *what)
{
	return rival_at(t, timing_rival(what));
}

long timing_cublas(const struct timing *t)
{
	for (size_t i = 0; i < t->entrant_count; i++)
		if (!t->entrants[i].rival)
			return timing_held(t, t->entrants[i].what);
	return t->entrant_count ? 0 : -1;
}

long timing_against(const struct timing *t, size_t entrant)
{
	const struct timing_case *n = &t->entrants[entrant];

	return n->rival ? timing_cublas(t) : timing_held(t, n->what);
}

double timing_share(const struct timing *t, size_t size, size_t entrant)
{
	long cublas = timing_against(t, entrant);
	double own = timing_figures(t, size, entrant).flops, its;

	if (cublas < 0 || own == NA)
		return NA;
	its = timing_figures(t, size, (size_t)cublas).flops;
	return its == NA ? NA : own / its;
}

/* ---- files ---- */

static json_t *number(double v)
{
	if (v == NA)
		return json_null();
	return v == floor(v) && fabs(v) < 1e15 ? json_integer((json_int_t)v) :
						 json_real(v);
}

static json_t *text(const char *s)
{
	return s ? json_string(s) : json_null();
}

static json_t *machine_json(const struct timing_machine *m)
{
	return json_pack("{so so so so so so so so so so so so so}",
			 "gpu", text(m->gpu), "uuid", text(m->uuid),
			 "compute", text(m->compute),
			 "driver", text(m->driver), "cuda", text(m->cuda),
			 "cublas", text(m->cublas), "sms", number(m->sms),
			 "memory_bytes", number(m->memory_bytes),
			 "l2_bytes", number(m->l2_bytes),
			 "clock_mhz", number(m->clock_mhz),
			 "memory_clock_mhz", number(m->memory_clock_mhz),
			 "bus_bits", number(m->bus_bits),
			 "fp32_lanes", number(m->fp32_lanes));
}

static void size_name(const struct timing_size *s, char *buf, size_t n)
{
	snprintf(buf, n, "%dx%dx%d", s->m, s->n, s->k);
}

static json_t *entrant_json(const struct timing *t, const struct timing_case *n)
{
	json_t *intensity = json_object();
	char name[48];

	for (size_t i = 0; i < t->size_count; i++) {
		if (n->intensity[i] == NA)
			continue;
		size_name(&t->sizes[i], name, sizeof(name));
		json_object_set_new(intensity, name, number(n->intensity[i]));
	}
	return json_pack("{ss ss sO so so}", "name", n->name, "label",
			 n->label, "what", n->what, "text_hash",
			 text(n->text_hash), "intensity", intensity);
}

static json_t *result_json(const struct timing *t, size_t size,
			   size_t entrant)
{
	const struct timing_result *r = result_at(t, size, entrant);
	json_t *samples = json_array();

	for (size_t i = 0; i < r->sample_count; i++)
		json_array_append_new(samples, json_real(r->samples[i]));
	return json_pack("{sI sI ss so so so so so so so sO*}",
			 "entrant", (json_int_t)entrant, "size",
			 (json_int_t)size, "state",
			 state_names[r->state], "why", text(r->why),
			 "error", number(r->error), "bound", number(r->bound),
			 "reference", text(r->reference), "registers",
			 number(r->registers), "shared_bytes",
			 number(r->shared_bytes), "samples", samples,
			 "defines", r->defines);
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
	json_t *entrants = json_array(), *sizes = json_array();
	json_t *results = json_array();

	for (size_t i = 0; i < t->entrant_count; i++)
		json_array_append_new(entrants,
				      entrant_json(t, &t->entrants[i]));
	for (size_t s = 0; s < t->size_count; s++) {
		json_array_append_new(sizes, json_pack("[i i i]",
			t->sizes[s].m, t->sizes[s].n, t->sizes[s].k));
		for (size_t i = 0; i < t->entrant_count; i++)
			json_array_append_new(results, result_json(t, s, i));
	}
	return json_pack("{ss so so so so so so}", "gemmviz", PACKAGE_VERSION,
			 "date", text(t->date), "machine",
			 machine_json(&t->machine), "entrants", entrants,
			 "sizes", sizes, "results", results, "order",
			 order_json(t));
}

static int read_entrant(struct timing *t, size_t i, const json_t *from,
			struct error *e)
{
	struct timing_case *n = &t->entrants[i];
	const json_t *intensity = json_object_get(from, "intensity");
	char name[48];

	if (take_text(from, "label", &n->label, e) ||
	    take_text(from, "text_hash", &n->text_hash, e))
		return -1;
	for (size_t s = 0; s < t->size_count; s++) {
		size_name(&t->sizes[s], name, sizeof(name));
		if (take_number(intensity, name, 0, &n->intensity[s], e))
			return -1;
	}
	return 0;
}

static int read_result(struct timing *t, const json_t *from, struct error *e)
{
	struct timing_result *r;
	size_t size, entrant;

	if (take_pair(t, from, &size, &entrant, e))
		return -1;
	r = result_at(t, size, entrant);
	if (r->sample_count)
		return wrong(e, _("two results of %s"),
			     t->entrants[entrant].label);
	return take_state(r, from, "why", e) ||
	       take_samples(r, json_object_get(from, "samples"), e) ? -1 : 0;
}

/* How often each result is named must be as often as it was sampled; without
 * an order the results come as they stand. */
static int read_order(struct timing *t, const json_t *order, struct error *e)
{
	size_t i, results = t->size_count * t->entrant_count;
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
			status = wrong(e, _("an order of samples that there "
					    "are not"));
			break;
		}
		left[at] -= (size_t)n;
		while (n--)
			remember_order(t, (size_t)at);
	}
	for (i = 0; !status && i < results; i++)
		while (left[i]--)
			remember_order(t, i);
	free(left);
	return status;
}

static int read_whole(struct timing *t, const json_t *from, struct error *e)
{
	json_t *v;
	size_t i;

	if (!json_is_string(json_object_get(from, "gemmviz")))
		return wrong(e, _("expected a race that gemmviz wrote"));
	if (fill(t, from, e) || take_text(from, "date", &t->date, e) ||
	    take_machine(t, json_object_get(from, "machine"), e))
		return -1;
	if (!t->date)
		return wrong(e, _("expected text in \"%s\""), "date");
	json_array_foreach(json_object_get(from, "entrants"), i, v)
		if (read_entrant(t, i, v, e))
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
	t = empty();
	t->from = xstrdup(path);
	t->done = true;
	if (read_whole(t, from, &what)) {
		error_set(e, EXIT_INPUT, "%s: %s", text_show(path),
			  what.text);
		timing_free(t);
		t = NULL;
	}
	json_decref(from);
	return t;
}

/* ---- a part of it, and playing ---- */

static char *copy(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

/* Everything but the results; entrants or sizes NULL: all of them. */
static struct timing *outline(const struct timing *t, const bool *entrants,
			      const bool *sizes)
{
	struct timing *to = empty();
	json_t *from = timing_json(t);
	struct error e;
	json_t *v;
	size_t i;

	for (i = t->entrant_count; entrants && i-- > 0;)
		if (!entrants[i])
			json_array_remove(json_object_get(from, "entrants"),
					  i);
	for (i = t->size_count; sizes && i-- > 0;)
		if (!sizes[i])
			json_array_remove(json_object_get(from, "sizes"), i);
	if (fill(to, from, &e) ||
	    take_machine(to, json_object_get(from, "machine"), &e))
		fatal("a race that cannot be copied: %s", e.text);
	json_array_foreach(json_object_get(from, "entrants"), i, v)
		if (read_entrant(to, i, v, &e))
			fatal("a race that cannot be copied: %s", e.text);
	json_decref(from);
	to->date = copy(t->date);
	to->from = copy(t->from);
	return to;
}

/* All but the samples. */
static void copy_facts(struct timing_result *to,
		       const struct timing_result *from)
{
	to->state = from->state;
	to->error = from->error;
	to->bound = from->bound;
	to->registers = from->registers;
	to->shared_bytes = from->shared_bytes;
	json_decref(to->defines);
	to->defines = json_incref(from->defines);
	to->why = copy(from->why);
	to->reference = copy(from->reference);
}

static void copy_sample(struct timing *t, size_t result,
			const struct timing_result *from)
{
	struct timing_result *to = &t->results[result];

	grow(&to->samples, &to->sample_capacity, to->sample_count + 1,
	     sizeof(*to->samples));
	to->samples[to->sample_count] = from->samples[to->sample_count];
	to->sample_count++;
	remember_order(t, result);
}

struct timing *timing_select(const struct timing *t, const bool *entrants,
			     const bool *sizes)
{
	struct timing *to = outline(t, entrants, sizes);
	size_t *at = xcalloc(t->size_count * t->entrant_count, sizeof(*at));
	size_t n = 0;

	/* Where each result went, from 1; 0: it is left out. */
	for (size_t i = 0; i < t->size_count * t->entrant_count; i++) {
		if (!entrants[i % t->entrant_count] ||
		    !sizes[i / t->entrant_count])
			continue;
		copy_facts(&to->results[n], &t->results[i]);
		at[i] = ++n;
	}
	for (size_t i = 0; i < t->order_count; i++)
		if (at[t->order[i]])
			copy_sample(to, at[t->order[i]] - 1,
				    &t->results[t->order[i]]);
	to->done = t->done;
	free(at);
	return to;
}

struct timing *timing_replay(const struct timing *whole)
{
	struct timing *t = outline(whole, NULL, NULL);

	/* What was never sampled has nothing to wait for. */
	for (size_t i = 0; i < t->size_count * t->entrant_count; i++)
		if (!whole->results[i].sample_count)
			copy_facts(&t->results[i], &whole->results[i]);
	t->done = !whole->order_count;
	return t;
}

bool timing_replay_next(struct timing *t, const struct timing *whole)
{
	const struct timing_result *from;
	struct timing_result *to;
	uint32_t at;

	if (t->order_count == whole->order_count)
		return false;
	at = whole->order[t->order_count];
	from = &whole->results[at];
	to = &t->results[at];
	if (!to->sample_count) {
		copy_facts(to, from);
		to->state = TIMING_READY;
	}
	copy_sample(t, at, from);
	if (to->sample_count == from->sample_count)
		to->state = from->state;
	t->done = t->order_count == whole->order_count;
	return true;
}
