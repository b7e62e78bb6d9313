/*
 * finding: sentences. See finding.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../text.h"
#include "finding.h"
#include "hooks.h"

#define FINDINGS_MAX 100

/* ---- who ---- */

static char *buffer_next(size_t *size)
{
	static char ring[8][64];
	static unsigned next;

	*size = sizeof(ring[0]);
	return ring[next++ % LENGTH(ring)];
}

/* As many coordinates as the shape has: 3, (3,5), (3,5,0). */
static const char *index_text(const struct trace_dim *i,
			      const struct trace_dim *of)
{
	size_t size;
	char *b = buffer_next(&size);

	if (of->z > 1)
		snprintf(b, size, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")",
			 i->x, i->y, i->z);
	else if (of->y > 1)
		snprintf(b, size, "(%" PRIu32 ",%" PRIu32 ")", i->x, i->y);
	else
		snprintf(b, size, "%" PRIu32, i->x);
	return b;
}

struct trace_dim finding_index(uint32_t number, const struct trace_dim *of)
{
	return (struct trace_dim) { number % of->x, number / of->x % of->y,
				    number / of->x / of->y };
}

const char *finding_thread(const struct trace_dim *i)
{
	return index_text(i, &rec.block);
}

const char *finding_block(uint32_t number)
{
	struct trace_dim i = finding_index(number, &rec.grid);

	return index_text(&i, &rec.grid);
}

static const char *thread_text(uint32_t number)
{
	struct trace_dim i = finding_index(number, &rec.block);

	return finding_thread(&i);
}

/* ---- what ---- */

/* A global array is a pointer to the kernel, and has one subscript. */
static struct trace_array as_indexed(const struct trace_array *a)
{
	struct trace_array flat = *a;

	if (a->space == SPACE_GLOBAL) {
		flat.rank = 1;
		flat.dims[0] = array_elements(a);
	}
	return flat;
}

/* "As[1][300]": the last subscripts in range, the first whatever it is. */
static void element_add(struct str *s, const struct trace_array *array,
			int64_t off, uint32_t bytes)
{
	struct trace_array flat = as_indexed(array), *a = &flat;
	int64_t i = off / a->elem_bytes, index[TRACE_MAX_RANK];

	if (off % a->elem_bytes < 0)
		i--;
	for (uint32_t d = a->rank; d-- > 1;) {
		int64_t n = (int64_t)a->dims[d];

		index[d] = ((i % n) + n) % n;
		i = (i - index[d]) / n;
	}
	index[0] = i;
	str_add(s, text_show(a->name));
	for (uint32_t d = 0; d + 1 < a->rank; d++)
		str_addf(s, "[%" PRId64 "]", index[d]);
	i = index[a->rank - 1];
	str_addf(s, "[%" PRId64, i);
	if (bytes > a->elem_bytes)
		str_addf(s, "..%" PRId64, i + bytes / a->elem_bytes - 1);
	str_addc(s, ']');
}

static void extent_add(struct str *s, const struct trace_array *array)
{
	struct trace_array flat = as_indexed(array), *a = &flat;

	str_addf(s, "%s has ", text_show(a->name));
	for (uint32_t d = 0; d < a->rank; d++)
		str_addf(s, "%s%" PRIu64, d ? "x" : "", a->dims[d]);
	str_addf(s, " element%s", array_elements(a) == 1 ? "" : "s");
}

static const char *verb(enum op op)
{
	return op == OP_LD ? "reads" : "writes";
}

/* ---- once each ---- */

static void finding_add(enum finding_kind kind, uint32_t line, uint32_t line2,
			const char *name, uint32_t block, uint32_t thread,
			struct str *text)
{
	struct findings *f = &rec.findings;
	struct finding *to;

	for (size_t i = 0; i < f->count; i++) {
		to = &f->list[i];
		if (to->kind != kind || to->line != line ||
		    to->line2 != line2 || to->name != name)
			continue;
		to->count++;
		if (to->block != block || to->thread <= thread) {
			str_done(text);
			return;
		}
		free(to->text);
		to->text = str_take(text);
		to->thread = thread;
		return;
	}
	if (f->count >= FINDINGS_MAX) {
		f->dropped++;
		str_done(text);
		return;
	}
	grow(&f->list, &f->capacity, f->count + 1, sizeof(*f->list));
	f->list[f->count++] = (struct finding) {
		.kind = kind, .line = line, .line2 = line2, .name = name,
		.block = block, .thread = thread, .count = 1,
		.text = str_take(text),
	};
}

static void finding_thread_add(enum finding_kind kind, const struct thread *t,
			       const struct slot *s, const char *name,
			       struct str *text)
{
	if (s->line)
		str_addf(text, "; line %" PRIu32, s->line);
	finding_add(kind, s->line, s->raw_column, name, rec.block_number,
		    t->number, text);
}

/* "thread (3,5) of block (0,1) reads " */
static void subject_add(struct str *text, const struct thread *t,
			const struct slot *s)
{
	str_addf(text, "thread %s of block %s %s ", finding_thread(&t->index),
		 finding_block(rec.block_number), verb(s->op));
}

