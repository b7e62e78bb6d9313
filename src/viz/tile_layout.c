/* tile_layout: see tile_layout.h. */
#include "viz/tile_layout.h"

#include "scene/scene_tiles.h"

#define GAP 2
/* The least width of what stands between A and C: the meter and the gate. */
#define MIDDLE 34
#define RULER 4	/* the columns of row numbers */
#define FOOT 3	/* the least rows of the gate below a row of tiles */
#define METER 5	/* the rows of the meter */
#define FLAT 4	/* slabs so many times as wide as high stand above each other */
#define SLABS 2		/* of an array, at least */
#define SLABS_MOST 4	/* of a ring, where there is room */
#define UNTOUCHED 512	/* the most rows and columns of a matrix without one */
#define BANK_ROW 128	/* bytes of all banks: the least row of a folded array */

static int marks(uint32_t n, int scale)
{
	return ((int)n + scale - 1) / scale;
}

int tile_width(const struct tile_size *z, uint32_t cols)
{
	return marks(cols, z->scale) * z->w;
}

int tile_height(const struct tile_size *z, uint32_t rows)
{
	int n = marks(rows, z->scale);

	return z->half ? (n + 1) / 2 : n * z->h;
}

uint32_t tile_elements(const struct tile_plane *p)
{
	return MIN(p->rows * p->cols,
		   p->a->rows * p->a->cols - p->row0 * p->fold);
}

/* ---- what is shown ---- */

static struct box both(struct box a, const struct box *b)
{
	if (!b->known)
		return a;
	if (!a.known)
		return *b;
	return (struct box){ true, MIN(a.row0, b->row0), MIN(a.col0, b->col0),
			     MAX(a.row1, b->row1), MAX(a.col1, b->col1) };
}

/* The part of a matrix that this phase is about, and the one before, unless
 * that is left out. */
static void add_matrix(struct tile_layout *l, const struct scene *sc, int at,
		       bool alone)
{
	struct tile_plane *p = &l->plane[l->count++];
	struct box b;

	*p = (struct tile_plane){ .slab = -1 };
	if (at < 0)
		return;
	b = sc->tiles->now[at];
	if (!alone || !b.known)
		b = both(b, &sc->tiles->before[at]);
	if (!b.known)
		b = sc->arrays[at].block;
	if (!b.known && !sc->tiles->ring)
		return;
	p->a = &sc->arrays[at];
	if (!b.known)	/* nothing of it has been brought yet */
		b = (struct box){ true, 0, 0, MIN(p->a->rows, UNTOUCHED) - 1,
				  MIN(p->a->cols, UNTOUCHED) - 1 };
	p->row0 = b.row0;
	p->col0 = b.col0;
	p->rows = b.row1 - b.row0 + 1;
	p->cols = b.col1 - b.col0 + 1;
	p->fold = p->a->cols;
}

/* Elements side by side: those of the last dimension; a long line of them is
 * folded into whole rows of banks, not much higher than wide. */
static uint32_t fold_of(const struct stage_array *a)
{
	uint32_t n = a->rows * a->cols;
	uint32_t fold = BANK_ROW / a->array->elem_bytes;

	if (a->array->rank > 1 || a->cols <= 2 * fold)
		return a->cols;
	while (n / fold > fold)
		fold *= 2;
	return fold;
}

/* Whether a slab is read or stored at this request, or in this phase. */
static int use_of(const struct scene *sc, size_t at, uint32_t first,
		  uint32_t count)
{
	const struct tile_cell *cell = sc->tiles->cell[at];
	uint32_t all = sc->arrays[at].rows * sc->arrays[at].cols;
	int use = 0;

	for (uint32_t e = first; e < MIN(first + count, all); e++)
		use |= (cell[e].now.by >= 0) | sc->tiles->read[at][e];
	return use;
}

/* Of a ring's stages first the one that the reader's request is about. */
static bool is_turn(const struct scene *sc, size_t at, uint32_t first,
		    uint32_t count)
{
	const struct stage_array *a = &sc->arrays[at];
	const struct road_now *now = &sc->road_now;

	for (int i = 0; i < 2; i++) {
		const struct road_box *b = now->looks[i].box == ROAD_NONE ?
			NULL : &sc->road->boxes[now->looks[i].box];
		uint64_t e = b ? b->to_at / a->array->elem_bytes : 0;

		if (b && b->to->array == a->id && e >= first &&
		    e < first + count)
			return true;
	}
	return false;
}

static bool is_used(const struct scene *sc, size_t at, uint32_t first,
		    uint32_t count)
{
	return sc->tiles->ring ? is_turn(sc, at, first, count) :
				 use_of(sc, at, first, count);
}

