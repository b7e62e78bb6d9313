/* tile_layout: see tile_layout.h. */
#include "viz/pictures/tiles/tile_layout.h"

#include "viz/pictures/tiles/scene_tiles.h"

#define RULER 4	/* the columns of row numbers */
#define FLAT 4	/* slabs so many times as wide as high stand above each other */
#define SLABS 2		/* of an array, at least */
#define SLABS_MOST 4	/* of a ring, where there is room */
#define UNTOUCHED 512	/* the most rows and columns of a matrix without one */
#define BANK_ROW 128	/* bytes of all banks: the least row of a folded array */

static int marks_across(uint32_t n, int scale)
{
	return ((int)n + scale - 1) / scale;
}

int tile_width(const struct tile_size *z, uint32_t cols)
{
	return marks_across(cols, z->scale) * z->w;
}

int tile_height(const struct tile_size *z, uint32_t rows)
{
	int n = marks_across(rows, z->scale);

	return z->half ? (n + 1) / 2 : n * z->h;
}

uint32_t tile_elements(const struct tile_plane *p)
{
	return MIN(p->rows * p->cols,
		   p->a->rows * p->a->cols - p->row0 * p->fold);
}

/* ---- choosing what is shown ---- */

/* Returns the smallest box around two; either may be unknown. */
static struct box join_boxes(struct box a, const struct box *b)
{
	if (!b->known)
		return a;
	if (!a.known)
		return *b;
	return (struct box){ true, MIN(a.row0, b->row0), MIN(a.col0, b->col0),
			     MAX(a.row1, b->row1), MAX(a.col1, b->col1) };
}

/* Adds the part of a matrix that this phase works on and, unless `alone`, the
 * one of the phase before. */
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
		b = join_boxes(b, &sc->tiles->before[at]);
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

/* Returns how many elements stand side by side: those of the last dimension. A
 * long array of one dimension is folded into whole rows of banks, not much
 * higher than wide; a few long rows are halved until they are not much wider
 * than high. */
static uint32_t fold_of(const struct stage_array *a, uint32_t all)
{
	uint32_t n = a->rows * a->cols;
	uint32_t fold = BANK_ROW / a->array->elem_bytes;

	if (a->array->rank > 1) {
		fold = a->cols;
		while (fold % 2 == 0 && fold > FLAT * FLAT * (n / all / fold))
			fold /= 2;
		return fold;
	}
	if (a->cols <= 2 * fold)
		return a->cols;
	while (n / fold > fold)
		fold *= 2;
	return fold;
}

/* Returns nonzero if an element of a slab is stored in this phase, or read in
 * it by the focused thread. */
static int slab_use(const struct scene *sc, size_t at, uint32_t first,
		    uint32_t count)
{
	const struct tile_cell *cell = sc->tiles->cell[at];
	uint32_t all = sc->arrays[at].rows * sc->arrays[at].cols;
	int use = 0;

	for (uint32_t e = first; e < MIN(first + count, all); e++)
		use |= (cell[e].now.by >= 0) | sc->tiles->read[at][e];
	return use;
}

/* Tells whether the reader's request is about a slab: in a ring that stage is
 * shown first. */
