/* Draws what one lane holds; ldmatrix; and where rows keep their chunks. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/pictures/fragments/view_fragments.h"

/* ---- registers ---- */

#define LIST 44		/* the most columns of their list */

static const struct fragments_operand *which_operand(const struct fragments *f,
						     char which)
{
	return which == 'A' ? &f->a : which == 'B' ? &f->b :
	       which == 'C' ? &f->c : &f->d;
}

/* What is written of an element, as much as fits: "a0 A[2][2] -3". */
enum { SAY_NAME = 1, SAY_PLACE = 2, SAY_VALUE = 4 };
static const unsigned sayings[] = {
	SAY_NAME | SAY_PLACE | SAY_VALUE, SAY_PLACE | SAY_VALUE,
	SAY_NAME | SAY_VALUE, SAY_NAME,
};

struct element_words {
	char at[32], value[16];
};

/* Writes an element of the focused lane; false: it is a copy of an earlier
 * one. */
static bool write_element(const struct frame_model *s, char which, int element,
			  unsigned say, struct element_words *w)
{
	const struct fragments *f = s->scene->fragments;
	const struct fragments_operand *o = which_operand(
		f, which == 'D' && fragments_part(s) < 1 ? 'C' : which);
	uint32_t lane = s->scene->cursor.lane;
	struct fragment_place p = { .element = element, .lane = (int)lane +
		(f->kind == FRAGMENTS_WGMMA ? 32 * f->quarter : 0) };
	size_t used = 0;

	*w = (struct element_words){ .at = "" };
	fragment_element(&which_operand(f, which)->layout, &p);
	if (p.copy)
		return false;
	if (say & SAY_NAME)
		used = (size_t)snprintf(w->at, sizeof(w->at), "%c%d%s",
					which == 'D' ? 'c' : which + 'a' - 'A',
					element, say & SAY_PLACE ? " " : "");
	if (say & SAY_PLACE)
		snprintf(w->at + used, sizeof(w->at) - used, "%c[%d][%d]",
			 which == 'D' ? 'C' : which, p.row, p.col);
	if (say & SAY_VALUE && element < FRAGMENTS_ELEMENTS &&
	    o->known[lane][element])
		number_fit(w->value, sizeof(w->value), o->value[lane][element],
			   7);
	return true;
}

/* Returns the most that fits in w columns for each of the lane's elements. */
static unsigned largest_say(const struct frame_model *s, char which, int w)
{
	const struct fragments_operand *o =
		which_operand(s->scene->fragments, which);
	struct element_words words;

	for (size_t i = 0; i < LENGTH(sayings); i++) {
		int most = 0;

		for (int e = 0; e < o->layout.elements; e++)
			if (write_element(s, which, e, sayings[i], &words))
				most = MAX(most, 1 + text_width(words.at) +
					   (words.value[0] != 0) +
					   text_width(words.value));
		if (most <= w)
			return sayings[i];
	}
	return SAY_NAME;
}

static bool draw_element(struct canvas *c, struct rect r, const struct frame_model *s,
			 char which, int element, unsigned say)
{
	uint32_t lane = s->scene->cursor.lane;
	struct ink ink = { ROLE_ON_HUE, ROLE_HUE(lane), 0 };
	struct element_words w;

	if (!write_element(s, which, element, say, &w))
		return false;
	canvas_fill(c, r, ' ', ink);
	canvas_text(c, r.x + 1, r.y, r.w - 1, w.at, ink);
	if (text_width(w.at) + text_width(w.value) + 2 < r.w)
		r.w--;
	canvas_right(c, r.x, r.y, r.w, w.value, (struct ink){
		ROLE_ON_HUE, 0, ATTR_BOLD });
	return true;
}

/* Draws the lane's elements in rows of two, which share a register if they are
 * halves. Returns the rows used. */