void finding_bounds(const struct thread *t, const struct slot *s,
		    const struct trace_array *a, int64_t off)
{
	struct str text = { 0 };

	subject_add(&text, t, s);
	element_add(&text, a, off, s->bytes);
	str_add(&text, "; ");
	extent_add(&text, a);
	finding_thread_add(FINDING_OUT_OF_BOUNDS, t, s, a->name, &text);
}

void finding_wild(const struct thread *t, const struct slot *s,
		  uintptr_t address)
{
	struct str text = { 0 };

	subject_add(&text, t, s);
	if (address < 4096)
		str_add(&text, "through a null pointer");
	else
		str_add(&text, "at an address that is in no array");
	finding_thread_add(FINDING_OUT_OF_BOUNDS, t, s, NULL, &text);
}

void finding_misaligned(const struct thread *t, const struct slot *s,
			int64_t off)
{
	struct str text = { 0 };

	subject_add(&text, t, s);
	str_addf(&text, "%" PRIu32 " bytes at once at ", s->bytes);
	element_add(&text, &s->array->info, off, s->array->info.elem_bytes);
	str_addf(&text, ", which is not aligned to %" PRIu32 " bytes: a GPU "
		 "stops here", s->bytes);
	finding_thread_add(FINDING_CRASH, t, s, s->array->info.name, &text);
}

void finding_unwritten(const struct thread *t, const struct slot *s,
		       uint64_t off)
{
	struct str text = { 0 };

	subject_add(&text, t, s);
	element_add(&text, &s->array->info, (int64_t)off, s->bytes);
	str_add(&text, ", which nothing in the block has written");
	finding_thread_add(FINDING_READ_BEFORE_WRITE, t, s,
			   s->array->info.name, &text);
}

static uint32_t epoch_block(uint32_t epoch)
{
	size_t i = rec.began_count;

	while (i-- > 1)
		if (rec.began[i].epoch <= epoch)
			break;
	return rec.began[i].block;
}

void finding_race(const struct thread *t, const struct slot *s,
		  const struct touch *o, uint64_t off)
{
	const struct slot *os = rec.slot[touch_slot(o)];
	uint32_t block = epoch_block(o->epoch);
	bool across = block != rec.block_number;
	struct str text = { 0 };

	str_addf(&text, "thread %s", thread_text(touch_thread(o)));
	if (across)
		str_addf(&text, " of block %s", finding_block(block));
	str_addf(&text, " %s ", verb(os->op));
	element_add(&text, &s->array->info, (int64_t)off, 1);
	if (os->line)
		str_addf(&text, " in line %" PRIu32, os->line);
	str_addf(&text, " and thread %s", finding_thread(&t->index));
	str_addf(&text, " of block %s %s it",
		 finding_block(rec.block_number), verb(s->op));
	if (s->line)
		str_addf(&text, " in line %" PRIu32, s->line);
	str_add(&text, across ? ": nothing puts blocks in order" :
			", with no barrier between them");
	finding_add(FINDING_RACE, s->line, os->line, s->array->info.name,
		    rec.block_number, t->number, &text);
}

void finding_barrier(const struct thread *waits, const struct thread *never,
		     uint32_t waiting, uint32_t others)
{
	uint32_t line = waits->at ? waits->at->line : 0;
	uint32_t line2 = never->at ? never->at->line : 0;
	struct str text = { 0 };

	str_addf(&text, "%" PRIu32 " thread%s of block %s wait%s at the "
		 "barrier of line %" PRIu32 ", which %" PRIu32 " never "
		 "reach%s: thread %s ", waiting, waiting == 1 ? "" : "s",
		 finding_block(rec.block_number), waiting == 1 ? "s" : "",
		 line, others, others == 1 ? "es" : "",
		 finding_thread(&never->index));
	if (never->state == THREAD_ENDED)
		str_addf(&text, "has ended, last in line %" PRIu32, line2);
	else
		str_addf(&text, "waits at the barrier of line %" PRIu32,
			 line2);
	finding_add(FINDING_BARRIER, line, line2, NULL, rec.block_number,
		    never->number, &text);
}

void finding_crash(const struct thread *t, uint32_t line, const char *what)
{
	struct str text = { 0 };

	str_addf(&text, "thread %s of block %s %s",
		 finding_thread(&t->index), finding_block(rec.block_number),
		 what);
	if (line)
		str_addf(&text, "; line %" PRIu32, line);
	finding_add(FINDING_CRASH, line, 0, what, rec.block_number,
		    t->number, &text);
}

void finding_say(enum finding_kind kind, uint32_t line, const char *fmt, ...)
{
	struct str text = { 0 };
	va_list ap;
	char buf[400];

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	str_add(&text, buf);
	finding_add(kind, line, 0, NULL, 0, 0, &text);
}

void findings_take(struct findings *f, struct trace_info *info)
{
	info->findings = xcalloc(f->count + 1, sizeof(*info->findings));
	for (size_t i = 0; i < f->count; i++) {
		struct finding *from = &f->list[i];
		struct trace_finding *to = &info->findings[i];

		to->kind = from->kind;
		to->line = from->line;
		to->text = from->count > 1 ?
			xasprintf("%s (and %" PRIu64 " more like it)",
				  from->text, from->count - 1) :
			xstrdup(from->text);
	}
	info->finding_count = f->count;
}

void findings_done(struct findings *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->list[i].text);
	free(f->list);
	memset(f, 0, sizeof(*f));
}
