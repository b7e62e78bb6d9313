/*
 * part_written: see part_written.h.
 */
#include "cudart/part_written.h"

#include <stdlib.h>
#include <string.h>

#include "emu/emu.h"
#include "cudart/program.h"

/* Arrays that are followed, bytes of each, and bytes that launches may have
 * before all is given up. */
#define PARTS_FOLLOWED 64
#define PART_BYTES_MOST (UINT64_C(16) << 20)
#define LAUNCH_BYTES_MOST (UINT64_C(1) << 30)
/* Lengths of rows that are tried: whole numbers that a launch passes. */
#define PITCHES_MOST 6
#define WORD 4		/* bytes */

static struct part {
	const struct allocation *a;
	uint8_t *written;	/* a byte for each word */
	bool any;		/* a kernel wrote some */
	bool other;		/* it does not count */
	bool copied;		/* the host has copied it back */
	uint64_t pitch[PITCHES_MOST];	/* elements */
	size_t pitch_count;
	uint32_t elem_bytes;
	char name[64];		/* of the kernel's parameter */
} parts[PARTS_FOLLOWED];
static size_t part_count;
static uint64_t scanned;

static struct part *part_of(const struct allocation *a)
{
	for (size_t i = 0; i < part_count; i++)
		if (parts[i].a == a)
			return &parts[i];
	if (part_count == PARTS_FOLLOWED)
		return NULL;
	parts[part_count] = (struct part){
		.a = a,
		.other = a->kind != ALLOCATION_DEVICE || a->heap ||
			 a->of_graph || a->pool || a->pitch ||
			 a->bytes > PART_BYTES_MOST };
	if (!parts[part_count].other)
		parts[part_count].written = xcalloc(a->bytes / WORD + 1, 1);
	return &parts[part_count++];
}

/* Takes in a use of the array of part `with`. */
static void word_used(void *with, uint64_t off, uint64_t bytes, int how)
{
	struct part *p = with;

	for (uint64_t at = off; at < off + bytes; at += WORD) {
		uint8_t *w = &p->written[at / WORD];

		if (how & (EMU_WRITES | EMU_ATOMICS))
			*w = p->any = true;
		else if (!*w)
			p->other = true;	/* what it held counts */
	}
}

static void note_pitches(struct part *p, const struct launch *l)
{
	for (size_t i = 0; i < l->argument_count; i++) {
		const struct argument *a = &l->arguments[i];
		uint64_t v = (uint32_t)a->value[0];
		size_t k = 0;

		if (a->var->type.kind != DEBUG_INTEGER || v < 2)
			continue;
		while (k < p->pitch_count && p->pitch[k] != v)
			k++;
		if (k == p->pitch_count && k < PITCHES_MOST)
			p->pitch[p->pitch_count++] = v;
	}
}

/* Returns the bytes of the elements that a launch's pointer to the array points
 * to; 0: none does. */
static uint32_t element_bytes(const struct launch *l,
			      const struct allocation *a)
{
	for (size_t i = 0; i < l->argument_count; i++)
		if (l->arguments[i].array >= 0 &&
		    l->arguments[i].value[0] == a->lo)
			return l->arguments[i].var->type.elem_bytes;
	return 0;
}

static void take_written_array(const struct launch *l, const struct emu_array *e)
{
	const struct allocation *a = device_at(e->lo);
	struct part *p = a && a->live ? part_of(a) : NULL;

	if (!p || p->other)
		return;
	scanned += a->bytes;
	emu_array_ordered(e, word_used, p);
	p->elem_bytes = p->elem_bytes ? p->elem_bytes : element_bytes(l, a);
	if (p->any)
		note_pitches(p, l);
	if (p->any && !*p->name)
		snprintf(p->name, sizeof(p->name), "%s", e->name);
}

void part_written_launch(const struct launch *l)
{
	if (scanned > LAUNCH_BYTES_MOST) {
		part_written_forget();
		return;
	}
	for (struct emu_array a = { .next = 0 }; emu_array_next(&a);)
		if (a.checked && a.global && a.allocated)
			take_written_array(l, &a);
}

void part_written_copy(uintptr_t to, uintptr_t from)
{
	const struct allocation *d = device_at(to), *s = device_at(from);
	struct part *p = d ? part_of(d) : NULL;

	if (p)
		p->other = true;
	p = s && !d ? part_of(s) : NULL;
	if (p)
		p->copied = true;
	p = s && d ? part_of(s) : NULL;
	if (p)
		p->other = true;
}

void part_written_forget(void)
{
	for (size_t i = 0; i < device_memory.count; i++) {
		struct part *p = part_of(device_memory.list[i]);

		if (p)
			p->other = true;
	}
}

/* ---- which columns ---- */

static bool is_column_written(const struct part *p, uint64_t pitch,
			      uint64_t column, bool *same)
{
	uint64_t words = p->elem_bytes / WORD, row = pitch * words;
	bool first = p->written[column * words];

	*same = true;
	for (uint64_t at = 0; at + row <= p->a->bytes / WORD; at += row)
		for (uint64_t w = 0; w < words; w++)
			*same = *same &&
				p->written[at + column * words + w] == first;
	return first;
}

/* Finds the columns that no kernel writes, in all rows, where all others are
 * written in all rows. False: it is not like that. */
static bool find_written_columns(const struct part *p, uint64_t pitch, uint64_t *first,
			 uint64_t *last)
{
	uint64_t count = 0;
	bool same = true;

	for (uint64_t c = 0; c < pitch && same; c++) {
		if (is_column_written(p, pitch, c, &same))
			continue;
		*first = count++ ? *first : c;
		*last = c;
	}
	return same && count && count < pitch && *last - *first + 1 == count;
}

static void report_part(const struct part *p)
{
	uint64_t elements = p->a->bytes / p->elem_bytes;

	for (size_t i = 0; i < p->pitch_count; i++) {
		uint64_t pitch = p->pitch[i];
		struct program_fault f;
		char word[24];

		if (pitch * 2 > elements || elements % pitch)
			continue;
		snprintf(word, sizeof(word), "%llu",
			 (unsigned long long)pitch);
		f = program_fault("part-written", p->a->made, word);
		if (!find_written_columns(p, pitch, &f.bytes, &f.room))
			continue;
		f.other = p->a->made;
		snprintf(f.name, sizeof(f.name), "%s", p->name);
		program_problem(f);
		return;
	}
}

void part_written_end(void)
{
	for (size_t i = 0; i < part_count; i++) {
		const struct part *p = &parts[i];

		if (p->any && p->copied && !p->other &&
		    p->elem_bytes >= WORD && p->elem_bytes % WORD == 0)
			report_part(p);
		free(p->written);
	}
	part_count = 0;
}
