/*
 * Draws whole matrices of kernels whose lanes have no element of a product: A
 * left of C, B above it. What a lane loads flies to its place in C.
 */
#include <stdio.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/legend.h"
#include "viz/pictures/matrices/matrices_window.h"

#define GAP 2		/* columns between A and C */

/* Where the matrices stand, and how large their elements are. */
struct paper {
	struct rect a, b, c;
	struct picture_form form;
	int side;	/* columns of the rulers at the left; 0: no rulers */
	int over;	/* rows of titles and rulers; 1: B's stands beside it */
};

static const struct stage_array *matrix_at(const struct frame_model *s, int index)
{
	return s->scene && index >= 0 ? &s->scene->arrays[index] : NULL;
}

/* Computes where the matrices stand at this size of elements. Returns whether
 * they fit, or are zoomed in. */
static bool measure_paper(const struct frame_model *s, struct paper *p, struct rect r)
{
	const struct stage_array *a = matrix_at(s, s->scene->a);
	const struct stage_array *b = matrix_at(s, s->scene->b);
	const struct stage_array *c = matrix_at(s, s->scene->c);
	int aw = picture_width(a, p->form);
	int cw = MAX(picture_width(c, p->form),
		     picture_width(b, p->form));
	int bh = picture_height(b, p->form);
	int ch = MAX(picture_height(c, p->form),
		     picture_height(a, p->form));
	bool fits = p->side + aw + GAP + p->side + cw <= r.w &&
		    bh + ch + p->over <= r.h;

	if (s->zoom) {
		cw = MIN(cw, (r.w - GAP) / 2 - p->side);
		aw = MIN(aw, r.w - GAP - 2 * p->side - cw);
		ch = MIN(ch, (r.h - p->over) / 2);
		bh = MIN(bh, r.h - p->over - ch);
	}
	/* At the lower right; above A stands what the step does. */
	r.x += MAX(0, r.w - (2 * p->side + aw + GAP + cw));
	r.y += MAX(0, r.h - (p->over + bh + ch));
	p->a = (struct rect){ r.x + p->side, r.y + p->over + bh, aw, ch };
	p->c = (struct rect){ p->a.x + aw + GAP + p->side, p->a.y, cw, ch };
	p->b = (struct rect){ p->c.x, r.y + p->over / 2, cw, bh };
	return fits || s->zoom;
}

static bool measure_form(const struct frame_model *s, struct paper *p,
			 struct rect r, struct kit_size size, int across,
			 int down)
{
	/* Large elements must not take the rulers' place. */
	int least = size.w > 3 ? 4 : 1;

	p->form = (struct picture_form){ size, across, down };
	for (p->over = 4; p->over >= least; p->over /= 2) {
		p->side = p->over == 4 ? 4 : 0;
		if (measure_paper(s, p, r))
			return true;
	}
	return false;
}

/* Elements along a mark, at most: where an array is missing, its place may be
 * larger than the screen, whatever the marks. */
#define MARK_MOST (1 << 20)

/* Chooses the largest elements that fit; small ones get rulers if that costs no
 * size. If none fits, chooses marks of as few elements as possible, not much
 * wider than high nor the other way round. When zoomed in, the matrices are cut
 * and follow the focus. */
static struct paper paper_of(const struct frame_model *s, struct rect r)
{
	static const struct kit_size sizes[] = {
		{ 16, 8, false }, { 12, 6, false }, { 10, 5, false },
		{ 8, 4, false }, { 6, 3, false }, { 4, 2, false },
		{ 3, 1, false }, { 2, 1, false }, { 2, 1, true },
		{ 1, 1, true },
	};
	const struct kit_size one = { 1, 1, false };
	struct paper p;

	if (s->zoom) {
		measure_form(s, &p, r, sizes[6], 1, 1);
		return p;
	}
	for (size_t i = 0; i < LENGTH(sizes); i++)
		if (measure_form(s, &p, r, sizes[i], 1, 1))
			return p;
	if (measure_form(s, &p, r, sizes[7], 1, 4))
		return p;
	for (int n = 1; n <= MARK_MOST; n *= 2)
		if (measure_form(s, &p, r, one, n, 4 * n) ||
		    measure_form(s, &p, r, one, 2 * n, 4 * n))
			break;
	return p;
}

/* ---- titles and rulers ---- */

#define CORNER 24	/* the least columns before B's title */

/* Returns the column of B's title, if it stands at B's left. */
static int beside_b(const struct paper *p)
{
	return MAX(p->a.x, p->b.x - 16);
}

