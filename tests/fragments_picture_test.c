/*
 * The picture of fragments: each of its cells has the lane that the model of
 * fragments names, at each size, for each lane in focus; sums grow with the
 * pairs that have arrived; and what was only measured says so wherever it is
 * drawn.
 */
#include <stdlib.h>
#include <string.h>

#include "app/reader.h"
#include "base/lang.h"
#include "tap.h"
#include "viz/pictures/fragments/fragments_board.h"

static const int sizes[][2] = { { 80, 24 }, { 120, 36 }, { 200, 60 } };

static void open_kernel(struct reader *r, const char *kernel, uint32_t request)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct error e;

	reader_init(r, &o);
	if (reader_open_file(r, kernel, &e))
		fatal("%s", e.text);
	reader_settle(r, 120, 36);
	reader_cursor(r)->request = request;
	r->show.pane = PANE_PICTURE;
	r->show.held = view_find("fragments");
	reader_settle(r, 120, 36);
}

static void draw_frame(struct reader *r, const int *size, double t,
		       struct canvas *c)
{
	reader_settle(r, size[0], size[1]);
	r->show.t = t;
	canvas_init(c, size[0], size[1]);
	frame_draw(c, &r->show);
}

static char *frame_text(struct reader *r, const int *size, double t)
{
	struct canvas c;
	struct str text = {0};

	draw_frame(r, size, t, &c);
	canvas_print(&c, false, &text);
	canvas_done(&c);
	return str_take(&text);
}

/* Tells whether the role is the lane's: white in focus, else one of its
 * hue. */
static bool is_lanes(enum role role, int lane, int focus)
{
	int hue = lane % WARP_LANES / 8;

	return lane == focus ? role == ROLE_CURSOR :
	       role == (enum role)(ROLE_HUE0 + hue) ||
	       role == (enum role)(ROLE_TRAIL0 + hue);
}

/* Returns the number at (x, y), or -1 where there is none. */
static int number_at(const struct canvas *c, struct rect at)
{
	int n = -1;

	for (int x = at.x; x < at.x + at.w; x++) {
		uint32_t ch = canvas_at(c, x, at.y + (at.h - 1) / 2)->ch;

		if (ch >= '0' && ch <= '9')
			n = MAX(n, 0) * 10 + (int)(ch - '0');
		else if (ch != ' ')
			return -1;
	}
	return n;
}

/* Checks one element of a lane. */
static bool check_element(const struct reader *r, const struct canvas *c,
			  const struct board *b,
			  const struct board_operand *o,
			  const struct fragment_place *p, struct rect picture)
{
	bool upper, lower;
	struct rect at = board_cell(b, o, p->row, p->col, &upper, &lower);
	const struct cell *cell = canvas_at(c, at.x, at.y);
	struct hit hit = {0};
	bool half = cell->ch == 0x2580 || cell->ch == 0x2584;
	enum role role = half && (cell->ch == 0x2580) == upper ? cell->fg :
								 cell->bg;
	/* Two neighbours in a row of A and C share a number. */
	struct rect two = { at.x - p->col % 2 * at.w, at.y, 2 * at.w, at.h };
	int n = half ? -1 : number_at(c, o->name == 'B' ? at : two);

	if (!is_lanes(role, p->lane, b->lane) ||
	    (n >= 0 && n != p->lane % WARP_LANES && p->lane != b->lane))
		return false;
	view_find("fragments")->hit(&r->show, picture, at.x, at.y, &hit);
	return lower || (hit.kind == HIT_LANE &&
			 hit.index == p->lane % WARP_LANES);
}

/* Counts the elements of the warp's lanes that the picture shows wrongly. */
static int count_wrong(struct reader *r, const int *size, int *seen)
{
	struct screen_layout l;
	struct canvas c;
	struct board b;
	int wrong = 0;

	draw_frame(r, size, 1, &c);
	layout_make(&l, size[0], size[1], &r->show);
	board_init(&b, &r->show);
	if (!board_place(&b, l.picture))
		return 1;
	for (int i = 0; i < 3; i++) {
		const struct board_operand *o = i == 0 ? &b.a : i == 1 ? &b.b :
							&b.c;

		for (int lane = 0; o->layout && lane < WARP_LANES; lane++)
			for (int e = 0; e < o->layout->elements; e++) {
				struct fragment_place p = { .element = e,
					.lane = lane + b.lane / WARP_LANES *
						WARP_LANES };

				fragment_element(o->layout, &p);
				if (p.col >= o->cols || p.row < o->row0 ||
				    p.row >= o->row0 + o->rows)
					continue;
				++*seen;
				wrong += !check_element(r, &c, &b, o, &p,
							l.picture);
			}
	}
	canvas_done(&c);
	return wrong;
}

static void test_cells(const char *kernel, size_t warp, uint32_t request,
		       int least)
{
	struct reader r;

	open_kernel(&r, kernel, request);
	reader_cursor(&r)->warp = warp;
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		int wrong = 0, seen = 0;

		for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
			reader_cursor(&r)->lane = lane;
			wrong += count_wrong(&r, sizes[i], &seen);
		}
		tap_ok(!wrong && seen >= least * WARP_LANES,
		       "%s at %dx%d: %d of %d cells have another lane than the "
		       "model's", kernel, sizes[i][0], sizes[i][1], wrong,
		       seen);
	}
	reader_done(&r);
}

/* Finds the number that the list gives after the element's place. */
static bool list_says(const char *frame, const char *element, double v)
{
	const char *at = strstr(frame, element);

	return at && strtod(at + strlen(element), NULL) == v;
}

