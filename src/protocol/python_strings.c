/*
 * python_strings: see python_strings.h.
 */
#include "protocol/python_strings.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"
#include "base/lang.h"
#include "base/text.h"

/* ---- find literals ---- */

/* How deep literals may stand in the fields of literals, and how many bytes are
 * read in fields that turn out to be none: a text may be made to take long. */
#define FIELDS_DEEP 4
#define FIELDS_MOST (8u << 20)

/* What stands before the next word of Python, as far as it matters here. */
enum python_before { BEFORE_OTHER, BEFORE_LITERAL, BEFORE_PLUS, BEFORE_DOT };

struct python_reading {
	const char *text, *at, *end;
	unsigned line;
	int brackets;
	enum python_before before;
	size_t field_bytes;	/* that may still be read in fields */
	struct python_strings *out;
};

/* How a literal is read. */
struct python_form {
	char quote;
	bool triple, formatted;
	bool lines;	/* it may have newlines */
	int deep;	/* literals around it */
};

static bool is_triple(const char *p, const char *end)
{
	return end - p > 2 && p[1] == *p && p[2] == *p;
}

static const char *find_field_end(struct python_reading *r, const char *p,
				  bool lines, int deep);

/* Returns the closing quotes of a literal whose contents begin at p, or NULL.
 * The field of a formatted one, f"{x["key"]}", may contain its quotes. */
static const char *find_literal_end(struct python_reading *r, const char *p,
				    struct python_form f)
{
	for (; p < r->end && (!f.deep || r->field_bytes); p++) {
		const char *field;

		r->field_bytes -= f.deep > 0;
		if (*p == f.quote && (!f.triple || is_triple(p, r->end)))
			return p;
		if (*p == '\n' && !f.lines)
			return NULL;
		if (r->end - p > 1 && (*p == '\\' || (f.formatted &&
				       *p == '{' && p[1] == '{'))) {
			p++;
		} else if (f.formatted && *p == '{') {
			field = find_field_end(r, p + 1, f.lines, f.deep + 1);
			f.formatted = field != NULL;
			p = field ? field : p;
		}
	}
	return NULL;
}

/* Returns the brace that closes a field of a formatted literal, or NULL. */
static const char *find_field_end(struct python_reading *r, const char *p,
				  bool lines, int deep)
{
	int brackets = 0;
	bool format = false;	/* behind the colon are no literals */

	if (deep > FIELDS_DEEP)
		return NULL;
	for (; p < r->end && r->field_bytes; p++) {
		r->field_bytes--;
		if (*p == '}' && !brackets)
			return p;
		if (*p == '\n' && !lines)
			return NULL;
		if (format && *p == '{') {
			p = find_field_end(r, p + 1, lines, deep + 1);
		} else if (!format && (*p == '"' || *p == '\'')) {
			bool triple = is_triple(p, r->end);

			p = find_literal_end(r, p + (triple ? 3 : 1),
					     (struct python_form){
				.quote = *p, .triple = triple,
				.formatted = (p[-1] | 0x20) == 'f',
				.lines = lines && triple, .deep = deep });
			p = p && triple ? p + 2 : p;
		} else if (!format && strchr("([{", *p)) {
			brackets++;
		} else if (!format && strchr(")]}", *p)) {
			brackets--;
		} else if (*p == ':' && !brackets) {
			format = true;
		}
		if (!p)
			break;
	}
	return NULL;
}

/* Reads the prefix of a literal, n letters at p, into *s; false: it is a
 * word. */
static bool read_prefix(struct python_string *s, const char *p, size_t n)
{
	if (n > 2)
		return false;
	for (size_t i = 0; i < n; i++)
		switch (p[i] | 0x20) {
		case 'r':
			s->raw = true;
			break;
		case 'b':
			s->bytes = true;
			break;
		case 'f':
		case 't':
			s->formatted = true;
			break;
		case 'u':
			break;
		default:
			return false;
		}
	return true;
}

static struct python_string *last_literal(struct python_reading *r)
{
	return &r->out->list[r->out->count - 1];
}

/* Reads the literal whose quotes are at r->at. A line that ends in one is
 * skipped. */
