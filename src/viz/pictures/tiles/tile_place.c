/* tile_place: places the arrays of the picture of tiles, from left to right. */
#include "viz/pictures/tiles/scene_tiles.h"
#include "viz/pictures/tiles/tile_layout.h"

#define GAP 2
#define RULER 4		/* the columns of row numbers */
#define NECK 3		/* the least columns before shared memory, */
#define WIDE_NECK 12	/* the most, with room for words on their way, */
#define DOOR 2		/* and the least before the threads, */
#define WIDE_DOOR 10	/* and the most */
/* The least width of the meter and the gate, */
#define MIDDLE 34
#define FOOT 3		/* the least rows of the gate below a row of arrays, */
#define METER 4		/* the rows of the meter, */
#define PANEL 30	/* and the least columns of the two in a corner */

static int plane_columns(const struct tile_layout *l, int i)
{
	return l->plane[i].a ? tile_width(&l->size, l->plane[i].cols) : 0;
}

static int plane_rows(const struct tile_layout *l, int i)
{
	return l->plane[i].a ? tile_height(&l->size, l->plane[i].rows) : 0;
}

/* Returns the rows of a plane and of the slabs below it, with the titles
 * between them. */
static int column_height(const struct tile_layout *l, int i)
{
	int h = plane_rows(l, i);

	while (++i < l->count && tile_is_below(l, i))
		h += 1 + plane_rows(l, i);
	return h;
}

static void place_slab_column(struct tile_layout *l, int i, int x, int y)
{
	do {
		l->plane[i].x = x;
		l->plane[i].y = y;
		y += plane_rows(l, i) + 1;
	} while (++i < l->count && tile_is_below(l, i));
}

/* Divides the room between the meter and the gate: the gate is at its right or
 * below it. */
static void divide_panel(struct tile_layout *l, struct rect room)
{
	l->words = l->gate = room;
	if (room.h < 2) {
		l->gate.h = 0;
	} else if (room.h < METER + 1 + FOOT || room.w >= 3 * MIDDLE) {
		l->words.w = room.w / 2 - GAP;
		l->gate.x += room.w / 2;
		l->gate.w -= room.w / 2;
	} else {
		l->words.h = METER;
		l->gate.y += METER + 1;
		l->gate.h -= METER + 1;
	}
}

/* ---- one row ---- */

/* The arrays that stand in a row, from left to right, each with the columns
 * before it. Slabs that stand above each other are listed by the first. */
struct tile_line {
	int plane[TILE_PLANES], before[TILE_PLANES], count, width, height;
};

static void add_to_line(struct tile_line *n, const struct tile_layout *l,
			int plane, int before)
{
	if (!l->plane[plane].a)
		return;
	n->plane[n->count] = plane;
	n->before[n->count++] = before;
	n->width += before + plane_columns(l, plane);
	n->height = MAX(n->height, column_height(l, plane));
}

static void add_shared_to_line(struct tile_line *n, const struct tile_layout *l,
			       const struct scene *sc, int origin)
{
	bool first = true;

	for (int i = 3; i < l->count; i++)
		if (tile_origin(sc, &l->plane[i]) == origin &&
		    !tile_is_below(l, i)) {
			add_to_line(n, l, i, first ? NECK : GAP);
			first = false;
		}
}

/* Makes the line A > As B > Bs | C, with or without C. */
static struct tile_line make_line(const struct tile_layout *l,
				  const struct scene *sc, bool with_c)
{
	struct tile_line n = { .count = 0 };

	add_to_line(&n, l, 0, RULER);
	add_shared_to_line(&n, l, sc, 0);
	add_to_line(&n, l, 1, RULER);
	add_shared_to_line(&n, l, sc, 1);
	add_shared_to_line(&n, l, sc, 2);
	if (with_c)
		add_to_line(&n, l, 2, DOOR + RULER);
	n.width += with_c ? 0 : DOOR;
	return n;
}

/* Returns the largest room below low arrays that are next to higher ones; w 0:
 * none is large enough. */