static void add_shared(struct tile_layout *l, const struct scene *sc,
		       size_t at, int most)
{
	const struct stage_array *a = &sc->arrays[at];
	bool slabs = a->array->rank > 2;
	uint32_t all = slabs ? (uint32_t)a->array->dims[0] : 1;
	uint32_t fold = fold_of(a);
	uint32_t rows = (a->rows * a->cols / all + fold - 1) / fold;
	int shown = 0;
	bool used = false;

	for (uint32_t i = 0; i < all && !used && all > (uint32_t)most; i++)
		used = is_used(sc, at, i * rows * fold, rows * fold);
	for (uint32_t i = 0; i < all && shown < most &&
	     l->count < TILE_PLANES; i++) {
		if (used && all - i > (uint32_t)(most - shown) &&
		    !is_used(sc, at, i * rows * fold, rows * fold))
			continue;
		l->plane[l->count++] = (struct tile_plane){
			.a = a, .row0 = i * rows, .rows = rows, .cols = fold,
			.fold = fold, .slab = slabs ? (int)i : -1 };
		shown++;
	}
}

static bool nothing_came(const struct scene *sc)
{
	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->tiles->cell[i] && sc->tiles->origin[i] >= 0)
			return false;
	return true;
}

static bool holds_elements(const struct scene *sc, size_t at)
{
	/* beside a ring only what the request is about */
	return sc->tiles->cell[at] && sc->arrays[at].array->elem_bytes < 8 &&
	       (!sc->tiles->ring || sc->tiles->origin[at] >= 0 ||
		sc->arrays[at].now || nothing_came(sc));
}

/* Of an array of several, each array's first dimension, at most so many. */
static void collect(struct tile_layout *l, const struct scene *sc, int most,
		    bool alone)
{
	l->count = 0;
	add_matrix(l, sc, sc->a, alone);
	add_matrix(l, sc, sc->b, alone);
	add_matrix(l, sc, sc->c, alone);
	for (size_t i = 0; i < sc->array_count; i++)
		if (holds_elements(sc, i))
			add_shared(l, sc, i, most);
}

/* ---- where it stands ---- */

static int width_of(const struct tile_layout *l, int i)
{
	return l->plane[i].a ? tile_width(&l->size, l->plane[i].cols) : 0;
}

static int height_of(const struct tile_layout *l, int i)
{
	return l->plane[i].a ? tile_height(&l->size, l->plane[i].rows) : 0;
}

/* Whether a plane stands below the one before it: slabs that are much wider
 * than high do. */
static bool is_below(const struct tile_layout *l, int i)
{
	const struct tile_plane *p = &l->plane[i];

	return i > 3 && p[-1].a == p->a && p->cols >= FLAT * p->rows;
}

/* The rows of a plane and of those below it, with the titles between them. */
static int column_height(const struct tile_layout *l, int i)
{
	int h = height_of(l, i);

	while (++i < l->count && is_below(l, i))
		h += 1 + height_of(l, i);
	return h;
}

static void place_column(struct tile_layout *l, int i, int x, int y)
{
	do {
		l->plane[i].x = x;
		l->plane[i].y = y;
		y += height_of(l, i) + 1;
	} while (++i < l->count && is_below(l, i));
}

/* The columns of the shared arrays from this matrix (or from neither), beside
 * each other, and the height of the highest. */
static int row_of(const struct tile_layout *l, const int *from, int matrix,
		  int *height)
{
	int w = 0;

	*height = 0;
	for (int i = 3; i < l->count; i++)
		if (from[i] == matrix && !is_below(l, i)) {
			w += width_of(l, i) + (w ? GAP : 0);
			*height = MAX(*height, column_height(l, i));
		}
	return w;
}

static int place_row(struct tile_layout *l, const int *from, int matrix,
		     int x, int y)
{
	for (int i = 3; i < l->count; i++)
		if (from[i] == matrix && !is_below(l, i)) {
			place_column(l, i, x, y);
			x += width_of(l, i) + GAP;
		}
	return x;
}

/*	As    Bs    B
 *	A   (gate)  C	each with a row for its title */
