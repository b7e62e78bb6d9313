/*
 * trace_parse_words: lines, words and strings. See trace_parse.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "trace/trace_parse.h"

uint64_t parse_expected(struct parse *s, const char *what)
{
	if (!s->bad)
		error_set(s->e, EXIT_INPUT,
			  _("line %zu, column %zu: expected %s"), s->line,
			  (size_t)(s->p - s->line_start) + 1, what);
	s->bad = true;
	s->p = s->end;
	return 0;
}

/* ---- lines and words ---- */

/* Goes to the beginning of the next line. */
void parse_line_next(struct parse *s)
{
	const char *newline;

	if (s->bad)
		return;
	s->line_start = s->p = s->line ? s->end + 1 : s->p;
	s->end = s->p;
	s->line++;
	newline = memchr(s->p, '\n', s->stop - s->p);
	if (newline)
		s->end = newline;
	else
		parse_expected(s, _("a line that ends with a newline"));
}

void parse_line_end(struct parse *s)
{
	if (!s->bad && s->p != s->end)
		parse_expected(s, _("the end of the line"));
}

bool parse_take(struct parse *s, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0)
		return false;
	s->p += n;
	return true;
}

void parse_need(struct parse *s, const char *word)
{
	char what[40];

	if (s->bad || parse_take(s, word))
		return;
	snprintf(what, sizeof(what), "'%s'", word);
	parse_expected(s, what);
}

bool parse_at_keyword(const struct parse *s, const char *word)
{
	size_t n = strlen(word);

	return !s->bad && (size_t)(s->end - s->p) >= n &&
	       memcmp(s->p, word, n) == 0 &&
	       (s->p + n == s->end || s->p[n] == ' ');
}

static int digit_of_base(char c)
{
	return c >= '0' && c <= '9' ? c - '0' :
	       c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

uint64_t parse_digits(struct parse *s, unsigned radix, uint64_t highest,
		      const char *what)
{
	const char *start = s->p, *p = s->p;
	uint64_t v = 0;

	for (; p < s->end && digit_of_base(*p) < (int)radix; p++)
		if (__builtin_mul_overflow(v, radix, &v) ||
		    __builtin_add_overflow(v, digit_of_base(*p), &v) ||
		    v > highest)
			return parse_expected(s, what);
	if (p == start || (*start == '0' && p - start > 1 && radix == 10))
		return parse_expected(s, what);
	s->p = p;
	return v;
}

uint64_t parse_number(struct parse *s, uint64_t highest, const char *what)
{
	return parse_digits(s, 10, highest, what);
}

/* Parses " NUMBER" of 32 bits. */
uint32_t parse_u32(struct parse *s)
{
	parse_need(s, " ");
	return (uint32_t)parse_number(s, UINT32_MAX, _("a number of 32 bits"));
}

uint64_t parse_u64(struct parse *s)
{
	parse_need(s, " ");
	return parse_number(s, UINT64_MAX, _("a number of 64 bits"));
}

/* Parses " WORD", a word of the table that `from` looks up. */
int parse_name(struct parse *s, int (*from)(const char *), const char *what)
{
	const char *start;
	char word[32];
	size_t n;
	int v;

	parse_need(s, " ");
	start = s->p;
	while (s->p < s->end && *s->p != ' ')
		s->p++;
	n = s->p - start;
	snprintf(word, sizeof(word), "%.*s", (int)MIN(n, sizeof(word) - 1),
		 start);
	v = from(word);
	if (v < 0) {
		s->p = start;
		return (int)parse_expected(s, what);
	}
	return v;
}

/* ---- strings ---- */

static void string_cp(struct parse *s, struct str *out)
{
	uint64_t cp = parse_digits(s, 16, 0x10FFFF, _("a character's number"));
	char bytes[4];

	if (cp == 0 || (cp >= 0xD800 && cp <= 0xDFFF))
		parse_expected(s, _("a character's number"));
	parse_need(s, "}");
	str_addn(out, bytes, text_encode((uint32_t)cp, bytes));
}

static void string_escape(struct parse *s, struct str *out)
{
	static const char names[] = "\\\"trn", means[] = "\\\"\t\r\n";
	const char *name;

	if (parse_take(s, "u{")) {
		string_cp(s, out);
	} else if (parse_take(s, "x")) {
		if (s->end - s->p < 2 || digit_of_base(s->p[0]) > 15 ||
		    digit_of_base(s->p[1]) > 15 ||
		    (s->p[0] == '0' && s->p[1] == '0')) {
			parse_expected(s, _("two hexadecimal digits, not 00"));
			return;
		}
		str_addc(out, (char)(digit_of_base(s->p[0]) << 4 |
				     digit_of_base(s->p[1])));
		s->p += 2;
	} else if (s->p < s->end && (name = strchr(names, *s->p)) && *name) {
		str_addc(out, means[name - names]);
		s->p++;
	} else {
		parse_expected(s,
			       _("an escape: \\\\ \\\" \\t \\r \\n \\x \\u"));
	}
}

/* Adds characters up to the end of the line, or to a quote. */
void parse_rest(struct parse *s, struct str *out, bool quoted)
{
	while (!s->bad && s->p < s->end && !(quoted && *s->p == '"')) {
		if (parse_take(s, "\\"))
			string_escape(s, out);
		else if (*s->p >= 0x20 && *s->p < 0x7F)
			str_addc(out, *s->p++);
		else
			parse_expected(s,
				       _("printable ASCII, all else escaped"));
	}
}

/* ' "STRING"' */
char *parse_string(struct parse *s)
{
	struct str out = { 0 };

	parse_need(s, " \"");
	parse_rest(s, &out, true);
	parse_need(s, "\"");
	return str_take(&out);
}
