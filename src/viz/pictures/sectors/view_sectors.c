/*
 * Requests and sectors: the sectors of a request where they lie on an axis of
 * addresses, eight words down, and wedges from the lanes to their words. Sectors
 * that are touched light up whole; words that nobody asked for turn red. Two
 * recordings share the axis, one above it and one below.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/pictures/sectors/sectors_axis.h"
#include "viz/pictures/sectors/view_sectors.h"
#include "viz/raster.h"

#define NAMES 7		/* columns of the rows' names */
#define PAIR_ROWS 10	/* with fewer, a pair has no axis in common */

/* One recording's half: its rows, from the lanes to the words. */
struct sectors_half {
	const struct scene *sc;
	bool below;		/* the lanes are below the words */
	int head, lanes;	/* rows */
	int way_from, way_to;	/* rows of the wedges: at the lanes, the words */
	int words;		/* the first row of the words */
};

struct sectors_plan {
	const struct frame_model *s;
	struct rect r;
	struct sectors_axis axis;
	struct sectors_half half[2];
	int halves;
	int lane_x, lane_w;	/* the first lane; columns of a lane */
	int word_rows;		/* rows of a sector's eight words */
	int axis_y;		/* -1: no names */
	int meter_y, meter_h;
	/* The acts: wedges, whole sectors, waste. */
	double grown, lit, red;
};

/* ---- layout ---- */

/* Divides the rows: words and wedges come first, then the axis' names, then the
 * meter; what is left makes the wedges longer. */
static void divide_rows(struct sectors_plan *p)
{
	int n = p->halves, rest, way, meter = n == 2 ? 2 : 5;

	p->word_rows = p->r.h >= n * 24 + 6 ? 16 :
		       p->r.h >= n * 13 + 4 ? 8 : p->r.h >= n * 7 + 1 ? 4 : 2;
	rest = p->r.h - n * (2 + p->word_rows);
	p->axis_y = rest > n ? 0 : -1;
	rest -= p->axis_y == 0;
	if (n == 1 && rest < meter + 4)
		meter = 2;
	p->meter_h = rest >= meter + 2 * n ? meter : 0;
	way = MAX(1, MIN((rest - p->meter_h) / n, p->word_rows + 5));
	p->meter_y = p->r.y + p->r.h - p->meter_h;
	p->half[0].head = p->r.y;
	p->half[0].lanes = p->r.y + 1;
	p->half[0].way_from = p->r.y + 2;
	p->half[0].way_to = p->half[0].words = p->r.y + 2 + way;
	if (p->axis_y == 0)
		p->axis_y = p->half[0].words + p->word_rows;
	p->half[1].words = p->half[0].words + p->word_rows + (p->axis_y >= 0);
	p->half[1].way_to = p->half[1].words + p->word_rows;
	p->half[1].way_from = p->half[1].way_to + way;
	p->half[1].lanes = p->half[1].way_from;
	p->half[1].head = p->half[1].lanes + 1;
}

static struct sectors_plan plan_sectors(const struct frame_model *s, struct rect r,
				const struct scene *other)
{
	struct sectors_plan p = { .s = s, .r = r, .halves = other ? 2 : 1 };
	int left = r.w >= SECTORS_NARROW ? NAMES : 0;
	double t = s->quiet ? 0 : s->t;

	p.half[0].sc = s->scene;
	p.half[1].sc = other;
	p.half[1].below = true;
	p.lane_w = MAX(1, MIN((r.w - left) / WARP_LANES, 6));
	p.lane_x = r.x + left + (r.w - left - p.lane_w * WARP_LANES) / 2;
	sectors_axis(&p.axis, (struct rect){ r.x + left, r.y, r.w - left, 1 },
		     s->scene, other);
	divide_rows(&p);
	p.grown = kit_between(0, 1, kit_act(t, 0, 0.5));
	p.lit = kit_act(t, 0.5, 0.75);
	p.red = kit_act(t, 0.75, 1);
	return p;
}

/* ---- colours ---- */

static enum role lane_role(const struct scene *sc, uint32_t lane)
{
	bool focus = sc->focus_lanes >> lane & 1;

	if (!(sc->request.mask >> lane & 1))
		return ROLE_FIELD;
	if (sc->cursor.focus == FOCUS_LANE)
		return focus ? ROLE_CURSOR : raster_lane(lane);
	return focus ? raster_lane(lane) : (enum role)(ROLE_FADE0 + lane / 8);
}