static struct rect room_below(const struct tile_layout *l, struct rect r,
			      const struct tile_line *n)
{
	struct rect best = {0};

	for (int i = 1; i < n->count; i++) {
		int x = l->plane[n->plane[i]].x, low = 0;

		for (int k = i; k < n->count; k++) {
			int end = k + 1 < n->count ?
				  l->plane[n->plane[k + 1]].x - RULER - 1 :
				  r.x + r.w;
			struct rect room;

			low = MAX(low, column_height(l, n->plane[k]));
			room = (struct rect){ x, r.y + low + 3, end - x,
					      r.h - low - 3 };
			if (room.w >= MIDDLE && room.h >= METER + 1 + FOOT &&
			    room.w * room.h > best.w * best.h)
				best = room;
		}
	}
	return best;
}

/* Sets the gaps between a matrix and its shared array, and before the threads,
 * through which words move. */
static void find_gaps(struct tile_layout *l, const struct scene *sc,
		      const struct tile_line *n)
{
	int end = 0;

	for (int i = 0; i < n->count; i++) {
		const struct tile_plane *p = &l->plane[n->plane[i]];
		int origin = n->plane[i] < 3 ? -1 : tile_origin(sc, p);

		if (i && origin >= 0 && !l->neck[origin].w)
			l->neck[origin] = (struct rect){
				end, p->y, p->x - end,
				MAX(plane_rows(l, n->plane[i - 1]),
				    plane_rows(l, n->plane[i]))
			};
		if (n->plane[i] == 2)
			l->door = (struct rect){ end, p->y,
						 p->x - RULER + 1 - end,
						 n->height };
		end = p->x + plane_columns(l, n->plane[i]);
	}
	if (!l->door.w && n->count)
		l->door = (struct rect){ end, l->plane[n->plane[0]].y, DOOR,
					 n->height };
}

/* Puts all arrays in one row; the gate and the meter stand below all of them,
 * or below the last ones if those are low. Returns false if they do not fit. */
static bool place_line(struct tile_layout *l, struct rect r,
		       const struct scene *sc, bool with_c)
{
	struct tile_line n = make_line(l, sc, with_c);
	int x = r.x, gap, h = n.height + 1;
	struct rect room;

	if (n.width > r.w || h > r.h)
		return false;
	gap = MIN(WIDE_NECK - NECK, (r.w - n.width) / MAX(n.count - 1, 1));
	for (int i = 0; i < n.count; i++) {
		x += n.before[i] + (i ? gap : 0);
		place_slab_column(l, n.plane[i], x, r.y + 1);
		x += plane_columns(l, n.plane[i]);
	}
	room = room_below(l, r, &n);
	if (!room.w && h + 1 > r.h)
		return false;
	if (!with_c)
		l->plane[2].a = NULL;
	h += r.h > h + FOOT;
	find_gaps(l, sc, &n);
	divide_panel(l, room.w ? room :
				 (struct rect){ r.x, r.y + h, r.w, r.h - h });
	return true;
}

/* ---- two rows ---- */

/* Returns the columns of a matrix's shared arrays, side by side, and sets the
 * height of the highest. */
static int slabs_width(const struct tile_layout *l, const struct scene *sc,
		       int origin, int *height)
{
	int w = 0;

	*height = 0;
	for (int i = 3; i < l->count; i++)
		if (tile_origin(sc, &l->plane[i]) == origin &&
		    !tile_is_below(l, i)) {
			w += plane_columns(l, i) + (w ? GAP : 0);
			*height = MAX(*height, column_height(l, i));
		}
	return w;
}

static void place_slabs(struct tile_layout *l, const struct scene *sc,
			int origin, int x, int y)
{
	for (int i = 3; i < l->count; i++)
		if (tile_origin(sc, &l->plane[i]) == origin &&
		    !tile_is_below(l, i)) {
			place_slab_column(l, i, x, y);
			x += plane_columns(l, i) + GAP;
		}
}

/* Shows whole tiles of A next to the one of this phase, as many as fit in
 * `room` columns. Returns the columns that they take. */
