/*
 * view_fragments: A left of C and B above it; each element shows the lane that
 * holds it; the product slides over C.
 */
#include "viz/pictures/fragments/view_fragments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "viz/kit.h"

/* Where the operands stand: crosswise as on paper, or side by side. */
struct board {
	const struct fragments *f;
	const struct frame_model *s;
	struct rect a, b, c;
	int w, h;		/* of an element; h 0: two rows in one cell */
	int pair;		/* columns of C that share a cell */
	bool cross;
	/* the rows of A and C that are shown, and the columns of B and C */
	int top, rows, cols;
	double part;
};

void fragments_away(char *buf, size_t size, const struct fragments *f)
{
	unsigned n = (unsigned)abs(f->away);

	if (f->away > 0)
		snprintf(buf, size, ngettext("Not at this step: this comes in "
					     "%u step.", "Not at this step: "
					     "this comes in %u steps.", n), n);
	else
		snprintf(buf, size, ngettext("Not at this step: this was %u "
					     "step ago.", "Not at this step: "
					     "this was %u steps ago.", n), n);
}

double fragments_part(const struct frame_model *s)
{
	const struct fragments *f = s->scene->fragments;

	if (f->multiplied)
		return 1;
	return f->multiplies && !s->quiet ? kit_between(0, 1, s->t) : 0;
}

/* ---- layout ---- */

#define RULER 3
#define GAP 4		/* between operands side by side */

static int cell_rows(const struct board *b, int rows)
{
	return b->h ? rows * b->h : (rows + 1) / 2;
}

/* Puts the operands crosswise, if need be without a row above C. */
static bool place_cross(struct board *b, struct rect r)
{
	int k = b->f->k, n = b->cols / b->pair;
	int w = 2 * RULER + 2 + (k + n) * b->w;
	int h = 1 + cell_rows(b, k) + cell_rows(b, b->rows), gap = h < r.h;

	if (w > r.w || h > r.h)
		return false;
	b->cross = true;
	b->a = (struct rect){ r.x + RULER, r.y + 1 + gap + cell_rows(b, k),
			      k * b->w, cell_rows(b, b->rows) };
	b->c = (struct rect){ b->a.x + b->a.w + 2 + RULER, b->a.y, n * b->w,
			      b->a.h };
	b->b = (struct rect){ b->c.x, r.y + 1, b->c.w, cell_rows(b, k) };
	return true;
}

/* Puts the operands side by side. Returns false if they do not fit. */
static bool place_beside(struct board *b, struct rect r)
{
	int k = b->f->k, n = b->cols / b->pair;
	int w = RULER + 2 * GAP + (k + 2 * n) * b->w;

	if (w > r.w || cell_rows(b, MAX(b->rows, k)) + 1 > r.h)
		return false;
	b->cross = false;
	b->a = (struct rect){ r.x + RULER, r.y + 1, k * b->w,
			      cell_rows(b, b->rows) };
	b->b = (struct rect){ b->a.x + b->a.w + GAP, r.y + 1, n * b->w,
			      cell_rows(b, k) };
	b->c = (struct rect){ b->b.x + b->b.w + GAP, r.y + 1, n * b->w,
			      b->a.h };
	return true;
}

/* Puts the operands of an mma, with the largest cells that fit; false: none
 * do. */
static bool place_mma(struct board *b, struct rect r)
{
	static const struct { int w, h; } sizes[] = {
		{ 6, 3 }, { 5, 3 }, { 4, 3 }, { 5, 2 }, { 3, 3 }, { 4, 2 },
		{ 3, 2 }, { 5, 1 }, { 4, 1 }, { 3, 1 }, { 2, 1 }, { 2, 0 },
		{ 1, 0 },
	};

	for (size_t i = 0; i < LENGTH(sizes); i++) {
		b->w = sizes[i].w;
		b->h = sizes[i].h;
		if (place_cross(b, r) || place_beside(b, r))
			return true;
	}
	return false;
}

/* Puts the operands of a wgmma, with cells half a row high. If they do not fit,
 * leaves out the other warps' rows, then columns, which repeat themselves. */
