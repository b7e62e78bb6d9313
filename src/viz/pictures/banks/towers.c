/* towers: draws words that fall into banks. */
#include "viz/pictures/banks/towers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/lang.h"
#include "base/text.h"
#include "viz/kit.h"
#include "viz/frame_model.h"

#define MARGIN 3	/* columns at the left, for the axis */
#define LABEL 3		/* columns beside a tower, for its lanes */
#define READING 18	/* the least columns for how it is read */

/* Where things are. Rows are counted in half cells, downwards. */
struct towers_place {
	const struct towers *t;
	struct rect r;		/* of the towers, without their axes */
	int x, width;		/* the first bank; columns of a bank */
	int top, base;		/* half rows: of the area, below the floor */
	int up;			/* half rows of a word, or 0: */
	int per;		/* words in half a row */
	int tall[BANKS];	/* wavefronts of each bank */
};

int towers_rows(int most)
{
	return (most + 1) / 2 + 1;
}

static struct towers_place place_towers(struct rect r, const struct towers *t)
{
	int rows = r.h - 1, fit = (r.w - MARGIN - 2 * LABEL) / BANKS;
	struct towers_place p = { .t = t, .per = 1 };

	p.width = fit > 6 ? 6 : fit < 1 ? 1 : fit;
	p.x = r.x + MARGIN + (p.width > 1);
	p.r = (struct rect){ r.x, r.y, r.w, rows };
	p.top = 2 * r.y;
	p.base = 2 * (r.y + rows);
	p.up = 2 * rows / MAX(t->most, 1);
	/* A word takes half a row, or whole rows with room for a number. */
	p.up = p.up > 12 ? 12 : p.up > 1 ? p.up / 2 * 2 : p.up;
	if (!p.up)
		p.per = (t->most + 2 * rows - 1) / (2 * rows);
	for (size_t i = 0; i < t->layout->word_count; i++) {
		const struct access_word *w = &t->layout->words[i];

		p.tall[w->bank] = MAX(p.tall[w->bank], w->wavefront + 1);
	}
	return p;
}

static int bank_x(const struct towers_place *p, int bank)
{
	return p->x + bank * p->width;
}

/* Returns the half row below a word of this wavefront, once it has fallen. */
static int word_bottom(const struct towers_place *p, int wavefront)
{
	return p->base - (p->up ? wavefront * p->up : wavefront / p->per);
}

/* Returns the half row above the highest word of a bank. */
static int tower_top(const struct towers_place *p, int bank)
{
	int n = p->tall[bank];

	return p->base - (p->up ? n * p->up : (n + p->per - 1) / p->per);
}

static enum role lanes_role(const struct towers *t, uint32_t lanes)
{
	uint32_t focus = lanes & t->focus;
	int lane = __builtin_ctz(focus ? focus : lanes);

	if (focus && !t->others)
		return ROLE_CURSOR;
	if (!focus && t->others)
		return ROLE_FADE0 + (enum role)(lane / 8);
	/* Lanes next to each other differ in shade. */
	return lane % 2 ? ROLE_TRAIL0 + (enum role)(lane / 8) : ROLE_HUE(lane);
}

/* ---- the ground ---- */

/* Writes on the axis the banks of the focused lanes' words. If their numbers do
 * not fit, only the first and the last of adjacent banks are written. */
static void draw_focused_banks(struct canvas *c, const struct towers_place *p,
			       int y)
{
	uint32_t banks = 0;

	for (size_t i = 0; i < p->t->layout->word_count; i++) {
		const struct access_word *w = &p->t->layout->words[i];

		if (w->lanes & p->t->focus)
			banks |= 1u << w->bank;
	}
	for (int bank = 0, last; bank < BANKS; bank = last + 1) {
		char text[24];
		int w;

		last = bank;
		if (!(banks >> bank & 1))
			continue;
		while (p->width < 3 && last + 1 < BANKS &&
		       banks >> (last + 1) & 1)
			last++;
		snprintf(text, sizeof(text), last > bank ? "%d-%d" : "%d",
			 bank, last);
		w = text_width(text);
		canvas_text(c, MIN(bank_x(p, bank), c->clip.x + c->clip.w - w),
			    y, w, text, INK_FOCUS);
	}
}

