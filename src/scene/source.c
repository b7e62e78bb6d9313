#include "scene/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

static bool is_word(const char *s, size_t n)
{
	for (size_t i = 0; i < LENGTH(words); i++)
		if (strlen(words[i]) == n && !memcmp(words[i], s, n))
			return true;
	return false;
}

static bool ident_start(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

static bool ident_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t ident_length(const char *s)
{
	size_t n = 0;

	if (ident_start(*s))
		while (ident_char(s[n]))
			n++;
	return n;
}

/* Marks the tokens of one line; *comment: inside a block comment. */
static void tokenize(struct source_line *l, bool *comment)
{
	const char *s = l->text;
	size_t n = strlen(s);

	for (size_t i = 0; i < n;) {
		size_t len = 1;
		enum token t = TOKEN_PLAIN;

		if (*comment) {
			const char *end = strstr(s + i, "*/");

			len = end ? (size_t)(end - s) + 2 - i : n - i;
			*comment = !end;
			t = TOKEN_COMMENT;
		} else if (!strncmp(s + i, "//", 2)) {
			len = n - i;
			t = TOKEN_COMMENT;
		} else if (!strncmp(s + i, "/*", 2)) {
			*comment = true;
			len = 2;
			t = TOKEN_COMMENT;
		} else if (ident_start(s[i])) {
			len = ident_length(s + i);
			t = is_word(s + i, len) ? TOKEN_WORD : TOKEN_PLAIN;
		} else if (isdigit((unsigned char)s[i])) {
			while (ident_char(s[i + len]) || s[i + len] == '.')
				len++;
			t = TOKEN_NUMBER;
		} else if (s[i] == '#') {
			len = 1 + ident_length(s + i + 1);
			t = TOKEN_WORD;
		}
		memset(l->token + i, t, len);
		i += len;
	}
}

static void add_constant(struct source *s, size_t *capacity, const char *name,
			 size_t len, const char *value)
{
	grow(&s->constants, capacity, s->constant_count + 1,
	     sizeof(*s->constants));
	s->constants[s->constant_count++] = (struct trace_define){
		.name = xstrndup(name, len), .value = xstrdup(value) };
}

static const char *skip_space(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* The number at p, when only a comment, ';' or nothing stands behind it. */
static bool lone_number(const char *p, char out[32])
{
	size_t n = 0;

	p = skip_space(p);
	while (isdigit((unsigned char)p[n]) && n < 31)
		n++;
	if (!n || ident_char(p[n]) || p[n] == '.')
		return false;
	memcpy(out, p, n);
	out[n] = 0;
	p = skip_space(p + n);
	return !*p || *p == ';' || !strncmp(p, "//", 2) ||
	       !strncmp(p, "/*", 2);
}

/* #define NAME 64, const int NAME = 64;, constexpr int NAME = 64; */
static void find_constant(struct source *s, size_t *capacity, const char *p)
{
	char number[32];
	size_t n;

	p = skip_space(p);
	if (*p == '#') {
		p = skip_space(p + 1);
		if (strncmp(p, "define ", 7))
			return;
		p = skip_space(p + 7);
		n = ident_length(p);
		if (n && lone_number(p + n, number))
			add_constant(s, capacity, p, n, number);
		return;
	}
	if (!strncmp(p, "static ", 7))
		p = skip_space(p + 7);
	if (strncmp(p, "const", 5))
		return;
	p = skip_space(p + ident_length(p));
	for (;;) {		/* the type's words, then NAME = */
		n = ident_length(p);
		if (!n)
			return;
		if (*skip_space(p + n) == '=')
			break;
		p = skip_space(p + n);
	}
	if (lone_number(skip_space(p + n) + 1, number))
		add_constant(s, capacity, p, n, number);
}

struct source *source_new(const struct trace_info *info)
{
	struct source *s = xcalloc(1, sizeof(*s));
	char *clean = text_clean(info->text, strlen(info->text), TEXT_LINES);
	size_t capacity = 0, constants = 0;
	bool comment = false;

	/* The -D's first: they win over the text's #ifndef defaults. */
	for (size_t i = 0; i < info->define_count; i++)
		add_constant(s, &constants, info->defines[i].name,
			     strlen(info->defines[i].name),
			     info->defines[i].value);
	for (char *p = clean; *p;) {
		size_t n = strcspn(p, "\n");
		struct source_line *l;

		grow(&s->lines, &capacity, s->count + 1, sizeof(*s->lines));
		l = &s->lines[s->count++];
		l->text = xstrndup(p, n);
		l->token = xcalloc(n + 1, 1);
		tokenize(l, &comment);
		find_constant(s, &constants, l->text);
		p += n + (p[n] == '\n');
	}
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

/* Length of "[...]" at p with its brackets balanced, or 0. */
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

/* Bytes of NAME and its subscripts and members at p. */
static size_t subscript_length(const char *p, size_t name)
{
	size_t n = name, more;

	while ((more = bracket_length(p + n)))
		n += more;
	if (p[n] == '.' && ident_start(p[n + 1]))
		n += 1 + ident_length(p + n + 1);
	return n;
}

/* An assignment's target: "=" or "+=" behind it, but not "==". */
static bool assigned(const char *behind)
{
	const char *p = skip_space(behind);

	if (*p == ')')		/* reinterpret_cast<float4 *>(&C[i])[0] = */
		p = skip_space(p + 1);
	p = skip_space(p + bracket_length(p));
	if (*p && strchr("+-*/|&^", *p) && p[1] == '=')
		return true;
	return p[0] == '=' && p[1] != '=';
}

static bool compound(const char *behind)
{
	const char *p = skip_space(behind);

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
		target = assigned(l->text + i + full);
		score = full > n ? 1000 : 0;
		if (target == (site->op == OP_ST) ||
		    (target && compound(l->text + i + full)))
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

static bool name_value(const struct names *n, const char *name, int64_t *v)
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

	if (!name_value(ctx, name, &v))
		return error_set(e, EXIT_INPUT, "%s has no value", name);
	*out = value_int(v);
	return 0;
}

/* A name with its member: threadIdx.x is one name. */
static size_t member_length(const char *p)
{
	size_t n = ident_length(p);

	if (n && p[n] == '.' && ident_start(p[n + 1]))
		n += 1 + ident_length(p + n + 1);
	return n;
}

static void add_numbers(const struct names *names, const char *p, size_t len,
			struct str *out)
{
	for (size_t i = 0; i < len;) {
		size_t n = member_length(p + i);
		char *name;
		int64_t v;

		if (isdigit((unsigned char)p[i]))	/* 16u is no name */
			while (i + n < len && ident_char(p[i + n]))
				n++;
		if (!n || isdigit((unsigned char)p[i])) {
			n = n ? n : 1;
			str_addn(out, p + i, n);
			i += n;
			continue;
		}
		name = xstrndup(p + i, n);
		if (name_value(names, name, &v))
			str_addf(out, v < 0 ? "(%lld)" : "%lld",
				 (long long)v);
		else
			str_add(out, name);
		free(name);
		i += n;
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
		add_numbers(&names, inner, n - 2, &out);
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
