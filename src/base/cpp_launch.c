/*
 * cpp_launch: see cpp_launch.h.
 */
#include "base/cpp_launch.h"

#include <stdint.h>

#include "base/base.h"

/* The words that a launch may have on either side of its <<<: texts that were
 * made to be read slowly have more. */
#define LAUNCH_WORDS 4096

/* Editors write << < and >> >, too, which CUDA takes. */
bool cpp_three(const struct cpp_word *w, size_t count, size_t i, int kind)
{
	return i + 2 < count && w[i].kind == kind && w[i + 1].kind == kind &&
	       w[i + 2].kind == kind;
}

static bool is_opening_bracket(int kind)
{
	return kind == '(' || kind == '[' || kind == '{';
}

static bool is_closing_bracket(int kind)
{
	return kind == ')' || kind == ']' || kind == '}';
}

/* Finds the bracket that closes the one at i; count when none does. */
size_t cpp_bracket_end(const struct cpp_word *w, size_t count, size_t i)
{
	size_t depth = 0;

	for (; i < count; i++) {
		if (is_opening_bracket(w[i].kind))
			depth++;
		else if (is_closing_bracket(w[i].kind) && --depth == 0)
			return i;
	}
	return count;
}

/* Finds the bracket that opens the one that closes at i; SIZE_MAX when none
 * does. */
static size_t bracket_begin(const struct cpp_word *w, size_t i)
{
	size_t depth = 0, left = LAUNCH_WORDS;

	for (; i != SIZE_MAX && left-- > 0; i--) {
		if (is_closing_bracket(w[i].kind))
			depth++;
		else if (is_opening_bracket(w[i].kind) && --depth == 0)
			return i;
	}
	return SIZE_MAX;
}

/* Finds the < of the template arguments that end with the > at i; SIZE_MAX when
 * there is none. */
static size_t angles_begin(const struct cpp_word *w, size_t i)
{
	size_t depth = 0, left = LAUNCH_WORDS;

	for (; i != SIZE_MAX && left-- > 0; i--) {
		int kind = w[i].kind;

		if (is_closing_bracket(kind)) {
			i = bracket_begin(w, i);
			if (i == SIZE_MAX)
				break;
			continue;
		}
		if (kind == ';' || kind == '{')
			break;
		if (kind == '>')
			depth++;
		else if (kind == '<' && --depth == 0)
			return i;
	}
	return SIZE_MAX;
}

/* Returns the index before i; SIZE_MAX for 0 and for SIZE_MAX. */
static size_t index_before(size_t i)
{
	return i == SIZE_MAX ? SIZE_MAX : i - 1;
}

/* Counts the words before i (::, -> or .) that join what follows to a longer
 * name. */
static size_t joining_words(const struct cpp_word *w, size_t i)
{
	if (i >= 2 && w[i - 1].kind == ':' && w[i - 2].kind == ':')
		return 2;
	if (i >= 2 && w[i - 1].kind == '>' && w[i - 2].kind == '-')
		return 2;
	if (i >= 1 && w[i - 1].kind == '.')
		return 1;
	return 0;
}

/* Finds the first word of the expression that ends before i: a name with its
 * template's arguments, its subscripts and the object that it is a member of,
 * or something in parentheses. SIZE_MAX when there is none. */
static size_t name_begin(const struct cpp_word *w, size_t i)
{
	size_t more;

	do {
		if (i-- == 0)
			return SIZE_MAX;
		if (w[i].kind == '>')
			i = index_before(angles_begin(w, i));
		while (i != SIZE_MAX && w[i].kind == ']')
			i = index_before(bracket_begin(w, i));
		if (i != SIZE_MAX && w[i].kind == ')') {
			i = bracket_begin(w, i);
			if (i != SIZE_MAX && i > 0 &&
			    w[i - 1].kind == CPP_WORD &&
			    !cpp_is(&w[i - 1], "return"))
				i--;
		} else if (i == SIZE_MAX || w[i].kind != CPP_WORD) {
			return SIZE_MAX;
		}
		if (i == SIZE_MAX)
			return SIZE_MAX;
		if (i > 0 && cpp_is(&w[i - 1], "template"))
			i--;
		more = joining_words(w, i);
		i -= more;
		/* ::name */
		if (more == 2 && (i == 0 || (w[i - 1].kind != CPP_WORD &&
					     w[i - 1].kind != '>')))
			return i;
	} while (more);
	return i;
}

/* Reads the launch whose <<< is at i; false when there is none. */
bool cpp_launch_read(const struct cpp_word *w, size_t count, size_t i,
			struct cpp_launch *l)
{
	size_t at = i + 3;

	if (!cpp_three(w, count, i, '<'))
		return false;
	count = MIN(count, i + LAUNCH_WORDS);
	l->open = i;
	while (at < count && !cpp_three(w, count, at, '>')) {
		if (w[at].kind == ';' || is_closing_bracket(w[at].kind))
			return false;
		at = is_opening_bracket(w[at].kind) ?
			     cpp_bracket_end(w, count, at) + 1 :
			     at + 1;
	}
	/* The last of more than three: dim3<4>>>> ends a template, too. */
	while (at + 3 < count && cpp_three(w, count, at + 1, '>'))
		at++;
	l->close = at;
	if (at + 3 >= count || w[at + 3].kind != '(')
		return false;
	l->end = cpp_bracket_end(w, count, at + 3);
	l->name = name_begin(w, i);
	return l->end < count && l->name != SIZE_MAX;
}
