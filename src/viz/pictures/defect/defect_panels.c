/* defect_panels: draws the matrices, the tile, the block's threads and the
 * elements of a defect. */
#include "viz/pictures/defect/defect_panels.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "viz/raster.h"

#define RULER 4		/* columns of row numbers, with a gap */
#define MARKS_MOST 1024	/* elements of a mark, in each direction */

/* Fills the unit of an element or thread. */
static void fill_unit(struct canvas *c, struct rect at, struct defect_unit u,
		      int col, int row, enum role role)
{
	for (int y = 0; y < u.h2; y++)
		for (int x = 0; x < u.w; x++)
			canvas_pixel(c, at.x + col * u.w + x,
				     2 * at.y + row * u.h2 + y, role);
}

/* Returns the ground of an element: neighbours differ. */
static enum role checker_role(int col, int row)
{
	return (col + row) % 2 ? ROLE_OWN : ROLE_TILE;
}

static int rows_of(int n, struct defect_unit u)
{
	return (n * u.h2 + 1) / 2;
}

/* ---- the whole ---- */

/* Where the three matrices stand, in marks of `each` x `each` elements. */
struct whole_board {
	struct rect a, b, c;	/* y and h in half rows */
	int each, up;	/* each 1: half rows and columns of an element */
};

bool defect_has_whole(const struct scene *sc)
{
	const struct trace_array *t = sc->facts ? sc->facts->tile.array : NULL;

	return t && sc->product && sc->a >= 0 && sc->b >= 0 && sc->c >= 0 &&
	       sc->arrays[sc->a].rows == sc->info->m &&
	       sc->arrays[sc->b].cols == sc->info->n &&
	       sc->arrays[sc->a].cols == sc->arrays[sc->b].rows &&
	       (t == sc->arrays[sc->a].array || t == sc->arrays[sc->b].array ||
		t == sc->arrays[sc->c].array);
}

/* Returns the tile that lies in this array, or NULL. */
static const struct defect_tile *tile_in(const struct scene *sc,
					 const struct stage_array *a)
{
	return sc->facts->tile.array == a->array ? &sc->facts->tile :
	       sc->facts->second.array == a->array ? &sc->facts->second :
	       NULL;
}

/* Returns how far tiles hang over an array, in elements. */
static int find_overhang(const struct scene *sc, const struct stage_array *a,
			 bool down)
{
	const struct defect_tile *t = tile_in(sc, a);

	return !t ? 0 : (int)(down ? t->below : t->right);
}

static int count_marks(int elements, int each)
{
	return (elements + each - 1) / each;
}

static struct whole_board plan_whole(struct rect r, const struct scene *sc)
{
	const struct stage_array *a = &sc->arrays[sc->a];
	const struct stage_array *b = &sc->arrays[sc->b];
	const struct stage_array *m = &sc->arrays[sc->c];
	int wide = MAX((int)a->cols + find_overhang(sc, a, false),
		       (int)b->rows + find_overhang(sc, b, true));
	int right = (int)m->cols + MAX(find_overhang(sc, b, false),
				       find_overhang(sc, m, false));
	int down = (int)m->rows + MAX(find_overhang(sc, a, true),
				      find_overhang(sc, m, true));
	struct whole_board p = { .each = 1, .up = 1 };
	int x, y, up;

	while (p.each < MARKS_MOST &&
	       (count_marks(wide, p.each) + 2 + count_marks(right, p.each) > r.w ||
	        1 + (count_marks(wide, p.each) + 1) / 2 +
			       (count_marks(down, p.each) + 1) / 2 > r.h))
		p.each *= 2;
	while (p.each == 1 && (p.up + 1) * (wide + right) + 2 <= r.w &&
	       (p.up + 1) * (wide + down) + 3 <= 2 * (r.h - 1))
		p.up++;
	up = p.up;
	x = r.x + up * count_marks(wide, p.each) + 2;
	y = 2 * (r.y + 1) + (up * count_marks(wide, p.each) + 1) / 2 * 2;
	p.b = (struct rect){ x, 2 * (r.y + 1),
			     up * count_marks((int)b->cols, p.each),
			     up * count_marks((int)b->rows, p.each) };
	p.c = (struct rect){ x, y, up * count_marks((int)m->cols, p.each),
			     up * count_marks((int)m->rows, p.each) };
	p.a = (struct rect){ r.x, y, up * count_marks((int)a->cols, p.each),
			     p.c.h };
	return p;
}

