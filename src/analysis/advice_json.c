#include "analysis/advice_json.h"

#include <stdlib.h>

#include "base/text.h"

static json_t *integer_or_null(int64_t n)
{
	return n ? json_integer(n) : json_null();
}

static json_t *tried_json(const struct advice *a)
{
	static const char *const answers[] = {
		[ADVICE_UNCHECKED] = "unchecked", [ADVICE_RIGHT] = "right",
		[ADVICE_WRONG] = "wrong",
		[ADVICE_STILL_WRONG] = "still-wrong",
	};

	return !a->tried ? json_null() :
	       json_pack("{s:I, s:s}", "after", (json_int_t)a->got,
			 "answer", answers[a->answer]);
}

static json_t *piece_json(const struct trace_info *info,
			  const struct advice *a)
{
	char *text = advice_text(info, a), *name;
	json_t *counts = json_array(), *o;

	name = a->array < info->array_count ?
	       text_utf8(info->arrays[a->array].name) : NULL;
	for (int i = 0; i < a->count; i++)
		json_array_append_new(counts, json_pack("{s:s, s:I, s:I}",
			"unit", advice_unit_name(a->counts[i].unit),
			"before", (json_int_t)a->counts[i].before,
			"after", (json_int_t)a->counts[i].after));
	o = json_pack("{s:s, s:o, s:o, s:s?, s:o, s:o, s:o, s:s, s:o}",
		      "kind", advice_kind_name(a->kind),
		      "line", integer_or_null(a->line),
		      "column", integer_or_null(a->column),
		      "array", name,
		      "from", integer_or_null(a->from),
		      "to", integer_or_null(a->to),
		      "counts", counts, "text", text,
		      "tried", tried_json(a));
	if (a->kind == ADVICE_SWIZZLE)
		json_object_set_new(o, "swizzle",
			json_pack("{s:I, s:I, s:I}",
				  "shift", (json_int_t)a->shift,
				  "mask", (json_int_t)a->mask,
				  "chunk", (json_int_t)a->chunk));
	free(name);
	free(text);
	return o;
}

json_t *advice_json(const struct trace_info *info,
		    const struct advice_list *l)
{
	json_t *list = json_array();

	for (size_t i = 0; i < l->count; i++)
		json_array_append_new(list, piece_json(info, &l->list[i]));
	return list;
}
