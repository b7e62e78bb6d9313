/*
 * findings: collects findings and counts repeated ones. See findings.h.
 */
#include <stdlib.h>
#include <string.h>

#include "record/findings.h"

#define FINDINGS_MAX 100

/* The array's name is borrowed no longer: it is a copy, or NULL without one. */
struct finding {
	struct trace_finding data;
	struct trace_array array;
	uint32_t interval;	/* in which it was found first */
	bool across_warps;	/* and not within one alone */
	size_t group;		/* 1 + the number of the first of its group */
};

/* ---- once each ---- */

static bool same_finding_words(const char *a, const char *b)
{
	return a == b || !strcmp(a ? a : "", b ? b : "");
}

/* Compares the names of two arrays. "rows[3]" and "rows[4]", to which pointers
 * of one array lead, count as equal. */
static bool same_arrays(const struct trace_array *x,
			const struct trace_array *y)
{
	static const char digits[] = "0123456789";
	const char *a = x && x->name ? x->name : "";
	const char *b = y && y->name ? y->name : "";

	for (; *a && *a == *b; a++, b++)
		if (*a == '[') {
			a += strspn(a + 1, digits);
			b += strspn(b + 1, digits);
		}
	return *a == *b;
}

/* What tells findings of one line apart. */
static uint32_t second_place(const struct trace_finding *f)
{
	unsigned has = finding_cause(f->cause)->has;

	return has & FINDING_OTHER && !(has & FINDING_MBARRIER) ?
	       f->other.line : f->access.column;
}

static bool is_repeated(const struct finding *known,
			const struct trace_finding *f,
			const struct trace_array *array)
{
	const struct trace_finding *k = &known->data;

	return k->cause == f->cause && k->access.line == f->access.line &&
	       second_place(k) == second_place(f) &&
	       same_finding_words(k->word, f->word) &&
	       same_finding_words(k->other_word, f->other_word) &&
	       (finding_cause(f->cause)->has & FINDING_MBARRIER ||
		same_arrays(&known->array, array));
}

static struct finding *finding_like(const struct findings *f,
				    const struct trace_finding *found,
				    const struct trace_array *array)
{
	for (size_t i = 0; i < f->count; i++)
		if (is_repeated(&f->list[i], found, array))
			return &f->list[i];
	return NULL;
}

static bool is_earlier(const struct finding_access *a,
		       const struct finding_access *b)
{
	return a->block < b->block ||
	       (a->block == b->block && a->thread < b->thread);
}

static bool is_of_a_warp(const struct trace_finding *f)
{
	return f->access.thread / WARP_LANES == f->other.thread / WARP_LANES;
}

static char *copy_word(const char *s)
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
	f.data.word = copy_word(found->word);
	f.data.other_word = copy_word(found->other_word);
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
	uint32_t interval = to ? to->interval : f->interval;
	bool across_warps = (to && to->across_warps) || !is_of_a_warp(found);

	if (to) {
		to->data.count = count;
		to->across_warps = across_warps;
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
	to->interval = interval;
	to->across_warps = across_warps;
}

void finding_recast(struct findings *f, enum finding_cause from,
		    enum finding_cause to, const struct trace_array *array)
{
	for (size_t i = 0; i < f->count; i++) {
		struct trace_finding *of = &f->list[i].data;

		if (of->cause != from || !same_arrays(&f->list[i].array, array))
			continue;
		of->cause = to;
		of->kind = finding_cause(to)->kind;
	}
}

