/*
 * signature: a reader of one line of C++. See signature.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "record/strip_host.h"
#include "base/text.h"
#include "gpu/signature.h"

/* C++'s own, of the library that every C++ compiler comes with. */
char *__cxa_demangle(const char *name, char *to, size_t *n, int *status);

/* Of ptx.h's tensor_map: its size, and its swizzle where none is named. */
#define TENSOR_MAP_BYTES 128
#define TENSOR_MAP_SWIZZLE 128

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* A copy in which comments and literals are spaces. */
static char *text_bare(const char *text)
{
	char *bare = xstrdup(text);

	for (char *s = bare; *s; s++) {
		size_t n = (size_t)(strip_host_aside_end(s) - s);

		memset(s, ' ', n);
		s += n ? n - 1 : 0;
	}
	return bare;
}

/* Behind the parenthesis that closes the one at s. */
static const char *parenthesis_end(const char *s)
{
	int depth = 0;

	for (; *s; s++) {
		depth += *s == '(';
		depth -= *s == ')';
		if (depth == 0)
			return s + 1;
	}
	return s;
}

/*
 * From behind __global__ to the parameter list; the function's name is at
 * *name. Attributes (__launch_bounds__(256)) are passed over. NULL: no list.
 */
static const char *list_find(const char *s, const char **name, size_t *n)
{
	while (*s && !strchr(";{}", *s)) {
		const char *word = s;

		while (is_word(*s))
			s++;
		if (s == word) {
			s++;
			continue;
		}
		*name = word;
		*n = (size_t)(s - word);
		s += strspn(s, " \t\r\n");
		if (*s != '(')
			continue;
		if (strncmp(word, "__", 2))
			return s;
		s = parenthesis_end(s);
	}
	return NULL;
}

static bool has_word(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = s; at + n <= end; at++)
		if (!strncmp(at, word, n) && (at == s || !is_word(at[-1])) &&
		    (at + n == end || !is_word(at[n])))
			return true;
	return false;
}

/* The elements a pointer leads to, or a number's own type. */
static const struct {
	const char *word;
	enum debug_kind kind;
	enum elem elem;
	uint32_t bytes;
} types[] = {
	{ "double", DEBUG_REAL, ELEM_F64, 8 },
	{ "float", DEBUG_REAL, ELEM_F32, 4 },
	{ "float2", DEBUG_OTHER, ELEM_F32, 4 },
	{ "float4", DEBUG_OTHER, ELEM_F32, 4 },
	{ "half", DEBUG_REAL, ELEM_F16, 2 },
	{ "__half", DEBUG_REAL, ELEM_F16, 2 },
	{ "__nv_bfloat16", DEBUG_REAL, ELEM_BF16, 2 },
	{ "half2", DEBUG_OTHER, ELEM_F16, 2 },
	{ "__half2", DEBUG_OTHER, ELEM_F16, 2 },
	{ "size_t", DEBUG_INTEGER, ELEM_RAW, 8 },
	{ "int64_t", DEBUG_INTEGER, ELEM_RAW, 8 },
	{ "uint64_t", DEBUG_INTEGER, ELEM_RAW, 8 },
	{ "long", DEBUG_INTEGER, ELEM_RAW, 8 },
	{ "short", DEBUG_INTEGER, ELEM_RAW, 2 },
	{ "int", DEBUG_INTEGER, ELEM_RAW, 4 },
	{ "unsigned", DEBUG_INTEGER, ELEM_RAW, 4 },
	{ "uint", DEBUG_INTEGER, ELEM_RAW, 4 },
	{ "int32_t", DEBUG_INTEGER, ELEM_RAW, 4 },
	{ "uint32_t", DEBUG_INTEGER, ELEM_RAW, 4 },
};

/* "tensor_map<half, 128, 64>", of ptx.h: as far as the sizes are numbers. */
static void tensor_map_read(struct debug_type *t, const char *s,
			    const char *end)
{
	long sizes[] = { 0, 0, TENSOR_MAP_SWIZZLE };

	t->kind = DEBUG_TENSOR_MAP;
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		s = memchr(s, ',', (size_t)(end - s));
		if (!s)
			break;
		sizes[i] = strtol(++s, NULL, 10);
	}
	t->rank = 2;
	t->dims[0] = (uint64_t)MAX(sizes[0], 0);
	t->dims[1] = (uint64_t)MAX(sizes[1], 0);
	t->swizzle = (uint32_t)sizes[2];
	t->bytes = TENSOR_MAP_BYTES;
}

