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
	int high;		/* rows of a warp */
	double come, open, pass;	/* the three acts */
};

/* A row of lanes whose first stands at x; those that do not come wait, red, at
 * the left. */
static void draw_warp(struct canvas *c, const struct gate *g,
		      const struct scene *sc, int y, uint32_t lanes,
		      uint32_t come, bool own)
{
	int from = g->r.x, at = g->x - 36, to = g->x + 3;
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
				(comes ? x : from) + (int)(lane + lane / 8),
				y, 1, g->high }, ' ',
				INK_ON(ROLE_ON_HUE, role));
	}
}

/* Shut it is a wall; open only its posts are left. */
static void draw_gate(struct canvas *c, const struct gate *g)
{
	bool open = g->open >= 1;

	for (int y = g->r.y; y < g->r.y + g->r.h; y++) {
		bool post = y == g->r.y || y == g->r.y + g->r.h - 1;

		if (post || !open)
			canvas_fill(c, (struct rect){ g->x, y, 2, 1 }, ' ',
				    INK_ON(ROLE_ON_HUE, open ? ROLE_GOOD :
					   ROLE_BAD));
	}
}

static struct gate gate_of(const struct show *s, struct rect r, int rows,
			   bool opens)
{
	struct gate g = { .r = r, .x = r.x + r.w / 2 };

	g.high = MAX(1, MIN((r.h - 2) / MAX(rows, 1), 4));
	g.r.h = MIN(r.h, rows * g.high + 2);
	g.r.y += (r.h - g.r.h) / 2;
	g.come = kit_act(s->t, 0, 0.5);
	g.open = opens ? kit_act(s->t, 0.5, 0.6) : 0;
	g.pass = opens ? kit_act(s->t, 0.6, 1) : 0;
	return g;
}

static void draw_barrier(struct canvas *c, struct rect r,
			 const struct show *s)
{
	const struct scene_gate *all = &s->scene->gate;
	struct gate g = gate_of(s, r, (int)all->warps, !all->missing);

	draw_gate(c, &g);
	for (uint32_t w = 0; w < all->warps; w++) {
		bool own = w == s->scene->warp.warp;

		draw_warp(c, &g, s->scene, g.r.y + 1 + (int)w * g.high,
			  all->warp[w].lanes, all->warp[w].come, own);
	}
}

static void draw_wait(struct canvas *c, struct rect r, const struct show *s)
{
	uint32_t mask = s->scene->request.mask;
	struct gate g = gate_of(s, r, 1, true);

	draw_gate(c, &g);
	draw_warp(c, &g, s->scene, g.r.y + 1, mask, mask, true);
}

/* What is waited for, and who comes. */
static void gate_words(char *buf, size_t size, const struct scene *sc)
{
	const struct scene_gate *g = &sc->gate;

	if (!g->warps)
		snprintf(buf, size, "%s", sc->sentence ? sc->sentence : "");
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
	gate_words(text, sizeof(text), sc);
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
