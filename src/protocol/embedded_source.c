/*
 * embedded_source: see embedded_source.h.
 */
#include "protocol/embedded_source.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpp_launch.h"
#include "base/lang.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "protocol/python_strings.h"

struct embedded_kernel {
	char *name;
	unsigned line;
};

/* A string, or a cell, that has kernels. */
struct embedded_unit {
	unsigned cell;			/* from 1; 0: no notebook */
	struct python_string string;
	char *value;
	struct embedded_kernel *kernels;
	size_t count, capacity;
};

struct embedded_search {
	const char *file;
	const json_t *cells;		/* of a notebook */
	const char *name;		/* of the kernel, "" for any */
	size_t name_length;
	long at;			/* its line or cell; 0: any */
	struct embedded_unit *units;
	size_t count, capacity;
	/* Why the first string was refused that could be meant. */
	bool refused;
	struct error why;
};

/* ---- kernels of a text ---- */

/* Words of a kernel's parameters, at most: a text may be made to take long. */
#define PARAMETER_WORDS 4096

/* Returns the name of the function that is defined behind __global__ at i, or
 * NULL. */
static const struct cpp_word *find_embedded_kernel(const struct cpp_word *w,
					       size_t count, size_t i)
{
	for (i++; i + 1 < count && w[i].kind != ';' && w[i].kind != '{'; i++) {
		size_t end;

		if (w[i].kind != CPP_WORD || w[i + 1].kind != '(')
			continue;
		end = cpp_bracket_end(w, MIN(count, i + PARAMETER_WORDS),
				      i + 1);
		if (end + 1 < count && w[end + 1].kind == '{')
			return &w[i];
		/* as in __launch_bounds__(256) */
		if (strncmp(w[i].at, "__", 2) != 0)
			return NULL;
		i = end;
	}
	return NULL;
}

/* Adds the kernels that a unit's value defines; `line` is that of its first
 * line. */
static void add_kernels(struct embedded_unit *u, unsigned line)
{
	size_t count;
	struct cpp_word *w = cpp_code(u->value, strlen(u->value), true, &count);
	const char *counted = u->value;

	for (size_t i = 0; i < count; i++) {
		const struct cpp_word *name =
			cpp_is(&w[i], "__global__") ?
				find_embedded_kernel(w, count, i) : NULL;

		if (!name)
			continue;
		for (; counted < name->at; counted++)
			line += *counted == '\n';
		grow(&u->kernels, &u->capacity, u->count + 1,
		     sizeof(*u->kernels));
		u->kernels[u->count++] = (struct embedded_kernel){
			xstrndup(name->at, name->length), line };
	}
	free(w);
}

/* ---- search ---- */

static void unit_done(struct embedded_unit *u)
{
	for (size_t i = 0; i < u->count; i++)
		free(u->kernels[i].name);
	free(u->kernels);
	free(u->value);
}

/* Tests whether a kernel is the one that is asked for. */
static bool is_wanted_kernel(const struct embedded_search *s,
		      const struct embedded_unit *u,
		      const struct embedded_kernel *k)
{
	return (!s->at || (long)(u->cell ? u->cell : k->line) == s->at) &&
	       (!s->name_length || (strlen(k->name) == s->name_length &&
				    !strncmp(k->name, s->name,
					     s->name_length)));
}

/* Keeps a unit that has what is asked for; it is taken over. */
static void keep_unit(struct embedded_search *s, struct embedded_unit *u)
{
	bool wanted = u->cell && (long)u->cell == s->at && !s->name_length;

	for (size_t i = 0; i < u->count && !wanted; i++)
		wanted = is_wanted_kernel(s, u, &u->kernels[i]);
	if (!wanted) {
		unit_done(u);
		return;
	}
	grow(&s->units, &s->capacity, s->count + 1, sizeof(*s->units));
	s->units[s->count++] = *u;
}

/* Tests whether a word is in `length` bytes, at whatever place. */
static bool has_bytes(const char *text, size_t length, const char *word,
		     size_t n)
{
	return !n || memmem(text, length, word, n);
}

