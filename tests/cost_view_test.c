/*
 * cost_view_test: the picture of costs: the limiter's bar says what it is and
 * the caveats stand at each size; the next rung of a lesson's pair is that after
 * its second kernel.
 */
#include <stdlib.h>

#include "base/lang.h"
#include "scene/rungs.h"
#include "stage.h"
#include "tap.h"
#include "viz/pictures/cost/rung_cost.h"

static void press(struct reader *r, int key)
{
	reader_event(r, &(struct event){ .key = (uint32_t)key });
	reader_settle(r, 120, 36);
}

static void test_words(void)
{
	struct reader r;

	open_kernel(&r, "sgemm", "cost");
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		int w = sizes[i][0], h = sizes[i][1];

		tap_ok(says(&r, w, h, " The limiter, now as before "),
		       "%dx%d: the limiter's bar says so", w, h);
		tap_ok(says(&r, w, h, "left out: ") &&
		       says(&r, w, h, "times: medians"),
		       "... with what is left out, and how it was counted");
	}
	reader_done(&r);
}

/* Tests the key c after two kernels that a lesson names. */
static void test_next_rung(void)
{
	struct trace_info info = { .kernel = (char *)"sgemm" };
	struct rungs want = rungs_find(&info, 1);
	const struct rung_cost *b;
	struct reader r;

	open_kernel(&r, "tiled", "cost");
	snprintf(r.show.turns.race[0], sizeof(r.show.turns.race[0]), "sgemm");
	snprintf(r.show.turns.race[1], sizeof(r.show.turns.race[1]), "naive");
	reader_settle(&r, 120, 36);
	b = r.show.scene->bill;
	tap_ok(!strncmp(b->now.label, "sgemm", 5) &&
	       !strncmp(b->before.label, "naive", 5), "the lesson's pair");
	press(&r, 'c');
	b = r.show.scene->bill;
	tap_str(b->now.label, want.t->cases[want.own].label,
		   "c: the rung after the pair's");
	tap_str(b->before.label, want.t->cases[want.below].label,
		   "... next to the one below it");
	press(&r, 'C');
	b = r.show.scene->bill;
	tap_ok(!strncmp(b->before.label, "naive", 5), "C: the pair again");
	reader_done(&r);
}

int main(void)
{
	lang_init("en");
	test_words();
	test_next_rung();
	return tap_done();
}
