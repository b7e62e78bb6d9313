/* view_tiles_barrier: draws the meter of reads, and the barrier as a gate. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "viz/pictures/tiles/scene_tiles.h"
#include "scene/stage.h"
#include "viz/kit.h"
#include "viz/legend.h"
#include "viz/pictures/tiles/tile_marks.h"

/* ---- the meter ---- */

/* Returns the name of the comparison: "naive" if each thread reads everything
 * that its one sum needs. */
static const char *without_tiles_words(const struct scene *sc)
{
	const struct box *t = sc->c < 0 ? NULL : &sc->arrays[sc->c].thread;

	if (!sc->product)
		return _("without it");
	return t && t->known && t->row0 == t->row1 && t->col0 == t->col1 ?
	       _("naive") : _("without tiles");
}

/* Draws a count at the end of the round as a bar, with the part that is not
 * certainly done yet in the colour `rest`. */
static void draw_reads_bar(struct canvas *c, struct rect r, const char *word,
			   int label, const struct tile_reads *n, uint64_t most,
			   enum role role, enum role rest)
{
	int y = r.y + (r.h - 1) / 2, room = r.w - label - 9;
	double all = (double)n->most / (double)most;
	double done = (double)n->sure / (double)most;
	/* A cell can show the end of one bar only. */
	bool apart = floor(done * room) < floor(all * room);
	char text[48];

	canvas_text(c, r.x, y, label - 1, word, INK(ROLE_TEXT));
	for (int i = 0; i < r.h && room > 0; i++) {
		if (n->most > n->sure || rest == role)
			kit_bar(c, r.x + label, r.y + i, room, all, rest,
				ROLE_NONE);
		if (rest != role && (n->most == n->sure || apart))
			kit_bar(c, r.x + label, r.y + i, room, done, role,
				ROLE_NONE);
	}
	snprintf(text, sizeof(text), "%llu", (unsigned long long)n->most);
	canvas_right(c, r.x + r.w - 9, y, 9, text, INK_BOLD(ROLE_STRONG));
}

/* Writes how often a word that was fetched in this round is read; false: that
 * is not known. */
static bool reuse_words(char *buf, size_t size, const struct tiles *t)
{
	double times = t->global.round ? (double)t->shared.round /
					 (double)t->global.round : 0;

	if (times <= 1)
		return false;
	snprintf(buf, size, times == (double)(long)times ?
		 _("fetched once, read %.0f times") :
		 _("fetched once, read %.1f times"), times);
	return true;
}

static void draw_reuse(struct canvas *c, struct rect r, const struct frame_model *s)
{
	char text[96];

	if (reuse_words(text, sizeof(text), s->scene->tiles))
		kit_whole(c, r.x, r.y, r.w, text, INK_BOLD(ROLE_GOOD));
}

/* Draws both counts in one row, next to each other. */
static void draw_meter_row(struct canvas *c, struct rect r,
			   const struct tiles *t, const char *words[2],
			   uint64_t most)
{
	int label = MAX(text_width(words[0]), text_width(words[1])) + 1;
	int used = r.w < 70 ? 0 : kit_whole(c, r.x, r.y, r.w / 4,
					    _("global reads"),
					    INK(ROLE_TEXT)) + 1;
	struct rect half = { r.x + used, r.y, (r.w - used) / 2 - 2, 1 };

	draw_reads_bar(c, half, words[0], label, &t->global, most, ROLE_GOOD,
		       ROLE_GOOD);
	half.x += half.w + 2;
	draw_reads_bar(c, half, words[1], label, &t->shared, most, ROLE_BAD,
		       ROLE_BAD);
}

/* Draws what the block has fetched, and what it would have fetched without
 * tiles: each read of shared memory would be one of global memory. */
void tiles_meter(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct tiles *t = s->scene->tiles;
	uint64_t most = MAX(MAX(t->global.most, t->shared.most), 1);
	const char *words[] = { s->scene->product ? _("with tiles") :
				_("with shared memory"),
				without_tiles_words(s->scene) };
	int label = MAX(text_width(words[0]), text_width(words[1])) + 1;
	int high = r.h < 8 ? 1 : MIN((r.h - 2) / 3, 4), x = r.x;
	const struct legend_entry rest = { { ROLE_FADE2, ROLE_WASTE },
					   _("to come") };
	struct rect bars;

	if (r.h < 1 || r.w < 24 || s->quiet)
		return;
	if (r.h < 2) {
		draw_meter_row(c, r, t, words, most);
		return;
	}
	if (r.h > 2 && r.w > 0) {
		x += canvas_text(c, r.x, r.y, r.w, _("reads of global memory"),
				 INK_BOLD(ROLE_STRONG)) + 1;
		r.y++;
		r.h--;
	}
	bars = r;
	draw_reads_bar(c, (struct rect){ r.x, r.y, r.w, high }, words[0], label,
		       &t->global, most, ROLE_GOOD, ROLE_FADE2);
	r.y += high + (high > 1);
	draw_reads_bar(c, (struct rect){ r.x, r.y, r.w, high }, words[1], label,
		       &t->shared, most, ROLE_BAD, ROLE_WASTE);
	if (x > r.x)
		legend_rows(c, (struct rect){ x, bars.y - 1, r.x + r.w - x, 1 },
			    bars, &rest, 1);
	if (r.h > 2)
		draw_reuse(c, (struct rect){ r.x, r.y + high + (high > 1), r.w,
					     1 }, s);
}

/* ---- the gate ---- */

