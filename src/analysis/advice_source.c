#include "analysis/advice_source.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"

static void count_line_column(const char *text, const char *at, uint32_t *line,
			      uint32_t *column)
{
	*line = 1;
	*column = 1;
	for (; text < at; text++) {
		*line += *text == '\n';
		*column = *text == '\n' ? 1 : *column + 1;
	}
}

/* Returns the index of the word after the bracket that closes the one at
 * w[i]. */
static size_t skip_brackets(const struct cpp_word *w, size_t i)
{
	int depth = 0;

	for (; w[i].kind != CPP_END; i++) {
		depth += w[i].kind == '[';
		depth -= w[i].kind == ']';
		if (!depth)
			return i + 1;
	}
	return i;
}

/* Reads the dimensions after the name at w[i]. Returns false if there are fewer
 * than two. */
static bool read_dimensions(const char *text, const struct cpp_word *w,
			    size_t i, struct source_rows *out)
{
	int dimensions = 0;

	out->name = (size_t)(w[i].at - text);
	count_line_column(text, w[i].at, &out->line, &out->column);
	for (i++; w[i].kind == '['; dimensions++) {
		size_t behind = skip_brackets(w, i);

		if (w[behind - 1].kind != ']')
			return false;
		out->open = (size_t)(w[i].at - text);
		out->close = (size_t)(w[behind - 1].at - text);
		i = behind;
	}
	return dimensions >= 2;
}

bool source_rows_find(const char *text, const char *name, uint32_t line,
		      struct source_rows *out)
{
	size_t words;
	struct cpp_word *w = cpp_code(text, strlen(text), true, &words);
	bool shared = false, found = false;
	struct source_rows here;

	for (size_t i = 0; w[i].kind != CPP_END; i++) {
		if (cpp_is(&w[i], "__shared__"))
			shared = true;
		else if (w[i].kind == ';')
			shared = false;
		else if (shared && cpp_is(&w[i], name) &&
			 read_dimensions(text, w, i, &here) &&
			 (!found || here.line <= line)) {
			*out = here;
			found = true;
		}
	}
	free(w);
	return found;
}

bool source_is_dynamic(const char *text, const char *name)
{
	size_t words;
	struct cpp_word *w = cpp_code(text, strlen(text), true, &words);
	bool outside = false, found = false;

	for (size_t i = 0; w[i].kind != CPP_END && !found; i++) {
		if (cpp_is(&w[i], "extern"))
			outside = true;
		else if (w[i].kind == ';')
			outside = false;
		found = outside && cpp_is(&w[i], name);
	}
	free(w);
	return found;
}

/* ---- loops ---- */

#define DEEP 64

/* Returns whether the brace at w[i] begins a loop's body: `for (...) {`, `while
 * (...) {`, `do {`. */
static bool begins_loop(const struct cpp_word *w, size_t i)
{
	int depth = 0;

	if (i && cpp_is(&w[i - 1], "do"))
		return true;
	if (!i || w[i - 1].kind != ')')
		return false;
	while (i-- > 0) {
		depth += w[i].kind == ')';
		depth -= w[i].kind == '(';
		if (!depth)
			break;
	}
	return i > 0 && i != SIZE_MAX && (cpp_is(&w[i - 1], "for") ||
					  cpp_is(&w[i - 1], "while"));
}

bool source_in_loop(const char *text, uint32_t line)
{
	size_t words;
	struct cpp_word *w = cpp_code(text, strlen(text), true, &words);
	bool loop[DEEP] = { false }, in = false;
	uint32_t at = 1;
	const char *seen = text;
	int depth = 0;

	for (size_t i = 0; w[i].kind != CPP_END; i++) {
		for (; seen < w[i].at; seen++)
			at += *seen == '\n';
		if (at >= line)
			break;
		if (w[i].kind == '{') {
			depth = MIN(depth + 1, DEEP - 1);
			loop[depth] = loop[depth - 1] || begins_loop(w, i);
		} else if (w[i].kind == '}') {
			depth = MAX(depth - 1, 0);
		}
	}
	in = loop[depth];
	free(w);
	return in;
}

/* ---- where a barrier is missing ---- */

/* Words, and in which braces each stands. */
struct source_reading {
	struct cpp_word *w;
	uint32_t *line;
	size_t *in;		/* the opening brace around it; SIZE_MAX: none */
	size_t count;
};

static void reading_init(struct source_reading *r, const char *text)
{
	size_t open[DEEP], depth = 0;
	const char *seen = text;
	uint32_t at = 1;

	r->w = cpp_code(text, strlen(text), true, &r->count);
	r->line = xcalloc(r->count + 1, sizeof(*r->line));
	r->in = xcalloc(r->count + 1, sizeof(*r->in));
	for (size_t i = 0; i < r->count; i++) {
		for (; seen < r->w[i].at; seen++)
			at += *seen == '\n';
		r->line[i] = at;
		depth -= r->w[i].kind == '}' && depth;
		r->in[i] = depth ? open[depth - 1] : SIZE_MAX;
		if (r->w[i].kind == '{' && depth < DEEP)
			open[depth++] = i;
	}
}