/* Returns the lane whose colour a word gets: one in focus, else the first. */
static uint32_t word_lane(const struct scene *sc, uint32_t lanes)
{
	uint32_t focus = lanes & sc->focus_lanes;

	return (uint32_t)__builtin_ctz(focus ? focus : lanes);
}

/* Returns the colour of a word of a sector that the request touches. */
static enum role word_role(const struct sectors_plan *p, const struct scene *sc,
			   int sector, int word)
{
	uint32_t lanes = sc->sector_lanes[sector][word];

	if (!(sc->in_sectors.inside[sector] >> word & 1))
		return ROLE_NONE;
	if (lanes)
		return p->grown < 1 ? ROLE_TILE :
				      lane_role(sc, word_lane(sc, lanes));
	return p->red >= 1 ? ROLE_WASTE : p->lit > 0 ? ROLE_OWN : ROLE_TILE;
}

/* ---- wedges and words ---- */

/* Gets the part of its sector's edge that a lane's wedge ends at. */
static void find_wedge_end(const struct sectors_plan *p, const struct scene *sc,
			   uint32_t lane, double *from, double *to)
{
	int sector = sc->in_sectors.lane[lane].sector, i = 0;
	uint32_t lanes = sc->sectors[sector].lanes;
	int nth = __builtin_popcount(lanes & ((1u << lane) - 1));
	double part = (double)p->axis.width / __builtin_popcount(lanes);

	while (i < p->axis.count - 1 &&
	       sectors_find(&p->axis, i, sc) != sector)
		i++;
	*from = p->axis.x[i] + nth * part;
	*to = *from + part;
}

static void draw_wedge(struct raster *g, const struct sectors_plan *p,
		       const struct sectors_half *h, uint32_t lane, bool focus)
{
	double x = p->lane_x + (int)lane * p->lane_w;
	struct raster_wedge w = {
		.a = { x, x + p->lane_w, h->way_from },
		.b = { .at = h->way_to },
	};

	find_wedge_end(p, h->sc, lane, &w.b.from, &w.b.to);
	/* That of the focus is at least a column thick. */
	if (focus && w.b.to - w.b.from < 1) {
		w.b.from = (int)w.b.from;
		w.b.to = w.b.from + 1;
	}
	raster_wedge(g, &w, p->grown, focus ? ROLE_RIBBON_FOCUS :
					      raster_ribbon(lane));
}

static void draw_wedges(struct raster *g, const struct sectors_plan *p,
			const struct sectors_half *h)
{
	const struct scene *sc = h->sc;
	bool lanes = sc->cursor.focus == FOCUS_LANE;

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
			bool focus = lanes && sc->focus_lanes >> lane & 1;

			if (sc->request.mask >> lane & 1 && focus == pass)
				draw_wedge(g, p, h, lane, focus);
		}
}

static void draw_sector(struct raster *g, const struct sectors_plan *p,
			const struct sectors_half *h, int i)
{
	int sector = sectors_find(&p->axis, i, h->sc);
	double high = (double)p->word_rows / SECTOR_WORDS;

	if (sector < 0)
		raster_box(g, p->axis.x[i], h->words, p->axis.width,
			   p->word_rows, ROLE_FIELD);
	for (int word = 0; sector >= 0 && word < SECTOR_WORDS; word++)
		raster_box(g, p->axis.x[i], h->words + word * high,
			   p->axis.width, high,
			   word_role(p, h->sc, sector, word));
	/* Where a word is less than half a row, one that a lane asks for among
	 * others takes that. */
	for (int word = 0; sector >= 0 && high < 0.5 && word < SECTOR_WORDS;
	     word++)
		if (h->sc->sector_lanes[sector][word])
			raster_box(g, p->axis.x[i],
				   h->words + (int)(word * high * 2) / 2.0,
				   p->axis.width, 0.5,
				   word_role(p, h->sc, sector, word));
}

/* Tells whether a lane's number is drawn: numbers must not touch. In narrow
 * columns every other lane has one, except next to the focused lane. */
static bool has_number(const struct sectors_plan *p, const struct scene *sc,
		       uint32_t lane)
{
	uint32_t focus = sc->cursor.lane;

	if (p->lane_w != 2 || lane == focus)
		return p->lane_w > 1;
	return lane % 2 == 0 && lane + 1 != focus && lane != focus + 1;
}

/* Draws the lanes; while a question is open their hues would tell how many
 * sectors it is. */
