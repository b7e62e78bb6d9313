/* judge_pattern: see judge_pattern.h. */
#include "practice/judge_pattern.h"

#include <math.h>
#include <stdlib.h>

#include "base/lang.h"

/* Elements among which an element's right place is looked for. */
#define PLACES_MOST (1u << 16)

static bool is_equal(const struct pattern_output *o, double got, uint64_t at)
{
	return got == o->want[at] || fabs(got - o->want[at]) <= o->off[at];
}

static bool is_right(const struct pattern_output *o, uint64_t at)
{
	return !o->unwritten[at] && is_equal(o, o->got[at], at);
}

static uint64_t count_output_elements(const struct pattern_output *o)
{
	return o->rows * o->columns;
}

uint64_t pattern_count_wrong(const struct pattern_output *o)
{
	uint64_t wrong = 0;

	for (uint64_t i = 0; i < count_output_elements(o); i++)
		wrong += !is_right(o, i);
	return wrong;
}

/* Returns an element's name, "C[0][1]" or "c[3]"; heap. */
static char *name_element(const struct pattern_output *o, uint64_t at)
{
	if (o->columns == 1 || o->rows == 1)
		return xasprintf("%s[%llu]", o->name, (unsigned long long)at);
	return xasprintf("%s[%llu][%llu]", o->name,
			 (unsigned long long)(at / o->columns),
			 (unsigned long long)(at % o->columns));
}

/* ---- where it is wrong ---- */

typedef bool chosen_element(const struct pattern_output *o, uint64_t at,
			    uint64_t with);

/* Returns whether an element is right (or, with `unwritten`, written) exactly
 * where it is chosen. */
static bool right_where(const struct pattern_output *o, chosen_element *chosen,
			uint64_t with, bool unwritten)
{
	bool any = false, other = false;

	for (uint64_t i = 0; i < count_output_elements(o); i++) {
		bool good = unwritten ? !o->unwritten[i] : is_right(o, i);

		if (good != chosen(o, i, with))
			return false;
		any |= good;
		other |= !good;
	}
	return any && other;
}

static bool before_column(const struct pattern_output *o, uint64_t at,
			  uint64_t with)
{
	return at % o->columns < with;
}

static bool before_row(const struct pattern_output *o, uint64_t at,
		       uint64_t with)
{
	return at / o->columns < with;
}

static bool on_diagonal(const struct pattern_output *o, uint64_t at,
			uint64_t with)
{
	return at / o->columns % with == at % o->columns % with;
}

static bool in_column_step(const struct pattern_output *o, uint64_t at,
			   uint64_t with)
{
	return at % o->columns % with == 0;
}

static bool in_row_step(const struct pattern_output *o, uint64_t at,
			uint64_t with)
{
	return at / o->columns % with == 0;
}

static bool in_first_tile(const struct pattern_output *o, uint64_t at,
			  uint64_t with)
{
	return at / o->columns < with && at % o->columns < with;
}

/* Finds the first number of 1..most with which this is the pattern; 0: with
 * none. */
static uint64_t find_with(const struct pattern_output *o,
			  chosen_element *chosen, uint64_t least, uint64_t most,
			  bool unwritten)
{
	for (uint64_t with = least; with <= most; with++)
		if (right_where(o, chosen, with, unwritten))
			return with;
	return 0;
}

/* Describes which rows, columns or tiles are right, or NULL. */
static char *describe_where(const struct pattern_output *o)
{
	unsigned long long n, all = MAX(o->rows, o->columns);

	n = find_with(o, before_column, 1, o->columns, false);
	if (n)
		return xasprintf(_("%s is wrong from column %llu on"), o->name,
				 n);
	n = find_with(o, before_row, 1, o->rows, false);
	if (n && o->columns > 1)
		return xasprintf(_("%s is wrong from row %llu on"), o->name, n);
	if (n)
		return xasprintf(_("%s is wrong from element %llu on"), o->name,
				 n);
	if (o->columns > 1 && right_where(o, on_diagonal, all, false))
		return xasprintf(_("%s is right only where row = column"),
				 o->name);
	n = find_with(o, on_diagonal, 2, MIN(all, 64), false);
	if (n)
		return xasprintf(_("in each %1$llu x %1$llu tile of %2$s only "
				   "the diagonal is right"), n, o->name);
	n = find_with(o, in_first_tile, 2, MIN(all, 256), false);
	if (n)
		return xasprintf(_("only the first %1$llu x %1$llu elements of "
				   "%2$s are right"), n, o->name);
	n = find_with(o, in_column_step, 2, MIN(o->columns, 64), false);
	if (n)
		return xasprintf(_("%s is right only in columns that are "
				   "multiples of %llu"), o->name, n);
	n = find_with(o, in_row_step, 2, MIN(o->rows, 64), false);
	if (n)
		return xasprintf(_("%s is right only in rows that are "
				   "multiples of %llu"), o->name, n);
	return NULL;
}

