/*
 * strip_host: see strip_host.h. The text is split into words. Each declaration
 * is examined: whether it is a function, and whether one of CUDA's words makes
 * it run on the GPU. Directives are kept everywhere.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/cpp_words.h"
#include "base/text.h"
#include "record/strip_host.h"

struct strip_reading {
	struct strip_host_text *to;
	const char *text;
	struct cpp_word *tokens;	/* an empty one behind the last */
	size_t count;
	/* Macros that stand for words of CUDA. */
	struct macro {
		struct cpp_word name;
		bool kernel;	/* alone it says __global__ */
	} *macros;
	size_t macro_count, macro_capacity;
	/* Where the kernels are: tokens. */
	struct kernel_range {
		size_t name, from, to;
	} *ranges;
	size_t range_count, range_capacity;
};

static bool is_listed_token(const struct cpp_word *t, const char *const *words)
{
	for (; *words; words++)
		if (cpp_is(t, *words))
			return true;
	return false;
}

/* Overwrites a word with blanks, but keeps its newlines. */
static void word_blank(struct strip_reading *r, const struct cpp_word *w)
{
	char *at = r->to->text + (w->at - r->text);

	for (size_t i = 0; i < w->length; i++)
		if (at[i] != '\n')
			at[i] = ' ';
}

/* ---- directives ---- */

static void macro_note(struct strip_reading *r, struct cpp_text line)
{
	static const char *const of_gpu[] = { "__device__", "__global__",
					      NULL };
	struct cpp_word name = cpp_next_code(&line), w;
	bool parameters = line.at < line.end && *line.at == '(';

	do
		w = cpp_next_code(&line);
	while (w.kind && !is_listed_token(&w, of_gpu));
	if (!w.kind)
		return;
	grow(&r->macros, &r->macro_capacity, r->macro_count + 1,
	     sizeof(*r->macros));
	r->macros[r->macro_count++] = (struct macro) {
		name, !parameters && cpp_is(&w, "__global__"),
	};
}

static void macros_of(struct strip_reading *r, const char *text)
{
	size_t count;
	struct cpp_word *w = cpp_code(text, strlen(text), true, &count);

	for (size_t i = 0; i < count; i++) {
		struct cpp_text line = { w[i].at + 1, w[i].at + w[i].length,
					 false, false };
		struct cpp_word first;

		if (w[i].kind != CPP_DIRECTIVE)
			continue;
		first = cpp_next_code(&line);
		if (cpp_is(&first, "define"))
			macro_note(r, line);
	}
	free(w);
}

/* Tests for a header of CUDA that kernels do not need: it is for the host, or a
 * compiler of kernels has it built in. Where CUDA is installed the header may
 * be found, but it is not for the host's compiler. */
static bool is_of_host(const char *header)
{
	static const char *const begin[] = { "cublas", "cuda.h",
		"cuda_device_runtime_api.h", "cuda_profiler_api.h",
		"cuda_runtime_api.h", "cudnn", "cufft", "curand.h",
		"cusolver", "cusparse", "device_atomic_functions.h",
		"device_double_functions.h", "device_functions.h",
		"device_launch_parameters.h", "device_types.h",
		"driver_types.h", "helper_cuda", "helper_functions",
		"helper_string", "helper_timer", "math_functions.h", "nvtx3/",
		"thrust/", "vector_functions", "vector_types.h" };

	for (size_t i = 0; i < LENGTH(begin); i++)
		if (!strncmp(header, begin[i], strlen(begin[i])))
			return true;
	return false;
}

static void directive_read(struct strip_reading *r, const struct cpp_word *d)
{
	struct cpp_text line = { d->at + 1, d->at + d->length, false, false };
	struct cpp_word w = cpp_next_code(&line);

	if (cpp_is(&w, "define"))
		macro_note(r, line);
	if (cpp_is(&w, "include") &&
	    is_of_host(line.at + strspn(line.at, " \t<\"")))
		word_blank(r, d);
}

static void tokens_cut(struct strip_reading *r)
{
	size_t count, kept = 0;

	r->tokens = cpp_code(r->text, strlen(r->text), true, &count);
	for (size_t i = 0; i <= count; i++)
		if (r->tokens[i].kind == CPP_DIRECTIVE)
			directive_read(r, &r->tokens[i]);
		else
			r->tokens[kept++] = r->tokens[i];
	r->count = kept - 1;
}

