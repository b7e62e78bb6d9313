/*
 * replay_events: converts a thread's events to a lane's. See replay_parts.h.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/record/replay_parts.h"
#include "hardware/fragment.h"
#include "record/atomic_result.h"

/* ---- points ---- */

/*
 * Returns the column of a site. PTX has a statement's column, not an array's:
 * of the sites that access the array from one line, the first gets the first
 * occurrence of its name, and so on.
 */
static uint32_t site_column(const struct replay *r, const struct ptx_site *s,
			    enum op op, const struct replay_place *p,
			    uint32_t line)
{
	uint32_t before = 0, column;

	for (size_t i = 0; p && i < r->point_count; i++) {
		const struct point_key *k = &r->keys[i];

		before += k->line == line &&
			  k->place == (uint32_t)(p - r->places) &&
			  r->ptx->sites[k->site].event == s->event &&
			  r->ptx->sites[k->site].order < s->order;
	}
	column = plan_column(r->plan, line, op == OP_BARRIER ?
			     "__syncthreads" : debug_word(p->info.name),
			     before);
	return column ? column : s->column;
}

static uint32_t replay_site_number(struct replay *r, const struct ptx_site *s,
				   struct replay_place *p, uint32_t line,
				   uint32_t bytes)
{
	struct trace_info *i = &r->info;
	struct trace_site site = {
		.line = line,
		.op = s->event == PTX_LOAD ? OP_LD :
		      s->event == PTX_STORE ? OP_ST : OP_BARRIER,
		.array = p ? replay_array_number(r, p) : TRACE_NO_ARRAY,
		.bytes = bytes, .matrix = s->matrix,
	};

	site.column = site_column(r, s, site.op, p, line);
	for (size_t n = 0; n < i->site_count; n++)
		if (trace_site_same(&i->sites[n], &site))
			return (uint32_t)n;
	grow(&i->sites, &r->site_capacity, i->site_count + 1,
	     sizeof(*i->sites));
	i->sites[i->site_count] = site;
	return (uint32_t)i->site_count++;
}

static uint32_t point_of(struct replay *r, uint32_t site,
			 struct replay_place *p, uint32_t line, uint32_t bytes)
{
	struct point_key key = {
		site, p ? (uint32_t)(p - r->places) : NOWHERE, line, bytes,
	};
	const struct ptx_site *s = &r->ptx->sites[site];
	uint32_t id = map_find(&r->points_by_key, &key, sizeof(key));
	struct warp_point point = { .order = s->order, .site = NOWHERE };

	if (id != MAP_NONE)
		return id;
	switch (s->event) {
	case PTX_LABEL:
		point.kind = WARP_BLOCK;
		break;
	case PTX_CALL:
		point.kind = WARP_ENTER;
		break;
	case PTX_RETURN:
		point.kind = WARP_LEAVE;
		break;
	default:
		point.kind = WARP_ACCESS;
		point.site = replay_site_number(r, s, p, line, bytes);
	}
	grow(&r->points, &r->point_capacity, r->point_count + 1,
	     sizeof(*r->points));
	grow(&r->keys, &r->key_capacity, r->point_count + 1,
	     sizeof(*r->keys));
	grow(&r->result_used, &r->result_capacity, r->point_count + 1,
	     sizeof(*r->result_used));
	grow(&r->expects, &r->expects_capacity, r->point_count + 1,
	     sizeof(*r->expects));
	r->expects[r->point_count] = false;
	r->points[r->point_count] = point;
	r->keys[r->point_count] = key;
	r->result_used[r->point_count] =
		s->atomic && atomic_result_used(r->plan->text, line);
	r->point_count++;
	return map_add(&r->points_by_key, &key, sizeof(key));
}

/* ---- events ---- */

static bool in_kernels_text(const struct replay *r, const struct ptx_site *s)
{
	return s->file < r->file_limit && r->ours[s->file];
}

/* Returns the line of a site. Code of a header's function belongs to the line
 * that called it. */
static uint32_t site_line(const struct replay *r, const struct ptx_site *s)
{
	if (in_kernels_text(r, s))
		return s->line;
	return r->depth ? r->calls[r->depth - 1].line : 0;
}

static void push_event(struct replay *r, struct lane_events *l, uint32_t id,
		       uint32_t offset)
{
	grow(&l->id, &l->capacity, l->count + 1, sizeof(*l->id));
	grow(&l->offset, &l->offset_capacity, l->count + 1,
	     sizeof(*l->offset));
	r->events += r->points[id].kind == WARP_ACCESS;
	l->id[l->count] = id;
	l->offset[l->count++] = offset;
}

/* Appends the part of the event's value, from byte `at` on, that belongs to the
 * site. */
static void push_value(struct lane_events *l, const struct trace_site *site,
		       const struct record_event *e, uint32_t at)
{
	uint32_t words = trace_value_words(site);

	grow(&l->value, &l->word_capacity, l->words + words,
	     sizeof(*l->value));
	l->value[l->words + words - 1] = 0;
	memcpy(l->value + l->words, (const char *)e->value + at, site->bytes);
	l->words += words;
}

