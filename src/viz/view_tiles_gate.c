/* view_tiles_gate: what stands beside the tiles: the meter of reads, and the
 * barrier as a gate. */
#include <stdio.h>

#include "base/text.h"
#include "scene/scene_tiles.h"
#include "scene/stage.h"
#include "viz/kit.h"
#include "viz/tile_marks.h"

/* ---- the meter ---- */

static void draw_count(struct canvas *c, struct rect r, int y,
		       const char *word, const struct tile_reads *n,
		       uint64_t most, enum role role)
{
	char text[48];
	int label = text_width(word) + 2, room;

	canvas_text(c, r.x, r.y + y, label, word, INK(ROLE_DIM));
	room = MAX(r.w - label - 8, 1);
	if (n->most > n->sure)
		kit_bar(c, r.x + label, r.y + y, room,
			(double)n->most / (double)most, ROLE_TILE, ROLE_NONE);
	kit_bar(c, r.x + label, r.y + y, room, (double)n->sure / (double)most,
		role, ROLE_NONE);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)n->sure);
	canvas_right(c, r.x + label + room, r.y + y, 8, text,
		     INK_BOLD(ROLE_STRONG));
}

void tiles_meter(struct canvas *c, struct rect r, const struct show *s)
{
	const struct tiles *t = s->scene->tiles;
	uint64_t most = MAX(MAX(t->global.most, t->shared.most), 1);
	char text[128];

	if (r.h < 3 || r.w < 24 || s->quiet)
		return;
	if (!kit_whole(c, r.x, r.y, r.w,
		       _("elements that this block has read"),
		       INK_BOLD(ROLE_STRONG)))
		canvas_text(c, r.x, r.y, r.w, _("elements read"),
			    INK_BOLD(ROLE_STRONG));
	draw_count(c, r, 1, r.w < 40 ? _("global") : _("global memory"),
		   &t->global, most, ROLE_GOOD);
	draw_count(c, r, 2, r.w < 40 ? _("shared") : _("shared memory"),
		   &t->shared, most, ROLE_ACCENT);
	if (r.h > 3 && t->shared.sure && t->global.sure) {
		snprintf(text, sizeof(text), _("without tiles, all %llu would "
					       "be global reads"),
			 (unsigned long long)t->shared.sure);
		if (text_width(text) > r.w)
			snprintf(text, sizeof(text), _("without tiles: %llu"),
				 (unsigned long long)t->shared.sure);
		canvas_text(c, r.x, r.y + 3, r.w, text, INK(ROLE_DIM));
	}
	if (r.h > 4 && (t->global.most > t->global.sure ||
			t->shared.most > t->shared.sure)) {
		kit_bar(c, r.x, r.y + 4, 2, 1, ROLE_TILE, ROLE_NONE);
		canvas_text(c, r.x + 3, r.y + 4, r.w - 3,
			    _("other warps, this phase"), INK(ROLE_FAINT));
	}
}

/* ---- the gate ---- */

/* How far a warp is in its phase, 0 to 1 at the barrier. */
static double progress(const struct show *s, bool in_step)
{
	const struct scene *sc = s->scene;
	double t = tiles_time(s), all = sc->phase_last - sc->phase_first;
	double here = sc->cursor.request - sc->phase_first;

	if (sc->tiles->at_barrier)	/* the others come while it waits */
		return in_step ? 1 : kit_act(t, 0.25, 0.75);
	return all > 0 ? MIN(1, (here + t) / all) : 0;
}

static void draw_warp(struct canvas *c, struct rect r, const struct show *s,
		      uint32_t warp, int gate)
{
	const struct scene *sc = s->scene;
	bool own = warp == sc->warp.warp;
	bool in_step = own || sc->cursor.all_warps;
	bool sure = in_step || sc->tiles->at_barrier;
	double part = progress(s, in_step);
	int body = MIN(8, MAX(4, r.w / 4)), x;

	canvas_textf(c, r.x, r.y, 4, own ? INK_BOLD(ROLE_STRONG) :
		     INK(ROLE_DIM), "w%u", warp);
	if (!sure || (sc->tiles->at_barrier && !in_step && part <= 0)) {
		for (int i = r.x + 4; i < gate; i++)
			canvas_put(c, i, r.y, 0x00b7, INK(ROLE_FAINT));
		return;
	}
	x = (int)kit_between(r.x + 4, gate - body, part);
	for (int i = 0; i < body; i++)
		canvas_put(c, x + i, r.y, ' ',
			   INK_ON(ROLE_ON_HUE, (own ? ROLE_HUE0 : ROLE_TRAIL0) +
				  i * 4 / body));
}

/* How many warps have no room, and what dots are. */
static void draw_gate_foot(struct canvas *c, struct rect r,
			   const struct show *s, int hidden)
{
	const struct scene *sc = s->scene;
	int used = 0;

	if (hidden > 0)
		used = canvas_textf(c, r.x, r.y, r.w, INK(ROLE_DIM),
				    ngettext("and %d more warp",
					     "and %d more warps",
					     (unsigned)hidden), hidden) + 2;
	if (!sc->cursor.all_warps && !sc->tiles->at_barrier &&
	    sc->tiles->warps > 1 &&
	    !kit_whole(c, r.x + used, r.y, r.w - used,
		       _("dots: somewhere before the barrier"),
		       INK(ROLE_FAINT)))
		kit_whole(c, r.x + used, r.y, r.w - used,
			  _("dots: not known"), INK(ROLE_FAINT));
}

void tiles_gate(struct canvas *c, struct rect r, const struct show *s)
{
	const struct scene *sc = s->scene;
	bool last = sc->phase + 1 == sc->phases;
	bool open = sc->tiles->at_barrier && tiles_time(s) >= 0.9;
	uint32_t warps = sc->tiles->warps, own = sc->warp.warp, first = 0;
	int rows = MIN((int)warps, r.h - 1), gate = r.x + r.w - 2, hidden;

	if (rows < 1 || r.w < 20)
		return;
	if (last) {
		canvas_text(c, r.x, r.y, r.w, _("no barrier is left"),
			    INK(ROLE_DIM));
		return;
	}
	canvas_text(c, r.x, r.y, r.w, "__syncthreads()", INK_BOLD(ROLE_STRONG));
	canvas_right(c, r.x, r.y, r.w, open ? _("open") :
		     sc->tiles->at_barrier ? _("closed until all are here") :
		     _("closed"), INK_BOLD(open ? ROLE_GOOD : ROLE_BAD));
	hidden = (int)warps - rows;
	rows -= hidden > 0 && rows > 2;
	hidden = (int)warps - rows;
	if ((int)own >= rows)
		first = own + 1 - (uint32_t)rows;
	for (int i = 0; i < rows; i++)
		draw_warp(c, (struct rect){ r.x, r.y + 1 + i, r.w, 1 }, s,
			  first + (uint32_t)i, gate);
	if (!open)
		canvas_fill(c, (struct rect){ gate, r.y + 1, 1, rows }, ' ',
			    INK_ON(ROLE_ON_HUE, ROLE_BAD));
	if (rows + 1 < r.h)
		draw_gate_foot(c, (struct rect){ r.x, r.y + 1 + rows, r.w, 1 },
			       s, hidden);
}
