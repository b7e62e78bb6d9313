/* report_arguments: what the launch passed for each parameter, where the value
 * came from, and how much of each array the kernel accessed. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report_parts.h"
#include "base/columns.h"
#include "base/lang.h"
#include "base/text.h"

static char *passed_cell(const struct report *r, const struct trace_argument *a)
{
	const struct trace_array *array;
	struct str s = { 0 };

	if (a->array == TRACE_NO_ARRAY)
		return xstrdup(text_show(a->value));
	array = &r->info->arrays[a->array];
	for (uint32_t d = 0; d < array->rank; d++)
		str_addf(&s, "%s%" PRIu64, d ? "x" : "", array->dims[d]);
	if (a->before)
		str_addf(&s, _(", from %1$llu"), (unsigned long long)a->before);
	return str_take(&s);
}

static char *holds_cell(const struct report *r,
			const struct trace_argument *a)
{
	if (a->array == TRACE_NO_ARRAY)
		return xstrdup("");
	/* What pointers and structures hold has no order. */
	if (r->info->arrays[a->array].elem == ELEM_RAW)
		return xstrdup(_("n/a"));
	if (isnan(a->low))
		return xstrdup(_("unset"));
	if (a->low == a->high)
		return xasprintf("%g", a->low);
	return xasprintf("%g..%g", a->low, a->high);
}

static char *accessed_cell(const struct report *r,
			   const struct trace_argument *a)
{
	const struct report_range *range;

	if (a->array == TRACE_NO_ARRAY)
		return xstrdup("");
	range = &r->ranges[a->array];
	if (!range->known)
		return xstrdup(_("n/a"));
	if (!range->end)
		return xstrdup(_("nothing"));
	return xasprintf("%" PRIu64 "..%" PRIu64, range->first,
			 range->end - 1);
}

/* Returns where an array's size came from, then its contents; the caller frees
 * it. */
static char *array_decided(const struct trace_argument *a)
{
	static const char *const size[DECIDED_COUNT] = {
		[DECIDED_GIVEN] = "--array",
		[DECIDED_PROBLEM] = N_("the problem"),
		[DECIDED_ASSUMED] = N_("assumed"),
		[DECIDED_GROWN] = N_("assumed, enlarged"),
		[DECIDED_PROGRAM] = N_("the program"),
		[DECIDED_LAUNCH] = N_("the launch in the text"),
	};
	const char *words = size[a->decided] ? size[a->decided] : "";

	return a->filled == DECIDED_GIVEN ?
	       xasprintf(_("%s, --values"), _(words)) : xstrdup(_(words));
}

static char *decided_cell(const struct trace_argument *a)
{
	const char *by = a->decided == DECIDED_NAME ? _("its name") :
			 a->decided == DECIDED_POSITION ? _("its position") :
			 a->decided == DECIDED_PROGRAM ? _("the program") :
			 a->decided == DECIDED_LAUNCH ?
				 _("the launch in the text") :
			 a->decided == DECIDED_GIVEN ? "--arg" : _("assumed");

	if (a->array != TRACE_NO_ARRAY)
		return array_decided(a);
	return a->size ? xasprintf(_("%s, -%c"), by, (char)a->size) : xstrdup(by);
}

void report_arguments_print(const struct report *r, FILE *out)
{
	struct columns t = { .left = 1 << 0 | 1 << 1 | 1 << 5 };
	char **row = columns_row(&t);

	row[0] = xstrdup(_("name"));
	row[1] = xstrdup(_("type"));
	row[2] = xstrdup(_("passed"));
	row[3] = xstrdup(_("holds"));
	row[4] = xstrdup(_("accessed"));
	row[5] = xstrdup(_("decided by"));
	for (size_t i = 0; i < r->info->argument_count; i++) {
		const struct trace_argument *a = &r->info->arguments[i];

		row = columns_row(&t);
		row[0] = report_name_cell(text_show(a->name));
		row[1] = xstrdup(text_show(a->type));
		row[2] = passed_cell(r, a);
		row[3] = holds_cell(r, a);
		row[4] = accessed_cell(r, a);
		row[5] = decided_cell(a);
	}
	if (t.count > 1) {
		fprintf(out, "\n%s\n", _("Arguments"));
		columns_print(&t, out);
	}
	columns_done(&t);
}