static void read_literal(struct python_reading *r, struct python_string s)
{
	bool triple = is_triple(r->at, r->end);
	const char *from = r->at + (triple ? 3 : 1);
	const char *to = find_literal_end(r, from, (struct python_form){
		.quote = *r->at, .triple = triple, .formatted = s.formatted,
		.lines = triple });

	s.line = r->line;
	s.open = !to;
	if (!to)
		for (to = from; to < r->end && (triple || *to != '\n'); to++)
			;
	s.from = (size_t)(from - r->text);
	s.to = (size_t)(to - r->text);
	for (const char *p = from; p < to; p++)
		r->line += *p == '\n';
	r->at = s.open ? to : to + (triple ? 3 : 1);
	if (s.open && !triple) {
		r->before = BEFORE_OTHER;
		return;
	}
	s.joined = r->before == BEFORE_LITERAL || r->before == BEFORE_PLUS;
	if (r->before == BEFORE_LITERAL)
		last_literal(r)->joined = true;
	grow(&r->out->list, &r->out->capacity, r->out->count + 1,
	     sizeof(*r->out->list));
	r->out->list[r->out->count++] = s;
	r->before = BEFORE_LITERAL;
}

/* Tests for a method that leaves CUDA text as it is. */
static bool keeps_text(const char *name, size_t n)
{
	static const char *const names[] = { "strip", "lstrip", "rstrip",
					     "encode", "expandtabs" };

	for (size_t i = 0; i < LENGTH(names); i++)
		if (strlen(names[i]) == n && !memcmp(names[i], name, n))
			return true;
	return false;
}

/* Reads a word, which may be the prefix of a literal. */
static void read_python_word(struct python_reading *r)
{
	struct python_string s = { .from = 0 };
	const char *begin = r->at;

	while (r->at < r->end && cpp_word_char(*r->at) && *r->at != '$')
		r->at++;
	if (r->at < r->end && strchr("\"'", *r->at) &&
	    read_prefix(&s, begin, (size_t)(r->at - begin))) {
		read_literal(r, s);
		return;
	}
	if (r->before == BEFORE_DOT &&
	    !keeps_text(begin, (size_t)(r->at - begin)))
		last_literal(r)->changed = true;
	r->before = BEFORE_OTHER;
}

/* Reads one character that is neither of a word nor a quote. */
static void read_sign(struct python_reading *r)
{
	char c = *r->at++;

	if (strchr("([{", c))
		r->brackets++;
	else if (strchr(")]}", c) && r->brackets)
		r->brackets--;
	if (r->before == BEFORE_LITERAL && c == '+')
		last_literal(r)->joined = true;
	if (r->before == BEFORE_LITERAL && c == '%')
		last_literal(r)->changed = true;
	r->before = c == '+' || (r->before == BEFORE_PLUS && c == '=') ?
			    BEFORE_PLUS :
		    r->before == BEFORE_LITERAL && c == '.' ? BEFORE_DOT :
							      BEFORE_OTHER;
}

/* Skips blanks, comments, and newlines, of which one outside brackets ends what
 * went before. */
static bool skip_blanks(struct python_reading *r)
{
	const char *begin = r->at;

	for (; r->at < r->end; r->at++) {
		bool goes_on = *r->at == '\\' && r->end - r->at > 1 &&
			       r->at[1] == '\n';

		if (*r->at == '#')
			while (r->end - r->at > 1 && r->at[1] != '\n')
				r->at++;
		else if (*r->at == '\n' || goes_on) {
			r->line++;
			r->at += goes_on;
			if (!goes_on && !r->brackets)
				r->before = BEFORE_OTHER;
		} else if (!*r->at || !strchr(" \t\f\r", *r->at))
			break;
	}
	return r->at > begin;
}

void python_strings_read(struct python_strings *s, const char *text,
			 size_t length)
{
	struct python_reading r = {
		.text = text, .at = text, .end = text + length, .line = 1,
		.field_bytes = FIELDS_MOST, .out = s,
	};

	*s = (struct python_strings){ .count = 0 };
	while (r.at < r.end) {
		if (skip_blanks(&r))
			continue;
		if (*r.at == '"' || *r.at == '\'')
			read_literal(&r, (struct python_string){ .from = 0 });
		else if (cpp_word_char(*r.at) && *r.at != '$')
			read_python_word(&r);
		else
			read_sign(&r);
	}
}

