/* Draws ldmatrix and stmatrix: each lane names a row; its elements go to other
 * lanes. */
#include <stdio.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/pictures/fragments/view_fragments.h"

/* How the matrices stand: in columns of two, as the lanes give their rows'
 * addresses; or all in a row, if two do not fit. Sizes that leave no room for
 * the banks are tried last. */
struct sheet {
	int w, h;		/* of an element */
	int label;		/* columns of the lanes that name rows */
	int across, down;	/* matrices */
};

#define WIDEST 6	/* columns of an element of more than two matrices */
#define BESIDE 34	/* the least columns of the banks at the right */
#define BELOW 11	/* their rows, where they stand below */

static int sheet_width(const struct sheet *k)
{
	return k->across * (8 * k->w + k->label);
}

static int sheet_height(const struct sheet *k)
{
	return 8 * k->down * k->h + k->down - 1;
}

static struct sheet sheet_of(struct rect r, int count, bool waves)
{
	static const struct { int w, h; } sizes[] = {
		{ 10, 3 }, { 8, 3 }, { 6, 3 }, { 10, 2 }, { 8, 2 }, { 6, 2 },
		{ 5, 2 }, { 4, 2 }, { 5, 1 },
		{ 4, 1 }, { 3, 1 }, { 2, 1 },
	};
	struct sheet k = { 0 };

	for (size_t i = 0; i < 4 * LENGTH(sizes); i++) {
		bool row = i / LENGTH(sizes) % 2;
		bool banks = waves && i < 2 * LENGTH(sizes);

		if (count > 2 && sizes[i % LENGTH(sizes)].w > WIDEST)
			continue;
		k = (struct sheet){ sizes[i % LENGTH(sizes)].w,
				    sizes[i % LENGTH(sizes)].h, row ? 3 : 9,
				    row ? count : (count + 1) / 2,
				    row || count < 2 ? 1 : 2 };
		if (sheet_width(&k) <= r.w && sheet_height(&k) <= r.h &&
		    (!banks || r.w - sheet_width(&k) >= BESIDE + 2 ||
		     r.h - sheet_height(&k) > BELOW))
			break;
	}
	return k;
}

/* Returns how much of the way from its row to its lane an element has gone, 0 to
 * 1. */
static double row_part(const struct frame_model *s)
{
	const struct fragments *f = s->scene->fragments;

	if (f->multiplied || s->quiet)
		return 1;
	return f->multiplies ? kit_between(0, 1, s->t) : 0;
}

/* Draws an element, or its empty place (lane -1). */
static void draw_matrix_element(struct canvas *c, struct rect at,
				const struct frame_model *s, int lane,
				bool hidden, bool named)
{
	struct ink ink = lane < 0 || hidden ? INK_ON(ROLE_FAINT, ROLE_FIELD) :
			 lane == (int)s->scene->cursor.lane ? INK_FOCUS :
			 INK_ON(ROLE_ON_HUE, board_hue(lane));
	char text[8];

	canvas_fill(c, at, ' ', ink);
	snprintf(text, sizeof(text), "%d", lane);
	if (named && lane >= 0 && !hidden && text_width(text) <= at.w)
		canvas_right(c, at.x, at.y + (at.h - 1) / 2,
			     at.w - (at.w > 2), text, ink);
}

/* Names the lane that gives a row's address, at the left of the row. */
static void name_row(struct canvas *c, int x, int y, const struct sheet *k,
		     int lane, bool own)
{
	struct ink ink = own ? INK_FOCUS : INK(ROLE_DIM);

	canvas_textf(c, x, y, k->label - 1, ink, k->label > 4 ?
		     "%5d \xe2\x86\x92 " : "%2d", lane);
}

/* Draws a row of a matrix: its places, then its elements between the lane that
 * names the row (of a store: between its places) and where they arrive. */
static void draw_matrix_row(struct canvas *c, int x, int y,
			    const struct frame_model *s, int m, int row,
			    const struct sheet *k)
{
	const struct fragments *f = s->scene->fragments;
	int mine = (int)s->scene->cursor.lane, lane[8];
	double t = f->stores ? 1 - row_part(s) : row_part(s);

	for (int col = 0; col < 8; col++) {
		struct fragment_place p = { .matrix = m, .row = row,
					    .col = col };

		fragment_holder(&f->d.layout, &p);
		lane[col] = p.lane;
		draw_matrix_element(c, (struct rect){ x + k->label + col * k->w,
						      y, k->w, k->h }, s, -1,
				    false, false);
	}
	for (int col = 7; col >= 0 && (t > 0 || f->stores); col--) {
		double at = kit_between(x + k->label - k->w,
					x + k->label + col * k->w, t);
		bool pair = col && lane[col - 1] == lane[col] && !f->trans;

		draw_matrix_element(c, (struct rect){ (int)(at + 0.5), y, k->w,
						      k->h }, s, lane[col],
				    s->quiet && row > 0 && lane[col] != mine,
				    t == 1 && !pair && (!f->trans ||
							row % 2 == 0));
	}
	name_row(c, x, y + (k->h - 1) / 2, k, 8 * m + row,
		 8 * m + row == mine);
}

