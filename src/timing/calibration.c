#include <config.h>

#include "timing/calibration.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/lang.h"
#include "base/text.h"
#include "hardware/occupancy.h"
#include "timing/timing_members.h"
#include "timing/tuned.h"

#define PATTERNS_LIMIT (16u << 20)
#define REGISTER_BYTES 12	/* that a multiply-add reads */
/* What comes from L2 takes longer than so much of the way from the fastest to
 * the slowest: a load, and a chain of many, of which some do. */
#define LATER 0.5
#define LATER_SOME 0.1

/* ---- patterns ---- */

json_t *calibration_patterns(const char *path, struct error *e)
{
	size_t n;
	char *text = file_read(path, PATTERNS_LIMIT, &n, e), *line, *save;
	json_t *list = text ? json_array() : NULL;
	long number = 0;

	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		json_error_t why;
		json_t *o = json_loads(line, JSON_REJECT_DUPLICATES, &why);

		number++;
		if (json_is_object(o)) {
			json_array_append_new(list, o);
			continue;
		}
		error_set(e, EXIT_INPUT, "%s:%ld: not a JSON object",
			  text_show(path), number);
		json_decref(o);
		json_decref(list);
		list = NULL;
		break;
	}
	free(text);
	return list;
}

json_t *calibration_ways(void)
{
	return json_pack("[{si sb} {si sb}]", "warps", CALIBRATION_WARPS,
			 "chained", 0, "warps", 1, "chained", 1);
}

/* ---- figures ---- */

static const struct calibration_figure unknown = { NA, NA, NA };

/* Computes the median and the first and last deciles of a list of samples,
 * times a factor. */
static struct calibration_figure figure_of(const json_t *samples,
					   double times)
{
	size_t n = json_array_size(samples), i;
	double *v = xcalloc(n + 1, sizeof(*v));
	struct calibration_figure f = unknown;
	const json_t *s;
	bool good = n > 0;

	json_array_foreach(samples, i, s) {
		v[i] = json_number_value(s) * times;
		good = good && json_is_number(s) && v[i] > 0;
	}
	qsort(v, n, sizeof(*v), double_order);
	if (good)
		f = (struct calibration_figure){ v[n / 2], v[n / 10],
						 v[n - 1 - n / 10] };
	free(v);
	return f;
}

static struct calibration_figure member_figure(const json_t *o,
					       const char *name, double times)
{
	char *all = xasprintf("%s_samples", name);
	struct calibration_figure f = figure_of(json_object_get(o, all),
						times);

	free(all);
	return f;
}

static void add_calibration_row(struct calibration *c, const char *name,
				const char *unit, struct calibration_figure f,
				double model, bool exact)
{
	if (f.median == NA || c->row_count == CALIBRATION_ROWS)
		return;
	c->rows[c->row_count++] = (struct calibration_row){
		.name = name, .unit = unit, .measured = f, .model = model,
		.exact = exact,
	};
}

static struct calibration_figure exact_figure(double v)
{
	return (struct calibration_figure){ v, v, v };
}

/* ---- two answers ---- */

static bool is_samples(const char *name)
{
	size_t n = strlen(name), end = strlen("_samples");

	return n > end && !strcmp(name + n - end, "_samples");
}

/* Appends samples, and updates the member with their median. */
static void add_samples(json_t *o, const char *name, json_t *samples,
			const json_t *more)
{
	char *median = xstrdup(name);

	median[strlen(name) - strlen("_samples")] = '\0';
	json_array_extend(samples, (json_t *)more);
	json_object_set_new(o, median,
			    json_real(figure_of(samples, 1).median));
	free(median);
}

void calibration_again(json_t *answer, const json_t *again)
{
	const char *name;
	json_t *v;
	size_t i;

	json_array_foreach(answer, i, v)
		calibration_again(v, json_array_get(again, i));
	json_object_foreach(answer, name, v) {
		const json_t *more = json_object_get(again, name);

		if (json_is_array(v) && json_is_array(more) &&
		    is_samples(name))
			add_samples(answer, name, v, more);
		else
			calibration_again(v, more);
	}
}

/* ---- clocks and launches ---- */

