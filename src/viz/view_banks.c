/*
 * 32 banks of shared memory: a column a bank, a row a wavefront. What stands
 * in one row is served at once; words that want one bank stand on top of
 * each other and wait.
 */
#include <stdio.h>

#include "viz/show.h"

static void draw_word(struct canvas *c, int x, int y, int width,
		      const struct scene *sc, const struct access_word *w)
{
	uint32_t lanes = w->lanes & sc->focus_lanes ? w->lanes &
			 sc->focus_lanes : w->lanes;
	int lane = __builtin_ctz(lanes);
	bool focus = w->lanes & sc->focus_lanes;
	bool many = w->lanes & (w->lanes - 1);
	struct ink ink = { ROLE_ON_HUE, ROLE_HUE(lane),
			   focus ? ATTR_BOLD | ATTR_UNDERLINE : 0 };

	if (sc->cursor.focus != FOCUS_LANE && !focus)
		ink = INK_ON(ROLE_ON_HUE, ROLE_FADE0 + lane / 8);
	for (int i = 0; i < width; i++)
		canvas_put(c, x + i, y, i ? ' ' : many ? '*' :
			   '0' + (uint32_t)lane % 8, ink);
}

static void draw_axis(struct canvas *c, struct rect r, int pitch,
		      const struct scene *sc)
{
	for (int bank = 0; bank < BANKS; bank += pitch < 3 ? 4 : 1)
		canvas_textf(c, r.x + bank * pitch, r.y, 3,
			     sc->cursor.focus == FOCUS_BANK &&
			     sc->cursor.focus_index == bank ?
			     INK_BOLD(ROLE_ACCENT) : INK(ROLE_FAINT),
			     "%d", bank);
}

/* Returns the rows used. */
static int draw_banks(struct canvas *c, struct rect r, const struct scene *sc)
{
	int count = sc->cost.wavefronts;
	int pitch = r.w >= 32 * 3 ? 3 : r.w >= 32 * 2 ? 2 : 1;
	/* In a narrow panel they need the room on both sides, too. */
	int narrow = r.w < BANKS - 1;
	int shown = MIN(count, MAX(1, r.h - 1 - (count > r.h - 1)));

	r.x -= narrow;
	r.w += 1 + narrow;
	draw_axis(c, r, pitch, sc);
	for (int y = 1; y <= shown; y++)
		for (int bank = 0; bank < MIN(BANKS, r.w / pitch); bank++)
			canvas_put(c, r.x + bank * pitch, r.y + y, 0xb7,
				   INK(ROLE_FAINT));
	for (size_t i = 0; i < sc->word_count; i++) {
		const struct access_word *w = &sc->words[i];

		if (w->wavefront < shown && w->bank * pitch < r.w)
			draw_word(c, r.x + w->bank * pitch,
				  r.y + 1 + w->wavefront,
				  pitch > 2 ? 2 : 1, sc, w);
	}
	if (shown == count)
		return shown + 1;
	canvas_textf(c, r.x, r.y + 1 + shown, r.w, INK(ROLE_WARN),
		     ngettext("… and %d more wavefront",
			      "… and %d more wavefronts",
			      (unsigned)(count - shown)), count - shown);
	return shown + 2;
}

/* In two rows where there is no room for one; returns how many. */
static int draw_costs(struct canvas *c, struct rect r, const struct scene *sc)
{
	const struct access_cost *k = &sc->cost;
	char line[160];
	bool good = k->wavefronts == k->ideal_wavefronts, narrow = r.w < 42;

	snprintf(line, sizeof(line),
		 ngettext("%d wavefront", "%d wavefronts",
			  (unsigned)k->wavefronts), k->wavefronts);
	canvas_text(c, r.x, r.y, r.w, line,
		    INK_BOLD(good ? ROLE_GOOD : ROLE_BAD));
	if (good)
		snprintf(line, sizeof(line), "%s", _("no bank conflict"));
	else
		snprintf(line, sizeof(line),
			 _("ideal: %d; %d-way conflict"),
			 k->ideal_wavefronts, k->max_way);
	if (narrow)
		canvas_text(c, r.x, r.y + 1, r.w, line, INK(ROLE_TEXT));
	else
		canvas_text(c, r.x + 15, r.y, r.w - 15, line,
			    INK(ROLE_TEXT));
	return 1 + narrow;
}

static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	const struct scene *sc = s->scene;
	char note[96];
	int words, y;

	request_words(note, sizeof(note), sc);
	r = canvas_frame(c, r, r.w >= 48 ? _("32 banks, one row per "
					     "wavefront") :
			 _("32 banks"), note, false);
	r.x++;
	r.w -= 2;
	if (!sc->costs) {	/* misaligned, says the sentence */
		prose_fit(c, r, sc->sentence, INK(ROLE_TEXT));
		return;
	}
	if (s->quiet) {
		prose_text(c, r, 0,
			   _("Answer the question first; then the cost is "
			     "shown."),
			   INK(ROLE_DIM));
		return;
	}
	words = prose_text(NULL, r, 0, sc->sentence, INK(ROLE_TEXT));
	y = r.y + draw_banks(c, (struct rect){ r.x, r.y, r.w,
					       MAX(3, r.h - 2 -
						   MIN(words, 5)) }, sc);
	y += draw_costs(c, (struct rect){ r.x, y, r.w, 2 }, sc);
	y += r.y + r.h - y > words;
	prose_fit(c, (struct rect){ r.x, y, r.w, r.y + r.h - y },
		  sc->sentence, INK(ROLE_TEXT));
}

static enum view_rank rank(const struct scene *sc)
{
	return sc->array && sc->array->space == SPACE_SHARED &&
	       op_is_access(sc->site->op) ? RANK_STEP : RANK_NONE;
}

static bool available(const struct show *s)
{
	return s->scene && s->scene->array;
}

const struct view view_banks = {
	.name = "banks",
	.title = N_("banks"),
	.help = N_("shared memory's banks, one row per wavefront"),
	.pane = PANE_PICTURE,
	.available = available,
	.rank = rank,
	.draw = draw,
};
