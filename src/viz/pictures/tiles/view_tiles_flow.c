/*
 * view_tiles_flow: what moves between the arrays of the picture of tiles: from
 * a matrix through a register to shared memory, and from there to the threads
 * that read it, each of which stands where its sum is in C. Doors are shut
 * where threads must wait for each other.
 */
#include <stdio.h>

#include "base/text.h"
#include "viz/pictures/tiles/scene_tiles.h"
#include "scene/stage.h"
#include "viz/kit.h"
#include "viz/pictures/tiles/tile_marks.h"

static void draw_mark_at(struct canvas *c, const struct tile_layout *l,
			 struct mark_spot at, enum role role)
{
	mark_paint(c, &l->size, (int)(at.x + 0.5), (int)(at.y + 0.5), role);
}

/* ---- from a matrix to shared memory ---- */

const struct tile_plane *tiles_plane(const struct tile_layout *l,
				     const struct frame_model *s, int32_t array)
{
	for (int i = 0; i < 3; i++)
		if (array >= 0 && l->plane[i].a == &s->scene->arrays[array])
			return &l->plane[i];
	return NULL;
}

/* Returns where a word is half way: between the two arrays, in a register, or
 * in flight if it is copied without one. Narrow gaps squeeze the words. */
static struct mark_spot half_way_spot(const struct tile_layout *l, int origin,
				      const struct tile_plane *to,
				      struct mark_spot a, struct mark_spot b)
{
	const struct rect *n = &l->neck[origin];
	int room = n->w - 2 - l->size.w, margin = room > 1;
	double across = (b.x - to->x) / MAX(tile_width(&l->size, to->cols), 1);

	if (n->w <= l->size.w)
		return (struct mark_spot){ (a.x + b.x) / 2, (a.y + b.y) / 2 };
	room = MAX(room, 0);
	return (struct mark_spot){
		n->x + margin + (int)(across * (room - margin + 1)), b.y };
}

/* What flies to a plane: how far the foremost word has come, and whether some
 * are in registers, or copied without one. */
struct flock { struct mark_spot front; bool some, async; };

/* Writes "registers" or "in flight" above the words there or, if A's title
 * needs that space, between A and B, for both. */
static void name_half_way(struct canvas *c, const struct tile_layout *l,
			  int origin, bool async)
{
	const struct rect *n = &l->neck[origin];
	const char *words = async ? _("in flight") : _("registers");

	if (!kit_aside(c, n->x, n->y - 1, n->w - 1, words, INK(ROLE_DIM)) &&
	    n->y + n->h == l->neck[1].y - 1)
		kit_aside(c, n->x, n->y + n->h, n->w - 1, words,
			  INK(ROLE_DIM));
}

static struct mark_spot spot_between(struct mark_spot a, struct mark_spot b,
				     double part)
{
	return (struct mark_spot){ kit_between(a.x, b.x, part),
			      kit_between(a.y, b.y, part) };
}

static void draw_flying_word(struct canvas *c, const struct tile_layout *l,
			     const struct frame_model *s, const struct tile_plane *to,
			     size_t at, uint32_t e, struct flock *all)
{
	const struct tile_value *v;
	enum tile_state state =
		tile_state(s->scene, &s->scene->tiles->cell[at][e], &v);
	const struct tile_plane *from = tiles_plane(l, s, v->array);
	double part = tiles_way(s, state, v);
	int origin = tile_origin(s->scene, to);
	struct mark_spot a, b, m;

	if (part <= 0 || part >= 1 || !from ||
	    !mark_spot(l, from, v->row, v->col, &a) ||
	    !mark_spot(l, to, e / to->fold, e % to->fold, &b))
		return;
	m = half_way_spot(l, origin, to, a, b);
	all->some |= state != TILE_STORING;
	all->async |= v->async;
	m = part < 0.5 ? spot_between(a, m, 2 * part) :
			 spot_between(m, b, 2 * part - 1);
	if ((state == TILE_LOADING || state == TILE_STORING) &&
	    m.x > all->front.x)
		all->front = m;
	draw_mark_at(c, l, m,
		     tiles_own(s, v) ?
			     ROLE_CURSOR :
			     tiles_hue(state == TILE_COMING ? ROLE_TRAIL0 :
							      ROLE_HUE0,
				       s->scene, v->array));
}

/* Draws an arrow before the foremost word, so that a still shows the
 * direction. */
