/*
 * findings: what was found, and how often. See findings.h.
 */
#include <stdlib.h>
#include <string.h>

#include "record/findings.h"

#define FINDINGS_MAX 100

/* The array's name is borrowed no longer: it is a copy, or NULL without one. */
struct finding {
	struct trace_finding data;
	struct trace_array array;
};

/* ---- once each ---- */

static bool same_words(const char *a, const char *b)
{
	return a == b || !strcmp(a ? a : "", b ? b : "");
}

/* What tells findings of one line apart. */
static uint32_t second_place(const struct trace_finding *f)
{
	unsigned has = finding_cause(f->cause)->has;

	return has & FINDING_OTHER && !(has & FINDING_MBARRIER) ?
	       f->other.line : f->access.column;
}

static bool is_like(const struct finding *known, const struct trace_finding *f,
		    const struct trace_array *array)
{
	const struct trace_finding *k = &known->data;

	return k->cause == f->cause && k->access.line == f->access.line &&
	       second_place(k) == second_place(f) &&
	       same_words(k->word, f->word) &&
	       same_words(k->other_word, f->other_word) &&
	       (finding_cause(f->cause)->has & FINDING_MBARRIER ||
		same_words(known->array.name, array ? array->name : NULL));
}

static struct finding *finding_like(const struct findings *f,
				    const struct trace_finding *found,
				    const struct trace_array *array)
{
	for (size_t i = 0; i < f->count; i++)
		if (is_like(&f->list[i], found, array))
			return &f->list[i];
	return NULL;
}

static bool is_earlier(const struct finding_access *a,
		       const struct finding_access *b)
{
	return a->block < b->block ||
	       (a->block == b->block && a->thread < b->thread);
}

static char *copy(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

static void finding_drop(struct finding *f)
{
	trace_finding_done(&f->data);
	free(f->array.name);
}

static struct finding finding_copy(const struct trace_finding *found,
				   const struct trace_array *array)
{
	struct finding f = { .data = *found };

	f.data.kind = finding_cause(found->cause)->kind;
	f.data.offset = MAX(-FINDING_MAX_OFFSET,
			    MIN(FINDING_MAX_OFFSET, found->offset));
	f.data.word = copy(found->word);
	f.data.other_word = copy(found->other_word);
	if (array) {
		f.array = *array;
		f.array.name = xstrdup(array->name);
	}
	return f;
}

void finding_add(struct findings *f, const struct trace_finding *found,
		 const struct trace_array *array)
{
	struct finding *to = finding_like(f, found, array);
	uint64_t count = to ? to->data.count + 1 : 1;

	if (to) {
		to->data.count = count;
		if (!is_earlier(&found->access, &to->data.access))
			return;
		finding_drop(to);
	} else {
		if (f->count >= FINDINGS_MAX)
			return;
		grow(&f->list, &f->capacity, f->count + 1, sizeof(*f->list));
		to = &f->list[f->count++];
	}
	*to = finding_copy(found, array);
	to->data.count = count;
}

enum finding_cause finding_race(const struct finding_access *access,
				const struct finding_access *other)
{
	return access->block == other->block ? CAUSE_UNORDERED :
					       CAUSE_UNORDERED_BLOCKS;
}

enum finding_cause finding_wild(uint64_t address)
{
	return address < 4096 ? CAUSE_NULL_POINTER : CAUSE_NO_ARRAY;
}

/* ---- into the trace ---- */

/* Who compares the answer does not know where C is. */
static bool array_same(const struct trace_array *a, const struct trace_array *b)
{
	return !strcmp(a->name, b->name) && a->space == b->space &&
	       a->elem == b->elem && a->elem_bytes == b->elem_bytes &&
	       a->rank == b->rank &&
	       !memcmp(a->dims, b->dims, a->rank * sizeof(*a->dims));
}

/* Only what is accessed rightly is in the table already. */
static uint32_t array_number(struct trace_info *info,
			     const struct trace_array *a)
{
	size_t capacity = info->array_count;

	for (size_t i = 0; i < info->array_count; i++)
		if (array_same(&info->arrays[i], a))
			return (uint32_t)i;
	grow(&info->arrays, &capacity, info->array_count + 1,
	     sizeof(*info->arrays));
	info->arrays[info->array_count] = *a;
	info->arrays[info->array_count].name = xstrdup(a->name);
	return (uint32_t)info->array_count++;
}

void findings_take(const struct findings *f, struct trace_info *info)
{
	info->findings = xcalloc(f->count + 1, sizeof(*info->findings));
	for (size_t i = 0; i < f->count; i++) {
		const struct finding *from = &f->list[i];
		struct trace_finding *to = &info->findings[i];

		*to = from->data;
		to->word = copy(from->data.word);
		to->other_word = copy(from->data.other_word);
		to->array = from->array.name ?
			    array_number(info, &from->array) : TRACE_NO_ARRAY;
	}
	info->finding_count = f->count;
}

void findings_done(struct findings *f)
{
	for (size_t i = 0; i < f->count; i++)
		finding_drop(&f->list[i]);
	free(f->list);
	memset(f, 0, sizeof(*f));
}
