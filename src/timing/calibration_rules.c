/* Times of access patterns become rules. See calibration.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "timing/calibration.h"
#include "timing/timing_members.h"

/* Slopes that a line is made of, at most: of more pairs a sample. */
#define SLOPES_MOST 200000

/* A pattern of a rule: what the model counts, and cycles. */
struct point {
	struct access access;
	int units;
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
	if (access_cost(a, &cost, NULL) < 0)
		return NA;
	return a->space == ACCESS_GLOBAL ? cost.sectors : cost.wavefronts;
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

/* Those of one rule that were run. */
static struct points points_of(const struct calibration_rule *r,
			       const json_t *patterns, const json_t *cycles,
			       uint64_t window)
{
	struct points p = { xcalloc(json_array_size(patterns) + 1,
				    sizeof(*p.list)), 0 };
	const json_t *row;
	size_t i;

	json_array_foreach(patterns, i, row) {
		struct point *n = &p.list[p.count];
		const json_t *v = json_array_get(cycles, i);

		if (!access_from(row, &n->access) ||
		    !same_rule(r, &n->access, is_trans(row)) ||
		    !json_is_number(v))
			continue;
		n->units = units_of(&n->access, window);
		n->cycles = json_number_value(v);
		p.count += n->units != NA;
	}
	return p;
}

/* ---- the line ---- */

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(double *list, size_t n)
{
	qsort(list, n, sizeof(*list), by_size);
	return n ? list[n / 2] : NA;
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

static void fit(struct calibration_rule *r, const struct points *p)
{
	double *rest = xcalloc(p->count + 1, sizeof(*rest));

	r->patterns = p->count;
	r->each = p->count ? slope(p) : NA;
	for (size_t i = 0; i < p->count; i++)
		rest[i] = p->list[i].cycles - (r->each == NA ? 0 : r->each) *
					      p->list[i].units;
	r->base = p->count ? median(rest, p->count) : NA;
	free(rest);
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
	for (size_t i = 0; i < p->count && r->each > 0; i++) {
		double measured = (p->list[i].cycles - r->base) / r->each;
		double off = fabs(measured - p->list[i].units);

		r->worst = MAX(r->worst, off);
		if (off <= 0.5)
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

int calibration_rules(struct calibration *c, const json_t *answer,
		      const json_t *patterns, struct error *e)
{
	const json_t *way = json_array_get(json_object_get(answer,
							   "patterns"), 0);
	const json_t *cycles = json_object_get(way, "cycles");
	double window = 0;

	if (!json_array_size(patterns))
		return 0;
	if (member_number(way, "window", 1, &window, e))
		return -1;
	if (json_array_size(cycles) != json_array_size(patterns) ||
	    !(window >= 1))
		return members_wrong(e, _("expected cycles of each pattern"));
	find_rules(c, patterns);
	for (size_t i = 0; i < c->rule_count; i++) {
		struct points p = points_of(&c->rules[i], patterns, cycles,
					    (uint64_t)window);

		fit(&c->rules[i], &p);
		judge(c, &c->rules[i], &p);
		free(p.list);
	}
	if (c->deviation_count)
		qsort(c->deviations, c->deviation_count,
		      sizeof(*c->deviations), worst_first);
	return 0;
}
