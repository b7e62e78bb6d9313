/* cubin: see cubin.h. */
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "toolkit/cubin.h"

/* Attributes of .nv.info, and how their values are stored. */
#define ATTRIBUTE_SIZED 4
#define ATTRIBUTE_FRAME 0x11
#define ATTRIBUTE_PARAMETER 0x17
#define ATTRIBUTE_REGISTERS 0x2f
#define MACHINE_CUDA 190
/* sm_90 keeps these bytes at the beginning of shared memory. */
#define RESERVED_90 0x400
#define FIRST_90 0x210
#define FIRST_75 0x160
#define BANK_MOST (1u << 20)

static uint32_t read_u32_at(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Tests whether a mangled name is that of a function. */
static bool is_named(const char *mangled, const char *entry)
{
	char *start;
	bool is;

	if (!entry || !strcmp(mangled, entry))
		return true;
	start = xasprintf("_Z%zu%s", strlen(entry), entry);
	is = !strncmp(mangled, start, strlen(start));
	free(start);
	return is;
}

/* Looks through the kernels for the one that is wanted. */
static int find_entry(struct cubin *c, Elf *elf, size_t names,
		      const char *entry, struct error *e)
{
	static const char start[] = ".text.";
	struct str all = { 0 };
	unsigned found = 0;

	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		GElf_Shdr h;
		const char *name = gelf_getshdr(s, &h) ?
			elf_strptr(elf, names, h.sh_name) : NULL;

		if (!name || strncmp(name, start, strlen(start)) != 0)
			continue;
		name += strlen(start);
		str_addf(&all, "%s%s", all.len ? ", " : "", text_show(name));
		if (!is_named(name, entry))
			continue;
		found++;
		if (!c->entry || !strcmp(name, entry ? entry : "")) {
			free(c->entry);
			c->entry = xstrdup(name);
		}
	}
	c->entries = str_take(&all);
	if (!*c->entries)
		return error_set(e, EXIT_INPUT, "it has no kernel");
	if (!found)
		return error_set(e, EXIT_USAGE, "it has no kernel %s; it has "
				 "%s", text_show(entry), c->entries);
	if (found > 1 && !entry)
		return error_set(e, EXIT_USAGE, "it has several kernels: name "
				 "one with --entry (%s)", c->entries);
	return 0;
}

/* Finds the kernel's number among the symbols; 0: none. */
static uint32_t find_symbol(Elf *elf, const char *entry)
{
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		GElf_Shdr h;
		Elf_Data *d;

		if (!gelf_getshdr(s, &h) || h.sh_type != SHT_SYMTAB ||
		    !h.sh_entsize || !(d = elf_getdata(s, NULL)))
			continue;
		for (size_t i = 0; i < h.sh_size / h.sh_entsize; i++) {
			GElf_Sym sym;
			const char *name = gelf_getsym(d, (int)i, &sym) ?
				elf_strptr(elf, h.sh_link, sym.st_name) : NULL;

			if (name && !strcmp(name, entry) &&
			    GELF_ST_TYPE(sym.st_info) == STT_FUNC)
				return (uint32_t)i;
		}
	}
	return 0;
}

/* Reads one attribute of so many bytes. */
static void read_attribute(struct cubin *c, uint32_t symbol, bool own,
			   uint8_t kind, const uint8_t *p, uint32_t bytes)
{
	uint32_t n = c->parameter_count;

	if (kind == ATTRIBUTE_PARAMETER && own && bytes >= 12 &&
	    n < CUBIN_PARAMETERS) {
		uint32_t at = p[4] | (uint32_t)p[5] << 8;

		if (at >= CUBIN_PARAMETERS)
			return;
		c->parameters[at].offset = p[6] | (uint32_t)p[7] << 8;
		c->parameters[at].size = read_u32_at(p + 8) >> 18 & 0x3fff;
		c->parameter_count = MAX(n, at + 1);
	} else if (bytes >= 8 && !own && read_u32_at(p) == symbol) {
		if (kind == ATTRIBUTE_REGISTERS)
			c->registers = (int)(read_u32_at(p + 4) & 0xffff);
		else if (kind == ATTRIBUTE_FRAME)
			c->stack = (int)(read_u32_at(p + 4) & 0xffffff);
	}
}

