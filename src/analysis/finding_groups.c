/*
 * finding_groups: see finding_groups.h.
 */
#include "analysis/finding_groups.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/finding_text.h"
#include "analysis/source_loop.h"
#include "base/lang.h"
#include "base/text.h"

/* ---- groups ---- */

struct line_span { uint32_t first, last; };

static bool is_in_shared(const struct trace_info *info,
			 const struct trace_finding *f)
{
	return f->array < info->array_count &&
	       info->arrays[f->array].space == SPACE_SHARED;
}

/* Tests for a race that a barrier of the block would order. */
static bool is_block_race(const struct trace_info *info,
			  const struct trace_finding *f)
{
	return f->cause == CAUSE_UNORDERED && is_in_shared(info, f) &&
	       f->access.line && f->other.line &&
	       f->access.line != f->other.line &&
	       f->access.op != f->other.op;
}

static struct line_span group_span(const struct trace_finding *f)
{
	uint32_t a = f->access.line, b = f->other.line;

	return (struct line_span){ MIN(a, b), MAX(a, b) };
}

/* Tests whether a finding has the cause of a group of races in these lines: it
 * is a race in some of them, or a read there of what was not written yet. */
static bool has_cause_of(const struct trace_info *info,
			 const struct trace_finding *f,
			 const struct line_span *lines)
{
	if (f->cause == CAUSE_UNWRITTEN && is_in_shared(info, f))
		return lines->first <= f->access.line &&
		       f->access.line <= lines->last;
	return is_block_race(info, f) &&
	       group_span(f).first <= lines->last &&
	       lines->first <= group_span(f).last;
}

/* Puts what has the same cause as race `of` into its group; group[i] is 1 + the
 * number of the finding that stands for i. */
static void gather_group(const struct trace_info *info, size_t of,
			 size_t *group)
{
	struct line_span lines = group_span(&info->findings[of]);

	group[of] = of + 1;
	for (size_t i = 0; i < info->finding_count; i++) {
		const struct trace_finding *f = &info->findings[i];

		if (group[i] || !has_cause_of(info, f, &lines))
			continue;
		group[i] = of + 1;
		if (f->cause != CAUSE_UNORDERED)
			continue;
		lines.first = MIN(lines.first, group_span(f).first);
		lines.last = MAX(lines.last, group_span(f).last);
		i = SIZE_MAX;	/* more may join it now */
	}
}

/* Groups all races. One whose write comes first stands for its group, if there
 * is such. */
static void gather_groups(const struct trace_info *info, size_t *group)
{
	for (int any = 0; any < 2; any++)
		for (size_t i = 0; i < info->finding_count; i++) {
			const struct trace_finding *f = &info->findings[i];

			if (!group[i] && is_block_race(info, f) &&
			    (any || f->other.op == OP_ST))
				gather_group(info, i, group);
		}
}

/* ---- iterations ---- */

/* Two accesses of which the upper one, in the text, is an iteration ahead. */
struct laps {
	struct source_loop loop;
	uint32_t barrier;		/* the line of the loop's barrier */
	const struct finding_access *ahead, *behind;
	bool known;			/* their numbers are */
	long ahead_at, behind_at;
};

/* Returns the only line with a barrier in the loop, if it is between the two
 * accesses; else 0. */
static uint32_t find_loop_barrier(const struct trace_info *info,
				  const struct laps *l)
{
	uint32_t line = 0;

	for (size_t i = 0; i < info->site_count; i++) {
		const struct trace_site *s = &info->sites[i];

		if (s->op != OP_BARRIER || s->line < l->loop.first ||
		    s->line > l->loop.last || s->line == line)
			continue;
		if (line)
			return 0;
		line = s->line;
	}
	return l->ahead->line < line && line < l->behind->line ? line : 0;
}

static bool laps_find(const struct trace_info *info,
		      const struct trace_finding *f, struct laps *l)
{
	bool upper = f->access.line < f->other.line;

	*l = (struct laps){ .ahead = upper ? &f->access : &f->other,
			    .behind = upper ? &f->other : &f->access };
	if (!source_loop_find(info, f->access.line, f->other.line, &l->loop))
		return false;
	l->barrier = find_loop_barrier(info, l);
	return l->barrier != 0;
}

/* Tests whether a request is this access to the element of the finding. */
static bool is_access_of(const struct trace_info *info,
			 const struct trace_finding *f,
			 const struct finding_access *a,
			 const struct trace_request *r)
{
	const struct trace_site *s = &info->sites[r->site];
	uint32_t lane = a->thread % WARP_LANES;

	return s->line == a->line && s->op == a->op && s->array == f->array &&
	       r->mask >> lane & 1 &&
	       (int64_t)r->offset[lane] <= f->offset &&
	       f->offset < (int64_t)(r->offset[lane] + s->bytes);
}

/* A walk over the requests of an access's warp, to the next that is the
 * access. */
struct access_walk {
	const struct finding_access *of;
	size_t warp;
	uint32_t at, phase, laps;	/* laps: barriers of the loop passed */
};

static bool walk_on(struct trace *t, const struct trace_finding *f,
		    uint32_t barrier, struct access_walk *w)
{
	const struct trace_info *info = trace_info(t);
	struct trace_request r;

	while (w->at < trace_warp(t, w->warp)->requests) {
		if (trace_get_lanes(t, w->warp, w->at++, &r, NULL) < 0)
			return false;
		if (info->sites[r.site].op == OP_BARRIER) {
			w->phase++;
			w->laps += info->sites[r.site].line == barrier;
		} else if (is_access_of(info, f, w->of, &r)) {
			return true;
		}
	}
	return false;
}

static bool walk_begin(struct trace *t, const struct finding_access *of,
		       struct access_walk *w)
{
	long warp = trace_find_warp(t, of->block, of->thread / WARP_LANES);