static void reading_done(struct source_reading *r)
{
	free(r->w);
	free(r->line);
	free(r->in);
}

static size_t word_at_line(const struct source_reading *r, uint32_t line)
{
	size_t i = 0;

	while (i < r->count && r->line[i] < line)
		i++;
	return i;
}

static bool is_in_brace(const struct source_reading *r, size_t i, size_t brace)
{
	for (i = r->in[i]; i != SIZE_MAX && i != brace; )
		i = r->in[i];
	return i == brace;
}

/* Returns the innermost brace around both words, or SIZE_MAX. */
static size_t find_common_brace(const struct source_reading *r, size_t first,
				size_t second)
{
	size_t brace = r->in[first];

	while (brace != SIZE_MAX && !is_in_brace(r, second, brace))
		brace = r->in[brace];
	return brace;
}

/* Returns the first word of the statement, directly in these braces, that a
 * word is in. */
static size_t find_statement(const struct source_reading *r, size_t brace,
			     size_t word)
{
	size_t begin = brace + 1;
	int parens = 0;

	for (size_t i = brace + 1; i < word; i++) {
		parens += r->w[i].kind == '(';
		parens -= r->w[i].kind == ')';
		if (r->in[i] == brace && !parens &&
		    (r->w[i].kind == ';' || r->w[i].kind == '}') &&
		    !cpp_is(&r->w[i + 1], "else"))
			begin = i + 1;
	}
	return begin;
}

static bool has_barrier(const struct source_reading *r, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (cpp_is(&r->w[i], "__syncthreads"))
			return true;
	return false;
}

/* Returns the word before which a barrier must be inserted; the count of words
 * if there is no such place. */
static size_t find_barrier_word(const struct source_reading *r, uint32_t above,
				uint32_t below)
{
	size_t first = word_at_line(r, above), second = word_at_line(r, below);
	size_t brace, at;

	if (second >= r->count)
		return r->count;
	brace = find_common_brace(r, first, second);
	if (brace == SIZE_MAX)
		return r->count;
	if (!has_barrier(r, first, second)) {
		at = find_statement(r, brace, second);
		return at > first ? at : r->count;
	}
	/* There is one on the way down, and none on the way back up. */
	while (brace != SIZE_MAX && !begins_loop(r->w, brace))
		brace = r->in[brace];
	for (at = second; brace != SIZE_MAX && at < r->count; at++)
		if (r->w[at].kind == '}' && !is_in_brace(r, at, brace))
			return at;
	return r->count;
}

bool source_barrier_find(const char *text, uint32_t line, uint32_t other,
			 struct source_place *out)
{
	struct source_reading r;
	size_t at;
	bool found;

	reading_init(&r, text);
	at = find_barrier_word(&r, MIN(line, other), MAX(line, other));
	found = at < r.count;
	if (found) {
		out->at = (size_t)(r.w[at].at - text);
		out->line = r.line[at];
	}
	reading_done(&r);
	return found;
}

bool source_has_word(const char *text, uint32_t line,
		     const char *const *words, size_t count)
{
	struct cpp_text t = { text, text + strlen(text), false, false };
	const char *seen = text;
	uint32_t at = 1;

	for (;;) {
		struct cpp_word w = cpp_next_code(&t);

		if (w.kind == CPP_END)
			return false;
		for (; seen < w.at; seen++)
			at += *seen == '\n';
		for (size_t i = 0; i < count && (!line || at == line); i++)
			if (cpp_is(&w, words[i]))
				return true;
	}
}

/* ---- changed copies ---- */

char *source_pad(const char *text, const struct source_rows *rows,
		 long elements)
{
	int length = (int)(rows->close - rows->open - 1);
	const char *inside = text + rows->open + 1;
	bool one = true;

	for (int i = 0; i < length; i++)
		one = one && cpp_word_char(inside[i]);
	return xasprintf(one ? "%.*s%.*s + %ld%s" : "%.*s(%.*s) + %ld%s",
			 (int)rows->open + 1, text, length, inside, elements,
			 text + rows->close);
}

char *source_barrier(const char *text, const struct source_place *p)
{
	return xasprintf("%.*s__syncthreads(); %s", (int)p->at, text,
			 text + p->at);
}

char *source_exchange(const char *text)
{
	struct cpp_text t = { text, text + strlen(text), false, false };
	struct cpp_word w, before = { 0 }, first = { 0 };
	struct str s = { 0 };

	while ((w = cpp_next(&t)).kind != CPP_END) {
		bool dim = before.kind == '.' &&
			   (cpp_is(&first, "threadIdx") ||
			    cpp_is(&first, "blockDim"));

		if (dim && cpp_is(&w, "x"))
			str_addc(&s, 'y');
		else if (dim && cpp_is(&w, "y"))
			str_addc(&s, 'x');
		else
			str_addn(&s, w.at, w.length);
		if (w.kind != CPP_BLANK && w.kind != CPP_COMMENT) {
			first = before;
			before = w;
		}
	}
	return str_take(&s);
}