static void fill_marks(struct canvas *c, struct rect r, enum role role)
{
	for (int y = 0; y < r.h; y++)
		for (int x = 0; x < r.w; x++)
			canvas_pixel(c, r.x + x, r.y + y, role);
}

/* Draws a matrix, red what tiles reach beyond it, and white the block's
 * tile. */
static void draw_whole_matrix(struct canvas *c, const struct whole_board *p,
			struct rect at, const struct scene *sc,
			const struct stage_array *a, bool red)
{
	const struct defect_tile *t = tile_in(sc, a);
	int each = p->each, up = p->up, below, right;

	fill_marks(c, at, a == &sc->arrays[sc->c] ? ROLE_FIELD : ROLE_TILE);
	if (!t)
		return;
	below = up * count_marks((int)t->below, each);
	right = up * count_marks((int)t->right, each);
	if (below && red)
		fill_marks(c, (struct rect){ at.x, at.y + at.h, at.w + right,
					     below }, ROLE_BAD);
	if (right && red)
		fill_marks(c, (struct rect){ at.x + at.w, at.y, right,
					     at.h + below }, ROLE_BAD);
	fill_marks(c, (struct rect){
		at.x + up * (int)t->col / each, at.y + up * (int)t->row / each,
		up * count_marks((int)(t->cols - t->right), each),
		up * count_marks((int)(t->rows - t->below), each) },
		ROLE_CURSOR);
}

static void name_whole_matrix(struct canvas *c, int x, int y, int w,
			const struct stage_array *a)
{
	canvas_textf(c, x, y, w, INK_BOLD(ROLE_STRONG),
		     "%s %u \xc3\x97 %u", a->array->name, a->rows, a->cols);
}

/* Draws a wedge from the tile's rows at its matrix's right edge to the rows of
 * the enlarged one. */
static void draw_tile_wedge(struct canvas *c, struct rect r, struct rect to,
			    const struct whole_board *p, const struct scene *sc)
{
	const struct defect_tile *t = &sc->facts->tile;
	const struct trace_array *a = t->array;
	struct rect at = a == sc->arrays[sc->a].array ? p->a :
			 a == sc->arrays[sc->b].array ? p->b : p->c;
	double each = (double)p->each / p->up;
	double row = (double)t->row / each, rows = (double)t->rows / each;
	struct raster g;

	if (c->mono || c->ascii)
		return;
	raster_begin(&g, (struct rect){ r.x, r.y, to.x - r.x, r.h });
	raster_wedge(&g, &(struct raster_wedge){
		.a = { (at.y + row) / 2, (at.y + row + rows) / 2,
		       at.x + at.w },
		.b = { to.y + 1, to.y + to.h, to.x },
		.sideways = true }, 1, ROLE_FIELD);
	raster_end(&g, c);
}

void defect_draw_whole(struct canvas *c, struct rect r, struct rect to,
		       const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct stage_array *m[] = { &sc->arrays[sc->a],
		&sc->arrays[sc->b], &sc->arrays[sc->c] };
	struct whole_board p = plan_whole(r, sc);
	char text[64];

	draw_tile_wedge(c, r, to, &p, sc);
	draw_whole_matrix(c, &p, p.a, sc, m[0], !s->quiet);
	draw_whole_matrix(c, &p, p.b, sc, m[1], !s->quiet);
	draw_whole_matrix(c, &p, p.c, sc, m[2], !s->quiet);
	name_whole_matrix(c, p.a.x, p.a.y / 2 - 1, p.b.x - p.a.x - 1, m[0]);
	name_whole_matrix(c, p.b.x, r.y, r.x + r.w - p.b.x, m[1]);
	snprintf(text, sizeof(text), "%s %u \xc3\x97 %u", m[2]->array->name,
		 m[2]->rows, m[2]->cols);
	canvas_right(c, p.c.x, p.c.y / 2 + (p.c.h - 1) / 2, p.c.w, text,
		     INK(ROLE_DIM));
	if (p.each > 1) {
		snprintf(text, sizeof(text),
			 _("%d \xc3\x97 %d elements a mark"), p.each, p.each);
		prose_text(c, (struct rect){ r.x, r.y, p.b.x - r.x - 2, 3 }, 0,
			   text, INK(ROLE_DIM));
	}
}

