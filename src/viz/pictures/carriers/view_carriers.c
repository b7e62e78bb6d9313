/*
 * Carriers, then workers: which thread loads which elements of A and B, which
 * computes which of C, and how the same threads change from one role to the
 * other.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scene/stage.h"
#include "viz/pictures/carriers/carriers_plan.h"
#include "viz/kit.h"
#include "viz/frame_model.h"

/* ---- colours ---- */

/* Returns the colour of a thread's elements: the focused thread's warp has a
 * hue, other warps are grey; `odd` alternates. A thread that is not `here` (it
 * has left or has not come) leaves a field. */
static enum role thread_role(const struct scene *sc, int32_t thread, bool odd,
			     bool here)
{
	if (thread < 0 || !here)
		return ROLE_FIELD;
	if ((uint32_t)thread / WARP_LANES == sc->warp.warp)
		return odd ? ROLE_TRAIL0 : ROLE_HUE0;
	return odd ? ROLE_OWN : ROLE_SEEN;
}

/* Returns how far a warp's threads have changed their role, 0 to 1: one warp
 * after another. */
static double role_progress(const struct frame_model *s, int32_t thread)
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

struct carrier_spot {
	double x, y;
};

static struct carrier_spot spot_of(const struct carriers_plan *p,
				   const struct carriers_plane *at,
				   uint32_t row, uint32_t col)
{
	return (struct carrier_spot){
		at->x + (int)col * p->across.cells / p->across.per,
		2 * at->y + (int)row * at->down.cells / at->down.per
	};
}

static void fill_pixels(struct canvas *c, struct carrier_spot at, int w, int h,
			enum role role)
{
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			canvas_pixel(c, (int)(at.x + 0.5) + x,
				     (int)(at.y + 0.5) + y, role);
}

/* Returns the marks of element `at`; 0: it shares a mark with the next one. */
static int element_marks(struct carriers_axis a, uint32_t at)
{
	return (int)(at + 1) * a.cells / a.per - (int)at * a.cells / a.per;
}

static bool is_here(const struct carriers_plan *p,
		    const struct carriers_plane *at, const struct frame_model *s,
		    int32_t thread)
{
	double gone = thread < 0 ? 0 : role_progress(s, thread);

	return at == &p->c ? gone >= 1 : gone <= 0;
}

static void draw_plane(struct canvas *c, const struct carriers_plan *p,
		       const struct carriers_plane *at, const struct frame_model *s)
{
	const struct carrier_map *m = at->map;
	uint32_t cols = carriers_cols(m), n = carriers_rows(m) * cols;
	int32_t own = (int32_t)s->scene->warp.warp;

	/* Of rows that share a mark the focused warp's is drawn last. */
	for (uint32_t k = 0; k < 2 * n; k++) {
		uint32_t i = k % n, row = i / cols, col = i % cols;
		bool here = is_here(p, at, s, m->by[i]);
		bool odd = (row / at->rows + col / at->cols) % 2;
		bool ours = m->by[i] >= 0 && m->by[i] / WARP_LANES == own;

		if (ours == (k >= n))
			fill_pixels(c, spot_of(p, at, row, col),
				    element_marks(p->across, col),
				    MAX(element_marks(at->down, row), 1),
				    thread_role(s->scene, m->by[i], odd, here));
	}
}

/* Draws the focused thread's elements over all others. */
static void draw_own_elements(struct canvas *c, const struct carriers_plan *p,
			      const struct carriers_plane *at,
			      const struct frame_model *s)
{
	const struct carrier_map *m = at->map;
	uint32_t cols = carriers_cols(m), n = carriers_rows(m) * cols;
	int32_t own = (int32_t)s->scene->thread_linear;
	bool here = is_here(p, at, s, own);

	if (s->quiet || (at == &p->c && !here))
		return;
	for (uint32_t i = 0; i < n; i++)
		if (m->by[i] == own)
			fill_pixels(c, spot_of(p, at, i / cols, i % cols),
				    MAX(element_marks(p->across, i % cols), 1),
				    MAX(element_marks(at->down, i / cols), 1),
				    here ? ROLE_CURSOR : ROLE_OWN);
}

/* Gets the warps in the first column of a line of the screen: the first and the
 * last. Moves *row to the next line. Returns false if there are none. */
