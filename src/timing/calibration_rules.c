/* Times of access patterns become rules. See calibration.h. */
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
struct point {
	struct access access;
	int units;			/* cycles by the model */
	double cycles;
};

struct points {
	struct point *list;
	size_t count;
};

/* ---- patterns ---- */

static bool access_from(const json_t *row, struct access *a)
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

/* What was run had the window's addresses. */
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

		if (!access_from(row, &a))
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
struct ways {
	const json_t *cycles[WAYS];
	uint64_t window[WAYS];
};

/* ptxas leaves out all but one of several ldmatrix of one address that do not
 * wait for each other. */
static enum way way_of(const struct calibration_rule *r)
{
	return r->space == ACCESS_LDMATRIX ? CHAIN : STREAM;
}

/* Those of one rule that were run in a way. */
static struct points points_of(const struct calibration_rule *r,
			       const json_t *patterns, const struct ways *w,
			       enum way way)
{
	struct points p = { xcalloc(json_array_size(patterns) + 1,
				    sizeof(*p.list)), 0 };
	const json_t *row;
	size_t i;

	json_array_foreach(patterns, i, row) {
		struct point *n = &p.list[p.count];
		const json_t *v = json_array_get(w->cycles[way], i);

		if (!access_from(row, &n->access) ||
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

static double median(double *list, size_t n)
{
	qsort(list, n, sizeof(*list), double_order);
	return n ? list[n / 2] : NA;
}

static bool has_floor(const struct calibration_rule *r)
{
	return r->space == ACCESS_GLOBAL && r->op == OP_LD;
}

/* The cycles of those that have the least to do. */
static double floor_of(const struct points *p)
{
	double *list = xcalloc(p->count + 1, sizeof(*list)), found;
	int least = INT_MAX;
	size_t n = 0;

	for (size_t i = 0; i < p->count; i++)
		least = MIN(least, p->list[i].units);
	for (size_t i = 0; i < p->count; i++)
		if (p->list[i].units == least)
			list[n++] = p->list[i].cycles;
	found = median(list, n);
	free(list);
	return found;
}

/* Whether other things take longer than what the model counts. */
static bool is_hidden(const struct calibration_rule *r, const struct point *p)
{
	return r->floor != NA &&
	       p->units <= r->floor * (1 + OFF_GLOBAL) + OFF_MOST;
}

/* Leaves those that say something. */
static void hide(struct calibration_rule *r, struct points *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++)
		if (!is_hidden(r, &p->list[i]))
			p->list[kept++] = p->list[i];
	r->hidden = p->count - kept;
	p->count = kept;
}

/*
 * Theil and Sen's: the median of the slopes of all pairs, so that it takes more
 * than a quarter of the patterns to move it. NA: all cost the same.
 */
static double slope(const struct points *p)
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
	found = median(list, n);
	free(list);
	return found;
}

static double base_of(const struct points *p, double each)
{
	double *rest = xcalloc(p->count + 1, sizeof(*rest)), found;

	for (size_t i = 0; i < p->count; i++)
		rest[i] = p->list[i].cycles - each * p->list[i].units;
	found = median(rest, p->count);
	free(rest);
	return found;
}

/* ---- what kinds have in common ---- */

/* What one part of the machine does: which kinds must agree. */
static bool same_part(const struct calibration_rule *a,
		      const struct calibration_rule *b)
{
	return a->op == b->op && (a->space == ACCESS_GLOBAL) ==
				 (b->space == ACCESS_GLOBAL);
}

/* A rule's patterns in each way, and their own line. */
struct fitted {
	struct points points[WAYS];
	double each[WAYS], base;
};

/* The median slope of the kinds that do what this does, in its way; streamed
 * ldmatrix has none. */
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
	return median(list, n);
}

/* Of accesses that wait for one another it has their latency, which kinds need
 * not share. */
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
	return median(list, n);
}

static struct fitted fit(struct calibration_rule *r, const json_t *patterns,
			 const struct ways *w)
{
	struct fitted f = { .base = NA };

	for (enum way way = 0; way < WAYS; way++) {
		struct points *p = &f.points[way];

		*p = points_of(r, patterns, w, way);
		if (way == way_of(r)) {
			r->patterns = p->count;
			r->floor = has_floor(r) ? floor_of(p) : NA;
			hide(r, p);
		}
		f.each[way] = p->count ? slope(p) : NA;
	}
	return f;
}

/* ---- what is not as the model says ---- */

static void add_deviation(struct calibration *c, const struct point *p,
			  bool trans, double measured)
{
	c->deviations = xrealloc(c->deviations, c->deviation_count + 1,
				 sizeof(*c->deviations));
	c->deviations[c->deviation_count++] = (struct calibration_deviation){
		.access = p->access, .trans = trans, .cycles = p->cycles,
		.measured = measured, .model = p->units,
	};
}

static void judge(struct calibration *c, struct calibration_rule *r,
		  const struct points *p)
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

static int read_ways(struct ways *w, const json_t *answer,
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
		    const json_t *patterns, const struct ways *w)
{
	for (size_t i = 0; i < c->rule_count; i++)
		f[i] = fit(&c->rules[i], patterns, w);
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
	struct ways w;

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
		judge(c, &c->rules[i], &f[i].points[way]);
		for (way = 0; way < WAYS; way++)
			free(f[i].points[way].list);
	}
	if (c->deviation_count)
		qsort(c->deviations, c->deviation_count,
		      sizeof(*c->deviations), worst_first);
	return 0;
}
