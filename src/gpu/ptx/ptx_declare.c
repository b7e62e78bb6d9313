/*
 * ptx_declare: finds variables, functions and files. See ptx_job.h.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/ptx/ptx_job.h"

static void symbol_add(struct ptx_job *j, uint32_t name,
		       const struct ptx_symbol *symbol)
{
	struct ptx *p = j->p;

	grow(&p->symbols, &j->symbol_capacity, p->symbol_count + 1,
	     sizeof(*p->symbols));
	p->symbols[p->symbol_count] = *symbol;
	p->symbols[p->symbol_count].name = j->t->names[name].text;
	j->t->names[name].symbol = p->symbol_count++;
}

static void depot_set(struct ptx_job *j, uint32_t name,
		      const struct ptx_symbol *s)
{
	struct ptx_function *f = &j->p->functions[j->function];
	const char *text = j->t->names[name].text;

	if (strncmp(text, "__local_depot", 13) != 0 ||
	    strlen(text) >= sizeof(f->depot))
		return;
	strcpy(f->depot, text);
	f->depot_bytes = MIN(s->bytes, UINT32_MAX);
}

/* Returns the bytes of NAME[N][N] with elements of `bytes`; i goes to its last
 * token. */
static uint64_t array_extent(const struct ptx_text *t, uint32_t *i,
			     uint32_t last, uint64_t bytes)
{
	uint64_t number;

	while (*i < last && t->tokens[*i + 1].kind == '[') {
		if (!ptx_number(t, *i + 2, &number) ||
		    __builtin_mul_overflow(bytes, number, &bytes))
			bytes = 0;
		*i = ptx_closing(t, *i + 1, last);
	}
	return bytes;
}

/* Adds the variables of a declaration: .shared .align 4 .v4 .f32 NAME[N] =
 * {...}, NAME; */
static void add_variables(struct ptx_job *j, const struct ptx_statement *s)
{
	const struct ptx_text *t = j->t;
	struct ptx_symbol symbol = { .function = j->function };
	uint64_t number, unit = 0, vector = 1;
	bool local = false;

	for (uint32_t i = s->first; i < s->last; i++) {
		const struct ptx_token *k = &t->tokens[i];
		struct ptx_part type = { t->text + k->at + 1, k->length - 1 };

		if (ptx_is(t, i, ".shared")) {
			symbol.space = PTX_SHARED;
		} else if (ptx_is(t, i, ".global")) {
			symbol.space = PTX_GLOBAL;
		} else if (ptx_is(t, i, ".local")) {
			local = true;
		} else if (ptx_is(t, i, ".align")) {
			if (ptx_number(t, ++i, &number))
				symbol.align = MIN(number, UINT32_MAX);
		} else if (ptx_is(t, i, ".v2") || ptx_is(t, i, ".v4")) {
			vector = t->text[k->at + 2] - '0';
		} else if (ptx_starts(t, i, ".")) {
			if (ptx_type_bytes(type) > 0)
				unit = ptx_type_bytes(type);
		} else if (k->kind == '(' || k->kind == '{') {
			i = ptx_closing(t, i, s->last);
		} else if (k->name != PTX_NONE) {
			symbol.bytes =
				array_extent(t, &i, s->last, unit * vector);
			if (!symbol.align)
				symbol.align = MAX(unit * vector, 1u);
			if (symbol.space != PTX_GENERIC)
				symbol_add(j, k->name, &symbol);
			else if (local && j->function != UINT32_MAX)
				depot_set(j, k->name, &symbol);
			while (i + 1 < s->last && t->tokens[i + 1].kind != ',')
				i = ptx_closing(t, i + 1, s->last);
		}
	}
}

static uint32_t name_parameters(struct ptx_job *j, uint32_t open, uint32_t last)
{
	const struct ptx_text *t = j->t;
	uint32_t close = ptx_closing(t, open, last), index = 0;

	for (uint32_t i = open + 1; i < close; i++) {
		const struct ptx_token *k = &t->tokens[i];

		if (k->kind == ',') {
			index++;
		} else if (k->kind == '[') {
			i = ptx_closing(t, i, close);
		} else if (k->name != PTX_NONE && !ptx_starts(t, i, ".")) {
			t->names[k->name].param_function = j->function;
			t->names[k->name].param = index;
		}
	}
	return close;
}

/* Finds the token of the function's name: after .entry, or after .func and its
 * result. */
uint32_t ptx_function_name(const struct ptx_text *t,
			   const struct ptx_statement *s, bool *entry)
{
	uint32_t i = s->first;

	*entry = false;
	while (i < s->last && !ptx_is(t, i, ".func") && !*entry)
		*entry = ptx_is(t, i++, ".entry");
	while (i < s->last && (ptx_starts(t, i, ".") ||
			       t->tokens[i].kind != 'w')) {
		if (t->tokens[i].kind == '(')
			i = ptx_closing(t, i, s->last);
		i++;
	}
	return i;
}

static int function_add(struct ptx_job *j, const struct ptx_statement *s)
{
	struct ptx *p = j->p;
	bool entry;
	uint32_t i = ptx_function_name(j->t, s, &entry);
	uint32_t name = j->t->tokens[i].name;

	if (name == PTX_NONE)
		return ptx_text_fail(j->t, i, EXIT_INPUT,
				     "not the name of a function");
	grow(&p->functions, &j->function_capacity, p->function_count + 1,
	     sizeof(*p->functions));
	p->functions[p->function_count] = (struct ptx_function) {
		.name = j->t->names[name].text, .entry = entry };
	j->t->names[name].function = j->function = p->function_count++;
	if (entry && i < s->last && j->t->tokens[i + 1].kind == '(')
		name_parameters(j, i + 1, s->last);
	return 0;
}

static void file_add(struct ptx_job *j, struct ptx_own *own,
		     const struct ptx_statement *s)
{
	const struct ptx_token *path = &j->t->tokens[s->first + 2];
	struct ptx *p = j->p;
	uint64_t index;

	if (!ptx_number(j->t, s->first + 1, &index) || path->length < 2)
		return;
	grow(&own->paths, &own->path_capacity, own->path_count + 1,
	     sizeof(*own->paths));
	grow(&p->files, &j->file_capacity, p->file_count + 1,
	     sizeof(*p->files));
	own->paths[own->path_count] = xstrndup(j->t->text + path->at + 1,
					       path->length - 2);
	p->files[p->file_count++] = (struct ptx_file) {
		.index = index, .path = own->paths[own->path_count++] };
}

/* Finds all declarations, before their names are used. */
int ptx_declarations(struct ptx_job *j, struct ptx_own *own)
{
	const struct ptx_text *t = j->t;
	size_t depth = 0;

	j->function = UINT32_MAX;
	for (size_t i = 0; i < t->statement_count; i++) {
		const struct ptx_statement *s = &t->statements[i];

		depth += s->kind == PTX_OPEN;
		if (s->kind == PTX_CLOSE && --depth == 0)
			j->function = UINT32_MAX;
		if (s->kind == PTX_FUNCTION && function_add(j, s) < 0)
			return -1;
		if (s->kind == PTX_DECLARE)
			add_variables(j, s);
		if (s->kind == PTX_FILE)
			file_add(j, own, s);
	}
	for (uint32_t i = 0; i + 1 < t->token_count; i++)
		if (ptx_starts(t, i, "gemmviz_") ||
		    ptx_starts(t, i, "%gemmviz_"))
			return ptx_text_fail(t, i, EXIT_INPUT,
					     "this name is the recorder's");
	return 0;
}
