/* Findings of the recorder: where each is in the trace, and which threads take
 * part. */
#include "scene/stage.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/finding_groups.h"
#include "analysis/finding_text.h"
#include "base/text.h"
#include "trace/trace_format.h"

/* The most requests that a search reads. */
#define SEARCH (1u << 20)

/* Where a finding's threads are in the trace; looked up when it is needed. */
struct finding_place {
	bool looked;
	struct defect_actor access, other;
};

struct defects {
	struct finding_place *places; /* one for each finding */
	bool marked;
	size_t marked_warp;
	struct defect_mark *marks;
	size_t mark_count, mark_capacity;
	size_t groups;
	bool shown;			/* scene.defect is of its index */
};

static const struct trace_finding *finding_at(const struct stage *s, size_t i)
{
	return &s->info->findings[i];
}

static bool is_result_finding(const struct trace_finding *f)
{
	return f->kind == FINDING_RESULT;
}

/* ---- looking up ---- */

static bool holds_offset(const struct trace_request *r, uint32_t lane,
			 const struct trace_site *site, int64_t offset)
{
	return r->mask >> lane & 1 && offset >= (int64_t)r->offset[lane] &&
	       offset < (int64_t)(r->offset[lane] + site->bytes);
}

/* Returns whether the site is the instruction of a finding's actor. */
static bool is_site(const struct trace_site *site,
		    const struct trace_finding *f,
		    const struct finding_access *a)
{
	return (!a->line || site->line == a->line) &&
	       (!a->bytes || (site->op == a->op &&
			      (f->array == TRACE_NO_ARRAY ||
			       site->array == f->array)));
}

static void take_value(struct stage *s, struct defect_actor *a,
		       const struct trace_request *r, int64_t offset)
{
	const struct trace_site *site = stage_site(s, r->site);
	const struct trace_array *array;

	if (!s->info->values || site->array == TRACE_NO_ARRAY ||
	    !holds_offset(r, a->lane, site, offset))
		return;
	array = &s->info->arrays[site->array];
	a->has_value = element_value(array->elem, &r->value[a->lane * 4],
				     (uint32_t)(offset -
						(int64_t)r->offset[a->lane]),
				     &a->value);
}

static void set_actor_request(struct stage *s, struct defect_actor *a,
			      uint32_t request, const struct trace_request *r,
			      int64_t offset)
{
	a->found = true;
	a->request = request;
	a->phase = trace_phase_of(s->trace, a->warp, request);
	take_value(s, a, r, offset);
}

/* Returns the request after the last one of a phase. */
static uint32_t find_phase_end(const struct stage *s, size_t warp,
			       uint32_t phase)
{
	const struct trace_warp *tw = trace_warp(s->trace, warp);

	return phase + 1 < tw->phases ?
		       trace_phase_start(s->trace, warp, phase + 1) :
		       tw->requests;
}

/* Finds the first request (the last one if `last`) in which an actor accesses
 * the element, or in which its lane is active if its instruction accesses
 * nothing. phase < 0: any phase. */
static void find_actor(struct stage *s, const struct trace_finding *f,
		       const struct finding_access *from, long phase, bool last,
		       struct defect_actor *a)
{
	long w = trace_find_warp(s->trace, from->block,
				 from->thread / WARP_LANES);
	struct trace_request r;
	uint32_t site, first = 0, n;

	*a = (struct defect_actor){
		.known = true, .block = from->block, .thread = from->thread,
		.line = from->line, .op = from->op,
		.lane = from->thread % WARP_LANES,
	};
	if (w < 0)
		return;
	a->warp = (size_t)w;
	n = MIN(trace_warp(s->trace, a->warp)->requests, SEARCH);
	if (phase >= 0) {
		first = trace_phase_start(s->trace, a->warp, (uint32_t)phase);
		n = find_phase_end(s, a->warp, (uint32_t)phase);
	}
	for (uint32_t i = first; i < n; i++) {
		if (trace_get_site(s->trace, a->warp, i, &site, NULL))
			return;
		if (!is_site(stage_site(s, site), f, from) ||
		    trace_get(s->trace, a->warp, i, &r, NULL))
			continue;
		if (from->bytes ?
			    !holds_offset(&r, a->lane, stage_site(s, site),
					  f->offset) :
			    !(r.mask >> a->lane & 1))
			continue;
		set_actor_request(s, a, i, &r, f->offset);
		if (!last)
			return;
	}
}