	*w = (struct access_walk){ .of = of, .warp = (size_t)warp };
	return warp >= 0;
}

/* Finds the first iterations in which both accesses are between the same two
 * barriers. */
static void laps_count(struct trace *t, const struct trace_finding *f,
		       struct laps *l)
{
	struct access_walk a, b;
	bool more;

	if (!l->loop.counted || !walk_begin(t, l->ahead, &a) ||
	    !walk_begin(t, l->behind, &b))
		return;
	more = walk_on(t, f, l->barrier, &a) && walk_on(t, f, l->barrier, &b);
	while (more && a.phase != b.phase)
		more = walk_on(t, f, l->barrier,
			       a.phase < b.phase ? &a : &b);
	l->known = more && b.laps;
	l->ahead_at = l->loop.start + (long)a.laps * l->loop.step;
	l->behind_at = l->loop.start + ((long)b.laps - 1) * l->loop.step;
}

/* ---- in words ---- */

/* Returns the element of a finding, "As[0][3]"; the caller frees it. */
static char *element_words(const struct trace_info *info,
			   const struct trace_finding *f)
{
	const struct trace_array *a = &info->arrays[f->array];
	int64_t index[TRACE_MAX_RANK];
	struct str s = { 0 };

	finding_element(a, f->offset, index);
	str_add(&s, text_show(a->name));
	for (uint32_t d = 0; d < a->rank; d++)
		str_addf(&s, "[%" PRId64 "]", index[d]);
	return str_take(&s);
}

static char *lap_words(const struct laps *l, bool ahead)
{
	if (l->known)
		return xasprintf(_("for %1$s = %2$ld"), l->loop.name,
				 ahead ? l->ahead_at : l->behind_at);
	return xasprintf(ahead ? _("for the next %1$s") : _("for this %1$s"),
			 l->loop.name);
}

static const char *deed_format(const struct laps *l)
{
	return l->ahead->op == OP_ST ?
		_("thread %1$s of block %2$s writes %3$s %4$s in line %5$u "
		  "while thread %6$s still reads it %7$s in line %8$u: the "
		  "loop's body ends without a barrier") :
		_("thread %1$s of block %2$s reads %3$s %4$s in line %5$u "
		  "while thread %6$s still writes it %7$s in line %8$u: the "
		  "loop's body ends without a barrier");
}

static char *laps_text(const struct trace_info *info,
		       const struct trace_finding *f, const struct laps *l)
{
	char *element = element_words(info, f), *text;
	char *ahead = lap_words(l, true), *behind = lap_words(l, false);

	text = xasprintf(deed_format(l),
			 finding_index_text(l->ahead->thread, &info->block),
			 finding_index_text(l->ahead->block, &info->grid),
			 element, ahead, l->ahead->line,
			 finding_index_text(l->behind->thread, &info->block),
			 behind, l->behind->line);
	free(element);
	free(ahead);
	free(behind);
	return text;
}

/* Adds the other arrays of a group to the text: ", and so it is with Bs". */
static void add_group_arrays(struct str *s, const struct trace_info *info, size_t of,
		       const size_t *group)
{
	uint32_t seen[16];
	size_t count = 1;

	seen[0] = info->findings[of].array;
	for (size_t i = 0; i < info->finding_count; i++) {
		uint32_t array = info->findings[i].array;
		size_t k = 0;

		while (k < count && seen[k] != array)
			k++;
		if (group[i] != of + 1 || k < count || count == LENGTH(seen))
			continue;
		str_add(s, count == 1 ? _("; so it is with ") : _(", "));
		str_add(s, text_show(info->arrays[array].name));
		seen[count++] = array;
	}
}

static char *plain_text(const struct trace_info *info,
			const struct trace_finding *f)
{
	struct trace_finding one = *f;

	one.count = 1;
	return finding_text(info, &one);
}

static char *group_text(const struct trace_info *info, struct trace *t,
			size_t of, const size_t *group, uint64_t count)
{
	const struct trace_finding *f = &info->findings[of];
	struct str s = { 0 };
	struct laps l;
	char *text;

	if (is_block_race(info, f) && laps_find(info, f, &l)) {
		if (t)
			laps_count(t, f, &l);
		text = laps_text(info, f, &l);
	} else {
		text = plain_text(info, f);
	}
	str_add(&s, text);
	free(text);
	add_group_arrays(&s, info, of, group);
	if (count > 1)
		str_addf(&s, _(" (and %1$llu more like it)"),
			 (unsigned long long)(count - 1));
	return str_take(&s);
}

/* ---- all of them ---- */

static struct told_finding tell_group(const struct trace_info *info,
				      struct trace *t, size_t of,
				      const size_t *group)
{
	struct told_finding told = { .of = &info->findings[of] };

	for (size_t i = 0; i < info->finding_count; i++)
		told.count += group[i] == of + 1 ? info->findings[i].count : 0;
	told.text = group_text(info, t, of, group, told.count);
	return told;
}

struct told_finding *findings_tell(const struct trace_info *info,
				   struct trace *t, size_t *count)
{
	size_t *group = xcalloc(info->finding_count + 1, sizeof(*group));
	struct told_finding *list =
		xcalloc(info->finding_count + 1, sizeof(*list));

	*count = 0;
	gather_groups(info, group);
	for (size_t i = 0; i < info->finding_count; i++) {
		const struct trace_finding *f = &info->findings[i];

		if (group[i] && group[i] != i + 1)
			continue;
		list[(*count)++] = group[i] ?
			tell_group(info, t, i, group) :
			(struct told_finding){ f, finding_text(info, f),
					       f->count };
	}
	free(group);
	return list;
}

void findings_told_done(struct told_finding *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i].text);
	free(list);
}