static void draw_matrix(struct canvas *c, int x, int y, const struct frame_model *s,
			int m, const struct sheet *k)
{
	for (int row = 0; row < 8; row++)
		draw_matrix_row(c, x, y + row * k->h, s, m, row, k);
}

/* Draws the 8 rows of the focused lane's matrix in the 32 banks, which are 128
 * bytes wide; at[lane] is the byte offset of each row. */
static void draw_bank_rows(struct canvas *c, struct rect r, int m,
			   struct kit_size k, const uint64_t *at,
			   enum role role)
{
	for (int i = 0; i < 8; i++)
		canvas_textf(c, r.x + i * k.w, r.y, k.w, INK(ROLE_FAINT), "%d",
			     4 * i);
	for (int row = 0; row < 8; row++) {
		int lane = 8 * m + row, in = (int)(at[lane] % 128 / 16);
		char text[8];

		snprintf(text, sizeof(text), "%d", lane);
		for (int i = 0; i < 8; i++)
			kit_box(c, (struct rect){ r.x + i * k.w,
						  r.y + 1 + row * k.h,
						  k.w - (k.w > 2), k.h },
				i == in ? text : NULL, i == in ?
				INK_ON(ROLE_ON_HUE, role ? role :
						    board_hue(lane)) :
				INK_ON(ROLE_DIM, ROLE_FIELD));
	}
}

/* Draws the banks of the rows and their wavefronts, with or without the
 * swizzle. Returns the rows used. */
static int draw_banks(struct canvas *c, struct rect r, const struct frame_model *s,
		      bool swizzled)
{
	const struct fragments *f = s->scene->fragments;
	int m = (int)s->scene->cursor.lane / 8;
	int waves = swizzled ? f->wavefronts : f->plain_wavefronts;
	int widest = f->d.layout.matrices > 2 ? 9 : 12;
	struct kit_size k = { MIN(r.w / 8, widest), MIN((r.h - 3) / 8, 2),
			      false };
	bool bad = !swizzled && waves > f->wavefronts;

	if (k.w < 2 || k.h < 1 || waves < 0)
		return 0;
	canvas_textf(c, r.x, r.y, r.w, INK_BOLD(ROLE_STRONG), swizzled ?
		     _("banks of the rows of matrix %d") :
		     _("without the swizzle"), m);
	draw_bank_rows(c, (struct rect){ r.x, r.y + 1, r.w, 9 }, m, k,
		       swizzled ? f->at : f->plain_at,
		       bad ? ROLE_WASTE : ROLE_NONE);
	canvas_textf(c, r.x, r.y + 2 + 8 * k.h, r.w,
		     INK_BOLD(bad ? ROLE_BAD : ROLE_GOOD),
		     ngettext("%d wavefront for all rows",
			      "%d wavefronts for all rows", (unsigned)waves),
		     waves);
	return 3 + 8 * k.h;
}

void fragments_rows(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct fragments *f = s->scene->fragments;
	int count = f->d.layout.matrices, used;
	struct sheet k;
	bool below, both;

	k = sheet_of(r, count, f->wavefronts >= 0);
	for (int m = 0; m < count; m++)
		draw_matrix(c, r.x + m / k.down * (8 * k.w + k.label),
			    r.y + m % k.down * (8 * k.h + 1), s, m, &k);
	below = r.w - sheet_width(&k) < BESIDE + 2;
	both = f->swizzled && (below || r.h >= 2 * BELOW);
	if (s->quiet)
		return;
	used = below ? sheet_height(&k) + 1 : sheet_width(&k) + 2;
	r = below ? (struct rect){ r.x, r.y + used, MIN(r.w / 2, 48),
				   r.h - used } :
		    (struct rect){ r.x + used, r.y, r.w - used,
				   both ? r.h / 2 : r.h };
	used = draw_banks(c, r, s, true) + 1;
	r.x += below ? r.w : 0;
	r.y += below ? 0 : used;
	if (both)
		draw_banks(c, r, s, false);
}
