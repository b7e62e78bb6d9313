/* advice_text: a piece of advice as sentences, and applied to a text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advice.h"
#include "analysis/advice_source.h"
#include "base/lang.h"
#include "base/text.h"

static const char *get_array_name(const struct trace_info *info,
				  const struct advice *a)
{
	return a->array < info->array_count ?
	       text_show(info->arrays[a->array].name) : "";
}

/* Adds the dimensions, such as "[2][32][33]", the last one replaced. */
static void add_dims(struct str *s, const struct trace_array *a, int64_t last)
{
	for (uint32_t d = 0; d + 1 < a->rank; d++)
		str_addf(s, "[%" PRIu64 "]", a->dims[d]);
	str_addf(s, "[%" PRId64 "]", last);
}

/* Tests whether the advice is to count in the rows that the text declares. */
static bool is_declared(const struct trace_array *array, const struct advice *a)
{
	return array->rank > 1 && a->from < a->to &&
	       a->to == (int64_t)array->dims[array->rank - 1];
}

static void say_pitch(struct str *s, const struct trace_info *info,
		      const struct advice *a)
{
	const struct trace_array *array = &info->arrays[a->array];
	struct str to = { 0 }, from = { 0 };

	if (array->rank == 1) {
		str_addf(s, _("give %1$s rows of %3$d elements instead of %2$d"),
			 get_array_name(info, a), (int)a->from, (int)a->to);
		return;
	}
	if (is_declared(array, a)) {
		str_addf(s, _("%1$s counted in rows of %3$d elements, as it is "
			      "declared, in place of %2$d"),
			 get_array_name(info, a), (int)a->from, (int)a->to);
		return;
	}
	add_dims(&to, array, a->to);
	add_dims(&from, array, a->from);
	str_addf(s, _("declare %1$s%2$s instead of %3$s"),
		      get_array_name(info, a),
		 to.data, from.data);
	str_done(&to);
	str_done(&from);
}

/* Adds the sentence on a swizzle, with "(r >> 1 & 7) * 4" as the value for
 * XOR. */
static void say_swizzle(struct str *s, const struct trace_info *info,
			const struct advice *a)
{
	struct str by = { 0 };

	str_add(&by, "(r");
	if (a->shift)
		str_addf(&by, " >> %" PRIu32, a->shift);
	str_addf(&by, " & %" PRIu32 ")", a->mask);
	if (a->chunk > 1)
		str_addf(&by, " * %" PRIu32, a->chunk);
	str_addf(s, _("store element [r][c] of %1$s in column c ^ %2$s"),
		 get_array_name(info, a), by.data);
	str_done(&by);
}

static void say_exchange(struct str *s, const struct trace_info *info,
			 const struct advice *a)
{
	(void)info;
	(void)a;
	str_add(s, _("exchange threadIdx.x and threadIdx.y, and the two sizes "
		     "of the block"));
}

/* Returns the vector type of 16 bytes for the array's elements, such as
 * "float4", or NULL. */
static const char *vector_name(const struct trace_array *a)
{
	switch (a->elem) {
	case ELEM_F32:
		return "float4";
	case ELEM_I32:
		return "int4";
	case ELEM_U32:
		return "uint4";
	case ELEM_F64:
		return "double2";
	default:
		return NULL;
	}
}

static void say_vector(struct str *s, const struct trace_info *info,
		       const struct advice *a)
{
	const struct trace_array *array = &info->arrays[a->array];
	const char *type = vector_name(array);

	str_addf(s, _("replace %2$d accesses in a row to %1$s by one %3$s "
		      "access"),
		      get_array_name(info, a), (int)a->from,
		 type ? type : _("16-byte"));
}

static void say_share(struct str *s, const struct trace_info *info,
		      const struct advice *a)
{
	str_addf(s, _("load a tile of %1$s into shared memory: several warps "
		      "of a block load the same elements"),
		      get_array_name(info, a));
}

static void say_missing(struct str *s, const struct trace_info *info,
			const struct advice *a)
{
	str_addf(s,
		 _("add a barrier before this line: it orders the accesses to "
		   "%1$s in lines %2$d and %3$d"),
		 get_array_name(info, a), (int)a->from, (int)a->to);
}