/* Adds the rows for clocks and launches. */
static void add_clocks(struct calibration *c, const json_t *answer)
{
	const json_t *clock = json_object_get(answer, "clock");
	const json_t *launch = json_object_get(answer, "launch");

	add_calibration_row(c, N_("clock, one SM busy"), "MHz",
			    member_figure(clock, "one_sm_mhz", 1),
			    c->machine.clock_mhz, false);
	add_calibration_row(c, N_("clock, all SMs busy"), "MHz",
			    member_figure(clock, "all_sms_mhz", 1),
			    c->machine.clock_mhz, false);
	add_calibration_row(c, N_("launch, back to back"), "us",
			    member_figure(launch, "queued_seconds", 1e6), NA,
			    false);
	add_calibration_row(c, N_("launch and synchronize"), "us",
			    member_figure(launch, "waited_seconds", 1e6), NA,
			    false);
}

/* ---- levels of memory ---- */

/* Returns the most bytes per second of a level: what the SMs can move in a
 * cycle, at the clock at which they were measured; for DRAM, what its pins can.
 * NA when not known. */
static double level_peak(const struct calibration *c, const char *level,
			 double mhz)
{
	const struct timing_machine *m = &c->machine;
	double each = !strcmp(level, "registers") ?
		      m->fp32_lanes * REGISTER_BYTES : BANKS * BANK_BYTES;

	if (!strcmp(level, "dram"))
		return timing_peak_bytes(m);
	if (!strcmp(level, "l2") || mhz == NA || m->sms == NA ||
	    (!strcmp(level, "registers") && m->fp32_lanes == NA))
		return NA;
	return m->sms * each * mhz * 1e6;
}

static void add_level(struct calibration *c, const json_t *answer,
		      const char *level, const char *latency,
		      const char *loads, const char *bulk)
{
	const json_t *list = json_object_get(answer, "levels"), *o;
	double mhz = member_figure(json_object_get(answer, "clock"),
				   "all_sms_mhz", 1).median, peak;
	size_t i;

	json_array_foreach(list, i, o) {
		const char *name = json_string_value(
			json_object_get(o, "name"));

		if (!name || strcmp(name, level))
			continue;
		peak = level_peak(c, level, mhz);
		peak = peak == NA ? NA : peak / 1e12;
		add_calibration_row(c, latency, "cycles",
				    member_figure(o, "cycles", 1), NA, false);
		add_calibration_row(c, loads, "TB/s",
				    member_figure(o, "bytes_per_second", 1e-12),
				    peak, false);
		if (bulk)
			add_calibration_row(
				c, bulk, "TB/s",
				member_figure(o, "bulk_bytes_per_second",
					      1e-12),
				peak, false);
	}
}

static void add_levels(struct calibration *c, const json_t *answer)
{
	add_level(c, answer, "registers", N_("registers, latency"),
		  N_("registers, bandwidth"), NULL);
	add_level(c, answer, "shared", N_("shared memory, latency"),
		  N_("shared memory, bandwidth"), NULL);
	add_level(c, answer, "l1", N_("L1, latency"), N_("L1, bandwidth"),
		  NULL);
	add_level(c, answer, "l2", N_("L2, latency"), N_("L2, bandwidth"),
		  N_("L2, bandwidth, bulk copies"));
	add_level(c, answer, "dram", N_("DRAM, latency"),
		  N_("DRAM, bandwidth"), N_("DRAM, bandwidth, bulk copies"));
}

/* ---- the size of L1 ---- */

/* Returns the bytes of the largest chain that was read again and again without
 * waiting longer; NA when the largest one measured was fast, too. */
static double fitted_l1_size(const json_t *answer)
{
	const json_t *list = json_object_get(answer, "l1_cycles"), *o;
	double fastest = INFINITY, slowest = 0, size = NA;
	size_t i;

	json_array_foreach(list, i, o) {
		double v = json_number_value(json_array_get(o, 1));

		fastest = MIN(fastest, v);
		slowest = MAX(slowest, v);
	}
	json_array_foreach(list, i, o) {
		if (json_number_value(json_array_get(o, 1)) >
		    fastest + LATER_SOME * (slowest - fastest))
			break;
		size = json_number_value(json_array_get(o, 0));
	}
	/* Up to the end: it may be larger. */
	return i < json_array_size(list) ? size : NA;
}

static void add_l1_size(struct calibration *c, const json_t *answer)
{
	double size = fitted_l1_size(answer);

	if (size > 0)
		add_calibration_row(c, N_("L1, largest array without misses"),
				    "KiB", exact_figure(size / 1024), NA,
				    false);
}