/* Tells whether w cells have nothing but dots. */
static bool has_only_dots(const struct canvas *c, int x, int y, int w)
{
	for (int i = 0; i < w; i++)
		if (canvas_at(c, x + i, y)->bg ||
		    (canvas_at(c, x + i, y)->ch > ' ' &&
		     canvas_at(c, x + i, y)->ch != 0xb7))
			return false;
	return true;
}

/* Writes the numbers of banks and wavefronts; those that would touch the
 * focused lanes' banks or the axis's name are left out. */
static void draw_bank_axis(struct canvas *c, const struct towers_place *p)
{
	int y = p->r.y + p->r.h, step = p->width > 2 ? 2 : 4;
	int w = text_width(_("bank")), end = bank_x(p, BANKS) + 1 + w;

	if (p->t->t > 0)
		draw_focused_banks(c, p, y);
	end = MIN(end, p->r.x + p->r.w);
	if (has_only_dots(c, end - w - 1, y, w + 1))
		canvas_text(c, end - w, y, w, _("bank"), INK(ROLE_FAINT));
	for (int bank = 0; bank < BANKS; bank += step)
		if (has_only_dots(c, bank_x(p, bank) - 1, y, bank > 9 ? 4 : 3))
			canvas_textf(c, bank_x(p, bank), y, 3,
				     INK(ROLE_FAINT), "%d", bank);
	for (int n = p->t->most > 8 ? 8 : p->t->most; n <= p->t->most;
	     n += 8)
		canvas_textf(c, p->r.x, (word_bottom(p, n - 1) - 1) / 2, MARGIN,
			     INK(ROLE_FAINT), "%2d", n);
}

/* Writes text in the first gap of a row's left half: in the right half it could
 * look like the end of a sentence. Returns false if there is none. */
static bool write_in_gap(struct canvas *c, const struct towers_place *p, int y,
			 const char *text)
{
	int w = text_width(text);

	for (int x = p->x + 2; x <= p->r.x + p->r.w / 2 - w; x++)
		if (has_only_dots(c, x - 2, y, w + 3)) {
			canvas_textf(c, x - 1, y, w + 2, INK(ROLE_DIM),
				     " %s ", text);
			return true;
		}
	return false;
}

/* Writes what the axis at the left counts, next to its topmost number; with
 * little room only how many wavefronts a mark stands for. */
static void draw_axis_name(struct canvas *c, const struct towers_place *p)
{
	int top = p->t->most > 8 ? p->t->most / 8 * 8 : p->t->most;
	int y = (word_bottom(p, top - 1) - 1) / 2;
	char text[64];

	if (p->per == 1) {
		if (!write_in_gap(c, p, y, _("turns (wavefronts)")))
			write_in_gap(c, p, y, _("wavefronts"));
		return;
	}
	snprintf(text, sizeof(text), _("wavefronts, %d a mark"), p->per);
	if (write_in_gap(c, p, y, text))
		return;
	snprintf(text, sizeof(text), _("%d a mark"), p->per);
	write_in_gap(c, p, y, text);
}

/* Draws a dot for each word that a bank could serve; red in wavefronts beyond
 * the least, where the bank is idle. */
static void draw_dots(struct canvas *c, const struct towers_place *p)
{
	const struct access_cost *k = &p->t->layout->cost;

	for (int y = p->r.y; y < p->r.y + p->r.h; y++) {
		int at = p->base - 2 * y - 1;	/* the row's lower half */
		int wavefront = p->up ? at / p->up : at * p->per;
		bool paid = wavefront < k->wavefronts && p->t->t >= 1;
		bool waste = paid && wavefront >= k->ideal_wavefronts;

		if (wavefront >= p->t->most)
			continue;
		for (int bank = 0; bank < BANKS; bank++)
			if (waste || (bank % 4 == 0 && y % 2 == 0))
				canvas_put(c, bank_x(p, bank), y, 0xb7,
					   INK(waste ? ROLE_WASTE :
						       ROLE_FAINT));
	}
}

/* ---- words ---- */