static bool place_paper(struct tile_layout *l, struct rect r, const int *from)
{
	int ha, hb, hn, top, bottom, left, middle, right, spare;
	int wa = row_of(l, from, 0, &ha), wb = row_of(l, from, 1, &hb);
	int wn = row_of(l, from, -1, &hn);

	left = MAX(wa, width_of(l, 0));
	middle = MAX(wb + (wb && wn ? GAP : 0) + wn, MIDDLE);
	right = MAX(width_of(l, 1), width_of(l, 2));
	top = MAX(MAX(ha, hb), MAX(hn, height_of(l, 1))) + 1;
	bottom = MAX(height_of(l, 0), height_of(l, 2)) + 1;
	if (left + middle + right + 2 * GAP + RULER > r.w || top + bottom > r.h)
		return false;
	spare = r.h - top - bottom;
	top += MIN(spare, MAX(spare / 2, 4));
	r.x += RULER;
	r.w -= RULER;
	spare = r.w - left - middle - right - 2 * GAP;
	middle += spare;
	place_row(l, from, 0, r.x, r.y + 1);
	place_row(l, from, -1, place_row(l, from, 1, r.x + left + GAP, r.y + 1),
		  r.y + 1);
	l->plane[0].x = r.x;
	l->plane[1].x = l->plane[2].x = r.x + left + middle + 2 * GAP;
	l->plane[0].y = l->plane[2].y = r.y + top + 1;
	l->plane[1].y = r.y + 1;
	hb = 1 + MAX(hb, hn);
	l->words = (struct rect){ r.x + left + GAP, r.y + hb + (top - hb > 5),
				  middle, top - hb - (top - hb > 5) };
	l->gate = (struct rect){ r.x + left + GAP, r.y + top, middle,
				 r.h - top };
	if (l->words.h < 3)	/* beside the arrays instead */
		l->words = (struct rect){ r.x + left + wb + wn + 3 * GAP,
					  r.y, middle - wb - wn - GAP, top };
	l->words.w -= RULER;	/* of B and C */
	l->gate.w -= RULER;
	l->paper = true;
	return true;
}

/* The arrays that stand in a row, in their order: of slabs above each other the
 * first. */
struct line { int plane[TILE_PLANES], count, width, height; };

/* The columns before an array of a row: a matrix has numbers there. */
static int before(int plane)
{
	return GAP + (plane < 3 ? RULER - 1 : 1);
}

/* A As | Bs B | C in one row, with C or without. */
static struct line line_of(const struct tile_layout *l, const int *from,
			   bool with_c)
{
	struct line n = { .plane = { 0 }, .count = 1 };

	for (int m = 0; m < 3; m++)
		for (int i = 3; i < l->count; i++)
			if (from[i] == (m == 1 ? -1 : m / 2) && !is_below(l, i))
				n.plane[n.count++] = i;
	n.plane[n.count++] = 1;
	if (l->plane[2].a && with_c)
		n.plane[n.count++] = 2;
	for (int i = 0; i < n.count; i++) {
		n.width += width_of(l, n.plane[i]) +
			   (i ? before(n.plane[i]) : 0);
		n.height = MAX(n.height, column_height(l, n.plane[i]));
	}
	return n;
}

/* The largest room that neighbouring arrays leave below them, beside higher
 * ones; w 0: none that is large enough. */
