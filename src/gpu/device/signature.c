/*
 * signature: reads one declaration of C++. See signature.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"
#include "base/text.h"
#include "gpu/device/signature.h"
#include "record/strip_host.h"

/* Demangles a name. Declared here, since the library of every C++ compiler has
 * it. */
char *__cxa_demangle(const char *name, char *to, size_t *n, int *status);

/* Of ptx.h's tensor_map: its size, and its swizzle where none is named. */
#define TENSOR_MAP_BYTES 128
#define TENSOR_MAP_SWIZZLE 128

static struct cpp_word *split_words(const char *text, size_t *count)
{
	return cpp_code(text, strlen(text), false, count);
}

/* Finds the parenthesis that closes the one at w, or the end of the text. */
static const struct cpp_word *parenthesis_end(const struct cpp_word *w)
{
	int depth = 0;

	for (; w->kind; w++) {
		depth += (w->kind == '(') - (w->kind == ')');
		if (depth == 0)
			break;
	}
	return w;
}

/* Finds the parameter list after __global__; sets *name to the function's name.
 * Skips attributes (__launch_bounds__(256)). NULL when there is no list. */
static const struct cpp_word *list_find(const struct cpp_word *w,
					const struct cpp_word **name)
{
	for (; w->kind && !strchr(";{}", w->kind); w++) {
		if (w->kind != CPP_WORD || w[1].kind != '(')
			continue;
		*name = w++;
		if (strncmp((*name)->at, "__", 2) != 0)
			return w;
		w = parenthesis_end(w);
		if (!w->kind)
			break;
	}
	return NULL;
}

static bool has_word_before(const struct cpp_word *w,
			    const struct cpp_word *end, const char *word)
{
	while (w < end && !cpp_is(w, word))
		w++;
	return w < end;
}

/* The elements a pointer leads to, or a number's own type. */
static const struct {
	const char *word;
	enum debug_kind kind;
	enum elem elem;
	uint32_t bytes;
	uint32_t count;		/* elements, of a vector several */
} types[] = {
	{ "double2", DEBUG_AGGREGATE, ELEM_F64, 8, 2 },
	{ "double", DEBUG_REAL, ELEM_F64, 8, 1 },
	{ "float", DEBUG_REAL, ELEM_F32, 4, 1 },
	{ "float2", DEBUG_AGGREGATE, ELEM_F32, 4, 2 },
	{ "float3", DEBUG_AGGREGATE, ELEM_F32, 4, 3 },
	{ "float4", DEBUG_AGGREGATE, ELEM_F32, 4, 4 },
	{ "half", DEBUG_REAL, ELEM_F16, 2, 1 },
	{ "__half", DEBUG_REAL, ELEM_F16, 2, 1 },
	{ "__nv_bfloat16", DEBUG_REAL, ELEM_BF16, 2, 1 },
	{ "__nv_bfloat162", DEBUG_AGGREGATE, ELEM_BF16, 2, 2 },
	{ "half2", DEBUG_AGGREGATE, ELEM_F16, 2, 2 },
	{ "__half2", DEBUG_AGGREGATE, ELEM_F16, 2, 2 },
	{ "bool", DEBUG_INTEGER, ELEM_U8, 1, 1 },
	{ "uint8_t", DEBUG_INTEGER, ELEM_U8, 1, 1 },
	{ "int8_t", DEBUG_INTEGER, ELEM_I8, 1, 1 },
	{ "char", DEBUG_INTEGER, ELEM_I8, 1, 1 },
	{ "size_t", DEBUG_INTEGER, ELEM_U64, 8, 1 },
	{ "int64_t", DEBUG_INTEGER, ELEM_I64, 8, 1 },
	{ "uint64_t", DEBUG_INTEGER, ELEM_U64, 8, 1 },
	{ "long", DEBUG_INTEGER, ELEM_I64, 8, 1 },
	{ "uint16_t", DEBUG_INTEGER, ELEM_U16, 2, 1 },
	{ "int16_t", DEBUG_INTEGER, ELEM_I16, 2, 1 },
	{ "short", DEBUG_INTEGER, ELEM_I16, 2, 1 },
	{ "int", DEBUG_INTEGER, ELEM_I32, 4, 1 },
	{ "unsigned", DEBUG_INTEGER, ELEM_U32, 4, 1 },
	{ "uint", DEBUG_INTEGER, ELEM_U32, 4, 1 },
	{ "int32_t", DEBUG_INTEGER, ELEM_I32, 4, 1 },
	{ "uint32_t", DEBUG_INTEGER, ELEM_U32, 4, 1 },
};

/* Reads "tensor_map<half, 128, 64>" of ptx.h, as far as the sizes are
 * numbers. */
static void tensor_map_read(struct debug_type *t, const struct cpp_word *w,
			    const struct cpp_word *end)
{
	long sizes[] = { 0, 0, TENSOR_MAP_SWIZZLE };
	size_t n = 0;

	t->kind = DEBUG_TENSOR_MAP;
	for (; w < end && n < LENGTH(sizes); w++)
		if (w->kind == ',')
			sizes[n++] = strtol(w[1].at, NULL, 10);
	t->rank = 2;
	t->dims[0] = (uint64_t)MAX(sizes[0], 0);
	t->dims[1] = (uint64_t)MAX(sizes[1], 0);
	t->swizzle = (uint32_t)sizes[2];
	t->bytes = TENSOR_MAP_BYTES;
}

/* Returns the element of a type's word such as "long", with or without
 * "unsigned". */
static enum elem word_elem(size_t type, bool is_unsigned)
{
	enum elem e = types[type].elem;