static void draw_matrix_title(struct canvas *c, const struct paper *p,
			      const struct frame_model *s, struct rect r,
			      const struct stage_array *a)
{
	struct box part = picture_part(r, s, a, p->form);
	int y = r.y - (p->side ? 2 : 1), x = r.x, right = r.x + r.w;

	if (p->over == 1 && r.y == p->b.y) {
		y = r.y;
		x = beside_b(p);
		right = r.x - 1;
	}
	if (x == r.x)
		right = MAX(right, x + (r.x == p->a.x ? p->c.x - 1 - x : 20));
	x += canvas_text(c, x, y, right - x, a->array->name,
			 a->now ? INK_BOLD(ROLE_ACCENT) :
				  INK_BOLD(ROLE_STRONG));
	x += canvas_textf(c, x, y, right - x, INK(ROLE_DIM), " %u × %u",
			  a->rows, a->cols);
	if (part.known && (part.row1 - part.row0 + 1 < a->rows ||
			   part.col1 - part.col0 + 1 < a->cols))
		canvas_textf(c, x, y, right - x, INK(ROLE_FAINT),
			     " [%u-%u][%u-%u]", part.row0, part.row1,
			     part.col0, part.col1);
}

/* Returns the distance between a ruler's numbers: 1, 2, 4, 8 ... so that they
 * do not touch. */
static uint32_t ruler_step(int room, double each)
{
	uint32_t step = 1;

	while (step * each < room)
		step *= 2;
	return step;
}

/* Draws row numbers at the left of a picture; the focused lane's row
 * stands out. */
static void draw_row_numbers(struct canvas *c, const struct paper *p,
			     const struct frame_model *s, struct rect r,
			     const struct stage_array *a, uint32_t focus)
{
	struct box part = picture_part(r, s, a, p->form);
	double each = (double)r.h / (part.row1 - part.row0 + 1);
	uint32_t step = ruler_step(1, each);

	for (uint32_t row = part.row0; row <= part.row1; row++) {
		int x, y;
		char n[16];

		if ((row % step && row != focus) ||
		    !picture_at(r, &part, p->form, row, part.col0, &x, &y))
			continue;
		y /= p->form.size.half ? 2 : 1;
		if (row != focus && focus != UINT32_MAX && each < 1 &&
		    row / 2 == focus / 2)
			continue;
		snprintf(n, sizeof(n), "%u", row);
		canvas_right(c, r.x - 1 - p->side, y, p->side, n,
			     row == focus ? INK_FOCUS : INK(ROLE_FAINT));
	}
}

/* Draws column numbers above a picture; the focused lane's column stands
 * out. */
static void draw_column_numbers(struct canvas *c, const struct paper *p,
				const struct frame_model *s, struct rect r,
				const struct stage_array *a, uint32_t focus)
{
	struct box part = picture_part(r, s, a, p->form);
	uint32_t count = part.col1 - part.col0 + 1;

	kit_axis(c, &(struct kit_axis){
		r.x, r.y - 1, (double)p->form.size.w / p->form.across,
		part.col0, count, 1, focus });
}

/* ---- values in flight ---- */

/* The parts of the array and of C in view, computed once for all values. */
struct flight_parts {
	struct box from, to;
};

/* Draws a value on its way to the lane's place in C. */
static void draw_value_flight(struct canvas *c, const struct paper *p,
			      const struct frame_model *s, struct rect r,
			      const struct stage_array *a,
			      const struct flight_parts *w,
			      const struct mark *m)
{
	const struct scene *sc = s->scene;
	const struct box *home = &sc->home[m->lane];
	struct kit_size k = p->form.size;
	int x0, y0, x1, y1;
	bool focus = sc->focus_lanes >> m->lane & 1;
	enum role role = focus ? ROLE_CURSOR : ROLE_HUE(m->lane);
	double v;
	char text[16] = "";

	if (!home->known ||
	    !picture_at(r, &w->from, p->form, m->row, m->col, &x0, &y0) ||
	    !picture_at(p->c, &w->to, p->form, home->row0, home->col0, &x1,
			&y1))
		return;
	x0 = (int)(kit_between(x0, x1, s->t) + 0.5);
	y0 = (int)(kit_between(y0, y1, s->t) + 0.5);
	if (k.half) {
		for (int i = 0; i < k.w; i++)
			canvas_pixel(c, x0 + i, y0, role);
		return;
	}
	if (k.w > 2 && scene_element(sc, a, m->row, m->col, &v))
		number_fit(text, sizeof(text), v, k.w - 1);
	kit_box(c, (struct rect){ x0, y0, k.w, k.h }, text[0] ? text : NULL,
		INK_ON(ROLE_ON_HUE, role));
}