static void say_idle(struct str *s, const struct trace_info *info,
		     const struct advice *a)
{
	(void)info;
	(void)a;
	str_add(s, _("remove this barrier: it orders no accesses"));
}

static void say_resource(struct str *s, const struct trace_info *info,
			 const struct advice *a)
{
	(void)info;
	str_addf(s, a->kind == ADVICE_BLOCK ?
		 _("use %1$d threads per block instead of %2$d, on %3$s") :
		 a->kind == ADVICE_SHARED ?
		 _("use %1$d bytes of shared memory per block instead of %2$d, "
		   "on %3$s") :
		 _("use %1$d registers per thread instead of %2$d, on %3$s"),
		 (int)a->to, (int)a->from, a->arch);
}

static void (*const sayers[])(struct str *s, const struct trace_info *info,
			      const struct advice *a) = {
	[ADVICE_BARRIER_MISSING] = say_missing, [ADVICE_PITCH] = say_pitch,
	[ADVICE_SWIZZLE] = say_swizzle, [ADVICE_EXCHANGE] = say_exchange,
	[ADVICE_VECTOR] = say_vector, [ADVICE_SHARE] = say_share,
	[ADVICE_BARRIER_IDLE] = say_idle, [ADVICE_BLOCK] = say_resource,
	[ADVICE_SHARED] = say_resource, [ADVICE_REGISTERS] = say_resource,
};

static const char *count_format(enum advice_unit u)
{
	static const char *const formats[] = {
		[ADVICE_WAVEFRONTS] = N_("shared wavefronts %1$lld -> %2$lld"),
		[ADVICE_SECTORS] = N_("sectors %1$lld -> %2$lld"),
		[ADVICE_REQUESTS] = N_("requests %1$lld -> %2$lld"),
		[ADVICE_BARRIERS] = N_("arrivals at this barrier %1$lld -> "
				       "%2$lld"),
		[ADVICE_RACES] = N_("unordered accesses %1$lld -> %2$lld"),
		[ADVICE_WARPS] = N_("warps per SM %1$lld -> %2$lld"),
	};

	return _(formats[u]);
}

static void add_tried_words(struct str *s, const struct advice *a)
{
	const char *format = a->answer == ADVICE_WRONG ?
			     _(" (recording the change gives %1$lld, but a "
			       "wrong result)") :
			     a->answer == ADVICE_STILL_WRONG ?
			     _(" (recording the change gives %1$lld, and the "
			       "result is as wrong as before)") :
			     a->answer == ADVICE_RIGHT ?
			     _(" (verified by recording the change: %1$lld, "
			       "correct result)") :
			     _(" (verified by recording the change: %1$lld)");

	/* The text has it in a second place, such as pointer arithmetic. */
	if (a->got != a->counts[0].after)
		format = _(" (recording the change gives %1$lld: other places "
			   "must change, too)");
	str_addf(s, format, (long long)a->got);
}

char *advice_text(const struct trace_info *info, const struct advice *a)
{
	struct str s = { 0 };

	sayers[a->kind](&s, info, a);
	for (int i = 0; i < a->count; i++) {
		str_add(&s, i ? _(", ") : _(": "));
		str_addf(&s, count_format(a->counts[i].unit),
			 (long long)a->counts[i].before,
			 (long long)a->counts[i].after);
	}
	if (a->tried)
		add_tried_words(&s, a);
	return str_take(&s);
}

/* ---- apply advice ---- */

/* Applies a piece of advice to a copy of the text; see advice.h. */
char *advice_apply(const char *text, const struct trace_info *info,
		   const struct advice *a)
{
	struct source_rows rows;
	struct source_place place;

	if (a->kind == ADVICE_PITCH && is_declared(&info->arrays[a->array], a))
		return NULL;
	if (a->kind == ADVICE_BARRIER_MISSING)
		return source_barrier_find(text, (uint32_t)a->from,
					   (uint32_t)a->to, &place) ?
		       source_barrier(text, &place) : NULL;
	if (a->kind == ADVICE_EXCHANGE)
		return source_exchange(text);
	if (a->kind != ADVICE_PITCH ||
	    !source_rows_find(text, info->arrays[a->array].name, a->line,
			      &rows))
		return NULL;
	return source_pad(text, &rows, (long)(a->to - a->from));
}
