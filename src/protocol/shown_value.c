/*
 * shown_value: see shown_value.h. Names are replaced by what they stand for
 * until only numbers and operators are left, for which base/expr has C's rules.
 */
#include "protocol/shown_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cpp_launch.h"
#include "base/expr.h"

/* How deep names may stand for names. */
#define DEPTH_MOST 12

/* ---- the texts ---- */

/* A name stands for these words: a macro's parameter for its argument. */
struct bound {
	const struct cpp_word *name, *words;
	size_t from, until;
	const struct macro_frame *in;
};

struct macro_frame {
	struct bound list[8];
	size_t count;
};

static bool same_word(const struct cpp_word *a, const struct cpp_word *b)
{
	return a->length == b->length && !memcmp(a->at, b->at, a->length);
}

static void macro_read(struct shown_text *t, const struct cpp_word *directive)
{
	struct cpp_text line = { directive->at + 1,
				 directive->at + directive->length, false,
				 true };
	struct cpp_word w = cpp_next_code(&line);
	struct shown_macro m = { .function = false };

	if (!cpp_is(&w, "define"))
		return;
	m.name = cpp_next_code(&line);
	m.function = line.at < line.end && *line.at == '(';
	if (m.function) {
		do {
			w = cpp_next_code(&line);
			if (w.kind == CPP_WORD &&
			    m.parameter_count < LENGTH(m.parameters))
				m.parameters[m.parameter_count++] = w;
		} while (w.kind && w.kind != ')');
	}
	m.body = cpp_code(line.at, (size_t)(line.end - line.at), false,
			  &m.body_count);
	grow(&t->macros, &t->macro_capacity, t->macro_count + 1,
	     sizeof(*t->macros));
	t->macros[t->macro_count++] = m;
}

static void read_shown_text(struct shown_text *t, const char *name,
			    const char *text)
{
	*t = (struct shown_text) { .name = name };
	t->words = cpp_code(text, strlen(text), true, &t->count);
	for (size_t i = 0; i < t->count; i++)
		if (t->words[i].kind == CPP_DIRECTIVE)
			macro_read(t, &t->words[i]);
}

void shown_texts_init(struct shown_texts *t, const struct job *job)
{
	const struct job_kernel *k = &job->kernel;

	*t = (struct shown_texts) { .count = k->headers.count + 1,
				    .defines = &k->defines,
				    .size = &job->size };
	t->list = xcalloc(t->count, sizeof(*t->list));
	read_shown_text(&t->list[0], k->file, k->text);
	for (size_t i = 1; i < t->count; i++)
		read_shown_text(&t->list[i], k->headers.list[i - 1].name,
				k->headers.list[i - 1].value);
}

void shown_texts_done(struct shown_texts *t)
{
	for (size_t i = 0; i < t->count; i++) {
		for (size_t m = 0; m < t->list[i].macro_count; m++)
			free(t->list[i].macros[m].body);
		free(t->list[i].macros);
		free(t->list[i].words);
	}
	free(t->list);
}

size_t shown_argument_end(const struct cpp_word *w, size_t i, size_t until)
{
	size_t depth = 0;

	for (; i < until; i++) {
		if (strchr("([{", w[i].kind))
			depth++;
		else if (strchr(")]}", w[i].kind))
			depth -= depth > 0;
		else if (w[i].kind == ',' && !depth)
			break;
	}
	return i;
}

/* ---- what a name stands for ---- */

/* Finds the macro with this name in all texts; NULL when there is none. */
static const struct shown_macro *macro_find(const struct shown_texts *t,
					    const struct cpp_word *name)
{
	const struct shown_macro *found = NULL;

	for (size_t i = 0; i < t->count && !found; i++)
		for (size_t m = 0; m < t->list[i].macro_count; m++)
			if (same_word(&t->list[i].macros[m].name, name))
				found = &t->list[i].macros[m];
	return found;
}

/* The initialiser of a variable that is declared before a place. */
struct shown_variable {
	const struct shown_text *text;
	size_t at;			/* its name */
	size_t from, until;		/* its initialiser */
	bool local;
};

/* Tests whether w[i], the name, is declared there with a value; sets *v to
 * it. */
static bool is_initialised(const struct shown_text *t, size_t i,
			   struct shown_variable *v)
{
	const struct cpp_word *w = t->words;
	bool dims = i > 0 && cpp_is(&w[i - 1], "dim3");

