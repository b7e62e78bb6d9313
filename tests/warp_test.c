/*
 * warp_test: lanes' own sequences, merged.
 *
 * A lane is written as text, a character an event. Capital letters are
 * accesses, in the order of the alphabet in the machine code; a small letter
 * is the basic block right before the capital one; digits 1 and 2 are calls,
 * between P and Q and between R and S; ')' leaves a function. Y is at X's
 * place and touches another array. What comes out is "LETTER:MASK ...".
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "tap.h"
#include "trace/warp.h"

static struct warp_point points[128];
static struct trace_site sites[128];
static const struct trace_info info = { .sites = sites, .site_count = 128 };

static void points_make(void)
{
	for (uint32_t c = 0; c < 128; c++) {
		sites[c] = (struct trace_site) { .line = 1, .column = 1,
						 .op = OP_LD, .bytes = 4 };
		points[c] = (struct warp_point) { WARP_ACCESS, 10 * c, c };
	}
	for (uint32_t c = 'a'; c <= 'z'; c++)
		points[c] = (struct warp_point) { WARP_BLOCK,
						  10 * (c - 32) - 2, 0 };
	points['1'] = (struct warp_point) { WARP_ENTER, 10 * 'P' + 5, 0 };
	points['2'] = (struct warp_point) { WARP_ENTER, 10 * 'R' + 5, 0 };
	points[')'] = (struct warp_point) { WARP_LEAVE, 10 * 'L' + 5, 0 };
	points['Y'].order = points['X'].order;
	sites['Y'].array = 1;
	sites['#'] = (struct trace_site) { .line = 1, .column = 1,
					   .op = OP_BARRIER,
					   .array = TRACE_NO_ARRAY };
	points['#'].order = 10 * 'Q' + 1;
	sites['W'].bytes = 16;
}

static struct str seen;
static struct trace_request last;
static int sink_fails_at = -1, sink_calls;

static int sink(void *ctx, const struct trace_request *r, struct error *e)
{
	(void)ctx;
	(void)e;
	if (sink_calls++ == sink_fails_at)
		return -7;
	str_addf(&seen, "%s%c:%x", seen.len ? " " : "", (char)r->site,
		 r->mask);
	last = *r;
	return 0;
}

static struct warp_lane lanes[WARP_LANES];

/* Offsets are 100 * lane + event's number, values 1000 * lane + word. */
static void lanes_make(const char *const lane_text[WARP_LANES])
{
	static uint32_t id[WARP_LANES][512], offset[WARP_LANES][512];
	static uint32_t value[WARP_LANES][512];

	str_clear(&seen);
	sink_calls = 0;
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		const char *s = lane_text[l] ? lane_text[l] : "";

		lanes[l] = (struct warp_lane) { id[l], offset[l], value[l],
						strlen(s) };
		for (uint32_t i = 0; s[i]; i++) {
			id[l][i] = (uint32_t)s[i];
			offset[l][i] = 100 * l + i;
		}
		for (uint32_t i = 0; i < 512; i++)
			value[l][i] = 1000 * l + i;
	}
}

static int merge(const char *const lane_text[WARP_LANES])
{
	lanes_make(lane_text);
	return warp_merge(lanes, points, &info, sink, NULL, NULL);
}

/* Lanes in turn get the texts of the list, again and again. */
static void check(const char *what, const char *want, const char *const *list,
		  size_t count)
{
	const char *texts[WARP_LANES];

	for (size_t l = 0; l < WARP_LANES; l++)
		texts[l] = list[l % count];
	merge(texts);
	tap_str(seen.data ? seen.data : "", want, "%s", what);
}

#define CHECK(what, want, ...) do { \
	const char *const list[] = { __VA_ARGS__ }; \
	check(what, want, list, LENGTH(list)); \
} while (0)

static void test_control(void)
{
	CHECK("lanes that do the same stay together",
	      "M:ffffffff N:ffffffff #:ffffffff", "MN#");
	CHECK("lanes that skip a branch wait at the join",
	      "M:ffffffff N:55555555 O:ffffffff", "MnNo" "O", "Mo" "O");
	CHECK("the two sides of a branch follow each other",
	      "M:ffffffff N:55555555 O:aaaaaaaa P:ffffffff", "MNP", "MOP");
	CHECK("lanes that leave a loop early wait behind it",
	      "N:ffffffff N:eeeeeeee N:cccccccc N:88888888 P:ffffffff",
	      "nNoP", "nNonNoP", "nNonNonNoP", "nNonNonNonNoP");
	CHECK("so they do when control leaves no events",
	      "N:ffffffff O:ffffffff N:aaaaaaaa O:aaaaaaaa P:ffffffff",
	      "NOP", "NONOP");
	CHECK("a loop without accesses in some lanes keeps them in step",
	      "N:55555555 N:aaaaaaaa P:ffffffff",
	      "nNopnpnpP", "npnpnNopP");
	CHECK("continue goes back without the rest",
	      "N:ffffffff O:55555555 N:ffffffff O:aaaaaaaa R:ffffffff",
	      "nNOqnNqR", "nNqnNOqR");
	CHECK("lanes that end early are missing from then on",
	      "M:ffffffff N:55555555", "MN", "M");
	CHECK("nothing comes of nothing", "", "");
	CHECK("nothing comes of control alone", "", "mn1)o");
}