	if (!is_unsigned)
		return e;
	return e == ELEM_I8 ? ELEM_U8 : e == ELEM_I16 ? ELEM_U16 :
	       e == ELEM_I32 ? ELEM_U32 : e == ELEM_I64 ? ELEM_U64 : e;
}

static void read_parameter_type(struct debug_type *t, const struct cpp_word *w,
				const struct cpp_word *end)
{
	bool map = has_word_before(w, end, "tensor_map");
	size_t i = 0;

	while (i < LENGTH(types) && !has_word_before(w, end, types[i].word))
		i++;
	if (i < LENGTH(types) && (map || !has_word_before(w, end, "<"))) {
		t->kind = types[i].kind;
		t->elem = word_elem(i, has_word_before(w, end, "unsigned"));
		t->elem_bytes = types[i].bytes;
		t->bytes = types[i].bytes * types[i].count;
		t->is_bool = !strcmp(types[i].word, "bool");
	}
	t->to_const = has_word_before(w, end, "const");
	if (map)
		tensor_map_read(t, w, end);
	else if (has_word_before(w, end, "*") || has_word_before(w, end, "[")) {
		t->kind = DEBUG_POINTER;
		t->bytes = 8;
	}
}

/* Returns the last word that is not in brackets; empty where a type has no
 * name. Heap. */
static char *param_name(const struct cpp_word *w, const struct cpp_word *end)
{
	const struct cpp_word *name = NULL;

	for (; w < end && w->kind != '['; w++)
		if (w->kind == CPP_WORD)
			name = w;
	for (size_t i = 0; name && i < LENGTH(types); i++)
		if (cpp_is(name, types[i].word))
			name = NULL;
	return name ? xstrndup(name->at, name->length) : xstrdup("");
}

static void param_add(struct debug_function *f, const struct cpp_word *w,
		      const struct cpp_word *end)
{
	struct debug_var *v;

	grow(&f->vars, &f->var_capacity, f->var_count + 1, sizeof(*f->vars));
	v = &f->vars[f->var_count++];
	*v = (struct debug_var) { .parameter = true };
	read_parameter_type(&v->type, w, end);
	v->name = param_name(w, end);
}

/* Reads the parameters between the parenthesis `open` and its match. */
static void read_parameters(struct debug_function *f,
			    const struct cpp_word *open)
{
	const struct cpp_word *end = parenthesis_end(open), *from = open + 1;
	int depth = 0;

	for (const struct cpp_word *w = from; w <= end; w++) {
		int k = w->kind;

		depth += k == '(' || k == '<' || k == '[';
		depth -= (k == ')' && w < end) || k == '>' || k == ']';
		if (w < end && (depth || k != ','))
			continue;
		if (from < w && !(has_word_before(from, w, "void") &&
				  !has_word_before(from, w, "*")))
			param_add(f, from, w);
		from = w + 1;
	}
}

static bool is_entry_name(const char *entry, const struct cpp_word *name)
{
	return !entry || (strcspn(entry, "<") == name->length &&
			  !strncmp(entry, name->at, name->length));
}

/* Reads the function with its parameters; sets *more when there is another
 * one. */
static struct debug_function *
read_global_function(const struct cpp_word *w, const char *entry, bool *more)
{
	struct debug_function *f = NULL;

	*more = false;
	for (; w->kind; w++) {
		const struct cpp_word *name, *list;

		if (!cpp_is(w, "__global__"))
			continue;
		list = list_find(w + 1, &name);
		if (!list || !is_entry_name(entry, name))
			continue;
		*more = f;
		if (*more)
			break;
		f = xcalloc(1, sizeof(*f));
		f->name = entry ? xstrdup(entry) :
				  xstrndup(name->at, name->length);
		read_parameters(f, list);
	}
	return f;
}

struct debug_function *signature_read(const char *text, const char *entry,
				      struct error *e)
{
	const struct strip_host_kernel *k;
	struct debug_function *f;
	struct strip_host_text own;
	struct cpp_word *words;
	bool more, bare;
	size_t count;

	strip_host_read(&own, text, strlen(text), NULL, NULL);
	words = split_words(own.text, &count);
	f = read_global_function(words, entry, &more);
	k = f ? user_kernel_find(&own, f->name) : NULL;
	bare = k && k->template && !strchr(f->name, '<');
	if (more)
		error_set(e, EXIT_USAGE, "the file has several kernels%s%s: "
			  "choose one with --entry", entry ? " " :
									    "",
			  entry ? text_show(entry) : "");
	else if (!f || bare)
		strip_host_no_kernel(&own, entry, e);
	free(words);
	strip_host_done(&own);
	if (f && !more && !bare)
		return f;
	signature_free(f);
	return NULL;
}

/* Finds the parenthesis that the last one closes; NULL when there is none. */
static const struct cpp_word *last_list(const struct cpp_word *w, size_t count)
{
	int depth = 0;

	while (count-- > 0) {
		depth += (w[count].kind == ')') - (w[count].kind == '(');
		if (w[count].kind == '(' && depth == 0)
			return &w[count];
	}
	return NULL;
}

void signature_resolve(struct debug_function *f, const char *linkage)
{
	char *full = __cxa_demangle(linkage, NULL, NULL, NULL);
	size_t count;
	struct cpp_word *words = split_words(full ? full : "", &count);
	const struct cpp_word *list = last_list(words, count);
	struct debug_function *said = xcalloc(1, sizeof(*said));

	if (list)
		read_parameters(said, list);
	if (said->var_count == f->var_count)
		for (size_t i = 0; i < f->var_count; i++)
			f->vars[i].type = said->vars[i].type;
	signature_free(said);
	free(words);
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
