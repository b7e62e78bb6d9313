/*
 * Barriers and waits as a gate: threads come to it from the left, and it opens
 * when the last of them has arrived. Which thread comes first is not known: all
 * come together.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/frame_model.h"

struct gate {
	struct rect r;		/* the road, left and right of the gate */
	int x;			/* the gate's column, two wide */
	int name;		/* columns of a warp's name; 0: no room */
	int wide, high, gap;	/* of a lane: columns, rows; behind 8 lanes */
	int y, rows;		/* the opening: the warps' rows */
	uint32_t first, end;	/* the block's warps that have room */
	double come, open, pass;	/* the three acts */
};

static int lane_x(const struct gate *g, uint32_t lane)
{
	return (int)lane * g->wide + (int)lane / 8 * g->gap;
}

/* Returns the column of lane 0 of the threads that come, at the show's time. */
static int row_x(const struct gate *g)
{
	int from = g->r.x + g->name, to = g->x + 3 + g->name;
	int at = g->x - lane_x(g, WARP_LANES);

	return (int)(g->pass > 0 ? kit_between(at, to, g->pass) :
				   kit_between(from, MAX(at, from), g->come));
}

/* Writes a warp's name at the left of its lanes that come. */
static void draw_gate_name(struct canvas *c, const struct gate *g, int x, int y,
			   uint32_t warp, bool own)
{
	canvas_textf(c, x - g->name, y + (g->high - 1) / 2, g->name,
		     own ? INK_BOLD(ROLE_STRONG) : INK(ROLE_DIM), "w%u", warp);
}

/* Draws the places where a row waits for the gate to open. */
static void draw_waiting_places(struct canvas *c, const struct gate *g, int y,
				uint32_t lanes)
{
	int x = MAX(g->x - lane_x(g, WARP_LANES), g->r.x + g->name);

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		if (lanes >> lane & 1)
			canvas_fill(c, (struct rect){
				x + lane_x(g, lane), y,
				g->wide - (g->wide > 1),
				g->high - (g->high > 1) }, ' ',
				INK_ON(ROLE_ON_HUE, ROLE_FIELD));
}

/* Draws a row of lanes; those that do not come stay at the left, red. */
static void draw_gate_lanes(struct canvas *c, const struct gate *g,
			    const struct scene *sc, int y, uint32_t lanes,
			    uint32_t come, bool own)
{
	int from = g->r.x + g->name, x = row_x(g);

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		bool comes = come >> lane & 1;
		enum role role = !comes ? ROLE_WASTE :
				 own && sc->focus_lanes >> lane & 1 ?
				 ROLE_CURSOR : own ? ROLE_HUE(lane) :
				 (enum role)(ROLE_FADE0 + lane / 8);

		if (lanes >> lane & 1)
			canvas_fill(c, (struct rect){
				(comes ? x : from) + lane_x(g, lane),
				y, g->wide - (g->wide > 1),
				g->high - (g->high > 1) }, ' ',
				INK_ON(ROLE_ON_HUE, role));
	}
}

/* Draws the door of an opening of h rows, which slides into the wall above and
 * below. */
static void draw_gate_door(struct canvas *c, const struct gate *g, int y, int h)
{
	enum role role = g->open >= 1 ? ROLE_GOOD : ROLE_BAD;

	for (int i = -1; i <= h; i++)
		if (i < 0 || i == h || abs(2 * i + 1 - h) >= g->open * h)
			canvas_fill(c, (struct rect){ g->x, y + i, 2, 1 }, ' ',
				    INK_ON(ROLE_ON_HUE, role));
}

/* Computes the place of names and lanes, as wide as half of r allows; above
 * them are rows for the gate's state, the counts on both sides, and the
 * wall. */
static struct gate layout_gate(const struct frame_model *s, struct rect r,
			       uint32_t warps, bool opens)
{
	uint32_t own = s->scene->warp.warp;
	int half = r.w / 2, rows = MIN((int)warps, MAX(r.h - 3, 1));
	struct gate g = { .r = r, .x = r.x + half };
	double t = s->quiet ? 0 : s->t;

	g.first = (int)own < rows ? 0 : own + 1 - (uint32_t)rows;
	g.end = g.first + (uint32_t)rows;
	g.gap = half >= WARP_LANES + 10;
	g.name = g.gap ? 4 : half >= WARP_LANES + 6 ? 3 : 0;
	g.wide = MAX(1, (half - g.name - 3) / (WARP_LANES + 3));
	g.gap *= g.wide;
	g.high = MAX(1, MIN(r.h * 3 / 4 / rows, 8));
	g.rows = rows * g.high;
	g.y = r.y + 2 + MAX(r.h - 3 - g.rows, 0) / 2;
	g.come = kit_act(t, 0, 0.5);
	g.open = opens ? kit_act(t, 0.5, 0.6) : 0;
	g.pass = opens ? kit_act(t, 0.6, 1) : 0;
	return g;
}

