/*
 * Carriers, then workers: who loads which elements of A and B, who computes
 * which of C, and how the same threads change from one role to the other.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scene/scene_carriers.h"
#include "scene/stage.h"
#include "viz/kit.h"
#include "viz/plain_tiles.h"
#include "viz/show.h"

#define LABEL 5		/* columns of the warps' names */
#define WORDS 3		/* rows below the picture */

/* `per` elements take `cells` columns, or half rows. */
struct axis { int cells, per; };

struct plane {
	const struct carrier_map *map;
	int x, y;		/* in cells; its title stands above */
};

struct plan {
	struct axis across, down;
	struct plane a, b, c;
};

static int span(struct axis a, uint32_t n)
{
	return ((int)n * a.cells + a.per - 1) / a.per;
}

static uint32_t rows_of(const struct carrier_map *m)
{
	return m->array < 0 ? 0 : m->box.row1 - m->box.row0 + 1;
}

static uint32_t cols_of(const struct carrier_map *m)
{
	return m->array < 0 ? 0 : m->box.col1 - m->box.col0 + 1;
}

/* The largest at which `n` elements fit in `room`. Four elements, a strip, keep
 * a width of their own as long as they can; where threads have strips, only
 * those need to be of the same width. */
static struct axis axis_for(uint32_t n, int room, bool strips)
{
	static const int cells[] = { 32, 28, 24, 20, 16, 12, 8, 7, 6, 5, 4, 3,
				     2, 1 };
	struct axis a = { 1, 4 };

	for (size_t i = 0; i < LENGTH(cells); i++) {
		if (cells[i] > 4 && cells[i] % 4 && !strips)
			continue;
		a.cells = cells[i];
		if (span(a, n) <= room)
			return a;
	}
	while (span(a, n) > room && a.per < 1 << 16)
		a.per *= 2;
	return a;
}

/*	     B		or, in a row,
 *	A    C		A    B    C	*/
static struct plan plan_for(struct rect r, const struct carriers *k, bool row)
{
	const struct carrier_map *a = &k->load[0], *b = &k->load[1];
	const struct carrier_map *c = &k->work;
	struct plan p = { .a.map = a, .b.map = b, .c.map = c };
	uint32_t right = row ? cols_of(b) + cols_of(c) :
			       MAX(cols_of(b), cols_of(c));
	uint32_t down = row ? MAX(rows_of(b), rows_of(c)) :
			      rows_of(b) + rows_of(c);
	int gaps = row ? 2 : 1, high = 2 * (r.h - WORDS - 2) - 1;

	/* The names of the warps of all columns, and gaps. */
	p.across = axis_for(cols_of(a) + right,
			    r.w - (gaps + 1) * LABEL - 2 * gaps,
			    a->each % 4 == 0 && c->each % 4 == 0);
	p.down = axis_for(MAX(rows_of(a), down), high, false);
	if (row)	/* no higher than a cell of one column */
		p.down.cells = MIN(p.down.cells,
				   MAX(2 * p.across.cells / p.across.per, 1) *
				   p.down.per);
	p.a.x = r.x + LABEL;
	p.b.x = p.c.x = p.a.x + span(p.across, cols_of(a)) + 2 + LABEL;
	p.a.y = p.b.y = p.c.y = r.y + 1;
	if (row)
		p.c.x = p.b.x + span(p.across, cols_of(b)) + 2 + LABEL;
	else
		p.c.y = p.b.y + (span(p.down, rows_of(b)) + 1) / 2 + 1;
	return p;
}

static double area(const struct plan *p)
{
	return (double)p->across.cells / p->across.per * p->down.cells /
	       p->down.per;
}

/* What gives the larger elements; side by side only if none shares a column. */
static struct plan plan_of(struct rect r, const struct carriers *k)
{
	struct plan paper = plan_for(r, k, false);
	struct plan row = plan_for(r, k, true);

	return row.across.cells >= row.across.per && area(&row) > area(&paper) ?
	       row : paper;
}

/* ---- colours ---- */

static enum role thread_role(const struct scene *sc, int32_t thread,
			     bool here, bool bright)
{
	int hue = thread / WARP_LANES % 4;

	if (bright && (uint32_t)thread == sc->thread_linear)
		return ROLE_CURSOR;
	if (here)
		return (enum role)((thread % 2 ? ROLE_TRAIL0 : ROLE_HUE0) +
				   hue);
	return (enum role)((thread % 2 ? ROLE_FADE0 : ROLE_TRAIL0) + hue);
}