static int draw_fragment(struct canvas *c, struct rect r, const struct frame_model *s,
			 char which, const char *title)
{
	const struct fragments_operand *o =
		which_operand(s->scene->fragments, which);
	int half = (r.w - 1) / 2, y = r.y + 1;
	unsigned say = largest_say(s, which, half);

	if (r.h < 2)
		return 0;
	canvas_text(c, r.x, r.y, r.w, title, INK(ROLE_DIM));
	for (int e = 0; e < o->layout.elements && y < r.y + r.h; e += 2, y++) {
		struct rect left = { r.x, y, half, 1 };
		struct rect right = { r.x + half + 1, y, half, 1 };

		if (!draw_element(c, left, s, which, e, say))
			break;
		if (e + 1 < o->layout.elements)
			draw_element(c, right, s, which, e + 1, say);
	}
	return y - r.y + 1;
}

/* Draws all of the lane's elements in a row. */
static void draw_lane_row(struct canvas *c, struct rect r, const struct frame_model *s,
			  char which)
{
	const struct fragment *layout =
		&which_operand(s->scene->fragments, which)->layout;
	int count = layout->elements / layout->copies;
	int w = MIN((r.w - 3) / count, 18);
	unsigned say = largest_say(s, which, w - 1);

	canvas_put(c, r.x, r.y, which == 'D' ? 'C' : which,
		   INK_BOLD(ROLE_STRONG));
	for (int e = 0; e < count; e++)
		draw_element(c, (struct rect){ r.x + 3 + e * w, r.y, w - 1, 1 },
			     s, which, e, say);
}

/* Writes the sum of the lane's first element as it grows: "c0: 12 + 16 products
 * = -45". Returns the rows used. */
static int draw_sum(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct fragments *f = s->scene->fragments;
	uint32_t lane = s->scene->cursor.lane;
	int e = f->moves == 'D' || f->moves == 'C' ? f->moves_first : 0;
	char before[16], after[16];

	if (r.h < 2 || e >= FRAGMENTS_ELEMENTS || !f->c.known[lane][e] ||
	    !f->d.known[lane][e] || s->quiet)
		return 0;
	number_fit(before, sizeof(before), f->c.value[lane][e], 9);
	number_fit(after, sizeof(after), f->d.value[lane][e], 9);
	if (fragments_part(s) >= 1)
		canvas_textf(c, r.x, r.y, r.w, INK_BOLD(ROLE_STRONG),
			     _("c%d: %s + %d products = %s"), e, before, f->k,
			     after);
	else
		canvas_textf(c, r.x, r.y, r.w, INK(ROLE_TEXT), "c%d: %s", e,
			     before);
	return 2;
}

/* Draws marks as large as fit, the first `lit` of them lit. Returns the rows
 * used. */
static int draw_work_marks(struct canvas *c, struct rect r, int marks, int lit)
{
	static const struct { int w, h; } sizes[] = {
		{ 6, 3 }, { 5, 2 }, { 4, 2 }, { 3, 2 }, { 2, 1 }, { 1, 1 },
	};
	int w = 1, h = 1, across = MAX(r.w, 1);

	for (size_t i = 0; i < LENGTH(sizes); i++) {
		w = sizes[i].w;
		h = sizes[i].h;
		across = MAX(r.w / w, 1);
		if ((marks + across - 1) / across * h <= r.h)
			break;
	}
	for (int i = 0; i < marks && i / across * h + h <= r.h; i++) {
		int x = r.x + i % across * w, y = r.y + i / across * h;
		enum role role = i < lit ? ROLE_ACCENT : ROLE_BORDER;

		if (h < 2)
			canvas_put(c, x, y, 0x25aa, INK(role));
		else
			canvas_fill(c, (struct rect){ x, y, w - 1, h - 1 }, ' ',
				    INK_ON(ROLE_ON_HUE, role));
	}
	return MIN((marks + across - 1) / across * h, r.h);
}

/* Draws as many marks as the warp would need instructions of one product a
 * lane. Returns the rows used. */