static void test_calls(void)
{
	CHECK("one call site, one request",
	      "B:ffffffff Z:ffffffff", "1B)Z");
	CHECK("two call sites, two requests",
	      "B:55555555 B:aaaaaaaa Z:ffffffff", "1B)Z", "2B)Z");
	CHECK("a function's low address does not put it first",
	      "M:ffffffff P:aaaaaaaa B:55555555 R:ffffffff",
	      "M1B)R", "MPR");
	CHECK("branches within a function meet again within it",
	      "B:55555555 C:ffffffff Z:ffffffff", "1bBcC)Z", "1cC)Z");
	CHECK("a second call stands where it is, not where the first was",
	      "B:ffffffff B:ffffffff Q:aaaaaaaa N:55555555 T:ffffffff",
	      "1B)2BN)T", "1B)2B)QT");
	CHECK("a function in a function",
	      "Q:ffffffff B:55555555 T:ffffffff", "1Q2B)T)", "1QT)");
}

static void test_arrays(void)
{
	CHECK("one instruction, two arrays: a request each, then together",
	      "X:55555555 Y:aaaaaaaa Z:ffffffff", "XZ", "YZ");
	CHECK("the lowest lane's array comes first",
	      "Y:33333333 X:cccccccc", "Y", "Y", "X", "X");
}

static void test_contents(void)
{
	const char *texts[WARP_LANES] = { [3] = "MWN", [5] = "WN" };

	merge(texts);
	tap_str(seen.data, "M:8 W:28 N:28", "lanes without events take no "
		"part");
	tap_is(last.offset[3], 302, "an offset is the lane's own");
	tap_is(last.offset[5], 501, "also where lanes are apart");
	tap_is(last.value[3 * 4], 3005, "a value follows what was read before");
	tap_is(last.value[5 * 4], 5004, "also where lanes are apart");
	tap_is(last.value[3 * 4 + 1], 0, "words beyond the width are 0");
	tap_is(last.offset[4] + last.value[4 * 4], 0, "other lanes are 0");

	texts[3] = "M#";
	texts[5] = "#";
	merge(texts);
	tap_ok(last.mask == 0x28 && last.offset[3] == 0 &&
	       last.offset[5] == 0 && last.value[3 * 4] == 0,
	       "a barrier has no offsets and no values");
}

static void test_sink(void)
{
	const char *texts[WARP_LANES] = { "MNO" };

	sink_fails_at = 1;
	tap_is(merge(texts), -7, "the sink's failure is passed on");
	tap_is(sink_calls, 2, "and ends the merge");
	sink_fails_at = -1;
}

/* A long run, longer than what is compared at once. */
static void test_long(void)
{
	char *text = xmalloc(501);
	const char *texts[WARP_LANES];

	memset(text, 'M', 500);
	text[500] = '\0';
	for (size_t l = 0; l < WARP_LANES; l++)
		texts[l] = text + l;
	merge(texts);
	tap_is(sink_calls, 500, "lanes of 469 to 500 equal events");
	tap_is(last.mask, 1, "the longest is alone at the end");
	free(text);
}

/* The lanes' texts up to their n-th barrier, and behind it. */
static void cut(const char *const texts[WARP_LANES], size_t n, bool before,
		char *to[WARP_LANES])
{
	for (size_t l = 0; l < WARP_LANES; l++) {
		const char *end = texts[l];

		for (size_t i = 0; i < n && strchr(end, '#'); i++)
			end = strchr(end, '#') + 1;
		to[l] = before ? xstrndup(texts[l], (size_t)(end - texts[l])) :
				 xstrdup(end);
	}
}