static void push_rows(struct lane_events *l, const struct ptx_site *s,
		      const struct record_event *e)
{
	struct rows *to;

	grow(&l->rows, &l->row_capacity, l->row_count + 1, sizeof(*l->rows));
	to = &l->rows[l->row_count++];
	*to = (struct rows) { .transposed = s->transposed, .row = NOWHERE };
	memcpy(to->given, e->value, sizeof(to->given));
}

static void push_warp_sync(struct lane_events *l, uint32_t mask, bool fence)
{
	grow(&l->syncs, &l->sync_capacity, l->sync_count + 1,
	     sizeof(*l->syncs));
	l->syncs[l->sync_count++] = (struct sync) {
		l->count, mask, fence,
	};
}

/* Adds a finding in an array, or in none (NULL). */
static void place_finding(struct replay *r, const struct finding_access *d,
			  enum finding_cause cause,
			  const struct replay_place *p, uint64_t offset)
{
	const struct trace_finding f = {
		.cause = cause, .access = *d, .offset = (int64_t)offset,
	};

	finding_add(&r->findings, &f, p ? &p->info : NULL);
}

static void add_outside(struct replay *r, const struct finding_access *d,
			const struct replay_place *p, int64_t offset)
{
	struct trace_finding f = { .cause = CAUSE_OUTSIDE_ARRAY, .access = *d,
				   .offset = offset };

	if (!r->assumed ||
	    inferred_outside(r->assumed, p->parameter, &p->info, &f))
		finding_add(&r->findings, &f, &p->info);
}

static void stop_at_fault(struct replay *r, struct lane_events *l,
			  const struct finding_access *d,
			  const struct ptx_site *s, enum space space,
			  const struct record_event *e)
{
	struct replay_place *p = replay_place_at(r, space, e->address, 1);

	r->tainted = l->stopped = true;
	if (e->flags & RECORD_MISALIGNED && p) {
		place_finding(r, d, CAUSE_MISALIGNED, p, e->address - p->lo);
		return;
	}
	p = replay_place_meant(r, s, space, e->address);
	if (p)
		add_outside(r, d, p, (int64_t)(e->address - p->lo));
	else
		place_finding(r, d, finding_wild(e->address), NULL, 0);
}

static void stop_at_cap(struct replay *r, struct lane_events *l,
			const struct finding_access *d)
{
	if (!r->tainted)
		place_finding(r, d, CAUSE_CAP_THREAD, NULL, 0);
	r->tainted = l->stopped = true;
}

static void access_take(struct replay *r, struct lane_events *l,
			const struct record_event *e, uint32_t site)
{
	static const enum space spaces[] = {
		[RECORD_NOWHERE] = SPACE_COUNT,
		[RECORD_GLOBAL] = SPACE_GLOBAL,
		[RECORD_SHARED] = SPACE_SHARED,
		[RECORD_LOCAL] = SPACE_REGISTER,
	};
	const struct ptx_site *s = &r->ptx->sites[site];
	enum space space = spaces[e->site >> RECORD_SPACE_SHIFT];
	uint32_t bytes = MIN(e->flags >> RECORD_WIDTH_SHIFT, s->bytes);
	/* What no single load reads, several do. */
	uint32_t piece = bytes & -bytes, line = site_line(r, s), id;
	uint64_t at = e->address;
	size_t first = l->words;
	struct replay_place *p;

	l->last.line = line;
	l->last.column = s->column;
	l->last.op = s->event == PTX_LOAD ? OP_LD : OP_ST;
	l->last.bytes = bytes;
	if (e->flags & (RECORD_OUTSIDE | RECORD_MISALIGNED)) {
		stop_at_fault(r, l, &l->last, s, space, e);
		return;
	}
	p = space == SPACE_REGISTER ? replay_place_local(r, &at) :
				      replay_place_at(r, space, at, bytes);
	/* Scalars in a frame, and what no debug information speaks of. */
	if (!p || !bytes || !(r->info.spaces >> p->info.space & 1))
		return;
	id = point_of(r, site, p, line, piece);
	for (uint32_t i = 0; i < bytes; i += piece) {
		push_event(r, l, id, (uint32_t)(at - p->lo) + i);
		if (r->info.values)
			push_value(l, &r->info.sites[r->points[id].site], e,
				   i);
	}
	if (r->info.values && s->matrix && s->event == PTX_STORE &&
	    l->row_count)
		l->rows[l->row_count - 1].row = first;
}

static void begin_call(struct replay *r, const struct ptx_site *s)
{
	struct replay_call *c;
	uint32_t line = site_line(r, s);

	if (r->depth >= CALLS_MAX)
		return;
	c = &r->calls[r->depth++];
	c->line = line;
	c->function = NOWHERE;
}