static bool place_wgmma(struct board *b, struct rect r)
{
	b->w = 1;
	b->h = 0;
	for (; b->cols >= 8; b->cols /= 2)
		for (int quarter = 0; quarter < 2; quarter++)
			for (b->pair = 1; b->pair <= 2; b->pair++) {
				b->rows = quarter ? b->f->m / 4 : b->f->m;
				b->top = quarter ? b->f->quarter * b->rows : 0;
				if (place_cross(b, r))
					return true;
			}
	return false;
}

/* columns for a lane's registers */
#define SIDE 34
#define SIDE_WGMMA 28

/* The first rows explain what is shown, or the last one does. */
#define HEADED 20	/* rows from which on there is room for a headline */
#define HEAD 2

static bool is_headed(const struct fragments *f, struct rect r)
{
	return f->kind == FRAGMENTS_MMA && r.h >= HEADED;
}

static struct rect without_words(const struct fragments *f, struct rect r)
{
	int head = is_headed(f, r) ? HEAD : 0;
	int foot = !head && f->kind == FRAGMENTS_MMA && r.h >= 6;

	return (struct rect){ r.x, r.y + head, r.w, r.h - head - foot };
}

static bool place_operands(struct board *b, struct rect r)
{
	bool wgmma = b->f->kind == FRAGMENTS_WGMMA;

	b->pair = 1;
	b->top = 0;
	b->rows = b->f->m;
	b->cols = b->f->n;
	r = without_words(b->f, r);
	if (r.w >= (wgmma ? 100 : 150))
		r.w -= wgmma ? SIDE_WGMMA : SIDE;
	return wgmma ? place_wgmma(b, r) : place_mma(b, r);
}

/* ---- elements ---- */

static const struct fragments_operand *operand_of(const struct fragments *f,
						  char which)
{
	return which == 'A' ? &f->a : which == 'B' ? &f->b : &f->d;
}

/* Returns the lane that holds an element, and its number in that lane. */
static struct fragment_place holder_of(const struct fragments *f, char which,
				       int row, int col)
{
	struct fragment_place p = { .row = row, .col = col };

	fragment_holder(&operand_of(f, which)->layout, &p);
	return p;
}

/* Returns the focused lane as the layout counts it: in wgmma's warpgroup. */
static int own_lane(const struct board *b)
{
	return (int)b->s->scene->cursor.lane +
	       (b->f->kind == FRAGMENTS_WGMMA ? 32 * b->f->quarter : 0);
}

/* Returns the element of C in focus: the lane's first, or the one moved now. */
static struct fragment_place focused_element(const struct board *b)
{
	const struct fragments *f = b->f;
	struct fragment_place p = { .lane = own_lane(b) };

	if (f->kind == FRAGMENTS_MMA && (f->moves == 'C' || f->moves == 'D'))
		p.element = f->moves_first;
	fragment_element(&f->d.layout, &p);
	return p;
}

/* Tells whether the request at the cursor moves the element. */
static bool is_moved(const struct fragments *f, char which, int element)
{
	return f->kind == FRAGMENTS_MMA &&
	       (f->moves == which || (which == 'D' && f->moves == 'C')) &&
	       element >= f->moves_first &&
	       element < f->moves_first + f->moves_count;
}

/* Tells whether the product has reached the element of C: the rows of A come
 * from the left, the columns of B from above. */
static bool is_covered(const struct board *b, int row, int col)
{
	int across = b->c.x + b->c.w - b->a.x - b->a.w;
	int down = b->c.y + b->c.h - b->b.y - b->b.h;

	if (b->part <= 0)
		return false;
	if (!b->cross)
		return row * b->cols + col < b->part * b->rows * b->cols;
	return b->c.x + (col / b->pair + 1) * b->w <=
		       b->a.x + b->a.w + (int)(across * b->part) &&
	       b->c.y + cell_rows(b, row + 1) <=
		       b->b.y + b->b.h + (int)(down * b->part);
}

/* Tells whether a question hides the element's lane. The first row of A (column
 * of B) and the focused lane stay: they show the pattern. */
