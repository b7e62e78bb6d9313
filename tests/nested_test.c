/*
 * The picture of block, warp and lane: its units have the lanes that store
 * their elements of C; the strips lie at the k that the lane multiplies, whose
 * sums are those of A and B up to there; a step goes on by one k, and adds
 * nothing before the numbers have arrived; both halves of a pair have one
 * scale; what a mark stands for is said wherever the block is drawn.
 */
#include <stdlib.h>
#include <string.h>

#include "app/reader.h"
#include "base/lang.h"
#include "kernels/kernels.h"
#include "scene/view_list.h"
#include "tap.h"
#include "viz/pictures/nested/nested_plan.h"

static const int sizes[][2] = { { 80, 24 }, { 120, 36 }, { 200, 60 } };

static void show_nested(struct reader *r)
{
	r->show.pane = PANE_PICTURE;
	r->show.held = view_find("nested");
	reader_settle(r, 120, 36);
}

/* Opens a kernel where a lane of warp 1 or 4 has multiplied `k` times. */
static void open_kernel(struct reader *r, const char *kernel, size_t warp,
			uint32_t lane, int k)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct error e;

	reader_init(r, &o);
	if (reader_open_file(r, kernel, &e))
		fatal("%s", e.text);
	reader_settle(r, 120, 36);
	reader_cursor(r)->request = 0;
	reader_cursor(r)->warp = warp;
	reader_cursor(r)->lane = lane;
	show_nested(r);
	while (k-- > 0 &&
	       view_find("nested")->step(r->show.scene, reader_cursor(r), 1))
		;
	reader_settle(r, 120, 36);
}

/* Draws the frame at time t; gets where its parts are. */
static void draw_at(struct reader *r, const int *size, double t,
		    struct canvas *c, struct nested_subject *q,
		    struct nested_plan *p)
{
	struct screen_layout l;

	reader_settle(r, size[0], size[1]);
	r->show.t = t;
	layout_make(&l, size[0], size[1], &r->show);
	if (!nested_take(q, &r->show, r->show.scene))
		fatal("there is no outer product");
	nested_place(p, q, l.picture);
	canvas_init(c, size[0], size[1]);
	frame_draw(c, &r->show);
}

static bool has_text(const struct canvas *c, const char *text)
{
	struct str all = { 0 };
	bool has;

	canvas_print(c, false, &all);
	has = all.data && strstr(all.data, text);
	str_done(&all);
	return has;
}

/* ---- the warp ---- */

/* Returns the lane of warp 4 of float4, or of warp 1 of warptile, that stores
 * an element of C, by the kernel's own formula. */
static uint32_t lane_of(bool warptile, uint32_t row, uint32_t col)
{
	if (!warptile)
		return row / 4 % 2 * 16 + col / 4;
	row = row % 32 / 4;
	col = col % 16 / 4;
	return (row & 1) << 1 | (row & 6) << 2 | (col & 1) | (col & 2) << 1;
}

static size_t count_wrong_units(const struct canvas *c,
				const struct nested_subject *q,
				const struct nested_plan *p, bool warptile)
{
	size_t wrong = 0;

	for (uint32_t i = 0; i < q->unit_rows * q->unit_cols; i++) {
		uint32_t row = i / q->unit_cols, col = i % q->unit_cols;
		uint32_t lane =
			lane_of(warptile, q->unit_row[row], q->unit_col[col]);
		uint8_t bg = canvas_at(c, p->warp.x + (int)(col * p->unit_w),
				       p->warp.y + (int)(row * p->unit_h))
				     ->bg;

		wrong += bg != (lane == q->sc->cursor.lane ?
					ROLE_CURSOR :
					(lane % 2 ? ROLE_TRAIL0 : ROLE_HUE0) +
						lane / 8);
	}
	return wrong;
}

static void test_units(void)
{
	static const char *const kernels[] = { "float4", "warptile" };
	struct nested_subject q;
	struct nested_plan p;
	struct reader r;
	struct canvas c;

	for (int k = 0; k < 2; k++) {
		open_kernel(&r, kernels[k], k ? 1 : 4, 22, 6);
		draw_at(&r, sizes[2], 1, &c, &q, &p);
		tap_ok(p.warp.w && p.unit_h >= 1 &&
			       q.unit_rows * q.unit_cols == (k ? 128 : 32),
		       "%s: the warp has %u x %u units", kernels[k],
		       q.unit_rows, q.unit_cols);
		tap_is(count_wrong_units(&c, &q, &p, k), 0,
		       "... and each has its lane's hue");
		canvas_done(&c);
		reader_done(&r);
	}
}

/* ---- k ---- */

