/* One warp instruction: its lanes, the sectors they touch, what it costs. */
#include <stdio.h>
#include <stdlib.h>

#include "viz/show.h"

static struct ink lane_ink(const struct scene *sc, uint32_t lane)
{
	bool focus = sc->focus_lanes >> lane & 1;

	if (!(sc->request.mask >> lane & 1))
		return INK_ON(ROLE_FAINT, ROLE_FIELD);
	if (sc->cursor.focus != FOCUS_LANE && !focus)
		return INK_ON(ROLE_ON_HUE, ROLE_FADE0 + lane / 8);
	return (struct ink){ ROLE_ON_HUE, ROLE_HUE(lane),
			     focus ? ATTR_BOLD | ATTR_UNDERLINE : 0 };
}

/* 32 lanes in two rows of 16 with a gap after each eight. */
static void draw_lanes(struct canvas *c, struct rect r,
		       const struct scene *sc)
{
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		int x = r.x + (int)(lane % 16) + (int)(lane % 16 / 8);
		bool on = sc->request.mask >> lane & 1;

		canvas_put(c, x, r.y + (int)(lane / 16),
			   on ? '0' + lane % 8 : '-', lane_ink(sc, lane));
	}
	if (r.w >= 30) {
		canvas_text(c, r.x + 18, r.y, r.w - 18, _("lanes 0-15"),
			    INK(ROLE_FAINT));
		canvas_text(c, r.x + 18, r.y + 1, r.w - 18, _("lanes 16-31"),
			    INK(ROLE_FAINT));
	}
}

/* A word of a sector, drawn for a lane that wants it: one in focus, else the
 * first. */
static void draw_word(struct canvas *c, int x, int y, const struct scene *sc,
		      uint32_t lanes)
{
	uint32_t focus = lanes & sc->focus_lanes;
	uint32_t lane = lanes ? (uint32_t)__builtin_ctz(focus ? focus :
							lanes) : 0;

	if (!lanes)
		canvas_put(c, x, y, ' ', INK_ON(ROLE_FAINT, ROLE_FIELD));
	else
		canvas_put(c, x, y, lanes & (lanes - 1) ? '*' : '0' + lane % 8,
			   lane_ink(sc, lane));
}

static void draw_sector(struct canvas *c, int x, int y,
			const struct scene *sc, int sector)
{
	uint64_t address = sc->sectors[sector].address;
	bool focus = sc->cursor.focus == FOCUS_SECTOR &&
		     sc->cursor.focus_index == sector;
	char name[96];

	for (size_t w = 0; w < LENGTH(sc->sector_lanes[0]); w++)
		draw_word(c, x + (int)w, y, sc, sc->sector_lanes[sector][w]);
	array_element(sc->array, address > sc->array->base ?
		      address - sc->array->base : 0, sc->array->elem_bytes,
		      name, sizeof(name));
	canvas_text(c, x, y + 1, 8, name,
		    focus ? INK_BOLD(ROLE_ACCENT) : INK(ROLE_FAINT));
}

/* All sectors, eight words each; says how many do not fit. */
static int draw_sectors(struct canvas *c, struct rect r,
			const struct show *s)
{
	const struct scene *sc = s->scene;
	int columns = MAX(1, (r.w + 1) / 9), rows = r.h / 2, shown;

	shown = MIN((int)sc->sector_count, columns * rows);
	if (shown < (int)sc->sector_count)	/* a row to say so */
		shown = columns * MAX(1, rows - (r.h % 2 ? 0 : 1));
	for (int i = 0; i < shown; i++)
		draw_sector(c, r.x + i % columns * 9, r.y + i / columns * 2,
			    sc, i);
	rows = (shown + columns - 1) / columns * 2;
	if (shown < (int)sc->sector_count) {
		canvas_textf(c, r.x, r.y + rows, r.w, INK(ROLE_WARN),
			     ngettext("… and %d more sector",
				 "… and %d more sectors",
				      (unsigned)((int)sc->sector_count -
						 shown)),
			     (int)sc->sector_count - shown);
		rows++;
	}
	return rows;
}

static int draw_costs(struct canvas *c, struct rect r, const struct scene *sc)
{
	const struct access_cost *k = &sc->cost;
	char line[128];

	snprintf(line, sizeof(line),
		 ngettext("%d sector", "%d sectors", (unsigned)k->sectors),
		 k->sectors);
	canvas_text(c, r.x, r.y, r.w, line,
		    INK_BOLD(k->sectors > k->ideal_sectors ? ROLE_BAD :
							     ROLE_GOOD));
	snprintf(line, sizeof(line), _("%d B moved, %d B needed"),
		 k->sectors * SECTOR_BYTES, k->bytes);
	if (r.w < 40) {
		canvas_text(c, r.x, r.y + 1, r.w, line, INK(ROLE_TEXT));
		return 2;
	}
	canvas_text(c, r.x + 13, r.y, r.w - 13, line, INK(ROLE_TEXT));
	return 1;
}