static void draw_word(struct canvas *c, const struct towers_place *p, int x,
		      int end, uint32_t lanes)
{
	enum role role = lanes_role(p->t, lanes);
	int high = MAX(p->up, 1), wide = MAX(1, p->width - (p->width > 2));
	struct rect box = { x, (end - high) / 2, wide, high / 2 };
	char text[8] = "";

	if (end % 2 == 0 && high % 2 == 0) {
		if (wide > 1)
			snprintf(text, sizeof(text), "%d",
				 __builtin_ctz(lanes));
		kit_box(c, box, text, (struct ink){ ROLE_ON_HUE, role,
			role == ROLE_CURSOR ? ATTR_BOLD : 0 });
		return;
	}
	for (int y = MAX(end - high, p->top); y < end; y++)
		for (int i = 0; i < wide; i++)
			canvas_pixel(c, x + i, y, role);
}

/* Returns how far a word of this wavefront has fallen, 0 to 1. */
static double fall_progress(const struct towers_place *p, int wavefront)
{
	int n = MAX(p->t->layout->cost.wavefronts, 1);
	double from = 0.6 * wavefront / n;

	return kit_act(p->t->t, from, from + 0.4);
}

static void draw_flying(struct canvas *c, const struct towers_place *p,
			const struct access_word *w, double part)
{
	int end = word_bottom(p, w->wavefront);

	for (int lane = 0; lane < WARP_LANES; lane++)
		if (w->lanes >> lane & 1)
			draw_word(
				c, p,
				(int)lround(kit_between(bank_x(p, lane),
							bank_x(p, w->bank),
							part)),
				(int)lround(kit_between(p->top + MAX(p->up, 1),
							end, part * part)),
				1u << lane);
}

/* Draws the words, falling or fallen. Returns how many wavefronts have begun to
 * land. */
static int draw_bank_words(struct canvas *c, const struct towers_place *p)
{
	const struct banks_layout *l = p->t->layout;
	int landed = 0;

	for (size_t i = 0; i < l->word_count; i++)
		if (fall_progress(p, l->words[i].wavefront) >= 1) {
			draw_word(c, p, bank_x(p, l->words[i].bank),
				  word_bottom(p, l->words[i].wavefront),
				  l->words[i].lanes);
			landed = MAX(landed, l->words[i].wavefront + 1);
		}
	/* Words that are still falling are drawn in front. */
	for (size_t i = l->word_count; i-- > 0;) {
		double part = fall_progress(p, l->words[i].wavefront);

		if (part < 1)
			draw_flying(c, p, &l->words[i], part);
	}
	return landed;
}

/* ---- names ---- */

/* Returns the colour of a lane's number; without colours a hue would look like
 * a word of the tower. */
static struct ink name_ink(const struct canvas *c, int lane)
{
	return INK(c->mono ? ROLE_TEXT : ROLE_HUE(lane));
}

/* Tells whether the cells at a side (-1 or 1) of a tower are free at this
 * row. */
static bool is_side_free(const struct towers_place *p, int bank, int side,
			 int y)
{
	int columns = (LABEL + p->width - 1) / p->width;

	for (int i = 1; i <= columns; i++) {
		int at = bank + side * i;

		if (at >= 0 && at < BANKS && tower_top(p, at) < 2 * y + 2)
			return false;
	}
	return true;
}

static bool is_lane(const struct access_word *w)
{
	return w && !(w->lanes & (w->lanes - 1));
}

/* Writes the lane of a word next to its tower: in the first or second place at
 * the right (at 1 or 2), or at the left (-1). */
static void draw_word_lane(struct canvas *c, const struct towers_place *p,
			   int at, int y, const struct access_word *w)
{
	int x = bank_x(p, w->bank) + (at < 0 ? -LABEL :
				      p->width + (at - 1) * LABEL);
	int lane = __builtin_ctz(w->lanes);
	char text[8];
	struct ink ink = p->t->focus >> lane & 1 && !p->t->others ?
			 INK_BOLD(ROLE_STRONG) : name_ink(c, lane);

	snprintf(text, sizeof(text), is_lane(w) ? "%d" : "%d+", lane);
	if (at < 0)
		canvas_right(c, x, y, LABEL - 1, text, ink);
	else
		canvas_text(c, x + 1, y, LABEL, text, ink);
}