/* ---- what nothing has written ---- */

static uint64_t count_unwritten(const struct pattern_output *o,
				uint64_t *first)
{
	uint64_t count = 0;

	for (uint64_t i = count_output_elements(o); i-- > 0;)
		if (o->unwritten[i]) {
			*first = i;
			count++;
		}
	return count;
}

/* Describes an output that is written in its first rows and columns only, or
 * NULL. */
static char *describe_corner(const struct pattern_output *o)
{
	uint64_t rows = 0, columns = 0, written = 0;

	for (uint64_t i = 0; i < count_output_elements(o); i++)
		if (!o->unwritten[i]) {
			rows = MAX(rows, i / o->columns + 1);
			columns = MAX(columns, i % o->columns + 1);
			written++;
		}
	return !written || written < rows * columns ? NULL :
	       xasprintf(_("no kernel writes %1$s from row %2$llu and from "
			   "column %3$llu on: the grid covers neither"),
			 o->name, (unsigned long long)rows,
			 (unsigned long long)columns);
}

static char *describe_unwritten(const struct pattern_output *o)
{
	uint64_t first = 0, count = count_unwritten(o, &first);
	unsigned long long n;
	char *name, *words;

	if (!count)
		return NULL;
	if (count == count_output_elements(o))
		return xasprintf(_("no kernel writes %s"), o->name);
	n = find_with(o, before_column, 1, o->columns, true);
	if (n && o->columns > 1)
		return xasprintf(_("no kernel writes %s from column %llu on: "
				   "the grid does not cover all columns"),
				 o->name, n);
	n = find_with(o, before_row, 1, o->rows, true);
	if (n)
		return xasprintf(o->columns > 1 ?
				 _("no kernel writes %s from row %llu on: the "
				   "grid does not cover all rows") :
				 _("no kernel writes %s from element %llu on: "
				   "the grid does not cover it"), o->name, n);
	words = describe_corner(o);
	if (words)
		return words;
	name = name_element(o, first);
	words = xasprintf(_("%1$s was never written: %2$llu of %3$llu elements "
			    "are not"), name, (unsigned long long)count,
			  (unsigned long long)count_output_elements(o));
	free(name);
	return words;
}

/* ---- what it holds instead ---- */

/* Describes an output that is all one number, or NULL. */
static char *describe_constant(const struct pattern_output *o)
{
	for (uint64_t i = 1; i < count_output_elements(o); i++)
		if (o->got[i] != o->got[0])
			return NULL;
	return count_output_elements(o) < 2 ? NULL :
	       xasprintf(_("every element of %s is %g"), o->name, o->got[0]);
}

static char *describe_no_number(const struct pattern_output *o)
{
	uint64_t count = 0, first = 0;
	char *name, *words;

	for (uint64_t i = count_output_elements(o); i-- > 0;)
		if (isnan(o->got[i]) || isinf(o->got[i])) {
			first = i;
			count++;
		}
	if (!count)
		return NULL;
	name = name_element(o, first);
	words = xasprintf(_("%1$s is %2$s, as are %3$llu of %4$llu elements: "
			    "something that is no number went into it"), name,
			  isnan(o->got[first]) ? "NaN" :
			  o->got[first] < 0 ? "-inf" : "inf",
			  (unsigned long long)count,
			  (unsigned long long)count_output_elements(o));
	free(name);
	return words;
}

/* Describes an output that is the right one times a number, or turned; or
 * NULL. */
