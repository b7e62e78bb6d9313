/* Fits rules to the times of access patterns. See calibration.h. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "timing/calibration.h"
#include "timing/timing_members.h"

/* Slopes that a line is made of, at most: of more pairs a sample. */
#define SLOPES_MOST 200000

/* Half a unit is the next count's; of global memory this part besides. */
#define OFF_MOST 0.5
#define OFF_GLOBAL 0.25

/* A pattern of a rule: what the model counts, and cycles. */
struct rule_point {
	struct access access;
	int units;			/* cycles by the model */
	double cycles;
};

struct rule_points {
	struct rule_point *list;
	size_t count;
};

/* ---- patterns ---- */

static bool read_access(const json_t *row, struct access *a)
{
	const char *space = json_string_value(json_object_get(row, "space"));
	const char *op = json_string_value(json_object_get(row, "op"));
	const json_t *list = json_object_get(row, "addresses");
	json_int_t size = json_integer_value(json_object_get(row, "size"));

	if (!space || !op || json_array_size(list) != WARP_LANES ||
	    size < 1 || size > 16)
		return false;
	*a = (struct access){
		.space = !strcmp(space, "global") ? ACCESS_GLOBAL :
			 !strcmp(space, "shared") ? ACCESS_SHARED :
						    ACCESS_LDMATRIX,
		.op = !strcmp(op, "st") ? OP_ST : OP_LD,
		.bytes = (uint32_t)size,
	};
	for (size_t lane = 0; lane < WARP_LANES; lane++) {
		const json_t *v = json_array_get(list, lane);

		if (!json_is_integer(v))
			continue;
		a->mask |= UINT32_C(1) << lane;
		a->address[lane] = (uint64_t)json_integer_value(v);
	}
	return a->mask != 0;
}

static bool is_trans(const json_t *row)
{
	return json_is_true(json_object_get(row, "trans"));
}

/* Returns the model's cycles for a pattern, whose shared addresses are taken
 * modulo the window, as in the measurement. */
static int units_of(struct access *a, uint64_t window)
{
	struct access_cost cost;

	for (int lane = 0; a->space != ACCESS_GLOBAL && lane < WARP_LANES;
	     lane++)
		a->address[lane] %= window;
	return access_cost(a, &cost, NULL) < 0 ? NA : cost.cycles;
}

static bool same_rule(const struct calibration_rule *r,
		      const struct access *a, bool trans)
{
	return r->space == a->space && r->op == a->op &&
	       r->bytes == a->bytes && r->trans == trans;
}

static void find_rules(struct calibration *c, const json_t *patterns)
{
	const json_t *row;
	size_t i;

	json_array_foreach(patterns, i, row) {
		struct access a;
		size_t k = 0;

		if (!read_access(row, &a))
			continue;
		while (k < c->rule_count &&
		       !same_rule(&c->rules[k], &a, is_trans(row)))
			k++;
		if (k < c->rule_count || k == CALIBRATION_RULES)
			continue;
		c->rules[c->rule_count++] = (struct calibration_rule){
			.space = a.space, .op = a.op, .bytes = a.bytes,
			.trans = is_trans(row),
		};
	}
}

/* The ways of an answer, as calibration_ways() orders them. */
enum way { STREAM, CHAIN, WAYS };
struct measured_ways {
	const json_t *cycles[WAYS];
	uint64_t window[WAYS];
};

/* ptxas leaves out all but one of several ldmatrix of one address that do not
 * wait for each other. */
static enum way way_of(const struct calibration_rule *r)
{
	return r->space == ACCESS_LDMATRIX ? CHAIN : STREAM;
}

/* Collects the patterns of one rule that were measured in one way. */
static struct rule_points collect_points(const struct calibration_rule *r,
					 const json_t *patterns,
					 const struct measured_ways *w,
					 enum way way)
{
	struct rule_points p = {
		xcalloc(json_array_size(patterns) + 1, sizeof(*p.list)), 0
	};
	const json_t *row;
	size_t i;

	json_array_foreach(patterns, i, row) {
		struct rule_point *n = &p.list[p.count];
		const json_t *v = json_array_get(w->cycles[way], i);

		if (!read_access(row, &n->access) ||
		    !same_rule(r, &n->access, is_trans(row)) ||
		    !json_is_number(v))
			continue;
		n->units = units_of(&n->access, w->window[way]);
		n->cycles = json_number_value(v);
		p.count += n->units != NA;
	}
	return p;
}