/* Tells whether between two high towers there is room for the numbers of both:
 * where they touched, 25 and 4 would read as 254. */
static bool have_numbers_room(const struct towers_place *p)
{
	int last = -1;

	for (int bank = 0; bank < BANKS; bank++) {
		if (p->tall[bank] < 3)
			continue;
		if (last >= 0 && bank > last + 1 &&
		    (bank - last - 1) * p->width < 2 * LABEL)
			return false;
		last = bank;
	}
	return true;
}

/* Writes next to each tower the lanes of its words: those of the lower half of
 * a row at the left, those of the upper half at the right; near the axis both
 * at the right. */
static void draw_word_lanes(struct canvas *c, const struct towers_place *p)
{
	const struct banks_layout *l = p->t->layout;

	if ((p->up > 1 && p->width > 1) || p->per > 1 || !have_numbers_room(p))
		return;
	for (size_t i = 0; i < l->word_count; i++) {
		const struct access_word *w = &l->words[i];
		int end = word_bottom(p, w->wavefront), y = (end - 1) / 2;
		bool lower = p->up > 1 || end % 2 == 0;
		bool axis = bank_x(p, w->bank) < p->x + LABEL;

		if (p->tall[w->bank] < 3 ||
		    !is_side_free(p, w->bank, lower && !axis ? -1 : 1, y))
			continue;
		draw_word_lane(c, p, !lower ? 1 + axis : axis ? 1 : -1, y, w);
	}
}

/* Returns the first lane of the topmost word of a bank, or -1. */
static int lane_on_top(const struct towers_place *p, int bank)
{
	const struct banks_layout *l = p->t->layout;

	for (size_t i = 0; i < l->word_count; i++)
		if (l->words[i].bank == bank &&
		    l->words[i].wavefront + 1 == p->tall[bank])
			return __builtin_ctz(l->words[i].lanes);
	return -1;
}

/* Writes, above low towers side by side, the range of their lanes. With several
 * passes the ranges are written at the right instead. */
static void draw_runs(struct canvas *c, const struct towers_place *p)
{
	if (p->t->layout->passes > 1)
		return;
	for (int bank = 0, next; bank < BANKS; bank = next) {
		int lane = lane_on_top(p, bank), last = lane, w, y;
		char text[48];

		next = bank + 1;
		while (next < BANKS && p->tall[next] == p->tall[bank] &&
		       lane_on_top(p, next) / 8 == lane / 8 &&
		       lane_on_top(p, next) >= last)
			last = lane_on_top(p, next++);
		if (lane < 0 || next - bank < 4 || p->tall[bank] > 2)
			continue;
		snprintf(text, sizeof(text), _("lanes %d-%d"), lane, last);
		w = (next - bank) * p->width;
		if (text_width(text) >= w)
			snprintf(text, sizeof(text), "%d-%d", lane, last);
		y = tower_top(p, bank) / 2 - 1;
		if (has_only_dots(c, bank_x(p, bank) - 1, y,
				  text_width(text) + 2))
			canvas_text(c, bank_x(p, bank), y, -1, text,
				    name_ink(c, lane));
	}
}

/* Writes at the right of the towers which lanes each pass serves. */
static void draw_passes(struct canvas *c, const struct towers_place *p)
{
	const struct banks_layout *l = p->t->layout;
	int left = bank_x(p, BANKS) + 1, x = left, w, row = -1;

	for (int pass = 0; pass < l->passes && l->passes > 1; pass++) {
		uint32_t lanes = 0;
		char text[48];
		int y = (word_bottom(p, l->pass_first[pass]) - 1) / 2;

		for (size_t i = 0; i < l->word_count; i++)
			if (l->words[i].pass == pass)
				lanes |= l->words[i].lanes;
		/* Passes that share a row stand side by side. */
		x = y == row ? x + 1 : left;
		row = y;
		w = p->r.x + p->r.w - x;
		snprintf(text, sizeof(text), _("lanes %d-%d"),
			 __builtin_ctz(lanes), 31 - __builtin_clz(lanes));
		if (text_width(text) > w)
			snprintf(text, sizeof(text), "%d-%d",
				 __builtin_ctz(lanes),
				 31 - __builtin_clz(lanes));
		if (text_width(text) <= w)
			x += canvas_text(c, x, y, w, text,
					 name_ink(c, __builtin_ctz(lanes)));
	}
}

