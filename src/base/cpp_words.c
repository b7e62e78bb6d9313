/*
 * cpp_words: see cpp_words.h. The rules are those of C++'s translation phase
 * 3 ([lex.pptoken]), with CUDA's and gcc's $ in identifiers.
 */
#include "base/cpp_words.h"

#include <string.h>

#include "base/base.h"

/* Most that a raw string's delimiter has ([lex.string]). */
#define DELIMITER_MOST 16

static bool starts_with(const char *s, const char *end, const char *with)
{
	size_t n = strlen(with);

	return (size_t)(end - s) >= n && memcmp(s, with, n) == 0;
}

/* Skips the backslash and newline at s; returns s where there are none. */
static const char *splice_end(const char *s, const char *end)
{
	if (starts_with(s, end, "\\\n"))
		return s + 2;
	return starts_with(s, end, "\\\r\n") ? s + 3 : s;
}

static bool is_cpp_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

/* Finds the newline that ends the line, with the lines spliced to it. */
static const char *spliced_line_end(const char *s, const char *end)
{
	while (s < end && *s != '\n') {
		const char *next = splice_end(s, end);

		s = next > s ? next : s + 1;
	}
	return s;
}

const char *cpp_comment_end(const char *s, const char *end)
{
	if (starts_with(s, end, "//"))
		return spliced_line_end(s, end);
	if (!starts_with(s, end, "/*"))
		return s;
	s = memmem(s + 2, (size_t)(end - s - 2), "*/", 2);
	return s ? s + 2 : end;
}

static const char *literal_end(const char *s, const char *end)
{
	char quote = *s++;

	while (s < end && *s != quote && *s != '\n') {
		const char *next = splice_end(s, end);

		if (next == s)
			next += *s == '\\' && end - s > 1 ? 2 : 1;
		s = next;
	}
	return s < end && *s == quote ? s + 1 : s;
}

/* Finds the end of a raw string, R"x(...)x", from its quote on; NULL when the
 * text between " and ( is no delimiter. */
static const char *raw_end(const char *quote, const char *end)
{
	char close[DELIMITER_MOST + 2] = ")";
	const char *s = quote + 1;
	size_t n = 0;

	while (s + n < end && s[n] != '(') {
		if (n == DELIMITER_MOST || is_cpp_blank(s[n]) ||
		    strchr(")\\\"", s[n]))
			return NULL;
		n++;
	}
	if (s + n == end)
		return NULL;
	memcpy(close + 1, s, n);
	close[n + 1] = '"';
	s = memmem(s + n, (size_t)(end - s) - n, close, n + 2);
	return s ? s + n + 2 : end;
}

/* Finds the end of the literal that begins at s, with its prefix; s when none
 * does. */
static const char *prefixed_end(const char *s, const char *end, int *kind)
{
	static const char *const prefixes[] = { "u8", "u", "U", "L", "" };
	const char *quote = s, *raw;

	for (size_t i = 0; quote == s && prefixes[i][0]; i++)
		if (starts_with(s, end, prefixes[i]))
			quote = s + strlen(prefixes[i]);
	if (starts_with(quote, end, "R\"")) {
		*kind = CPP_STRING;
		raw = raw_end(quote + 1, end);
		return raw ? raw : literal_end(quote + 1, end);
	}
	if (quote == end || (*quote != '"' && *quote != '\''))
		return s;
	*kind = *quote;
	return literal_end(quote, end);
}

static const char *number_end(const char *s, const char *end)
{
	for (; s < end; s++) {
		bool sign = *s == '+' || *s == '-';
		bool separator = *s == '\'' && s + 1 < end &&
				 cpp_word_char(s[1]);

		if (!cpp_word_char(*s) && *s != '.' && !separator &&
		    !(sign && strchr("eEpP", s[-1])))
			break;
	}
	return s;
}

static const char *identifier_end(const char *s, const char *end)
{
	while (s < end && cpp_word_char(*s))
		s++;
	return s;
}

/* Finds the end of a directive. Its comments and strings may contain newlines,
 * which do not end it. */
static const char *directive_end(const char *s, const char *end)
{
	while (s < end && *s != '\n') {
		const char *next = splice_end(s, end);
		int kind;

		if (next == s)
			next = cpp_comment_end(s, end);
		if (next == s && *s != '\'')
			next = prefixed_end(s, end, &kind);
		if (next == s)
			next = identifier_end(s, end);
		s = next > s ? next : s + 1;
	}
	return s;
}

static const char *blank_end(struct cpp_text *t)
{
	const char *s = t->at;

	while (s < t->end) {
		const char *next = splice_end(s, t->end);

		if (next == s && is_cpp_blank(*s))
			next++;
		if (next == s)
			break;
		if (*s == '\n')
			t->inside_line = false;
		s = next;
	}
	return s;
}

/* Finds the end of the word at t->at, which is neither a blank nor a
 * comment. */
static const char *code_end(struct cpp_text *t, int *kind)
{
	const char *s = t->at, *end = t->end, *literal;

	if (*s == '#' && t->directives && !t->inside_line) {
		*kind = CPP_DIRECTIVE;
		return directive_end(s, end);
	}
	t->inside_line = true;
	literal = prefixed_end(s, end, kind);
	if (literal > s)
		return literal;
	if (cpp_digit(*s) || (*s == '.' && s + 1 < end && cpp_digit(s[1]))) {
		*kind = CPP_NUMBER;
		return number_end(s, end);
	}
	*kind = cpp_letter(*s) ? CPP_WORD : *s;
	return cpp_letter(*s) ? identifier_end(s, end) : s + 1;
}

struct cpp_word cpp_next(struct cpp_text *t)
{
	struct cpp_word w = { CPP_END, t->at, 0 };
	const char *behind;

	if (t->at == t->end)
		return w;
	behind = blank_end(t);
	w.kind = CPP_BLANK;
	if (behind == t->at) {
		behind = cpp_comment_end(t->at, t->end);
		w.kind = CPP_COMMENT;
	}
	if (behind == t->at)
		behind = code_end(t, &w.kind);
	w.length = (size_t)(behind - t->at);
	t->at = behind;
	return w;
}

struct cpp_word cpp_next_code(struct cpp_text *t)
{
	struct cpp_word w;

	do
		w = cpp_next(t);
	while (w.kind == CPP_BLANK || w.kind == CPP_COMMENT);
	return w;
}

struct cpp_word *cpp_code(const char *text, size_t length, bool directives,
			  size_t *count)
{
	struct cpp_text t = { text, text + length, directives, false };
	struct cpp_word *all = NULL, w;
	size_t capacity = 0;

	*count = 0;
	do {
		w = cpp_next_code(&t);
		grow(&all, &capacity, *count + 1, sizeof(*all));
		all[(*count)++] = w;
	} while (w.kind);
	--*count;
	return all;
}

bool cpp_is(const struct cpp_word *w, const char *text)
{
	return w->length == strlen(text) && memcmp(w->at, text, w->length) == 0;
}

bool cpp_has(const char *text, size_t length, const char *word)
{
	struct cpp_text t = { text, text + length, false, false };
	struct cpp_word w;

	do
		w = cpp_next(&t);
	while (w.kind && !cpp_is(&w, word));
	return w.kind;
}
