/* view_road: a tile's road: one thread orders it, the hardware copies it, an
 * mbarrier counts its bytes, tensor cores read it. */
#include "viz/pictures/road/view_road.h"

#include <stdio.h>

#include <string.h>

#include "base/text.h"
#include "viz/kit.h"

/* ---- the state now ---- */

struct road_view road_view(const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct road_now *now = &sc->road_now;
	struct road_view v = { .s = s, .road = sc->road,
			       .t = s->quiet ? 0 : s->t };

	v.use = &v.road->uses[now->use];
	v.event = &v.road->events[now->last];
	v.kind = v.event->kind;
	v.at = now->event != ROAD_NONE;
	v.box = now->looks[0].box == ROAD_NONE ? NULL :
		&v.road->boxes[now->looks[0].box];
	if (v.box && !v.box->to)
		v.box = NULL;
	return v;
}

double road_ordered(const struct road_view *v, const struct road_box *b)
{
	uint64_t when = v->s->scene->road_now.when;

	return b->ordered < when ? 1 : b->ordered > when ? 0 : v->t;
}

double road_part(const struct road_view *v, const struct road_box *b)
{
	uint64_t when = v->s->scene->road_now.when;

	if (v->at && v->kind == ROAD_WAIT && b->landed > v->event->comes &&
	    b->landed <= when)
		return kit_act(v->t, 0, 0.5);
	if (!b->landed || b->landed > when)
		return 0;
	return b->landed == when ? v->t : 1;
}

double road_bytes(const struct road_view *v)
{
	double bytes = 0;

	for (size_t i = 0; i < v->use->box_count; i++) {
		const struct road_box *b = &v->road->boxes[v->use->boxes[i]];

		bytes += road_part(v, b) >= 1 ? b->to->bytes : 0;
	}
	return bytes;
}

bool road_over(const struct road_view *v, uint64_t when)
{
	uint64_t now = v->s->scene->road_now.when;

	return when && (when < now || (when == now && v->t >= 1));
}

/* Returns the bytes that the full mbarrier has been told to wait for so far. */
static double expected_bytes(const struct road_view *v)
{
	uint64_t now = v->s->scene->road_now.when;

	for (uint32_t i = v->use->first; i < v->use->end; i++)
		if (v->road->events[i].kind == ROAD_EXPECT &&
		    v->road->events[i].when <= now)
			return v->road->events[i].when < now || v->t >= 1 ?
			       (double)v->use->expected : 0;
	return 0;
}

static bool is_full(const struct road_view *v)
{
	return v->use->expected && road_bytes(v) >= v->use->expected;
}

static void thread_word(char *buf, size_t size, const struct road_view *v,
			const struct road_box *b)
{
	if (v->road->cluster > 1)
		snprintf(buf, size, _("block %u, thread %u"), b->block,
			 b->warp * WARP_LANES + b->lane);
	else
		snprintf(buf, size, _("thread %u"),
			 b->warp * WARP_LANES + b->lane);
}

/* ---- the stations ---- */

enum station { STATION_ORDER, STATION_FLIGHT, STATION_FULL, STATION_READ,
	       STATION_EMPTY, STATION_AGAIN, STATIONS };

static enum station station_of(enum road_kind kind)
{
	static const enum station of[] = {
		[ROAD_FREE] = STATION_ORDER, [ROAD_EXPECT] = STATION_ORDER,
		[ROAD_ORDER] = STATION_ORDER, [ROAD_LAND] = STATION_FLIGHT,
		[ROAD_WAIT] = STATION_FULL, [ROAD_READ] = STATION_READ,
		[ROAD_RELEASE] = STATION_EMPTY };

	return of[kind];
}

static void fraction_words(char *buf, size_t size, const char *who,
			   uint32_t done, uint32_t all)
{
	if (all)
		snprintf(buf, size, "%s%u/%u", who, done, all);
	else
		snprintf(buf, size, "%s", "\xe2\x80\x93");
}

/* What happens to the tile at each station; below it the state now. */
static const char *const station_names[] = {
	N_("ordered"), N_("in flight"), N_("all there"), N_("read"),
	N_("released"), N_("stage free"),
};