	if (i == 0 || (w[i - 1].kind != CPP_WORD && w[i - 1].kind != ',') ||
	    cpp_is(&w[i - 1], "return"))
		return false;
	if (w[i + 1].kind == '=' && w[i + 2].kind != '=') {
		v->from = i + 2;
		v->until = shown_argument_end(w, v->from, t->count);
	} else if (w[i + 1].kind == '{' ||
		   (w[i + 1].kind == '(' && (dims || w[i - 1].kind == ','))) {
		v->from = i + 1;
		v->until = cpp_bracket_end(w, t->count, i + 1) + 1;
	} else {
		return false;
	}
	for (size_t n = v->from; n < v->until; n++)
		if (w[n].kind == ';' || w[n].kind == CPP_DIRECTIVE)
			v->until = n;
	v->text = t;
	v->at = i;
	return v->until <= t->count;
}

/* Finds the last declaration before the expression. */
static bool shown_variable_find(const struct shown_texts *t,
				const struct cpp_word *name,
				struct shown_variable *v)
{
	bool found = false;

	for (size_t i = t->count; i-- > 0; ) {
		const struct shown_text *s = &t->list[i];
		size_t until = s == t->here ? t->at : s->count, depth = 0;

		for (size_t n = 0; n < until; n++) {
			struct shown_variable new = { .text = NULL };

			depth += s->words[n].kind == '{';
			depth -= s->words[n].kind == '}' && depth;
			if (s->words[n].kind != CPP_WORD ||
			    !same_word(&s->words[n], name) ||
			    !is_initialised(s, n, &new))
				continue;
			new.local = depth > 0;
			/* of another file's functions it is none */
			if (!new.local || s == t->here) {
				*v = new;
				found = true;
			}
		}
	}
	return found;
}

static const struct bound *bound_find(const struct macro_frame *f,
				      const struct cpp_word *name)
{
	for (size_t i = 0; f && i < f->count; i++)
		if (same_word(f->list[i].name, name))
			return &f->list[i];
	return NULL;
}

/* ---- an expression as numbers ---- */

static bool write_expression(struct shown_texts *t, struct str *to,
			     const struct cpp_word *w, size_t from,
			     size_t until, const struct macro_frame *f,
			     int depth);

static bool not_shown(struct shown_texts *t, const struct cpp_word *name)
{
	if (!t->unknown[0])
		snprintf(t->unknown, sizeof(t->unknown), "%.*s",
			 (int)MIN(name->length, sizeof(t->unknown) - 1),
			 name->at);
	return false;
}

static bool is_type_word(const struct cpp_word *w)
{
	static const char *const types[] = { "const", "unsigned", "signed",
		"int", "long", "short", "size_t", "uint", "float", "double",
		"uint32_t", "int64_t", "uint64_t", "int32_t", NULL };

	for (size_t i = 0; types[i]; i++)
		if (cpp_is(w, types[i]))
			return true;
	return false;
}

/* Returns the index after a cast at i, "(int)"; i when there is none. */
static size_t cast_end(const struct cpp_word *w, size_t i, size_t until)
{
	size_t n = i + 1;

	while (n < until && is_type_word(&w[n]))
		n++;
	return n > i + 1 && n < until && w[n].kind == ')' ? n + 1 : i;
}

static void number_write(struct str *to, const struct cpp_word *w)
{
	bool hex = w->length > 1 && (w->at[1] | 32) == 'x';

	for (size_t i = 0; i < w->length; i++)
		if (!strchr(hex ? "'uUlL" : "'uUlLfF", w->at[i]))
			str_addc(to, w->at[i]);
}

static bool size_write(struct shown_texts *t, struct str *to,
		       const struct cpp_word *w, size_t from, size_t until)
{
	static const struct {
		const char *type;
		int bytes;
	} sizes[] = { { "char", 1 }, { "half", 2 }, { "__half", 2 },
		{ "short", 2 }, { "int", 4 }, { "unsigned", 4 },
		{ "float", 4 }, { "float2", 8 }, { "float4", 16 },
		{ "double", 8 }, { "size_t", 8 } };

	for (size_t i = 0; i < LENGTH(sizes) && until == from + 1; i++)
		if (cpp_is(&w[from], sizes[i].type)) {
			str_addf(to, "%d", sizes[i].bytes);
			return true;
		}
	return not_shown(t, &w[from]);
}