/* Counts the threads that are through the gate. */
static uint32_t count_through(const struct gate *g, const struct scene_barrier *all)
{
	uint32_t n = 0;

	for (uint32_t w = 0; w < all->warps; w++)
		for (uint32_t lane = 0; lane < WARP_LANES; lane++)
			n += (all->warp[w].come >> lane & 1) &&
			     row_x(g) + lane_x(g, lane) > g->x;
	return n;
}

/* Writes, above the opening, the gate's state and how many threads are on each
 * side. */
static void draw_gate_captions(struct canvas *c, const struct gate *g,
			       const struct frame_model *s)
{
	const struct scene_barrier *all = &s->scene->gate;
	uint32_t through = count_through(g, all);
	char text[96];
	int half;

	if (g->open >= 1)
		snprintf(text, sizeof(text), _("open: all %u have arrived"),
			 all->threads);
	else if (g->come >= 1 && all->missing)
		snprintf(text, sizeof(text),
			 ngettext("closed: %u of %u is missing",
				  "closed: %u of %u are missing",
				  all->missing), all->missing, all->threads);
	else
		snprintf(text, sizeof(text), "%s",
			 _("closed until all are here"));
	half = g->x - g->r.x - text_width(text) / 2 - 1;
	canvas_text(c, g->r.x + half + 1, g->r.y, -1, text,
		    INK_BOLD(g->open >= 1 ? ROLE_GOOD : ROLE_BAD));
	snprintf(text, sizeof(text), half < 38 ? _("before: %u of %u") :
		 _("before the barrier: %u of %u threads"),
		 all->threads - through, all->threads);
	kit_whole(c, g->r.x, g->r.y, half, text, INK(ROLE_TEXT));
	snprintf(text, sizeof(text), _("through: %u of %u"), through,
		 all->threads);
	if (text_width(text) <= half)
		canvas_right(c, g->r.x, g->r.y, g->r.w, text, INK(ROLE_TEXT));
	if (all->warps > g->end - g->first)
		canvas_textf(c, g->r.x, g->y + g->rows, -1, INK(ROLE_DIM),
			     ngettext("and %d more warp", "and %d more warps",
				      all->warps - (g->end - g->first)),
			     (int)(all->warps - (g->end - g->first)));
}

/* Draws a block's barrier. While a question is open, all threads seem to come:
 * it may ask which do not. */
static void draw_barrier(struct canvas *c, struct rect r,
			 const struct frame_model *s)
{
	const struct scene_barrier *all = &s->scene->gate;
	struct gate g = layout_gate(s, r, all->warps, !all->missing);
	int y = g.y;

	canvas_fill(c, (struct rect){ g.x, r.y + 1, 2, g.y - r.y - 1 }, ' ',
		    INK_ON(ROLE_ON_HUE, ROLE_SEEN));
	canvas_fill(c, (struct rect){ g.x, g.y + g.rows, 2,
				      r.y + r.h - g.y - g.rows }, ' ',
		    INK_ON(ROLE_ON_HUE, ROLE_SEEN));
	draw_gate_door(c, &g, g.y, g.rows);
	draw_gate_captions(c, &g, s);
	for (uint32_t w = g.first; w < g.end; w++, y += g.high) {
		uint32_t come = s->quiet ? all->warp[w].lanes :
					   all->warp[w].come;
		bool own = w == s->scene->warp.warp;

		draw_waiting_places(c, &g, y, all->warp[w].lanes);
		draw_gate_lanes(c, &g, s->scene, y, all->warp[w].lanes, come,
				own);
		draw_gate_name(c, &g, come ? row_x(&g) : g.r.x + g.name, y, w,
			       own);
	}
}

/* Draws a warp that waits for itself alone; where the other warps are is not
 * known. */
