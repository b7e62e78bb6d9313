/* road_lanes: draws the two mbarriers of a stage, and who waits at them, as
 * lanes in which events stand in their order. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/pictures/road/view_road.h"

#define LABEL 17
#define LABEL_CLUSTER 23

/* Moments between which things happen, in their order; then the releases. */
enum moment { MOMENT_START, MOMENT_EXPECT, MOMENT_ORDER, MOMENT_FULL,
	      MOMENT_READ, MOMENT_NEXT, MOMENTS };

struct road_lane_plan {
	const struct road_view *v;
	struct canvas *c;
	struct rect r;		/* of the lanes, right of their names */
	int label;		/* columns of these */
	uint32_t all;		/* releases */
};

static int moment_x(const struct road_lane_plan *p, int moment)
{
	static const int parts[MOMENTS + 1] = { 0, 21, 37, 46, 63, 77, 100 };
	int from, to;

	if (moment < MOMENTS)
		return p->r.x + p->r.w * parts[moment] / 100;
	/* the releases, side by side */
	from = p->r.x + p->r.w * parts[MOMENT_NEXT] / 100;
	to = p->r.x + p->r.w;
	return from + (to - from) * (moment - MOMENT_NEXT) /
		      (int)MAX(p->all, 1);
}

/* Draws what happens between two moments; of text that has no room the number
 * alone. */
static void draw_lane_span(const struct road_lane_plan *p, int y, int from,
			   int to, const char *text, struct ink ink)
{
	const char *digits = text + strcspn(text, "0123456789");
	char number[16];
	int x = moment_x(p, from), w = moment_x(p, to) - x - 1;

	canvas_fill(p->c, (struct rect){ x, y, w, 1 }, ' ', ink);
	snprintf(number, sizeof(number), "%.*s",
		 (int)strspn(digits, "0123456789/"), digits);
	if (!kit_whole(p->c, x + 1, y, w - 1, text, ink) &&
	    !kit_whole(p->c, x, y, w, digits, ink))
		kit_whole(p->c, x, y, w, number, ink);
}

/* Draws a lane of which a question is open. */
static void draw_whole_span(const struct road_lane_plan *p, int y)
{
	canvas_fill(p->c, (struct rect){ p->r.x, y, p->r.w, 1 }, ' ',
		    INK_ON(ROLE_DIM, ROLE_FIELD));
}

static struct ink lane_span_ink(bool begun, bool over)
{
	return !begun ? INK_ON(ROLE_DIM, ROLE_FIELD) :
	       over ? INK_ON(ROLE_TEXT, ROLE_OWN) :
		      INK_ON(ROLE_ON_HUE, ROLE_NOW);
}

/* Writes a lane's name in the columns before it. */
static void draw_lane_name(const struct road_lane_plan *p, int y,
			   const char *name, bool own)
{
	canvas_text(p->c, p->r.x - p->label, y, p->label - 1, name,
		    own ? INK_BOLD(ROLE_CURSOR) : INK_BOLD(ROLE_STRONG));
}

/* ---- the producer and full ---- */

/* Counts the boxes that have been ordered. */
static uint32_t count_ordered(const struct road_view *v)
{
	uint32_t n = 0;

	for (size_t i = 0; i < v->use->box_count; i++)
		n += road_ordered(v, &v->road->boxes[v->use->boxes[i]]) > 0;
	return n;
}

static bool is_landed(const struct road_view *v)
{
	return v->use->expected && road_bytes(v) >= v->use->expected;
}

static void draw_producer(const struct road_lane_plan *p, int y)
{
	const struct road_view *v = p->v;
	uint32_t n = (uint32_t)v->use->box_count, done = count_ordered(v);
	const struct road_box *b = n ? &v->road->boxes[v->use->boxes[0]] : NULL;
	bool expects = road_expected(v) > 0;
	char text[64];

	if (!b)
		return;
	snprintf(text, sizeof(text), _("thread %u"),
		 b->warp * WARP_LANES + b->lane);
	draw_lane_name(p, y, text, v->at && v->kind <= ROAD_ORDER);
	if (v->s->quiet)
		return;
	snprintf(text, sizeof(text), _("expects %llu bytes"),
		 (unsigned long long)v->use->expected);
	draw_lane_span(p, y, MOMENT_START, MOMENT_EXPECT, text,
		  lane_span_ink(expects, done > 0));
	snprintf(text, sizeof(text), ngettext("orders %u box",
					      "orders %u boxes", n), n);
	draw_lane_span(p, y, MOMENT_EXPECT, MOMENT_ORDER, text,
		  lane_span_ink(done > 0, is_landed(v)));
}

