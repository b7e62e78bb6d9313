/*
 * raster: points of wedges and boxes, the characters that cells take, ASCII,
 * no colour, text afterwards, and the time of a full frame.
 */
#include "viz/raster.h"

#include <time.h>

#include "tap.h"

/* A frame of 200 x 60 cells full of wedges; a tenth of a frame at 30 a second.
 * Processor time, with room for a slow machine and for sanitizers. */
#define FRAME_SECONDS 0.05

static struct canvas c;

static void clear(bool ascii, bool mono)
{
	canvas_clear(&c);
	c.ascii = ascii;
	c.mono = mono;
}

static void begin(struct raster *g)
{
	raster_begin(g, (struct rect){ 0, 0, c.w, c.h });
}

static int count_role(const struct raster *g, enum role role)
{
	int n = 0;

	for (int i = 0; i < g->w * g->h; i++)
		n += g->points[i] == role;
	return n;
}

static bool is_cell(int x, int y, uint32_t ch, enum role fg, enum role bg)
{
	const struct cell *cell = canvas_at(&c, x, y);

	if (cell->ch == ch && cell->fg == fg && cell->bg == bg)
		return true;
	printf("# (%d, %d): U+%04x %c on %c\n", x, y, cell->ch,
	       role_letter(cell->fg), role_letter(cell->bg));
	return false;
}

static void test_wedge_points(void)
{
	/* From columns 0 to 2 at the top to 4 to 8 two rows below. */
	struct raster_wedge w = { { 0, 2, 0 }, { 4, 8, 2 }, false, false };
	struct raster_wedge side = { { 0, 2, 0 }, { 1, 4, 4 }, true, false };
	struct raster g;
	bool rows = true;

	clear(false, false);
	begin(&g);
	raster_wedge(&g, &w, 1, ROLE_HUE0);
	for (int y = 0; y < 32; y++) {
		int n = 0;

		for (int x = 0; x < g.w; x++)
			n += g.points[y * g.w + x] == ROLE_HUE0;
		rows &= n >= 16 + y / 2 - 1 && n <= 16 + y / 2 + 1;
	}
	tap_ok(rows, "a wedge's rows grow from edge to edge");
	tap_ok(g.points[0] == ROLE_HUE0 && g.points[18] == ROLE_NONE &&
	       g.points[31 * g.w + 62] == ROLE_HUE0 &&
	       g.points[31 * g.w + 32] == ROLE_HUE0 &&
	       g.points[31 * g.w + 30] == ROLE_NONE &&
	       g.points[32 * g.w + 40] == ROLE_NONE,
	       "... and it ends at both edges");
	memset(g.points, 0, (size_t)g.w * g.h);
	raster_wedge(&g, &side, 1, ROLE_HUE1);
	tap_ok(g.points[0] == ROLE_HUE1 && g.points[32 * g.w] == ROLE_NONE &&
	       g.points[62 * g.w + 31] == ROLE_HUE1 &&
	       g.points[15 * g.w + 31] == ROLE_NONE &&
	       g.points[40 * g.w + 32] == ROLE_NONE,
	       "a wedge sideways");
	raster_end(&g, &c);
}

static void test_growth(void)
{
	struct raster_wedge down = { { 0, 2, 0 }, { 0, 2, 2 }, false, true };
	struct raster_wedge up = { { 4, 6, 2 }, { 4, 6, 0 }, false, true };
	struct raster g;

	clear(false, false);
	begin(&g);
	raster_wedge(&g, &down, 0, ROLE_HUE0);
	tap_is(count_role(&g, ROLE_HUE0), 0, "a wedge that has not grown");
	raster_wedge(&g, &down, 0.5, ROLE_HUE0);
	raster_wedge(&g, &up, 0.5, ROLE_HUE1);
	tap_is(count_role(&g, ROLE_HUE0), 16 * 16, "half of a wedge");
	tap_ok(g.points[0] == ROLE_HUE0 && g.points[32] == ROLE_NONE &&
	       g.points[16 * g.w + 32] == ROLE_HUE1,
	       "it grows from its first edge");
	raster_end(&g, &c);
}