static bool hides_lane(const struct board *b, char which,
		       struct fragment_place p)
{
	return b->s->quiet && b->f->kind == FRAGMENTS_MMA &&
	       p.lane != own_lane(b) && (which == 'B' ? p.col : p.row) > 0;
}

static struct ink element_ink(const struct board *b, char which,
			      struct fragment_place p)
{
	const struct fragment_place focus = focused_element(b);
	int lane = p.lane % WARP_LANES;
	bool band = (which == 'A' && p.row == focus.row) ||
		    (which == 'B' && p.col == focus.col);

	if (p.lane == own_lane(b))
		return which == 'D' && p.element == focus.element ?
		       (struct ink){ ROLE_ON_HUE, ROLE_CURSOR, ATTR_BOLD } :
		       (struct ink){ ROLE_ON_HUE, ROLE_HUE(lane), ATTR_BOLD };
	if (hides_lane(b, which, p))
		return INK_ON(ROLE_FAINT, band ? ROLE_TILE : ROLE_FIELD);
	if (which == 'D' && is_covered(b, p.row - b->top, p.col))
		return INK_ON(ROLE_ON_HUE, ROLE_TRAIL0 + lane / 8 % 4);
	if (is_moved(b->f, which, p.element))
		return INK_ON(ROLE_STRONG, ROLE_FADE0 + lane / 8 % 4);
	if (band)
		return INK_ON(ROLE_STRONG, ROLE_TILE);
	return INK_ON(ROLE_HUE(lane), (which == 'B' ? p.col : lane) & 1 ?
		      ROLE_FIELD : ROLE_NONE);
}

/* Tells whether a narrow cell leaves the number to its neighbour of the same
 * lane: the left one or, in B, the one below. A question for it shows both. */
static bool is_spared(const struct board *b, char which,
		      struct fragment_place p)
{
	return which == 'B' ? (p.row ^ p.col) & 1 :
	       p.col & 1 && (!b->s->quiet || p.lane / 10) &&
	       holder_of(b->f, which, p.row, p.col - 1).lane == p.lane;
}

/* Draws the element's name, such as "a0", if the lane is focused, else the
 * lane. */
static void draw_lane_cell(struct canvas *c, const struct board *b, char which,
			   struct rect at, struct fragment_place p)
{
	struct ink ink = element_ink(b, which, p);
	char text[12];

	if (p.lane == own_lane(b) && b->w > 2)
		snprintf(text, sizeof(text), "%c%d",
			 which == 'D' ? 'c' : which + 'a' - 'A', p.element);
	else
		snprintf(text, sizeof(text), "%d", p.lane);
	canvas_fill(c, at, ' ', ink);
	if (hides_lane(b, which, p))
		strcpy(text, "\xc2\xb7");
	else if (b->w == 2 && is_spared(b, which, p))
		strcpy(text, "  ");
	canvas_right(c, at.x, at.y + (at.h - 1) / 2, at.w - (at.w > 3), text,
		     ink);
}

static enum role pixel_role(const struct board *b, char which,
			    struct fragment_place p)
{
	enum role bg = (enum role)element_ink(b, which, p).bg;

	return bg > ROLE_FIELD || hides_lane(b, which, p) ? bg :
	       (enum role)(ROLE_FADE0 + p.lane / 8 % 4);
}

static void draw_operand(struct canvas *c, const struct board *b, char which,
			 struct rect r, int top, int rows, int cols)
{
	int pair = which == 'A' ? 1 : b->pair;

	for (int row = 0; row < rows; row++)
		for (int col = 0; col < cols / pair; col++) {
			struct fragment_place p = holder_of(
				b->f, which, top + row, col * pair);
			int x = r.x + col * b->w;

			if (b->h)
				draw_lane_cell(c, b, which, (struct rect){
					x, r.y + row * b->h, b->w, b->h }, p);
			for (int i = 0; i < b->w && !b->h; i++)
				canvas_pixel(c, x + i, 2 * r.y + row,
					     pixel_role(b, which, p));
		}
}