/* How far a warp's threads have changed their role: one warp after another. */
static double changed(const struct show *s, int32_t thread)
{
	const struct carriers *k = s->scene->carriers;
	double n = (k->threads + WARP_LANES - 1) / WARP_LANES;
	double w = thread / WARP_LANES;

	if (k->role == CARRIER_LOADS || s->quiet)
		return 0;
	return k->role == CARRIER_COMPUTES ? 1 :
	       kit_act(s->t, w / (n + 1), (w + 2) / (n + 1));
}

/* ---- planes ---- */

struct spot { double x, y; };

static struct spot spot_of(const struct plan *p, const struct plane *at,
			   uint32_t row, uint32_t col)
{
	return (struct spot){
		at->x + (int)col * p->across.cells / p->across.per,
		2 * at->y + (int)row * p->down.cells / p->down.per };
}

static void paint(struct canvas *c, struct spot at, int w, int h,
		  enum role role)
{
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			canvas_pixel(c, (int)(at.x + 0.5) + x,
				     (int)(at.y + 0.5) + y, role);
}

/* What lies between an element and the next one; 0: they share a mark. */
static int width_of(struct axis a, uint32_t at)
{
	return (int)(at + 1) * a.cells / a.per - (int)at * a.cells / a.per;
}

static void draw_plane(struct canvas *c, const struct plan *p,
		       const struct plane *at, const struct show *s,
		       bool working)
{
	const struct carrier_map *m = at->map;
	uint32_t cols = cols_of(m), n = rows_of(m) * cols;
	uint32_t share = (uint32_t)MAX(p->down.per / p->down.cells, 1);

	/* Rows that share a mark take turns in it, from strip to strip, but the
	 * focus is seen in any case. */
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < n; i++) {
			int32_t by = m->by[i];
			bool own = (uint32_t)by == s->scene->thread_linear;
			double gone = by < 0 ? 0 : changed(s, by);
			bool here = working ? gone >= 1 : gone <= 0;
			int w = width_of(p->across, i % cols);
			int h = width_of(p->down, i / cols);

			if (pass ? !own || s->quiet :
			    i / cols % share != i % cols / 4 % share)
				continue;
			paint(c, spot_of(p, at, i / cols, i % cols),
			      MAX(w, pass), MAX(h, 1),
			      by < 0 ? ROLE_FIELD :
			      thread_role(s->scene, by, here,
					  !s->quiet && (here || !working)));
		}
}

/* The warps of the elements of a line of the screen: the first and the last in
 * its first column. False: none. */
static bool warps_of(const struct plan *p, const struct plane *at,
		     uint32_t *row, int32_t *first, int32_t *last)
{
	const struct carrier_map *m = at->map;
	uint32_t cols = cols_of(m);
	int y = (int)spot_of(p, at, *row, 0).y / 2;

	*first = *last = -1;
	for (; *row < rows_of(m) &&
	     (int)spot_of(p, at, *row, 0).y / 2 == y; ++*row) {
		int32_t by = m->by[*row * cols], warp = by / WARP_LANES;

		if (by < 0)
			continue;
		*first = *first < 0 ? warp : MIN(*first, warp);
		*last = MAX(*last, warp);
	}
	return *first >= 0;
}

static struct ink warp_ink(const struct show *s, int32_t first, int32_t last)
{
	int32_t own = (int32_t)s->scene->warp.warp;

	return own >= first && own <= last ? INK_BOLD(ROLE_STRONG) :
	       first < last ? INK(ROLE_DIM) :
			      INK((enum role)(ROLE_HUE0 + first % 4));
}

/* The other warps of a row, each in its own part of it. */
static void draw_beside(struct canvas *c, const struct plan *p,
			const struct plane *at, uint32_t row)
{
	const int32_t *by = &at->map->by[row * cols_of(at->map)];
	int32_t last = by[0] / WARP_LANES;

	for (uint32_t col = 1; col < cols_of(at->map); col++) {
		int32_t warp = by[col] < 0 ? last : by[col] / WARP_LANES;
		struct spot spot = spot_of(p, at, row, col);

		if (warp != last)
			canvas_textf(c, (int)spot.x, (int)spot.y / 2, 4,
				     INK_ON(ROLE_ON_HUE, (enum role)(
					    ROLE_HUE0 + warp % 4)), "w%d",
				     warp);
		last = warp;
	}
}