/* Reads .nv.info, of all kernels or of the kernel itself. */
static void read_attributes(struct cubin *c, uint32_t symbol, bool own,
			    const Elf_Data *d)
{
	const uint8_t *p = d->d_buf;
	size_t at = 0;

	while (p && at + 4 <= d->d_size) {
		uint32_t bytes = p[at] == ATTRIBUTE_SIZED ?
			p[at + 2] | (uint32_t)p[at + 3] << 8 : 0;

		if (at + 4 + bytes > d->d_size)
			return;
		read_attribute(c, symbol, own, p[at + 1], p + at + 4, bytes);
		at += 4 + bytes;
	}
}

/* Tests for the section NAME.ENTRY, or NAME alone. */
static bool is_section(const char *name, const char *of, const char *entry)
{
	size_t n = strlen(of);

	return !strncmp(name, of, n) &&
	       (!name[n] || (name[n] == '.' && !strcmp(name + n + 1, entry)));
}

static void read_section(struct cubin *c, uint32_t symbol, const char *name,
			 const GElf_Shdr *h, Elf_Scn *s)
{
	Elf_Data *d = h->sh_type == SHT_NOBITS ? NULL : elf_getdata(s, NULL);
	uint32_t first = c->arch >= 90 ? FIRST_90 : FIRST_75;

	if (is_section(name, ".nv.info", c->entry) && d)
		read_attributes(c, symbol, name[8] != '\0', d);
	if (is_section(name, ".nv.shared", c->entry) && h->sh_size < BANK_MOST)
		c->shared = (uint32_t)h->sh_size;
	if (is_section(name, ".nv.constant0", c->entry) && h->sh_size > first)
		c->parameter_bytes = (uint32_t)(h->sh_size - first);
	for (uint32_t bank = 2; bank < CUBIN_BANKS; bank++) {
		char of[32];

		snprintf(of, sizeof(of), ".nv.constant%u", bank);
		if (!d || !d->d_buf || !is_section(name, of, c->entry) ||
		    d->d_size > BANK_MOST || c->banks[bank].data)
			continue;
		c->banks[bank].data = xmalloc(d->d_size + 1);
		memcpy(c->banks[bank].data, d->d_buf, d->d_size);
		c->banks[bank].bytes = (uint32_t)d->d_size;
	}
}

/* Reads the architecture of the flags: of older toolkits in the lowest byte,
 * since 13.0 in the one above. */
static int read_arch(struct cubin *c, const GElf_Ehdr *h, struct error *e)
{
	uint32_t low = h->e_flags & 255, high = h->e_flags >> 8 & 255;

	if (h->e_machine != MACHINE_CUDA)
		return error_set(e, EXIT_INPUT, "it is not a cubin");
	c->arch = low >= 50 && low <= 130 ? low : high;
	if (c->arch < 75 || c->arch > 90)
		return error_set(e, EXIT_INPUT, "machine code of sm_%u is not "
				 "covered (sm_75 to sm_90 are)", c->arch);
	return 0;
}

static int read_elf(struct cubin *c, Elf *elf, const char *entry,
		    struct error *e)
{
	GElf_Ehdr header;
	size_t names;
	uint32_t symbol;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header) ||
	    elf_getshdrstrndx(elf, &names) != 0)
		return error_set(e, EXIT_INPUT, "it is damaged, or not a "
				 "cubin");
	if (read_arch(c, &header, e) < 0 ||
	    find_entry(c, elf, names, entry, e) < 0)
		return -1;
	symbol = find_symbol(elf, c->entry);
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		GElf_Shdr h;
		const char *name = gelf_getshdr(s, &h) ?
			elf_strptr(elf, names, h.sh_name) : NULL;

		if (name)
			read_section(c, symbol, name, &h, s);
	}
	if (c->arch >= 90 && c->shared >= RESERVED_90)
		c->shared -= RESERVED_90;
	return 0;
}

int cubin_read(struct cubin *c, const void *data, size_t length,
	       const char *entry, struct error *e)
{
	char *copy = xmalloc(length + 1);
	Elf *elf;
	int rc;

	*c = (struct cubin){ .registers = NA };
	memcpy(copy, data, length);
	elf_version(EV_CURRENT);
	elf = elf_memory(copy, length);
	rc = read_elf(c, elf, entry, e);
	elf_end(elf);
	free(copy);
	if (rc < 0)
		cubin_done(c);
	return rc;
}

void cubin_done(struct cubin *c)
{
	free(c->entry);
	free(c->entries);
	for (uint32_t i = 0; i < CUBIN_BANKS; i++)
		free(c->banks[i].data);
	*c = (struct cubin){ .registers = NA };
}