/* Writes the expansion of a macro with parameters, whose name is at *i. */
static bool call_write(struct shown_texts *t, struct str *to,
		       const struct shown_macro *m, const struct cpp_word *w,
		       size_t *i, size_t until, const struct macro_frame *f,
		       int depth)
{
	struct macro_frame own = { .count = 0 };
	size_t end = cpp_bracket_end(w, until, *i + 1), at = *i + 2;

	if (w[*i + 1].kind != '(' || end >= until)
		return not_shown(t, &w[*i]);
	for (size_t p = 0; p < m->parameter_count && at < end; p++) {
		size_t next = shown_argument_end(w, at, end);

		own.list[own.count++] = (struct bound) {
			&m->parameters[p], w, at, next, f };
		at = next + 1;
	}
	*i = end;
	return own.count == m->parameter_count &&
	       write_expression(t, to, m->body, 0, m->body_count, &own, depth);
}

/* Reads the function "int div_up(int a, int b) { return ...; }" whose name is
 * at words[i] as a macro of the same text. The caller frees m->body. */
static bool function_read(const struct shown_text *t, size_t i,
			  struct shown_macro *m)
{
	const struct cpp_word *w = t->words;
	size_t end = cpp_bracket_end(w, t->count, i + 1), at, stop;

	*m = (struct shown_macro){ .name = w[i], .function = true };
	if (i == 0 || w[i - 1].kind != CPP_WORD || w[i + 1].kind != '(' ||
	    end + 2 >= t->count || w[end + 1].kind != '{' ||
	    !cpp_is(&w[end + 2], "return"))
		return false;
	for (at = i + 2; at < end; at = stop + 1) {
		stop = shown_argument_end(w, at, end);
		if (m->parameter_count == LENGTH(m->parameters) ||
		    w[stop - 1].kind != CPP_WORD)
			return false;
		m->parameters[m->parameter_count++] = w[stop - 1];
	}
	for (stop = end + 3; stop < t->count && w[stop].kind != ';'; stop++)
		;
	m->body_count = stop - (end + 3);
	m->body = xcalloc(m->body_count + 1, sizeof(*m->body));
	memcpy(m->body, &w[end + 3], m->body_count * sizeof(*m->body));
	return true;
}

/* Writes the value of a call of a function whose text is a return alone; the
 * name is at *i. */
static bool function_write(struct shown_texts *t, struct str *to,
			   const struct cpp_word *w, size_t *i, size_t until,
			   const struct macro_frame *f, int depth)
{
	for (size_t n = 0; n < t->count; n++)
		for (size_t k = 0; k + 1 < t->list[n].count; k++) {
			struct shown_macro m;
			bool shown;

			if (t->list[n].words[k].kind != CPP_WORD ||
			    !same_word(&t->list[n].words[k], &w[*i]) ||
			    !function_read(&t->list[n], k, &m))
				continue;
			shown = call_write(t, to, &m, w, i, until, f, depth);
			free(m.body);
			return shown;
		}
	return not_shown(t, &w[*i]);
}

/* -D gives a number. */
static bool define_write(struct shown_texts *t, struct str *to,
			 const struct cpp_word *name)
{
	char *word = xstrndup(name->at, name->length);
	const char *value = job_defined(t->defines, word);

	if (value)
		str_addf(to, "%s", value);
	free(word);
	return value != NULL;
}

static bool is_size_name(const struct cpp_word *name)
{
	return name->length == 1 && strchr("mnkMNK", *name->at);
}

/* Writes the value that a name was given, in place of what the text shows. */
static bool set_write(const struct shown_texts *t, struct str *to,
		      const struct cpp_word *name)
{
	for (size_t i = 0; t->set && i < t->set->count; i++)
		if (cpp_is(name, t->set->list[i].name)) {
			str_addf(to, "%lld", (long long)t->set->list[i].value);
			return true;
		}
	return false;
}

/* Writes the text's own value of a local M, N or K, if it may stand and is
 * shown. */
static bool literal_write(struct shown_texts *t, struct str *to,
			  const struct cpp_word *name,
			  const struct shown_variable *v, int depth)
{
	size_t was = to->len;
	char unknown[sizeof(t->unknown)];

	if (!is_size_name(name) || !(t->literal & size_bit(*name->at)))
		return false;
	memcpy(unknown, t->unknown, sizeof(unknown));
	if (write_expression(t, to, v->text->words, v->from, v->until, NULL,
			     depth))
		return true;
	memcpy(t->unknown, unknown, sizeof(unknown));
	to->len = was;
	return false;
}

/* Writes the launch's size for a local M, N or K, which are the kernel's
 * sizes. */
static bool local_size_write(struct shown_texts *t, struct str *to,
			     const struct cpp_word *name)
{
	const struct problem_sizes *s = t->size;

	if (!is_size_name(name))
		return false;
	t->sized = true;
	str_addf(to, "%d", (*name->at | 32) == 'm' ? s->m :
		 (*name->at | 32) == 'n' ? s->n : s->k);
	return true;
}