/* ---- the tile ---- */

struct rect defect_tile_size(const struct defect_tile *t, struct defect_unit u)
{
	return (struct rect){ .w = RULER + (int)t->cols * u.w,
			      .h = 1 + rows_of((int)t->rows, u) };
}

static bool is_overhang(const struct defect_tile *t, uint32_t x, uint32_t y)
{
	return x >= t->cols - t->right || y >= t->rows - t->below;
}

/* Draws an element outside the array as hatched, or writes what was read
 * instead. */
static void draw_over(struct canvas *c, struct rect at, struct defect_unit u,
		      const struct defect_tile *t, int x, int y)
{
	char text[16];
	struct rect r = { at.x + x * u.w, at.y + y * u.h2 / 2, u.w, u.h2 / 2 };

	if (u.h2 < 2)
		return;
	if (t->has[y][x]) {
		number_fit(text, sizeof(text), t->value[y][x], u.w);
		canvas_right(c, r.x, r.y + r.h / 2, u.w, text,
			     INK_ON(ROLE_BAD, ROLE_WASTE));
	} else {
		canvas_fill(c, r, 0x2571, INK_ON(ROLE_BAD, ROLE_WASTE));
	}
}

/* Returns whether thread (x,y) is the finding's. */
static bool is_focus(const struct scene *sc, uint32_t x, uint32_t y)
{
	struct trace_dim at = dim_of(sc->info->block,
				     sc->defect.access.thread);

	return sc->defect.access.known && at.x == x && at.y == y;
}

static void draw_tile_cells(struct canvas *c, struct rect at,
			    const struct frame_model *s,
			    const struct defect_tile *t, struct defect_unit u)
{
	for (uint32_t y = 0; y < t->rows; y++)
		for (uint32_t x = 0; x < t->cols; x++) {
			bool over = is_overhang(t, x, y) && !s->quiet;
			bool focus = is_focus(s->scene, x, y) &&
				     t == &s->scene->facts->tile;

			fill_unit(c, at, u, (int)x, (int)y,
				  focus ? ROLE_CURSOR : over ? ROLE_WASTE :
				  checker_role((int)x, (int)y));
			if (over && !focus)
				draw_over(c, at, u, t, (int)x, (int)y);
		}
}

/* Writes the numbers of the tile's rows and of every fourth column; those outside
 * are red. */
static void rule_tile(struct canvas *c, struct rect at,
		      const struct frame_model *s, const struct defect_tile *t,
		      struct defect_unit u)
{
	char text[24];

	for (uint32_t y = 0; y < t->rows; y += u.h2 < 2 ? 4 : 1) {
		snprintf(text, sizeof(text), "%" PRId64, t->row + y);
		canvas_right(c, at.x - RULER, at.y + (int)y * u.h2 / 2,
			     RULER - 1, text,
			     INK(y >= t->rows - t->below && !s->quiet ?
				 ROLE_BAD : ROLE_FAINT));
	}
	for (uint32_t x = 0; x < t->cols && rows_of((int)t->rows, u) < at.h;
	     x += u.w < 2 ? 8 : u.w < 8 ? 4 : 1)
		canvas_textf(c, at.x + (int)x * u.w,
			     at.y + rows_of((int)t->rows, u), 8 * u.w,
			     INK(x >= t->cols - t->right && !s->quiet ?
				 ROLE_BAD : ROLE_FAINT),
			     "%" PRId64, t->col + x);
}