static int draw_products(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct fragments *f = s->scene->fragments;
	int all = f->m * f->n * f->k, each = f->kind == FRAGMENTS_WGMMA ?
					    4 * WARP_LANES : WARP_LANES;
	int marks = all / each, y = r.y + 1;
	char words[80];

	if (r.h < 3 || s->quiet)
		return 0;
	snprintf(words, sizeof(words), _("%d \xc3\x97 %d \xc3\x97 %d = %d "
					 "products"), f->m, f->n, f->k, all);
	if (text_width(words) > r.w)
		snprintf(words, sizeof(words), _("%d products"), all);
	canvas_text(c, r.x, r.y, r.w, words, INK_BOLD(ROLE_STRONG));
	canvas_textf(c, r.x, y++, r.w, INK(ROLE_DIM),
		     f->kind == FRAGMENTS_WGMMA ?
		     _("1 wgmma, or %d fma a warp") :
		     _("1 mma, or %d fma of the warp"), marks);
	return y - r.y + 2 +
	       draw_work_marks(c, (struct rect){ r.x, y, r.w, r.y + r.h - y },
			       marks, (int)(marks * fragments_part(s) + 0.5));
}

void fragments_registers(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct fragments *f = s->scene->fragments;
	struct rect rest = { r.x + LIST + 2, r.y, r.w - LIST - 2, r.h };
	bool all = r.h >= 24, beside = rest.w >= LIST / 2;
	int end = r.y + r.h, most;

	canvas_textf(c, r.x, r.y++, r.w, INK_BOLD(ROLE_HUE(
			     s->scene->cursor.lane)),
		     _("registers of lane %u"), s->scene->cursor.lane);
	r.w = MIN(r.w, LIST);
	if (s->quiet)
		return;
	if (all)
		canvas_text(c, r.x, r.y++, r.w,
			    _("register, element, its value"),
			    INK(ROLE_DIM));
	r.y += all;
	r.h = end - r.y;
	for (int i = 0; i < 2 && f->kind == FRAGMENTS_MMA; i++) {
		r.y += draw_fragment(c, r, s, "AB"[i], i ? _("b, of B") :
							   _("a, of A"));
		r.h = end - r.y;
	}
	most = beside ? r.h : f->kind == FRAGMENTS_MMA || r.h < 24 ? 9 :
	       r.h - 4;
	r.y += draw_fragment(c, (struct rect){ r.x, r.y, r.w,
					       MIN(r.h, most) },
			     s, 'D', _("c, sums of C"));
	r.h = end - r.y;
	if (!beside)
		rest = r;
	most = draw_sum(c, rest, s);
	rest.y += most;
	rest.h -= most;
	draw_products(c, rest, s);
}

void fragments_across(struct canvas *c, struct rect r, const struct frame_model *s)
{
	char title[64];
	int used;

	snprintf(title, sizeof(title), _("registers of lane %u"),
		 s->scene->cursor.lane);
	used = canvas_text(c, r.x, r.y, r.w, title, INK_BOLD(ROLE_HUE(
			     s->scene->cursor.lane))) + 3;
	draw_sum(c, (struct rect){ r.x + used, r.y, r.w - used, 2 }, s);
	for (int i = 0; i < 3 && i + 1 < r.h && !s->quiet; i++)
		draw_lane_row(c, (struct rect){ r.x, r.y + 1 + i, r.w, 1 }, s,
			      "ABD"[i]);
	draw_products(c, (struct rect){ r.x, r.y + 5, r.w, r.h - 5 }, s);
}

/* ---- rows in shared memory ---- */