/* ---- the number ---- */

/* Returns the widest part of the area that is free in the first `rows` rows. */
static struct rect free_part(const struct towers_place *p, int rows)
{
	struct rect best = { 0, p->r.y, 0, rows };
	int from = p->r.x + MARGIN + 1, bank = 0;

	for (; bank <= BANKS; bank++) {
		bool tower = bank < BANKS &&
			     tower_top(p, bank) < 2 * (p->r.y + rows);
		int end = bank < BANKS ? bank_x(p, bank) - LABEL - 1 :
			  p->r.x + p->r.w;

		if (!tower && bank < BANKS)
			continue;
		/* The ranges of passes are written at the right. */
		if (bank == BANKS && p->t->layout->passes > 1)
			end = MIN(end, bank_x(p, BANKS));
		if (end - from > best.w) {
			best.x = from;
			best.w = end - from;
		}
		from = bank_x(p, bank + 1) + LABEL + 1;
	}
	return best;
}

static void draw_centred(struct canvas *c, struct rect r, int y,
			 const char *text, struct ink ink)
{
	int w = MIN(text_width(text), r.w);

	canvas_text(c, r.x + (r.w - w) / 2, y, r.w, text, ink);
}

static void draw_wavefront_count(struct canvas *c, const struct towers_place *p,
				 int landed)
{
	static const int rows[] = { 10, 5, 3 };
	char text[16], *unit;

	snprintf(text, sizeof(text), "%d", landed);
	/* The towers come first: a large number gets a third of the height. */
	for (size_t i = p->r.h < 3 * rows[0]; i < LENGTH(rows); i++) {
		struct rect r = free_part(p, rows[i] + 3), at;
		int w, h;

		at = (struct rect){ r.x, r.y + 1, r.w, rows[i] };
		w = kit_digits(at, text, &h);
		if (h != rows[i] || r.w < 12 || p->r.h < rows[i] + 4)
			continue;
		at.x += (r.w - w) / 2;
		canvas_erase(c, (struct rect){ at.x - 2, at.y - 1, w + 4,
					       h + 3 });
		kit_number(c, at, text, p->t->role);
		unit = kit_label_text(p->t->words, r.w);
		draw_centred(c, r, at.y + h, unit, INK_BOLD(p->t->role));
		free(unit);
		if (text_width(p->t->more) <= r.w)
			draw_centred(c, r, at.y + h + 1, p->t->more,
				     INK(ROLE_DIM));
		return;
	}
}

/* Writes next to the foot of the towers how to read them. */
static void draw_reading(struct canvas *c, const struct towers_place *p)
{
	int x = bank_x(p, BANKS) + 2, rows;
	struct rect r = { x, p->r.y, p->r.x + p->r.w - x, p->r.h };

	if (!p->t->reading || p->t->layout->passes > 1 || r.w < READING)
		return;
	rows = prose_text(NULL, r, 0, p->t->reading, INK(ROLE_TEXT));
	if (rows + (r.h < 30 ? 9 : 14) > r.h)	/* above it is the number */
		return;
	r.y += r.h - rows;
	r.h = rows;
	prose_text(c, r, 0, p->t->reading, INK(ROLE_TEXT));
}

void towers_draw(struct canvas *c, struct rect r, const struct towers *t)
{
	struct towers_place p = place_towers(r, t);
	struct rect old = canvas_clip(c, r);
	int landed;

	draw_dots(c, &p);
	landed = draw_bank_words(c, &p);
	draw_bank_axis(c, &p);
	if (t->t >= 1) {
		draw_word_lanes(c, &p);
		draw_passes(c, &p);
	}
	if (t->words && landed)
		draw_wavefront_count(c, &p, landed);
	if (t->t >= 1)
		draw_runs(c, &p);
	if (t->words)	/* else its place is not known yet */
		draw_axis_name(c, &p);
	draw_reading(c, &p);
	canvas_clip(c, old);
}
