/*
 * arguments_tell: describes what a launch passes, for people. See arguments.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "record/contents.h"

/* Returns the type in C for an element. */
static const char *elem_words(enum elem e)
{
	static const char *const words[ELEM_COUNT] = {
		[ELEM_F32] = "float", [ELEM_F64] = "double",
		[ELEM_F16] = "half", [ELEM_BF16] = "bfloat16",
		[ELEM_I8] = "char", [ELEM_U8] = "unsigned char",
		[ELEM_I16] = "short", [ELEM_U16] = "unsigned short",
		[ELEM_I32] = "int", [ELEM_U32] = "unsigned",
		[ELEM_I64] = "long", [ELEM_U64] = "unsigned long",
	};

	return words[e];
}

/* Tests whether a type has a name that people know: not a library's own, which
 * begins like "__half2". */
static bool has_word(const struct debug_type *t)
{
	return *t->word && strncmp(t->word, "__", 2) &&
	       strncmp(t->word, "gemmviz_", strlen("gemmviz_"));
}

/* Formats a type for people; heap. CUDA's own vectors have up to four elements:
 * "half2". */
static char *type_words(const struct debug_type *t)
{
	bool is_whole = t->kind == DEBUG_AGGREGATE;
	uint64_t count = is_whole ? t->bytes / t->elem_bytes : 1;
	struct str s = { 0 };

	if (t->to_pointer)
		return xstrdup("pointer *");
	if (t->to_const)
		str_add(&s, "const ");
	if (t->is_bool)
		str_add(&s, "bool");
	else if (t->kind == DEBUG_POINTER && t->elem == ELEM_RAW &&
		 t->elem_bytes == 1)
		str_add(&s, "void");
	else if (has_word(t))
		str_add(&s, t->word);
	else if (!elem_words(t->elem) || count > 4)
		str_addf(&s, "struct of %" PRIu64 " bytes",
			 is_whole ? t->bytes : t->elem_bytes);
	else if (is_whole)
		str_addf(&s, "%s%" PRIu64, elem_words(t->elem), count);
	else
		str_add(&s, elem_words(t->elem));
	if (t->kind == DEBUG_POINTER)
		str_add(&s, " *");
	return str_take(&s);
}

static char *integer_words(const struct argument *a)
{
	const struct debug_type *t = &a->var->type;
	int unused = 64 - 8 * (int)MIN(MAX(t->bytes, 1), 8);
	uint64_t v = a->value[0] << unused;

	if (t->is_bool)
		return xstrdup(v ? "true" : "false");
	return t->is_signed ? xasprintf("%" PRId64, (int64_t)v >> unused) :
			      xasprintf("%" PRIu64, v >> unused);
}

/* Formats a value: "1", or "{1, 1, 1, 1}"; "{...}" for a structure that is too
 * large to be kept or has members of several types; heap. */
static char *value_words(const struct argument *a)
{
	const struct debug_type *t = &a->var->type;
	uint64_t count = t->bytes / MAX(t->elem_bytes, 1u);
	struct str s = { 0 };

	if (t->kind == DEBUG_INTEGER)
		return integer_words(a);
	if (t->kind == DEBUG_POINTER)
		return xstrdup(a->value[0] ? "&..." : "nullptr");
	if (t->bytes > sizeof(a->value) || t->elem == ELEM_RAW)
		return xstrdup("{...}");
	for (uint64_t i = 0; i < count; i++) {
		double v = 0;

		contents_value(t->elem, a->value, i, &v);
		str_addf(&s, "%s%.9g", i ? ", " : count > 1 ? "{" : "", v);
	}
	if (count > 1)
		str_addc(&s, '}');
	return str_take(&s);
}

/* Tests whether an argument before this one is the same array. */
static bool is_again(const struct argument *arguments, int i)
{
	for (int j = 0; j < i; j++)
		if (arguments[j].array == arguments[i].array)
			return true;
	return false;
}

/* The trace's number of argument i's array. */
static uint32_t trace_array_number(const struct argument *arguments, int count,
				   int i)
{
	uint32_t number = 0;

	for (int j = 0; j < count; j++)
		number += arguments[j].array >= 0 &&
			  arguments[j].array < arguments[i].array &&
			  !is_again(arguments, j);
	return number;
}

void arguments_tell(const struct argument *arguments, int count,
		    struct trace_info *info)
{
	info->arguments = xcalloc((size_t)count + 1, sizeof(*info->arguments));
	info->argument_count = (size_t)count;
	for (int i = 0; i < count; i++) {
		const struct argument *a = &arguments[i];
		bool is_array = a->array >= 0;

		info->arguments[i] = (struct trace_argument){
			.name = xstrdup(a->var->name),
			.type = type_words(&a->var->type),
			.array = is_array ? trace_array_number(arguments, count,
							       i) :
					    TRACE_NO_ARRAY,
			.decided = a->decided,
			.value = is_array ? xstrdup("") : value_words(a),
			.size = (uint32_t)a->size,
			.before = a->before,
			.low = a->least,
			.high = a->most,
			.filled = a->filled_by,
		};
	}
}
