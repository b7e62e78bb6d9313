#include "scene/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"
#include "base/expr.h"
#include "base/text.h"

static const char *const words[] = {
	"__constant__", "__device__", "__global__", "__restrict__",
	"__shared__", "__syncthreads", "auto", "bool", "break", "char",
	"const", "constexpr", "continue", "do", "double", "else", "extern",
	"false", "float", "float2", "float4", "for", "half", "if", "inline",
	"int", "int4", "long", "nullptr", "reinterpret_cast", "return",
	"short", "sizeof", "static", "static_cast", "struct", "template",
	"true", "typename", "unsigned", "using", "void", "while",
};

static bool is_cpp_keyword(const char *s, size_t n)
{
	for (size_t i = 0; i < LENGTH(words); i++)
		if (strlen(words[i]) == n && !memcmp(words[i], s, n))
			return true;
	return false;
}

static size_t ident_length(const char *s)
{
	size_t n = 0;

	if (cpp_letter(*s))
		while (cpp_word_char(s[n]))
			n++;
	return n;
}

static enum token classify_word(const struct cpp_word *w, bool directive)
{
	switch (w->kind) {
	case CPP_COMMENT:
		return TOKEN_COMMENT;
	case CPP_NUMBER:
		return TOKEN_NUMBER;
	case CPP_WORD:
		return directive || is_cpp_keyword(w->at, w->length) ?
			       TOKEN_WORD :
			       TOKEN_PLAIN;
	default:
		return w->kind == '#' ? TOKEN_WORD : TOKEN_PLAIN;
	}
}

/* Returns the token of each byte of the text. The caller frees it. */
static uint8_t *tokenize_source(const char *text)
{
	size_t length = strlen(text);
	struct cpp_text t = { text, text + length, false, false };
	uint8_t *token = xcalloc(length + 1, 1);
	bool directive = false;
	struct cpp_word w;

	for (w = cpp_next(&t); w.kind; w = cpp_next(&t)) {
		memset(token + (w.at - text), classify_word(&w, directive),
		       w.length);
		directive = w.kind == '#';
	}
	return token;
}

static void add_constant(struct source *s, size_t *capacity, char *name,
			 char *value)
{
	grow(&s->constants, capacity, s->constant_count + 1,
	     sizeof(*s->constants));
	s->constants[s->constant_count++] = (struct trace_define){
		.name = name, .value = value };
}

static const char *skip_blank_chars(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* Adds a constant if its name is followed by an integer, then nothing or
 * ';'. */
static void find_number(struct source *s, size_t *capacity,
			const struct cpp_word *name, struct cpp_text *t)
{
	struct cpp_word number = cpp_next_code(t), end = cpp_next_code(t);

	if (number.kind == CPP_NUMBER && (!end.kind || end.kind == ';') &&
	    strspn(number.at, "0123456789") == number.length)
		add_constant(s, capacity, xstrndup(name->at, name->length),
			     xstrndup(number.at, number.length));
}

/* Adds the constant of a line: #define NAME 64, const int NAME = 64; or
 * constexpr int NAME = 64; */
static void find_constant(struct source *s, size_t *capacity, const char *p)
{
	struct cpp_text t = { p, strchr(p, '\0'), false, false };
	struct cpp_word w = cpp_next_code(&t), name = w;

	if (w.kind == '#') {
		w = cpp_next_code(&t);
		name = cpp_next_code(&t);
		if (cpp_is(&w, "define") && name.kind == CPP_WORD)
			find_number(s, capacity, &name, &t);
		return;
	}
	if (cpp_is(&w, "static"))
		w = cpp_next_code(&t);
	if (!cpp_is(&w, "const") && !cpp_is(&w, "constexpr"))
		return;
	while (w.kind == CPP_WORD) {	/* the type's words, then NAME = */
		name = w;
		w = cpp_next_code(&t);
	}
	if (w.kind == '=')
		find_number(s, capacity, &name, &t);
}

struct source *source_new(const struct trace_info *info)
{
	struct source *s = xcalloc(1, sizeof(*s));
	char *clean = text_clean(info->text, strlen(info->text), TEXT_LINES);
	uint8_t *token = tokenize_source(clean);
	const char *p = clean;
	size_t capacity = 0, constants = 0;

	/* The -D's first: they win over the text's #ifndef defaults. */
	for (size_t i = 0; i < info->define_count; i++)
		add_constant(s, &constants, xstrdup(info->defines[i].name),
			     xstrdup(info->defines[i].value));
	do {
		size_t n = strcspn(p, "\n");
		struct source_line *l;

		grow(&s->lines, &capacity, s->count + 1, sizeof(*s->lines));
		l = &s->lines[s->count++];
		l->text = xstrndup(p, n);
		l->token = xcalloc(n + 1, 1);
		memcpy(l->token, token + (p - clean), n);
		find_constant(s, &constants, l->text);
		p += n + (p[n] == '\n');
	} while (*p);
	free(token);
	free(clean);
	return s;
}

void source_free(struct source *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->count; i++) {
		free(s->lines[i].text);
		free(s->lines[i].token);
	}
	for (size_t i = 0; i < s->constant_count; i++) {
		free(s->constants[i].name);
		free(s->constants[i].value);
	}
	free(s->lines);
	free(s->constants);
	free(s);
}