/* Stores the function's frame of local memory. */
static void frame_enter(struct replay *r, const struct ptx_site *s,
			const struct record_event *e)
{
	struct replay_call *c = &r->calls[r->depth - 1];

	c->function = s->function;
	c->depot = e->address;
}

/* Adds a finding for an instruction of wmma whose address or pitch breaks its
 * rules. */
static void rule_broken(struct replay *r, struct lane_events *l,
			const struct record_event *e, const struct ptx_site *s)
{
	l->last.line = site_line(r, s);
	l->last.column = s->column;
	place_finding(r, &l->last, e->flags & RECORD_PITCH ?
		      CAUSE_WMMA_PITCH : CAUSE_WMMA_ALIGN, NULL, 0);
	r->tainted = l->stopped = true;
}

static void replay_event(struct replay *r, struct lane_events *l,
			 const struct record_event *e)
{
	uint32_t site = e->site & RECORD_SITE_MASK;
	const struct ptx_site *s;

	if (site >= r->ptx->site_count)
		return;
	s = &r->ptx->sites[site];
	switch (s->event) {
	case PTX_LOAD:
	case PTX_STORE:
		access_take(r, l, e, site);
		break;
	case PTX_BARRIER:
		l->last.line = site_line(r, s);
		push_event(r, l, point_of(r, site, NULL, l->last.line, 0), 0);
		l->barriers++;
		break;
	case PTX_SYNC:
		l->last.line = site_line(r, s);
		push_warp_sync(l, (uint32_t)e->address, false);
		break;
	case PTX_FENCE:
		push_warp_sync(l, 0, true);
		break;
	case PTX_CALL:
		push_event(r, l, point_of(r, site, NULL, 0, 0), 0);
		begin_call(r, s);
		break;
	case PTX_RETURN:
		if (r->depth > 1)
			r->depth--;
		push_event(r, l, point_of(r, site, NULL, 0, 0), 0);
		break;
	case PTX_LABEL:
		if (site_line(r, s))
			l->last.line = site_line(r, s);
		push_event(r, l, point_of(r, site, NULL, 0, 0), 0);
		break;
	case PTX_FRAME:
		frame_enter(r, s, e);
		break;
	case PTX_PLACE:
		replay_place_shared(r, s->symbol, e->address);
		break;
	case PTX_ROWS:
		push_rows(l, s, e);
		break;
	case PTX_RULE:
		rule_broken(r, l, e, s);
		break;
	case PTX_UNSEEN:
		break;
	}
	if (e->flags & RECORD_ENDED)
		stop_at_cap(r, l, &l->last);
}

void replay_thread(struct replay *r, uint32_t block, uint32_t thread,
		   const struct record_event *events, uint32_t count)
{
	struct lane_events *l = &r->lanes[thread];

	l->count = l->words = l->sync_count = l->row_count = 0;
	l->barriers = 0;
	l->stopped = false;
	l->last = (struct finding_access) { .block = block, .thread = thread };
	r->depth = 1;
	r->calls[0] = (struct replay_call){ .function = NOWHERE };
	for (uint32_t i = 0; i < count; i++)
		replay_event(r, l, &events[i]);
}

/* ---- stmatrix ---- */

/* Composes the row of a matrix that a lane has named from what all lanes
 * gave. */
static void row_make(const struct fragment *f, const struct rows *const *lanes,
		     int named, uint32_t *row)
{
	memset(row, 0, (size_t)(f->cols * f->bits / 8));
	for (int col = 0; col < f->cols; col++) {
		struct fragment_place p = { .matrix = named / f->rows,
					    .row = named % f->rows,
					    .col = col };

		fragment_holder(f, &p);
		row[col / 2] |= (lanes[p.lane]->given[p.element / 2] >>
				 p.element % 2 * 16 & 0xffff) << col % 2 * 16;
	}
}

/* Composes the rows of a warp's nth stmatrix, which all its lanes execute. */
static void rows_make(const struct fragment of[2], struct lane_events *lanes,
		      size_t n)
{
	const struct rows *given[WARP_LANES];

	for (int l = 0; l < WARP_LANES; l++) {
		if (n >= lanes[l].row_count)
			return;
		given[l] = &lanes[l].rows[n];
	}
	for (int l = 0; l < WARP_LANES; l++)
		if (given[l]->row != NOWHERE)
			row_make(&of[given[l]->transposed], given, l,
				 &lanes[l].value[given[l]->row]);
}

void replay_rows(struct lane_events *lanes)
{
	struct fragment of[2];
	struct error e;

	if (!lanes->row_count)
		return;
	for (int t = 0; t < 2; t++) {
		struct fragment_wish w = { .name = t ? "stmatrix.x4.trans" :
						       "stmatrix.x4",
					   .operand = 'R' };

		if (fragment_find(&w, &of[t], &e) < 0)
			fatal("%s", e.text);
	}
	for (size_t n = 0; n < lanes->row_count; n++)
		rows_make(of, lanes, n);
}
