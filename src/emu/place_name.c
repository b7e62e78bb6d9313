/*
 * place_name: names at a line and column. See place_name.h.
 */
#include <ctype.h>
#include <string.h>

#include "base/cpp_words.h"
#include "emu/hooks.h"
#include "emu/place_name.h"

/* Returns the position of the '[' that the ']' at p closes, or -1. */
static long bracket_open(const char *s, long p)
{
	int depth = 0;

	for (; p >= 0; p--) {
		if (s[p] == ']')
			depth++;
		if (s[p] == '[' && --depth == 0)
			return p;
	}
	return -1;
}

static long skip_back(const char *s, long p)
{
	while (p >= 0 && isspace((unsigned char)s[p]))
		p--;
	return p;
}

/* Returns whether an assignment's operator begins at s: =, +=, <<=, ... */
static bool begins_assignment(const char *s)
{
	size_t n = strspn(s, "+-*/%&|^<>");

	return n <= 2 && s[n] == '=' && s[n + 1] != '=';
}

/* Returns the position of the expression's last character, or -1. */
static long expression_end(uint32_t line, uint32_t column)
{
	const char *s;
	long p = (long)column - 1;

	if (line == 0 || line > rec.line_count || column == 0)
		return -1;
	s = rec.lines[line - 1];
	if ((size_t)p >= strlen(s))
		return -1;
	return begins_assignment(s + p) ? skip_back(s, p - 1) : p;
}

bool place_name(uint32_t line, uint32_t column, const char **name,
		size_t *length, uint32_t *start)
{
	long p = expression_end(line, column), end;
	const char *s = p < 0 ? NULL : rec.lines[line - 1];

	for (;;) {
		if (p < 0)
			return false;
		if (s[p] == ']') {
			p = skip_back(s, bracket_open(s, p) - 1);
			continue;
		}
		if (!cpp_word_char(s[p]))
			return false;
		for (end = p; end >= 0 && cpp_word_char(s[end]); end--)
			;
		if (end >= 0 && s[end] == '.') {
			p = skip_back(s, end - 1);
			continue;
		}
		if (end >= 1 && s[end] == '>' && s[end - 1] == '-') {
			p = skip_back(s, end - 2);
			continue;
		}
		while (cpp_word_char(s[p + 1]))
			p++;
		*name = s + end + 1;
		*length = (size_t)(p - end);
		*start = (uint32_t)end + 2;
		return !cpp_digit(**name);
	}
}

bool place_right_side(uint32_t line, uint32_t column, const char *variable)
{
	size_t n = variable ? strlen(variable) : 0;
	const char *s;

	if (expression_end(line, column) < 0)
		return false;
	s = rec.lines[line - 1] + column - 1;
	if (!begins_assignment(s))
		return false;
	s += strcspn(s, "=") + 1;
	s += strspn(s, " \t");
	return n > 0 && !strncmp(s, variable, n) && !cpp_word_char(s[n]);
}

uint32_t place_subscripts(uint32_t line, uint32_t column, const char **name,
			  size_t *length)
{
	uint32_t start, n = 0;
	const char *s;
	long p;

	if (!place_name(line, column, name, length, &start))
		return 0;
	s = rec.lines[line - 1];
	p = expression_end(line, column);
	for (; p >= 0 && s[p] == ']'; n++)
		p = skip_back(s, bracket_open(s, p) - 1);
	return s + p + 1 == *name + *length ? n : 0;
}

static bool declares_constant(const char *text, const char *name)
{
	struct cpp_text t = { text, text + strlen(text), true, false };
	bool constant = false;
	struct cpp_word w;

	for (w = cpp_next_code(&t); w.kind; w = cpp_next_code(&t)) {
		if (w.kind == ';')
			constant = false;
		if (cpp_is(&w, "__constant__"))
			constant = true;
		else if (constant && cpp_is(&w, name))
			return true;
	}
	return false;
}

bool place_is_constant(const char *name)
{
	bool is = declares_constant(rec.source, name);

	for (size_t i = 0; i < rec.headers->count && !is; i++)
		is = declares_constant(rec.headers->list[i].value, name);
	return is;
}

uint32_t place_word(uint32_t line, const char *word)
{
	size_t n = strlen(word);
	const char *s, *p;

	if (line == 0 || line > rec.line_count)
		return 0;
	s = rec.lines[line - 1];
	for (p = strstr(s, word); p; p = strstr(p + 1, word))
		if ((p == s || !cpp_word_char(p[-1])) && !cpp_word_char(p[n]))
			return (uint32_t)(p - s) + 1;
	return 0;
}

uint32_t place_array_column(uint32_t line, uint32_t raw, const char *array)
{
	const char *name;
	size_t length;
	uint32_t start = 0, word;

	array = debug_word(array);
	if (place_name(line, raw, &name, &length, &start) &&
	    strlen(array) == length && !memcmp(name, array, length))
		return start;
	word = place_word(line, array);
	return word ? word : start ? start : raw;
}