/* Moves the actor to its instruction at or after request `next`. */
static void move_to_instruction(struct stage *s, const struct trace_finding *f,
				const struct finding_access *from,
				uint32_t next, struct defect_actor *a)
{
	uint32_t site, n = trace_warp(s->trace, a->warp)->requests;

	for (uint32_t i = next; i < n; i++) {
		if (trace_get_site(s->trace, a->warp, i, &site, NULL))
			return;
		if (!is_site(stage_site(s, site), f, from))
			continue;
		a->request = i;
		a->phase = trace_phase_of(s->trace, a->warp, i);
		return;
	}
}

static void find_place(struct stage *s, const struct trace_finding *f,
		       const struct finding_access *from, bool last,
		       struct defect_actor *a)
{
	struct finding_access any = { .block = from->block,
				      .thread = from->thread };
	long w = trace_find_warp(s->trace, from->block,
				 from->thread / WARP_LANES);
	enum op op = from->op;

	find_actor(s, f, from, -1, last, a);
	/* An instruction that is not recorded comes after the lane's last
	 * request, if any; one outside its array with the same access of other
	 * lanes. A warp may also have no requests at all. */
	if (!a->found && w >= 0) {
		uint32_t next;

		find_actor(s, f, &any, -1, true, a);
		next = a->found ? a->request + 1 : 0;
		a->found = true;
		if (from->bytes)
			move_to_instruction(s, f, from, next, a);
	}
	a->line = from->line;
	a->op = op;
}

/* Finds a phase with both accesses, which no barrier orders. */
static bool find_pair(struct stage *s, const struct trace_finding *f,
		      struct finding_place *p)
{
	long w = trace_find_warp(s->trace, f->access.block,
				 f->access.thread / WARP_LANES);
	long v = trace_find_warp(s->trace, f->other.block,
				 f->other.thread / WARP_LANES);

	if (w < 0 || v < 0 || f->access.block != f->other.block)
		return false;
	for (uint32_t phase = 0;
	     phase < MIN(trace_warp(s->trace, (size_t)w)->phases,
			 trace_warp(s->trace, (size_t)v)->phases); phase++) {
		find_actor(s, f, &f->access, phase, false, &p->access);
		if (!p->access.found)
			continue;
		find_actor(s, f, &f->other, phase, false, &p->other);
		if (p->other.found)
			return true;
	}
	return false;
}

/* Finds a store to the element by any thread of the warp. Returns false if
 * there is none. */
static bool find_element_store(struct stage *s, const struct trace_finding *f,
			       size_t warp, uint32_t first, uint32_t end,
			       struct defect_actor *a)
{
	const struct trace_warp *tw = trace_warp(s->trace, warp);
	struct trace_request r;
	uint32_t site;

	for (uint32_t i = first; i < end; i++) {
		const struct trace_site *ts;

		if (trace_get_site(s->trace, warp, i, &site, NULL))
			return false;
		ts = stage_site(s, site);
		if (ts->op != OP_ST || ts->array != f->array ||
		    trace_get(s->trace, warp, i, &r, NULL))
			continue;
		for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
			if (!holds_offset(&r, lane, ts, f->offset))
				continue;
			*a = (struct defect_actor){
				.known = true, .block = tw->block,
				.thread = tw->warp * WARP_LANES + lane,
				.line = ts->line, .op = OP_ST, .warp = warp,
				.lane = lane,
			};
			set_actor_request(s, a, i, &r, f->offset);
			return true;
		}
	}
	return false;
}

/* Finds the store, in the same block and phase, of the element read. */
static void find_writer(struct stage *s, const struct trace_finding *f,
			struct finding_place *p)
{
	const struct defect_actor *a = &p->access;

	for (size_t w = 0; a->found && w < trace_warp_count(s->trace); w++) {
		const struct trace_warp *tw = trace_warp(s->trace, w);

		if (tw->block != a->block || a->phase >= tw->phases)
			continue;
		if (find_element_store(
			    s, f, w, trace_phase_start(s->trace, w, a->phase),
			    find_phase_end(s, w, a->phase), &p->other))
			return;
	}
}

/* Finds the store of an element of the result. */
static void find_result(struct stage *s, const struct trace_finding *f,
			struct finding_place *p)
{
	uint32_t left = SEARCH;

	for (size_t w = 0; w < trace_warp_count(s->trace); w++) {
		uint32_t n = MIN(left, trace_warp(s->trace, w)->requests);

		if (find_element_store(s, f, w, 0, n, &p->access))
			return;
		left -= n;
	}
}

static struct finding_place *find_finding_place(struct stage *s, size_t i)
{
	struct finding_place *p = &s->defects->places[i];
	const struct trace_finding *f = finding_at(s, i);
	unsigned has = finding_cause(f->cause)->has;

