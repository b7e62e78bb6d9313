/*
 * What a picture is to make obvious, looked for in its cells: where words are and
 * go, and that nothing jumps from the end of a step to the beginning of the next.
 */
#include "base/lang.h"
#include "scene/scene_carriers.h"
#include "stage.h"
#include "tap.h"
#include "viz/pictures/tiles/tile_marks.h"

/* The screen at a request and a time of its step. */
static struct canvas at(struct reader *r, uint32_t request, double t, int w,
			int h)
{
	struct canvas c;

	reader_cursor(r)->request = request;
	reader_settle(r, w, h);
	r->show.t = t;
	canvas_init(&c, w, h);
	frame_draw(&c, &r->show);
	return c;
}

/* The half cells of a role in a part of the screen. */
static int count(const struct canvas *c, struct rect r, enum role role)
{
	int n = 0;

	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++) {
			const struct cell *cell = canvas_at(c, x, y);

			bool halves = cell->ch == 0x2580 || cell->ch == 0x2584;

			n += (cell->bg == role) +
			     ((halves ? cell->fg : cell->bg) == role);
		}
	return n;
}

static bool same(const struct canvas *a, const struct canvas *b, struct rect r)
{
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			if (memcmp(canvas_at(a, x, y), canvas_at(b, x, y),
				   sizeof(struct cell)))
				return false;
	return true;
}

/* ---- tiles ---- */

static struct tile_layout tiles(struct reader *r, int w, int h)
{
	struct tile_layout l;
	struct screen_layout frame;

	layout_make(&frame, w, h, &r->show);
	frame.picture.h--;
	tile_layout_make(&l, frame.picture, &r->show);
	return l;
}

static struct rect place_of(const struct tile_layout *l, int plane)
{
	const struct tile_plane *p = &l->plane[plane];

	return (struct rect){ p->x, p->y, tile_width(&l->size, p->cols),
			      tile_height(&l->size, p->rows) };
}

enum { LOAD, STORE, BARRIER = 4, READ_B = 6 };

/* A word comes from A by a register to As, and from there to all threads that
 * read it; when the barrier opens, all of As is there. */
static void test_tiles(int w, int h)
{
	struct canvas before, after;
	struct tile_layout l;
	struct rect as, neck;
	struct reader r;

	open_kernel(&r, "tiled -m 32 -n 32 -k 32", "tiles");
	before = at(&r, LOAD, 1, w, h);
	after = at(&r, STORE, 0, w, h);
	l = tiles(&r, w, h);
	neck = l.neck[0];
	as = place_of(&l, 3);
	tap_ok(neck.w > 0 && count(&before, neck, ROLE_HUE0) > 0,
	       "%dx%d: what is loaded stands before As", w, h);
	tap_ok(same(&before, &after, neck) && same(&before, &after, as) &&
	       same(&before, &after, place_of(&l, 0)),
	       "... where the store takes it up");
	canvas_done(&before);
	canvas_done(&after);
	after = at(&r, STORE, 1, w, h);
	tap_ok(!count(&after, neck, ROLE_HUE0) &&
	       count(&after, as, ROLE_HUE0) > 0, "... and brings it there");
	canvas_done(&after);
	before = at(&r, BARRIER, 0, w, h);
	after = at(&r, BARRIER, 1, w, h);
	tap_ok(count(&before, as, ROLE_FIELD) > as.w * as.h,
	       "other warps' words are not there before the barrier");
	tap_is(count(&after, as, ROLE_FIELD), 0, "... and are behind it");
	tap_ok(count(&before, l.door, ROLE_BAD) == 2 * l.door.h &&
	       !count(&after, l.door, ROLE_BAD) &&
	       count(&after, l.door, ROLE_GOOD), "... as the door opens");
	canvas_done(&before);
	canvas_done(&after);
	before = at(&r, READ_B, 0, w, h);
	after = at(&r, READ_B, 1, w, h);
	if (l.plane[2].a) {
		struct rect c = place_of(&l, 2);

		tap_is(count(&before, c, ROLE_HUE1), 0,
		       "a word has been read by nobody");
		tap_is(count(&after, c, ROLE_HUE1) + count(&after, c,
							   ROLE_CURSOR),
		       2 * c.w * c.h / 8, "... and then by a warp's threads");
	}
	canvas_done(&before);
	canvas_done(&after);
	reader_cursor(&r)->request = LOAD;
	tap_ok(says(&r, w, h, "A[0..15][0..15]") &&
	       says(&r, w, h, "loaded now"),
	       "a part of a matrix is named, and so is what is bright");
	reader_cursor(&r)->request = READ_B;
	tap_ok(says(&r, w, h, "naive") && says(&r, w, h, "8192") &&
	       says(&r, w, h, "512"), "naive's reads stand beside the tiles'");
	reader_done(&r);
}