static void draw_flight_arrow(struct canvas *c, const struct tile_layout *l,
			      struct mark_spot front)
{
	int x = (int)(front.x + 0.5) + l->size.w, y = (int)front.y / 2;
	const struct cell *under = canvas_at(c, x, y);

	if (front.x >= 0 && under->ch == ' ' && under->bg <= ROLE_TILE)
		canvas_put(c, x, y, 0x2192, INK_ON(ROLE_STRONG, under->bg));
}

static void draw_flight_in(struct canvas *c, const struct tile_layout *l,
			   const struct frame_model *s, const struct tile_plane *p)
{
	size_t at = (size_t)(p->a - s->scene->arrays);
	const struct tile_cell *cell =
		&s->scene->tiles->cell[at][p->row0 * p->fold];
	struct flock all = { .front = { -1, -1 } };
	/* A box flies as a whole, one mark for all. */
	uint32_t by = s->scene->tiles->ring ? (uint32_t)l->size.scale : 1;

	/* Only words that this phase copies fly. */
	for (uint32_t y = 0; y < p->rows; y += by)
		for (uint32_t x = 0; x < p->cols; x += by)
			if (y * p->fold + x < tile_elements(p) &&
			    cell[y * p->fold + x].now.by >= 0)
				draw_flying_word(c, l, s, p, at,
						 (p->row0 + y) * p->fold + x,
						 &all);
	if (all.some)
		name_half_way(c, l, tile_origin(s->scene, p), all.async);
	draw_flight_arrow(c, l, all.front);
}

/* ---- from shared memory to the threads ---- */

bool tiles_read(const struct scene *sc, const struct stage_array *a)
{
	return sc->site->op == OP_LD && sc->array && sc->array == a->array &&
	       sc->array->space == SPACE_SHARED;
}

/* Returns the hue of what a lane reads. */
static enum role read_role(const struct frame_model *s, const struct tile_plane *p,
			   uint32_t lane, uint64_t e)
{
	size_t at = (size_t)(p->a - s->scene->arrays);
	const struct tile_value *v;

	if (!s->quiet && lane == s->scene->cursor.lane)
		return ROLE_CURSOR;
	tile_state(s->scene, &s->scene->tiles->cell[at][e], &v);
	return tiles_hue(ROLE_HUE0, s->scene, v->array);
}

/* Draws what a lane of the request reads, on its way to the place of the lane's
 * sum. */
static void draw_flight_out(struct canvas *c, const struct tile_layout *l,
			    const struct frame_model *s, const struct tile_plane *p,
			    uint32_t lane)
{
	const struct scene *sc = s->scene;
	const struct box *home = &sc->home[lane];
	uint64_t first = sc->request.offset[lane] / sc->array->elem_bytes;
	double t = tiles_time(s);
	struct mark_spot a, b;

	if (t <= 0 || !home->known ||
	    !mark_spot(l, &l->plane[2], home->row0, home->col0, &b))
		return;
	for (uint32_t u = 0; u < stage_site_elements(sc->site, sc->array);
	     u++) {
		uint64_t e = first + u;

		if (e < (uint64_t)p->a->rows * p->a->cols &&
		    mark_spot(l, p, (uint32_t)(e / p->fold),
			 (uint32_t)(e % p->fold), &a))
			draw_mark_at(c, l, spot_between(a, b, t),
				     read_role(s, p, lane, e));
	}
}

/* Draws the words of all lanes of the request, the focused thread's last, so
 * that it is seen. */
static void draw_flights_out(struct canvas *c, const struct tile_layout *l,
			     const struct frame_model *s, const struct tile_plane *p)
{
	const struct scene *sc = s->scene;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		if (sc->request.mask >> lane & 1 && lane != sc->cursor.lane)
			draw_flight_out(c, l, s, p, lane);
	if (sc->request.mask >> sc->cursor.lane & 1)
		draw_flight_out(c, l, s, p, sc->cursor.lane);
}

/* Sets the threads' marks, each where its sum is: the block's, the focused
 * thread's part, and what they have stored. */
