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

static void say_pitch(struct str *s, const struct trace_info *info,
		      const struct advice *a)
{
	const struct trace_array *array = &info->arrays[a->array];
	struct str to = { 0 }, from = { 0 };

	add_dims(&to, array, a->to);
	add_dims(&from, array, a->from);
	str_addf(s, _("%1$s%2$s in place of %3$s"), get_array_name(info, a),
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
	str_addf(s, _("%1$s with element [r][c] at column c ^ %2$s"),
		 get_array_name(info, a), by.data);
	str_done(&by);
}

static void say_exchange(struct str *s, const struct trace_info *info,
			 const struct advice *a)
{
	(void)info;
	(void)a;
	str_add(s, _("threadIdx.x and threadIdx.y exchanged, and the block's "
		     "sizes with them"));
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

	str_addf(s, _("a lane accesses %1$s %2$d times in a row where one "
		      "%3$s would do"), get_array_name(info, a), (int)a->from,
		 type ? type : _("access of 16 bytes"));
}

static void say_share(struct str *s, const struct trace_info *info,
		      const struct advice *a)
{
	str_addf(s, _("a tile of %1$s in shared memory, for warps of a block "
		      "load the same of it"), get_array_name(info, a));
}

static void say_missing(struct str *s, const struct trace_info *info,
			const struct advice *a)
{
	str_addf(s,
		 _("a barrier before this line, for %1$s: lines %2$d and "
		   "%3$d"),
		 get_array_name(info, a), (int)a->from, (int)a->to);
}

static void say_idle(struct str *s, const struct trace_info *info,
		     const struct advice *a)
{
	(void)info;
	(void)a;
	str_add(s, _("without this barrier, which orders nothing here"));
}

static void say_resource(struct str *s, const struct trace_info *info,
			 const struct advice *a)
{
	(void)info;
	str_addf(s, a->kind == ADVICE_BLOCK ?
		 _("%1$d threads a block in place of %2$d, on %3$s") :
		 a->kind == ADVICE_SHARED ?
		 _("%1$d bytes of shared memory a block in place of %2$d, on "
		   "%3$s") :
		 _("%1$d registers a thread in place of %2$d, on %3$s"),
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
		[ADVICE_BARRIERS] = N_("arrivals at it %1$lld -> %2$lld"),
		[ADVICE_RACES] = N_("accesses without an order %1$lld -> "
				    "%2$lld"),
		[ADVICE_WARPS] = N_("warps on an SM %1$lld -> %2$lld"),
	};

	return _(formats[u]);
}

static void add_tried_words(struct str *s, const struct advice *a)
{
	const char *format = a->answer == ADVICE_WRONG ?
			     _("; tried: %1$lld, but then the kernel is wrong") :
			     a->answer == ADVICE_RIGHT ?
			     _("; tried: %1$lld, and the answer is right") :
			     _("; tried: %1$lld");

	/* The text has it in a second place, such as pointer arithmetic. */
	if (a->got != a->counts[0].after)
		format = _("; tried: %1$lld, so more than this place has to "
			   "change");
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