	if (p->looked)
		return p;
	p->looked = true;
	if (has & FINDING_OTHER && f->access.bytes && f->other.bytes &&
	    find_pair(s, f, p))
		return p;
	if (is_result_finding(f))
		find_result(s, f, p);
	else if (f->kind != FINDING_CAP)
		find_place(s, f, &f->access, false, &p->access);
	if (f->cause == CAUSE_UNWRITTEN)
		find_writer(s, f, p);
	else if (has & FINDING_OTHER)
		find_place(s, f, &f->other, !f->other.bytes, &p->other);
	return p;
}

/* ---- marks of a warp ---- */

static void add_mark(struct defects *d, uint32_t request, size_t finding)
{
	size_t i = d->mark_count;

	grow(&d->marks, &d->mark_capacity, d->mark_count + 1,
	     sizeof(*d->marks));
	while (i && d->marks[i - 1].request > request) {
		d->marks[i] = d->marks[i - 1];
		i--;
	}
	d->marks[i] = (struct defect_mark){ request, finding };
	d->mark_count++;
}

/* Returns whether a lane moves a NaN. */
static bool moves_nan(const struct stage *s, const struct trace_request *r)
{
	const struct trace_site *site = stage_site(s, r->site);
	const struct trace_array *a = &s->info->arrays[site->array];
	double v;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		for (uint32_t at = 0; r->mask >> lane & 1 &&
		     at + a->elem_bytes <= site->bytes; at += a->elem_bytes)
			if (element_value(a->elem, &r->value[lane * 4], at,
					  &v) && isnan(v))
				return true;
	return false;
}

/* Returns whether other requests at this site can show the same defect. A
 * finding names the first thread that it applies to; further ones show in the
 * values if they read, or store as a result, a NaN. */
static bool shows_nan(const struct trace_finding *f,
		      const struct trace_site *site)
{
	if (site->array != f->array)
		return false;
	return f->cause == CAUSE_UNWRITTEN ?
		       is_site(site, f, &f->access) :
		       f->cause == CAUSE_NO_NUMBER && site->op == OP_ST;
}

static void mark_nan(struct stage *s, size_t warp, size_t finding)
{
	const struct trace_finding *f = finding_at(s, finding);
	const struct finding_place *p = find_finding_place(s, finding);
	uint32_t n = MIN(trace_warp(s->trace, warp)->requests, SEARCH);
	struct trace_request r;
	uint32_t site;

	for (uint32_t i = 0; i < n; i++)
		if (!trace_get_site(s->trace, warp, i, &site, NULL) &&
		    shows_nan(f, stage_site(s, site)) &&
		    !(p->access.found && p->access.warp == warp &&
		      p->access.request == i) &&
		    !trace_get(s->trace, warp, i, &r, NULL) &&
		    moves_nan(s, &r))
			add_mark(s->defects, i, finding);
}

static bool is_in_warp(const struct stage *s, const struct finding_access *a,
		       size_t warp)
{
	const struct trace_warp *tw = trace_warp(s->trace, warp);

	return a->block == tw->block && a->thread / WARP_LANES == tw->warp;
}

static void mark_warp(struct stage *s, size_t warp)
{
	struct defects *d = s->defects;
	size_t count = findings_before_notes(s->info);

	if (d->marked && d->marked_warp == warp)
		return;
	d->marked = true;
	d->marked_warp = warp;
	d->mark_count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct trace_finding *f = finding_at(s, i);
		const struct finding_place *p;

		if (is_result_finding(f) || is_in_warp(s, &f->access, warp) ||
		    is_in_warp(s, &f->other, warp)) {
			p = find_finding_place(s, i);
			if (p->access.found && p->access.warp == warp)
				add_mark(d, p->access.request, i);
			if (p->other.found && p->other.warp == warp &&
			    f->cause != CAUSE_UNWRITTEN)
				add_mark(d, p->other.request, i);
		}
		if (s->info->values && (f->cause == CAUSE_UNWRITTEN ||
					f->cause == CAUSE_NO_NUMBER))
			mark_nan(s, warp, i);
	}
}

/* ---- the finding on stage ---- */

/* Computes the finding's element: its name, row and column, and whether it lies
 * outside the array. */