/* Returns the length of "[...]" at p with balanced brackets, or 0. */
static size_t bracket_length(const char *p)
{
	int depth = 0;

	for (size_t i = 0; p[i]; i++) {
		depth += (p[i] == '[') - (p[i] == ']');
		if (!depth)
			return p[i] == ']' ? i + 1 : 0;
	}
	return 0;
}

/* Returns the length of NAME and its subscripts and members at p, in bytes. */
static size_t subscript_length(const char *p, size_t name)
{
	size_t n = name, more;

	while ((more = bracket_length(p + n)))
		n += more;
	if (p[n] == '.' && cpp_letter(p[n + 1]))
		n += 1 + ident_length(p + n + 1);
	return n;
}

/* Returns whether an assignment follows: "=" or "+=", but not "==". */
static bool is_assigned(const char *behind)
{
	const char *p = skip_blank_chars(behind);

	if (*p == ')')		/* reinterpret_cast<float4 *>(&C[i])[0] = */
		p = skip_blank_chars(p + 1);
	p = skip_blank_chars(p + bracket_length(p));
	if (*p && strchr("+-*/|&^", *p) && p[1] == '=')
		return true;
	return p[0] == '=' && p[1] != '=';
}

static bool is_compound_assigned(const char *behind)
{
	const char *p = skip_blank_chars(behind);

	return *p && strchr("+-*/|&^", *p) && p[1] == '=';
}

static bool find_in_line(const struct source_line *l, const char *name,
			 const struct trace_site *site, bool same_line,
			 size_t *start, size_t *len)
{
	size_t wanted = strlen(name), column = same_line ? site->column : 0;
	long best = -1;

	for (size_t i = 0; l->text[i];) {
		size_t n = ident_length(l->text + i), full;
		long score;
		bool target;

		if (!n || l->token[i] == TOKEN_COMMENT) {
			i++;
			continue;
		}
		if (n != wanted || memcmp(l->text + i, name, n) ||
		    (i && l->text[i - 1] == '.')) {
			i += n;
			continue;
		}
		full = subscript_length(l->text + i, n);
		target = is_assigned(l->text + i + full);
		score = full > n ? 1000 : 0;
		if (target == (site->op == OP_ST) ||
		    (target && is_compound_assigned(l->text + i + full)))
			score += 10000;
		if (column)
			score += 500 - labs((long)(i + full) - (long)column);
		if (score > best) {
			best = score;
			*start = i;
			*len = full;
		}
		i += full;
	}
	return best >= 0;
}