static void part(struct warp_merge *m, const char *const texts[WARP_LANES],
		 bool before, struct str *all)
{
	char *some[WARP_LANES];

	cut(texts, 1, before, some);
	lanes_make((const char *const *)some);
	warp_merge_more(m, lanes, points, &info, sink, NULL, NULL);
	str_addf(all, "%s%s", all->len && seen.len ? " " : "",
		 seen.len ? seen.data : "");
	for (size_t l = 0; l < WARP_LANES; l++)
		free(some[l]);
}

/* What is merged in two parts is what is merged at once. */
static void check_parts(const char *what, const char *const *list, size_t count)
{
	const char *texts[WARP_LANES];
	struct warp_merge *m = warp_merge_new();
	struct str all = { 0 };

	for (size_t l = 0; l < WARP_LANES; l++)
		texts[l] = list[l % count];
	part(m, texts, true, &all);
	part(m, texts, false, &all);
	merge(texts);
	tap_str(all.data, seen.data, "%s", what);
	warp_merge_free(m);
	str_done(&all);
}

#define CHECK_PARTS(what, ...) do { \
	const char *const list[] = { __VA_ARGS__ }; \
	check_parts(what, list, LENGTH(list)); \
} while (0)

static void test_parts(void)
{
	CHECK_PARTS("two parts, of lanes that do the same", "MN#ST", "MN#ST");
	CHECK_PARTS("... that part before the barrier", "MnN#ST", "M#ST");
	CHECK_PARTS("... and behind it", "MN#S", "MN#ST");
	CHECK_PARTS("a barrier in a function", "1B#C)Z", "1B#C)Z");
	CHECK_PARTS("... that is called from one place of two",
		    "P1B#C)1BC)2)Z", "Q1B#C)2BC)Z");
}

/* Steps of lanes that do the same are requests in the steps' order. */
static void test_steps(void)
{
	static const struct warp_step steps[] = { { 2, 5 }, { 0, 0 }, { 1, 1 } };
	const char *texts[WARP_LANES] = { [3] = "MWN", [5] = "MWN" };
	struct warp_merge *m = warp_merge_new();

	lanes_make(texts);
	tap_ok(warp_merge_same(m, lanes), "two lanes do the same");
	warp_merge_steps(m, lanes, steps, LENGTH(steps), points, &info, sink,
			 NULL, NULL);
	tap_str(seen.data, "N:28 M:28 W:28", "as it was told");
	tap_is(last.offset[5], 501, "an offset is the event's");
	tap_is(last.value[5 * 4 + 3], 5004, "a value is at its words");
	texts[5] = "MWO";
	lanes_make(texts);
	tap_ok(!warp_merge_same(m, lanes), "one does another thing");
	texts[5] = "MW";
	lanes_make(texts);
	tap_ok(!warp_merge_same(m, lanes), "one does less");
	warp_merge_free(m);
}

/* A call that is open behind steps is where the next part goes on. */
static void test_steps_calls(void)
{
	static const struct warp_step steps[] = { { 1, 0 } };
	const char *texts[WARP_LANES];
	struct warp_merge *m = warp_merge_new();

	for (size_t l = 0; l < WARP_LANES; l++)
		texts[l] = "1#";
	lanes_make(texts);
	warp_merge_steps(m, lanes, steps, 1, points, &info, sink, NULL, NULL);
	for (size_t l = 0; l < WARP_LANES; l++)
		texts[l] = l % 2 ? "Z)R" : ")R";
	lanes_make(texts);
	warp_merge_more(m, lanes, points, &info, sink, NULL, NULL);
	tap_str(seen.data, "Z:aaaaaaaa R:ffffffff",
		"what is behind the call waits for those in it");
	warp_merge_free(m);
}

static void test_barriers(void)
{
	CHECK("lanes at a barrier wait for those that come later",
	      "P:55555555 T:aaaaaaaa #:ffffffff P:ffffffff",
	      "P#P", "T#P");
	CHECK("... at another call's", "P:55555555 B:55555555 Q:aaaaaaaa "
	      "B:aaaaaaaa #:55555555 #:aaaaaaaa C:55555555 C:aaaaaaaa "
	      "Z:ffffffff", "P1B#C)Z", "Q2B#C)Z");
	CHECK("... and for no lane that ends",
	      "P:55555555 T:aaaaaaaa #:55555555 P:55555555", "P#P", "T");
	CHECK("... also in code that is laid out behind it",
	      "P:ffffffff S:aaaaaaaa #:ffffffff Q:ffffffff", "P#Q", "PS#Q");
}

int main(void)
{
	points_make();
	test_control();
	test_calls();
	test_arrays();
	test_contents();
	test_sink();
	test_long();
	test_barriers();
	test_parts();
	test_steps();
	test_steps_calls();
	str_done(&seen);
	return tap_done();
}