/* Writes a member of a dim3, "grid.x", whose name is at *i. */
static bool member_write(struct shown_texts *t, struct str *to,
			 const struct cpp_word *w, size_t *i)
{
	struct trace_dim d;

	if (!shown_dims(t, w, *i, *i + 1, &d))
		return false;
	*i += 2;
	str_addf(to, "%u", cpp_is(&w[*i], "x") ? d.x :
		 cpp_is(&w[*i], "y") ? d.y : d.z);
	return true;
}

static bool name_write(struct shown_texts *t, struct str *to,
		       const struct cpp_word *w, size_t *i, size_t until,
		       const struct macro_frame *f, int depth)
{
	static const char *const functions[] = { "min", "max", "ceil", "ceilf",
						 "floor", "sqrt", NULL };
	const struct bound *b = bound_find(f, &w[*i]);
	const struct shown_macro *m = macro_find(t, &w[*i]);
	struct shown_variable v;
	bool there;

	if (b)
		return write_expression(t, to, b->words, b->from, b->until,
					b->in, depth);
	for (size_t n = 0; functions[n]; n++)
		if (cpp_is(&w[*i], functions[n])) {
			str_add(to, functions[n]);
			return true;
		}
	if (set_write(t, to, &w[*i]))
		return true;
	if (define_write(t, to, &w[*i]))
		return true;
	if (m && m->function)
		return call_write(t, to, m, w, i, until, f, depth);
	if (m)
		return write_expression(t, to, m->body, 0, m->body_count, NULL,
					depth);
	there = shown_variable_find(t, &w[*i], &v);
	if (there && *i + 2 < until && w[*i + 1].kind == '.')
		return member_write(t, to, w, i);
	if (there && v.local && literal_write(t, to, &w[*i], &v, depth))
		return true;
	if ((!there || v.local) && local_size_write(t, to, &w[*i]))
		return true;
	if (!there && *i + 1 < until && w[*i + 1].kind == '(')
		return function_write(t, to, w, i, until, f, depth);
	return there ? write_expression(t, to, v.text->words, v.from, v.until,
					NULL, depth) :
		       not_shown(t, &w[*i]);
}

/* Writes the word at *i, or the few words that belong together. */
static bool word_write(struct shown_texts *t, struct str *to,
		       const struct cpp_word *w, size_t *i, size_t until,
		       const struct macro_frame *f, int depth)
{
	size_t end;

	if (w[*i].kind == CPP_NUMBER) {
		number_write(to, &w[*i]);
	} else if (cpp_is(&w[*i], "sizeof")) {
		end = cpp_bracket_end(w, until, *i + 1);
		if (!size_write(t, to, w, *i + 2, end))
			return false;
		*i = end;
	} else if (cpp_is(&w[*i], "static_cast")) {
		while (*i + 1 < until && w[*i].kind != '>')
			++*i;
	} else if (cpp_is(&w[*i], "std")) {
		*i += 2;
	} else if (w[*i].kind == CPP_WORD && !is_type_word(&w[*i])) {
		return name_write(t, to, w, i, until, f, depth);
	} else if (w[*i].kind == '(' && cast_end(w, *i, until) != *i) {
		*i = cast_end(w, *i, until) - 1;
	} else if (w[*i].kind == CPP_WORD || strchr("{};[]=\"'d", w[*i].kind)) {
		return is_type_word(&w[*i]) || not_shown(t, &w[*i]);
	} else {
		str_addn(to, w[*i].at, w[*i].length);
	}
	return true;
}

/* Appends the value of an expression, in parentheses; false when the text does
 * not show it. */
static bool write_expression(struct shown_texts *t, struct str *to,
			     const struct cpp_word *w, size_t from,
			     size_t until, const struct macro_frame *f,
			     int depth)
{
	if (depth >= DEPTH_MOST || from >= until || to->len > 4096)
		return false;
	str_addc(to, '(');
	for (size_t i = from; i < until; i++)
		if (!word_write(t, to, w, &i, until, f, depth + 1))
			return false;
	str_addc(to, ')');
	return true;
}

/* ---- its value ---- */

static int name_refuse(void *ctx, const char *name, struct value *out,
		       struct error *e)
{
	(void)ctx, (void)out;
	return error_set(e, EXIT_USAGE, "%s", name);
}

static double real_value(const struct value *v)
{
	return v->kind == VALUE_REAL ? v->r : (double)v->i;
}