static void draw_full(const struct road_lane_plan *p, int y)
{
	const struct road_view *v = p->v;
	const struct road_use *u = v->use;
	bool full = is_landed(v);
	char text[96];

	road_name(text, sizeof(text), v->s->scene->info, u->full, u->full_at);
	draw_lane_name(p, y, text, v->at && v->kind == ROAD_WAIT);
	if (v->s->quiet) {
		draw_whole_span(p, y);
		return;
	}
	if (full)
		snprintf(text, sizeof(text), _("phase %u is over"), u->phase);
	else
		snprintf(text, sizeof(text), _("phase %u: %.0f bytes to come"),
			 u->phase, road_expected(v) - road_bytes(v));
	draw_lane_span(p, y, MOMENT_START, MOMENT_FULL, text,
		  lane_span_ink(road_expected(v) > 0, full));
	snprintf(text, sizeof(text), _("phase %u"), u->phase + 1);
	draw_lane_span(p, y, MOMENT_FULL, MOMENT_NEXT + (int)MAX(p->all, 1), text,
		  lane_span_ink(full, false));
}

/* Draws the boxes next to each other: they may land in any order. */
static void draw_boxes(const struct road_lane_plan *p, int y)
{
	const struct road_view *v = p->v;
	const struct road_use *u = v->use;
	int from = moment_x(p, MOMENT_EXPECT), to = moment_x(p, MOMENT_FULL);
	int n = (int)u->box_count;

	draw_lane_name(p, y, _("its boxes, bytes"), v->at && v->kind == ROAD_LAND);
	for (int i = 0; i < n && !v->s->quiet; i++) {
		const struct road_box *b = &v->road->boxes[u->boxes[i]];
		int x = from + (to - from) * i / n;
		int w = from + (to - from) * (i + 1) / n - x - 1;
		const char *name = v->s->scene->info->arrays[
					b->from->array].name;
		struct ink ink = lane_span_ink(road_ordered(v, b) > 0,
					  road_part(v, b) >= 1);
		char text[64];

		snprintf(text, sizeof(text), "%s %u", name, b->to->bytes);
		canvas_fill(p->c, (struct rect){ x, y, w, 1 }, ' ', ink);
		if (!kit_whole(p->c, x + 1, y, w - 1, text, ink))
			kit_whole(p->c, x, y, w, name, ink);
	}
}

/* ---- who reads ---- */

static bool is_own_party(const struct road_view *v, const struct road_party *p)
{
	const struct trace_warp *w = &v->s->scene->warp;

	return w->block == p->block && w->warp >= p->first &&
	       w->warp <= p->last;
}

static void party_name(char *buf, size_t size, const struct road_lane_plan *l,
		       const struct road_party *p)
{
	if (l->label < LABEL_CLUSTER && l->v->road->cluster > 1)
		snprintf(buf, size, _("block %u, %u to %u"), p->block,
			 p->first, p->last);
	else if (l->v->road->cluster > 1)
		snprintf(buf, size, _("block %u, warps %u to %u"), p->block,
			 p->first, p->last);
	else if (p->first == p->last)
		snprintf(buf, size, _("warp %u"), p->first);
	else
		snprintf(buf, size, _("warps %u to %u"), p->first, p->last);
}

/* Finds the party's arrivals among those that release the use: from the nth on
 * (0: the first) so many; when: the last of them. Returns how many. */
static int find_releases(const struct road_view *v, const struct road_party *p,
			 int *nth, uint64_t *when)
{
	int all = 0, found = 0;

	for (uint32_t i = v->use->first; i < v->use->end; i++) {
		const struct road_event *e = &v->road->events[i];

		if (e->kind != ROAD_RELEASE)
			continue;
		if (e->block == p->block && e->number >= p->first &&
		    e->number <= p->last) {
			*nth = found++ ? *nth : all;
			*when = e->when;
		}
		all++;
	}
	return found;
}

/* Returns whether the party has begun to read the next tile before it releases
 * this one, and sets when. */
static bool begins_next(const struct road_view *v, const struct road_party *p,
			uint64_t release, uint64_t *when)
{
	for (uint32_t i = 0; i < v->road->event_count; i++) {
		const struct road_event *e = &v->road->events[i];
		const struct road_use *u = &v->road->uses[e->use];

		if (e->kind == ROAD_READ && e->block == p->block &&
		    e->number >= p->first && e->number <= p->last &&
		    u->block == v->use->block &&
		    u->number == v->use->number + 1 && e->when < release) {
			*when = e->when;
			return true;
		}
	}
	return false;
}

static void draw_wait(const struct road_lane_plan *p, int y,
		      const struct road_progress *at)
{
	bool full = is_landed(p->v), waits = !at->waited && !full;

	draw_lane_span(p, y, MOMENT_START, MOMENT_FULL, waits ?
		  _("waits until no byte is to come") : full && !at->waited ?
		  _("may read") : _("has waited"), waits ?
		  INK_ON(ROLE_STRONG, ROLE_WASTE) :
		  INK_ON(ROLE_TEXT, ROLE_OWN));
}