/* The names of the warps, each beside its first row; of several that share a
 * line the first and the last. */
static void draw_warps(struct canvas *c, const struct plan *p,
		       const struct plane *at, const struct show *s)
{
	int32_t first, last, old[2] = { -1, -1 };

	for (uint32_t row = 0, from = 0; row < rows_of(at->map); from = row) {
		int y = (int)spot_of(p, at, row, 0).y / 2;
		char text[24];

		if (!warps_of(p, at, &row, &first, &last) ||
		    (first == old[0] && last == old[1]))
			continue;
		snprintf(text, sizeof(text), first < last ? "w%d-%d" : "w%d",
			 first, last);
		if (text_width(text) >= LABEL)
			snprintf(text, sizeof(text), "w%d", first);
		canvas_right(c, at->x - LABEL, y, LABEL - 1, text,
			     warp_ink(s, first, last));
		if (first == last)
			draw_beside(c, p, at, from);
		old[0] = first;
		old[1] = last;
	}
}

static void draw_title(struct canvas *c, struct rect r, const struct plan *p,
		       const struct plane *at, const struct show *s)
{
	const struct carrier_map *m = at->map;
	int x = at->x, w = at == &p->a ? p->b.x - 1 - x :
			   at->x < p->c.x ? p->c.x - 1 - x : r.x + r.w - x;
	const char *name = s->scene->arrays[m->array].array->name;
	const char *role = at == &p->c ? _("  computed") : _("  carried");
	char each[96];

	x += canvas_textf(c, x, at->y - 1, w, INK_BOLD(ROLE_STRONG), "%s",
			  name);
	x += canvas_textf(c, x, at->y - 1, at->x + w - x, INK(ROLE_DIM),
			  " %u \xc3\x97 %u", rows_of(m), cols_of(m));
	snprintf(each, sizeof(each), _("%s, %u a thread"), role, m->each);
	if (s->quiet || !m->each || text_width(each) > at->x + w - x)
		snprintf(each, sizeof(each), "%s", role);
	kit_whole(c, x, at->y - 1, at->x + w - x, each, INK(ROLE_DIM));
}

/* ---- the change of roles ---- */

static uint32_t first_of(const struct carrier_map *m, int32_t thread,
			 uint32_t from)
{
	uint32_t n = rows_of(m) * cols_of(m);

	while (from < n && m->by[from] != thread)
		from++;
	return from;
}

/* Each thread that is under way, from its strip to its part of C. */
static void draw_flights(struct canvas *c, const struct plan *p,
			 const struct plane *from, const struct show *s)
{
	const struct carriers *k = s->scene->carriers;
	const struct carrier_map *to = &k->work;

	if (k->role != CARRIER_CHANGES || s->quiet || to->array < 0 ||
	    from->map->array < 0)
		return;
	for (int32_t t = 0; t < (int32_t)k->threads; t++) {
		double part = changed(s, t);
		uint32_t i, j;
		struct spot a, b;

		if (part <= 0 || part >= 1)
			continue;
		i = first_of(from->map, t, 0);
		j = first_of(to, t, 0);
		if (i >= rows_of(from->map) * cols_of(from->map) ||
		    j >= rows_of(to) * cols_of(to))
			continue;
		a = spot_of(p, from, i / cols_of(from->map),
			    i % cols_of(from->map));
		b = spot_of(p, &p->c, j / cols_of(to), j % cols_of(to));
		paint(c, (struct spot){ kit_between(a.x, b.x, part),
					kit_between(a.y, b.y, part) },
		      MAX(1, span(p->across, 4)), MAX(1, span(p->down, 2)),
		      thread_role(s->scene, t, true, true));
	}
}

/* ---- words ---- */

static void part_words(char *buf, size_t size, const struct show *s,
		       const struct carrier_map *m)
{
	uint32_t thread = s->scene->thread_linear;
	char rows[48], cols[48];

	buf[0] = 0;
	if (m->array < 0 || !m->own.known)
		return;
	carriers_lines(rows, sizeof(rows), m, thread, true);
	carriers_lines(cols, sizeof(cols), m, thread, false);
	snprintf(buf, size, "%s[%s][%s]",
		 s->scene->arrays[m->array].array->name, rows, cols);
}