static int function_call(void *ctx, const char *name, const struct value *args,
			 size_t count, struct value *out, struct error *e)
{
	bool most = !strcmp(name, "max");

	(void)ctx;
	if (count == 2 && (most || !strcmp(name, "min")))
		*out = (real_value(&args[0]) > real_value(&args[1])) == most ?
			       args[0] :
			       args[1];
	else if (count == 1 && !strncmp(name, "ceil", 4))
		*out = value_int((int64_t)ceil(real_value(&args[0])));
	else if (count == 1 && !strcmp(name, "floor"))
		*out = value_int((int64_t)floor(real_value(&args[0])));
	else if (count == 1 && !strcmp(name, "sqrt"))
		*out = value_real(sqrt(real_value(&args[0])));
	else
		return error_set(e, EXIT_USAGE, "%s", name);
	return 0;
}

static bool compute_value(struct shown_texts *t, const struct cpp_word *w,
			  size_t from, size_t until, struct value *v)
{
	const struct expr_env env = { name_refuse, function_call, NULL };
	struct str s = { 0 };
	struct error e;
	bool shown = write_expression(t, &s, w, from, until, NULL, 0) &&
		     !expr_value(s.data, &env, v, &e) &&
		     (v->kind == VALUE_INT || v->kind == VALUE_REAL);

	str_done(&s);
	return shown;
}

bool shown_value(struct shown_texts *t, const struct cpp_word *w, size_t from,
		 size_t until, int64_t *out)
{
	struct value v = { 0 };

	if (!compute_value(t, w, from, until, &v))
		return false;
	*out = v.kind == VALUE_INT ? v.i : (int64_t)v.r;
	return true;
}

bool shown_real(struct shown_texts *t, const struct cpp_word *w, size_t from,
		size_t until, double *out)
{
	struct value v = { 0 };

	if (!compute_value(t, w, from, until, &v))
		return false;
	*out = real_value(&v);
	return true;
}

bool shown_is_local(const struct shown_texts *t, const struct cpp_word *w,
		    size_t from, size_t until, char *to)
{
	struct shown_variable v;
	char *word;
	bool defined;

	if (until != from + 1 || w[from].kind != CPP_WORD ||
	    w[from].length >= sizeof(t->unknown) || macro_find(t, &w[from]) ||
	    (shown_variable_find(t, &w[from], &v) && !v.local))
		return false;
	word = xstrndup(w[from].at, w[from].length);
	defined = job_defined(t->defines, word) != NULL;
	strcpy(to, word);
	free(word);
	return !defined;
}

/* Returns whether a dimension is one that a launch may have. */
static bool is_dimension(struct shown_texts *t, int64_t value)
{
	t->none |= value < 1;
	return value >= 1 && value <= INT32_MAX;
}

/* Reads the parts between the brackets at `open`. */
static bool parts_read(struct shown_texts *t, const struct cpp_word *w,
		       size_t open, size_t until, struct trace_dim *out)
{
	size_t end = cpp_bracket_end(w, until, open), at = open + 1;
	int64_t v[3] = { 1, 1, 1 };

	for (size_t i = 0; i < 3 && at < end; i++) {
		size_t next = shown_argument_end(w, at, end);

		if (!shown_value(t, w, at, next, &v[i]) ||
		    !is_dimension(t, v[i]))
			return false;
		at = next + 1;
	}
	*out = (struct trace_dim) { (uint32_t)v[0], (uint32_t)v[1],
				    (uint32_t)v[2] };
	return end < until;
}

bool shown_dims(struct shown_texts *t, const struct cpp_word *w, size_t from,
		size_t until, struct trace_dim *out)
{
	struct shown_variable v;
	int64_t value;

	if (from + 1 < until && cpp_is(&w[from], "dim3"))
		return parts_read(t, w, from + 1, until, out);
	if (until == from + 1 && w[from].kind == CPP_WORD &&
	    shown_variable_find(t, &w[from], &v)) {
		const struct cpp_word *of = v.text->words;

		if (of[v.from].kind == '(' && cpp_bracket_end(of, v.until,
					v.from) + 1 == v.until)
			return parts_read(t, of, v.from, v.until, out);
		if (of[v.from].kind == '{' || cpp_is(&of[v.from], "dim3"))
			return parts_read(t, of, v.from +
					  (of[v.from].kind != '{'), v.until,
					  out);
	}
	if (!shown_value(t, w, from, until, &value) || !is_dimension(t, value))
		return false;
	*out = (struct trace_dim) { (uint32_t)value, 1, 1 };
	return true;
}
