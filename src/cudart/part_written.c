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
/* Whole numbers that launches pass. They are tried as lengths of rows; what is
 * left from such a number on is left deliberately. */
#define NUMBERS_MOST 8
#define WORD 4		/* bytes */

static struct part {
	const struct allocation *a;
	uint8_t *written;	/* a byte for each word */
	bool any;		/* a kernel wrote some */
	bool other;		/* it does not count */
	bool read;		/* a kernel or a copy has read some */
	/* Bytes of the largest piece that the host has copied back, from its
	 * first byte on. */
	uint64_t copied;
	uint64_t number[NUMBERS_MOST];	/* that launches passed */
	size_t number_count;
	uint64_t threads;	/* of the last launch that wrote */
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

		p->read |= how & (EMU_READS | EMU_ATOMICS);
		if (how & (EMU_WRITES | EMU_ATOMICS))
			*w = p->any = true;
		else if (!*w)
			p->other = true;	/* what it held counts */
	}
}

static void collect_numbers(struct part *p, const struct launch *l)
{
	for (size_t i = 0; i < l->argument_count; i++) {
		const struct argument *a = &l->arguments[i];
		uint64_t v = (uint32_t)a->value[0];
		size_t k = 0;

		if (a->var->type.kind != DEBUG_INTEGER || v < 2)
			continue;
		while (k < p->number_count && p->number[k] != v)
			k++;
		if (k == p->number_count && k < NUMBERS_MOST)
			p->number[p->number_count++] = v;
	}
	p->threads = plan_blocks(&l->plan) * plan_threads(&l->plan);
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
		collect_numbers(p, l);
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

void part_written_copy(uintptr_t to, uintptr_t from, uint64_t bytes)
{
	const struct allocation *d = device_at(to), *s = device_at(from);
	struct part *p = d ? part_of(d) : NULL;

	if (p)
		p->other = true;
	p = s && !d ? part_of(s) : NULL;
	if (p)
		p->read = true;
	if (p && from == s->lo)
		p->copied = MAX(p->copied, bytes);
	p = s && d ? part_of(s) : NULL;
	if (p)
		p->other = true;
}

bool part_written_unread(uintptr_t to, uintptr_t from, uint64_t bytes)
{
	const struct allocation *a = device_at(to);
	const struct part *p = a && a->bytes == bytes && !device_at(from) ?
				       part_of(a) : NULL;

	return p && p->any && !p->other && !p->read;
}

void part_written_forget(void)
{
	for (size_t i = 0; i < device_memory.count; i++) {
		struct part *p = part_of(device_memory.list[i]);

		if (p)
			p->other = true;
	}
}

/* ---- what is not written ---- */

/* Elements first, first + step, ...: `count` of them, and whether all of these
 * are written or none is. */
struct run {
	uint64_t first, step, count;
};

/* Returns whether kernels wrote all elements of a run, or none: *written. */
static bool is_uniform(const struct part *p, struct run r, bool *written)
{
	uint64_t words = p->elem_bytes / WORD;

	*written = p->written[r.first * words];
	for (uint64_t i = 0; i < r.count; i++)
		for (uint64_t w = 0; w < words; w++)
			if (p->written[(r.first + i * r.step) * words + w] !=
			    *written)
				return false;
	return true;
}

/* Finds the only runs that no kernel writes, which are consecutive, where all
 * others are written: of `count` runs, of which run i begins at i * next. False:
 * it is not like that. */
static bool find_gap(const struct part *p, struct run r, uint64_t next,
		     uint64_t count, uint64_t *first, uint64_t *last)
{
	uint64_t left = 0;
	bool written;

	*first = *last = 0;
	for (uint64_t i = 0; i < count; i++, r.first += next) {
		if (!is_uniform(p, r, &written))
			return false;
		if (written)
			continue;
		*first = left++ ? *first : i;
		*last = i;
	}
	return left && left < count && *last - *first + 1 == left;
}

/* Returns whether a launch was told to leave out what follows `first` rows,
 * columns or elements. */
static bool was_told(const struct part *p, uint64_t first)
{
	for (size_t i = 0; i < p->number_count; i++)
		if (p->number[i] == first)
			return true;
	return false;
}

/* Adds the problem: what is left out, `kind`, and the length of a row. */
static void report_gap(const struct part *p, const char *kind, uint64_t pitch,
		       uint64_t first, uint64_t last)
{
	struct program_fault f;
	char word[24];

	snprintf(word, sizeof(word), "%llu", (unsigned long long)pitch);
	f = program_fault(kind, p->a->made, word);
	f.bytes = first;
	f.room = last;
	f.other = p->a->made;
	snprintf(f.name, sizeof(f.name), "%s", p->name);
	program_problem(f);
}

/* Returns how many elements of a run are written before the first that is
 * not. */
static uint64_t count_written(const struct part *p, struct run r)
{
	uint64_t words = p->elem_bytes / WORD, i = 0;

	while (i < r.count && p->written[(r.first + i * r.step) * words])
		i++;
	return i;
}

/* Reports the last rows and the last columns, where kernels write all others
 * and nothing of these. */
static bool report_edges(const struct part *p, uint64_t rows, uint64_t pitch)
{
	uint64_t r = count_written(p, (struct run){ 0, pitch, rows }),
		 c = count_written(p, (struct run){ 0, 1, pitch });
	bool written;

	if (!r || !c || r == rows || c == pitch || was_told(p, r) ||
	    was_told(p, c))
		return false;
	for (uint64_t i = 0; i < rows; i++)
		if (!is_uniform(p, (struct run){ i * pitch, 1, c }, &written) ||
		    written != (i < r) ||
		    !is_uniform(p, (struct run){ i * pitch + c, 1, pitch - c },
				&written) || written)
			return false;
	report_gap(p, "part-rows", pitch, r, rows - 1);
	report_gap(p, "part-written", pitch, c, pitch - 1);
	return true;
}

/* Reports columns, or rows, that are left out where rows have `pitch`
 * elements. */
static bool report_in_rows(const struct part *p, uint64_t elements,
			   uint64_t pitch)
{
	uint64_t rows = elements / pitch, first, last;

	if (report_edges(p, rows, pitch))
		return true;
	if (find_gap(p, (struct run){ 0, pitch, rows }, 1, pitch, &first,
		     &last) && !was_told(p, first)) {
		report_gap(p, "part-written", pitch, first, last);
		return true;
	}
	if (!find_gap(p, (struct run){ 0, 1, pitch }, pitch, rows, &first,
		      &last) || was_told(p, first) || last + 1 < rows)
		return false;
	report_gap(p, "part-rows", pitch, first, last);
	return true;
}

/* Reports the elements after those that one thread each writes, where the
 * launches were told of all. */
static void report_tail(const struct part *p, uint64_t elements)
{
	uint64_t n = p->threads;
	bool head, tail;

	if (n && n < elements && was_told(p, elements) && !was_told(p, n) &&
	    is_uniform(p, (struct run){ 0, 1, n }, &head) && head &&
	    is_uniform(p, (struct run){ n, 1, elements - n }, &tail) && !tail)
		report_gap(p, "part-elements", 0, n, elements - 1);
}

static void report_part(const struct part *p)
{
	uint64_t elements = p->a->bytes / p->elem_bytes;

	for (size_t i = 0; i < p->number_count; i++) {
		uint64_t pitch = p->number[i];

		if (pitch * 2 <= elements && elements % pitch == 0 &&
		    report_in_rows(p, elements, pitch))
			return;
	}
	report_tail(p, elements);
}

/* Reports an array that kernels store to and nothing reads. */
static void report_unread(const struct part *p)
{
	struct program_fault f = program_fault("unread", p->a->made, "");

	f.other = p->a->made;
	f.room = p->a->bytes;
	snprintf(f.name, sizeof(f.name), "%s", p->name);
	program_problem(f);
}

void part_written_end(void)
{
	for (size_t i = 0; i < part_count; i++) {
		const struct part *p = &parts[i];

		if (program.job.kernel.program.unread && p->any && !p->read &&
		    !p->other)
			report_unread(p);

		if (p->any && p->copied == p->a->bytes && !p->other &&
		    p->elem_bytes >= WORD && p->elem_bytes % WORD == 0)
			report_part(p);
		free(p->written);
	}
	part_count = 0;
}