static bool is_slab_read(const struct scene *sc, size_t at, uint32_t first,
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

/* Tells whether a slab must be shown, if not all can be. */
static bool is_slab_used(const struct scene *sc, size_t at, uint32_t first,
			 uint32_t count)
{
	return sc->tiles->ring ? is_slab_read(sc, at, first, count) :
				 slab_use(sc, at, first, count);
}

static void add_shared_array(struct tile_layout *l, const struct scene *sc,
			     size_t at, int most)
{
	const struct stage_array *a = &sc->arrays[at];
	bool slabs = a->array->rank > 2;
	uint32_t all = slabs ? (uint32_t)a->array->dims[0] : 1;
	uint32_t fold = fold_of(a, all);
	uint32_t rows = (a->rows * a->cols / all + fold - 1) / fold;
	int shown = 0;
	bool used = false;

	for (uint32_t i = 0; i < all && !used && all > (uint32_t)most; i++)
		used = is_slab_used(sc, at, i * rows * fold, rows * fold);
	for (uint32_t i = 0; i < all && shown < most &&
	     l->count < TILE_PLANES; i++) {
		if (used && all - i > (uint32_t)(most - shown) &&
		    !is_slab_used(sc, at, i * rows * fold, rows * fold))
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
	/* next to a ring only the arrays that the request is about */
	return sc->tiles->cell[at] && sc->arrays[at].array->elem_bytes < 8 &&
	       (!sc->tiles->ring || sc->tiles->origin[at] >= 0 ||
		sc->arrays[at].now || nothing_came(sc));
}

/* Collects what is to be shown: the matrices, and of each shared array at most
 * `most` slabs. */
static void collect_planes(struct tile_layout *l, const struct scene *sc,
			   int most, bool alone)
{
	l->count = 0;
	add_matrix(l, sc, sc->a, alone);
	add_matrix(l, sc, sc->b, alone);
	add_matrix(l, sc, sc->c, alone);
	for (size_t i = 0; i < sc->array_count; i++)
		if (holds_elements(sc, i))
			add_shared_array(l, sc, i, most);
}

/* ---- placing ---- */

int tile_origin(const struct scene *sc, const struct tile_plane *p)
{
	int origin = sc->tiles->origin[p->a - sc->arrays];

	return origin < 0 ? 2 : origin;
}

bool tile_is_below(const struct tile_layout *l, int i)
{
	const struct tile_plane *p = &l->plane[i];

	return i > 3 && p[-1].a == p->a && p->cols >= FLAT * p->rows;
}

/* Marks about as high as wide (a row is two columns high), the largest first;
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

/* Puts the collected planes into r, with the largest elements at which they
 * fit; false: they do not fit at any size. */
static bool place_largest(struct tile_layout *l,
			  const struct tile_layout *collected, struct rect r,
			  const struct scene *sc, enum tile_way way)
{
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		*l = *collected;
		l->size = sizes[i];
		l->bottom = r.y + r.h;
		if (tile_place(l, r, sc, way))
			return true;
	}
	return false;
}

/* Returns the value of a layout: the cells that it fills, more if threads are
 * shown, less if a mark stands for several elements. */
static double layout_worth(const struct tile_layout *l, enum tile_way way)
{
	static const double ways[TILE_WAYS] = { 1.6, 1.2, 1 };
	int cells = 0;

	for (int i = 0; i < l->count; i++)
		if (l->plane[i].a)
			cells += tile_width(&l->size, l->plane[i].cols) *
				 tile_height(&l->size, l->plane[i].rows);
	return cells * ways[way] / l->size.scale;
}

/* Shows more slabs of each array, as many as fit at this size of elements. */
static void add_slabs(struct tile_layout *l, struct rect r,
		      const struct scene *sc, bool alone, enum tile_way way)
{
	struct tile_layout more;

	for (int most = SLABS_MOST; most > SLABS; most--) {
		more = (struct tile_layout){ .size = l->size,
					     .bottom = l->bottom };
		collect_planes(&more, sc, most, alone);
		if (tile_place(&more, r, sc, way)) {
			*l = more;
			return;
		}
	}
}

void tile_layout_make(struct tile_layout *l, struct rect r,
		      const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	double best = 0;
	int chosen = 0;

	l->size.w = 0;
	/* with the tiles of the phase before, and without */
	for (int i = 0; i < 2 * TILE_WAYS; i++) {
		struct tile_layout collected = {0}, placed;

		collect_planes(&collected, sc, SLABS, i % 2);
		if (!place_largest(&placed, &collected, r, sc, i / 2) ||
		    layout_worth(&placed, i / 2) <= best)
			continue;
		best = layout_worth(&placed, i / 2);
		*l = placed;
		chosen = i;
	}
	if (l->size.w && sc->tiles->ring)
		add_slabs(l, r, sc, chosen % 2, chosen / 2);
}

/* Returns where text from x on must end in row y because of the rectangle r, or
 * `end`. */
static int stop_at(struct rect r, int x, int y, int end)
{
	if (y < r.y || y >= r.y + r.h || r.x + r.w <= x)
		return end;
	return MIN(end, MAX(x, r.x - 1));
}

int tile_room(const struct tile_layout *l, const struct tile_plane *p, int y)
{
	int end = p->x + tile_width(&l->size, p->cols) + 16;

	if (y >= l->bottom)
		return 0;
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