void tiles_threads(struct marks *m, const struct frame_model *s)
{
	const struct stage_array *a = m->p->a;
	const struct box *t = &a->thread, *all = &a->block;

	for (uint32_t r = all->row0; all->known && r <= all->row1; r++)
		for (uint32_t k = all->col0; k <= all->col1; k++)
			mark_set(m, r, k, ROLE_FADE2);
	for (uint32_t r = t->row0; t->known && !s->quiet && r <= t->row1; r++)
		for (uint32_t k = t->col0; k <= t->col1; k++)
			mark_set(m, r, k, ROLE_TRAIL2);
	for (size_t i = 0; i < a->mark_count; i++)
		mark_set(m, a->marks[i].row, a->marks[i].col, ROLE_HUE2);
	if (t->known && !s->quiet)
		mark_set(m, t->row0, t->col0, ROLE_CURSOR);
}

/* Draws a line from the word that the focused thread reads, and how many
 * threads get it at once. */
static void draw_read_line(struct canvas *c, const struct tile_layout *l,
			   const struct frame_model *s, const struct tile_plane *p)
{
	const struct scene *sc = s->scene;
	uint32_t lane = sc->cursor.lane;
	uint64_t e = sc->request.offset[lane] / sc->array->elem_bytes;
	const struct box *home = &sc->home[lane];
	int x = l->door.x, end = l->door.x + l->door.w - 1;
	enum role role = read_role(s, p, WARP_LANES, e);
	struct mark_spot a, b;
	char text[16];

	if (s->quiet || !l->door.w || !(sc->request.mask >> lane & 1) ||
	    !home->known ||
	    !mark_spot(l, p, (uint32_t)(e / p->fold), (uint32_t)(e % p->fold),
		       &a) ||
	    !mark_spot(l, &l->plane[2], home->row0, home->col0, &b))
		return;
	kit_line(c, x, (int)a.y / 2, end, (int)b.y / 2, (int)a.y / 2,
		 INK(role));
	for (size_t i = 0; i < sc->element_count; i++)
		if (sc->elements[i].element == e) {
			snprintf(text, sizeof(text), "\xc3\x97%d",
				 __builtin_popcount(sc->elements[i].lanes));
			kit_whole(c, x + (l->door.w - text_width(text)) / 2,
				  (int)a.y / 2, l->door.w, text,
				  INK_BOLD(role));
		}
}

void tiles_flights(struct canvas *c, const struct tile_layout *l,
		   const struct frame_model *s)
{
	for (int i = 3; i < l->count; i++) {
		if (!l->plane[i].a)
			continue;
		draw_flight_in(c, l, s, &l->plane[i]);
		if (tiles_read(s->scene, l->plane[i].a)) {
			draw_flights_out(c, l, s, &l->plane[i]);
			draw_read_line(c, l, s, &l->plane[i]);
		}
	}
}

/* ---- the doors ---- */

static void draw_tile_door(struct canvas *c, int x, struct rect r, bool open)
{
	for (int y = 0; y < r.h; y++)
		if (!open || y == 0 || y == r.h - 1)
			canvas_fill(c, (struct rect){ x, r.y + y, 1, 1 }, ' ',
				    INK_ON(ROLE_ON_HUE,
					   open ? ROLE_GOOD : ROLE_BAD));
}

/* Tells whether there are doors: not with several buffers, which are filled and
 * read at once. */
static bool has_doors(const struct frame_model *s)
{
	const struct tiles *t = s->scene->tiles;

	return !t->ring && t->fills != t->reads &&
	       s->scene->phase + 1 != s->scene->phases;
}

static bool are_doors_open(const struct frame_model *s)
{
	return s->scene->tiles->at_barrier && tiles_time(s) >= TILES_OPEN;
}

bool tiles_shut(const struct frame_model *s)
{
	return has_doors(s) && !are_doors_open(s);
}

/* Draws the doors: while words are copied, nobody may read them; while they are
 * read, nobody may copy others. The barrier at the phase's end opens the
 * door. */
void tiles_doors(struct canvas *c, const struct tile_layout *l,
		 const struct frame_model *s)
{
	const struct tiles *t = s->scene->tiles;
	bool open = are_doors_open(s);

	if (!has_doors(s))
		return;
	if (t->fills && l->door.w)
		draw_tile_door(c, l->door.x + 1, l->door, open);
	for (int i = 0; t->reads && i < (l->rows ? 1 : 3); i++) {
		struct rect r = l->neck[i];

		if (l->rows)
			r.h = l->door.h;
		if (r.w)
			draw_tile_door(c, r.x + r.w - 2, r, open);
	}
}