static void test_sum(void)
{
	static const int size[2] = { 120, 36 };
	const struct fragments *f;
	double before = 0, last = 0;
	bool grows = false;
	struct reader r;
	char *frame;

	open_kernel(&r, "mma", 301);
	reader_cursor(&r)->lane = 9;
	for (int i = 0; i <= 50; i++) {
		frame = frame_text(&r, size, i / 50.0);
		f = r.show.scene->fragments;
		if (!i) {
			before = f->c.value[9][0];
			last = f->d.value[9][0];
			tap_ok(f->moves == 'D' && f->multiplies &&
			       before != last, "the step makes c0");
			tap_ok(list_says(frame, "c0 C[2][2]", before),
			       "at t 0 the sum is the one before");
		} else if (i < 50) {
			grows |= !list_says(frame, "c0 C[2][2]", before) &&
				 !list_says(frame, "c0 C[2][2]", last);
		} else {
			tap_ok(list_says(frame, "c0 C[2][2]", last),
			       "at t 1 it is the recorded one");
		}
		free(frame);
	}
	tap_ok(grows, "between them it counts");
	reader_done(&r);
}

static void says(struct reader *r, const int *size, const char *words,
		 bool want)
{
	char *frame = frame_text(r, size, 1);

	if (!tap_ok(!strstr(frame, words) == !want, "%dx%d %s \"%s\"", size[0],
		    size[1], want ? "says" : "does not say", words))
		printf("# %.40s\n", frame);
	free(frame);
}

/* What was measured only says so, wherever it is drawn, at each size; what PTX
 * promises does not. */
static void test_caveat(void)
{
	struct reader r;

	open_kernel(&r, "wmma", 126);
	for (size_t i = 0; i < LENGTH(sizes); i++)
		says(&r, sizes[i], "measured, not promised", true);
	reader_done(&r);
	open_kernel(&r, "mma", 301);
	says(&r, sizes[1], "Two mma side by", true);
	says(&r, sizes[1], "measured, not", true);
	says(&r, sizes[0], "wmma", false);
	says(&r, sizes[0], "measured", false);
	says(&r, sizes[0], "4 of 16 numbers in row", true);
	reader_done(&r);
}

/* While a question asks for lanes, the picture shows those of a row, of a column
 * and the one in focus. */
static void test_question(void)
{
	static const int size[2] = { 120, 36 };
	struct reader_options o = { .lang = "en", .still = true };
	struct reader r;
	struct error e;
	struct screen_layout l;
	struct canvas c;
	struct board b;
	int told = 0;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, "wmma", &e))
		fatal("%s", e.text);
	reader_settle(&r, 120, 36);
	reader_go_step(&r, 2);
	reader_settle(&r, 120, 36);
	draw_frame(&r, size, 1, &c);
	layout_make(&l, size[0], size[1], &r.show);
	board_init(&b, &r.show);
	board_place(&b, l.picture);
	for (int row = 1; row < b.c.rows; row++)
		for (int col = 0; col < b.c.cols; col++) {
			bool upper, lower;
			struct rect at = board_cell(&b, &b.c, row, col, &upper,
						    &lower);
			enum role role = canvas_at(&c, at.x, at.y)->bg;

			told += role != ROLE_FIELD &&
				board_holder(&b.c, row, col).lane != b.lane;
		}
	tap_ok(r.show.quiet && !told, "%d cells tell the answer", told);
	canvas_done(&c);
	reader_done(&r);
}

/* Returns the columns of B whose number touches a neighbour's. */
static int count_touching(const struct canvas *c, const struct board *b)
{
	int touching = 0;

	for (int row = 0; row < b->b.rows; row++)
		for (int col = 1; col < b->b.cols; col++) {
			bool upper, lower;
			struct rect at = board_cell(b, &b->b, row, col, &upper,
						    &lower);
			uint32_t left = canvas_at(c, at.x - 1, at.y)->ch;
			uint32_t right = canvas_at(c, at.x, at.y)->ch;

			if (board_holder(&b->b, row, col - 1).lane == b->lane)
				continue;
			touching += left >= '0' && left <= '9' &&
				    right >= '0' && right <= '9';
		}
	return touching;
}

/* The picture says what it is about and which key leads on, and lanes' numbers
 * stand apart, with columns of any width. */
static void test_words(void)
{
	static const int wide[2] = { 120, 36 }, narrow[2] = { 70, 36 };
	struct reader r;

	open_kernel(&r, "mma", 301);
	reader_cursor(&r)->lane = 9;
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		char *frame = frame_text(&r, sizes[i], 1);

		tap_ok(strstr(frame, "No lane has a whole row") &&
		       strstr(frame, " l L lane "),
		       "%dx%d: what it shows, and the key for lanes",
		       sizes[i][0], sizes[i][1]);
		free(frame);
	}
	for (int i = 0; i < 2; i++) {
		const int *size = i ? narrow : wide;
		struct screen_layout l;
		struct canvas c;
		struct board b;

		draw_frame(&r, size, 1, &c);
		layout_make(&l, size[0], size[1], &r.show);
		board_init(&b, &r.show);
		tap_ok(board_place(&b, l.picture) && b.w == (i ? 2 : 3) &&
		       !count_touching(&c, &b),
		       "%dx%d: no numbers of B touch", size[0], size[1]);
		canvas_done(&c);
	}
	reader_done(&r);
}

int main(void)
{
	lang_init("en");
	test_cells("mma", 0, 301, 16 * 16);
	test_cells("wmma", 3, 126, 16 * 16);
	test_cells("wgmma_basic", 1, 78, 16 * 24);
	test_sum();
	test_caveat();
	test_question();
	test_words();
	return tap_done();
}