/* Draws an operand of wgmma, which is in shared memory: no lane holds it. */
static void draw_shared(struct canvas *c, const struct board *b, char which,
			struct rect r, int rows, int cols)
{
	bool now = b->f->moves == which;

	for (int y = 0; y < rows; y++)
		for (int x = 0; x < cols; x++)
			canvas_pixel(c, r.x + x, 2 * r.y + y, now ?
				     ROLE_HUE1 : ROLE_TRAIL1);
}

/* Draws the arrows of A and B on their way over C. */
static void draw_slide(struct canvas *c, const struct board *b)
{
	int across = (int)((b->c.x + b->c.w - b->a.x - b->a.w) * b->part);
	int down = (int)((b->c.y + b->c.h - b->b.y - b->b.h) * b->part);

	if (!b->cross || b->part <= 0 || b->part >= 1)
		return;
	for (int x = b->a.x + b->a.w; x < b->a.x + b->a.w + across; x++)
		for (int y = b->a.y; y < b->a.y + b->a.h; y++)
			if (x < b->c.x)
				canvas_put(c, x, y, 0x2192, INK(ROLE_DIM));
	for (int y = b->b.y + b->b.h; y < b->b.y + b->b.h + down; y++)
		for (int x = b->b.x; x < b->b.x + b->b.w; x += b->w)
			if (y < b->c.y)
				canvas_put(c, x + b->w / 2, y, 0x2193,
					   INK(ROLE_DIM));
}

/* ---- names ---- */

static void rule_rows(struct canvas *c, const struct board *b, struct rect r,
		      int top, int rows, int mark)
{
	for (int i = 0; i < rows; i += b->h ? 1 : 8)
		canvas_textf(c, r.x - RULER, r.y + cell_rows(b, i) +
			     MAX(b->h - 1, 0) / 2, RULER - 1,
			     top + i == mark && b->h ? INK_BOLD(ROLE_STRONG) :
						       INK(ROLE_FAINT),
			     "%2d", top + i);
}

static void rule_columns(struct canvas *c, const struct board *b,
			 struct rect r, int pair, int cols, int mark)
{
	int by = b->h ? b->w > 2 ? 1 : 2 : 16 / pair, y = r.y - 1;
	int room = b->h ? b->w - (b->w > 3) : 4;

	cols /= pair;
	for (int i = 0; i < cols; i += by)
		if (b->w > 1 || !b->h)
			canvas_textf(c, r.x + i * b->w, y, room,
				     i == mark && b->h ?
				     INK_BOLD(ROLE_STRONG) : INK(ROLE_FAINT),
				     "%*d", b->h ? room : -3, i * pair);
}

static void name_matrix(struct canvas *c, int x, int y, int w, char name,
			int rows, int cols)
{
	canvas_textf(c, x, y, w, INK_BOLD(ROLE_STRONG), "%c  %d \xc3\x97 %d",
		     name, rows, cols);
}

static void draw_headings(struct canvas *c, const struct board *b)
{
	const struct fragments *f = b->f;
	const struct ink name = INK_BOLD(ROLE_STRONG);
	struct fragment_place focus = focused_element(b);

	if (b->cross) {
		name_matrix(c, b->a.x, b->a.y - 2, b->a.w, 'A', f->m, f->k);
		name_matrix(c, b->a.x, b->b.y, b->a.w, 'B', f->k, f->n);
		name_matrix(c, b->a.x, b->b.y + 1, b->a.w, 'C', f->m, f->n);
		rule_columns(c, b, b->b, b->pair, b->cols, focus.col);
		rule_rows(c, b, b->b, 0, f->k, -1);
		rule_rows(c, b, b->c, b->top, b->rows, focus.row);
	} else {
		canvas_text(c, b->b.x - 2, b->b.y, 1, "\xc3\x97",
			    INK(ROLE_DIM));
		canvas_text(c, b->c.x - 2, b->c.y, 1, "=", INK(ROLE_DIM));
		rule_columns(c, b, b->b, 1, f->n, focus.col);
		rule_columns(c, b, b->c, 1, f->n, focus.col);
		canvas_put(c, b->a.x - 2, b->a.y - 1, 'A', name);
		canvas_put(c, b->b.x - 2, b->b.y - 1, 'B', name);
		canvas_put(c, b->c.x - 2, b->c.y - 1, 'C', name);
	}
	rule_columns(c, b, b->a, 1, f->k, -1);
	rule_rows(c, b, b->a, b->top, b->rows, focus.row);
}