void python_strings_done(struct python_strings *s)
{
	free(s->list);
	*s = (struct python_strings){ .count = 0 };
}

/* ---- take a literal's text ---- */

struct python_taking {
	const struct python_string *string;
	const char *at, *end;
	unsigned line;
	struct str out;
	/* Places in `out` of newlines that the Python text does not have. */
	size_t *added, added_count, added_capacity;
};

static int value_of_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' :
	       (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 :
							99;
}

/* Reads up to `most` digits at t->at; returns how many there are. */
static int read_digits(struct python_taking *t, int base, int most,
		       uint32_t *value)
{
	int n = 0;

	for (*value = 0; n < most && t->at < t->end &&
	     value_of_digit(*t->at) < base; n++)
		*value = *value * (uint32_t)base +
			 (uint32_t)value_of_digit(*t->at++);
	return n;
}

/* Adds a newline of an escape, unless one of the text follows, or none does. */
static void add_newline(struct python_taking *t)
{
	bool spliced = t->out.len && t->out.data[t->out.len - 1] == '\\';

	if (t->end - t->at > 1 && t->at[0] == '\\' && t->at[1] == '\n')
		t->at++;
	if (!spliced && (t->at == t->end || *t->at == '\n'))
		return;
	grow(&t->added, &t->added_capacity, t->added_count + 1,
	     sizeof(*t->added));
	t->added[t->added_count++] = t->out.len;
	str_addc(&t->out, '\n');
}

/* Adds the character that an escape names by its number. Returns a reason why
 * it cannot, or NULL. */
static const char *add_character(struct python_taking *t, uint32_t cp)
{
	char bytes[4];

	if (cp == '\n') {
		add_newline(t);
		return NULL;
	}
	if (cp == 0)
		return _("its escape for a zero byte");
	if (cp > 0x10ffff || (cp >= 0xd800 && cp < 0xe000) ||
	    (t->string->bytes && cp > 0x7f))
		return _("its escape is not for a character");
	str_addn(&t->out, bytes, text_encode(cp, bytes));
	return NULL;
}

/* Adds the character of an escape with digits, whose letter is before t->at. */
static const char *add_numbered(struct python_taking *t, char letter)
{
	int digits = letter == 'x' ? 2 : letter == 'u' ? 4 :
		     letter == 'U' ? 8 : 3;
	uint32_t cp;
	int n;

	if (digits == 3)
		t->at--;
	n = read_digits(t, digits == 3 ? 8 : 16, digits, &cp);
	if (digits != 3 && n < digits)
		return _("its escape is not for a character");
	return add_character(t, cp);
}

/* Adds what the escape at t->at means; the backslash is before it. Returns a
 * reason why it cannot be taken, or NULL. */
static const char *add_escape(struct python_taking *t)
{
	static const char letters[] = "\\'\"abfnrtv";
	static const char meant[] = "\\'\"\a\b \n \t ";
	char c = *t->at++;
	const char *known = c ? strchr(letters, c) : NULL;

	if (c == '\n') {
		/* In CUDA, too, it joins two lines. */
		str_add(&t->out, "\\\n");
		t->line++;
		return NULL;
	}
	if (known)
		return add_character(t, (unsigned char)meant[known - letters]);
	if (c == 'N' && !t->string->bytes)
		return _("its escape \\N{...}");
	if ((c >= '0' && c <= '7') || c == 'x' ||
	    (!t->string->bytes && (c == 'u' || c == 'U')))
		return add_numbered(t, c);
	str_addc(&t->out, '\\');
	str_addc(&t->out, c);
	return NULL;
}

static const char *take_contents(struct python_taking *t)
{
	const char *why = NULL;

	while (t->at < t->end && !why) {
		if (!t->string->raw && *t->at == '\\' && t->end - t->at > 1) {
			t->at++;
			why = add_escape(t);
			continue;
		}
		t->line += *t->at == '\n';
		str_addc(&t->out, *t->at++);
	}
	return why;
}