static bool warps_of_line(const struct carriers_plan *p,
			  const struct carriers_plane *at, uint32_t *row,
			  int32_t *first, int32_t *last)
{
	const struct carrier_map *m = at->map;
	uint32_t cols = carriers_cols(m);
	int y = (int)spot_of(p, at, *row, 0).y / 2;

	*first = *last = -1;
	for (; *row < carriers_rows(m) &&
	     (int)spot_of(p, at, *row, 0).y / 2 == y; ++*row) {
		int32_t by = m->by[*row * cols], warp = by / WARP_LANES;

		if (by < 0)
			continue;
		*first = *first < 0 ? warp : MIN(*first, warp);
		*last = MAX(*last, warp);
	}
	return *first >= 0;
}

static struct ink warp_ink(const struct frame_model *s, int32_t first, int32_t last)
{
	int32_t own = (int32_t)s->scene->warp.warp;

	return own >= first && own <= last ? INK_BOLD(ROLE_HUE0) :
					     INK(ROLE_DIM);
}

/* Writes the names of the other warps of a row, each at its part of the row. */
static void draw_row_warps(struct canvas *c, const struct carriers_plan *p,
			   const struct carriers_plane *at, uint32_t row,
			   const struct frame_model *s)
{
	const int32_t *by = &at->map->by[row * carriers_cols(at->map)];
	int32_t last = by[0] / WARP_LANES;

	for (uint32_t col = 1; col < carriers_cols(at->map); col++) {
		int32_t warp = by[col] < 0 ? last : by[col] / WARP_LANES;
		struct carrier_spot spot = spot_of(p, at, row, col);

		if (warp != last)
			canvas_textf(c, (int)spot.x, (int)spot.y / 2, 4,
				     INK_ON(ROLE_ON_HUE, warp == (int32_t)
					    s->scene->warp.warp ? ROLE_HUE0 :
					    ROLE_SEEN), "w%d", warp);
		last = warp;
	}
}

/* Writes the names of the warps, each at the left of its first row. If warps
 * share a line, only that of the focused warp is written. */
static void draw_warps(struct canvas *c, const struct carriers_plan *p,
		       const struct carriers_plane *at, const struct frame_model *s)
{
	int32_t first, last, old[2] = { -1, -1 };
	int32_t own = (int32_t)s->scene->warp.warp;

	for (uint32_t row = 0, from = 0; row < carriers_rows(at->map); from = row) {
		int y = (int)spot_of(p, at, row, 0).y / 2;
		char text[24];
		bool ours;

		if (!warps_of_line(p, at, &row, &first, &last) ||
		    (first == old[0] && last == old[1]))
			continue;
		ours = own >= first && own <= last;
		snprintf(text, sizeof(text), "w%d", ours ? own : first);
		if (ours || first == last)
			canvas_right(c, at->x - at->label, y, at->label - 1,
				     text, warp_ink(s, first, last));
		if (first == last)
			draw_row_warps(c, p, at, from, s);
		old[0] = first;
		old[1] = last;
	}
}

/* Tells whether the threads work on this plane: not on A while the request
 * loads B. */
static bool is_active(const struct carriers_plan *p,
		      const struct carriers_plane *at, const struct frame_model *s)
{
	const struct carriers_plane *other = at == &p->a ? &p->b : &p->a;

	if (s->scene->carriers->role == CARRIER_COMPUTES || at == &p->c)
		return (s->scene->carriers->role == CARRIER_COMPUTES) ==
		       (at == &p->c);
	return other->map->array < 0 || !s->scene->array ||
	       s->scene->arrays[other->map->array].array != s->scene->array;
}