/* ---- declarations ---- */

/* Tests for an opening bracket of any kind. */
static bool is_open_bracket(int kind)
{
	return kind == '(' || kind == '[' || kind == '{';
}

static bool is_close_bracket(int kind)
{
	return kind == ')' || kind == ']' || kind == '}';
}

/* Returns the index after the bracket that closes the one at i. */
static size_t bracket_end(const struct strip_reading *r, size_t i)
{
	size_t depth = 0;

	for (; i < r->count; i++) {
		if (is_open_bracket(r->tokens[i].kind))
			depth++;
		else if (is_close_bracket(r->tokens[i].kind) && --depth == 0)
			return i + 1;
	}
	return i;
}

/* Returns the index after the parameters of the template at i. */
static size_t angles_end(const struct strip_reading *r, size_t i)
{
	size_t depth = 0;

	while (i < r->count) {
		int kind = r->tokens[i].kind;

		if (is_open_bracket(kind)) {
			i = bracket_end(r, i);
			continue;
		}
		i++;
		if (kind == '<')
			depth++;
		else if (kind == '>' && --depth == 0)
			break;
	}
	return i;
}

struct declaration {
	bool of_gpu, kernel, function, type, assigned, initializers;
	bool template, instance, operator;
	size_t name;
};

static void word_read(const struct strip_reading *r, struct declaration *d,
		      size_t i)
{
	static const char *const gpu[] = { "__global__", "__device__",
		"__shared__", "__constant__", "__managed__", "constexpr",
		"consteval", NULL };
	static const char *const types[] = { "struct", "class", "union",
					     "enum", "namespace", NULL };
	const struct cpp_word *t = &r->tokens[i];

	if (is_listed_token(t, gpu))
		d->of_gpu = true;
	if (cpp_is(t, "__global__"))
		d->kernel = true;
	if (cpp_is(t, "operator"))
		d->operator = true;
	for (size_t m = 0; m < r->macro_count; m++)
		if (t->length == r->macros[m].name.length &&
		    !memcmp(t->at, r->macros[m].name.at, t->length)) {
			d->of_gpu = true;
			d->kernel |= r->macros[m].kernel;
		}
	if (!d->function && is_listed_token(t, types))
		d->type = true;
	/* extern "C" { */
	if (cpp_is(t, "extern") && i + 2 < r->count &&
	    r->tokens[i + 1].kind == CPP_STRING && r->tokens[i + 2].kind == '{')
		d->type = true;
}

/* Reads the parentheses at i: a function's parameters, unless the word before
 * is an attribute. */
static void parentheses_read(const struct strip_reading *r,
			     struct declaration *d, size_t i)
{
	static const char *const attributes[] = { "alignas", "__align__",
		"__attribute__", "__launch_bounds__", "__cluster_dims__",
		"__maxnreg__", "__declspec", "decltype", "noexcept", "asm",
		NULL };

	if (i == 0 || d->function || d->assigned ||
	    is_listed_token(&r->tokens[i - 1], attributes))
		return;
	d->function = true;
	d->name = i - 1;
}

static void kernel_note(struct strip_reading *r, const struct declaration *d)
{
	const struct cpp_word *name = &r->tokens[d->name];
	struct strip_host_text *h = r->to;
	struct strip_host_kernel *k;

	if (name->kind != CPP_WORD)
		return;
	for (size_t i = 0; i < h->kernel_count; i++)
		if (cpp_is(name, h->kernels[i].name))
			return;
	grow(&h->kernels, &h->capacity, h->kernel_count + 1,
	     sizeof(*h->kernels));
	k = &h->kernels[h->kernel_count++];
	*k = (struct strip_host_kernel){ .name = xstrndup(name->at,
							  name->length),
					 .template = d->template };
}

/* The name before the arguments of a template's instance, which end at i. */
static size_t name_before(const struct strip_reading *r, size_t i)
{
	size_t depth = 0;

	while (i > 0 && r->tokens[i].kind != CPP_WORD) {
		do {
			depth += r->tokens[i].kind == '>';
			depth -= r->tokens[i].kind == '<' && depth;
		} while (--i > 0 && depth);
	}
	return i;
}

/* Ends a function or an instance whose last token is before `to`; blanks it
 * when only the host runs it. */