static void station_state(const struct road_view *v, enum station i,
			  char now[64])
{
	uint32_t done = 0, all = (uint32_t)v->use->box_count;

	now[0] = 0;
	if (i == STATION_ORDER) {
		if (v->use->box_count)
			snprintf(now, 64, _("thread %u"),
				 v->road->boxes[v->use->boxes[0]].warp *
					 WARP_LANES +
				 v->road->boxes[v->use->boxes[0]].lane);
	} else if (i == STATION_FLIGHT) {
		for (size_t n = 0; n < v->use->box_count; n++)
			done += road_part(v, &v->road->boxes[
						v->use->boxes[n]]) >= 1;
		snprintf(now, 64, ngettext("%u/%u box", "%u/%u boxes", all),
			 done, all);
	} else if (i == STATION_FULL) {
		snprintf(now, 64, _("parity %u"), v->use->phase & 1);
	} else if (i == STATION_READ) {
		road_count_reads(v, &done, &all);
		fraction_words(now, 64, v->road->wgmma ? "wgmma " : "", done,
			       all);
	} else if (i == STATION_EMPTY) {
		road_count_releases(v, &done, &all);
		fraction_words(now, 64, "", done, all);
	} else if (v->use->next != ROAD_NONE) {
		snprintf(now, 64, _("tile %u"),
			 v->road->uses[v->use->next].number);
	} else {
		snprintf(now, 64, "%s", _("the last"));
	}
}

/* Returns how many stations fit side by side with whole names: all, or
 * three. */
static int stations_in(int w)
{
	for (int i = 0; i < STATIONS; i++)
		if (text_width(_(station_names[i])) + 3 > w / STATIONS)
			return 3;
	return STATIONS;
}

static void draw_stations(struct canvas *c, struct rect r,
			  const struct road_view *v)
{
	enum station here = station_of(v->kind);
	int n = stations_in(r.w);
	int first = MAX(0, MIN((int)here - n / 2, STATIONS - n));

	for (int i = first; i < first + n; i++) {
		int x = r.x + (i - first) * r.w / n;
		int w = r.x + (i - first + 1) * r.w / n - x - 2;
		char now[64], *words = now;
		struct ink ink = i < (int)here ?
			INK_ON(ROLE_TEXT, ROLE_TILE) :
			INK_ON(ROLE_DIM, ROLE_FIELD);

		if (i == (int)here)
			ink = (struct ink){ ROLE_ON_HUE, ROLE_CURSOR,
					    ATTR_BOLD };
		station_state(v, (enum station)i, now);
		/* With little room the count alone. */
		if (i == STATION_READ && text_width(now) >= w)
			words += strcspn(now, " ") + !!strchr(now, ' ');
		canvas_fill(c, (struct rect){ x, r.y, w, r.h }, ' ', ink);
		canvas_text(c, x + 1, r.y, w - 1, _(station_names[i]), ink);
		if (!v->s->quiet)
			canvas_text(c, x + 1, r.y + 1, w - 1, words, ink);
		if (i + 1 < STATIONS)
			canvas_put(c, x + w, r.y, 0x25b6,
				   INK(i < (int)here ? ROLE_STRONG :
						       ROLE_FAINT));
	}
}

/* ---- the order ---- */

/* Writes the box's parameters, line by line. */
static void draw_box_words(struct canvas *c, struct rect r,
			   const struct road_view *v)
{
	const struct road_box *b = v->box;
	const struct trace_info *info = v->s->scene->info;
	char text[96];
	int y = r.y;

	canvas_textf(c, r.x, y++, r.w, INK_BOLD(ROLE_STRONG),
		     _("TMA: box %u \xc3\x97 %u"), b->to->tile.rows,
		     b->to->tile.columns);
	canvas_textf(c, r.x, y++, r.w, INK(ROLE_TEXT), _("from %s[%u][%u]"),
		     info->arrays[b->from->array].name, b->row, b->col);
	road_name(text, sizeof(text), info, b->to->array, b->to_at);
	canvas_textf(c, r.x, y++, r.w, INK(ROLE_TEXT), _("to %s"), text);
	if (b->to->tile.swizzle)
		canvas_textf(c, r.x, y++, r.w, INK(ROLE_TEXT),
			     _("swizzle %u bytes"), b->to->tile.swizzle);
	else
		canvas_text(c, r.x, y++, r.w, _("no swizzle"),
			    INK(ROLE_TEXT));
	road_name(text, sizeof(text), info, v->use->full, v->use->full_at);
	canvas_textf(c, r.x, y++, r.w, INK(ROLE_TEXT), _("%u bytes to %s"),
		     b->to->bytes, text);
	if (__builtin_popcount(b->blocks) > 1)
		canvas_textf(c, r.x, y, r.w, INK_BOLD(ROLE_ACCENT),
			     _("multicast to %d blocks"),
			     __builtin_popcount(b->blocks));
}

