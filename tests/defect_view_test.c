/*
 * defect_view_test: the picture of a defect: its bars have one scale, its
 * caveats stand at every size, and it tells nothing before an answer. The fixes
 * that it shows are lines of the kernels.
 */
#include <stdio.h>

#include "base/lang.h"
#include "kernels/kernels.h"
#include "stage.h"
#include "tap.h"
#include "viz/pictures/defect/defect_facts.h"

static void press_defect(struct reader *r)
{
	reader_event(r, &(struct event){ .key = 'd' });
}

static void go_to_defect(struct reader *r, const char *what)
{
	open_kernel(r, what, "defect");
	reader_settle(r, 120, 36);
	if (!r->show.scene->defect.here)
		press_defect(r);
	reader_settle(r, 120, 36);
}

/* ---- numbers ---- */

static void test_facts(void)
{
	const struct defect_facts *f;
	struct reader r;

	go_to_defect(&r, "bug_edge -k 60");
	f = r.show.scene->facts;
	tap_ok(f && f->tile.array && !strcmp(f->tile.array->name, "B") &&
	       f->tile.below == 4 && !f->tile.right,
	       "the tile of B hangs over by four rows");
	tap_ok(f->second.array && f->second.right == 4 &&
	       f->second.rows == f->tile.rows && f->second.has[0][12],
	       "that of A by four columns, which are its next row");
	tap_is(f->meeting.come, 192, "192 threads come to the barrier");
	tap_ok(f->counts[0].n == 1008 && f->counts[1].n == 1008 &&
	       f->counts[1].kind == COUNT_NEXT_ROW && f->counts[2].n == 1024 &&
	       f->counts[2].kind == COUNT_UNSTORED,
	       "reads outside, silent reads and missing sums are counted");
	reader_done(&r);
	go_to_defect(&r, "bug_early_return -m 60 -n 60");
	f = r.show.scene->facts;
	tap_ok(f && f->tile.right == 4 && f->meeting.come == 192,
	       "a block hangs over C, and 64 threads never come");
	reader_done(&r);
	go_to_defect(&r, "bug_first_barrier");
	f = r.show.scene->facts;
	tap_is(f->marked, 240, "all but a column of As are read too early");
	reader_done(&r);
}

/* A result is as wrong as the recorder says. */
static void test_wrong(const char *what)
{
	struct reader r;
	const struct scene *sc;

	go_to_defect(&r, what);
	sc = r.show.scene;
	for (int i = 0; i < 9 && sc->defect.finding->kind != FINDING_RESULT;
	     i++) {
		press_defect(&r);
		reader_settle(&r, 120, 36);
		sc = r.show.scene;
	}
	tap_ok(sc->defect.finding->kind == FINDING_RESULT &&
	       sc->facts->marked == sc->defect.finding->number[0],
	       "%s: the wrong elements are as many as are told", what);
	reader_done(&r);
}

/* ---- one scale ---- */

/* Returns the columns of a row, from column x on, that have this background or
 * block. */
static int bar_columns(const struct canvas *c, int x, int y, enum role role)
{
	int n = 0;

	for (; x < c->w; x++)
		n += canvas_at(c, x, y)->bg == role ||
		     (canvas_at(c, x, y)->ch > 0x2580 &&
		      canvas_at(c, x, y)->fg == role);
	return n;
}

/* Returns the column of a row at which a red number stands, or -1. */
static int find_number(const struct canvas *c, int y, uint64_t n)
{
	char text[24];
	int len = snprintf(text, sizeof(text), "%d", (int)n), same;

	for (int x = 1; x + len < c->w; x++) {
		for (same = 0; same < len; same++)
			if (canvas_at(c, x + same, y)->ch !=
				    (uint32_t)text[same] ||
			    canvas_at(c, x + same, y)->fg != ROLE_BAD)
				break;
		if (same == len && canvas_at(c, x + len, y)->ch == ' ' &&
		    canvas_at(c, x - 1, y)->ch == ' ')
			return x + len;
	}
	return -1;
}