/* ---- carriers ---- */

static struct rect picture(struct reader *r, int w, int h)
{
	struct screen_layout l;

	layout_make(&l, w, h, &r->show);
	return l.picture;
}

/* The request at which the threads change their roles. */
static uint32_t go_to_change(struct reader *r)
{
	for (uint32_t i = 0; i < 100; i++) {
		reader_cursor(r)->request = i;
		if (reader_settle(r, 120, 36)->scene->carriers->role ==
		    CARRIER_CHANGES)
			return i;
	}
	fatal("nobody changes");
}

/* One thread is bright all along; its warp has a colour, the only one; and all
 * that A and B have lost C has got. */
static void test_carriers(int w, int h)
{
	struct reader r;
	struct canvas c;
	struct rect p;
	uint32_t change;
	int lit[3], hues = 0, dark = 0;

	open_kernel(&r, "float4 -m 64 -n 64 -k 16", "carriers");
	reader_cursor(&r)->warp = 4;
	reader_cursor(&r)->lane = 22;
	reader_cursor(&r)->request = 0;
	tap_ok(says(&r, w, h, "later: the same threads' sums"),
	       "%dx%d: an empty C says why", w, h);
	change = go_to_change(&r);
	p = picture(&r, w, h);
	p.h -= 2;	/* what the thread is, in words */
	for (int i = 0; i < 5; i++) {
		c = at(&r, change, 0.25 * i, w, h);
		dark += !count(&c, p, ROLE_CURSOR);
		hues += count(&c, p, ROLE_HUE1) + count(&c, p, ROLE_HUE2) +
			count(&c, p, ROLE_HUE3);
		if (i % 2 == 0)
			lit[i / 2] = count(&c, p, ROLE_SEEN) +
				     count(&c, p, ROLE_OWN);
		canvas_done(&c);
	}
	tap_is(dark, 0, "%dx%d: the focused thread is bright at each moment", w,
	       h);
	tap_is(hues, 0, "... and there is one colour, of its warp");
	tap_ok(lit[0] > 0 && lit[1] > 0 && lit[2] > lit[0],
	       "... and a square for each strip");
	c = at(&r, change, 1, w, h);
	tap_ok(says(&r, w, h, "thread 150 (6,9)") &&
	       says(&r, w, h, "the same thread computes"),
	       "... with both of its roles named");
	canvas_done(&c);
	reader_done(&r);
}

/* ---- what lies outside ---- */

/* TMA brings boxes of 256 rows of an A that has 64, and half a tile of B, whose
 * other half another block brings: zeros are not read, and stand nowhere. */
static void test_outside(void)
{
	const struct scene *sc;
	struct reader r;

	open_kernel(&r, "hgemm -m 64 -n 64 -k 320", "tiles");
	sc = reader_settle(&r, 120, 36)->scene;
	tap_is(sc->tiles->global.most, 64 * 320 + 320 / 2 * 64,
	       "of boxes that reach outside a matrix, what is inside is read");
	tap_ok(sc->tiles->now[sc->a].known && sc->tiles->now[sc->a].row1 == 63,
	       "... and shown");
	reader_done(&r);
}

int main(void)
{
	lang_init("en");
	for (size_t i = 0; i < LENGTH(sizes); i++)
		test_tiles(sizes[i][0], sizes[i][1]);
	for (size_t i = 0; i < LENGTH(sizes); i++)
		test_carriers(sizes[i][0], sizes[i][1]);
	test_outside();
	return tap_done();
}