/* Computes the sum of products of A's row and B's column before `k`. */
static double sum_before(const struct scene *sc, uint32_t row, uint32_t col,
			 uint32_t k)
{
	double sum = 0, a, b;

	for (uint32_t i = 0; i < k; i++) {
		if (!scene_element(sc, &sc->arrays[sc->a], row, i, &a) ||
		    !scene_element(sc, &sc->arrays[sc->b], i, col, &b))
			return 1e9;
		sum += a * b;
	}
	return sum;
}

static void test_sums(const char *kernel, size_t warp)
{
	struct nested_subject q;
	struct nested_plan p;
	struct reader r;
	struct canvas c;

	open_kernel(&r, kernel, warp, 22, 6);
	draw_at(&r, sizes[1], 1, &c, &q, &p);
	tap_ok(q.n->held && q.n->k == 5,
	       "%s: the sixth product is that of k = "
	       "5: %u",
	       kernel, q.n->k);
	for (uint32_t i = 0, wrong = 0; i <= q.o->rows; i++) {
		if (i == q.o->rows) {
			tap_is(wrong, 0, "... and sums end there");
			break;
		}
		for (uint32_t j = 0; j < q.o->cols; j++)
			wrong += q.o->cell[i][j].before !=
					 sum_before(q.sc, q.n->rows[i],
						    q.n->cols[j], 5) ||
				 q.o->cell[i][j].after !=
					 sum_before(q.sc, q.n->rows[i],
						    q.n->cols[j], 6);
	}
	canvas_done(&c);
	reader_done(&r);
}

/* Returns the k at which the mark with the white piece of As begins; -1: there
 * is none. */
static int find_white(const struct canvas *c, const struct nested_subject *q,
		      const struct nested_plan *p)
{
	int y = (int)(p->c_y +
		      (q->n->rows[0] - q->work->box.row0) * p->element / 2);

	for (int x = (int)p->as_x; x < (int)p->c_x; x++) {
		const struct cell *cell = canvas_at(c, x, y);

		if (cell->fg == ROLE_CURSOR || cell->bg == ROLE_CURSOR)
			return (int)((x - p->as_x) / p->element);
	}
	return -1;
}

/* In a step: first the strips move, then the numbers fly, then the products are
 * there, then they are added; numbers of sums are old or new, nothing else. */
static void test_motion(void)
{
	static const double times[] = { 0, 0.5, 0.7, 1 };
	struct nested_subject q;
	struct nested_plan p;
	struct reader r;
	struct canvas c;
	char name[32], product[32], after[32];

	open_kernel(&r, "float4", 4, 22, 7);
	for (size_t i = 0; i < LENGTH(times); i++) {
		const struct outer *o;

		draw_at(&r, sizes[1], times[i], &c, &q, &p);
		o = q.o;
		snprintf(name, sizeof(name), "reg_A[0]");
		snprintf(product, sizeof(product), "%+g ",
			 o->a[0].value * o->b[0].value);
		snprintf(after, sizeof(after), " %g ", o->cell[0][1].after);
		tap_is(find_white(&c, &q, &p), i ? 6 : 4,
		       "t = %g: white is in the mark of k = %d", times[i],
		       i ? 6 : 5);
		tap_ok(has_text(&c, name) == (i > 1),
		       "... its number is in its "
		       "register: %d",
		       i > 1);
		tap_ok(has_text(&c, product) == (i > 1),
		       "... its product is there: %d", i > 1);
		tap_ok(has_text(&c, after) == (i > 2), "... and is added: %d",
		       i > 2);
		canvas_done(&c);
	}
	reader_done(&r);
}

static void test_steps(void)
{
	const struct view *v = view_find("nested");
	struct reader r;
	struct cursor p;
	uint32_t k = 0, ks = 0;

	open_kernel(&r, "float4", 4, 22, 0);
	p = *reader_cursor(&r);
	for (; v->step(r.show.scene, &p, 1); k++) {
		*reader_cursor(&r) = p;
		reader_settle(&r, 120, 36);
		ks += r.show.scene->nested->held &&
		      r.show.scene->nested->k == k;
	}
	tap_ok(k == r.show.scene->info->k && ks == k,
	       "a step for each k, in order: %u, %u", k, ks);
	for (k = 0; v->step(r.show.scene, &p, -1); k++)
		;
	tap_is(k, r.show.scene->info->k - 1, "and back to the first");
	reader_done(&r);
}