static char *name_file(const struct embedded_search *s, unsigned cell)
{
	return cell ? xasprintf("%s:cell %u", s->file, cell) : xstrdup(s->file);
}

/* Takes a string that may have kernels. */
static void search_string(struct embedded_search *s, const char *text,
			  const struct python_string *string, unsigned cell)
{
	struct embedded_unit u = { .cell = cell, .string = *string };
	const char *from = text + string->from;
	size_t length = string->to - string->from;
	char *file;
	struct error why;

	if (!has_bytes(from, length, "__global__", 10))
		return;
	file = name_file(s, cell);
	u.value = python_string_value(text, string, file, &why);
	free(file);
	if (u.value) {
		add_kernels(&u, string->line);
		keep_unit(s, &u);
	} else if (!s->refused && has_bytes(from, length, s->name,
					   s->name_length)) {
		s->refused = true;
		s->why = why;
	}
}

static void search_python(struct embedded_search *s, const char *text,
			  unsigned cell)
{
	struct python_strings strings;

	python_strings_read(&strings, text, strlen(text));
	for (size_t i = 0; i < strings.count; i++)
		search_string(s, text, &strings.list[i], cell);
	python_strings_done(&strings);
}

/* ---- notebooks ---- */

/* Returns a cell's text, which is a string or a list of them; heap, NULL if it
 * is no cell with code. */
static char *read_cell(const json_t *cell)
{
	const char *type = json_string_value(json_object_get(cell,
							     "cell_type"));
	const json_t *source = json_object_get(cell, "source");
	struct str s = { 0 };

	if (!type || strcmp(type, "code") != 0)
		return NULL;
	str_add(&s, json_is_string(source) ? json_string_value(source) : "");
	for (size_t i = 0; i < json_array_size(source); i++) {
		const char *line = json_string_value(json_array_get(source, i));

		str_add(&s, line ? line : "");
	}
	return str_take(&s);
}

/* Tests whether a cell's first line makes the rest of it CUDA text. */
static bool is_cuda_cell(const char *text)
{
	size_t n = strcspn(text, "\n");
	char *line = xstrndup(text, n);
	size_t end = n;
	bool is;

	while (end && strchr(" \t\r", line[end - 1]))
		line[--end] = '\0';
	is = !strncmp(line, "%%cu", 4) ||
	     (!strncmp(line, "%%writefile ", 12) &&
	      kernel_is_file(line) && !kernel_is_python(line));
	free(line);
	return is;
}

static void search_cell(struct embedded_search *s, char *text, unsigned cell)
{
	struct embedded_unit u = { .cell = cell };

	if (!is_cuda_cell(text)) {
		search_python(s, text, cell);
		return;
	}
	u.value = xstrdup(text + strcspn(text, "\n"));
	add_kernels(&u, 1);
	keep_unit(s, &u);
}

/* Searches the cells of *whole, which is to be freed. Returns -1 with e. */
static int search_notebook(struct embedded_search *s, json_t **whole,
			   const char *text, struct error *e)
{
	json_error_t why;
	const json_t *cells;
	int rc = 0;

	*whole = json_loads(text, 0, &why);
	s->cells = cells = json_object_get(*whole, "cells");

	if (!*whole)
		rc = error_set(e, EXIT_INPUT, _("%s:%d: not JSON: %s"),
			       text_show(s->file), why.line,
			       text_show(why.text));
	else if (!json_is_array(cells))
		rc = error_set(e, EXIT_INPUT, _("%s: not a notebook of format "
						"4"), text_show(s->file));
	for (size_t i = 0; i < json_array_size(cells); i++) {
		char *cell = read_cell(json_array_get(cells, i));

		if (cell)
			search_cell(s, cell, (unsigned)i + 1);
		free(cell);
	}
	return rc;
}

/* ---- choose ---- */

