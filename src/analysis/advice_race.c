/* advice_race: a missing barrier: the recorder found two threads of a block
 * that access a word, at least one of them writing, without a barrier between
 * them. */
#include "analysis/advice_finder.h"
#include "analysis/advice_source.h"
#include "trace/finding.h"

/* Returns whether a barrier would order the finding's accesses: they are in
 * shared memory, and not two lanes that write at once. */
static bool is_unordered(const struct trace_info *info,
			 const struct trace_finding *f)
{
	if (f->cause != CAUSE_UNORDERED && f->cause != CAUSE_UNORDERED_LINES &&
	    f->cause != CAUSE_READ_EARLY)
		return false;
	return f->array < info->array_count &&
	       info->arrays[f->array].space == SPACE_SHARED &&
	       f->access.line && f->other.line &&
	       f->access.block == f->other.block &&
	       f->access.op != f->other.op;
}

/* Adds advice for a finding, or counts it under the same line's advice: one
 * barrier may order several findings. */
static void add_race_advice(struct advice_search *s,
			    const struct trace_finding *f, uint32_t line)
{
	struct advice a = {
		.kind = ADVICE_BARRIER_MISSING, .line = line,
		.from = MIN(f->access.line, f->other.line),
		.to = MAX(f->access.line, f->other.line), .array = f->array,
		.counts = { { ADVICE_RACES, (int64_t)f->count, 0 } },
		.count = 1, .saves = (int64_t)f->count,
	};

	for (size_t i = 0; i < s->count; i++) {
		struct advice *has = &s->found[i];

		if (has->kind != a.kind || has->line != line)
			continue;
		has->counts[0].before += a.saves;
		has->saves += a.saves;
		return;
	}
	advice_add(s, &a);
}

static void *start(struct advice_search *s)
{
	for (size_t i = 0; i < s->info->finding_count; i++) {
		const struct trace_finding *f = &s->info->findings[i];
		struct source_place p;

		if (is_unordered(s->info, f) &&
		    source_barrier_find(s->info->text, f->access.line,
					f->other.line, &p))
			add_race_advice(s, f, p.line);
	}
	return NULL;
}

const struct advice_finder advice_race = { .start = start };
