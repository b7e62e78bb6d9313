/*
 * findings: sentences. See findings.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hardware/fragment.h"
#include "base/text.h"
#include "trace/trace_format.h"
#include "record/findings.h"

#define FINDINGS_MAX 100

/* ---- who ---- */

struct trace_dim finding_index(uint32_t number, const struct trace_dim *of)
{
	return (struct trace_dim) { number % of->x, number / of->x % of->y,
				    number / of->x / of->y };
}

/* As many coordinates as the shape has: 3, (3,5), (3,5,0). */
const char *finding_index_text(uint32_t number, const struct trace_dim *of)
{
	static char ring[8][64];
	static unsigned next;
	struct trace_dim i = finding_index(number, of);
	char *b = ring[next++ % LENGTH(ring)];
	size_t size = sizeof(ring[0]);

	if (of->z > 1)
		snprintf(b, size, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")",
			 i.x, i.y, i.z);
	else if (of->y > 1)
		snprintf(b, size, "(%" PRIu32 ",%" PRIu32 ")", i.x, i.y);
	else
		snprintf(b, size, "%" PRIu32, i.x);
	return b;
}

static const char *thread_text(const struct findings *f, const struct deed *d)
{
	return finding_index_text(d->thread, &f->block);
}

static const char *block_text(const struct findings *f, const struct deed *d)
{
	return finding_index_text(d->block, &f->grid);
}

/* ---- what ---- */

static uint64_t elements(const struct trace_array *a)
{
	return trace_array_bytes(a) / a->elem_bytes;
}

/* A global array is a pointer to the kernel, and has one subscript. */
static struct trace_array as_indexed(const struct trace_array *a)
{
	struct trace_array flat = *a;

	if (a->space == SPACE_GLOBAL) {
		flat.rank = 1;
		flat.dims[0] = elements(a);
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
	str_addf(s, " element%s", elements(a) == 1 ? "" : "s");
}

static const char *verb(enum op op)
{
	return op == OP_LD ? "reads" : "writes";
}

/* ---- once each ---- */

static struct finding key_of(enum finding_kind kind, const struct deed *d,
			     uint32_t line2, const char *name)
{
	return (struct finding) { .kind = kind, .line = d->line,
				  .line2 = line2, .name = name,
				  .block = d->block, .thread = d->thread };
}

static struct finding *finding_like(struct findings *f,
				    const struct finding *key)
{
	for (size_t i = 0; i < f->count; i++) {
		struct finding *to = &f->list[i];

		if (to->kind == key->kind && to->line == key->line &&
		    to->line2 == key->line2 && to->name == key->name)
			return to;
	}
	return NULL;
}

/* Counts one more of what there is. True when it needs no sentence: another
 * thread stands for it, or there is no room. */
static bool finding_counted(struct findings *f, const struct finding *key)
{
	struct finding *to = finding_like(f, key);

	if (!to)
		return f->count >= FINDINGS_MAX;
	to->count++;
	return to->block < key->block || (to->block == key->block &&
					  to->thread <= key->thread);
}

/* What was not only counted. */
static void finding_put(struct findings *f, const struct finding *key,
			struct str *text)
{
	struct finding *to = finding_like(f, key);