static void test_characters(void)
{
	struct raster g;

	clear(false, false);
	begin(&g);
	raster_box(&g, 0, 0.5, 1, 0.5, ROLE_HUE0);
	raster_box(&g, 1, 0, 1, 1, ROLE_HUE1);
	raster_box(&g, 1, 0.625, 1, 0.375, ROLE_HUE2);
	raster_box(&g, 2, 0, 0.375, 1, ROLE_HUE3);
	raster_box(&g, 3, 0, 0.5, 0.5, ROLE_HUE0);
	raster_box(&g, 3.5, 0.5, 0.5, 0.5, ROLE_HUE0);
	raster_box(&g, 4, 0, 1, 1, ROLE_WASTE);
	raster_box(&g, 5, 0.25, 1, 0.75, ROLE_HUE0);
	raster_bar(&g, 6, 0, 0.01, 1, ROLE_NOW);
	raster_end(&g, &c);
	tap_ok(is_cell(0, 0, 0x2584, ROLE_HUE0, ROLE_NONE), "a lower half");
	tap_ok(is_cell(1, 0, 0x2583, ROLE_HUE2, ROLE_HUE1),
	       "three lower eighths of another colour");
	tap_ok(is_cell(2, 0, 0x258d, ROLE_HUE3, ROLE_NONE),
	       "three left eighths");
	tap_ok(is_cell(3, 0, 0x259a, ROLE_HUE0, ROLE_NONE), "two quadrants");
	tap_ok(is_cell(4, 0, ' ', ROLE_NONE, ROLE_WASTE), "a whole cell");
	tap_ok(is_cell(5, 0, 0x2586, ROLE_HUE0, ROLE_NONE), "six eighths");
	tap_ok(is_cell(6, 0, 0x258f, ROLE_NOW, ROLE_NONE),
	       "the shortest bar is an eighth");
	tap_ok(is_cell(7, 0, ' ', ROLE_NONE, ROLE_NONE), "nothing");
	canvas_text(&c, 0, 0, -1, "abcdef", INK(ROLE_ON_HUE));
	tap_ok(is_cell(0, 0, 'a', ROLE_ON_HUE, ROLE_NONE) &&
	       is_cell(1, 0, 'b', ROLE_ON_HUE, ROLE_HUE1) &&
	       is_cell(5, 0, 'f', ROLE_ON_HUE, ROLE_HUE0),
	       "text keeps the commonest colour");
}

static void test_three_colours(void)
{
	struct raster g;

	clear(false, false);
	begin(&g);
	raster_box(&g, 0, 0, 1, 0.5, ROLE_HUE0);
	raster_box(&g, 0, 0.5, 1, 0.5, ROLE_HUE1);
	raster_box(&g, 0, 0, 0.25, 0.25, ROLE_HUE2);
	raster_end(&g, &c);
	tap_ok(is_cell(0, 0, 0x2580, ROLE_HUE0, ROLE_HUE1),
	       "of three colours the rarest is left out");
}

static void draw_ribbons(void)
{
	struct raster g;

	begin(&g);
	raster_box(&g, 0, 0, 1, 1, raster_ribbon(9));
	raster_box(&g, 1, 0, 1, 0.75, ROLE_WASTE);
	raster_box(&g, 2, 0, 1, 1, ROLE_RIBBON_FOCUS);
	raster_box(&g, 3, 0, 1, 0.25, ROLE_HUE1);
	raster_end(&g, &c);
}

static void test_ascii(void)
{
	clear(true, false);
	draw_ribbons();
	tap_ok(is_cell(0, 0, ' ', ROLE_NONE, ROLE_RIBBON1) &&
	       is_cell(1, 0, ' ', ROLE_NONE, ROLE_WASTE) &&
	       is_cell(3, 0, ' ', ROLE_NONE, ROLE_NONE),
	       "ASCII: the commonest colour");
}

static void test_mono(void)
{
	clear(false, true);
	draw_ribbons();
	tap_is(canvas_at(&c, 0, 0)->ch, ' ', "mono: no ribbons");
	tap_ok(canvas_at(&c, 1, 0)->ch == 'x', "... waste is x");
	tap_ok(canvas_at(&c, 2, 0)->ch == '@' &&
	       canvas_at(&c, 2, 0)->attr & ATTR_REVERSE,
	       "... the focus is reversed");
}

static void test_lanes(void)
{
	bool differ = true;

	for (uint32_t i = 1; i < 32; i++)
		differ &= raster_lane(i) != raster_lane(i - 1);
	tap_ok(differ, "neighbouring lanes differ");
	tap_ok(raster_lane(31) == ROLE_TRAIL3 && raster_ribbon(8) == ROLE_RIBBON1,
	       "a lane's colours");
}

static void test_speed(void)
{
	struct raster g;
	clock_t start;
	double best = 1, took;

	canvas_resize(&c, 200, 60);
	for (int n = 0; n < 5; n++) {
		clear(false, false);
		start = clock();
		begin(&g);
		for (int i = 0; i < 32; i++) {
			struct raster_wedge w = {
				{ 6 * i, 6 * i + 6, 0 },
				{ 200 - 6 * i, 206 - 6 * i, 60 }, false, true };

			raster_wedge(&g, &w, 1, raster_ribbon((uint32_t)i));
		}
		raster_end(&g, &c);
		took = (double)(clock() - start) / CLOCKS_PER_SEC;
		best = took < best ? took : best;
	}
	printf("# %.2f ms\n", 1e3 * best);
	tap_ok(best < FRAME_SECONDS, "a full frame is fast enough");
}

int main(void)
{
	canvas_init(&c, 8, 4);
	test_wedge_points();
	test_growth();
	test_characters();
	test_three_colours();
	test_ascii();
	test_mono();
	test_lanes();
	test_speed();
	canvas_done(&c);
	return tap_done();
}