/* Draws which thread orders the box, and what the order says; the latter not
 * while the box flies, which needs the space. */
static void draw_box_order(struct canvas *c, struct rect r,
			   const struct road_view *v)
{
	const struct road_box *b = v->box;
	bool own = v->at && v->kind <= ROAD_LAND;
	double part = b ? road_part(v, b) : 0;
	char text[96];
	int y = r.y;

	if (!b)
		return;
	thread_word(text, sizeof(text), v, b);
	canvas_text(c, r.x, y++, r.w, text, INK_BOLD(own ? ROLE_CURSOR :
							   ROLE_STRONG));
	if (part > 0 && part < 1)
		return;
	canvas_textf(c, r.x, y++, r.w, INK(ROLE_DIM),
		     _("lane %u of warp %u, line %u"), b->lane, b->warp,
		     b->from->line);
	if (r.h > 8)
		canvas_put(c, r.x + 1, y++, 0x2502, INK(ROLE_DIM));
	canvas_put(c, r.x + 1, y, 0x25bc, INK(
		v->kind == ROAD_ORDER ? ROLE_STRONG : ROLE_DIM));
	draw_box_words(c, (struct rect){ r.x + 3, y, r.w - 3, r.h - (y - r.y) },
		       v);
}

/* ---- the readers ---- */

static bool is_own_party(const struct road_view *v, const struct road_party *p)
{
	const struct trace_warp *w = &v->s->scene->warp;

	return w->block == p->block && w->warp >= p->first &&
	       w->warp <= p->last;
}

static const char *party_state(const struct road_view *v,
			       const struct road_party *p, enum role *role)
{
	struct road_progress at = road_progress(v->s->scene, v->use, p,
						v->t >= 1);

	if (at.released) {
		*role = ROLE_GOOD;
		return _("released the stage");
	}
	if (p->block != v->use->block) {
		*role = ROLE_DIM;
		return _("reading its own copy");
	}
	*role = ROLE_STRONG;
	if (at.reads && at.reads == at.all)
		return _("done reading its part");
	if (at.reads || (v->kind == ROAD_READ && is_own_party(v, p)))
		return _("reading");
	if (at.waited)
		return _("may read");
	*role = is_full(v) ? ROLE_STRONG : ROLE_WASTE;
	return is_full(v) ? _("may read") : _("waiting until it is full");
}

static int draw_party(struct canvas *c, struct rect r,
		      const struct road_view *v, const struct road_party *p)
{
	struct ink ink =
		INK_BOLD(is_own_party(v, p) ? ROLE_CURSOR : ROLE_STRONG);
	enum role role;
	const char *state = party_state(v, p, &role);

	if (v->road->cluster > 1)
		canvas_textf(c, r.x, r.y, r.w, ink, _("block %u, warps %u to "
			     "%u"), p->block, p->first, p->last);
	else if (p->first == p->last)
		canvas_textf(c, r.x, r.y, r.w, ink, _("warp %u"), p->first);
	else
		canvas_textf(c, r.x, r.y, r.w, ink, _("warps %u to %u"),
			     p->first, p->last);
	if (role == ROLE_WASTE) {
		canvas_put(c, r.x + 1, r.y + 1, 0x25a0, INK(ROLE_WASTE));
		role = ROLE_TEXT;
		r.x += 2;
	}
	if (!v->s->quiet)
		canvas_text(c, r.x + 1, r.y + 1, r.w - 3, state, INK(role));
	return 2;
}

/* Writes which part of the box this wgmma reads. Returns the rows used. */
static int draw_wgmma_reads(struct canvas *c, struct rect r,
			    const struct road_view *v)
{
	const struct scene *sc = v->s->scene;
	int y = r.y;

	if (!sc->road_now.looks[0].reads || !v->at ||
	    sc->site->op != OP_WGMMA)
		return 0;
	r.w = v->s->quiet ? 0 : r.w;	/* their place is kept */
	canvas_textf(c, r.x, y++, r.w, INK_BOLD(ROLE_CURSOR),
		     _("bright: wgmma, line %u, reads"), sc->site->line);
	for (int i = 0; i < 2; i++) {
		const struct road_look *l = &sc->road_now.looks[i];
		const struct road_box *b = l->reads ?
					   &v->road->boxes[l->box] : NULL;
		char name[64];

		if (!b)
			continue;
		road_name(name, sizeof(name), sc->info, b->to->array,
			  b->to_at);
		canvas_textf(c, r.x + 1, y++, r.w - 1, INK(ROLE_TEXT),
			     _("%s rows %u\xe2\x80\x93%u, columns %u"
			       "\xe2\x80\x93%u"), name, l->row0, l->row1,
			     l->col0, l->col1);
		if (l->parts > 1)
			canvas_text(c, r.x + 1, y++, r.w - 1,
				    _("and the same rows beside these"), INK(ROLE_TEXT));
	}
	return y - r.y + 1;
}

