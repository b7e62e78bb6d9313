/*
 * scalar_text: see scalar_text.h.
 */
#include "emu/module/scalar_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"

/* Brackets nested deeper than this are not looked into. */
#define DEPTH_MOST 64

/* Types of a text's own that are known, and words of a typedef. */
#define TYPES_MOST 64
#define TYPEDEF_WORDS 8

/* A text while it is read, and what encloses the current word. */
struct scalar_text {
	const char *text;
	const struct cpp_word *words;
	size_t count;
	const struct cpp_word *types[TYPES_MOST];	/* that it declares */
	size_t type_count;
	/* Whether each open brace, or parenthesis, holds statements. */
	bool code[DEPTH_MOST];
	size_t depth;
	size_t begin;		/* first word of the current statement */
	const char *copied;	/* end of what is in `to` */
	struct str to;
};

static bool is_one_of(const struct cpp_word *w, const char *const *list,
		      size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (cpp_is(w, list[i]))
			return true;
	return false;
}

/* Returns whether a word is, or is part of, the name of an arithmetic type. */
static bool is_arithmetic(const struct cpp_word *w)
{
	static const char *const names[] = {
		"float", "double", "int", "unsigned", "signed", "short", "long",
		"char", "half", "__half", "__half2", "half2", "__nv_bfloat16",
		"__nv_bfloat162", "size_t", "int8_t", "int16_t", "int32_t",
		"int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
		"float2", "float3", "float4", "int2", "int3", "int4", "uint",
		"uint2", "uint3", "uint4", "double2", "ushort", "uchar",
		"const", "volatile",
	};

	return is_one_of(w, names, LENGTH(names));
}

static bool is_own_type(const struct scalar_text *s,
			const struct cpp_word *name)
{
	for (size_t i = 0; i < s->type_count; i++)
		if (s->types[i]->length == name->length &&
		    !memcmp(s->types[i]->at, name->at, name->length))
			return true;
	return false;
}

/* Returns whether word i ends a typedef, as its new name. */
static bool ends_typedef(const struct scalar_text *s, size_t i)
{
	if (i + 1 >= s->count || s->words[i + 1].kind != ';')
		return false;
	for (size_t k = i; k-- > 0 && i - k < TYPEDEF_WORDS;) {
		if (strchr(";{}", s->words[k].kind))
			return false;
		if (cpp_is(&s->words[k], "typedef"))
			return true;
	}
	return false;
}

/* Collects the types that the text declares: parameters of templates and
 * aliases. */
static void find_own_types(struct scalar_text *s)
{
	static const char *const before[] = { "typename", "class", "using" };

	for (size_t i = 1; i < s->count && s->type_count < TYPES_MOST; i++)
		if (s->words[i].kind == CPP_WORD &&
		    (is_one_of(&s->words[i - 1], before, LENGTH(before)) ||
		     ends_typedef(s, i)) && !is_own_type(s, &s->words[i]))
			s->types[s->type_count++] = &s->words[i];
}

/* Returns the word after the type that a statement begins with; `begin` if it
 * begins with none. */
static size_t skip_type(const struct scalar_text *s, size_t begin)
{
	size_t i = begin;

	while (i < s->count && is_arithmetic(&s->words[i]))
		i++;
	if (i == begin && i + 1 < s->count && s->words[i].kind == CPP_WORD &&
	    s->words[i + 1].kind == CPP_WORD && is_own_type(s, &s->words[i]))
		i++;
	return i;
}

/* Returns where a statement may be added in the line of word i, after all of its
 * uses there: at the line's end, if all brackets between that open also close
 * and the last word ends a statement, or before the brace that ends the block.
 * NULL: none may. */