/* Reads NAME@N; N is left 0 if the name has none. */
static void read_entry(struct embedded_search *s, const char *entry)
{
	const char *end = strchr(entry, '@'), *name;
	size_t n;

	if (end && !parse_int(end + 1, 1, INT32_MAX, &s->at))
		end = NULL;
	n = end ? (size_t)(end - entry) : strlen(entry);
	/* "ns::add<float>" is an instance of add. */
	name = memchr(entry, '<', n);
	n = name ? (size_t)(name - entry) : n;
	for (name = entry + n; name > entry && name[-1] != ':';)
		name--;
	s->name = name;
	s->name_length = (size_t)(entry + n - name);
}

/* Returns what --entry may be given, "add@12, mul@30"; heap. */
static char *list_choices(const struct embedded_search *s)
{
	enum { MOST = 400 };	/* bytes; a struct error has no more */
	struct str list = { 0 };

	str_add(&list, "");
	for (size_t i = 0; i < s->count && list.len < MOST; i++) {
		const struct embedded_unit *u = &s->units[i];

		for (size_t k = 0; k < u->count && list.len < MOST; k++)
			if (is_wanted_kernel(s, u, &u->kernels[k]))
				str_addf(&list, "%s%s@%u", list.len ? ", " : "",
					 text_show(u->kernels[k].name),
					 u->cell ? u->cell :
						   u->kernels[k].line);
		if (!u->count)
			str_addf(&list, "%s@%u", list.len ? ", " : "", u->cell);
	}
	if (list.len >= MOST)
		str_add(&list, ", ...");
	return str_take(&list);
}

/* Sets e to the reason why no unit is taken. Returns -1. */
static int refuse_choice(const struct embedded_search *s, const char *entry,
			 struct error *e)
{
	char *list = s->count ? list_choices(s) : NULL;
	const char *file = text_show(s->file);

	if (list)
		error_set(e, EXIT_USAGE, _("%s has several kernels; choose one "
					   "with --entry: %s"), file, list);
	else if (s->refused)
		*e = s->why;
	else if (entry)
		error_set(e, EXIT_USAGE, _("%s has no kernel %s in its "
					   "strings"), file, text_show(entry));
	else
		error_set(e, EXIT_USAGE, _("%s has no CUDA kernel in its "
					   "strings"), file);
	free(list);
	return -1;
}

/* Makes the result of the one unit that is left. */
static void take_unit(struct embedded_source *out,
		      const struct embedded_search *s, const char *text,
		      const char *entry)
{
	const struct embedded_unit *u = &s->units[0];
	char *cell = u->cell ? read_cell(json_array_get(s->cells, u->cell - 1)) :
			       NULL;

	/* A cell of CUDA text has no string. */
	out->text = u->string.line ?
		    python_string_place(cell ? cell : text, &u->string,
					u->value) : xstrdup(u->value);
	out->file = name_file(s, u->cell);
	if (entry && s->name_length)
		out->entry = xstrndup(entry, strcspn(entry, "@"));
	free(cell);
}

bool embedded_is_notebook(const char *file)
{
	const char *end = strrchr(file, '.');

	return end && !strcmp(end, ".ipynb");
}

int embedded_source_find(struct embedded_source *out, const char *file,
			 const char *text, const char *entry, struct error *e)
{
	struct embedded_search s = { .file = file, .name = "" };
	json_t *notebook = NULL;
	int rc = 0;

	*out = (struct embedded_source){ .text = NULL };
	if (entry)
		read_entry(&s, entry);
	if (!embedded_is_notebook(file))
		search_python(&s, text, 0);
	else
		rc = search_notebook(&s, &notebook, text, e);
	if (rc == 0 && s.count == 1)
		take_unit(out, &s, text, entry);
	else if (rc == 0)
		rc = refuse_choice(&s, entry, e);
	for (size_t i = 0; i < s.count; i++)
		unit_done(&s.units[i]);
	free(s.units);
	json_decref(notebook);
	return rc;
}

void embedded_source_done(struct embedded_source *s)
{
	free(s->text);
	free(s->file);
	free(s->entry);
	*s = (struct embedded_source){ .text = NULL };
}