/* ---- sectors ---- */

/* A load brings what lies nearer than the first offset that takes longer. */
static double sector_of(const json_t *fetched)
{
	double fastest = INFINITY, slowest = 0;
	const json_t *o;
	size_t i;

	json_array_foreach(fetched, i, o) {
		double v = json_number_value(json_object_get(o, "cycles"));

		fastest = MIN(fastest, v);
		slowest = MAX(slowest, v);
	}
	json_array_foreach(fetched, i, o)
		if (json_number_value(json_object_get(o, "cycles")) >
		    fastest + LATER * (slowest - fastest))
			return json_number_value(json_object_get(o, "offset"));
	return NA;
}

/* Adds the cycles of a shared-memory wavefront, which the model takes as
 * one. */
static void add_wavefront(struct calibration *c)
{
	for (size_t i = 0; i < c->rule_count; i++) {
		const struct calibration_rule *r = &c->rules[i];

		if (r->space != ACCESS_SHARED || r->op != OP_LD)
			continue;
		add_calibration_row(c, N_("shared memory, a wavefront"),
				    "cycles", exact_figure(r->each), 1, true);
		return;
	}
}

static void add_sector(struct calibration *c, const json_t *answer)
{
	double v = sector_of(json_object_get(answer, "fetched"));

	if (v > 0)
		add_calibration_row(c, N_("sector, fetched by one load"), "B",
				    exact_figure(v), SECTOR_BYTES, true);
}

/* ---- what an SM has ---- */

/* Adds a limit of an SM. */
static void add_limit_row(struct calibration *c, const json_t *limits,
			  const char *name, const char *member,
			  const char *unit, int model)
{
	double v = NA;

	if (!member_number(limits, member, 0, &v, NULL) && v != NA)
		add_calibration_row(c, name, unit, exact_figure(v), model,
				    true);
}

static void add_limits(struct calibration *c, const json_t *answer)
{
	const json_t *limits = json_object_get(answer, "limits");
	struct occupancy_arch a;
	int major, minor;
	char name[32];

	if (!c->machine.compute ||
	    sscanf(c->machine.compute, "%d.%d", &major, &minor) != 2)
		return;
	snprintf(name, sizeof(name), "sm_%d%d", major, minor);
	if (occupancy_arch_get(&a, name, 0, NULL))
		return;
	add_limit_row(c, limits, N_("threads per SM"), "threads", "",
		      a.warps * OCCUPANCY_WARP);
	add_limit_row(c, limits, N_("blocks per SM"), "blocks", "", a.blocks);
	add_limit_row(c, limits, N_("registers per SM"), "registers", "",
		      a.registers);
	add_limit_row(c, limits, N_("shared memory per SM"), "shared", "B",
		      a.shared);
	add_limit_row(c, limits, N_("shared memory per block"), "block_shared",
		      "B", a.block_shared);
	add_limit_row(c, limits, N_("shared memory per block, opted in"),
		      "optin_shared", "B", a.optin_shared);
	add_limit_row(c, limits, N_("shared memory reserved per block"),
		      "shared_reserved", "B", a.shared_reserved);
}

/* ---- the file ---- */

static const char *const spaces[] = {
	[ACCESS_GLOBAL] = "global", [ACCESS_SHARED] = "shared",
	[ACCESS_LDMATRIX] = "ldmatrix",
};

static json_t *number_or_null(double v)
{
	return v == NA ? json_null() : json_real(v);
}

static json_t *rule_json(const struct calibration_rule *r)
{
	return json_pack("{ss ss si sb ss si sb sI sI sI so so so so}", "space",
			 spaces[r->space], "op", r->op == OP_ST ? "st" : "ld",
			 "size", (int)r->bytes, "trans", r->trans, "unit",
			 calibration_unit(r), "warps", r->warps, "chained",
			 r->chained, "patterns", (json_int_t)r->patterns,
			 "deviating", (json_int_t)r->deviating, "hidden",
			 (json_int_t)r->hidden, "base", number_or_null(r->base),
			 "each", number_or_null(r->each), "floor",
			 number_or_null(r->floor), "worst",
			 number_or_null(r->worst));
}