/* Writes above A, next to B, why no lane holds a whole row. */
static void draw_why_spread(struct canvas *c, const struct board *b)
{
	struct rect r = { b->a.x, b->b.y + 3, b->a.w + 1,
			  b->a.y - b->b.y - 6 };

	if (b->cross && b->f->kind == FRAGMENTS_MMA && r.w >= 20 &&
	    r.h >= 3 && !b->s->quiet)
		prose_fit(c, r, _("No lane holds a whole row: mma reads the "
				  "registers of all 32 at once."),
			  INK(ROLE_TEXT));
}

/* Draws a legend of the bright cells of a wgmma's C, which have no numbers. */
static void draw_bright(struct canvas *c, const struct board *b)
{
	uint32_t lane = b->s->scene->cursor.lane;
	struct rect r = { b->a.x, b->b.y + 3, b->c.x - RULER - b->a.x, 1 };
	char words[64];

	if (b->f->kind != FRAGMENTS_WGMMA)
		return;
	snprintf(words, sizeof(words), _("lane %u's sums"), lane);
	for (int i = 0; i < 2 && r.y + 3 < b->a.y; i++, r.y++) {
		canvas_fill(c, (struct rect){ r.x, r.y, 2, 1 }, ' ',
			    INK_ON(ROLE_ON_HUE, i ? ROLE_TRAIL1 :
						    ROLE_HUE(lane)));
		kit_whole(c, r.x + 3, r.y, r.w - 3, i ? _("added by now") :
			  words, INK(ROLE_DIM));
	}
}

/* ---- the picture ---- */

/* Draws the registers next to the operands, or below those of an mma. */
static void draw_rest(struct canvas *c, const struct board *b, struct rect r)
{
	int right = b->c.x + b->c.w + 2, below = b->c.y + b->c.h + 1;
	struct rect under = { r.x, below, r.w, r.y + r.h - below };
	bool beside = r.x + r.w - right >= 24;

	if (b->cols < b->f->n)
		canvas_textf(c, b->a.x, b->a.y - 3, b->a.w + RULER,
			     INK(ROLE_DIM), _("columns 0 to %d"), b->cols - 1);
	if (beside)
		fragments_registers(c, (struct rect){
			right, r.y, r.x + r.w - right, r.h }, b->s);
	if (b->f->kind == FRAGMENTS_WGMMA && under.h >= 9)
		fragments_chunks(c, (struct rect){
			b->c.x - RULER, below, b->c.w, 9 }, b->s);
	else if (b->f->kind == FRAGMENTS_MMA && !beside && under.h >= 4)
		fragments_across(c, under, b->s);
}

static void draw_legends(struct canvas *c, const struct board *b, struct rect r)
{
	bool headed = is_headed(b->f, r);
	struct rect board = without_words(b->f, r);
	int y = headed ? r.y + 1 : board.y + board.h;

	if (headed)
		fragments_headline(c, (struct rect){ r.x, r.y, r.w, 1 }, b->s);
	if (b->h && y < r.y + r.h)
		fragments_legend(c, (struct rect){ r.x, y, r.w, 1 }, b->s,
				 headed, b->w > 2);
}

