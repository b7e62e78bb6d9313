/*
 * dwarf: makes an object file of the sections, in memory. See dwarf.h.
 */
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gpu/record/dwarf.h"

/* A symbol's variables are closer to it than the next symbol is. */
#define SYMBOL_SHIFT 32

static uint64_t symbol_address(struct dwarf *d, const char *symbol)
{
	size_t i;

	for (i = 0; i < d->symbol_count; i++)
		if (!strcmp(d->symbols[i], symbol))
			break;
	if (i == d->symbol_count) {
		grow(&d->symbols, &d->symbol_capacity, i + 1,
		     sizeof(*d->symbols));
		d->symbols[d->symbol_count++] = symbol;
	}
	return (uint64_t)(i + 1) << SYMBOL_SHIFT;
}

/* Writes a section's references. Sections begin at 0, as in any object file. */
static void references_put(struct dwarf *d, const struct ptx_section *s)
{
	for (size_t i = 0; i < s->reference_count; i++) {
		const struct ptx_reference *r = &s->references[i];
		uint64_t value = r->add;
		size_t bytes = r->wide ? 8 : 4;

		if (r->wide && r->symbol[0] != '.')
			value += symbol_address(d, r->symbol);
		for (size_t b = 0; b < bytes; b++)
			s->bytes[r->at + b] = (uint8_t)(value >> 8 * b);
	}
}

static bool elf_section_add(Elf *elf, size_t name, void *bytes, size_t length,
			    uint32_t type)
{
	Elf_Scn *scn = elf_newscn(elf);
	Elf_Data *data = scn ? elf_newdata(scn) : NULL;
	GElf_Shdr header;

	if (!data || !gelf_getshdr(scn, &header))
		return false;
	data->d_buf = bytes;
	data->d_size = length;
	data->d_align = 1;
	header.sh_name = (GElf_Word)name;
	header.sh_type = type;
	return gelf_update_shdr(scn, &header) != 0;
}

static bool object_fill(Elf *elf, const struct ptx *p, struct str *names)
{
	GElf_Ehdr header;
	size_t own;

	if (!gelf_newehdr(elf, ELFCLASS64) || !gelf_getehdr(elf, &header))
		return false;
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	header.e_type = ET_REL;
	header.e_machine = EM_CUDA;
	header.e_version = EV_CURRENT;
	str_addn(names, "", 1);
	for (size_t i = 0; i < p->section_count; i++) {
		const struct ptx_section *s = &p->sections[i];
		size_t name = names->len;

		str_addn(names, s->name, strlen(s->name) + 1);
		if (!elf_section_add(elf, name, s->bytes, s->length,
				     SHT_PROGBITS))
			return false;
	}
	own = names->len;
	str_addn(names, ".shstrtab", sizeof(".shstrtab"));
	if (!elf_section_add(elf, own, names->data, names->len, SHT_STRTAB))
		return false;
	header.e_shstrndx = (GElf_Half)(p->section_count + 1);
	return gelf_update_ehdr(elf, &header) &&
	       elf_update(elf, ELF_C_WRITE) >= 0;
}

static int object_write(int fd, const struct ptx *p)
{
	struct str names = { 0 };
	Elf *elf;
	bool done;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_WRITE, NULL);
	done = elf && object_fill(elf, p, &names);
	elf_end(elf);
	str_done(&names);
	return done ? 0 : -1;
}

int dwarf_read(struct dwarf *d, const struct ptx *p, struct error *e)
{
	int fd;

	memset(d, 0, sizeof(*d));
	fd = memfd_create("gemmviz-debug", MFD_CLOEXEC);
	if (fd < 0)
		return error_set(e, EXIT_RUNNER, "no memory for the debug "
				 "information: %m");
	for (size_t i = 0; i < p->section_count; i++)
		references_put(d, &p->sections[i]);
	if (object_write(fd, p) < 0)
		error_set(e, EXIT_INPUT, "the debug information in the PTX "
			  "is unreadable: %s", elf_errmsg(-1));
	else
		d->debug = debug_open(fd, e);
	close(fd);
	return d->debug ? 0 : -1;
}

void dwarf_done(struct dwarf *d)
{
	debug_free(d->debug);
	free(d->symbols);
	memset(d, 0, sizeof(*d));
}

const char *dwarf_symbol(const struct dwarf *d, const struct debug_var *v,
			 uint64_t *offset)
{
	uint64_t number = (uint64_t)v->at >> SYMBOL_SHIFT;

	*offset = (uint64_t)v->at & ((1ull << SYMBOL_SHIFT) - 1);
	if (v->home != DEBUG_DATA || number == 0 || number > d->symbol_count)
		return NULL;
	return d->symbols[number - 1];
}