/* ---- the line ---- */

static double sort_median(double *list, size_t n)
{
	qsort(list, n, sizeof(*list), double_order);
	return n ? list[n / 2] : NA;
}

static bool has_floor(const struct calibration_rule *r)
{
	return r->space == ACCESS_GLOBAL && r->op == OP_LD;
}

/* Returns the median cycles of the patterns with the least units. */
static double floor_of(const struct rule_points *p)
{
	double *list = xcalloc(p->count + 1, sizeof(*list)), found;
	int least = INT_MAX;
	size_t n = 0;

	for (size_t i = 0; i < p->count; i++)
		least = MIN(least, p->list[i].units);
	for (size_t i = 0; i < p->count; i++)
		if (p->list[i].units == least)
			list[n++] = p->list[i].cycles;
	found = sort_median(list, n);
	free(list);
	return found;
}

/* Tests whether a pattern's units take less time than the floor, so that its
 * time tells nothing of them. */
static bool is_hidden(const struct calibration_rule *r,
		      const struct rule_point *p)
{
	return r->floor != NA &&
	       p->units <= r->floor * (1 + OFF_GLOBAL) + OFF_MOST;
}

/* Keeps the patterns whose time depends on their units. */
static void drop_hidden(struct calibration_rule *r, struct rule_points *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++)
		if (!is_hidden(r, &p->list[i]))
			p->list[kept++] = p->list[i];
	r->hidden = p->count - kept;
	p->count = kept;
}

/*
 * Returns the cycles per unit by Theil and Sen's estimator: the median of the
 * slopes of all pairs, which more than a quarter of the patterns would have to
 * move. NA when all have the same units.
 */
static double fit_slope(const struct rule_points *p)
{
	size_t pairs = p->count * (p->count - 1) / 2;
	size_t skip = pairs / SLOPES_MOST + 1, n = 0, at = 0;
	double *list = xcalloc(pairs / skip + 1, sizeof(*list)), found;

	for (size_t i = 0; i < p->count; i++)
		for (size_t k = 0; k < i; k++) {
			int apart = p->list[i].units - p->list[k].units;

			if (!apart || at++ % skip)
				continue;
			list[n++] = (p->list[i].cycles - p->list[k].cycles) /
				    apart;
		}
	found = sort_median(list, n);
	free(list);
	return found;
}

static double base_of(const struct rule_points *p, double each)
{
	double *rest = xcalloc(p->count + 1, sizeof(*rest)), found;

	for (size_t i = 0; i < p->count; i++)
		rest[i] = p->list[i].cycles - each * p->list[i].units;
	found = sort_median(rest, p->count);
	free(rest);
	return found;
}

/* ---- what kinds have in common ---- */

/* Tests whether two kinds of access use the same part of the machine, and so
 * must have the same slope. */
static bool same_part(const struct calibration_rule *a,
		      const struct calibration_rule *b)
{
	return a->op == b->op && (a->space == ACCESS_GLOBAL) ==
				 (b->space == ACCESS_GLOBAL);
}

/* A rule's patterns in each way, and their own line. */
struct fitted {
	struct rule_points points[WAYS];
	double each[WAYS], base;
};

/* Returns the median slope of the kinds that use the same part, measured in the
 * same way; streamed ldmatrix has none. */
static double common_each(const struct calibration *c, const struct fitted *f,
			  size_t which)
{
	const struct calibration_rule *r = &c->rules[which];
	enum way way = way_of(r);
	double list[CALIBRATION_RULES];
	size_t n = 0;

	for (size_t i = 0; i < c->rule_count; i++)
		if (same_part(r, &c->rules[i]) && f[i].each[way] != NA &&
		    (way == CHAIN || way_of(&c->rules[i]) == way))
			list[n++] = f[i].each[way];
	return sort_median(list, n);
}

/* Returns the median base of the kinds that use the same part. For accesses
 * that wait for one another the base is their own latency, which kinds need not
 * share. */
static double common_base(const struct calibration *c, const struct fitted *f,
			  size_t which)
{
	const struct calibration_rule *r = &c->rules[which];
	double list[CALIBRATION_RULES];
	size_t n = 0;

	if (way_of(r) == CHAIN)
		return f[which].base;
	for (size_t i = 0; i < c->rule_count; i++)
		if (same_part(r, &c->rules[i]) && f[i].base != NA &&
		    way_of(&c->rules[i]) == STREAM)
			list[n++] = f[i].base;
	return sort_median(list, n);
}

