/*
 * shown_launch: see shown_launch.h.
 */
#include "protocol/shown_launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpp_launch.h"
#include "protocol/shown_value.h"

/* Returns the kernel's own name in "ns::kernel<float, 16>", of n bytes. */
static const char *bare_kernel_name(const char *entry, size_t *n)
{
	const char *end = entry + strcspn(entry, "<"), *s = end;

	while (s > entry && s[-1] != ':')
		s--;
	*n = (size_t)(end - s);
	return s;
}

/* Returns the last word of the launched kernel's name, before its template
 * arguments. */
static size_t name_word(const struct cpp_word *w, const struct cpp_launch *l)
{
	size_t at = l->name;

	while (at + 3 < l->open && w[at + 1].kind == ':')
		at += 3;
	return at;
}

/* ---- a template's arguments ---- */

/* Tests whether the word is a template parameter, whose value the text does not
 * show. */
static bool is_parameter(const struct shown_text *t, const struct cpp_word *w)
{
	for (size_t i = 1; i < t->count; i++)
		if (t->words[i].length == w->length &&
		    !memcmp(t->words[i].at, w->at, w->length) &&
		    (cpp_is(&t->words[i - 1], "typename") ||
		     cpp_is(&t->words[i - 1], "class")))
			return true;
	return false;
}

/* Writes one argument, as a number where its value is known; false when the
 * text does not show it. */
static bool argument_write(struct shown_texts *t, struct str *to,
			   const struct cpp_word *w, size_t from, size_t until)
{
	int64_t value;

	if (until == from + 1 && (cpp_is(&w[from], "true") ||
				  cpp_is(&w[from], "false"))) {
		str_addn(to, w[from].at, w[from].length);
		return true;
	}
	if (shown_value(t, w, from, until, &value)) {
		str_addf(to, "%lld", (long long)value);
		return true;
	}
	for (size_t i = from; i < until; i++)
		if (is_parameter(t->here, &w[i]))
			return false;
	if (until > from)
		str_addn(to, w[from].at, (size_t)(w[until - 1].at +
					 w[until - 1].length - w[from].at));
	return until > from;
}

static char *entry_make(struct shown_texts *t, const struct cpp_launch *l)
{
	const struct cpp_word *w = t->here->words;
	size_t at = name_word(w, l) + 1;
	char unknown[sizeof(t->unknown)];
	struct str s = { 0 };
	bool shown = true;

	memcpy(unknown, t->unknown, sizeof(unknown));
	str_addn(&s, w[l->name].at, (size_t)(w[at - 1].at + w[at - 1].length -
					     w[l->name].at));
	if (at < l->open)
		str_addc(&s, '<');
	while (shown && at + 1 < l->open) {
		size_t next = shown_argument_end(w, at + 1, l->open - 1);

		shown = argument_write(t, &s, w, at + 1, next);
		str_add(&s, next < l->open - 1 ? ", " : ">");
		at = next;
	}
	memcpy(t->unknown, unknown, sizeof(unknown));
	if (shown)
		return str_take(&s);
	str_done(&s);
	return NULL;
}

/* ---- the launch ---- */

static void config_read(struct shown_launch *s, struct shown_texts *t,
			const struct cpp_launch *l)
{
	const struct cpp_word *w = t->here->words;
	size_t at = l->open + 3;
	size_t grid = shown_argument_end(w, at, l->close);
	size_t block = shown_argument_end(w, grid + 1, l->close);
	size_t shared = shown_argument_end(w, block + 1, l->close);
	int64_t bytes;

	s->has_grid = shown_dims(t, w, at, grid, &s->grid);
	s->has_block = shown_dims(t, w, grid + 1, block, &s->block);
	if (block < l->close && shown_value(t, w, block + 1, shared, &bytes) &&
	    bytes >= 0 && bytes <= SHARED_MOST) {
		s->has_shared = true;
		s->shared = (uint32_t)bytes;
	}
}

static void passed_read(struct shown_launch *s, struct shown_texts *t,
			const struct cpp_launch *l)
{
	const struct cpp_word *w = t->here->words;
	char unknown[sizeof(t->unknown)];
	size_t next;

	memcpy(unknown, t->unknown, sizeof(unknown));
	for (size_t at = l->close + 4; at < l->end &&
		     s->passed_count < SHOWN_PASSED; at = next + 1) {
		struct shown_passed *p = &s->passed[s->passed_count++];
		bool sized = t->sized;

		next = shown_argument_end(w, at, l->end);
		t->sized = false;
		p->known = shown_real(t, w, at, next, &p->value);
		p->sized = t->sized;
		t->sized = sized;
		if (!shown_is_local(t, w, at, next, p->name))
			*p->name = '\0';
	}
	memcpy(t->unknown, unknown, sizeof(unknown));
}

static uint32_t word_line(const struct shown_text *t, const char *text,
			  size_t word)
{
	uint32_t line = 1;

	for (const char *c = text; c < t->words[word].at; c++)
		line += *c == '\n';
	return line;
}

/* Tests whether the launch is of the entry; NULL accepts any kernel. */
static bool is_launch_of(const struct cpp_word *w, const struct cpp_launch *l,
			 const char *entry)
{
	const struct cpp_word *name = &w[name_word(w, l)];
	size_t n = 0;
	const char *own = entry ? bare_kernel_name(entry, &n) : NULL;

	return name->kind == CPP_WORD && (!own || (name->length == n &&
				!memcmp(name->at, own, n)));
}

/* Tests whether the texts launch more than one kernel: then none is chosen. */
static bool are_several(const struct shown_texts *t)
{
	const struct cpp_word *first = NULL;

	for (size_t i = 0; i < t->count; i++)
		for (size_t n = 0; n < t->list[i].count; n++) {
			const struct cpp_word *w = t->list[i].words, *name;
			struct cpp_launch l;

			if (!cpp_launch_read(w, t->list[i].count, n, &l))
				continue;
			name = &w[name_word(w, &l)];
			if (!first)
				first = name;
			if (name->length != first->length ||
			    memcmp(name->at, first->at, name->length) != 0)
				return true;
		}
	return false;
}

/* Finds the launch in the i-th text; false when there is none. */
static bool text_search(struct shown_launch *s, struct shown_texts *t, size_t i,
			const struct job_kernel *k)
{
	const struct shown_text *own = &t->list[i];
	struct cpp_launch l;

	for (size_t n = 0; n < own->count; n++) {
		if (!cpp_launch_read(own->words, own->count, n, &l) ||
		    !is_launch_of(own->words, &l, k->entry))
			continue;
		t->here = own;
		t->at = l.name;
		config_read(s, t, &l);
		passed_read(s, t, &l);
		s->entry = entry_make(t, &l);
		s->file = xstrdup(own->name);
		s->line = word_line(own,
				    i ? k->headers.list[i - 1].value : k->text,
				    l.open);
		return true;
	}
	return false;
}

void shown_launch_find(struct shown_launch *s, const struct job *job,
		       const struct shown_names *set, uint32_t literal)
{
	struct shown_texts t;

	*s = (struct shown_launch) { .file = NULL };
	shown_texts_init(&t, job);
	t.set = set;
	t.literal = literal;
	s->several = !job->kernel.entry && are_several(&t);
	for (size_t i = 0; i < t.count && !s->several; i++)
		if (text_search(s, &t, i, &job->kernel))
			break;
	s->sized = t.sized;
	s->none = t.none;
	memcpy(s->unknown, t.unknown, sizeof(s->unknown));
	shown_texts_done(&t);
}

void shown_launch_done(struct shown_launch *s)
{
	free(s->file);
	free(s->entry);
}