static void type_read(struct debug_type *t, const char *s, const char *end)
{
	size_t i = 0;
	size_t n = (size_t)(end - s);
	bool map = has_word(s, end, "tensor_map");

	while (i < LENGTH(types) && !has_word(s, end, types[i].word))
		i++;
	if (i < LENGTH(types) && (map || !memchr(s, '<', n))) {
		t->kind = types[i].kind;
		t->elem = types[i].elem;
		t->elem_bytes = types[i].bytes;
		t->bytes = types[i].bytes;
	}
	t->to_const = has_word(s, end, "const");
	if (map)
		tensor_map_read(t, s, end);
	else if (memchr(s, '*', n) || memchr(s, '[', n)) {
		t->kind = DEBUG_POINTER;
		t->bytes = 8;
	}
}

/* The last word that is not in brackets; empty where a type has no name. */
static char *param_name(const char *s, const char *end)
{
	const char *bracket = memchr(s, '[', (size_t)(end - s));
	const char *last, *first;

	last = bracket ? bracket : end;
	while (last > s && !is_word(last[-1]))
		last--;
	first = last;
	while (first > s && is_word(first[-1]))
		first--;
	for (size_t i = 0; i < LENGTH(types); i++)
		if (has_word(first, last, types[i].word))
			return xstrdup("");
	return xstrndup(first, (size_t)(last - first));
}

static void param_add(struct debug_function *f, const char *s, const char *end)
{
	struct debug_var *v;

	grow(&f->vars, &f->var_capacity, f->var_count + 1, sizeof(*f->vars));
	v = &f->vars[f->var_count++];
	*v = (struct debug_var) { .parameter = true };
	type_read(&v->type, s, end);
	v->name = param_name(s, end);
}

/* The parameters between the parentheses at s. */
static void params_read(struct debug_function *f, const char *s)
{
	const char *end = parenthesis_end(s) - 1, *from = s + 1;
	int depth = 0;

	for (const char *c = from; c <= end; c++) {
		depth += *c == '(' || *c == '<' || *c == '[';
		depth -= (*c == ')' && c < end) || *c == '>' || *c == ']';
		if (c < end && (depth || *c != ','))
			continue;
		if (strspn(from, " \t\r\n") < (size_t)(c - from) &&
		    !(has_word(from, c, "void") && !memchr(from, '*',
						(size_t)(c - from))))
			param_add(f, from, c);
		from = c + 1;
	}
}

static bool is_named(const char *entry, const char *name, size_t n)
{
	return !entry || (strcspn(entry, "<") == n && !strncmp(entry, name, n));
}

/* The function with its parameters; *more: there is another one. */
static struct debug_function *function_read(const char *text, const char *entry,
					    bool *more)
{
	static const char word[] = "__global__";
	struct debug_function *f = NULL;

	*more = false;
	for (const char *s = strstr(text, word); s; s = strstr(s, word)) {
		const char *name, *list;
		size_t n;

		s += strlen(word);
		list = list_find(s, &name, &n);
		if (!list || !is_named(entry, name, n))
			continue;
		*more = f;
		if (*more)
			break;
		f = xcalloc(1, sizeof(*f));
		f->name = entry ? xstrdup(entry) : xstrndup(name, n);
		params_read(f, list);
	}
	return f;
}

struct debug_function *signature_read(const char *text, const char *entry,
				      struct error *e)
{
	const struct strip_host_kernel *k;
	struct debug_function *f;
	struct strip_host_text own;
	bool more, bare;
	char *code;

	strip_host_read(&own, text, strlen(text));
	code = text_bare(own.text);
	f = function_read(code, entry, &more);
	k = f ? user_kernel_find(&own, f->name) : NULL;
	bare = k && k->template && !strchr(f->name, '<');
	if (more)
		error_set(e, EXIT_USAGE, "the text has more than one kernel%s"
			  "%s: --entry names one of them", entry ? " " : "",
			  entry ? text_show(entry) : "");
	else if (!f || bare)
		strip_host_no_kernel(&own, entry, e);
	free(code);
	strip_host_done(&own);
	if (f && !more && !bare)
		return f;
	signature_free(f);
	return NULL;
}

/* The parenthesis that the last one closes; NULL: there is none. */
static const char *last_list(const char *s)
{
	const char *at = s + strlen(s);
	int depth = 0;

	while (at > s) {
		at--;
		depth += *at == ')';
		depth -= *at == '(';
		if (*at == '(' && depth == 0)
			return at;
	}
	return NULL;
}

void signature_resolve(struct debug_function *f, const char *linkage)
{
	char *full = __cxa_demangle(linkage, NULL, NULL, NULL);
	const char *list = full ? last_list(full) : NULL;
	struct debug_function *said = xcalloc(1, sizeof(*said));

	if (list)
		params_read(said, list);
	if (said->var_count == f->var_count)
		for (size_t i = 0; i < f->var_count; i++)
			f->vars[i].type = said->vars[i].type;
	signature_free(said);
	free(full);
}

void signature_free(struct debug_function *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->var_count; i++)
		free(f->vars[i].name);
	free(f->vars);
	free(f->name);
	free(f);
}