/* Writes "A 64 x 16, a thread carries 4", as much of it as fits. */
static void draw_carrier_title(struct canvas *c, const struct carriers_plan *p,
			       const struct carriers_plane *at,
			       const struct frame_model *s)
{
	const struct carrier_map *m = at->map;
	const char *name = s->scene->arrays[m->array].array->name;
	bool active = is_active(p, at, s);
	struct rect r = at->title;
	char size[48], each[96] = "";
	int w;

	/* The elements, or where these do not fit, how many they are. */
	snprintf(size, sizeof(size), "[%u..%u][%u..%u]", m->box.row0,
		 m->box.row1, m->box.col0, m->box.col1);
	if (text_width(name) + text_width(size) > r.w)
		snprintf(size, sizeof(size), " %u \xc3\x97 %u",
			 carriers_rows(m), carriers_cols(m));
	if (!s->quiet && m->each)
		snprintf(each, sizeof(each), at == &p->c ?
			 _(", a thread computes %u") :
			 _(", a thread carries %u"), m->each);
	w = text_width(name) + text_width(size);
	if (w + text_width(each) > r.w)
		each[0] = 0;
	if (r.x < at->x)	/* beside it */
		r.x += MAX(r.w - w - text_width(each), 0);
	r.x += canvas_text(c, r.x, r.y, r.w, name, INK_BOLD(active ?
			   ROLE_ACCENT : ROLE_STRONG));
	r.x += canvas_text(c, r.x, r.y, -1, size, INK(ROLE_DIM));
	canvas_text(c, r.x, r.y, -1, each, INK(ROLE_DIM));
}

/* Writes in C why it is empty: the threads do not compute yet. */
static void draw_empty_c(struct canvas *c, const struct carriers_plan *p,
			 const struct frame_model *s)
{
	const struct carriers_plane *at = &p->c;
	const char *words = _("later: the same threads' sums");
	int w = axis_span(p->across, carriers_cols(at->map));
	int h = axis_span(at->down, carriers_rows(at->map)) / 2;
	int used = text_width(words);

	if (s->scene->carriers->role == CARRIER_LOADS && !s->quiet && h > 0 &&
	    used <= w)
		canvas_text(c, at->x + (w - used) / 2, at->y + h / 2, used,
			    words, INK_ON(ROLE_DIM, ROLE_FIELD));
}

/* ---- the change of roles ---- */

static uint32_t first_element(const struct carrier_map *m, int32_t thread)
{
	uint32_t n = carriers_rows(m) * carriers_cols(m), from = 0;

	while (from < n && m->by[from] != thread)
		from++;
	return from;
}

/* Gets where a thread's first elements are; false: it has none. */
static bool find_spot(const struct carriers_plan *p,
		      const struct carriers_plane *at, int32_t thread,
		      struct carrier_spot *spot)
{
	uint32_t i = first_element(at->map, thread);

	if (i >= carriers_rows(at->map) * carriers_cols(at->map))
		return false;
	*spot = spot_of(p, at, i / carriers_cols(at->map), i % carriers_cols(at->map));
	return true;
}

/* Draws a thread on its way: its strip turns into its part of C. */
static void draw_moving_thread(struct canvas *c, const struct carriers_plan *p,
			       const struct carriers_plane *from,
			       const struct frame_model *s, int32_t thread)
{
	double part = role_progress(s, thread);
	struct carrier_spot a, b;

	if (part <= 0 || part >= 1 || !find_spot(p, from, thread, &a) ||
	    !find_spot(p, &p->c, thread, &b))
		return;
	fill_pixels(
		c,
		(struct carrier_spot){ kit_between(a.x, b.x, part),
				       kit_between(a.y, b.y, part) },
		MAX(1, (int)kit_between(axis_span(p->across, from->cols),
					axis_span(p->across, p->c.cols), part)),
		MAX(1, (int)kit_between(axis_span(from->down, from->rows),
					axis_span(p->c.down, p->c.rows), part)),
		(uint32_t)thread == s->scene->thread_linear ?
			ROLE_CURSOR :
		(uint32_t)thread / WARP_LANES == s->scene->warp.warp ?
			(thread % 2 ? ROLE_TRAIL0 : ROLE_HUE0) :
		thread % 2 ? ROLE_OWN :
			     ROLE_SEEN);
}

/* Draws the focused thread's way, as far as it has gone. */
static void draw_thread_way(struct canvas *c, const struct carriers_plan *p,
			    const struct carriers_plane *from,
			    const struct frame_model *s)
{
	int32_t thread = (int32_t)s->scene->thread_linear;
	double part = role_progress(s, thread);
	struct carrier_spot a, b;

	if (!find_spot(p, from, thread, &a) || !find_spot(p, &p->c, thread, &b))
		return;
	a.x += axis_span(p->across, from->cols) / 2;
	b.x += axis_span(p->across, p->c.cols) / 2;
	b.y += axis_span(p->c.down, p->c.rows) / 2;
	kit_ray(c, (int)a.x, (int)a.y / 2, (int)b.x, (int)b.y / 2, 0,
		kit_between(0, 1, part), INK_BOLD(ROLE_STRONG));
}