/* Before the first product the block stands where it will stand. */
static void test_begin(void)
{
	struct nested_plan p[2];
	struct nested_subject q;
	struct reader r;
	struct canvas c;

	for (int i = 0; i < 2; i++) {
		open_kernel(&r, "float4", 4, 22, i);
		draw_at(&r, sizes[1], 1, &c, &q, &p[i]);
		canvas_done(&c);
		reader_done(&r);
	}
	tap_ok(p[0].element > 0 && p[0].element == p[1].element &&
	       p[0].lane.x == p[1].lane.x && p[0].lane.y == p[1].lane.y &&
	       p[0].cell_w == p[1].cell_w, "the loads move nothing");
}

/* ---- caveats ---- */

static void test_caveat(void)
{
	struct nested_subject q;
	struct nested_plan p;
	struct reader r;
	struct canvas c;

	open_kernel(&r, "warptile", 1, 22, 2);
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		draw_at(&r, sizes[i], 1, &c, &q, &p);
		tap_ok((p.element > 0 && p.element < 1) ==
			       has_text(&c, "elements a mark"),
		       "%dx%d: a mark of several elements says so", sizes[i][0],
		       sizes[i][1]);
		tap_ok(i ? p.element > 0 : p.element == 0,
		       "... the block goes first");
		canvas_done(&c);
	}
	reader_done(&r);
}

/* An open question about reads and products is not answered. */
static void test_quiet(void)
{
	struct nested_subject q;
	struct nested_plan p;
	struct reader r;
	struct canvas c;
	char *words;

	open_kernel(&r, "float4", 4, 22, 6);
	draw_at(&r, sizes[1], 1, &c, &q, &p);
	tap_ok(has_text(&c, "8 read, 16 products"), "what a k costs is said");
	words = frame_words(&r.show);
	tap_ok(strstr(words, "k = 5: lane 22 multiplies 4 numbers"),
	       "and what the picture shows, in words");
	free(words);
	canvas_done(&c);
	r.show.quiet = true;
	canvas_init(&c, 120, 36);
	frame_draw(&c, &r.show);
	tap_ok(!has_text(&c, "8 read") && !has_text(&c, "+45"),
	       "but not while a question is open");
	canvas_done(&c);
	reader_done(&r);
}

/* ---- pairs ---- */

static void test_pair(void)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct reader_source of[2] = { { NULL, NULL }, { NULL, NULL } };
	struct nested_plan p[2], alone;
	struct nested_subject q;
	struct frame_model half;
	struct reader r;
	struct job jobs[2];
	struct error e;

	reader_init(&r, &o);
	if (session_job(&jobs[0], "warptile", &e) ||
	    session_job(&jobs[1], "float4", &e))
		fatal("%s", e.text);
	of[0].job = &jobs[0];
	of[1].job = &jobs[1];
	reader_open_sources(&r, of, 2);
	reader_settle(&r, 200, 60);
	show_nested(&r);
	half = r.show;
	half.beside = NULL;
	for (int i = 0; i < 2; i++) {
		half.scene = i ? r.show.beside : r.show.scene;
		half.twin = i ? r.show.scene : r.show.beside;
		if (!nested_take(&q, &half, half.scene))
			fatal("half %d is not shown", i);
		nested_place(&p[i], &q, (struct rect){ 0, 0, 99, 50 });
	}
	half.twin = NULL;
	nested_place(&alone, &q, (struct rect){ 0, 0, 99, 50 });
	tap_ok(p[0].element == p[1].element && p[0].unit_w == p[1].unit_w &&
		       p[0].unit_h == p[1].unit_h &&
		       p[0].cell_w == p[1].cell_w &&
		       p[0].cell_h == p[1].cell_h && p[0].beside == p[1].beside,
	       "a pair has one scale: %g, %g; cells %dx%d, %dx%d", p[0].element,
	       p[1].element, p[0].cell_w, p[0].cell_h, p[1].cell_w,
	       p[1].cell_h);
	tap_ok(alone.element > p[1].element || alone.cell_w > p[1].cell_w ||
		       alone.cell_h > p[1].cell_h,
	       "alone the small one is larger");
	reader_done(&r);
	job_done(&jobs[0]);
	job_done(&jobs[1]);
}

/* It stands in for the older picture of the same, and for that of registers. */
static void test_names(void)
{
	struct reader r;

	tap_str(view_name("outer"), "nested", "the old word still leads to it");
	open_kernel(&r, "float4", 4, 22, 1);
	tap_ok(!view_find("registers")->available(&r.show),
	       "an outer product has no picture of registers of its own");
	reader_done(&r);
}

int main(void)
{
	lang_init("en");
	test_units();
	test_sums("float4", 4);
	test_sums("warptile", 1);
	test_sums("sgemm_pipelined", 1);
	test_motion();
	test_steps();
	test_begin();
	test_caveat();
	test_quiet();
	test_pair();
	test_names();
	return tap_done();
}
