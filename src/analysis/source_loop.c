/*
 * source_loop: see source_loop.h.
 */
#include "analysis/source_loop.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"

#define DEPTH_MOST 64

/* The words of a text, and where the reader stands. */
struct loop_reader {
	const struct trace_info *info;
	struct cpp_word *words;
	size_t count, at;
	const char *counted;	/* up to here lines were counted */
	uint32_t line;
};

/* Returns the line of a word; words must be asked for in their order. */
static uint32_t line_of_word(struct loop_reader *r, const struct cpp_word *w)
{
	for (; r->counted < w->at; r->counted++)
		r->line += *r->counted == '\n';
	return r->line;
}

static bool read_loop_number(const char *s, size_t length, long *v)
{
	char *copy = xstrndup(s, length), *end;

	*v = strtol(copy, &end, 0);
	length = (size_t)(end - copy);
	free(copy);
	return length > 0;
}

/* Reads a word: a number, or a macro of the launch. */
static bool word_value(const struct loop_reader *r, const struct cpp_word *w,
		       long *v)
{
	if (w->kind == CPP_NUMBER)
		return read_loop_number(w->at, w->length, v);
	for (size_t i = 0; w->kind == CPP_WORD && i < r->info->define_count;
	     i++)
		if (cpp_is(w, r->info->defines[i].name))
			return read_loop_number(r->info->defines[i].value,
					   strlen(r->info->defines[i].value),
					   v);
	return false;
}

/* Reads a step: t++, ++t, t += 2; the variable is l->name. */
static bool read_step(const struct loop_reader *r, const struct cpp_word *w,
		      struct source_loop *l)
{
	if (w[0].kind == '+' && w[1].kind == '+' && cpp_is(&w[2], l->name))
		w += 2;
	if (!cpp_is(&w[0], l->name))
		return false;
	l->step = 1;
	if (w[1].kind == '+' && w[2].kind == '=')
		return w[4].kind == ')' && word_value(r, &w[3], &l->step);
	return (w[1].kind == '+' && w[2].kind == '+') || w[1].kind == ')';
}

/* Reads a head from its parenthesis on, to after the closing one. */
static bool read_head(struct loop_reader *r, struct source_loop *l)
{
	size_t depth = 0, clause = 0, step = 0;
	const struct cpp_word *w = r->words;

	*l = (struct source_loop){ .name = "" };
	for (; r->at < r->count; r->at++) {
		size_t i = r->at;

		depth += w[i].kind == '(';
		if (w[i].kind == ')' && --depth == 0)
			break;
		if (w[i].kind == ';' && depth == 1 && ++clause == 2)
			step = i + 1;
		if (clause || *l->name || w[i].kind != CPP_WORD ||
		    w[i + 1].kind != '=' || w[i].length >= sizeof(l->name))
			continue;
		memcpy(l->name, w[i].at, w[i].length);
		l->counted = w[i + 3].kind == ';' &&
			     word_value(r, &w[i + 2], &l->start);
	}
	if (r->at == r->count)
		return false;
	l->counted = l->counted && step && step + 5 < r->count &&
		     read_step(r, w + step, l);
	r->at++;
	return *l->name;
}

static bool loop_encloses(const struct source_loop *l, uint32_t line)
{
	return *l->name && l->first <= line && line <= l->last;
}

/* Reads braces until a loop around both lines ends. */
static bool find_source_loop(struct loop_reader *r, uint32_t line, uint32_t other,
		      struct source_loop *out)
{
	struct source_loop open[DEPTH_MOST], next = { .name = "" };
	size_t depth = 0;

	while (r->at < r->count) {
		const struct cpp_word *w = &r->words[r->at];
		uint32_t here = line_of_word(r, w);

		r->at++;
		if (cpp_is(w, "for") && r->words[r->at].kind == '(') {
			read_head(r, &next);
			next.first = here;
			continue;
		}
		if (w->kind == '{') {
			if (depth == DEPTH_MOST)
				return false;
			open[depth++] = next;
		} else if (w->kind == '}' && depth) {
			*out = open[--depth];
			out->last = here;
			if (loop_encloses(out, line) && loop_encloses(out, other))
				return true;
		}
		next.name[0] = '\0';
	}
	return false;
}

bool source_loop_find(const struct trace_info *info, uint32_t line,
		      uint32_t other, struct source_loop *out)
{
	struct loop_reader r = { .info = info, .counted = info->text,
				 .line = 1 };
	bool found;

	r.words = cpp_code(info->text, strlen(info->text), true, &r.count);
	found = find_source_loop(&r, line, other, out);
	free(r.words);
	return found;
}