static char *describe_whole(const struct pattern_output *o)
{
	uint64_t count = count_output_elements(o), big = 0;
	bool turned = true, scaled = true;
	double times;

	for (uint64_t i = 0; i < count; i++)
		if (fabs(o->want[i]) > fabs(o->want[big]))
			big = i;
	times = o->got[big] / o->want[big];
	for (uint64_t i = 0; i < count; i++) {
		uint64_t row = i / o->columns, column = i % o->columns;

		turned = turned && o->rows == o->columns &&
			 is_equal(o, o->got[i], column * o->rows + row);
		scaled = scaled && fabs(o->got[i] - times * o->want[i]) <=
			 (1 + fabs(times)) * (o->off[i] + 1e-12);
	}
	if (turned && o->columns > 1)
		return xasprintf(_("rows and columns of %s are exchanged"),
				 o->name);
	if (scaled && fabs(times - 1) > 1e-3)
		return xasprintf(_("each element of %s is %g times what it "
				   "should be"), o->name, times);
	return NULL;
}

/* Describes an element that holds what belongs elsewhere, or NULL. */
static char *describe_place(const struct pattern_output *o, uint64_t first)
{
	uint64_t found = 0, at = 0, count = count_output_elements(o);
	char *name, *other, *words;

	if (count > PLACES_MOST || o->got[first] == 0)
		return NULL;
	for (uint64_t i = 0; i < count && found < 2; i++)
		if (i != first && is_equal(o, o->got[first], i)) {
			found++;
			at = i;
		}
	if (found != 1)
		return NULL;
	name = name_element(o, first);
	other = name_element(o, at);
	words = xasprintf(_("%1$s holds what belongs to %2$s"), name, other);
	free(name);
	free(other);
	return words;
}

/* Returns the sum of the products of an element for k in first..last - 1. */
static double sum_part(const struct pattern_output *o, uint64_t at,
		       uint64_t first, uint64_t last)
{
	uint64_t row = at / o->columns, column = at % o->columns;
	double sum = 0;

	for (uint64_t i = first; i < last; i++)
		sum += o->a[row * o->k + i] * o->b[i * o->columns + column];
	return sum;
}

/* Returns whether all wrong elements are the sums for k in first..last - 1. */
static bool are_sums(const struct pattern_output *o, uint64_t first,
		     uint64_t last)
{
	bool any = false;

	for (uint64_t i = 0; i < count_output_elements(o); i++) {
		if (is_right(o, i))
			continue;
		any = true;
		if (!(fabs(o->got[i] - sum_part(o, i, first, last)) <=
		      o->off[i]))
			return false;
	}
	return any;
}

/* Describes sums of which a part is missing, or NULL. */
static char *describe_sums(const struct pattern_output *o)
{
	unsigned long long k = o->k;

	for (uint64_t n = 1; o->a && n < o->k; n++) {
		if (are_sums(o, 0, n))
			return xasprintf(_("the sums in %1$s end too early: "
					   "they have only k < %2$llu of "
					   "%3$llu"), o->name,
					 (unsigned long long)n, k);
		if (are_sums(o, n, o->k))
			return xasprintf(_("the sums in %1$s begin too late: "
					   "they have only k >= %2$llu of "
					   "%3$llu"), o->name,
					 (unsigned long long)n, k);
	}
	return NULL;
}

static uint64_t find_first_wrong(const struct pattern_output *o)
{
	uint64_t at = 0;

	while (at + 1 < count_output_elements(o) && is_right(o, at))
		at++;
	return at;
}

static char *describe_first(const struct pattern_output *o, uint64_t first)
{
	unsigned long long wrong = pattern_count_wrong(o),
			   all = count_output_elements(o);
	char *name = name_element(o, first);
	char *words = xasprintf(_("%1$s is %2$.7g and should be %3$.7g; "
				  "%4$llu of %5$llu elements are wrong"), name,
				o->got[first], o->want[first], wrong, all);

	free(name);
	return words;
}

/* Joins two sentences, of which the second may be NULL; takes both. */
static char *join_sentences(char *one, char *two)
{
	char *both;

	if (!two)
		return one;
	both = xasprintf(_("%1$s; %2$s"), one, two);
	free(one);
	free(two);
	return both;
}

char *pattern_describe(const struct pattern_output *o)
{
	uint64_t first = find_first_wrong(o);
	char *words = describe_unwritten(o), *where;

	if (!words)
		words = describe_no_number(o);
	if (!words)
		words = describe_constant(o);
	if (!words)
		words = describe_whole(o);
	if (!words)
		words = describe_sums(o);
	if (words)
		return words;
	where = describe_where(o);
	if (!where)
		where = describe_place(o, first);
	return join_sentences(describe_first(o, first), where);
}
