/*
 * symbols: see symbols.h.
 */
#include "emu/symbols.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#define PATCHABLE "__patchable_function_entries"

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

/* Local functions of several files may have one name: the linker keeps the
 * order of the files. */
static void nths_set(struct symbols *s)
{
	for (size_t i = 0; i < s->count; i++)
		for (size_t j = 0; j < i; j++)
			s->list[i].nth += !strcmp(s->list[i].name,
						  s->list[j].name);
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
		const char *name;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name && !strcmp(name, PATCHABLE)) {
			s->patchable = header.sh_addr;
			s->patchable_count = header.sh_size / sizeof(uint64_t);
		}
		if (header.sh_type != SHT_SYMTAB)
			continue;
		for (int i = 0; gelf_getsym(elf_getdata(section, NULL), i,
					    &symbol); i++)
			symbol_take(s, elf, header.sh_link, &symbol);
	}
	elf_end(elf);
	if (s->count)
		qsort(s->list, s->count, sizeof(*s->list), by_address);
	nths_set(s);
}

void symbols_done(struct symbols *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->list[i].name);
	free(s->list);
	for (size_t i = 0; i < s->wanted_count; i++)
		free(s->wanted[i]);
	free(s->wanted);
	*s = (struct symbols){ 0 };
}

const struct symbol *symbols_at(const struct symbols *s, uint64_t at)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].at == at)
			return &s->list[i];
	return NULL;
}

const struct symbol *symbols_named(const struct symbols *s, const char *name,
				   uint32_t nth)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].nth == nth && !strcmp(s->list[i].name, name))
			return &s->list[i];
	return NULL;
}