static void draw_value_flights(struct canvas *c, const struct paper *p,
			       const struct frame_model *s, struct rect r,
			       const struct stage_array *a)
{
	const struct scene *sc = s->scene;
	struct flight_parts w;

	if (s->quiet || s->t <= 0 || s->t >= 1 || sc->c < 0 ||
	    sc->site->op != OP_LD || a->array != sc->array)
		return;
	w.from = picture_part(r, s, a, p->form);
	w.to = picture_part(p->c, s, &sc->arrays[sc->c], p->form);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < a->mark_count; i++) {
			const struct mark *m = &a->marks[i];

			if (!m->age && !m->other &&
			    (int)(sc->focus_lanes >> m->lane & 1) == pass)
				draw_value_flight(c, p, s, r, a, &w, m);
		}
}

/* ---- the picture ---- */

#define LEGEND_ROWS 11	/* all entries, and a blank row */

/* Draws a legend of the colours in `picture`. */
static void draw_colour_legend(struct canvas *c, struct rect r,
			       struct rect picture, const struct scene *sc)
{
	char lane[64], lanes[4][64];
	struct legend_entry e[] = {
		{ { ROLE_CURSOR }, lane },
		{ { ROLE_HUE0 }, lanes[0] }, { { ROLE_HUE1 }, lanes[1] },
		{ { ROLE_HUE2 }, lanes[2] }, { { ROLE_HUE3 }, lanes[3] },
		{ { ROLE_TRAIL0, ROLE_TRAIL1, ROLE_TRAIL2, ROLE_TRAIL3 },
		  sc->cursor.all_warps ? _("other warps") :
					 _("just before") },
		{ { ROLE_FADE0, ROLE_FADE1, ROLE_FADE2, ROLE_FADE3 },
		  _("before that") },
		{ { ROLE_SEEN }, _("touched before") },
		{ { ROLE_OWN }, _("this thread's") },
		{ { ROLE_TILE }, _("this block's") },
		{ { ROLE_FIELD }, _("the others'") },
	};

	snprintf(lane, sizeof(lane), _("lane %u"), sc->cursor.lane);
	for (int i = 0; i < 4; i++)
		snprintf(lanes[i], sizeof(lanes[i]), _("lanes %d-%d"), 8 * i,
			 8 * i + 7);
	legend_list(c, r, picture, e, LENGTH(e));
}

/* Draws the value that each lane moves, eight lanes in a row. */
static void draw_lane_values(struct canvas *c, struct rect r,
			     const struct scene *sc)
{
	int w = MIN(r.w / 8, 12), h = MIN(r.h / 4, 5);

	if (w < 5 || h < 2 || !sc->info->values || !sc->array ||
	    !op_is_access(sc->site->op))
		return;
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		struct rect at = { r.x + (int)(lane % 8) * w,
				   r.y + (int)(lane / 8) * h, w - 1, h - 1 };
		bool on = sc->request.mask >> lane & 1;
		struct ink ink = !on ? INK_ON(ROLE_DIM, ROLE_FIELD) :
			INK_ON(ROLE_ON_HUE, sc->focus_lanes >> lane & 1 ?
					    ROLE_CURSOR : ROLE_HUE(lane));
		char text[16];
		double v;

		snprintf(text, sizeof(text), "%u", lane);
		if (on && element_value(sc->array->elem,
					&sc->request.value[4 * lane], 0, &v))
			number_fit(text, sizeof(text), v, w - 1);
		ink.attr = on ? ATTR_BOLD : 0;
		kit_box(c, at, text, ink);
	}
}

static void draw_element_value(struct canvas *c, struct rect r,
			       const struct scene *sc)
{
	int x = r.x + canvas_text(c, r.x, r.y, r.w, sc->element,
				  INK_BOLD(ROLE_STRONG));
	char v[32];

	number_fit(v, sizeof(v), sc->value, 12);
	canvas_textf(c, x, r.y, r.x + r.w - x, INK_BOLD(ROLE_STRONG), " = %s",
		     v);
}

/* Draws above A, where the paper is empty: what the focused lane does, what a
 * mark stands for, what the colours mean, and what each lane moves. */
static void draw_corner(struct canvas *c, const struct paper *p,
			const struct frame_model *s, struct rect r,
			struct rect picture)
{
	const struct scene *sc = s->scene;
	char words[96];
	int y = r.y;