static void test_bars(void)
{
	const struct defect_facts *f;
	struct reader r;
	struct canvas c;
	int whole = 0, bars = 0, worst = 0;

	go_to_defect(&r, "bug_edge -k 60");
	canvas_init(&c, 120, 36);
	frame_draw(&c, reader_settle(&r, 120, 36));
	f = r.show.scene->facts;
	for (size_t i = 0; i < f->count_count; i++)
		for (int y = 10; y + 1 < c.h; y++) {
			int end = find_number(&c, y, f->counts[i].n), n;

			if (end < 0 || bars > (int)i)
				continue;
			n = bar_columns(&c, end - 4, y + 1, ROLE_BAD);
			whole = MAX(whole, n + bar_columns(&c, end - 4, y + 1,
							   ROLE_OWN));
			worst = MAX(worst, abs(n - whole *
					       (int)f->counts[i].n /
					       (int)f->most));
			bars++;
		}
	tap_is(bars, 4, "four counts have a bar");
	tap_ok(whole > 30 && worst <= 1, "of one scale (%d of %d columns off)",
	       worst, whole);
	canvas_done(&c);
	reader_done(&r);
}

/* ---- caveats ---- */

static void test_caveats(void)
{
	struct reader r;

	go_to_defect(&r, "bug_edge -k 60");
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		int w = sizes[i][0], h = sizes[i][1];

		tap_ok(says(&r, w, h, "64 missing") &&
		       says(&r, w, h, "a GPU may go on"),
		       "%dx%d: who is missing, and who stopped them", w, h);
		tap_ok(says(&r, w, h, "reads outside B, line 36") &&
		       says(&r, w, h, "a whole bar: 4096"),
		       "... how much, and of how much");
	}
	reader_done(&r);
}

static void test_quiet(void)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct reader r;
	struct error e;
	bool told = false;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, "barriers", &e))
		fatal("%s", e.text);
	reader_settle(&r, 120, 36);
	for (size_t i = 0; i < LENGTH(sizes); i++)
		told |= says(&r, sizes[i][0], sizes[i][1], "too early") ||
			says(&r, sizes[i][0], sizes[i][1], "such elements") ||
			says(&r, sizes[i][0], sizes[i][1], "__syncthreads();");
	tap_ok(!told, "nothing of the answer is told before it");
	reader_done(&r);
}

/* ---- the fix ---- */

/* Returns whether the kernel's text has this line (0: any), but for its
 * indent. */
static bool has_line(const char *kernel, uint32_t line, const char *text)
{
	char path[4096], row[512];
	uint32_t n = 0;
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/src/kernels/%s.cu", getenv("srcdir"),
		 kernel);
	f = fopen(path, "r");
	while (f && fgets(row, sizeof(row), f)) {
		row[strcspn(row, "\n")] = 0;
		n++;
		found |= !strcmp(row + strspn(row, " "), text) &&
			 (!line || n == line);
	}
	if (f)
		fclose(f);
	return found;
}

static void test_fixes(void)
{
	int wrong = 0, seen = 0;

	for (size_t i = 0; i < kernel_count; i++) {
		const struct defect_fix *f = defect_fix(kernels[i].name);

		for (int n = 0; f && n < DEFECT_CHANGES && f->changes[n].sign;
		     n++) {
			const struct defect_change *k = &f->changes[n];

			seen++;
			wrong += k->sign == '-' ?
				 !has_line(f->kernel, k->line, k->text) :
				 !has_line(f->repaired, 0, k->text);
		}
	}
	tap_ok(seen > 8 && !wrong, "each line of a fix is in a kernel");
}

/* What is said of the repaired kernel is so. */
static void test_repaired(const char *what)
{
	struct reader r;

	open_kernel(&r, what, "matrices");
	reader_settle(&r, 120, 36);
	tap_ok(!r.show.scene->defect.finding && !r.show.scene->is_wrong,
	       "%s: nothing is found", what);
	reader_done(&r);
}

int main(void)
{
	lang_init("en");
	test_facts();
	test_wrong("bug_first_barrier");
	test_wrong("bug_second_barrier");
	test_wrong("bug_early_return -m 60 -n 60");
	test_bars();
	test_caveats();
	test_quiet();
	test_fixes();
	test_repaired("tiled -m 60 -n 60 -k 64");
	test_repaired("tiled -k 60");
	return tap_done();
}