static void draw_lanes(struct canvas *c, const struct sectors_plan *p,
		       const struct sectors_half *h)
{
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		enum role role = lane_role(h->sc, lane);
		int x = p->lane_x + (int)lane * p->lane_w;
		bool on = role != ROLE_FIELD;
		char text[8];

		if (p->s->quiet && role != ROLE_CURSOR)
			role = ROLE_FIELD;
		canvas_fill(c, (struct rect){ x, h->lanes, p->lane_w, 1 }, ' ',
			    INK_ON(ROLE_FAINT, role));
		snprintf(text, sizeof(text), "%u", lane);
		if (has_number(p, h->sc, lane))
			canvas_right(c, x, h->lanes, p->lane_w, text,
				     INK_ON(role != ROLE_FIELD ? ROLE_ON_HUE :
					    on ? ROLE_TEXT : ROLE_FAINT, role));
	}
	if (p->lane_x >= p->r.x + 5)
		canvas_text(c, p->r.x, h->lanes, 5, _("lane"), INK(ROLE_DIM));
}

/* ---- words of the frame ---- */

static bool is_bad(const struct scene *sc)
{
	return sc->cost.sectors > sc->cost.ideal_sectors || sc->finding;
}

/* Writes "4 sectors, 128 bytes: all 128 asked for". */
static void cost_words(char *buf, size_t size, const struct scene *sc)
{
	int n = sc->cost.sectors, bytes = n * SECTOR_BYTES;

	if (bytes == sc->cost.bytes)
		snprintf(buf, size,
			 ngettext("%d sector, %d bytes: all asked for",
				  "%d sectors, %d bytes: all asked for",
				  (unsigned)n), n, bytes);
	else
		snprintf(buf, size,
			 ngettext("%d sector, %d bytes: %d asked for",
				  "%d sectors, %d bytes: %d asked for",
				  (unsigned)n), n, bytes, sc->cost.bytes);
}

static void draw_head(struct canvas *c, const struct sectors_plan *p,
		      const struct sectors_half *h, const char *name)
{
	char words[128], request[96];
	int x = p->r.x, end = p->r.x + p->r.w;

	if (!p->s->quiet && p->lit > 0) {
		cost_words(words, sizeof(words), h->sc);
		end = canvas_right(c, x, h->head, p->r.w, words,
				   INK_BOLD(is_bad(h->sc) ? ROLE_BAD :
							    ROLE_GOOD)) - 2;
	}
	x += canvas_text(c, x, h->head, end - x, name, INK_BOLD(ROLE_STRONG));
	x += *name ? 2 : 0;
	request_words(request, sizeof(request), h->sc);
	kit_whole(c, x, h->head, end - x, request, INK(ROLE_DIM));
}

/* ---- the picture ---- */

static void draw_half(struct canvas *c, const struct sectors_plan *p,
		      const struct sectors_half *h, const char *name)
{
	struct raster g;

	raster_begin(&g, p->r);
	draw_wedges(&g, p, h);
	for (int i = 0; i < p->axis.count; i++)
		draw_sector(&g, p, h, i);
	raster_end(&g, c);
	draw_lanes(c, p, h);
	draw_head(c, p, h, name);
}

/* Draws the lanes and a memory that does not show how many sectors it will
 * deliver: a question is open. All stands where it will when it is answered. */
static void draw_hidden_cost(struct canvas *c, const struct sectors_plan *p,
			     char *const names[2])
{
	const struct sectors_half *last = &p->half[p->halves - 1];
	struct rect memory = { p->lane_x, p->half[0].words,
			       p->lane_w * WARP_LANES,
			       last->words + p->word_rows - p->half[0].words };

	for (int i = 0; i < p->halves; i++) {
		draw_head(c, p, &p->half[i], names ? names[i] : "");
		draw_lanes(c, p, &p->half[i]);
	}
	canvas_fill(c, memory, ' ', INK_ON(ROLE_FAINT, ROLE_FIELD));
	kit_box(c, (struct rect){ memory.x, memory.y + memory.h / 2, memory.w,
				  1 }, _("Answer first to see the cost."),
		INK_ON(ROLE_TEXT, ROLE_FIELD));
}

/* Leaves a column at both sides. */
static struct rect sectors_inside(struct rect r)
{
	return (struct rect){ r.x + 1, r.y, MAX(r.w - 2, 0), r.h };
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	struct rect old;
	struct sectors_plan p;