	if (sc->array)
		request_words(words, sizeof(words), sc);
	else
		snprintf(words, sizeof(words), "%s",
			 trace_site_word(sc->site));
	canvas_text(c, r.x, y++, r.w, words, INK_BOLD(ROLE_ACCENT));
	if (sc->element[0] && sc->has_value && r.h > 2) {
		if (!s->quiet)
			draw_element_value(c, (struct rect){ r.x, y, r.w, 1 },
					   sc);
		y++;
	}
	if (p->form.across * p->form.down > 1 && r.h > 3) {
		char mark[64];

		snprintf(mark, sizeof(mark), _("%d × %d elements a mark"),
			 p->form.down, p->form.across);
		if (text_width(mark) > r.w)
			snprintf(mark, sizeof(mark), _("%d × %d a mark"),
				 p->form.down, p->form.across);
		canvas_text(c, r.x, y++, r.w, mark, INK(ROLE_DIM));
	}
	r.h -= y + 1 - r.y;
	r.y = y + 1;
	if (!s->quiet)
		draw_lane_values(c, (struct rect){
			r.x, r.y + LEGEND_ROWS, r.w, r.h - LEGEND_ROWS }, sc);
	draw_colour_legend(c, r, picture, sc);
}

static void draw_one_matrix(struct canvas *c, const struct paper *p,
			    const struct frame_model *s, struct rect r, int index,
			    uint32_t row, uint32_t col)
{
	const struct stage_array *a = matrix_at(s, index);

	if (!a || r.w < 1 || r.h < 1)
		return;
	draw_matrix_title(c, p, s, r, a);
	if (p->side) {
		draw_row_numbers(c, p, s, r, a, row);
		draw_column_numbers(c, p, s, r, a, col);
	}
	picture_draw(c, r, s, a, p->form);
}

/* Draws the matrices. Bold rulers mark the row and the column of the lane's
 * place in C, and how far it is along them. */
static void draw_three_matrices(struct canvas *c, const struct paper *p,
				const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct box *home = &sc->home[sc->cursor.lane];
	bool told = home->known && !s->quiet;	/* else a question is open */
	uint32_t row = told ? home->row0 : UINT32_MAX;
	uint32_t col = told ? home->col0 : UINT32_MAX;
	uint32_t of_a = UINT32_MAX, of_b = UINT32_MAX;

	if (told && sc->flat && sc->a >= 0 && sc->array == sc->arrays[sc->a].array)
		of_a = (uint32_t)sc->col;
	if (told && sc->flat && sc->b >= 0 && sc->array == sc->arrays[sc->b].array)
		of_b = (uint32_t)sc->row;
	draw_one_matrix(c, p, s, p->a, sc->a, row, of_a);
	draw_one_matrix(c, p, s, p->b, sc->b, of_b, col);
	draw_one_matrix(c, p, s, p->c, sc->c, row, col);
	if (sc->a >= 0)
		draw_value_flights(c, p, s, p->a, matrix_at(s, sc->a));
	if (sc->b >= 0)
		draw_value_flights(c, p, s, p->b, matrix_at(s, sc->b));
}

void matrices_whole(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct rect old = canvas_clip(c, r);
	struct paper p;
	int low;

	p = paper_of(s, r);
	draw_three_matrices(c, &p, s);
	/* Below B's title if that is in the corner. */
	low = p.over == 1 && beside_b(&p) < r.x + CORNER;
	if (p.b.x - GAP - p.side - r.x > 8)
		draw_corner(c, &p, s, (struct rect){
			r.x + 1, r.y + low, p.b.x - GAP - p.side - r.x - 1,
			p.a.y - r.y - 2 - low }, r);
	canvas_clip(c, old);
}

static bool is_cell_of_rect(struct rect r, int x, int y)
{
	return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

/* Finds the elements of the mark under a cell. */
void matrices_whole_hit(const struct frame_model *s, struct rect r, int x, int y,
			struct hit *hit)
{
	const struct scene *sc = s->scene;
	struct paper p = paper_of(s, r);
	const struct { int index; struct rect r; } all[] = {
		{ sc->a, p.a }, { sc->b, p.b }, { sc->c, p.c },
	};
	struct kit_size k = p.form.size;

	for (size_t i = 0; i < LENGTH(all); i++) {
		const struct stage_array *a = matrix_at(s, all[i].index);
		struct box part;

		if (!a || !is_cell_of_rect(all[i].r, x, y))
			continue;
		part = picture_part(all[i].r, s, a, p.form);
		hit->array = all[i].index;
		hit->rows = (uint32_t)p.form.down * (k.half ? 2 : 1);
		hit->cols = (uint32_t)p.form.across;
		hit->row = part.row0 + (uint32_t)((y - all[i].r.y) / k.h) *
				       hit->rows;
		hit->col = part.col0 + (uint32_t)((x - all[i].r.x) / k.w) *
				       hit->cols;
		if (hit->row < a->rows && hit->col < a->cols)
			hit->kind = HIT_ELEMENT;
	}
}