static void draw_readers(struct canvas *c, struct rect r,
			 const struct road_view *v)
{
	int end = r.y + r.h, y = r.y + draw_wgmma_reads(c, r, v);

	/* How many they are may be what is asked. */
	for (uint32_t i = 0; !v->s->quiet && i < v->use->party_count &&
	     y + 2 <= end; i++) {
		const struct road_party *p = &v->use->parties[i];

		y += draw_party(c, (struct rect){ r.x, y, r.w, 2 }, v, p);
		y += end - y > 3 * (int)(v->use->party_count - i);
	}
}

/* ---- the barriers ---- */

/* Draws the bytes that the full mbarrier waits for, a part for each box. */
static void draw_full_bytes(struct canvas *c, struct rect r,
			    const struct road_view *v)
{
	const struct road_use *u = v->use;
	double at = 0, all = MAX((double)u->expected, 1);
	int label = MIN(MAX(r.w / 3, 30), 36), w = r.w - label;
	char name[64];

	road_name(name, sizeof(name), v->s->scene->info, u->full, u->full_at);
	canvas_textf(c, r.x, r.y, label - 1, INK_BOLD(ROLE_STRONG),
		     v->s->quiet ? "%s" : _("%s: %.0f bytes to come"),
		     name, MAX(expected_bytes(v) - road_bytes(v), 0));
	if (r.h > 1)
		canvas_textf(c, r.x, r.y + 1, label - 1, INK(ROLE_DIM),
			     _("phase %u, parity %u"), u->phase,
			     u->phase & 1);
	for (size_t i = 0; i < u->box_count; i++) {
		const struct road_box *b = &v->road->boxes[u->boxes[i]];
		int x = (int)(at / all * w);
		int next = (int)((at + b->to->bytes) / all * w);
		double part = road_part(v, b);
		struct rect cell = { r.x + label + x, r.y, next - x - 1, r.h };

		at += b->to->bytes;
		for (int y = 0; y < cell.h; y++)
			kit_bar(c, cell.x, cell.y + y, cell.w, part,
				is_full(v) ? ROLE_GOOD : ROLE_HUE1,
				ROLE_FIELD);
		snprintf(name, sizeof(name), b->block == u->block ?
			 "%s %u" : _("%s %u by block %u"),
			 v->s->scene->info->arrays[b->from->array].name,
			 b->to->bytes, b->block);
		if (text_width(name) > cell.w - 2)
			snprintf(name, cell.w < 9 ? 2 : 24, "%s %u", v->s->
				 scene->info->arrays[b->from->array].name,
				 b->to->bytes);
		canvas_text(c, cell.x + 1, cell.y + cell.h / 2, cell.w - 2,
			    name, (struct ink){ part >= 0.5 ? ROLE_ON_HUE :
						ROLE_TEXT, 0, ATTR_BOLD });
	}
}

/* Draws a mark for each reader that is to release the stage, lit if it has; and
 * what the marks are, if that fits. */
static void draw_releases(struct canvas *c, struct rect r,
			  const struct road_view *v)
{
	const struct road_use *u = v->use;
	int label = MIN(MAX(r.w / 3, 30), 36);
	uint32_t done, all;
	char name[64];

	road_count_releases(v, &done, &all);
	if (u->empty == TRACE_NO_ARRAY)
		snprintf(name, sizeof(name), "%s", _("barrier"));
	else
		road_name(name, sizeof(name), v->s->scene->info, u->empty,
			  u->empty_at);
	if (!all || v->s->quiet)
		return;
	canvas_textf(c, r.x, r.y, label - 1, INK_BOLD(ROLE_STRONG),
		     _("%s: %u of %u done"), name, done, all);
	for (uint32_t i = 0; i < all && (int)i * 4 + 3 < r.w - label; i++)
		kit_bar(c, r.x + label + (int)i * 4, r.y, 3,
			i < done ? 1 : i == done && v->at && v->t < 1 &&
			v->kind == ROAD_RELEASE ? v->t : 0, ROLE_GOOD,
			ROLE_SEEN);
	label += 4 * (int)all + 1;
	kit_whole(c, r.x + label, r.y, r.w - label,
		  _("marks: readers done with the tile"), INK(ROLE_DIM));
}