static void function_end(struct strip_reading *r, const struct declaration *d,
			 size_t from, size_t to)
{
	if (d->kernel) {
		kernel_note(r, d);
		grow(&r->ranges, &r->range_capacity, r->range_count + 1,
		     sizeof(*r->ranges));
		r->ranges[r->range_count++] = (struct kernel_range) {
			name_before(r, d->name), from, to };
	}
	for (size_t i = from; i < to && !d->kernel && !d->of_gpu; i++)
		word_blank(r, &r->tokens[i]);
}

static size_t strip_scope(struct strip_reading *r, size_t i);

/* Reads the brace at i; returns the index after it. Sets *end when it ends the
 * declaration. */
static size_t brace_read(struct strip_reading *r, const struct declaration *d,
			 size_t from, size_t i, bool *end)
{
	size_t to;

	if (d->assigned ||
	    (d->initializers && r->tokens[i - 1].kind == CPP_WORD))
		return bracket_end(r, i);
	if (d->function) {
		to = bracket_end(r, i);
		function_end(r, d, from, to);
		*end = true;
		return to;
	}
	if (!d->type)
		return bracket_end(r, i);
	to = strip_scope(r, i + 1) + 1;
	*end = cpp_is(&r->tokens[from], "namespace") ||
	       cpp_is(&r->tokens[from], "inline") ||
	       cpp_is(&r->tokens[from], "extern");
	return to;
}

/* Reads one declaration of a scope, from the token at i; returns the index of
 * the next. */
static size_t strip_declaration(struct strip_reading *r, size_t i)
{
	static const char *const access[] = { "public", "private",
					      "protected", NULL };
	struct declaration d = { 0 };
	size_t from = i;
	bool end = false;

	if (cpp_is(&r->tokens[i], "template")) {
		d.instance = r->tokens[i + 1].kind != '<';
		d.template = !d.instance;
		i = d.template ? angles_end(r, i + 1) : i + 1;
	}
	while (i < r->count && !end) {
		int kind = r->tokens[i].kind;

		if (kind == '}')
			break;
		if (kind == ';') {
			i++;
			if (d.instance && d.function)
				function_end(r, &d, from, i);
			break;
		}
		if (kind == '{') {
			i = brace_read(r, &d, from, i, &end);
			continue;
		}
		if (kind == '(')
			parentheses_read(r, &d, i);
		if (is_open_bracket(kind)) {
			i = bracket_end(r, i);
			continue;
		}
		if (kind == CPP_WORD)
			word_read(r, &d, i);
		if (kind == '=' && !d.function && !d.operator)
			d.assigned = true;
		if (kind == ':' && d.function && r->tokens[i + 1].kind != ':' &&
		    r->tokens[i - 1].kind != ':')
			d.initializers = true;
		if (kind == ':' && i == from + 1 &&
		    is_listed_token(&r->tokens[from], access))
			from = i + 1;
		i++;
	}
	return i;
}

/* Reads the declarations up to the closing brace, or to the end of the text. */
static size_t strip_scope(struct strip_reading *r, size_t i)
{
	while (i < r->count && r->tokens[i].kind != '}')
		i = strip_declaration(r, i);
	return i;
}

/* ---- the arguments of templates ---- */

/* Tests whether "<<<" begins at i. */
static bool is_launch(const struct strip_reading *r, size_t i)
{
	return i + 2 < r->count && r->tokens[i].kind == '<' &&
	       r->tokens[i + 1].kind == '<' && r->tokens[i + 2].kind == '<';
}

/* Returns the end of the template arguments after the name at i, when it is
 * launched with some; else 0. */
static size_t launch_arguments(const struct strip_reading *r, size_t i)
{
	size_t end = i + 1;

	if (end >= r->count || r->tokens[end].kind != '<' ||
	    is_launch(r, end))
		return 0;
	end = angles_end(r, end);
	return is_launch(r, end) ? end : 0;
}

static void launched_arguments(struct strip_reading *r,
			       struct strip_host_kernel *k)
{
	for (size_t i = 0; i < r->count && !k->arguments; i++) {
		size_t end;

		if (!cpp_is(&r->tokens[i], k->name))
			continue;
		end = launch_arguments(r, i);
		if (end)
			k->arguments = xstrndup(r->tokens[i + 1].at, (size_t)
				(r->tokens[end - 1].at + 1 -
				 r->tokens[i + 1].at));
	}
}