static const char *find_room(const struct scalar_text *s, size_t i)
{
	const char *end = strchrnul(s->words[i].at, '\n');
	int depth = 0;
	size_t last = i;

	for (; i < s->count && s->words[i].at < end; i++) {
		int kind = s->words[i].kind;

		if (kind == CPP_DIRECTIVE)
			return NULL;
		depth += kind == '(' || kind == '{' || kind == '[';
		depth -= kind == ')' || kind == '}' || kind == ']';
		if (depth < 0) {
			end = s->words[last].at + s->words[last].length;
			return kind == '}' &&
			       strchr(";}", s->words[last].kind) ? end : NULL;
		}
		last = i;
	}
	end = s->words[last].at + s->words[last].length;
	return depth == 0 && s->words[last].kind == ';' ? end : NULL;
}

/* Adds the statements for the names that words [i, end) declare without a
 * value: "a, b = 0, c" gives a and c. */
static void add_names(struct scalar_text *s, size_t i, size_t end)
{
	const char *room = find_room(s, end);

	if (!room || room < s->copied)
		return;
	str_addn(&s->to, s->copied, (size_t)(room - s->copied));
	s->copied = room;
	for (; i < end; i++) {
		const struct cpp_word *w = &s->words[i];
		bool first = is_arithmetic(w - 1) || w[-1].kind == ',' ||
			     (w[-1].kind == CPP_WORD);

		if (w->kind != CPP_WORD || !first ||
		    (w[1].kind != ',' && w[1].kind != ';'))
			continue;
		str_add(&s->to, "(void)&");
		str_addn(&s->to, w->at, w->length);
		str_addc(&s->to, ';');
	}
}

/* Looks at the statement that ends before the semicolon `end`. */
static void look_at_statement(struct scalar_text *s, size_t end)
{
	size_t i = skip_type(s, s->begin);

	if (i == s->begin || i >= end)
		return;
	/* Names and values in brackets would need a parser. */
	for (size_t k = i; k < end; k++)
		if (strchr("()[]{}<>?*&:", s->words[k].kind))
			return;
	add_names(s, i, end);
}

/* Returns whether the brace at word i holds statements: a function's body does,
 * and in it what follows a condition, else, do or another statement. */
static bool holds_statements(const struct scalar_text *s, size_t i)
{
	static const char *const types[] = { "struct", "class", "union", "enum",
		"namespace", "typedef" };
	static const char *const words[] = { "else", "do", "try" };
	bool within = s->depth > 0 && s->code[s->depth - 1];

	if (i == 0)
		return false;
	for (size_t k = s->begin; k < i; k++)
		if (is_one_of(&s->words[k], types, LENGTH(types)) &&
		    !(k > 0 && strchr("<,", s->words[k - 1].kind)))
			return false;
	return s->words[i - 1].kind == ')' ||
	       (within && (strchr(";{}:", s->words[i - 1].kind) ||
			   is_one_of(&s->words[i - 1], words, LENGTH(words))));
}

static void read_scalar_word(struct scalar_text *s, size_t i)
{
	int kind = s->words[i].kind;
	bool within = s->depth > 0 && s->depth <= DEPTH_MOST &&
		      s->code[s->depth - 1];

	if (kind == '{' || kind == '(') {
		if (s->depth < DEPTH_MOST)
			s->code[s->depth] = kind == '{' &&
					    holds_statements(s, i);
		s->depth++;
	} else if ((kind == '}' || kind == ')') && s->depth > 0) {
		s->depth--;
	}
	if (kind == ';' && within)
		look_at_statement(s, i);
	if (kind == ';' || kind == '{' || kind == '}' ||
	    kind == CPP_DIRECTIVE)
		s->begin = i + 1;
}

char *hook_scalars(char *text)
{
	struct scalar_text s = { .text = text, .copied = text };
	struct cpp_word *words =
		cpp_code(text, strlen(text), true, &s.count);

	s.words = words;
	find_own_types(&s);
	for (size_t i = 0; i < s.count; i++)
		read_scalar_word(&s, i);
	str_add(&s.to, s.copied);
	free(words);
	free(text);
	return str_take(&s.to);
}