static struct fitted fit_rule(struct calibration_rule *r,
			      const json_t *patterns,
			      const struct measured_ways *w)
{
	struct fitted f = { .base = NA };

	for (enum way way = 0; way < WAYS; way++) {
		struct rule_points *p = &f.points[way];

		*p = collect_points(r, patterns, w, way);
		if (way == way_of(r)) {
			r->patterns = p->count;
			r->floor = has_floor(r) ? floor_of(p) : NA;
			drop_hidden(r, p);
		}
		f.each[way] = p->count ? fit_slope(p) : NA;
	}
	return f;
}

/* ---- what is not as the model says ---- */

/* Adds a pattern that differs from the model. */
static void add_deviation(struct calibration *c, const struct rule_point *p,
			  bool trans, double measured)
{
	c->deviations = xrealloc(c->deviations, c->deviation_count + 1,
				 sizeof(*c->deviations));
	c->deviations[c->deviation_count++] = (struct calibration_deviation){
		.access = p->access, .trans = trans, .cycles = p->cycles,
		.measured = measured, .model = p->units,
	};
}

static void find_deviations(struct calibration *c, struct calibration_rule *r,
			    const struct rule_points *p)
{
	double part = r->space == ACCESS_GLOBAL ? OFF_GLOBAL : 0;

	for (size_t i = 0; i < p->count && r->each > 0; i++) {
		double measured = (p->list[i].cycles - r->base) / r->each;
		double off = fabs(measured - p->list[i].units);

		r->worst = MAX(r->worst, off);
		if (off <= OFF_MOST + part * p->list[i].units)
			continue;
		r->deviating++;
		add_deviation(c, &p->list[i], r->trans, measured);
	}
}

static double off_of(const struct calibration_deviation *d)
{
	return fabs(d->measured - d->model);
}

static int worst_first(const void *a, const void *b)
{
	double x = off_of(a), y = off_of(b);

	return (x < y) - (x > y);
}

const char *calibration_unit(const struct calibration_rule *r)
{
	if (r->space != ACCESS_GLOBAL)
		return N_("wavefronts");
	return r->op == OP_ST ? N_("sectors") : N_("lines");
}

/* ---- all of it ---- */

static int read_ways(struct measured_ways *w, const json_t *answer,
		     const json_t *patterns, struct error *e)
{
	const json_t *list = json_object_get(answer, "patterns");

	for (enum way way = 0; way < WAYS; way++) {
		const json_t *o = json_array_get(list, way);
		double window = 0;

		if (member_number(o, "window", 1, &window, e))
			return -1;
		w->cycles[way] = json_object_get(o, "cycles");
		if (json_array_size(w->cycles[way]) !=
		    json_array_size(patterns) || !(window >= 1))
			return members_wrong(e, _("expected cycles of each "
						  "pattern"));
		w->window[way] = (uint64_t)window;
	}
	return 0;
}

static void fit_all(struct calibration *c, struct fitted *f,
		    const json_t *patterns, const struct measured_ways *w)
{
	for (size_t i = 0; i < c->rule_count; i++)
		f[i] = fit_rule(&c->rules[i], patterns, w);
	for (size_t i = 0; i < c->rule_count; i++) {
		c->rules[i].each = common_each(c, f, i);
		f[i].base = base_of(&f[i].points[way_of(&c->rules[i])],
				    c->rules[i].each);
	}
	for (size_t i = 0; i < c->rule_count; i++)
		c->rules[i].base = common_base(c, f, i);
}

int calibration_rules(struct calibration *c, const json_t *answer,
		      const json_t *patterns, struct error *e)
{
	struct fitted f[CALIBRATION_RULES];
	struct measured_ways w;

	if (!json_array_size(patterns))
		return 0;
	if (read_ways(&w, answer, patterns, e))
		return -1;
	find_rules(c, patterns);
	fit_all(c, f, patterns, &w);
	for (size_t i = 0; i < c->rule_count; i++) {
		enum way way = way_of(&c->rules[i]);

		c->rules[i].chained = way == CHAIN;
		c->rules[i].warps = way == CHAIN ? 1 : CALIBRATION_WARPS;
		find_deviations(c, &c->rules[i], &f[i].points[way]);
		for (way = 0; way < WAYS; way++)
			free(f[i].points[way].list);
	}
	if (c->deviation_count)
		qsort(c->deviations, c->deviation_count,
		      sizeof(*c->deviations), worst_first);
	return 0;
}