void fragments_chunks(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct fragments *f = s->scene->fragments;
	int w = MIN((r.w - 4) / 8, 5);
	int first = (int)(s->scene->request.offset[__builtin_ctz(
			s->scene->request.mask)] / 16 % 8);

	if (w < 2)
		return;
	canvas_text(c, r.x, r.y, r.w, f->swizzled ?
		    _("128-byte rows: which columns of 16 bytes stand where") :
		    _("128-byte rows, not swizzled"), INK(ROLE_DIM));
	for (int row = 0; row < 8 && row + 1 < r.h; row++) {
		canvas_textf(c, r.x, r.y + 1 + row, 3, INK(ROLE_FAINT), "%2d",
			     row);
		for (int col = 0; col < 8; col++) {
			int at = f->chunk[row][col];
			bool now = f->moves == 'A' &&
				   (col == first || col == first + 1);
			char text[4];

			snprintf(text, sizeof(text), "%d", col);
			if (at >= 0)
				kit_box(c, (struct rect){
					r.x + 3 + at * w, r.y + 1 + row, w, 1 },
					text, now ? INK_ON(ROLE_ON_HUE,
							   ROLE_HUE1) :
					INK_ON(ROLE_DIM, ROLE_FIELD));
		}
	}
}

/* ---- ldmatrix ---- */

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

static struct sheet sheet_of(struct rect r, int count)
{
	static const struct { int w, h; } sizes[] = {
		{ 10, 2 }, { 8, 2 }, { 6, 2 }, { 5, 2 }, { 4, 2 }, { 5, 1 },
		{ 4, 1 }, { 3, 1 }, { 2, 1 },
	};
	struct sheet k = { 0 };

	for (size_t i = 0; i < 4 * LENGTH(sizes); i++) {
		bool row = i / LENGTH(sizes) % 2;
		bool banks = i < 2 * LENGTH(sizes);

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

static struct ink matrix_ink(const struct frame_model *s, int m, int lane)
{
	double lit = fragments_part(s) *
		     s->scene->fragments->d.layout.matrices;

	if (lane == (int)s->scene->cursor.lane)
		return (struct ink){ ROLE_ON_HUE, ROLE_HUE(lane), ATTR_BOLD };
	return m < lit ? INK_ON(ROLE_HUE(lane), lane & 1 ? ROLE_FIELD :
							   ROLE_NONE) :
			 INK_ON(ROLE_FAINT, ROLE_FIELD);
}

static void draw_matrix(struct canvas *c, int x, int y, const struct frame_model *s,
			int m, const struct sheet *k)
{
	const struct fragments *f = s->scene->fragments;
	int mine = (int)s->scene->cursor.lane;

	for (int row = 0; row < 8; row++) {
		int names = 8 * m + row, at = y + row * k->h, before = -1;

		canvas_textf(c, x, at + (k->h - 1) / 2, k->label - 1,
			     names == mine ? (struct ink){
				     ROLE_ON_HUE, ROLE_HUE(names), ATTR_BOLD } :
			     INK(ROLE_HUE(names)),
			     k->label > 4 ? "%5d \xe2\x86\x92 " : "%2d",
			     names);
		for (int col = 0; col < 8; col++) {
			struct fragment_place p = { .matrix = m, .row = row,
						    .col = col };
			char text[8];

			fragment_holder(&f->d.layout, &p);
			snprintf(text, sizeof(text), "%d", p.lane);
			/* the number is written once for two neighbours if
			 * cells are narrow */
			if (k->w < 3 && p.lane == before)
				strcpy(text, " ");
			before = p.lane;
			kit_box(c, (struct rect){ x + k->label + col * k->w,
						  at, k->w, k->h },
				s->quiet && row > 0 && p.lane != mine ?
				"\xc2\xb7" : text, matrix_ink(s, m, p.lane));
		}
	}
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
						    ROLE_HUE(lane)) :
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

void fragments_matrix(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct fragments *f = s->scene->fragments;
	int count = f->d.layout.matrices, used;
	struct sheet k;
	bool below, both;

	canvas_text(c, r.x, r.y, r.w, f->stores ?
		    _("A lane names a row; a number is the lane that gives "
		      "the element.") :
		    _("A lane names a row; a number is the lane that gets the "
		      "element."), INK(ROLE_TEXT));
	r.y++;
	r.h--;
	k = sheet_of(r, count);
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
