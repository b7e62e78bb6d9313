/*
 * order_view_test: the picture of the order of tiles: both halves have one
 * scale, what is computed and assumed stands with the numbers, keys turn wave
 * and group, and nothing is offered where all tiles run at once.
 */
#include <stdlib.h>

#include "base/lang.h"
#include "stage.h"
#include "tap.h"

static void open_order(struct reader *r, const char *what)
{
	open_kernel(r, what, "order");
	reader_settle(r, 120, 36);
}

static void press(struct reader *r, int key)
{
	reader_event(r, &(struct event){ .key = (uint32_t)key });
	reader_settle(r, 120, 36);
}

/* Returns how many columns of a row, from x to end, have one of two roles. */
static int columns_of(const struct canvas *c, int y, int x, int end,
		      enum role one, enum role two)
{
	int n = 0;

	for (; x < end; x++) {
		const struct cell *cell = canvas_at(c, x, y);

		n += cell->bg == one || cell->bg == two ||
		     (cell->ch >= 0x2580 && cell->ch < 0x25a0 &&
		      (cell->fg == one || cell->fg == two));
	}
	return n;
}

/* Both halves' C, their strips and their bars are to one scale. */
static void test_scale(void)
{
	const struct order *o;
	struct reader r;
	struct canvas c;
	int bars[2] = { 0 }, white[2] = { 0 };

	open_order(&r, "hgemm -k 256");
	o = r.show.scene->order;
	canvas_init(&c, 120, 36);
	frame_draw(&c, reader_settle(&r, 120, 36));
	for (int y = 22; y < 28; y++)
		for (int half = 0; half < 2; half++)
			bars[half] = MAX(bars[half],
					 columns_of(&c, y, 60 * half,
						    60 * half + 59, ROLE_HUE0,
						    ROLE_HUE1));
	for (int y = 6; y < 26; y++)
		for (int half = 0; half < 2; half++)
			white[half] += columns_of(&c, y, 12 + 60 * half,
						  50 + 60 * half, ROLE_CURSOR,
						  ROLE_CURSOR);
	tap_ok(bars[0] > 30 &&
	       abs(bars[1] - (int)(bars[0] * o->strips.bytes /
				   o->by_rows->strips.bytes)) <= 1,
	       "%d and %d columns: the bars have one scale", bars[0], bars[1]);
	tap_ok(white[0] > 20 && abs(white[0] - white[1]) <= 8,
	       "%d and %d cells: so have the tiles of a wave", white[0],
	       white[1]);
	canvas_done(&c);
	reader_done(&r);
}

static void test_caveats(void)
{
	struct reader r;

	open_order(&r, "hgemm -k 256");
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		int w = sizes[i][0], h = sizes[i][1];

		tap_ok(says(&r, w, h, "Computed: each strip once a wave") &&
		       says(&r, w, h, "one tile on each SM, in step"),
		       "%dx%d: what is computed, and what is assumed", w, h);
		tap_ok(says(&r, w, h, "the recorded C has too few tiles"),
		       "... and at which size");
		tap_ok(says(&r, w, h, "86.0 MB a wave") &&
		       says(&r, w, h, "692 MB asked of L2"),
		       "... of DRAM's bytes and L2's");
	}
	reader_done(&r);
}

static void test_keys(void)
{
	const struct order *o;
	struct reader r;
	uint32_t b;

	open_order(&r, "hgemm -k 256");
	o = r.show.scene->order;
	tap_ok(o->wave == 5 && o->group == 8, "wave 6, in groups of 8");
	b = o->strips.b;
	press(&r, '>');
	tap_is(r.show.scene->order->wave, 6, "the next wave");
	press(&r, '<');
	press(&r, ',');
	o = r.show.scene->order;
	tap_ok(o->wave == 5 && o->group == 4 && o->strips.b > b,
	       "groups half as high need more of B");
	for (int i = 0; i < 6; i++)
		press(&r, ',');
	o = r.show.scene->order;
	tap_ok(o->group == 1 && o->strips.b == o->by_rows->strips.b,
	       "groups of one are rows");
	press(&r, '.');
	tap_is(r.show.scene->order->group, 2, "no key was lost at the end");
	reader_done(&r);
}

/* Both halves are there at 80x24, with their bytes. */
static void test_halves(void)
{
	struct reader r;

	open_order(&r, "hgemm -k 256");
	tap_ok(says(&r, 80, 24, "row by row") &&
	       says(&r, 80, 24, "in groups of 8"), "80x24: both orders");
	tap_ok(says(&r, 80, 24, "147 MB a wave") &&
	       says(&r, 80, 24, "86.0 MB a wave"), "... with their bytes");
	tap_ok(says(&r, 80, 24, "66 strips B") && says(&r, 80, 24, "9 strips B"),
	       "... and their strips");
	reader_done(&r);
}

/* Returns the frame's cells that differ between two times. */
static int count_moved(struct reader *r, double from, double to)
{
	struct canvas c[2];
	int n = 0;

	for (int i = 0; i < 2; i++) {
		canvas_init(&c[i], 120, 36);
		reader_settle(r, 120, 36);
		r->show.t = i ? to : from;
		frame_draw(&c[i], &r->show);
	}
	for (int y = 8; y < 24; y++)
		for (int x = 71; x < 104; x++)
			n += canvas_at(&c[0], x, y)->bg !=
			     canvas_at(&c[1], x, y)->bg;
	canvas_done(&c[0]);
	canvas_done(&c[1]);
	return n;
}

/* Tiles slide when they are grouped anew, and only then. */
static void test_slide(void)
{
	const struct order *o;
	struct reader r;

	open_order(&r, "hgemm -k 256");
	press(&r, ',');
	o = r.show.scene->order;
	tap_ok(o->before && o->before[9].row == 9 && o->tiles[9].row != 9,
	       "a tile keeps its number and moves");
	tap_ok(count_moved(&r, 0, 0.5) > 20 && count_moved(&r, 0.5, 1) > 20,
	       "... on its way there");
	press(&r, '>');
	tap_ok(!r.show.scene->order->before, "the next wave moves no tile");
	reader_done(&r);
}

/* What a wave reads is that of its tiles. */
static void test_reads(void)
{
	const struct order *o;
	struct reader r;
	int wrong = 0;

	open_order(&r, "hgemm -k 256");
	o = r.show.scene->order;
	for (uint32_t wave = 0; wave < o->waves; wave++)
		for (uint32_t row = 0; row < o->rows; row++) {
			bool reads = false;

			for (uint32_t i = 0; i < o->count; i++)
				reads |= o->tiles[i].wave == wave &&
					 o->tiles[i].row == row;
			wrong += order_wave_reads(o, wave, row, true) != reads;
		}
	tap_is(wrong, 0, "each wave reads its tiles' rows");
	reader_done(&r);
}

static void test_offer(void)
{
	struct reader r;
	const struct view *v = view_find("order");

	open_order(&r, "hgemm -k 256");
	tap_ok(v->offered(&r.show), "hgemm's order is offered");
	reader_done(&r);
	open_order(&r, "tiled");
	tap_ok(!v->offered(&r.show), "16 blocks run at once: none is");
	reader_done(&r);
}

int main(void)
{
	lang_init("en");
	test_scale();
	test_caveats();
	test_keys();
	test_halves();
	test_slide();
	test_reads();
	test_offer();
	return tap_done();
}