static int show_more_tiles(struct tile_layout *l, int room)
{
	struct tile_plane *a = &l->plane[0];
	uint32_t tile = a->cols, all = a->a->cols;
	uint32_t tiles = 1 + (uint32_t)(MAX(room, 0) / plane_columns(l, 0));
	int was = plane_columns(l, 0);
	uint32_t first;

	if (tiles < 2 || tile >= all || tile % (uint32_t)l->size.scale)
		return 0;
	first = a->col0 / (tile * tiles) * tile * tiles;
	a->cols = MIN(tile * tiles, all - first);
	if (a->cols < tile * tiles && all >= tile * tiles)
		first = all - (a->cols = tile * tiles);
	a->col0 = first;
	return plane_columns(l, 0) - was;
}

/* Puts the meter and the gate: below C if there are enough columns, else below
 * everything. Returns false if they do not fit. */
static bool place_panel(struct tile_layout *l, struct rect r)
{
	struct rect beside = { l->plane[2].x, l->plane[1].y - 1, 0, 0 };
	int y = l->door.y + l->door.h;
	struct rect below = { r.x, y, r.w, r.y + r.h - y };

	beside.w = r.x + r.w - beside.x;
	beside.h = r.y + r.h - beside.y;
	if (beside.w < PANEL && below.h < 1)
		return false;
	divide_panel(l, beside.w < PANEL ? below : beside);
	return true;
}

/* Puts A with As, B with Bs below, and the threads at their right. h has the
 * heights of the two rows. */
static void place_both(struct tile_layout *l, struct rect r,
		       const struct scene *sc, const int *h, int left, int middle)
{
	int gap = MIN((r.h - h[0] - h[1] - 2) / 3, 3);
	int neck = l->neck[0].w, door = l->door.w;
	int x = r.x + RULER + left, y = r.y + 1 + gap;

	for (int i = 0; i < 2; i++) {
		l->plane[i].x = x - plane_columns(l, i);
		l->plane[i].y = y;
		l->neck[i] = (struct rect){ x, y, neck, h[i] };
		place_slabs(l, sc, i, x + neck, y);
		y += h[i] + 1 + gap;
	}
	x += neck + middle;
	l->door = (struct rect){ x, l->plane[0].y, door,
				 l->plane[1].y + h[1] - l->plane[0].y };
	l->plane[2].x = x + door + RULER - 1;
	l->plane[2].y = l->plane[0].y;
}

/* Puts two rows, each with a line for its titles:  * A > As | C B > Bs | meter
 * and gate */
static bool place_rows(struct tile_layout *l, struct rect r,
		       const struct scene *sc)
{
	int h[3], wide[3], left, middle, spare;

	for (int i = 0; i < 3; i++)
		wide[i] = slabs_width(l, sc, i, &h[i]);
	if (!wide[0] || !wide[1] || wide[2] || !l->plane[0].a ||
	    !l->plane[1].a || !l->plane[2].a || sc->tiles->ring)
		return false;
	h[0] = MAX(MAX(h[0], plane_rows(l, 0)), plane_rows(l, 2));
	h[1] = MAX(h[1], plane_rows(l, 1));
	left = MAX(plane_columns(l, 0), plane_columns(l, 1));
	middle = MAX(wide[0], wide[1]);
	spare = r.w - 2 * RULER - left - NECK - middle - DOOR -
		plane_columns(l, 2);
	if (spare < 0 || 1 + h[0] + 1 + h[1] > r.h)
		return false;
	l->neck[0].w = MIN(WIDE_NECK, NECK + spare * 2 / 3);
	spare -= l->neck[0].w - NECK;
	l->door.w = MIN(WIDE_DOOR, DOOR + spare);
	spare -= l->door.w - DOOR;
	left += show_more_tiles(l, spare);
	place_both(l, r, sc, h, left, middle);
	l->rows = true;
	return place_panel(l, r);
}

bool tile_place(struct tile_layout *l, struct rect r, const struct scene *sc,
		enum tile_way way)
{
	return way == TILE_ROWS ? place_rows(l, r, sc) :
				  place_line(l, r, sc, way == TILE_LINE);
}
