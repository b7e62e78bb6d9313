/*
 * road_view_test: the picture of a tile's road: both towers have one scale, the
 * swizzle turns, a box has come when a wait for it is over and not before, and
 * what is not known stands with the numbers.
 */
#include <stdlib.h>

#include "base/lang.h"
#include "hardware/access.h"
#include "stage.h"
#include "tap.h"
#include "viz/pictures/road/view_road.h"

static void open_road_at(struct reader *r, const char *what, uint32_t block,
			 uint32_t warp, uint32_t request)
{
	struct cursor *p;

	open_kernel(r, what, "road");
	reader_settle(r, 120, 36);
	p = reader_cursor(r);
	p->warp = (size_t)trace_find_warp(stage_trace(reader_recording(r)->
						      stage), block, warp);
	p->request = request;
	p->lane = 5;
	r->only_time = false;
	r->show.t = 1;
	reader_settle(r, 120, 36);
}

#define PIPELINE "tma_pipeline -m 256 -n 128 -k 640"

/* Returns how many rows have a colour of the chunk in focus, from column x to
 * end, below the rows of the box. */
static int tower_height(struct reader *r, int x, int end)
{
	struct road_view v = road_view(&r->show);
	struct road_part p = road_choose_part(&v);
	enum role hue = (enum role)(ROLE_CHUNK0 + p.chunk % 8);
	struct canvas c;
	int rows = 0;

	canvas_init(&c, 120, 36);
	frame_draw(&c, reader_settle(r, 120, 36));
	for (int y = 13; y < 24; y++) {
		bool has = false;

		for (int i = x; i < end; i++)
			has |= canvas_at(&c, i, y)->bg == hue ||
			       canvas_at(&c, i, y)->bg == ROLE_SEEN;
		rows += has;
	}
	canvas_done(&c);
	return rows;
}

/* Returns the wavefronts of an ldmatrix that reads the chunk of eight rows. */
static int model_turns(const struct road_part *p, bool swizzled)
{
	struct access a = { .space = ACCESS_LDMATRIX, .op = OP_LD, .bytes = 16,
			    .mask = 0xff };
	struct access_cost cost = { .wavefronts = 0 };

	for (uint32_t row = 0; row < ROAD_ROWS; row++) {
		struct road_place to = swizzled ?
			road_find_place(p, p->swizzle, row, p->chunk) :
			(struct road_place){ row, p->chunk };

		a.address[row] = 128 * to.row + 16 * to.at;
	}
	access_cost(&a, &cost, NULL);
	return cost.wavefronts;
}

static void test_towers(void)
{
	static const int turned[] = { 1, 8, 4, 2, 1 };
	struct reader r;

	open_road_at(&r, PIPELINE, 0, 4, 10);
	tap_is(tower_height(&r, 24, 56), 8, "without XOR 8 levels");
	tap_is(tower_height(&r, 62, 92), 1, "with it one, in the same scale");
	for (size_t i = 0; i < LENGTH(turned); i++) {
		struct road_view v = road_view(&r.show);
		struct road_part p = road_choose_part(&v);
		int stack[8];

		tap_ok(road_turns(&p, true, stack) == turned[i] &&
		       model_turns(&p, true) == turned[i] &&
		       road_turns(&p, false, stack) == 8 &&
		       model_turns(&p, false) == 8,
		       "%s: %d turns, as the model says", i ? "^" : "recorded",
		       turned[i]);
		tap_ok(says(&r, 80, 24, "(tried)") == (i && i < 4),
		       "... a swizzle that was not recorded is tried");
		reader_event(&r, &(struct event){ .key = '^' });
		reader_settle(&r, 120, 36);
	}
	reader_done(&r);
}

static void test_focus(void)
{
	struct reader r;

	open_road_at(&r, PIPELINE, 0, 4, 10);
	tap_ok(says(&r, 120, 36, "4^5=1"), "row 5 has chunk 4 at place 1");
	reader_event(&r, &(struct event){ .key = 'c' });
	tap_ok(says(&r, 120, 36, "5^5=0"), "c: chunk 5 at place 0");
	reader_event(&r, &(struct event){ .key = 'l' });
	tap_ok(says(&r, 120, 36, "5^6=3"), "l: of row 6 at place 3");
	reader_event(&r, &(struct event){ .key = 'l' });
	reader_event(&r, &(struct event){ .key = 'l' });
	tap_ok(says(&r, 120, 36, "5^1=4"), "row 0 moves nothing: of row 1");
	tap_ok(says(&r, 80, 24, "chunks of 16 bytes"), "80x24: a chunk's size");
	reader_done(&r);
}

static void test_landing(void)
{
	struct reader r;

	open_road_at(&r, PIPELINE, 0, 0, 11);
	for (uint32_t i = 11; i < 17; i++) {
		reader_cursor(&r)->request = i;
		r.show.t = 1;
		tap_ok(says(&r, 120, 36, "49152 bytes to come") &&
		       !says(&r, 120, 36, "is over"),
		       "request %u: ordered, and nothing has come", i);
	}
	reader_done(&r);
	open_road_at(&r, PIPELINE, 0, 4, 10);
	tap_ok(says(&r, 120, 36, "phase 0 is over"),
	       "who has waited finds it all");
	reader_done(&r);
}

static void test_caveats(void)
{
	struct reader r;

	open_road_at(&r, PIPELINE, 0, 4, 10);
	for (size_t i = 0; i < LENGTH(sizes); i++)
		tap_ok(says(&r, sizes[i][0], sizes[i][1], "events in their "
			    "order, not in time; boxes land in any order"),
		       "%d columns: what the order means", sizes[i][0]);
	tap_ok(says(&r, 80, 24, "8 turns") && says(&r, 80, 24, "1 turn"),
	       "both columns stay at 80x24");
	tap_ok(says(&r, 120, 36, "tile 1 begun"),
	       "empty's arrival comes after the next tile is begun");
	reader_done(&r);
}

int main(void)
{
	lang_init("en");
	test_towers();
	test_focus();
	test_landing();
	test_caveats();
	return tap_done();
}