void findings_headers(struct findings *f, const struct job_defines *left_out)
{
	for (size_t i = 0; i < left_out->count; i++) {
		const char *why = left_out->list[i].value;
		const struct trace_finding note = {
			.cause = *why == '!' ? CAUSE_HEADER_BROKEN :
					       CAUSE_HEADER_MISSING,
			.access.line = (uint32_t)strtoul(why, NULL, 10),
			.word = left_out->list[i].name,
			.other_word = *why == '!' ? why + 1 : NULL,
		};

		finding_add(f, &note, NULL);
	}
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

/* Who compares the answer does not know where C is. */
static bool array_same(const struct trace_array *a, const struct trace_array *b)
{
	return !strcmp(a->name, b->name) && a->space == b->space &&
	       a->elem == b->elem && a->elem_bytes == b->elem_bytes &&
	       a->rank == b->rank &&
	       !memcmp(a->dims, b->dims, a->rank * sizeof(*a->dims));
}

/* ---- one cause, one finding ---- */

/* Pairs of lines that are more than what lacks one barrier here, one there. */
#define PAIRS_OF_LANES 2
#define PAIRS_ACROSS_WARPS 3

struct line_range { uint32_t first, last; };

static struct line_range finding_lines(const struct finding *f)
{
	uint32_t a = f->data.access.line, b = f->data.other.line;

	return (struct line_range) { MIN(a, b), MAX(a, b) };
}

static struct line_range lines_join(struct line_range a, struct line_range b)
{
	return (struct line_range) { MIN(a.first, b.first),
				     MAX(a.last, b.last) };
}

static bool lines_overlap(struct line_range a, struct line_range b)
{
	return a.first <= b.last && b.first <= a.last;
}

static bool is_of_block(const struct finding *f)
{
	return f->data.cause == CAUSE_UNORDERED && finding_lines(f).first;
}

static bool joins_group(const struct finding *f, const struct finding *group,
			struct line_range lines)
{
	return is_of_block(f) && is_of_block(group) &&
	       f->interval == group->interval &&
	       array_same(&f->array, &group->array) &&
	       lines_overlap(finding_lines(f), lines);
}

/* Puts finding number `of` into a group with all that join it; returns the
 * lines of the group. */
static struct line_range group_gather(struct findings *f, size_t of)
{
	struct finding *first = &f->list[of];
	struct line_range lines = finding_lines(first);

	first->group = of + 1;
	for (size_t i = of + 1; i < f->count; i++) {
		struct finding *g = &f->list[i];

		if (g->group || !joins_group(g, first, lines))
			continue;
		g->group = first->group;
		lines = lines_join(lines, finding_lines(g));
		i = of;
	}
	return lines;
}

/* Tests whether the group already has this race with both accesses exchanged,
 * which is the same race. */
static bool is_mirrored(const struct findings *f, const struct finding *of)
{
	const struct finding_access *a = &of->data.access, *b = &of->data.other;

	for (const struct finding *g = f->list; g < of; g++)
		if (g->group == of->group && g->data.access.line == b->line &&
		    g->data.other.line == a->line)
			return true;
	return false;
}

static uint64_t group_pairs(const struct findings *f, size_t group)
{
	uint64_t pairs = 0;

	for (size_t i = 0; i < f->count; i++)
		pairs += f->list[i].group == group &&
			 !is_mirrored(f, &f->list[i]);
	return pairs;
}

/* Tests whether these lines also have a race across warps, which lacks a
 * barrier of the block. */
static bool lacks_barrier(const struct findings *f, struct line_range lines)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->list[i].data.cause == CAUSE_UNORDERED &&
		    f->list[i].across_warps &&
		    lines_overlap(finding_lines(&f->list[i]), lines))
			return true;
	return false;
}

static bool group_crosses_warps(const struct findings *f, size_t group)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->list[i].group == group && f->list[i].across_warps)
			return true;
	return false;
}

static void group_part(struct findings *f, size_t group)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->list[i].group == group)
			f->list[i].group = i + 1;
}

static bool is_better_example(const struct trace_finding *a,
			      const struct trace_finding *b)
{
	if (is_earlier(&a->access, &b->access))
		return true;
	return !is_earlier(&b->access, &a->access) &&
	       a->other.line < b->other.line;
}

static struct trace_finding group_sum(const struct findings *f, size_t of)
{
	struct trace_finding sum = f->list[of].data;
	uint64_t count = sum.count;

	for (size_t i = of + 1; i < f->count; i++) {
		const struct finding *g = &f->list[i];

		if (g->group != of + 1)
			continue;
		count += g->data.count;
		if (is_better_example(&g->data, &sum))
			sum = g->data;
	}
	sum.count = count;
	return sum;
}

/* Returns the finding to show for finding number i, the first of its group: a
 * summary of the group, or the finding itself. */
static struct trace_finding finding_told(struct findings *f, size_t i)
{
	struct line_range lines;
	struct trace_finding sum;
	uint64_t pairs;
	bool across;

	if (f->list[i].group)
		return f->list[i].data;
	lines = group_gather(f, i);
	pairs = group_pairs(f, i + 1);
	across = group_crosses_warps(f, i + 1);
	if (across ? pairs < PAIRS_ACROSS_WARPS :
		     pairs < PAIRS_OF_LANES || lacks_barrier(f, lines)) {
		group_part(f, i + 1);
		return f->list[i].data;
	}
	sum = group_sum(f, i);
	sum.cause = across ? CAUSE_UNORDERED_LINES : CAUSE_UNORDERED_LANES;
	sum.number[0] = pairs;
	sum.number[1] = lines.first;
	sum.number[2] = lines.last;
	return sum;
}

/* ---- into the trace ---- */

/* Finds an array in the trace's table, and adds it if it is missing. Only
 * arrays with accesses in bounds are in the table from the start. */
static uint32_t add_trace_array(struct trace_info *info,
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

static void finding_take(struct findings *f, size_t i, struct trace_info *info)
{
	const struct finding *from = &f->list[i];
	struct trace_finding *to;

	if (from->group && from->group != i + 1)
		return;
	to = &info->findings[info->finding_count++];
	*to = finding_told(f, i);
	to->word = copy_word(to->word);
	to->other_word = copy_word(to->other_word);
	to->array = from->array.name ? add_trace_array(info, &from->array) :
				       TRACE_NO_ARRAY;
}

void findings_take(struct findings *f, struct trace_info *info)
{
	info->findings = xcalloc(f->count + 1, sizeof(*info->findings));
	for (size_t i = 0; i < f->count; i++)
		if (f->list[i].data.kind != FINDING_NOTE)
			finding_take(f, i, info);
	for (size_t i = 0; i < f->count; i++)
		if (f->list[i].data.kind == FINDING_NOTE)
			finding_take(f, i, info);
}

void findings_done(struct findings *f)
{
	for (size_t i = 0; i < f->count; i++)
		finding_drop(&f->list[i]);
	free(f->list);
	memset(f, 0, sizeof(*f));
}