static void draw_party_lane(const struct road_lane_plan *p, int y,
			    const struct road_party *party)
{
	const struct road_view *v = p->v;
	struct road_progress at = road_progress(v->s->scene, v->use, party,
						v->t >= 1);
	bool own = is_own_party(v, party);
	bool reads = at.reads && at.reads < at.all;
	uint64_t release = 0, next = 0;
	char text[64];
	int nth = 0, count;

	party_name(text, sizeof(text), p, party);
	draw_lane_name(p, y, text, own);
	if (party->block == v->use->block) {
		draw_wait(p, y, &at);
		snprintf(text, sizeof(text), v->road->wgmma ? _("%u/%u wgmma") :
			 _("%u/%u reads"), at.reads, at.all);
		draw_lane_span(p, y, MOMENT_FULL, MOMENT_READ, text,
			  own && (reads || (v->kind == ROAD_READ && v->at)) ?
			  INK_ON(ROLE_ON_HUE, ROLE_CURSOR) :
			  lane_span_ink(at.reads > 0, at.reads == at.all));
	} else {
		draw_lane_span(p, y, MOMENT_START, MOMENT_READ,
			  _("reads its own copy"), lane_span_ink(true, true));
	}
	count = find_releases(v, party, &nth, &release);
	if (!count)
		return;
	if (begins_next(v, party, release, &next)) {
		snprintf(text, sizeof(text), _("tile %u begun"),
			 v->use->number + 1);
		draw_lane_span(p, y, MOMENT_READ, MOMENT_NEXT, text,
			  lane_span_ink(road_over(v, next),
					road_over(v, release)));
	}
	draw_lane_span(p, y, MOMENT_NEXT + nth, MOMENT_NEXT + nth + count,
		  _("arrives"), road_over(v, release) ?
		  INK_ON(ROLE_ON_HUE, own ? ROLE_CURSOR : ROLE_NOW) :
		  lane_span_ink(false, false));
}

/* ---- empty ---- */

static void draw_empty(const struct road_lane_plan *p, int y)
{
	const struct road_view *v = p->v;
	uint32_t done, all;
	char text[64];

	road_count_releases(v, &done, &all);
	if (v->use->empty == TRACE_NO_ARRAY)
		snprintf(text, sizeof(text), "%s", _("barrier"));
	else
		road_name(text, sizeof(text), v->s->scene->info, v->use->empty,
			  v->use->empty_at);
	draw_lane_name(p, y, text, v->at && v->kind == ROAD_RELEASE);
	if (v->s->quiet)
		draw_whole_span(p, y);
	for (uint32_t i = 0; all && !v->s->quiet && i <= all; i++) {
		bool last = i == all;

		snprintf(text, sizeof(text), _("%u of %u"), i, all);
		draw_lane_span(p, y, i ? MOMENT_NEXT + (int)i - 1 :
			  MOMENT_START, MOMENT_NEXT + (int)i, last ? _("free") : text, done < i ?
			  lane_span_ink(false, false) : last ?
			  INK_ON(ROLE_ON_HUE, ROLE_GOOD) :
			  lane_span_ink(true, done > i));
	}
}

/* ---- all of them ---- */

int road_lane_rows(const struct road_view *v)
{
	return 5 + (int)v->use->party_count;
}

/* Returns the party whose lane stays when others have no room: the reader's,
 * else the first of the block. */
static uint32_t find_own_party(const struct road_view *v)
{
	uint32_t first = 0;

	for (uint32_t i = v->use->party_count; i-- > 0;) {
		if (is_own_party(v, &v->use->parties[i]))
			return i;
		if (v->use->parties[i].block == v->use->block)
			first = i;
	}
	return first;
}

void road_lanes(struct canvas *c, struct rect r, const struct road_view *v)
{
	struct road_lane_plan p = {
		.v = v, .c = c, .label = v->road->cluster > 1 && r.w >= 100 ?
					 LABEL_CLUSTER : LABEL };
	/* Other parties' lanes go first, then the boxes, then the producer. */
	int others = r.h - ROAD_LANES_LEAST - 3, y = r.y;
	uint32_t done, own = find_own_party(v);

	p.r = (struct rect){ r.x + p.label, r.y, r.w - p.label, r.h };
	road_count_releases(v, &done, &p.all);
	canvas_text(c, r.x, y++, r.w,
		    _("events in their order, not in time; boxes land in any "
		      "order"), INK(ROLE_DIM));
	if (others > -2)
		draw_producer(&p, y++);
	draw_full(&p, y++);
	if (others > -1)
		draw_boxes(&p, y++);
	/* How many read may be what is asked. */
	for (uint32_t i = 0; i < v->use->party_count; i++)
		if (v->s->quiet)
			y += i == own ? others > -3 : others-- > 0;
		else if (i == own ? others > -3 : others-- > 0)
			draw_party_lane(&p, y++, &v->use->parties[i]);
	draw_empty(&p, y);
}