/* Returns how far a warp is in its phase: 0 to 1, which is the barrier. */
static double phase_progress(const struct frame_model *s, bool in_step)
{
	const struct scene *sc = s->scene;
	double t = tiles_time(s), all = sc->phase_last - sc->phase_first;
	double here = sc->cursor.request - sc->phase_first;

	if (sc->tiles->at_barrier)	/* the others come while it waits */
		return in_step ? 1 : kit_act(t, TILES_COME, TILES_CAME);
	return all > 0 ? MIN(1, (here + t) / all) : 0;
}

/* Returns how far a warp is, 0 to 1; -1 if that is not known. */
static double warp_progress(const struct frame_model *s, uint32_t warp)
{
	const struct scene *sc = s->scene;
	bool in_step = warp == sc->warp.warp || sc->cursor.all_warps;
	double part = phase_progress(s, in_step);

	return in_step || (sc->tiles->at_barrier && part > 0) ? part : -1;
}

static enum role token_role(const struct scene *sc, uint32_t warp)
{
	return warp == sc->warp.warp ? ROLE_HUE2 : ROLE_TRAIL2;
}

/* Draws a warp on its road to the gate. */
static void draw_warp_road(struct canvas *c, struct rect r,
			   const struct frame_model *s, uint32_t warp, int gate)
{
	bool own = warp == s->scene->warp.warp;
	double part = warp_progress(s, warp);
	int body = MIN(8, MAX(4, r.w / 4));

	canvas_textf(c, r.x, r.y, 4, own ? INK_BOLD(ROLE_STRONG) :
		     INK(ROLE_DIM), "w%u", warp);
	for (int i = r.x + 4; part < 0 && i < gate; i++)
		canvas_put(c, i, r.y, 0x00b7, INK(ROLE_FAINT));
	if (part >= 0)
		canvas_fill(c, (struct rect){
			(int)kit_between(r.x + 4, gate - body, part), r.y,
			body, 1 }, ' ',
			INK_ON(ROLE_ON_HUE, token_role(s->scene, warp)));
}

/* Draws all warps in a row, `wide` columns each: those that have arrived as
 * marks, the others, whose place is unknown, as names. */
static void draw_warp_tokens(struct canvas *c, struct rect r,
			     const struct frame_model *s, int wide)
{
	const struct scene *sc = s->scene;
	char name[16];

	for (uint32_t w = 0; w < sc->tiles->warps; w++) {
		struct rect at = { r.x + (int)w * wide, r.y,
				   wide - (wide > 1), 1 };
		bool here = warp_progress(s, w) >= 1;

		snprintf(name, sizeof(name), "w%u", w);
		if (here)
			canvas_fill(c, at, ' ', INK_ON(ROLE_ON_HUE,
						       token_role(sc, w)));
		if (text_width(name) <= at.w)
			canvas_text(c, at.x, at.y, at.w, name,
				    here ? INK(ROLE_ON_HUE) :
				    w == sc->warp.warp ?
				    INK_BOLD(ROLE_STRONG) : INK(ROLE_DIM));
		else if (!here)
			canvas_fill(c, at, 0x00b7, w == sc->warp.warp ?
				    INK_BOLD(ROLE_STRONG) : INK(ROLE_FAINT));
	}
}

/* Returns what the closed gate prevents, in words. */
static const char *gate_reason(const struct scene *sc)
{
	if (sc->tiles->fills && sc->tiles->reads)
		return _("buffers stay until all are here");
	return !sc->tiles->fills && !sc->tiles->reads ? "" :
	       sc->tiles->fills ? _("nobody reads until all are here") :
				  _("tiles stay until all are here");
}

static void draw_warp_roads(struct canvas *c, struct rect r,
			    const struct frame_model *s, bool open)
{
	int warps = (int)s->scene->tiles->warps, gate = r.x + r.w - 2;

	for (int w = 0; w < warps; w++)
		draw_warp_road(c, (struct rect){ r.x, r.y + w, r.w, 1 }, s,
			       (uint32_t)w, gate);
	if (!open)
		canvas_fill(c, (struct rect){ gate, r.y, 1, warps }, ' ',
			    INK_ON(ROLE_ON_HUE, ROLE_BAD));
}

/* Draws a road for each warp if they fit; else a mark for each. */
void tiles_gate(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	bool open = sc->tiles->at_barrier && tiles_time(s) >= TILES_OPEN;
	int warps = (int)sc->tiles->warps, rows = 1;
	int wide = MIN(4, r.w / MAX(warps, 1));

	if (r.h < 2 || r.w < 20)
		return;
	if (sc->phase + 1 == sc->phases) {
		canvas_text(c, r.x, r.y, r.w, _("no barrier is left"),
			    INK(ROLE_DIM));
		return;
	}
	canvas_text(c, r.x, r.y, r.w, r.w < 24 ? _("barrier") :
		    "__syncthreads()", INK_BOLD(ROLE_STRONG));
	canvas_right(c, r.x, r.y, r.w, open ? _("open") : _("closed"),
		     INK_BOLD(open ? ROLE_GOOD : ROLE_BAD));
	if (warps < r.h)
		draw_warp_roads(
			c, (struct rect){ r.x, r.y + 1, r.w, rows = warps }, s,
			open);
	else if (wide > 0)
		draw_warp_tokens(c, (struct rect){ r.x, r.y + 1, r.w, 1 }, s,
				 wide);
	if (rows + 1 < r.h)
		kit_whole(c, r.x, r.y + rows + 1, r.w, gate_reason(sc),
			  INK(ROLE_DIM));
}
