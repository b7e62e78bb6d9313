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

/* Offsets are 100 * lane + event's number, values 1000 * lane + word. */
static int merge(const char *const lane_text[WARP_LANES])
{
	static uint32_t id[WARP_LANES][512], offset[WARP_LANES][512];
	static uint32_t value[WARP_LANES][512];
	struct warp_lane lanes[WARP_LANES] = { { 0 } };

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
	return warp_merge(lanes, points, &info, sink, NULL, NULL);
}

/* Lanes in turn get the texts of the list, again and again. */
static void check(const char *what, const char *want, const char *const *list,
		  size_t count)
{
	const char *lanes[WARP_LANES];

	for (size_t l = 0; l < WARP_LANES; l++)
		lanes[l] = list[l % count];
	merge(lanes);
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
	const char *lanes[WARP_LANES] = { [3] = "MWN", [5] = "WN" };

	merge(lanes);
	tap_str(seen.data, "M:8 W:28 N:28", "lanes without events take no "
		"part");
	tap_is(last.offset[3], 302, "an offset is the lane's own");
	tap_is(last.offset[5], 501, "also where lanes are apart");
	tap_is(last.value[3 * 4], 3005, "a value follows what was read before");
	tap_is(last.value[5 * 4], 5004, "also where lanes are apart");
	tap_is(last.value[3 * 4 + 1], 0, "words beyond the width are 0");
	tap_is(last.offset[4] + last.value[4 * 4], 0, "other lanes are 0");

	lanes[3] = "M#";
	lanes[5] = "#";
	merge(lanes);
	tap_ok(last.mask == 0x28 && last.offset[3] == 0 &&
	       last.offset[5] == 0 && last.value[3 * 4] == 0,
	       "a barrier has no offsets and no values");
}

static void test_sink(void)
{
	const char *lanes[WARP_LANES] = { "MNO" };

	sink_fails_at = 1;
	tap_is(merge(lanes), -7, "the sink's failure is passed on");
	tap_is(sink_calls, 2, "and ends the merge");
	sink_fails_at = -1;
}

/* A long run, longer than what is compared at once. */
static void test_long(void)
{
	char *text = xmalloc(501);
	const char *lanes[WARP_LANES];

	memset(text, 'M', 500);
	text[500] = '\0';
	for (size_t l = 0; l < WARP_LANES; l++)
		lanes[l] = text + l;
	merge(lanes);
	tap_is(sink_calls, 500, "lanes of 469 to 500 equal events");
	tap_is(last.mask, 1, "the longest is alone at the end");
	free(text);
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
	str_done(&seen);
	return tap_done();
}