static struct rect room_below(const struct tile_layout *l, struct rect r,
			      const struct line *n)
{
	struct rect best = {0};

	for (int i = 1; i < n->count; i++) {
		int x = l->plane[n->plane[i]].x, low = 0;

		for (int k = i; k < n->count; k++) {
			int end = k + 1 < n->count ?
				  l->plane[n->plane[k + 1]].x - RULER :
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

/* The meter, and beside or below it the gate. */
static void share_room(struct tile_layout *l, struct rect room)
{
	l->words = l->gate = room;
	if (room.h < METER + 1 + FOOT || room.w >= 3 * MIDDLE) {
		l->words.w = room.w / 2 - GAP;
		l->gate.x += room.w / 2;
		l->gate.w -= room.w / 2;
	} else {
		l->words.h = METER;
		l->gate.y += METER + 1;
		l->gate.h -= METER + 1;
	}
}

/* The gate and the meter stand below: of all, or of the last ones. */
static bool place_flat(struct tile_layout *l, struct rect r, const int *from,
		       bool with_c)
{
	struct line n = line_of(l, from, with_c);
	int x = r.x + RULER, gap, h = n.height + 1;
	struct rect room;

	if (n.width + RULER > r.w || h > r.h)
		return false;
	gap = MIN(12, (r.w - n.width - RULER) / MAX(n.count - 1, 1));
	for (int i = 0; i < n.count; i++) {
		x += i ? before(n.plane[i]) + gap : 0;
		place_column(l, n.plane[i], x, r.y + 1);
		x += width_of(l, n.plane[i]);
	}
	room = room_below(l, r, &n);
	if (!room.w && h + FOOT > r.h)
		return false;
	if (!with_c)
		l->plane[2].a = NULL;
	h += r.h > h + FOOT;
	if (room.w)
		share_room(l, room);
	else
		share_room(l, (struct rect){ r.x, r.y + h, r.w, r.h - h });
	l->paper = false;
	return true;
}

/* Marks about as high as wide (a row is two columns high), from large ones on;
 * three columns have room for a number. */
static const struct tile_size sizes[] = {
	{ 24, 12, false, 1 }, { 16, 8, false, 1 }, { 12, 6, false, 1 },
	{ 10, 5, false, 1 }, { 8, 4, false, 1 }, { 6, 4, false, 1 },
	{ 6, 3, false, 1 }, { 4, 3, false, 1 }, { 4, 2, false, 1 },
	{ 3, 2, false, 1 }, { 3, 1, false, 1 }, { 2, 2, false, 1 },
	{ 2, 1, false, 1 }, { 2, 0, true, 1 }, { 1, 1, false, 1 },
	{ 1, 0, true, 1 }, { 2, 0, true, 2 }, { 1, 1, false, 2 },
	{ 1, 0, true, 2 }, { 2, 0, true, 4 }, { 1, 1, false, 4 },
	{ 1, 0, true, 4 }, { 1, 1, false, 8 }, { 1, 0, true, 8 },
	{ 1, 0, true, 16 }, { 1, 0, true, 32 }, { 1, 0, true, 64 },
};

/* A matrix's other tiles, where there is room: whole tiles in one direction. */
static void widen(uint32_t *first, uint32_t *count, uint32_t all, int room,
		  int per_tile)
{
	uint32_t tiles = (uint32_t)MAX(room / MAX(per_tile, 1), 1);
	uint32_t tile = *count, from;

	if (tiles < 2 || *count >= all)
		return;
	from = *first / (tile * tiles) * tile * tiles;
	*count = MIN(tile * tiles, all - from);
	if (*count < tile * tiles && all >= tile * tiles)
		from = all - (*count = tile * tiles);
	*first = from;
}

static void widen_matrices(struct tile_layout *l)
{
	struct tile_plane *a = &l->plane[0], *b = &l->plane[1];

	if (!l->paper)
		return;
	if (a->a)
		widen(&a->col0, &a->cols, a->a->cols,
		      l->gate.x - MIDDLE - GAP - a->x + l->gate.w,
		      width_of(l, 0));
	if (b->a)
		widen(&b->row0, &b->rows, b->a->rows,
		      l->plane[2].y - 1 - b->y, height_of(l, 1));
	if (a->a) {	/* A's other tiles take of the gate's room */
		int end = a->x + width_of(l, 0) + GAP;
		int more = MAX(0, end - l->gate.x);

		l->gate.x += more;
		l->gate.w -= more;
	}
}

/* What was collected, with elements of the size. */
static bool place(struct tile_layout *l, const struct tile_layout *collected,
		  struct rect r, const struct scene *sc, struct tile_size size)
{
	int from[TILE_PLANES] = {0};

	*l = *collected;
	l->size = size;
	for (int i = 3; i < l->count; i++)
		from[i] = sc->tiles->origin[l->plane[i].a - sc->arrays];
	return place_paper(l, r, from) || place_flat(l, r, from, true) ||
	       place_flat(l, r, from, false);
}

/* At elements of this size, as many slabs of an array as there is room for. */
static void add_slabs(struct tile_layout *l, struct rect r,
		      const struct scene *sc, bool alone)
{
	struct tile_layout more = {0}, placed;

	for (int most = SLABS_MOST; most > SLABS; most--) {
		collect(&more, sc, most, alone);
		if (place(&placed, &more, r, sc, l->size)) {
			*l = placed;
			return;
		}
	}
}

void tile_layout_make(struct tile_layout *l, struct rect r,
		      const struct show *s)
{
	const struct scene *sc = s->scene;
	struct tile_layout with_before = {0}, alone = {0};

	collect(&with_before, sc, SLABS, false);
	collect(&alone, sc, SLABS, true);
	/* To see every element is worth more than the phase before. */
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		bool both = place(l, &with_before, r, sc, sizes[i]);

		if (!both && (sizes[i].scale > 1 ||
			      !place(l, &alone, r, sc, sizes[i])))
			continue;
		if (sc->tiles->ring)
			add_slabs(l, r, sc, !both);
		widen_matrices(l);
		return;
	}
	l->size.w = 0;
}

/* Where writing from x on ends in row y, for the rectangle is there, or `end`. */
static int stop_at(struct rect r, int x, int y, int end)
{
	if (y < r.y || y >= r.y + r.h || r.x + r.w <= x)
		return end;
	return MIN(end, MAX(x, r.x - 1));
}

int tile_room(const struct tile_layout *l, const struct tile_plane *p, int y)
{
	int end = p->x + tile_width(&l->size, p->cols) + 16;

	for (int i = 0; i < l->count; i++) {
		const struct tile_plane *q = &l->plane[i];
		struct rect r = { q->x, q->y - 1, 1, 1 };

		if (!q->a || q == p)
			continue;
		end = stop_at(r, p->x, y, end);	/* its title */
		r = (struct rect){ q->x - (i < 3 ? RULER - 1 : 0), q->y,
				   tile_width(&l->size, q->cols),
				   tile_height(&l->size, q->rows) };
		end = stop_at(r, p->x, y, end);
	}
	end = stop_at(l->words, p->x, y, end);
	return stop_at(l->gate, p->x, y, end) - p->x;
}
