/*
 * device_variables: keeps the __device__ and __constant__ variables of each
 * device. The host's module has them once, with the values of the current
 * device; the others' values are stored here. See devices.h.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpp_words.h"
#include "cudart/devices.h"
#include "cudart/program.h"

static struct device_variable {
	unsigned char *at;
	size_t bytes;
	unsigned char *held[DEVICES_MOST];	/* NULL: as at the beginning */
	unsigned char *first;
} * list;
static size_t count, capacity;

/* Returns whether a symbol is the variable of this name in any namespace: a
 * mangled name has each word's length before it. */
static bool is_symbol_of(const struct symbol *s, const struct cpp_word *name)
{
	char word[96];
	const char *at = s->name;

	if (strlen(s->name) == name->length &&
	    !memcmp(s->name, name->at, name->length))
		return true;
	snprintf(word, sizeof(word), "%zu%.*s", name->length,
		 (int)name->length, name->at);
	if (strncmp(at, "_Z", 2) != 0)
		return false;
	do
		at = strstr(at + 1, word);
	while (at && cpp_digit(at[-1]));
	return at != NULL;
}

/* Adds the variables of this name that the host's module has. */
static void variable_add(const struct cpp_word *name)
{
	for (size_t i = 0; i < program.host_symbols.count; i++) {
		const struct symbol *s = &program.host_symbols.list[i];
		struct device_variable *v;

		if (!s->variable || !s->bytes || !is_symbol_of(s, name))
			continue;
		grow(&list, &capacity, count + 1, sizeof(*list));
		v = &list[count++];
		*v = (struct device_variable){
			.at = (void *)(program.host->load + s->at),
			.bytes = s->bytes,
			.first = xmalloc(s->bytes),
		};
		memcpy(v->first, v->at, v->bytes);
	}
}

static bool is_attribute(const struct cpp_word *w)
{
	return cpp_is(w, "__align__") || cpp_is(w, "__attribute__") ||
	       cpp_is(w, "alignas") || cpp_is(w, "__launch_bounds__");
}

/* Adds the variables of a declaration: the last word before each '[', '=', '{',
 * ',' or ';'. w: its first word. A '(' that belongs to no attribute makes it a
 * function. Managed variables are skipped: they exist once for all devices. */
static void read_declared_variables(const struct cpp_word *w)
{
	const struct cpp_word *last = NULL;
	int depth = 0;

	for (; w->kind; w++) {
		bool ends = w->kind == '[' || w->kind == '=' ||
			    w->kind == '{' || w->kind == ',' || w->kind == ';';

		if (cpp_is(w, "__managed__") ||
		    (w->kind == '(' && depth == 0 && !is_attribute(w - 1)))
			return;
		if (ends && depth == 0 && last)
			variable_add(last);
		if (w->kind == ';' || (w->kind == '{' && !last))
			return;
		if (ends && depth == 0)
			last = NULL;
		depth += (w->kind == '(' || w->kind == '[' || w->kind == '{' ||
			  w->kind == '<') -
			 (w->kind == ')' || w->kind == ']' || w->kind == '}' ||
			  w->kind == '>');
		if (w->kind == CPP_WORD && depth == 0 && !is_attribute(w))
			last = w;
	}
}

/* Adds all variables that a text declares __device__ or __constant__. */
static void read_text_variables(const char *text)
{
	size_t n;
	struct cpp_word *w = cpp_code(text, strlen(text), false, &n);

	for (size_t i = 0; i < n; i++)
		if (cpp_is(&w[i], "__device__") ||
		    cpp_is(&w[i], "__constant__"))
			read_declared_variables(&w[i + 1]);
	free(w);
}

void device_variables_keep(void)
{
	const struct job_kernel *k = &program.job.kernel;

	read_text_variables(k->text);
	for (size_t i = 0; i < k->headers.count; i++)
		read_text_variables(k->headers.list[i].value);
}

bool device_has_variable(const void *p)
{
	for (size_t i = 0; i < count; i++)
		if ((uintptr_t)p - (uintptr_t)list[i].at < list[i].bytes)
			return true;
	return false;
}

bool device_has_managed(const void *p)
{
	const struct module *m = program.host;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < program.host_symbols.count; i++) {
		const struct symbol *s = &program.host_symbols.list[i];

		if (s->variable && (m->load + s->at) % page == 0 &&
		    (uintptr_t)p - (m->load + s->at) < s->bytes)
			return true;
	}
	return false;
}

void device_variables_swap(uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < count; i++) {
		struct device_variable *v = &list[i];

		if (!v->held[from])
			v->held[from] = xmalloc(v->bytes);
		memcpy(v->held[from], v->at, v->bytes);
		memcpy(v->at, v->held[to] ? v->held[to] : v->first, v->bytes);
	}
}