/* Tests whether an added newline in a blank ends something that only a newline
 * ends; `before` and `after` are the words around the blank. */
static bool needs_newline(const struct cpp_word *before,
			  const struct cpp_word *after)
{
	bool literal = before->kind == CPP_STRING ||
		       before->kind == CPP_CHARACTER;

	return before->kind == CPP_DIRECTIVE || after->kind == CPP_DIRECTIVE ||
	       (before->kind == CPP_COMMENT && before->at[1] == '/') ||
	       (literal && (before->length == 1 ||
			    before->at[before->length - 1] !=
				    (char)before->kind));
}

/* Replaces the added newlines by blanks. Returns the place in the text of one
 * that CUDA needs, else SIZE_MAX. */
static size_t blank_added(struct python_taking *t)
{
	const char *text = t->out.data;
	struct cpp_text words = { text, text + t->out.len, true, false };
	struct cpp_word before = { .kind = CPP_END }, w;
	size_t next = 0;

	for (w = cpp_next(&words); w.kind; before = w, w = cpp_next(&words)) {
		struct cpp_text ahead = words;
		struct cpp_word after = cpp_next(&ahead);
		size_t end = (size_t)(w.at - text) + w.length, at = next;

		while (next < t->added_count && t->added[next] < end)
			next++;
		if (next > at && (w.kind == CPP_BLANK ?
				  needs_newline(&before, &after) :
				  w.kind != CPP_COMMENT || w.at[1] == '/'))
			return t->added[at];
	}
	for (size_t i = 0; i < t->added_count; i++) {
		if (t->added[i] && text[t->added[i] - 1] == '\\')
			return t->added[i];
		t->out.data[t->added[i]] = ' ';
	}
	return SIZE_MAX;
}

/* Returns the line of Python at a place in the text: added newlines do not
 * count. */
static unsigned line_at(const struct python_taking *t, size_t place)
{
	unsigned line = t->string->line;

	for (size_t i = 0; i < place; i++)
		line += t->out.data[i] == '\n';
	for (size_t i = 0; i < t->added_count; i++)
		line -= t->added[i] < place;
	return line;
}

static int refuse_string(const char *file, unsigned line, const char *why,
			 struct error *e)
{
	return error_set(e, EXIT_USAGE, _("%s:%u: this string cannot be read: "
					  "%s"), text_show(file), line, why);
}

/* Returns why Python alone knows the literal's value, or NULL. */
static const char *unknown_value(const struct python_string *s)
{
	return s->open ? _("its closing quotes are missing") :
	       s->formatted ? _("Python fills in its fields when it runs") :
	       s->joined ? _("Python joins it to other strings when it runs") :
	       s->changed ? _("Python changes it when it runs") : NULL;
}

char *python_string_value(const char *text, const struct python_string *s,
			  const char *file, struct error *e)
{
	struct python_taking t = {
		.string = s, .at = text + s->from, .end = text + s->to,
		.line = s->line,
	};
	const char *why = unknown_value(s);
	unsigned line = s->line;
	size_t needed;

	str_add(&t.out, "");
	if (!why && (why = take_contents(&t)))
		line = t.line;
	if (!why && (needed = blank_added(&t)) != SIZE_MAX) {
		why = _("its escape \\n ends a line of CUDA within a line of "
			"Python; write a line break, or \\\\n for \\n in a "
			"string of CUDA");
		line = line_at(&t, needed);
	}
	if (why) {
		refuse_string(file, line, why, e);
		str_done(&t.out);
	}
	free(t.added);
	return why ? NULL : str_take(&t.out);
}

char *python_string_place(const char *text, const struct python_string *s,
			  const char *value)
{
	const char *begin = text + s->from;
	struct str out = { 0 };

	for (unsigned i = 1; i < s->line; i++)
		str_addc(&out, '\n');
	while (begin > text && begin[-1] != '\n')
		begin--;
	for (; begin < text + s->from; begin++)
		str_addc(&out, *begin == '\t' ? '\t' : ' ');
	str_add(&out, value);
	return str_take(&out);
}