/* Writes into the hatched rows or columns how many they are. */
static void name_overhang(struct canvas *c, struct rect at,
			  const struct defect_tile *t, struct defect_unit u)
{
	char text[64];
	int w = (int)t->cols * u.w, x;
	int y = at.y + rows_of((int)(t->rows - t->below), u);

	if (!t->below || u.h2 < 2)
		return;
	snprintf(text, sizeof(text),
		 ngettext(" %u row below %s's last ",
			  " %u rows below %s's last ", t->below), t->below,
		 t->array->name);
	x = at.x + (w - text_width(text)) / 2;
	if (text_width(text) <= w - 2 * u.w)
		canvas_text(c, x, y + (int)t->below * u.h2 / 4, -1, text,
			    (struct ink){ ROLE_STRONG, ROLE_WASTE,
					  ATTR_BOLD });
}

static bool reads_next_row(const struct defect_tile *t)
{
	for (uint32_t y = 0; y < t->rows; y++)
		for (uint32_t x = 0; x < t->cols; x++)
			if (t->has[y][x])
				return true;
	return false;
}

void defect_draw_tile(struct canvas *c, struct rect r,
		      const struct frame_model *s, const struct defect_tile *t,
		      struct defect_unit u)
{
	bool slides = t == &s->scene->facts->tile;
	double part = !slides || s->quiet ? 1 : kit_act(s->t, 0, 0.4);
	struct rect at = { r.x + RULER - (int)kit_between(r.w, 0, part),
			   r.y + 1, r.w - RULER, r.h - 1 };
	struct rect old = canvas_clip(c, r);
	int x = r.x + RULER;

	x += canvas_textf(c, x, r.y, r.x + r.w - x, INK_BOLD(ROLE_STRONG),
			  "%s[%" PRId64 "\xe2\x80\x93%" PRId64 "][%" PRId64
			  "\xe2\x80\x93%" PRId64 "]", t->array->name, t->row,
			  t->row + t->rows - 1, t->col,
			  t->col + t->cols - 1);
	if (reads_next_row(t) && !s->quiet)
		kit_whole(c, x + 2, r.y, r.x + r.w - x - 2,
			  _("red: next row"), INK(ROLE_BAD));
	draw_tile_cells(c, at, s, t, u);
	canvas_clip(c, old);
	if (part < 1)
		return;
	rule_tile(c, at, s, t, u);
	if (!s->quiet)
		name_overhang(c, at, t, u);
}

/* ---- the elements of an array ---- */

/* Returns the mark of the finding's element: how large, and of how many
 * elements. */
static struct defect_unit plan_marks(struct rect r, const struct defect_facts *f,
				     int *each)
{
	int w = r.w - RULER, h2 = 2 * (r.h - 1), n;

	*each = 1;
	n = MIN(MIN(w / (int)f->cols, h2 / (int)f->rows), 16);
	for (; n < 1 && *each < MARKS_MOST; n = w / count_marks((int)f->cols, *each) >= 1 &&
			  h2 / count_marks((int)f->rows, *each) >= 1)
		*each *= 2;
	return (struct defect_unit){ MAX(n, 1), MAX(n, 1) };
}

struct rect defect_marks_size(struct rect room, const struct defect_facts *f)
{
	int each;
	struct defect_unit u = plan_marks(room, f, &each);

	return (struct rect){ .w = RULER + count_marks((int)f->cols, each) * u.w,
			      .h = 1 + rows_of(count_marks((int)f->rows, each),
					       u) };
}

/* Counts the marked elements of a mark, and those in the array. */
static int count_marked(const struct defect_facts *f, int x, int y, int each,
			int *all)
{
	int n = 0;

	*all = 0;
	for (int i = y * each; i < (y + 1) * each && i < (int)f->rows; i++)
		for (int j = x * each;
		     j < (x + 1) * each && j < (int)f->cols; j++) {
			n += f->marks[i * (int)f->cols + j];
			++*all;
		}
	return n;
}