static void draw_warp_wait(struct canvas *c, struct rect r,
			   const struct frame_model *s)
{
	uint32_t mask = s->scene->request.mask, own = s->scene->warp.warp;
	const struct trace_dim *b = &s->scene->info->block;
	uint32_t warps = (b->x * b->y * b->z + WARP_LANES - 1) / WARP_LANES;
	struct gate g = layout_gate(s, r, warps, true);
	int y = g.y;

	for (uint32_t w = g.first; w < g.end; w++, y += g.high) {
		if (w == own) {
			draw_gate_lanes(c, &g, s->scene, y, mask, mask, true);
			draw_gate_name(c, &g, row_x(&g), y, w, true);
			continue;
		}
		draw_gate_name(c, &g, g.r.x + g.name, y, w, false);
		for (int x = g.r.x + g.name; x < g.r.x + g.r.w; x += 2)
			canvas_put(c, x, y + (g.high - 1) / 2, 0x00b7,
				   INK(ROLE_FAINT));
	}
	y = g.y + (int)(own - g.first) * g.high;
	draw_gate_door(c, &g, y, g.high);
	canvas_text(c, g.x + 3, y - 1, -1, g.open >= 1 ? _("open") :
		    _("closed"), INK_BOLD(g.open >= 1 ? ROLE_GOOD : ROLE_BAD));
}

/* Writes what is waited for, and how many threads come. */
static void gate_words(char *buf, size_t size, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct scene_barrier *g = &sc->gate;

	if (!g->warps)
		snprintf(buf, size, _("%s Dots: the other warps, wherever they "
				      "are."), sc->sentence ? sc->sentence : "");
	else if (s->quiet)
		snprintf(buf, size, "%s", _("Who comes to this barrier?"));
	else if (g->missing)
		snprintf(buf, size,
			 ngettext("%u of the block's %u threads does not come "
				  "to this barrier: the others wait for it.",
				  "%u of the block's %u threads do not come "
				  "to this barrier: the others wait for them.",
				  g->missing), g->missing, g->threads);
	else
		snprintf(buf, size,
			 _("All %u threads of the block wait for each other at "
			   "__syncthreads(). Phase %u of %u ends here: what was "
			   "written to shared memory is now visible to the whole "
			   "block."),
			 g->threads, sc->phase + 1, sc->phases);
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	struct frame_model told;
	struct rect old;
	char text[512];
	int rows;

	if (!sc || !sc->site)
		return;
	r = canvas_frame(c, r, sc->site->op == OP_BARRIER ? _("barrier") :
			 trace_site_word(sc->site),
			 sc->array ? sc->array->name : NULL, false);
	r.x++;
	r.w -= 2;
	told = *s;
	told.quiet = false;
	gate_words(text, sizeof(text), &told);
	rows = prose_text(NULL, r, 0, text, INK(ROLE_TEXT));
	gate_words(text, sizeof(text), s);
	old = canvas_clip(c, r);
	if (r.h - rows > 3) {
		struct rect road = { r.x, r.y, r.w, r.h - rows - 1 };

		if (sc->gate.warps)
			draw_barrier(c, road, s);
		else
			draw_warp_wait(c, road, s);
		r.y += r.h - rows;
		r.h = rows;
	}
	prose_fit(c, r, text, INK(ROLE_TEXT));
	canvas_clip(c, old);
}

static enum view_rank rank(const struct scene *sc)
{
	enum op op = sc->site->op;

	if (!sc->array || (!op_is_access(op) && !op_is_bulk(op)))
		return RANK_STEP;
	return sc->array->space == SPACE_GLOBAL ? RANK_BESIDE : RANK_NONE;
}

static bool available(const struct frame_model *s)
{
	return s->scene && s->scene->site &&
	       !op_is_access(s->scene->site->op);
}

/* Tells whether the step is at a barrier. */
static bool offered(const struct frame_model *s)
{
	enum op op = s->scene->site->op;

	return op == OP_BARRIER || op == OP_SYNC || op == OP_MBAR_ARRIVE ||
	       op == OP_MBAR_WAIT;
}

const struct view view_barrier = {
	.name = "barrier",
	.title = N_("barrier"),
	.help = N_("who comes to a barrier, and what is waited for"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = available,
	.offered = offered,
	.rank = rank,
	.draw = draw,
};