bool source_subscript(const struct source *s, const struct trace_info *info,
		      const struct trace_site *site, struct source_span *span)
{
	/* The line itself; then where its expression goes on; then where a
	 * pointer into the array may have been made. */
	static const int lines[] = { 0, 1, -1, -2, -3 };
	const char *name;

	if (site->array == TRACE_NO_ARRAY || !site->line)
		return false;
	name = info->arrays[site->array].name;
	for (size_t i = 0; i < LENGTH(lines); i++) {
		long line = (long)site->line + lines[i];

		if (line < 1 || line > (long)s->count ||
		    !find_in_line(&s->lines[line - 1], name, site,
				  lines[i] == 0, &span->start, &span->len) ||
		    (lines[i] && span->len == strlen(name)))
			continue;
		span->line = (uint32_t)line;
		return true;
	}
	return false;
}

struct names {
	const struct source *source;
	bool (*lookup)(void *ctx, const char *name, int64_t *v);
	void *ctx;
};

static bool lookup_value(const struct names *n, const char *name, int64_t *v)
{
	if (n->lookup && n->lookup(n->ctx, name, v))
		return true;
	for (size_t i = 0; i < n->source->constant_count; i++)
		if (!strcmp(n->source->constants[i].name, name)) {
			long value;

			if (!parse_int(n->source->constants[i].value, 0,
				       INT32_MAX, &value))
				return false;
			*v = value;
			return true;
		}
	return false;
}

static int eval_name(void *ctx, const char *name, struct value *out,
		     struct error *e)
{
	int64_t v;

	if (!lookup_value(ctx, name, &v))
		return error_set(e, EXIT_INPUT, "%s has no value", name);
	*out = value_int(v);
	return 0;
}

/* Adds the member to the word, for threadIdx.x is one name. */
static void add_member(struct cpp_word *name, struct cpp_text *t)
{
	if (t->end - t->at < 2 || *t->at != '.' || !cpp_letter(t->at[1]))
		return;
	cpp_next(t);
	name->length += 1 + cpp_next(t).length;
}

static void replace_names(const struct names *names, const char *p, size_t len,
			  struct str *out)
{
	struct cpp_text t = { p, p + len, false, false };
	struct cpp_word w;

	for (w = cpp_next(&t); w.kind; w = cpp_next(&t)) {
		char *name;
		int64_t v;

		if (w.kind == CPP_WORD)
			add_member(&w, &t);
		name = xstrndup(w.at, w.length);
		if (w.kind == CPP_WORD && lookup_value(names, name, &v))
			str_addf(out, v < 0 ? "(%lld)" : "%lld",
				 (long long)v);
		else
			str_add(out, name);
		free(name);
	}
}

char *source_numbers(const struct source *s, const struct source_span *span,
		     bool (*lookup)(void *ctx, const char *name, int64_t *v),
		     void *ctx, int64_t values[TRACE_MAX_RANK], size_t *count)
{
	struct names names = { s, lookup, ctx };
	struct expr_env env = { .name = eval_name, .ctx = &names };
	const char *p = s->lines[span->line - 1].text + span->start;
	size_t i = ident_length(p), n;
	struct str out = {0};
	bool known = true;

	*count = 0;
	str_addn(&out, p, i);
	while (i < span->len && (n = bracket_length(p + i))) {
		char *inner = xstrndup(p + i + 1, n - 2);
		struct value v;

		str_addc(&out, '[');
		replace_names(&names, inner, n - 2, &out);
		str_addc(&out, ']');
		if (*count == TRACE_MAX_RANK ||
		    expr_value(inner, &env, &v, NULL) ||
		    v.kind != VALUE_INT)
			known = false;
		else
			values[(*count)++] = v.i;
		free(inner);
		i += n;
	}
	str_addn(&out, p + i, span->len - i);
	if (!known)
		*count = 0;
	return str_take(&out);
}