/* Returns the kernel's own name in "ns::kernel<float, 16>", of n bytes. */
static const char *unqualified_name(const char *entry, size_t *n)
{
	const char *end = entry + strcspn(entry, "<"), *s = end;

	while (s > entry && s[-1] != ':')
		s--;
	*n = (size_t)(end - s);
	return s;
}

/* Leaves out the other kernels, if this one is among them. */
static void kernels_blank(struct strip_reading *r, const char *entry)
{
	size_t length;
	const char *name = unqualified_name(entry, &length);
	bool there = false;

	for (int blank = 0; blank < 2; blank++)
		for (size_t i = 0; i < r->range_count; i++) {
			const struct kernel_range *k = &r->ranges[i];
			const struct cpp_word *w = &r->tokens[k->name];
			bool own = w->length == length &&
				   !memcmp(w->at, name, length);

			there |= own;
			for (size_t t = k->from; t < k->to && blank && there &&
			     !own; t++)
				word_blank(r, &r->tokens[t]);
		}
}

static void text_strip(struct strip_host_text *h, const char *whole,
		       const struct job_defines *headers, const char *entry)
{
	struct strip_reading r = { .to = h, .text = whole };
	size_t i = 0;

	*h = (struct strip_host_text){ .text = xstrdup(whole) };
	for (size_t n = 0; headers && n < headers->count; n++)
		macros_of(&r, headers->list[n].value);
	tokens_cut(&r);
	/* A brace too many is the compiler's to complain of. */
	while (i < r.count)
		i = strip_scope(&r, i) + 1;
	for (size_t k = 0; k < h->kernel_count; k++)
		if (h->kernels[k].template)
			launched_arguments(&r, &h->kernels[k]);
	if (entry)
		kernels_blank(&r, entry);
	free(r.tokens);
	free(r.macros);
	free(r.ranges);
}

void strip_host_read(struct strip_host_text *h, const char *text,
		     size_t length, const struct job_defines *headers,
		     const char *entry)
{
	char *whole = xstrndup(text, length);

	text_strip(h, whole, headers, entry);
	if (h->kernel_count == 0)
		strcpy(h->text, whole);
	free(whole);
}

char *strip_host_header(const char *text, const struct job_defines *headers)
{
	struct strip_host_text h;
	char *stripped;

	text_strip(&h, text, headers, NULL);
	stripped = h.text;
	h.text = NULL;
	strip_host_done(&h);
	return stripped;
}

void strip_host_done(struct strip_host_text *h)
{
	for (size_t k = 0; k < h->kernel_count; k++) {
		free(h->kernels[k].name);
		free(h->kernels[k].arguments);
	}
	free(h->kernels);
	free(h->text);
	memset(h, 0, sizeof(*h));
}

/* ---- which kernel ---- */

const struct strip_host_kernel *
user_kernel_find(const struct strip_host_text *h, const char *entry)
{
	size_t n = strcspn(entry, "<");

	for (size_t i = 0; i < h->kernel_count; i++) {
		const struct strip_host_kernel *k = &h->kernels[i];

		if (strlen(k->name) == n && !strncmp(k->name, entry, n))
			return k;
	}
	return NULL;
}

int strip_host_no_kernel(const struct strip_host_text *h, const char *entry,
			 struct error *e)
{
	const char *names[64], *near;
	size_t n = 0;

	for (size_t i = 0; i < h->kernel_count; i++) {
		const struct strip_host_kernel *k = &h->kernels[i];

		if (n < LENGTH(names))
			names[n++] = k->name;
		if (!k->template || (entry && strcmp(entry, k->name) != 0))
			continue;
		return error_set(e, EXIT_USAGE, "%s is a template: give its "
				 "arguments, such as --entry '%s%s'",
				 text_show(k->name),
				 text_show(k->name), k->arguments ?
				 text_show(k->arguments) : "<...>");
	}
	near = entry ? nearest_name(entry, names, n) : NULL;
	if (!entry)
		return error_set(e, EXIT_USAGE, "the file has no kernel");
	return error_set(
		e, EXIT_USAGE,
		near ? N_("the file has no kernel %s; did you mean %s?") :
		       N_("the file has no kernel %s%s"),
		text_show(entry), near ? text_show(near) : "");
}
