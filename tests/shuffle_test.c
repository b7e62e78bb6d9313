/*
 * shuffle_test: the picture of shuffles: who reads from whom is what the kernel
 * does, values are shown if they lead to what was stored and only then, and a
 * caveat stands with them at each size.
 */
#include <stdlib.h>

#include "base/lang.h"
#include "stage.h"
#include "tap.h"
#include "viz/pictures/shuffle/scene_shuffle.h"

static const struct shuffles *open_shuffles(struct reader *r, const char *entry,
					    int threads)
{
	char *what = xasprintf("%s/tests/kernels/shuffles.cu --entry %s "
			       "--block %d --grid 1", getenv("srcdir"), entry,
			       threads);

	open_kernel(r, what, "shuffle");
	free(what);
	reader_settle(r, 120, 36);
	reader_event(r, &(struct event){ .key = K_HOME });
	reader_settle(r, 120, 36);
	return r->show.scene->shuffles;
}

static int count_needed(const struct shuffles *h, int row)
{
	return __builtin_popcount(h->row[row].needed);
}

static void test_fold(void)
{
	struct reader r;
	const struct shuffles *h = open_shuffles(&r, "sum", 256);
	bool halves = h->fold.count == 5, adds = true;

	for (int i = 0; i <= h->fold.count; i++)
		halves &= count_needed(h, i) == 32 >> i;
	for (int i = 0; i < h->fold.count; i++)
		for (int l = 0; l < 16 >> i; l++)
			adds &= h->row[i + 1].value[l] == h->row[i].value[l] +
				h->row[i].value[l + (16 >> i)];
	tap_ok(h->known && halves, "32 values, 16, 8, 4, 2, 1");
	tap_ok(adds, "each is the sum of two");
	tap_ok(h->part_count == 8 && h->part[0].own &&
	       h->part[0].value == h->row[5].value[0],
	       "the last is what the warp stored, one of 8");
	tap_ok(shuffle_way(h, 1, 22) == 1u << 6 &&
	       shuffle_way(h, 4, 22) == 1u << 0,
	       "lane 22's value goes to lane 6, and to lane 0");
	for (size_t i = 0; i < LENGTH(sizes); i++)
		tap_ok(says(&r, sizes[i][0], sizes[i][1],
			    "Computed from the recorded loads; the store in "
			    "line 13 agrees."), "%d columns: where the values "
		       "come from", sizes[i][0]);
	reader_event(&r, &(struct event){ .key = K_END });
	reader_settle(&r, 120, 36);
	h = r.show.scene->shuffles;
	tap_ok(h->known && h->fold.count == 3 && count_needed(h, 0) == 8,
	       "then the first warp folds the eight");
	reader_done(&r);
}

static void test_others(void)
{
	static const struct { const char *entry; int steps, first, last; }
	all[] = {
		{ "scan", 5, 32, 32 }, { "largest", 5, 32, 32 },
		{ "eights", 3, 32, 32 }, { "reversed", 1, 32, 32 },
	};

	for (size_t i = 0; i < LENGTH(all); i++) {
		struct reader r;
		const struct shuffles *h = open_shuffles(&r, all[i].entry, 32);

		tap_ok(h->known && h->fold.count == all[i].steps &&
		       count_needed(h, 0) == all[i].first &&
		       count_needed(h, h->fold.count) == all[i].last,
		       "%s: the values lead to what was stored", all[i].entry);
		if (!strcmp(all[i].entry, "eights"))
			tap_ok(shuffle_way(h, 3, 9) == 0xff00,
			       "lane 9's value stays among its 8 lanes");
		reader_done(&r);
	}
}

static void test_unknown(void)
{
	static const struct { const char *entry, *words; } all[] = {
		{ "changed", "No values: those computed from the loads differ "
			     "from the store in line 82." },
		{ "mixed", "No values: what line 92 does with them is not "
			   "understood." },
	};

	for (size_t i = 0; i < LENGTH(all); i++) {
		struct reader r;
		const struct shuffles *h = open_shuffles(&r, all[i].entry, 32);

		tap_ok(!h->known && h->fold.count == 5 &&
		       h->fold.step[0].from[3] == 19,
		       "%s: who reads from whom is known", all[i].entry);
		tap_ok(says(&r, 80, 24, all[i].words), "... the values are not");
		tap_ok(says(&r, 120, 36, all[i].words), "... wherever it is");
		reader_done(&r);
	}
}

/* Returns the screen's row that begins with these words, or -1. */
static int find_screen_row(struct reader *r, int w, int h, const char *words)
{
	char *text = screen(r, w, h), *found = strstr(text, words);
	int row = found ? 0 : -1;

	for (char *p = text; found && p < found; p++)
		row += *p == '\n';
	free(text);
	return row;
}

/* Nothing moves when a step is over or another lane is in focus. */
static void test_places(void)
{
	struct reader r;
	int before, after;

	open_shuffles(&r, "sum", 256);
	r.show.t = 0;
	before = find_screen_row(&r, 120, 36, "d = 2");
	r.show.t = 1;
	after = find_screen_row(&r, 120, 36, "d = 2");
	tap_ok(before > 0 && before == after, "rows stay while it moves");
	reader_event(&r, &(struct event){ .key = '.' });
	tap_ok(says(&r, 120, 36, " 16 values") &&
	       !says(&r, 120, 36, " 8 values"), ".: one shuffle");
	reader_event(&r, &(struct event){ .key = ',' });
	reader_event(&r, &(struct event){ .key = ',' });
	tap_ok(says(&r, 120, 36, " 1 value"), ",: all of them again");
	reader_done(&r);
}

static void test_absent(void)
{
	struct reader r;
	const struct view *v = view_find("shuffle");

	open_kernel(&r, "tiled -m 16 -n 16 -k 16", "shuffle");
	reader_settle(&r, 120, 36);
	tap_ok(!v->available(&r.show), "a kernel without shuffles has none");
	reader_done(&r);
}

/* What is read of a lane that has left is undefined, and so is what comes of
 * it: the lanes from 20 on have left, so 4 to 15 read such values first. */
static void test_left(void)
{
	struct reader r;
	struct error e;
	const struct shuffles *h;

	reader_init(&r, &(struct reader_options){ .lang = "en",
						  .still = true });
	if (reader_open_lesson(&r, "barriers", &e))
		fatal("%s", e.text);
	reader_settle(&r, 120, 36);
	for (int i = 0; i < 5; i++) {
		reader_event(&r, &(struct event){ .key = '!' });
		reader_event(&r, &(struct event){ .key = K_ENTER });
		reader_settle(&r, 120, 36);
	}
	h = r.show.scene->shuffles;
	tap_ok(h->row[0].undefined == 0 && h->row[1].undefined == 0xfff0,
	       "what is read of a lane that has left is undefined");
	tap_ok(h->row[h->fold.count].undefined >> 4 & 1,
	       "... and so is what comes of it");
	reader_done(&r);
}

int main(void)
{
	lang_init("en");
	test_fold();
	test_others();
	test_unknown();
	test_places();
	test_absent();
	test_left();
	return tap_done();
}