	if (!sc || !sc->site || !sc->sector_count)
		return;
	r = sectors_inside(r);
	old = canvas_clip(c, r);
	p = plan_sectors(s, r, NULL);
	if (s->quiet) {
		draw_hidden_cost(c, &p, NULL);
	} else {
		draw_half(c, &p, &p.half[0], "");
		sectors_axis_draw(c, &p.axis, sc, r, p.axis_y);
		if (p.meter_h)
			sectors_meter(c, sc, p.lit, (struct rect){
				r.x, p.meter_y, r.w, p.meter_h });
	}
	canvas_clip(c, old);
}

/* Draws both halves, the axis between them and the bars below. */
static void draw_both(struct canvas *c, const struct sectors_plan *p,
		      char *const names[2])
{
	const struct scene *a = p->half[0].sc, *b = p->half[1].sc;

	for (int i = 0; i < 2; i++)
		draw_half(c, p, &p->half[i], names[i]);
	sectors_axis_draw(c, &p->axis, a, p->r, p->axis_y);
	for (int i = 0; p->meter_h && i < 2; i++)
		if (!sectors_lines(c, (struct rect){ p->r.x, p->meter_y + i,
						     p->r.w, 1 }, names[i],
				   p->half[i].sc, p->half[1 - i].sc, p->lit))
			sectors_bar(c, (struct rect){ p->r.x, p->meter_y + i, p->r.w,
					      1 }, names[i], p->half[i].sc,
			    p->lit, MAX(a->cost.sectors, b->cost.sectors));
}

/* Draws two requests to one array with one axis. */
static bool draw_pair(struct canvas *c, struct rect r, const struct frame_model *s,
		      char *const names[2])
{
	const struct scene *a = s->scene, *b = s->beside;
	struct rect old;
	struct sectors_plan p;

	if (r.h < PAIR_ROWS || !a->site || !b->site ||
	    !a->sector_count || !b->sector_count ||
	    strcmp(a->array->name, b->array->name) != 0)
		return false;
	r = sectors_inside(r);
	old = canvas_clip(c, r);
	p = plan_sectors(s, r, b);
	if (s->quiet)
		draw_hidden_cost(c, &p, names);
	else
		draw_both(c, &p, names);
	canvas_clip(c, old);
	return true;
}

/* Finds the lanes that access the words under a cell. */
static uint32_t lanes_at(const struct sectors_plan *p, int x, int y)
{
	const struct sectors_half *h = &p->half[0];
	int row = y - h->words;
	uint32_t lanes = 0;

	for (int i = 0; i < p->axis.count; i++) {
		int sector = sectors_find(&p->axis, i, h->sc);

		if (sector < 0 || x < p->axis.x[i] ||
		    x >= p->axis.x[i] + p->axis.width)
			continue;
		for (int w = 0; w < SECTOR_WORDS; w++)
			if (w * p->word_rows / SECTOR_WORDS == row)
				lanes |= h->sc->sector_lanes[sector][w];
	}
	return lanes;
}

/* Finds the lane under a cell, or the first lane that accesses the word
 * there. */
static void hit(const struct frame_model *s, struct rect r, int x, int y,
		struct hit *hit)
{
	struct sectors_plan p = plan_sectors(s, sectors_inside(r), NULL);
	const struct sectors_half *h = &p.half[0];
	uint32_t lanes = 0;

	if (y == h->lanes && x >= p.lane_x &&
	    x < p.lane_x + p.lane_w * WARP_LANES)
		lanes = UINT32_C(1) << (x - p.lane_x) / p.lane_w;
	else if (!s->quiet && y >= h->words && y < h->words + p.word_rows)
		lanes = lanes_at(&p, x, y);
	if (lanes)
		*hit = (struct hit){ .kind = HIT_LANE,
				     .index = (int)word_lane(h->sc, lanes) };
}

static bool available(const struct frame_model *s)
{
	return s->scene && s->scene->site && s->scene->sector_count;
}

static enum view_rank rank(const struct scene *sc)
{
	return sc->sector_count ? RANK_STEP : RANK_NONE;
}

static void prepare(struct stage *s, const struct turns *t)
{
	(void)t;
	scene_sector_lines(s);
}

const struct view view_sectors = {
	.name = "sectors",
	.title = N_("sectors"),
	.help = N_("a request's lanes, the sectors it touches, and their cost"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = available,
	.rank = rank,
	.of_request = true,
	.prepare = prepare,
	.draw = draw,
	.draw_pair = draw_pair,
	.hit = hit,
};