void carriers_roles(char *carrier, char *worker, size_t size,
		    const struct show *s)
{
	const struct carriers *k = s->scene->carriers;
	char a[128], b[128], c[128];

	part_words(a, sizeof(a), s, &k->load[0]);
	part_words(b, sizeof(b), s, &k->load[1]);
	part_words(c, sizeof(c), s, &k->work);
	if (k->role == CARRIER_LOADS && s->scene->array &&
	    s->scene->array->space == SPACE_GLOBAL) {
		bool first = k->load[0].array >= 0 && s->scene->array ==
			     s->scene->arrays[k->load[0].array].array;

		(first ? b : a)[0] = 0;
	}
	if (a[0] && b[0])
		snprintf(carrier, size, _("thread %u carries %s and %s"),
			 s->scene->thread_linear, a, b);
	else if (a[0] || b[0])
		snprintf(carrier, size, _("thread %u carries %s"),
			 s->scene->thread_linear, a[0] ? a : b);
	else
		snprintf(carrier, size, _("thread %u carries nothing"),
			 s->scene->thread_linear);
	worker[0] = 0;
	if (c[0] && k->role != CARRIER_LOADS)
		snprintf(worker, size, _("the same thread computes %s"), c);
}

/* What colours mean. */
static void draw_signs(struct canvas *c, struct rect r, const struct plan *p)
{
	const char *share = p->across.cells < p->across.per ||
			    p->down.cells < p->down.per ?
			    _("a mark: several elements") : "";
	const char *colours = _("warps take 4 colours in turn, threads 2 "
				"shades");

	canvas_right(c, r.x, r.y, r.w, share, INK(ROLE_FAINT));
	if (text_width(colours) + 1 + text_width(share) <= r.w)
		canvas_text(c, r.x, r.y, r.w, colours, INK(ROLE_FAINT));
}

static void draw_words(struct canvas *c, struct rect r, const struct show *s,
		       const struct plan *p)
{
	enum carrier_role role = s->scene->carriers->role;
	char carrier[256], worker[256];
	int y = r.y + r.h - WORDS + 1;

	if (!s->quiet) {
		carriers_roles(carrier, worker, sizeof(carrier), s);
		canvas_text(c, r.x, y, r.w, carrier,
			    role == CARRIER_COMPUTES ? INK(ROLE_DIM) :
			    INK_BOLD(ROLE_STRONG));
		canvas_text(c, r.x, y + 1, r.w, worker,
			    role == CARRIER_LOADS ? INK(ROLE_DIM) :
			    INK_BOLD(ROLE_STRONG));
	}
	draw_signs(c, (struct rect){ r.x, y - 1, r.w - 1, 1 }, p);
}

static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	const struct carriers *k = s->scene->carriers;
	const struct plane *planes[3];
	struct plan p;

	if (!k)
		return;
	p = plan_of(r, k);
	planes[0] = &p.a;
	planes[1] = &p.b;
	planes[2] = &p.c;
	for (int i = 0; i < 3; i++) {
		if (planes[i]->map->array < 0)
			continue;
		draw_plane(c, &p, planes[i], s, i == 2);
		draw_title(c, r, &p, planes[i], s);
		draw_warps(c, &p, planes[i], s);
	}
	draw_flights(c, &p, &p.a, s);
	draw_flights(c, &p, &p.b, s);
	draw_words(c, r, s, &p);
}

/* Loads of several elements at once: threads carry what others compute with. */
static bool carries(const struct scene *sc)
{
	for (size_t i = 0; i < sc->info->site_count; i++) {
		const struct trace_site *ts = &sc->info->sites[i];

		if (ts->op == OP_LD &&
		    sc->info->arrays[ts->array].space == SPACE_GLOBAL)
			return true;
	}
	return false;
}

static bool available(const struct show *s)
{
	return s->scene && scene_has(s->scene, SPACE_SHARED) &&
	       carries(s->scene);
}

/* A load of strips, and the barrier behind one. */
static enum view_rank rank(const struct scene *sc)
{
	const struct trace_site *ts = sc->site;

	if (!sc->array || sc->array->space != SPACE_GLOBAL || ts->op != OP_LD ||
	    !scene_has(sc, SPACE_SHARED))
		return RANK_NONE;
	return ts->bytes > sc->array->elem_bytes ? RANK_STEP : RANK_BESIDE;
}

const struct view view_carriers = {
	.name = "carriers",
	.title = N_("carriers and workers"),
	.help = N_("which thread loads which elements, and which it computes"),
	.pane = PANE_PICTURE,
	.available = available,
	.rank = rank,
	.prepare = scene_carriers,
	.draw = draw,
	.words = carriers_words,
};