/* ---- the picture ---- */

#define ORDER_W 26
#define READERS_W 36

static void draw_road_panes(struct canvas *c, struct rect r,
			    const struct road_view *v)
{
	bool wide = r.w >= 140, before = v->kind <= ROAD_LAND;
	int right = wide || !before ? MIN(READERS_W, r.w / 2) : 0;
	int matrix = !wide && !before ? 0 :
		     MIN((r.w - ORDER_W) * (wide ? 3 : 4) / 10, r.w / 2);
	int left = matrix ? matrix + ORDER_W + 3 : 0;
	struct rect zoom = { r.x, r.y, 0, 0 }, clip = canvas_clip(c, r);

	if (matrix)
		road_matrix(c, (struct rect){ r.x, r.y, matrix, r.h }, v,
			    &zoom);
	road_shared(c, (struct rect){ r.x + left, r.y, r.w - left - right -
				      (right > 0), r.h }, v, zoom,
		    r.x + r.w - right);
	if (matrix)
		draw_box_order(
			c, (struct rect){ r.x + matrix + 2, r.y, ORDER_W, r.h },
			v);
	if (right)
		draw_readers(c, (struct rect){ r.x + r.w - right, r.y, right,
					       r.h }, v);
	canvas_clip(c, clip);
}

static void draw_road(struct canvas *c, struct rect r,
		      const struct road_view *v)
{
	int stations = r.h >= 10 ? 2 : 0, roomy = r.h >= 16;
	int bar = r.h >= 34 ? 3 : 1 + roomy, below = r.h >= 20;
	char words[256];
	const char *road = _("A tile's road: ");
	int y = r.y, w = text_width(road), end = r.y + r.h - bar - below - 1;

	road_sentence(words, sizeof(words), v);
	canvas_text(c, r.x, y, r.w, road, INK_BOLD(ROLE_TITLE));
	if (!v->s->quiet)
		prose_fit(c, (struct rect){ r.x + w, y, r.w - w, 1 }, words,
			  INK_BOLD(ROLE_STRONG));
	y++;
	if (stations)
		draw_stations(c, (struct rect){ r.x, y, r.w, stations }, v);
	y += stations + roomy;
	draw_road_panes(c, (struct rect){ r.x, y, r.w, end - y - (r.h >= 11) },
			v);
	draw_full_bytes(c, (struct rect){ r.x, end, r.w, bar }, v);
	draw_releases(c, (struct rect){ r.x, end + bar + below, r.w, 1 }, v);
}

static bool available(const struct frame_model *s)
{
	return s->scene && scene_has_road(s->scene->info);
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct rect clip = canvas_clip(c, r);
	struct road_view v;

	if (!s->scene || !s->scene->road) {
		prose_text(c, r, 0, _("TMA brings no tile here."),
			   INK(ROLE_DIM));
	} else {
		v = road_view(s);
		draw_road(c, r, &v);
	}
	canvas_clip(c, clip);
}

static enum view_rank rank(const struct scene *sc)
{
	enum op op = sc->site->op;

	if (!scene_has_road(sc->info))
		return RANK_NONE;
	return op == OP_TMA_LD || op == OP_WGMMA || op == OP_MBAR_ARRIVE ||
	       op == OP_MBAR_WAIT ? RANK_STEP : RANK_NONE;
}

static void prepare(struct stage *s, const struct turns *t)
{
	(void)t;
	scene_road(s);
}

static const struct view_key keys[] = {
	{ .keys = { '.' }, .key = ", .", .word = N_("on the road"),
	  .help = N_("the next or previous event on the same tile's road"),
	  .move = road_step, .by = 1 },
	{ .keys = { ',' }, .move = road_step, .by = -1 },
	{ .keys = { '>' }, .key = "< >", .word = N_("stage again"),
	  .help = N_("the next or previous tile in the same stage"),
	  .move = road_lap, .by = 1 },
	{ .keys = { '<' }, .move = road_lap, .by = -1 },
};

const struct view view_road = {
	.name = "road",
	.title = N_("a tile's road"),
	.help = N_("how TMA brings a tile to shared memory, and who reads it"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = available,
	.rank = rank,
	.prepare = prepare,
	.draw = draw,
	.words = road_words,
	.keys = keys,
	.key_count = LENGTH(keys),
};