	if (to) {
		free(to->text);
		to->text = str_take(text);
		to->block = key->block;
		to->thread = key->thread;
		return;
	}
	grow(&f->list, &f->capacity, f->count + 1, sizeof(*f->list));
	to = &f->list[f->count++];
	*to = *key;
	to->count = 1;
	to->text = str_take(text);
}

static void finding_add(struct findings *f, struct finding key,
			struct str *text)
{
	if (finding_counted(f, &key))
		str_done(text);
	else
		finding_put(f, &key, text);
}

/* " in line 12", where that is known. */
static void in_line(struct str *text, const struct deed *d)
{
	if (d->line)
		str_addf(text, " in line %" PRIu32, d->line);
}

static void line_add(struct str *text, const struct deed *d)
{
	if (d->line)
		str_addf(text, "; line %" PRIu32, d->line);
}

static void deed_add(struct findings *f, enum finding_kind kind,
		     const struct deed *d, const char *name, struct str *text)
{
	line_add(text, d);
	finding_add(f, key_of(kind, d, d->column, name), text);
}

/* "thread (3,5) of block (0,1) reads " */
static void subject_add(const struct findings *f, struct str *text,
			const struct deed *d)
{
	str_addf(text, "thread %s of block %s %s ", thread_text(f, d),
		 block_text(f, d), verb(d->op));
}

void finding_bounds(struct findings *f, const struct deed *d,
		    const struct trace_array *a, int64_t off)
{
	struct str text = { 0 };

	subject_add(f, &text, d);
	element_add(&text, a, off, d->bytes);
	str_add(&text, "; ");
	extent_add(&text, a);
	deed_add(f, FINDING_OUT_OF_BOUNDS, d, a->name, &text);
}

void finding_wild(struct findings *f, const struct deed *d, uint64_t address)
{
	struct str text = { 0 };

	subject_add(f, &text, d);
	if (address < 4096)
		str_add(&text, "through a null pointer");
	else
		str_add(&text, "at an address that is in no array");
	deed_add(f, FINDING_OUT_OF_BOUNDS, d, NULL, &text);
}

void finding_misaligned(struct findings *f, const struct deed *d,
			const struct trace_array *a, int64_t off)
{
	struct str text = { 0 };

	subject_add(f, &text, d);
	str_addf(&text, "%" PRIu32 " bytes at once at ", d->bytes);
	element_add(&text, a, off, a->elem_bytes);
	str_addf(&text, ", which is not aligned to %" PRIu32 " bytes: a GPU "
		 "stops here", d->bytes);
	deed_add(f, FINDING_CRASH, d, a->name, &text);
}

void finding_fragment(struct findings *f, const struct deed *d, bool pitch)
{
	static const char what[] = "wmma";

	if (pitch)
		finding_deed(f, FINDING_CRASH, d, what, "breaks a rule: wmma "
			     "needs a leading dimension that is a multiple of "
			     "%d bytes", FRAGMENT_PITCH);
	else
		finding_deed(f, FINDING_CRASH, d, what, "breaks a rule: wmma "
			     "needs an address that is a multiple of %d",
			     FRAGMENT_ALIGN);
}

void finding_unwritten(struct findings *f, const struct deed *d,
		       const struct trace_array *a, uint64_t off)
{
	const struct finding key = key_of(FINDING_READ_BEFORE_WRITE, d,
					  d->column, a->name);
	struct str text = { 0 };

	/* There may be millions. */
	if (finding_counted(f, &key))
		return;
	subject_add(f, &text, d);
	element_add(&text, a, (int64_t)off, d->bytes);
	str_add(&text, a->space == SPACE_REGISTER ?
		", which it has never written" :
		", which nothing in the block has written");
	line_add(&text, d);
	finding_put(f, &key, &text);
}

void finding_race(struct findings *f, const struct deed *d,
		  const struct deed *other, const struct trace_array *a,
		  uint64_t off)
{
	const struct finding key = key_of(FINDING_RACE, d, other->line,
					  a->name);
	bool across = other->block != d->block;
	struct str text = { 0 };

	/* There may be millions. */
	if (finding_counted(f, &key))
		return;
	str_addf(&text, "thread %s", thread_text(f, other));
	if (across)
		str_addf(&text, " of block %s", block_text(f, other));
	str_addf(&text, " %s ", verb(other->op));
	element_add(&text, a, (int64_t)off, 1);
	in_line(&text, other);
	str_addf(&text, " and thread %s of block %s %s it", thread_text(f, d),
		 block_text(f, d), verb(d->op));
	in_line(&text, d);
	str_add(&text, across ? ": nothing puts blocks in order" :
			", with no barrier between them");
	finding_put(f, &key, &text);
}

void finding_spin(struct findings *f, const struct deed *d,
		  const struct trace_array *a, uint64_t off)
{
	const struct finding key = key_of(FINDING_ENDLESS, d, 0, a->name);
	struct str text = { 0 };

	if (finding_counted(f, &key))
		return;
	str_addf(&text, "thread %s of block %s waits for ", thread_text(f, d),
		 block_text(f, d));
	element_add(&text, a, (int64_t)off, 1);
	str_add(&text, " to change");
	in_line(&text, d);
	str_add(&text, ", and no thread that can run changes it: on the CPU "
		"the blocks that are recorded run one after the other");
	finding_put(f, &key, &text);
}

void finding_early(struct findings *f, const struct deed *d,
		   const struct deed *other, const struct trace_array *a,
		   uint64_t off)
{
	struct str text = { 0 };

	subject_add(f, &text, d);
	element_add(&text, a, (int64_t)off, 1);
	in_line(&text, d);
	str_addf(&text, ", while %s thread %s", other->op == OP_LD ?
		 "what" : "the asynchronous copy that", thread_text(f, other));
	if (other->block != d->block)
		str_addf(&text, " of block %s", block_text(f, other));
	str_add(&text, " began");
	in_line(&text, other);
	str_addf(&text, " may still %s it", other->op == OP_LD ? "read" :
		 "write");
	finding_add(f, key_of(d->op == OP_LD ? FINDING_READ_BEFORE_WRITE :
			      FINDING_RACE, d, other->line, a->name), &text);
}

void finding_unfenced(struct findings *f, const struct deed *d,
		      const struct deed *other, const struct trace_array *a,
		      uint64_t off)
{
	struct str text = { 0 };

	subject_add(f, &text, d);
	element_add(&text, a, (int64_t)off, 1);
	in_line(&text, d);
	str_addf(&text, " by TMA%s what thread %s stored",
		 d->op == OP_LD ? " or wgmma, which need not see" :
		 ", which need not come after", thread_text(f, other));
	in_line(&text, other);
	str_add(&text, ": there is no fence_proxy_async() after it");
	finding_add(f, key_of(FINDING_RACE, d, other->line, a->name), &text);
}

void finding_barrier(struct findings *f, const struct deed *d,
		     const struct deed *never, bool ended, uint32_t waiting,
		     uint32_t others)
{
	struct finding key = key_of(FINDING_BARRIER, d, never->line, NULL);
	struct str text = { 0 };

	str_addf(&text, "%" PRIu32 " thread%s of block %s wait%s at the "
		 "barrier of line %" PRIu32 ", which %" PRIu32 " never "
		 "reach%s: thread %s ", waiting, waiting == 1 ? "" : "s",
		 block_text(f, d), waiting == 1 ? "s" : "", d->line, others,
		 others == 1 ? "es" : "", thread_text(f, never));
	if (ended)
		str_addf(&text, "has ended, last in line %" PRIu32,
			 never->line);
	else
		str_addf(&text, "waits at the barrier of line %" PRIu32,
			 never->line);
	key.thread = never->thread;
	finding_add(f, key, &text);
}

void finding_meeting(struct findings *f, const struct deed *d,
		     const char *word, const struct deed *never,
		     const char *where, uint32_t others)
{
	struct str text = { 0 };

	str_addf(&text, "thread %s of block %s waits at %s of line %" PRIu32
		 " for lanes of its warp of which %" PRIu32 " never come%s: "
		 "thread %s waits at %s of line %" PRIu32, thread_text(f, d),
		 block_text(f, d), word, d->line, others,
		 others == 1 ? "s" : "", thread_text(f, never), where,
		 never->line);
	finding_add(f, key_of(FINDING_BARRIER, d, never->line, word), &text);
}

void finding_deed(struct findings *f, enum finding_kind kind,
		  const struct deed *d, const char *what, const char *fmt,
		  ...)
{
	struct str text = { 0 };
	char buf[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	str_addf(&text, "thread %s of block %s %s", thread_text(f, d),
		 block_text(f, d), buf);
	deed_add(f, kind, d, what, &text);
}

void finding_crash(struct findings *f, const struct deed *d, const char *what)
{
	struct str text = { 0 };

	str_addf(&text, "thread %s of block %s %s", thread_text(f, d),
		 block_text(f, d), what);
	line_add(&text, d);
	finding_add(f, key_of(FINDING_CRASH, d, 0, what), &text);
}

void finding_say(struct findings *f, enum finding_kind kind, uint32_t line,
		 const char *fmt, ...)
{
	struct str text = { 0 };
	va_list ap;
	char buf[400];

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	str_add(&text, buf);
	finding_add(f, (struct finding) { .kind = kind, .line = line }, &text);
}

void findings_take(const struct findings *f, struct trace_info *info)
{
	info->findings = xcalloc(f->count + 1, sizeof(*info->findings));
	for (size_t i = 0; i < f->count; i++) {
		const struct finding *from = &f->list[i];
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