static void draw_barrier(struct canvas *c, struct rect r,
			 const struct scene *sc)
{
	struct trace_dim b = sc->info->block;
	struct rect in = canvas_frame(c, r, _("barrier"), NULL, false);
	char text[256];

	snprintf(text, sizeof(text),
		 _("All %u threads of the block wait for each other at "
		   "__syncthreads(). Phase %u of %u ends here: what was "
		   "written to shared memory is now visible to the whole "
		   "block."),
		 b.x * b.y * b.z, sc->phase + 1, sc->phases);
	in.x++;
	in.w -= 2;
	in.y++;
	in.h--;
	prose_text(c, in, 0, text, INK(ROLE_TEXT));
}

/* What a thread arrives at, waits for or begins costs nothing here. */
static void draw_sync(struct canvas *c, struct rect r, const struct scene *sc)
{
	struct rect in = canvas_frame(c, r, trace_site_word(sc->site),
				      sc->array ? sc->array->name : NULL,
				      false);

	in.x++;
	in.w -= 2;
	in.y++;
	in.h--;
	if (sc->sentence)
		prose_fit(c, in, sc->sentence, INK(ROLE_TEXT));
}

/* Sectors, what they cost, and the caption if wanted. Returns the rows. */
static int draw_global(struct canvas *c, struct rect r, const struct show *s,
		       bool caption)
{
	const struct scene *sc = s->scene;
	int y = r.y;

	if (caption)
		canvas_text(c, r.x, y++, r.w, sc->elements_shared ?
			    _("32-byte sectors, * = many lanes") :
			    _("sectors of 32 bytes"), INK(ROLE_DIM));
	y += draw_sectors(c, (struct rect){ r.x, y, r.w,
					    r.y + r.h - 2 - y }, s);
	return y + draw_costs(c, (struct rect){ r.x, y, r.w, 2 }, sc) - r.y;
}

static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	const struct scene *sc = s->scene;
	char title[64], note[96];
	bool global = sc && sc->costs && sc->access.space == ACCESS_GLOBAL;
	int words, spare;

	if (!sc || !sc->site)
		return;
	if (sc->site->op == OP_BARRIER) {
		draw_barrier(c, r, sc);
		return;
	}
	if (!op_is_access(sc->site->op)) {
		draw_sync(c, r, sc);
		return;
	}
	request_words(note, sizeof(note), sc);
	snprintf(title, sizeof(title), _("request %u of %u"),
		 sc->cursor.request + 1, sc->warp.requests);
	r = canvas_frame(c, r, title, note, false);
	r.x++;
	r.w -= 2;
	words = s->quiet || !sc->sentence ? 3 :
		prose_text(NULL, r, 0, sc->sentence, INK(ROLE_TEXT));
	/* The sentence is worth more than a caption, that more than a gap. */
	spare = r.h - 2 - words - (global ? 2 * 2 + 1 : 0);
	r.y += spare > 5;
	r.h -= spare > 5;
	draw_lanes(c, r, sc);
	r.y += 2 + (spare > 1);
	r.h -= 2 + (spare > 1);
	if (s->quiet) {
		prose_text(c, r, 0,
			   _("Answer the question first; then the cost is "
			     "shown."),
			   INK(ROLE_DIM));
		return;
	}
	if (global) {
		struct rect above = { r.x, r.y, r.w,
				      MAX(r.h - words, 3 + 2) };
		int used = draw_global(c, above, s, spare > 0);

		used += r.h - used > words;
		r.y += used;
		r.h -= used;
	}
	if (sc->sentence && r.h > 0)
		prose_fit(c, r, sc->sentence, INK(ROLE_TEXT));
	else if (sc->sentence)
		canvas_put(c, r.x + r.w - 1, r.y - 1, 0x2026,
			   INK(ROLE_ACCENT));
}

/* Global memory, and what costs nothing: barriers, arrivals and waits. */
static enum view_rank rank(const struct scene *sc)
{
	enum op op = sc->site->op;

	return !sc->array || sc->array->space == SPACE_GLOBAL ||
	       (sc->array->space == SPACE_SHARED && !op_is_access(op) &&
		!op_is_bulk(op)) ? RANK_STEP : RANK_NONE;
}

const struct view view_request = {
	.name = "request",
	.title = N_("request"),
	.help = N_("a warp's lanes, their sectors and the cost"),
	.pane = PANE_PICTURE,
	.rank = rank,
	.draw = draw,
};
