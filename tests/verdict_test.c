/* The verdict on a launch, case by case, and on several. */
#include <stdlib.h>
#include <string.h>

#include "analysis/verdict.h"
#include "kernels/problem.h"
#include "tap.h"

static struct trace_array arrays[] = {
	{ .name = "C", .space = SPACE_GLOBAL, .elem = ELEM_F32, .elem_bytes = 4,
	  .rank = 2, .dims = { 64, 64 } },
};

static const struct trace_finding race = {
	.kind = FINDING_RACE, .cause = CAUSE_UNORDERED, .count = 1,
	.access = { .line = 9, .op = OP_LD, .bytes = 4 },
	.other = { .line = 7, .op = OP_ST, .bytes = 4, .thread = 1 },
}, result = {
	.kind = FINDING_RESULT, .cause = CAUSE_WRONG_ELEMENT, .count = 1,
	.number = { 3, 4096 }, .expected = 2, .got = 1,
}, cut = {
	.kind = FINDING_CAP, .cause = CAUSE_CAP_BLOCKS, .count = 1,
	.number = { 100, 1, 16 },
}, loop = {
	.kind = FINDING_ENDLESS, .cause = CAUSE_ENDLESS_LOOP, .count = 1,
	.access = { .line = 5 }, .array = TRACE_NO_ARRAY,
}, note = {
	.kind = FINDING_NOTE, .cause = CAUSE_NEVER_SET, .count = 1,
	.number = { 3 },
};

static const struct {
	const char *what, *problem, *check;
	const struct trace_finding *found[3];
	enum verdict_kind kind;
	const char *begins;
} cases[] = {
	{ "a compared output", "gemm", "rows", { NULL }, VERDICT_RIGHT,
	  "C = A B checked" },
	{ "one with a note", "gemm", "rows", { &note }, VERDICT_RIGHT,
	  "C = A B checked" },
	{ "a wrong output", "gemm", "rows", { &result }, VERDICT_WRONG,
	  "C[0][0] is 1, but must be 2; 3 of 4096" },
	{ "wrong, and a race found first", "gemm", "rows", { &race, &result },
	  VERDICT_WRONG, "C[0][0] is 1, but must be 2" },
	{ "a race with a right output", "gemm", "rows", { &race },
	  VERDICT_WRONG, "thread 1 writes C[0] in line 7" },
	{ "an unknown problem", "unknown", UNCHECKED_UNKNOWN, { NULL },
	  VERDICT_NOT_JUDGED, "what the kernel computes is not known" },
	{ "an old trace", "gemm", NULL, { NULL }, VERDICT_NOT_JUDGED,
	  "the trace does not say" },
	{ "a part of the blocks", "gemm", UNCHECKED_PARTIAL, { NULL },
	  VERDICT_NOT_JUDGED, "only a part of the launch" },
	{ "cut short", "gemm", UNCHECKED_STOPPED, { &cut },
	  VERDICT_NOT_JUDGED, "recording stopped at the limit of 100" },
	{ "cut short, and its word says right", "gemm", "rows", { &cut },
	  VERDICT_NOT_JUDGED, "recording stopped" },
	{ "cut short after a fault", "gemm", UNCHECKED_STOPPED,
	  { &cut, &race }, VERDICT_WRONG, "thread 1 writes" },
	{ "an endless loop", "gemm", UNCHECKED_STOPPED, { &loop },
	  VERDICT_WRONG, "thread 0 of block 0 is in an endless loop" },
};

static void test_launches(void)
{
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct trace_finding found[3];
		struct trace_info info = {
			.kernel = "k", .file = "k.cu", .text = "", .on = "cpu",
			.problem = (char *)cases[i].problem,
			.check = (char *)cases[i].check,
			.grid = { 1, 1, 1 }, .block = { 32, 1, 1 },
			.arrays = arrays, .array_count = 1, .findings = found,
		};
		struct verdict v;

		while (info.finding_count < 3 &&
		       cases[i].found[info.finding_count]) {
			found[info.finding_count] =
				*cases[i].found[info.finding_count];
			info.finding_count++;
		}
		v = verdict_make(&info, NULL);
		tap_ok(v.kind == cases[i].kind &&
		       !strncmp(v.why, cases[i].begins,
				strlen(cases[i].begins)),
		       "%s is %s: %s", cases[i].what, verdict_word(v.kind),
		       v.why);
		verdict_done(&v);
	}
}

#define R(why) { VERDICT_RIGHT, why }
#define W(why) { VERDICT_WRONG, why }
#define N(why) { VERDICT_NOT_JUDGED, why }

static const struct {
	struct verdict_part parts[3];
	size_t count;
	const char *text;
} joins[] = {
	{ { { N(NULL), NULL } }, 0, "not judged: nothing was recorded" },
	{ { { R("a"), "k" } }, 1, "right: a" },
	{ { { R("a"), "k" }, { R(NULL), NULL } }, 2, "right: a" },
	{ { { R("a"), "k" }, { R("b"), "l" } }, 2,
	  "right: k: a; and 1 other like it" },
	{ { { R("a"), "k" }, { N("b"), "l" } }, 2,
	  "not judged: l: b; 1 launch is right" },
	{ { { N("b"), "l" }, { N("c"), "m" }, { R(NULL), NULL } }, 3,
	  "not judged: l: b; and 1 other like it" },
	{ { { R("a"), "k" }, { N("b"), "l" }, { W("c"), NULL } }, 3,
	  "wrong: c" },
	{ { { W("a"), "k" }, { N("b"), "l" }, { W("c"), NULL } }, 3,
	  "wrong: k: a; and 1 other like it" },
};

static void test_joins(void)
{
	for (size_t i = 0; i < LENGTH(joins); i++) {
		struct verdict v = verdict_join(joins[i].parts,
						joins[i].count);
		char *text = verdict_text(&v);

		tap_str(text, joins[i].text, "of %zu parts", joins[i].count);
		free(text);
		verdict_done(&v);
	}
}

int main(void)
{
	test_launches();
	test_joins();
	return tap_done();
}