static void draw_mark_cells(struct canvas *c, struct rect at,
			    const struct frame_model *s, struct defect_unit u,
			    int each)
{
	const struct defect_facts *f = s->scene->facts;
	const struct defect *d = &s->scene->defect;
	int rows = count_marks((int)f->rows, each), all, n;
	int cols = count_marks((int)f->cols, each);
	double part = s->quiet ? 0 : s->t;

	for (int y = 0; y < rows; y++)
		for (int x = 0; x < cols; x++) {
			enum role role = checker_role(x, y);

			n = count_marked(f, x, y, each, &all);
			/* Red comes from the top, row by row. */
			if (n && y < part * rows)
				role = n < all ? ROLE_TRAIL3 : ROLE_WASTE;
			if (y == d->row / each && x == d->col / each &&
			    !d->outside)
				role = s->quiet ? ROLE_CURSOR : ROLE_BAD;
			fill_unit(c, at, u, x, y, role);
		}
}

void defect_draw_marks(struct canvas *c, struct rect r,
		       const struct frame_model *s)
{
	const struct defect_facts *f = s->scene->facts;
	const struct defect *d = &s->scene->defect;
	int each, x;
	struct defect_unit u = plan_marks(r, f, &each);
	struct rect at = { r.x + RULER, r.y + 1, r.w - RULER, r.h - 1 };
	char text[96];

	x = r.x + canvas_textf(c, r.x, r.y, r.w, INK_BOLD(ROLE_STRONG),
			       "%s %u \xc3\x97 %u", d->array->name, f->rows,
			       f->cols) + 2;
	snprintf(text, sizeof(text), _("%u such elements"), f->marked);
	if (!s->quiet && f->marked > 1)
		x += kit_whole(c, x, r.y, r.x + r.w - x, text,
			       INK(ROLE_BAD)) + 2;
	draw_mark_cells(c, at, s, u, each);
	for (int y = 0; y < count_marks((int)f->rows, each);
	     y += u.h2 < 2 ? 4 : 1 + u.h2 % 2) {
		snprintf(text, sizeof(text), "%d", y * each);
		canvas_right(c, r.x, at.y + y * u.h2 / 2, RULER - 1, text,
			     INK(ROLE_FAINT));
	}
	snprintf(text, sizeof(text), _("%d \xc3\x97 %d elements a mark"), each,
		 each);
	if (each > 1)
		kit_whole(c, x, r.y, r.x + r.w - x, text, INK(ROLE_DIM));
	else if (rows_of((int)f->rows, u) < at.h)
		kit_axis(c, &(struct kit_axis){
			at.x, at.y + rows_of((int)f->rows, u), u.w, 0, f->cols,
			1, d->outside ? -1 : d->col });
}

/* ---- the block's threads ---- */

/* Returns the threads in a row: as the block has them, or as a warp has. */
static int threads_across(const struct scene *sc)
{
	struct trace_dim b = sc->info->block;

	return b.y > 1 && b.x <= DEFECT_SIDE ? (int)b.x : WARP_LANES;
}

struct rect defect_threads_size(const struct scene *sc, struct defect_unit u)
{
	int across = threads_across(sc);
	int rows = count_marks((int)sc->facts->meeting.threads, across);

	return (struct rect){ .w = RULER + across * u.w,
			      .h = 1 + rows_of(rows, u) };
}

static bool has_arrived_thread(const struct defect_meeting *m, uint32_t thread)
{
	return m->lanes[thread / WARP_LANES] >> thread % WARP_LANES & 1;
}

/* Draws the threads that have arrived so far; then those that stay away. */
static void draw_thread_cells(struct canvas *c, struct rect at,
			      const struct frame_model *s,
			      struct defect_unit u)
{
	const struct defect_meeting *m = &s->scene->facts->meeting;
	int across = threads_across(s->scene);
	double part = s->quiet ? 0 : kit_act(s->t, 0.4, 0.8);
	uint32_t come = (uint32_t)(part * m->come), n = 0;

