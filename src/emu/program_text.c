/*
 * program_text: see program_text.h.
 */
#include "emu/program_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"
#include "emu/asm.h"

struct launch_words {
	size_t name;		/* the kernel's first word */
	size_t open, close;	/* the first of <<<, of >>> */
	size_t end;		/* the parenthesis that ends the arguments */
};

/* Editors write << < and >> >, too, which CUDA takes. */
static bool three(const struct cpp_word *w, size_t count, size_t i, int kind)
{
	return i + 2 < count && w[i].kind == kind && w[i + 1].kind == kind &&
	       w[i + 2].kind == kind;
}

static bool opens(int kind)
{
	return kind == '(' || kind == '[' || kind == '{';
}

static bool closes(int kind)
{
	return kind == ')' || kind == ']' || kind == '}';
}

/* The bracket that closes the one at i; count: none does. */
static size_t bracket_end(const struct cpp_word *w, size_t count, size_t i)
{
	size_t depth = 0;

	for (; i < count; i++) {
		if (opens(w[i].kind))
			depth++;
		else if (closes(w[i].kind) && --depth == 0)
			return i;
	}
	return count;
}

/* The bracket that opens the one that closes at i; SIZE_MAX: none does. */
static size_t bracket_begin(const struct cpp_word *w, size_t i)
{
	size_t depth = 0;

	for (; i != SIZE_MAX; i--) {
		if (closes(w[i].kind))
			depth++;
		else if (opens(w[i].kind) && --depth == 0)
			return i;
	}
	return SIZE_MAX;
}

/* The < of the template arguments that end with the > at i. */
static size_t angles_begin(const struct cpp_word *w, size_t i)
{
	size_t depth = 0;

	for (; i != SIZE_MAX; i--) {
		int kind = w[i].kind;

		if (closes(kind)) {
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

/* Whether the words before i join what follows to a longer name: the number of
 * them. */
static size_t joined(const struct cpp_word *w, size_t i)
{
	if (i >= 2 && w[i - 1].kind == ':' && w[i - 2].kind == ':')
		return 2;
	if (i >= 2 && w[i - 1].kind == '>' && w[i - 2].kind == '-')
		return 2;
	if (i >= 1 && w[i - 1].kind == '.')
		return 1;
	return 0;
}

/*
 * The first word of the expression that ends before i: a name with its
 * template's arguments, its subscripts and what it is a member of, or something
 * in parentheses. SIZE_MAX: there is none.
 */
static size_t name_begin(const struct cpp_word *w, size_t i)
{
	size_t more;

	do {
		if (i-- == 0)
			return SIZE_MAX;
		if (w[i].kind == '>')
			i = angles_begin(w, i) - 1;
		while (i != SIZE_MAX && w[i].kind == ']')
			i = bracket_begin(w, i) - 1;
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
		more = joined(w, i);
		i -= more;
		/* ::name */
		if (more == 2 && (i == 0 || (w[i - 1].kind != CPP_WORD &&
					     w[i - 1].kind != '>')))
			return i;
	} while (more);
	return i;
}

/* The launch whose <<< is at i; false: it is none. */
static bool launch_read(const struct cpp_word *w, size_t count, size_t i,
			struct launch_words *l)
{
	size_t at = i + 3;

	if (!three(w, count, i, '<'))
		return false;
	l->open = i;
	while (at < count && !three(w, count, at, '>')) {
		if (w[at].kind == ';' || closes(w[at].kind))
			return false;
		at = opens(w[at].kind) ? bracket_end(w, count, at) + 1 : at + 1;
	}
	/* The last of more than three: dim3<4>>>> ends a template, too. */
	while (at + 3 < count && three(w, count, at + 1, '>'))
		at++;
	l->close = at;
	if (at + 3 >= count || w[at + 3].kind != '(')
		return false;
	l->end = bracket_end(w, count, at + 3);
	l->name = name_begin(w, i);
	return l->end < count && l->name != SIZE_MAX;
}

/* From one place of the text to another, as it is. */
static void copy(struct str *to, const char *from, const char *until)
{
	if (until > from)
		str_addn(to, from, (size_t)(until - from));
}

static void words_write(struct str *to, const struct cpp_word *w, size_t count,
			size_t from, size_t until);

/* One after the other: the kernel's own launch may stand in its arguments. */
static void launch_write(struct str *to, const struct cpp_word *w,
			 size_t count, const struct launch_words *l)
{
	const char *open = w[l->open].at, *close = w[l->close].at;

	str_add(to, "(gemmviz_configure(__FILE__, __LINE__, ");
	copy(to, w[l->open + 2].at + 1, close);
	str_add(to, "), ");
	copy(to, w[l->name].at, open);
	/* What was written of the configuration's lines is not again. */
	words_write(to, w, count, l->close + 3, l->end + 1);
	str_addc(to, ')');
}

/* The words from..until, with what is between them. */
static void words_write(struct str *to, const struct cpp_word *w, size_t count,
			size_t from, size_t until)
{
	const char *at = w[from].at;

	for (size_t i = from; i < until; i++) {
		struct launch_words l;
		size_t name;

		if (w[i].kind != CPP_WORD && w[i].kind != '(' &&
		    w[i].kind != ':')
			continue;
		/* The launch that begins here, if one does. */
		for (name = i + 1; name < until; name++)
			if (three(w, count, name, '<') ||
			    w[name].kind == ';' || w[name].kind == '{' ||
			    w[name].kind == '}')
				break;
		if (name >= until || !launch_read(w, count, name, &l) ||
		    l.name != i)
			continue;
		copy(to, at, w[i].at);
		launch_write(to, w, count, &l);
		at = w[l.end].at + w[l.end].length;
		i = l.end;
	}
	copy(to, at, w[until - 1].at + w[until - 1].length);
}

char *program_text(const char *text)
{
	char *calls = asm_calls(text);
	size_t count;
	struct cpp_word *w = cpp_code(calls, strlen(calls), false, &count);
	struct str to = { 0 };

	if (count) {
		copy(&to, calls, w[0].at);
		words_write(&to, w, count, 0, count);
		copy(&to, w[count - 1].at + w[count - 1].length,
		     strchr(calls, '\0'));
	}
	str_add(&to, "");
	free(w);
	free(calls);
	return str_take(&to);
}
