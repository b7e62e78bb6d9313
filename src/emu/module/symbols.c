/*
 * symbols: see symbols.h.
 */
#include "emu/module/symbols.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

static void symbol_take(struct symbols *s, Elf *elf, size_t names,
			const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info);
	const char *name = elf_strptr(elf, names, symbol->st_name);
	Elf_Scn *section = elf_getscn(elf, symbol->st_shndx);
	struct symbol *to;
	GElf_Shdr in;

	if (symbol->st_shndx == SHN_UNDEF && name && *name) {
		grow(&s->wanted, &s->wanted_capacity, s->wanted_count + 1,
		     sizeof(*s->wanted));
		s->wanted[s->wanted_count++] = xstrdup(name);
	}
	if (symbol->st_shndx == SHN_UNDEF || !name || !*name ||
	    (type != STT_FUNC && type != STT_OBJECT) ||
	    symbol->st_shndx >= SHN_LORESERVE || !section ||
	    !gelf_getshdr(section, &in))
		return;
	grow(&s->list, &s->capacity, s->count + 1, sizeof(*s->list));
	to = &s->list[s->count];
	*to = (struct symbol) {
		.name = xstrdup(name), .at = symbol->st_value,
		.bytes = symbol->st_size, .function = type == STT_FUNC,
	};
	elf_getshdrstrndx(elf, &names);
	name = elf_strptr(elf, names, in.sh_name);
	/* Tables of virtual functions stand in .data.rel.ro. */
	to->variable = type == STT_OBJECT && name &&
		       (!strcmp(name, ".data") || !strcmp(name, ".bss"));
	s->count++;
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at ? 1 :
	       strcmp(x->name, y->name);
}

/* Compares by name; those of one name by address, as by_address has put
 * them. */
static int by_name(const void *a, const void *b)
{
	const struct symbol *const *x = a, *const *y = b;
	int names = strcmp((*x)->name, (*y)->name);

	return names ? names : (*x > *y) - (*x < *y);
}

/* Makes the list by name. Local functions of several files may have one name:
 * the linker keeps the order of the files. */
static void names_set(struct symbols *s)
{
	s->named = xmalloc(s->count * sizeof(struct symbol *));
	for (size_t i = 0; i < s->count; i++)
		s->named[i] = &s->list[i];
	qsort(s->named, s->count, sizeof(*s->named), by_name);
	for (size_t i = 1; i < s->count; i++)
		if (!strcmp(s->named[i]->name, s->named[i - 1]->name))
			s->named[i]->nth = s->named[i - 1]->nth + 1;
}

void symbols_read(struct symbols *s, int fd)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	Elf_Scn *section = NULL;
	size_t names = 0;
	GElf_Shdr header;
	GElf_Sym symbol;

	if (!elf || elf_getshdrstrndx(elf, &names) < 0) {
		elf_end(elf);
		return;
	}
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header))
			continue;
		if (header.sh_type != SHT_SYMTAB)
			continue;
		for (int i = 0; gelf_getsym(elf_getdata(section, NULL), i,
					    &symbol); i++)
			symbol_take(s, elf, header.sh_link, &symbol);
	}
	elf_end(elf);
	if (!s->count)
		return;
	qsort(s->list, s->count, sizeof(*s->list), by_address);
	names_set(s);
}

void symbols_done(struct symbols *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->list[i].name);
	free(s->list);
	free(s->named);
	for (size_t i = 0; i < s->wanted_count; i++)
		free(s->wanted[i]);
	free(s->wanted);
	*s = (struct symbols){ 0 };
}

const struct symbol *symbols_at(const struct symbols *s, uint64_t at)
{
	size_t low = 0, high = s->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->list[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->count && s->list[low].at == at ? &s->list[low] : NULL;
}

static int named_compare(const void *key, const void *of)
{
	const struct symbol *k = key, *const *s = of;
	int names = strcmp(k->name, (*s)->name);

	return names ? names : (k->nth > (*s)->nth) - (k->nth < (*s)->nth);
}

const struct symbol *symbols_named(const struct symbols *s, const char *name,
				   uint32_t nth)
{
	const struct symbol key = { .name = (char *)name, .nth = nth };
	struct symbol **found = s->count ?
		bsearch(&key, s->named, s->count, sizeof(*s->named),
			named_compare) : NULL;

	return found ? *found : NULL;
}