static json_t *deviation_json(const struct calibration_deviation *d)
{
	json_t *list = json_array();

	for (int lane = 0; lane < WARP_LANES; lane++)
		json_array_append_new(list, d->access.mask >> lane & 1 ?
			json_integer((json_int_t)d->access.address[lane]) :
			json_null());
	return json_pack("{ss ss si sb so sf si sf}",
			 "space", spaces[d->access.space], "op",
			 d->access.op == OP_ST ? "st" : "ld", "size",
			 (int)d->access.bytes, "trans", d->trans, "addresses",
			 list, "cycles", d->cycles, "model", d->model,
			 "measured", d->measured);
}

static json_t *file_of(const struct calibration *c, const json_t *answer)
{
	json_t *o = json_deep_copy(answer), *level;
	json_t *rules = json_array(), *deviations = json_array();
	json_t *l1 = json_string("l1");
	size_t i;

	for (i = 0; i < c->rule_count; i++)
		json_array_append_new(rules, rule_json(&c->rules[i]));
	for (i = 0; i < c->deviation_count; i++)
		json_array_append_new(deviations,
				      deviation_json(&c->deviations[i]));
	json_array_foreach(
		json_object_get(o, "levels"), i,
		level) if (json_equal(json_object_get(level, "name"), l1))
		json_object_set_new(level, "bytes",
				    number_or_null(fitted_l1_size(answer)));
	json_decref(l1);
	json_object_del(o, "type");
	json_object_del(o, "id");
	json_object_del(o, "patterns");
	json_object_set_new(o, "gemmviz", json_string(PACKAGE_VERSION));
	json_object_set_new(o, "date", json_string(c->date));
	json_object_set_new(o, "rules", rules);
	json_object_set_new(o, "deviations", deviations);
	return o;
}

static char *today_text(void)
{
	time_t now = time(NULL);
	struct tm t;
	char text[16];

	strftime(text, sizeof(text), "%Y-%m-%d", gmtime_r(&now, &t));
	return xstrdup(text);
}

/* ---- all of it ---- */

static int read_machine(struct calibration *c, const json_t *answer,
			struct error *e)
{
	struct timing t = { .machine = { .sms = NA, .clock_mhz = NA,
		.memory_clock_mhz = NA, .bus_bits = NA, .fp32_lanes = NA,
		.memory_bytes = NA, .l2_bytes = NA } };
	int status = members_machine(&t, json_object_get(answer, "machine"),
				     e);

	c->machine = t.machine;
	if (!status && !c->machine.gpu)
		return members_wrong(e, _("expected text in \"%s\""), "gpu");
	return status;
}

struct calibration *calibration_new(const json_t *answer,
				    const json_t *patterns, struct error *e)
{
	struct calibration *c = xcalloc(1, sizeof(*c));

	c->date = today_text();
	if (read_machine(c, answer, e) ||
	    calibration_rules(c, answer, patterns, e)) {
		calibration_free(c);
		return NULL;
	}
	add_clocks(c, answer);
	add_levels(c, answer);
	add_l1_size(c, answer);
	add_wavefront(c);
	add_sector(c, answer);
	add_limits(c, answer);
	c->file = file_of(c, answer);
	return c;
}

void calibration_free(struct calibration *c)
{
	struct timing_machine *m;

	if (!c)
		return;
	m = &c->machine;
	free(m->gpu);
	free(m->compute);
	free(m->driver);
	free(m->cuda);
	free(m->cublas);
	free(m->uuid);
	free(c->date);
	free(c->deviations);
	json_decref(c->file);
	free(c);
}

bool calibration_row_deviates(const struct calibration_row *r)
{
	return r->exact && r->model != NA &&
	       !(fabs(r->measured.median - r->model) < 0.5);
}

size_t calibration_deviating(const struct calibration *c)
{
	size_t n = c->deviation_count;

	for (size_t i = 0; i < c->row_count; i++)
		n += calibration_row_deviates(&c->rows[i]);
	return n;
}

/* Returns the path of a GPU's file, named like "nvidia-h200". */
char *calibration_path(const char *gpu, struct error *e)
{
	char *table = tuned_path(e), *slash = table ? strrchr(table, '/') :
						      NULL, *name, *path;

	if (!slash)
		return NULL;
	*slash = '\0';
	name = xstrdup(gpu ? gpu : "*");
	for (char *p = name; gpu && *p; p++)
		*p = isalnum((unsigned char)*p) ?
		     (char)tolower((unsigned char)*p) : '-';
	path = xasprintf("%s/calibrated/%s.json", table, name);
	free(name);
	free(table);
	return path;
}