static void draw_operands(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct board b = { .f = s->scene->fragments, .s = s,
			   .part = fragments_part(s) };

	if (!place_operands(&b, r)) {
		fragments_registers(c, r, s);
		return;
	}
	draw_legends(c, &b, r);
	r = without_words(b.f, r);
	if (b.f->kind == FRAGMENTS_WGMMA) {
		draw_shared(c, &b, 'A', b.a, b.rows, b.f->k);
		draw_shared(c, &b, 'B', b.b, b.f->k, b.cols / b.pair);
	} else {
		draw_operand(c, &b, 'A', b.a, 0, b.rows, b.f->k);
		draw_operand(c, &b, 'B', b.b, 0, b.f->k, b.cols);
	}
	draw_slide(c, &b);
	draw_operand(c, &b, 'D', b.c, b.top, b.rows, b.cols);
	draw_headings(c, &b);
	draw_why_spread(c, &b);
	draw_bright(c, &b);
	draw_rest(c, &b, r);
}

/* Finds the element under (x, y) of an operand drawn in r, and sets p to its
 * holder; false: there is none. */
static bool element_under(const struct board *b, char which, struct rect r,
			  int top, int x, int y, struct fragment_place *p)
{
	int col = (x - r.x) / b->w * (which == 'A' ? 1 : b->pair);
	int row = b->h ? (y - r.y) / b->h : (y - r.y) * 2;

	if (x < r.x || x >= r.x + r.w || y < r.y || y >= r.y + r.h)
		return false;
	*p = holder_of(b->f, which, top + row, col);
	return true;
}

static void hit(const struct frame_model *s, struct rect r, int x, int y,
		struct hit *hit)
{
	struct board b = { .s = s };
	struct fragment_place p;

	b.f = s->scene ? s->scene->fragments : NULL;
	if (!b.f || b.f->kind == FRAGMENTS_MATRIX)
		return;
	r.y += b.f->away != 0;
	r.h -= b.f->away != 0;
	if (!place_operands(&b, r))
		return;
	if (!element_under(&b, 'D', b.c, b.top, x, y, &p) &&
	    (b.f->kind == FRAGMENTS_WGMMA ||
	     (!element_under(&b, 'A', b.a, 0, x, y, &p) &&
	      !element_under(&b, 'B', b.b, 0, x, y, &p))))
		return;
	hit->kind = HIT_LANE;
	hit->index = p.lane % WARP_LANES;
}

static bool available(const struct frame_model *s)
{
	const struct scene *sc = s->scene;

	for (size_t i = 0; sc && sc->info && i < sc->info->site_count; i++)
		if (fragments_at(sc, &sc->info->sites[i], NULL) !=
		    FRAGMENTS_NONE)
			return true;
	return false;
}

/* Tells whether this warp multiplies, and does not only copy. */
static bool offered(const struct frame_model *s)
{
	const struct scene *sc = s->scene;

	for (size_t i = 0; sc->visits && i < sc->info->site_count; i++)
		if (sc->visits[i] && fragments_at(sc, &sc->info->sites[i],
						  NULL) != FRAGMENTS_NONE)
			return true;
	return false;
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct rect clip = canvas_clip(c, r);
	char away[128];

	if (s->scene && s->scene->fragments && s->scene->fragments->away) {
		fragments_away(away, sizeof(away), s->scene->fragments);
		canvas_text(c, r.x, r.y++, r.w, away, INK(ROLE_WARN));
		r.h--;
	}
	if (!s->scene || !s->scene->fragments)
		prose_text(c, r, 0, _("This warp multiplies nothing by tensor "
				      "cores: w leads to another warp."), INK(ROLE_DIM));
	else if (s->scene->fragments->kind == FRAGMENTS_MATRIX)
		fragments_matrix(c, r, s);
	else
		draw_operands(c, r, s);
	canvas_clip(c, clip);
}

static enum view_rank rank(const struct scene *sc)
{
	return fragments_at(sc, sc->site, NULL) != FRAGMENTS_NONE ?
	       RANK_STEP : RANK_NONE;
}

static void prepare(struct stage *s, const struct turns *t)
{
	(void)t;
	scene_fragments(s);
}

const struct view view_fragments = {
	.name = "fragments",
	.title = N_("fragments"),
	.help = N_("which lane holds which element of a matrix instruction"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = available,
	.offered = offered,
	.rank = rank,
	.prepare = prepare,
	.draw = draw,
	.words = fragments_sentences,
	.hit = hit,
};