static void name_finding_element(struct defect *d)
{
	const struct trace_finding *f = d->finding;
	const struct trace_array *a = d->array;
	int64_t index[TRACE_MAX_RANK], cols = (int64_t)a->dims[a->rank - 1];
	int64_t e, all = (int64_t)(trace_array_bytes(a) / a->elem_bytes);
	size_t n = 0;

	finding_element(a, f->offset, index);
	e = index[0];
	for (uint32_t i = 1; i < a->rank; i++)
		e = e * (int64_t)a->dims[i] + index[i];
	d->row = e >= 0 ? e / cols : -((cols - 1 - e) / cols);
	d->col = e - d->row * cols;
	d->outside = e < 0 || e >= all;
	if (e < 0 && cols == all) {	/* before a row, not at an end of one */
		d->row = -1;
		d->col = 0;
	}
	if (a->space == SPACE_GLOBAL && !is_result_finding(f)) {
		snprintf(d->element, sizeof(d->element), "%s[%" PRId64 "]",
			 a->name, e);
		return;
	}
	n = (size_t)snprintf(d->element, sizeof(d->element), "%s", a->name);
	for (uint32_t i = 0; i < a->rank && n < sizeof(d->element); i++)
		n += (size_t)snprintf(d->element + n, sizeof(d->element) - n,
				      "[%" PRId64 "]", index[i]);
}

static void show_defect(struct stage *s, size_t index)
{
	struct defect *d = &s->scene.defect;
	const struct finding_place *p = find_finding_place(s, index);

	if (s->defects->shown && d->index == index)
		return;
	free(d->sentence);
	*d = (struct defect){
		.finding = finding_at(s, index), .index = index,
		.count = findings_before_notes(s->info),
		.groups = s->defects->groups,
		.sentence = text_capital(
			finding_text(s->info, finding_at(s, index))),
		.access = p->access, .other = p->other,
	};
	d->other_first = p->other.known &&
			 d->finding->cause != CAUSE_UNWRITTEN;
	if (d->finding->array != TRACE_NO_ARRAY) {
		d->array = &s->info->arrays[d->finding->array];
		name_finding_element(d);
	}
	s->defects->shown = true;
}

/* Returns whether the cursor is at a request of this finding. */
static bool is_marked_here(const struct stage *s, size_t finding)
{
	const struct defects *d = s->defects;

	for (size_t i = 0; i < d->mark_count; i++)
		if (d->marks[i].request == s->scene.cursor.request &&
		    d->marks[i].finding == finding)
			return true;
	return false;
}

/* Returns the first finding at the cursor; else `other`. */
static size_t find_first_here(const struct stage *s, size_t other)
{
	const struct defects *d = s->defects;

	for (size_t i = 0; i < d->mark_count; i++)
		if (d->marks[i].request == s->scene.cursor.request)
			return d->marks[i].finding;
	return other;
}

/* Returns how many findings the report tells: some stand for several. */
static size_t count_groups(const struct trace_info *info)
{
	size_t told_count, n = 0;
	struct told_finding *told = findings_tell(info, NULL, &told_count);

	for (size_t i = 0; i < told_count; i++)
		n += finding_is_fault(told[i].of);
	findings_told_done(told, told_count);
	return n;
}

static void begin_defects(struct stage *s)
{
	if (s->defects)
		return;
	s->defects = xcalloc(1, sizeof(*s->defects));
	s->defects->places =
		xcalloc(s->info->finding_count, sizeof(struct finding_place));
	s->defects->groups = count_groups(s->info);
}

void scene_defect(struct stage *s)
{
	struct scene *sc = &s->scene;
	size_t index;

	sc->finding = NULL;
	if (!findings_before_notes(s->info))
		return;
	begin_defects(s);
	mark_warp(s, sc->cursor.warp);
	sc->defects = s->defects->marks;
	sc->defect_count = s->defects->mark_count;
	/* The one that the reader chose, unless there is another here. */
	index = sc->cursor.defect && sc->cursor.defect <=
		findings_before_notes(s->info) ? sc->cursor.defect - 1 : 0;
	if (!is_marked_here(s, index))
		index = find_first_here(s, index);
	show_defect(s, index);
	sc->defect.here = is_marked_here(s, index);
	if (sc->defect.here)
		sc->finding = sc->defect.finding;
}

void scene_defect_done(struct stage *s)
{
	free(s->scene.defect.sentence);
	if (!s->defects)
		return;
	free(s->defects->places);
	free(s->defects->marks);
	free(s->defects);
}

bool cursor_defect(struct stage *s, struct cursor *p, int by)
{
	size_t n = findings_before_notes(s->info);
	const struct finding_place *place;
	size_t to;

	if (!n)
		return false;
	begin_defects(s);
	to = !p->defect && by > 0 ? 0 :
	     (s->scene.defect.index + n + (size_t)(by > 0 ? 1 : n - 1)) % n;
	p->defect = (uint32_t)to + 1;
	place = find_finding_place(s, to);
	if (place->access.found) {
		p->warp = place->access.warp;
		p->request = place->access.request;
		p->lane = place->access.lane;
		p->focus = FOCUS_LANE;
	}
	return true;
}