static void draw_change(struct canvas *c, const struct carriers_plan *p,
			const struct frame_model *s)
{
	const struct carriers *k = s->scene->carriers;
	const struct carriers_plane *from[] = { &p->a, &p->b };
	int32_t own = (int32_t)s->scene->thread_linear;

	if (k->role != CARRIER_CHANGES || s->quiet || k->work.array < 0)
		return;
	for (int i = 0; i < 2; i++)
		for (int32_t t = 0; from[i]->map->array >= 0 &&
		     t < (int32_t)k->threads; t++)
			draw_moving_thread(c, p, from[i], s, t);
	for (int i = 0; i < 2; i++)
		if (from[i]->map->array >= 0)
			draw_thread_way(c, p, from[i], s);
	for (int i = 0; i < 2; i++)
		if (from[i]->map->array >= 0)
			draw_moving_thread(c, p, from[i], s, own);
}

/* ---- words ---- */

static void thread_part_words(char *buf, size_t size, const struct frame_model *s,
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

static void carriers_roles(char *carrier, char *worker, size_t size,
		    const struct frame_model *s)
{
	const struct carriers *k = s->scene->carriers;
	char a[128], b[128], c[128], who[64];

	thread_part_words(a, sizeof(a), s, &k->load[0]);
	thread_part_words(b, sizeof(b), s, &k->load[1]);
	thread_part_words(c, sizeof(c), s, &k->work);
	if (k->role == CARRIER_LOADS && s->scene->array &&
	    s->scene->array->space == SPACE_GLOBAL) {
		bool first = k->load[0].array >= 0 && s->scene->array ==
			     s->scene->arrays[k->load[0].array].array;

		(first ? b : a)[0] = 0;
	}
	if (s->scene->info->block.y > 1)
		snprintf(who, sizeof(who), _("thread %u (%u,%u)"),
			 s->scene->thread_linear, s->scene->thread.x,
			 s->scene->thread.y);
	else
		snprintf(who, sizeof(who), _("thread %u"),
			 s->scene->thread_linear);
	if (a[0] && b[0])
		snprintf(carrier, size, _("%s carries %s and %s"), who, a, b);
	else if (a[0] || b[0])
		snprintf(carrier, size, _("%s carries %s"), who,
			 a[0] ? a : b);
	else
		snprintf(carrier, size, _("%s carries nothing"), who);
	worker[0] = 0;
	if (c[0] && k->role != CARRIER_LOADS)
		snprintf(worker, size, _("the same thread computes %s"), c);
}

/* Writes what the thread carries and computes, with its colour. */
static void draw_roles(struct canvas *c, struct rect r, const struct frame_model *s)
{
	enum carrier_role role = s->scene->carriers->role;
	struct rect text = { r.x + 3, r.y, r.w - 3, r.h };
	char carrier[256], worker[256];
	int used;

	if (r.h < 1)
		return;
	carriers_roles(carrier, worker, sizeof(carrier), s);
	used = prose_text(c, text, 0, carrier, role == CARRIER_COMPUTES ?
			  INK(ROLE_DIM) : INK_BOLD(ROLE_STRONG));
	canvas_fill(c, (struct rect){ r.x, r.y, 2, 1 }, ' ',
		    INK_ON(ROLE_ON_HUE, role == CARRIER_COMPUTES ? ROLE_OWN :
							ROLE_CURSOR));
	text.y += used;
	text.h -= used;
	if (text.h < 1 || !worker[0])
		return;
	prose_text(c, text, 0, worker, INK_BOLD(ROLE_STRONG));
	canvas_fill(c, (struct rect){ r.x, text.y, 2, 1 }, ' ',
		    INK_ON(ROLE_ON_HUE, ROLE_CURSOR));
}

/* Tells whether a mark stands for several elements. */
static bool is_coarse(const struct carriers_plan *p)
{
	return p->across.cells < p->across.per ||
	       p->a.down.cells < p->a.down.per ||
	       p->b.down.cells < p->b.down.per ||
	       p->c.down.cells < p->c.down.per;
}

/* Writes a text at the right end of the lowest row of the words that has room.
 * Returns the row; -1: there is none. */
static int write_in_free_row(struct canvas *c, const struct carriers_plan *p,
			     struct rect r, const char *text)
{
	int w = text_width(text);

	for (int y = r.y + r.h - 1; y >= p->words.y; y--)
		if (kit_aside(c, r.x + r.w - w, y, w, text, INK(ROLE_FAINT)))
			return y;
	return -1;
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const char *coarse = _("each mark shows several elements");
	const struct carriers *k = s->scene->carriers;
	const struct carriers_plane *planes[3];
	struct carriers_plan p;
	int note;

	if (!k)
		return;
	p = carriers_plan(r, k);
	planes[0] = &p.a;
	planes[1] = &p.b;
	planes[2] = &p.c;
	for (int i = 0; i < 3; i++) {
		if (planes[i]->map->array < 0)
			continue;
		draw_plane(c, &p, planes[i], s);
		draw_warps(c, &p, planes[i], s);
	}
	draw_change(c, &p, s);
	if (p.c.map->array >= 0)
		draw_empty_c(c, &p, s);
	for (int i = 0; i < 3; i++)
		if (planes[i]->map->array >= 0) {
			draw_own_elements(c, &p, planes[i], s);
			draw_carrier_title(c, &p, planes[i], s);
		}
	draw_roles(c, p.words, s);
	note = is_coarse(&p) ? write_in_free_row(c, &p, r, coarse) : -1;
	if (!s->quiet)
		return;
	/* The words are the answer; what stands beside them keeps its row. */
	canvas_erase(c, p.words);
	if (note >= 0)
		canvas_right(c, r.x, note, r.w, coarse, INK(ROLE_FAINT));
}

/* Tells whether threads load several elements at once: they carry what other
 * threads compute with. */
static bool has_wide_loads(const struct scene *sc)
{
	for (size_t i = 0; i < sc->info->site_count; i++) {
		const struct trace_site *ts = &sc->info->sites[i];

		if (ts->op == OP_LD &&
		    sc->info->arrays[ts->array].space == SPACE_GLOBAL)
			return true;
	}
	return false;
}

static bool available(const struct frame_model *s)
{
	return s->scene && s->scene->product &&
	       scene_has(s->scene, SPACE_SHARED) && has_wide_loads(s->scene);
}

/* Returns the highest rank for a load of several elements, a lower one for
 * other loads from global memory. */
static enum view_rank rank(const struct scene *sc)
{
	const struct trace_site *ts = sc->site;

	if (!sc->product || !sc->array || sc->array->space != SPACE_GLOBAL ||
	    ts->op != OP_LD || !scene_has(sc, SPACE_SHARED))
		return RANK_NONE;
	return ts->bytes > sc->array->elem_bytes ? RANK_STEP : RANK_BESIDE;
}

/* Tells whether threads carry anything in this phase. */
static bool offered(const struct frame_model *s)
{
	const struct scene *sc = s->scene;

	for (size_t i = 0; sc->visits && i < sc->info->site_count; i++) {
		const struct trace_site *ts = &sc->info->sites[i];

		if (sc->visits[i] & VISIT_PHASE && ts->op == OP_LD &&
		    ts->array != TRACE_NO_ARRAY &&
		    sc->info->arrays[ts->array].space == SPACE_GLOBAL)
			return true;
	}
	return false;
}

/* Tells the focused thread's two roles in a sentence. */
static void carriers_words(struct str *out, const struct frame_model *s)
{
	char carrier[256], worker[256];

	carriers_roles(carrier, worker, sizeof(carrier), s);
	str_addf(out, "%s%s%s%s", text_capital(carrier),
		 worker[0] ? "; " : "", worker,
		 _("."));
}

const struct view view_carriers = {
	.name = "carriers",
	.title = N_("carriers and workers"),
	.help = N_("which thread loads which elements, and which it computes"),
	.pane = PANE_PICTURE,
	.available = available,
	.offered = offered,
	.rank = rank,
	.prepare = scene_carriers,
	.draw = draw,
	.words = carriers_words,
};
