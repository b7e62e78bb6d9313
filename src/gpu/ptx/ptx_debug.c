/*
 * ptx_debug: converts the debug sections of a module to bytes. See ptx.h.
 */
#include <stdlib.h>

#include "gpu/ptx/ptx_job.h"

/* A value that names something, until every label's place is known. */
struct fixup {
	uint32_t section;
	size_t at;
	unsigned int bytes;
	uint32_t name, minus;		/* names; minus may be PTX_NONE */
	uint64_t add;
};

struct debug_copy {
	struct ptx_text *t;
	struct ptx *p;
	size_t section_capacity;
	size_t *capacity;		/* of each section's bytes */
	size_t capacities;
	struct fixup *fixups;
	size_t fixup_count, fixup_capacity;
};

static uint32_t section_named(struct debug_copy *d, uint32_t name)
{
	struct ptx_name *n = &d->t->names[name];
	struct ptx *p = d->p;

	if (n->section != PTX_NONE)
		return n->section;
	grow(&p->sections, &d->section_capacity, p->section_count + 1,
	     sizeof(*p->sections));
	grow(&d->capacity, &d->capacities, p->section_count + 1,
	     sizeof(*d->capacity));
	d->capacity[p->section_count] = 0;
	p->sections[p->section_count] = (struct ptx_section) {
		.name = n->text };
	n->section = p->section_count;
	return p->section_count++;
}

static void bytes_put(uint8_t *to, uint64_t value, unsigned int bytes)
{
	for (unsigned int i = 0; i < bytes; i++)
		to[i] = value >> 8 * i;
}

static void bytes_add(struct debug_copy *d, uint32_t section, uint64_t value,
		      unsigned int bytes)
{
	struct ptx_section *s = &d->p->sections[section];

	grow(&s->bytes, &d->capacity[section], s->length + bytes, 1);
	bytes_put(s->bytes + s->length, value, bytes);
	s->length += bytes;
}

/* NUMBER, NAME, NAME + NUMBER or NAME - NAME; i goes to its last token. */
static int value_add(struct debug_copy *d, uint32_t section, unsigned int bytes,
		     uint32_t *i)
{
	const struct ptx_token *k = d->t->tokens;
	struct fixup f = { section, d->p->sections[section].length, bytes,
			   k[*i].name, PTX_NONE, 0 };
	uint64_t number = 0;

	if (ptx_number(d->t, *i, &number)) {
		*i += k[*i].kind == '-';
	} else if (f.name == PTX_NONE) {
		return ptx_text_fail(d->t, *i, EXIT_INPUT,
				     "a number or a name is expected");
	} else {
		if (k[*i + 1].kind == '+' && ptx_number(d->t, *i + 2, &f.add))
			*i += 2;
		else if (k[*i + 1].kind == '-' && k[*i + 2].kind == 'w')
			f.minus = k[*i += 2].name;
		grow(&d->fixups, &d->fixup_capacity, d->fixup_count + 1,
		     sizeof(*d->fixups));
		d->fixups[d->fixup_count++] = f;
	}
	bytes_add(d, section, number, bytes);
	return 0;
}

static int ptx_section_add(struct debug_copy *d, const struct ptx_statement *s)
{
	const struct ptx_token *k = d->t->tokens;
	uint32_t section;
	unsigned int bytes = 0;

	if (k[s->first + 1].name == PTX_NONE)
		return ptx_text_fail(d->t, s->first + 1, EXIT_INPUT,
				     "not the name of a section");
	section = section_named(d, k[s->first + 1].name);
	for (uint32_t i = s->first + 3; i < s->last; i++) {
		struct ptx_part type = { d->t->text + k[i].at + 1,
					 k[i].length - 1 };

		if (k[i].name != PTX_NONE && k[i + 1].kind == ':') {
			d->t->names[k[i].name].section = section;
			d->t->names[k[i].name].offset =
				d->p->sections[section].length;
			i++;
			continue;
		}
		if (ptx_starts(d->t, i, ".b") && ptx_type_bytes(type) != NA) {
			bytes = ptx_type_bytes(type);
			i++;
		} else if (k[i].kind == ',') {
			i++;
		} else {
			bytes = 0;
		}
		if (bytes < 1 || bytes > 8 || i >= s->last)
			return ptx_text_fail(d->t, i, EXIT_INPUT,
					     "not expected here");
		if (value_add(d, section, bytes, &i) < 0)
			return -1;
	}
	return 0;
}

/* Resolves a label. A label of a section becomes an offset there; the
 * difference of two labels a number. The difference of two places in the code
 * has no meaning here and stays 0. */
static void fixup_resolve(struct debug_copy *d, const struct fixup *f,
			  size_t *capacity)
{
	const struct ptx_name *n = &d->t->names[f->name];
	struct ptx_section *s = &d->p->sections[f->section];
	bool placed = n->section != PTX_NONE;

	if (f->minus != PTX_NONE) {
		const struct ptx_name *m = &d->t->names[f->minus];

		if (placed && m->section == n->section)
			bytes_put(s->bytes + f->at, n->offset - m->offset,
				  f->bytes);
		return;
	}
	if (f->bytes < 4)
		return;
	grow(&s->references, capacity, s->reference_count + 1,
	     sizeof(*s->references));
	s->references[s->reference_count++] = (struct ptx_reference) {
		.at = f->at, .wide = f->bytes == 8,
		.symbol = placed ? d->p->sections[n->section].name : n->text,
		.add = f->add + (placed ? n->offset : 0),
	};
}

int ptx_debug_sections(struct ptx_text *t, struct ptx *p)
{
	struct debug_copy d = { .t = t, .p = p };
	size_t *references;
	int result = 0;

	for (size_t i = 0; i < t->statement_count && !result; i++)
		if (t->statements[i].kind == PTX_SECTION)
			result = ptx_section_add(&d, &t->statements[i]);
	references = xcalloc(p->section_count, sizeof(*references));
	for (size_t i = 0; i < d.fixup_count && !result; i++)
		fixup_resolve(&d, &d.fixups[i],
			      &references[d.fixups[i].section]);
	free(references);
	free(d.capacity);
	free(d.fixups);
	return result;
}