	for (uint32_t i = 0; i < m->threads; i++) {
		int x = (int)i % across, y = (int)i / across;
		enum role role = ROLE_FIELD;

		if (has_arrived_thread(m, i) && n++ < come)
			role = checker_role(x, y);
		else if (!has_arrived_thread(m, i) && s->t >= 0.9 && !s->quiet)
			role = ROLE_WASTE;
		if (i == s->scene->defect.access.thread)
			role = ROLE_CURSOR;
		fill_unit(c, at, u, x, y, role);
	}
}

/* Names each warp at its first row, red if a lane of it is missing. */
static void name_warps(struct canvas *c, struct rect at,
		       const struct frame_model *s, struct defect_unit u)
{
	const struct defect_meeting *m = &s->scene->facts->meeting;
	int across = threads_across(s->scene), last = -1;

	for (uint32_t w = 0; w * WARP_LANES < m->threads; w++) {
		uint32_t n = MIN(m->threads - w * WARP_LANES, WARP_LANES);
		bool all = __builtin_popcount(m->lanes[w]) == (int)n;
		int y = at.y + (int)w * WARP_LANES / across * u.h2 / 2;

		if (y == last)
			continue;
		last = y;
		canvas_textf(c, at.x - RULER, y, RULER - 1,
			     all || s->quiet ? INK(ROLE_FAINT) :
					       INK_BOLD(ROLE_BAD), "w%u", w);
	}
}

/* Writes how many there are into the longest run of rows in which all have come,
 * or none has. Returns false if no rows have room. */
static bool write_row_numbers(struct canvas *c, struct rect at,
		      const struct frame_model *s, struct defect_unit u,
		      bool come, const char *text)
{
	const struct defect_meeting *m = &s->scene->facts->meeting;
	int across = threads_across(s->scene), best = 0, first = 0, run = 0;
	int rows = count_marks((int)m->threads, across);

	for (int y = 0; y < rows; y++) {
		bool all = true, none = true;

		for (int x = 0; x < across; x++) {
			uint32_t i = (uint32_t)(y * across + x);

			all &= i >= m->threads || has_arrived_thread(m, i);
			none &= i >= m->threads || !has_arrived_thread(m, i);
		}
		run = (come ? all : none) ? run + 1 : 0;
		if (run > best) {
			best = run;
			first = y + 1 - run;
		}
	}
	if (best * u.h2 < 4 || text_width(text) + 2 > across * u.w)
		return false;
	canvas_textf(c, at.x + (across * u.w - text_width(text) - 2) / 2,
		     at.y + (2 * first + best) * u.h2 / 4, -1,
		     (struct ink){ ROLE_STRONG, come ? ROLE_OWN : ROLE_WASTE,
				   ATTR_BOLD }, " %s ", text);
	return true;
}

void defect_draw_threads(struct canvas *c, struct rect r,
			 const struct frame_model *s, struct defect_unit u)
{
	const struct defect_meeting *m = &s->scene->facts->meeting;
	struct rect at = { r.x + RULER, r.y + 1, r.w - RULER, r.h - 1 };
	char text[96];
	int x;

	snprintf(text, sizeof(text), _("barrier, line %u"), m->line);
	x = r.x + canvas_text(c, r.x, r.y, r.w, text, INK_BOLD(ROLE_STRONG)) +
	    2;
	draw_thread_cells(c, at, s, u);
	name_warps(c, at, s, u);
	if (s->quiet || s->t < 0.9)
		return;
	snprintf(text, sizeof(text), _("%u missing"), m->threads - m->come);
	if (!write_row_numbers(c, at, s, u, false, text))
		canvas_text(c, x, r.y, r.x + r.w - x, text,
			    INK_BOLD(ROLE_BAD));
	snprintf(text, sizeof(text), _("%u have come"), m->come);
	write_row_numbers(c, at, s, u, true, text);
}
