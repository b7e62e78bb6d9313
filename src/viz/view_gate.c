/*
 * Barriers and waits as a gate: threads come to it from the left, and it opens
 * when the last of them is there. Which thread comes first is not known: all
 * come together.
 */
#include <stdio.h>

#include "viz/kit.h"
#include "viz/show.h"

struct gate {
	struct rect r;		/* the road, left and right of the gate */
	int x;			/* the gate's column, two wide */
	int name;		/* columns of a warp's name; 0: no room */
	int wide, high;		/* of a lane: columns, and rows */
	uint32_t first, end;	/* the block's warps that have room */
	double come, open, pass;	/* the three acts */
};


static void draw_name(struct canvas *c, const struct gate *g, int y,
		      uint32_t warp, bool own)
{
	canvas_textf(c, g->r.x, y + (g->high - 1) / 2, g->name,
		     own ? INK_BOLD(ROLE_STRONG) : INK(ROLE_DIM), "w%u", warp);
}

/* A row of lanes whose first stands at x; those that do not come wait, red, at
 * the left. */
static void draw_warp(struct canvas *c, const struct gate *g,
		      const struct scene *sc, int y, uint32_t lanes,
		      uint32_t come, bool own)
{
	int from = g->r.x + g->name, to = g->x + 3;
	int at = g->x - (WARP_LANES + 4) * g->wide;
	int x = (int)(g->pass > 0 ? kit_between(at, to, g->pass) :
				    kit_between(from, at, g->come));

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		bool comes = come >> lane & 1;
		enum role role = !comes ? ROLE_WASTE :
				 own && sc->focus_lanes >> lane & 1 ?
				 ROLE_CURSOR : own ? ROLE_HUE(lane) :
				 (enum role)(ROLE_FADE0 + lane / 8);

		if (lanes >> lane & 1)
			canvas_fill(c, (struct rect){
				(comes ? x : from) +
					(int)(lane + lane / 8) * g->wide,
				y, g->wide - (g->wide > 1),
				g->high - (g->high > 1) }, ' ',
				INK_ON(ROLE_ON_HUE, role));
	}
}

/* Shut it is a wall; open only its posts are left. */
static void draw_gate(struct canvas *c, const struct gate *g, int top, int h)
{
	bool open = g->open >= 1;

	for (int y = top; y < top + h; y++) {
		bool post = y == top || y == top + h - 1;

		if (post || !open)
			canvas_fill(c, (struct rect){ g->x, y, 2, 1 }, ' ',
				    INK_ON(ROLE_ON_HUE, open ? ROLE_GOOD :
					   ROLE_BAD));
	}
}

static struct gate gate_of(const struct show *s, struct rect r,
			   uint32_t warps, bool opens)
{
	uint32_t own = s->scene->warp.warp;
	int rows = MIN((int)warps, MAX(r.h - 2, 1));
	struct gate g = { .r = r, .x = r.x + r.w / 2 };
	double t = s->quiet ? 0 : s->t;

	g.first = (int)own < rows ? 0 : own + 1 - (uint32_t)rows;
	g.end = g.first + (uint32_t)rows;

	g.wide = MAX(1, (g.x - r.x - 4) / (WARP_LANES + 5));
	g.name = g.x - r.x < WARP_LANES + 8 ? 0 : 4;
	g.high = MAX(1, MIN((r.h - 2) / MAX(rows, 1), 8));
	g.r.h = MIN(r.h, rows * g.high + 2);
	g.r.y += (r.h - g.r.h) / 2;
	g.come = kit_act(t, 0, 0.5);
	g.open = opens ? kit_act(t, 0.5, 0.6) : 0;
	g.pass = opens ? kit_act(t, 0.6, 1) : 0;
	return g;
}

/* Who does not come, an open question may be about. */
static void draw_barrier(struct canvas *c, struct rect r,
			 const struct show *s)
{
	const struct scene_gate *all = &s->scene->gate;
	struct gate g = gate_of(s, r, all->warps, !all->missing);
	int y = g.r.y + 1;

	draw_gate(c, &g, g.r.y, g.r.h);
	for (uint32_t w = g.first; w < g.end; w++, y += g.high) {
		bool own = w == s->scene->warp.warp;

		draw_name(c, &g, y, w, own);
		draw_warp(c, &g, s->scene, y,
			  all->warp[w].lanes, s->quiet ? all->warp[w].lanes :
			  all->warp[w].come, own);
	}
}

/* A warp waits for itself alone; where the others are is not known. */
static void draw_wait(struct canvas *c, struct rect r, const struct show *s)
{
	uint32_t mask = s->scene->request.mask, own = s->scene->warp.warp;
	const struct trace_dim *b = &s->scene->info->block;
	uint32_t warps = (b->x * b->y * b->z + WARP_LANES - 1) / WARP_LANES;
	struct gate g = gate_of(s, r, warps, true);
	int y = g.r.y + 1;

	for (uint32_t w = g.first; w < g.end; w++, y += g.high) {
		draw_name(c, &g, y, w, w == own);
		if (w == own) {
			draw_gate(c, &g, y - 1, g.high + 2);
			draw_warp(c, &g, s->scene, y, mask, mask, true);
			continue;
		}
		for (int x = g.r.x + g.name; x < g.r.x + g.r.w; x += 2)
			canvas_put(c, x, y + (g.high - 1) / 2, 0x00b7,
				   INK(ROLE_FAINT));
	}
}

/* What is waited for, and who comes. */
static void gate_words(char *buf, size_t size, const struct show *s)
{
	const struct scene *sc = s->scene;
	const struct scene_gate *g = &sc->gate;

	if (!g->warps)
		snprintf(buf, size, _("%s Dots: the other warps, wherever they "
				      "are."), sc->sentence ? sc->sentence : "");
	else if (s->quiet)
		snprintf(buf, size, _("A barrier: the block's %u threads come "
				      "to it."), g->threads);
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

static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	const struct scene *sc = s->scene;
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
	gate_words(text, sizeof(text), s);
	rows = prose_text(NULL, r, 0, text, INK(ROLE_TEXT));
	old = canvas_clip(c, r);
	if (r.h - rows > 3) {
		struct rect road = { r.x, r.y, r.w, r.h - rows - 1 };

		if (sc->gate.warps)
			draw_barrier(c, road, s);
		else
			draw_wait(c, road, s);
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

static bool available(const struct show *s)
{
	return s->scene && s->scene->site &&
	       !op_is_access(s->scene->site->op);
}

const struct view view_gate = {
	.name = "gate",
	.title = N_("gate"),
	.help = N_("who comes to a barrier, and what is waited for"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = available,
	.rank = rank,
	.draw = draw,
};
