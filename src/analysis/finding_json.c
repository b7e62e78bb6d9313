/*
 * finding_json: see finding_json.h.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/finding_json.h"
#include "analysis/finding_text.h"
#include "base/text.h"

static json_t *dim3_of_index(struct trace_dim of, uint32_t number)
{
	struct trace_dim d = dim_of(of, number);

	return json_pack("[I,I,I]", (json_int_t)d.x, (json_int_t)d.y,
			 (json_int_t)d.z);
}

static json_t *line_or_null(uint32_t n)
{
	return n ? json_integer(n) : json_null();
}

static json_t *word_json(const char *word)
{
	json_t *j;
	char *clean;

	if (!word || !*word)
		return json_null();
	clean = text_clean(word, strlen(word), 0);
	j = json_string(clean);
	free(clean);
	return j;
}

static json_t *real_or_null(double v)
{
	json_t *j = json_real(v);

	/* It is no number. */
	return j ? j : json_null();
}

static json_t *access_json(const struct trace_info *info,
			   const struct finding_access *a)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}",
			 "op", word_json(a->bytes ? op_name(a->op) : NULL),
			 "bytes", line_or_null(a->bytes),
			 "line", line_or_null(a->line),
			 "column", line_or_null(a->column),
			 "block", dim3_of_index(info->grid, a->block),
			 "thread", dim3_of_index(info->block, a->thread));
}

static json_t *element_json(const struct trace_array *a, int64_t offset)
{
	int64_t index[TRACE_MAX_RANK];
	json_t *list = json_array();

	finding_element(a, offset, index);
	for (uint32_t d = 0; d < a->rank; d++)
		json_array_append_new(list, json_integer(index[d]));
	return list;
}

static json_t *numbers_json(const struct trace_finding *f)
{
	json_t *o = json_object();

	for (size_t i = 0; i < finding_numbers(f->cause); i++)
		json_object_set_new(o, finding_cause(f->cause)->number[i],
				    json_integer((json_int_t)f->number[i]));
	return o;
}

void finding_json_add(json_t *to, const struct trace_info *info,
		      const struct trace_finding *f)
{
	const struct trace_array *a = f->array == TRACE_NO_ARRAY ? NULL :
				      &info->arrays[f->array];
	bool result = f->kind == FINDING_RESULT;
	bool other = finding_cause(f->cause)->has & FINDING_OTHER;
	json_t *more;

	if (f->cause == CAUSE_TOLD)
		return;
	more = json_pack("{s:s, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
			 "s:o, s:o}", "cause", finding_cause(f->cause)->word,
			 "column", line_or_null(f->access.column),
			 "count", (json_int_t)f->count,
			 "array", word_json(a ? a->name : NULL),
			 "element", a ? element_json(a, f->offset) :
					json_null(),
			 "access", access_json(info, &f->access),
			 "other", other ? access_json(info, &f->other) :
					  json_null(),
			 "word", word_json(f->word),
			 "other_word", word_json(f->other_word),
			 "numbers", numbers_json(f),
			 "expected", result ? real_or_null(f->expected) :
					      json_null(),
			 "got", result ? real_or_null(f->got) : json_null());
	json_object_update(to, more);
	json_decref(more);
}
