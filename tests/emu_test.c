/*
 * emu_test: gemmviz-emu through its pipe: the answers of the kernels, the
 * order of threads, what it finds in bad kernels, lanes that part, locals,
 * filters, and requests that are wrong.
 * sanitized: nightly
 */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "emu_ask.h"
#include "kernels/kernels.h"
#include "scene/scene.h"

static bool moves_boxes(const struct trace_info *info)
{
	for (size_t i = 0; i < info->site_count; i++)
		if (op_is_bulk(info->sites[i].op))
			return true;
	return false;
}

static void check_answer(json_t *request, const char *what)
{
	struct reply r = ask(request);

	if (!tap_ok(r.trace != NULL, "%s is recorded", what)) {
		printf("# %s\n", r.error);
		reply_done(&r);
		return;
	}
	/* Of boxes a trace has no values; the recorder compares them. */
	if (!moves_boxes(trace_info(r.trace)))
		tap_ok(answer_is_right(r.trace), "%s: C is A B in float64",
		       what);
	tap_ok(trace_info(r.trace)->finding_count == 0 &&
	       !trace_info(r.trace)->partial, "%s: nothing to find", what);
	reply_done(&r);
}

/* ---- the kernels ---- */

static const int sizes[][3] = { { 64, 128, 64 }, { 32, 48, 16 },
				{ 33, 17, 41 } };

static void test_answers(void)
{
	int p[KERNEL_PARAMS];
	char what[100];

	for (size_t i = 0; i < kernel_count; i++) {
		kernel_defaults(&kernels[i], p);
		for (size_t s = 0; s < LENGTH(sizes); s++) {
			int m = sizes[s][0], n = sizes[s][1], k = sizes[s][2];

			if (kernels[i].bug ||
			    (kernels[i].refuses &&
			     kernels[i].refuses(p, m, n, k)))
				continue;
			snprintf(what, sizeof(what), "%s %dx%dx%d",
				 kernels[i].name, m, n, k);
			check_answer(kernel_request(kernels[i].name, m, n, k),
				     what);
		}
	}
}

static void test_variants(void)
{
	static const char *const variants[][3] = {
		{ "naive", "BLOCK", "8" }, { "naive_swapped", "BLOCK", "32" },
		{ "tiled", "TILE", "8" }, { "tiled", "TILE", "32" },
		{ "tiled", "TILE", "5" },
	};
	char what[100];

	for (size_t i = 0; i < LENGTH(variants); i++) {
		const char *const *v = variants[i];

		snprintf(what, sizeof(what), "%s with %s=%s", v[0], v[1],
			 v[2]);
		check_answer(with(kernel_request(v[0], 33, 17, 41), "defines",
				  json_pack("{s:s}", v[1], v[2])), what);
	}
}

/* Blocks of other shapes than the table's. */
static void test_shapes(void)
{
	static const char *const shapes[] = {
		"1x1x1 20x20x1", "32x1x1 1x20x1", "33x1x1 1x20x1",
		"32x32x1 1x1x1", "8x4x1 3x5x1",
	};
	char *path = xasprintf("%s/naive.cu", paths()->kernels);
	struct error e;
	size_t len;
	char *text = file_read(path, 65536, &len, &e);

	for (size_t i = 0; text && i < LENGTH(shapes); i++) {
		json_t *o = text_request("naive.cu", text, NULL, shapes[i]);

		check_answer(o, shapes[i]);
	}
	free(text);
	free(path);
}

static void test_refusals(void)
{
	check_refused(kernel_request("float4", 32, 48, 16), EXIT_USAGE,
		      "this kernel works on whole 64x64 tiles of C: M and N "
		      "must be multiples of 64");
	check_refused(kernel_request("float4", 64, 64, 41), EXIT_USAGE,
		      "this kernel takes 16 columns of A at a time: K must be "
		      "a multiple of 16");
	check_refused(kernel_request("tilde", 8, 8, 8), EXIT_USAGE,
		      "there is no kernel tilde; did you mean tiled?");
	check_refused(with(kernel_request("tiled", 8, 8, 8), "defines",
			   json_pack("{s:s}", "TILE", "33")), EXIT_USAGE,
		      "TILE must be a whole number from 1 to 32");
	check_refused(with(kernel_request("naive", 8, 8, 8), "defines",
			   json_pack("{s:s}", "TILE", "8")), EXIT_USAGE,
		      "naive has no parameter TILE");
}

/* ---- the order of threads ---- */

/* The same requests of the same warps, and some. */
static bool same_requests(struct trace *a, struct trace *b)
{
	uint64_t requests = 0;
	struct error e;

	if (!a || !b || trace_warp_count(a) != trace_warp_count(b))
		return false;
	for (size_t w = 0; w < trace_warp_count(a); w++) {
		const struct trace_warp *x = trace_warp(a, w);
		const struct trace_warp *y = trace_warp(b, w);

		if (x->block != y->block || x->warp != y->warp ||
		    x->requests != y->requests || x->phases != y->phases)
			return false;
		for (uint32_t i = 0; i < x->requests; i++) {
			struct trace_request p, q;

			if (trace_get(a, w, i, &p, &e) < 0 ||
			    trace_get(b, w, i, &q, &e) < 0 ||
			    memcmp(&p, &q, sizeof(p)) != 0 ||
			    !trace_site_same(&trace_info(a)->sites[p.site],
					     &trace_info(b)->sites[q.site]))
				return false;
		}
		requests += x->requests;
	}
	return requests > 0;
}

#ifdef SANITIZED
#define MOVED true
#else
#define MOVED false
#endif

static void test_orders(void)
{
	static const char *const orders[] = { "reverse", "shuffle" };

	for (size_t i = 0; i < kernel_count; i++) {
		/* Of those that take no edges, the shortest with two phases. */
		int s = kernels[i].refuses ? 0 : 2;
		int k = s ? sizes[s][2] : 32;
		struct reply forward, r;

		/* sgemm keeps addresses in its registers, which stand in the
		 * trace; the sanitizer gives each process others. */
		if (kernels[i].bug ||
		    (MOVED && !strncmp(kernels[i].name, "sgemm", 5)))
			continue;
		forward = ask(kernel_request(kernels[i].name, sizes[s][0],
					     sizes[s][1], k));
		for (size_t o = 0; o < LENGTH(orders); o++) {
			r = ask(with(kernel_request(kernels[i].name,
				sizes[s][0], sizes[s][1], k),
				"order", json_string(orders[o])));
			tap_ok(same_requests(forward.trace, r.trace),
			       "%s: %s gives the same trace",
			       kernels[i].name, orders[o]);
			reply_done(&r);
		}
		reply_done(&forward);
	}
}

/* ---- findings ---- */

struct bad {
	const char *name, *shape;
	enum finding_kind kind;
	uint32_t line;
	const char *text;
};

static const struct bad bads[] = {
	{ "bounds", "16x16x1 2x1x1", FINDING_OUT_OF_BOUNDS, 10,
	  "thread (4,0) of block 1 reads B[400]; B has 400 elements; line 10 "
	  "(and 191 more like it)" },
	{ "bounds_shared", "256x1x1 1x1x1", FINDING_OUT_OF_BOUNDS, 10,
	  "thread 211 of block 0 reads As[256]; As has 256 elements; line 10 "
	  "(and 44 more like it)" },
	{ "bounds_register", "32x1x1 1x1x1", FINDING_OUT_OF_BOUNDS, 9,
	  "thread 0 of block 0 reads accum[4]; accum has 4 elements; line 9 "
	  "(and 31 more like it)" },
	{ "null", "32x1x1 1x1x1", FINDING_OUT_OF_BOUNDS, 6,
	  "thread 5 of block 0 reads through a null pointer; line 6" },
	{ "wild", "32x1x1 1x1x1", FINDING_OUT_OF_BOUNDS, 8,
	  "thread 1 of block 0 reads at an address outside all arrays; line "
	  "8" },
	{ "misaligned", "1x1x1 1x1x1", FINDING_CRASH, 4,
	  "thread 0 of block 0 reads 16 bytes at once at A[1], which is not "
	  "aligned to 16 bytes: a GPU stops here; line 4" },
	{ "unwritten", "32x1x1 1x1x1", FINDING_READ_BEFORE_WRITE, 9,
	  "thread 0 of block 0 reads s[31], which no thread of the block has "
	  "written; line 9 (and 15 more like it)" },
	{ "race_blocks", "32x1x1 4x1x1", FINDING_RACE, 5,
	  "thread 0 of block 0 writes C[7] in line 5 and thread 0 of block 1 "
	  "writes it in line 5: nothing orders the two blocks (and 2 "
	  "more like it)" },
	{ "unrolled", "128x1x1 1x1x1", FINDING_RACE, 15,
	  "thread 0 reads s[1] in line 20 and thread 1 of block 0 writes it in "
	  "line 15, with no __syncwarp() between them: lanes of a warp need "
	  "not run in step, and 20 pairs of lines from 15 to 20 race like this "
	  "(and 185 more like it)" },
	{ "unrolled_all", "128x1x1 1x1x1", FINDING_RACE, 10,
	  "thread 0 reads s[8] in line 16 and thread 8 of block 0 writes it in "
	  "line 10, with no barrier between them; 6 pairs of lines from 10 to "
	  "16 race like this (and 87 more like it)" },
	{ "barrier_ended", "64x1x1 1x1x1", FINDING_BARRIER, 9,
	  "only 32 of 64 threads of block 0 reach the barrier in line 9: "
	  "thread 32 has ended, last in line 8" },
	{ "barrier_other", "32x1x1 1x1x1", FINDING_BARRIER, 6,
	  "only 16 of 32 threads of block 0 reach the barrier in line 6: "
	  "thread 16 waits elsewhere, last in line 8" },
	{ "endless", "32x1x1 1x1x1", FINDING_ENDLESS, 4,
	  "thread 0 of block 0 is in an endless loop in line 4: nothing that "
	  "the loop reads changes" },
	{ "endless_empty", "32x1x1 1x1x1", FINDING_ENDLESS, 5,
	  "thread 0 of block 0 has run an empty loop for a second in line 5: "
	  "an endless loop" },
	{ "endless_reads", "32x1x1 1x1x1", FINDING_ENDLESS, 7,
	  "thread 0 of block 0 is in an endless loop in line 7: nothing that "
	  "the loop reads changes" },
	{ "endless_calls", "1x1x1 1x1x1", FINDING_CRASH, 4,
	  "thread 0 of block 0 overflows its stack, as in endless recursion; "
	  "line 4" },
	{ "divide", "1x1x1 1x1x1", FINDING_NOTE, 4,
	  "thread 0 of block 0 divides by zero: a GPU goes on, with all bits "
	  "of the quotient set; line 4" },
};

static void check_bad(const struct bad *b)
{
	struct reply r = ask(with(file_request(b->name, b->shape),
				  "max_events", json_integer(2000000)));
	const struct trace_info *i = r.trace ? trace_info(r.trace) : NULL;

	if (!tap_ok(i && i->finding_count == 1, "%s: one finding",
		    b->name))
		printf("# %s, %zu findings\n", r.error,
		       i ? i->finding_count : 0);
	if (i && i->finding_count > 0) {
		tap_is(i->findings[0].kind, b->kind, "of its kind");
		tap_is(i->findings[0].access.line, b->line, "with its line");
		tap_str(finding_words(i, 0), b->text, "in words");
	}
	reply_done(&r);
}

/* One by each of the first threads. */
static const char *const by_pointers[] = {
	"thread 0 of block 0 writes r[4]; r has 4 elements; line 5",
	"thread 1 of block 0 writes tile[2][0]; tile has 2x2 elements; line 11",
	"thread 2 of block 0 writes r[-1]; r has 4 elements; line 25",
};

static const char *const below_zero[] = {
	"thread 0 of block 0 reads far outside s: an unsigned index wrapped "
	"below 0; s[-1] was meant; line 14",
	"thread 1 of block 0 reads far outside A: an unsigned index wrapped "
	"below 0; A[-1] was meant; line 16",
	"thread 2 of block 0 reads far outside t: an unsigned index wrapped "
	"below 0; t[-1][0] was meant; line 18",
	"thread 3 of block 0 reads far outside t: an unsigned index wrapped "
	"below 0; t[0][7] was meant; line 20",
	"thread 4 of block 0 reads far outside s: an unsigned index wrapped "
	"below 0; s[7] was meant; line 22",
	"thread 5 of block 0 writes C[1099511627777], beyond the assumed size "
	"of C, 400 elements: --array C=SIZE sets its size; line 24",
};

static const char *const null_rows[] = {
	"thread 0 of block 0 reads through a null pointer; line 10",
	"thread 1 of block 0 reads through a null pointer; line 12",
};

static void check_each(const char *name, const char *shape,
		       const char *const *text, size_t count)
{
	struct reply r = ask(file_request(name, shape));
	const struct trace_info *i = r.trace ? trace_info(r.trace) : NULL;

	tap_ok(i && i->finding_count == count, "%s: one finding each", name);
	for (size_t k = 0; i && k < MIN(i->finding_count, count); k++)
		tap_str(finding_words(i, k), text[k], "in words");
	reply_done(&r);
}

static void test_pointers(void)
{
	struct reply r;

	check_each("bounds_pointer", "32x1x1 1x1x1", by_pointers,
		   LENGTH(by_pointers));
	check_each("below_zero", "64x1x1 1x1x1", below_zero,
		   LENGTH(below_zero));
	check_each("null_rows", "2x1x1 1x1x1", null_rows, LENGTH(null_rows));
	r = ask(file_request("bounds_pointer_right", "32x1x1 1x1x1"));
	tap_ok(r.trace && trace_info(r.trace)->finding_count == 0,
	       "bounds_pointer_right: right pointers are let be");
	reply_done(&r);
}

static void test_findings(void)
{
	struct reply r;

	for (size_t i = 0; i < LENGTH(bads); i++)
		check_bad(&bads[i]);

	r = ask(file_request("unrolled_apart", "32x1x1 1x1x1"));
	tap_ok(r.trace && trace_info(r.trace)->finding_count == 2,
	       "unrolled_apart: one finding for each place");
	reply_done(&r);
	r = ask(file_request("race", "64x1x1 1x1x1"));
	tap_ok(r.trace && trace_info(r.trace)->finding_count == 2,
	       "race: before and after");
	if (r.trace && trace_info(r.trace)->finding_count == 2)
		tap_str(finding_words(trace_info(r.trace), 1),
			"thread 0 writes s[0] in line 8 and thread 63 of "
			"block 0 reads it in line 9, with no barrier between "
			"them", "race: both accesses are named");
	reply_done(&r);
	r = ask(with(file_request("race", "64x1x1 1x1x1"), "order",
		     json_string("shuffle")));
	tap_ok(r.trace && trace_info(r.trace)->finding_count >= 1 &&
	       trace_info(r.trace)->findings[0].kind == FINDING_RACE,
	       "race: found in any order of threads");
	reply_done(&r);
}

/* ---- lanes that part ---- */

static void masks_visit(void *ctx, const struct trace_info *info,
			const struct trace_warp *w,
			const struct trace_request *r)
{
	struct str *s = ctx;

	(void)w;
	str_addf(s, "%" PRIu32 ":%" PRIx32 " ", info->sites[r->site].line,
		 r->mask);
}

static void check_masks(json_t *request, const char *what, const char *want)
{
	struct reply r = ask(request);
	struct str s = { 0 };

	if (r.trace)
		each_request(r.trace, masks_visit, &s);
	tap_str(s.data ? s.data : r.error, want, "%s", what);
	str_done(&s);
	reply_done(&r);
}

static void test_lanes(void)
{
	struct reply r;

	check_masks(file_request("lanes", "32x1x1 1x1x1"),
		    "branches, loops, calls and early ends",
		    "14:7 16:eeeeeeee 16:cccccccc 16:88888888 "
		    "5:aaaa 5:5555 5:55550000 5:aaaa0000 "
		    "24:aaaaaaaa 24:55555555 24:aaaaaaaa 24:55555555 "
		    "24:aaaaaaaa 24:55555555 28:3fffffff ");
	r = ask(file_request("dims", "4x3x2 1x1x1"));
	tap_ok(r.trace && trace_info(r.trace)->finding_count == 0,
	       "three dimensions, arrays in functions: nothing to find");
	if (r.trace) {
		const struct trace_info *i = trace_info(r.trace);
		char names[200] = "";

		for (size_t a = 0; a < i->array_count; a++)
			snprintf(names + strlen(names),
				 sizeof(names) - strlen(names), "%s/%s/%u ",
				 i->arrays[a].name,
				 space_name(i->arrays[a].space),
				 i->arrays[a].rank);
		tap_str(names, "A/global/2 C/global/2 s/shared/3 "
			"v/register/1 w/register/1 ",
			"arrays come from the debug information");
	}
	reply_done(&r);
}

/* ---- locals ---- */

static long long local_at(const json_t *o, size_t row, const char *name)
{
	const json_t *names = json_object_get(o, "names");

	for (size_t i = 0; i < json_array_size(names); i++) {
		const json_t *v;

		if (strcmp(json_string_value(json_array_get(names, i)), name))
			continue;
		v = json_array_get(json_array_get(json_object_get(o, "rows"),
						  row), i);
		return json_is_integer(v) ? json_integer_value(v) : -1;
	}
	return -2;
}

static json_t *locals_request(int block, int thread, int first, int count)
{
	return json_pack("{s:s,s:i,s:i,s:i,s:i}", "type", "locals", "block",
			 block, "thread", thread, "first", first, "count",
			 count);
}

static void test_locals(void)
{
	struct reply r = ask(kernel_request("tiled", 32, 32, 32));

	reply_done(&r);
	/* Thread (3,2) of block (1,1): four accesses, a barrier, 32 reads of
	 * the first tile, a barrier. */
	r = ask(locals_request(3, 35, 0, 100));
	if (!tap_ok(r.message && !r.error[0], "locals are answered"))
		printf("# %s\n", r.error);
	tap_is(json_array_size(json_object_get(r.message, "rows")), 77,
	       "a row for each access of the thread");
	tap_is(local_at(r.message, 0, "row"), 18, "row at the first access");
	tap_is(local_at(r.message, 0, "col"), 19, "col at the first access");
	tap_is(local_at(r.message, 0, "t"), 0, "t at the first access");
	tap_is(local_at(r.message, 0, "K"), 32, "a parameter");
	tap_is(local_at(r.message, 0, "k"), -1, "k is not in scope yet");
	tap_is(local_at(r.message, 5, "k"), 0, "k in its loop");
	tap_is(local_at(r.message, 36, "k"), 15, "k in its last round");
	tap_is(local_at(r.message, 37, "k"), -1, "not behind it");
	tap_is(local_at(r.message, 38, "t"), 16, "t in the second phase");
	tap_is(local_at(r.message, 76, "t"), -1, "t is gone at the end");
	tap_is(local_at(r.message, 0, "sum"), -2, "reals are not asked for");
	reply_done(&r);

	r = ask(locals_request(0, 0, 36, 1));
	tap_is(local_at(r.message, 0, "k"), 15, "one row in the middle");
	tap_is(json_array_size(json_object_get(r.message, "rows")), 1,
	       "and no other");
	reply_done(&r);
	check_refused(locals_request(4, 0, 0, 1), EXIT_USAGE,
		      "bad request: there is no such thread");

	r = ask(with(kernel_request("tiled", 32, 32, 32), "spaces",
		     json_pack("[s]", "shared")));
	reply_done(&r);
	r = ask(locals_request(0, 35, 1, 1));
	tap_is(local_at(r.message, 0, "row"), 2,
	       "accesses are counted as they were recorded");
	reply_done(&r);
}

/* ---- filters and budgets ---- */

/* The blocks of a trace of tiled, 4 x 4 blocks of 8 warps, a bit each. */
static uint32_t blocks_of(const struct reply *r)
{
	uint32_t blocks = 0;

	for (size_t i = 0; r->trace && i < trace_warp_count(r->trace); i++)
		blocks |= 1u << trace_warp(r->trace, i)->block;
	return blocks;
}

static uint32_t sampled(int count, int seed)
{
	struct reply r = ask(with(with(kernel_request("tiled", 64, 64, 16),
		"blocks", json_integer(count)), "seed", json_integer(seed)));
	uint32_t blocks = blocks_of(&r);

	reply_done(&r);
	return blocks;
}

static void test_sample(void)
{
	uint32_t first = sampled(4, 1);
	bool apart = true;

	for (int i = 0; i < 4; i++)
		apart = apart && __builtin_popcount(first >> i * 4 & 15) == 1;
	tap_ok(apart, "a sample of four has one of each four blocks");
	tap_is(sampled(4, 1), first, "the same seed draws the same");
	tap_ok(sampled(4, 2) != first || sampled(4, 3) != first,
	       "others draw others");
	tap_is(sampled(99, 1), 0xffff, "there are no more than all");
}

static void test_filters(void)
{
	struct reply r = ask(with(with(kernel_request("naive", 64, 64, 8),
		"blocks", json_pack("[[iii],[iii],[iii]]", 2, 1, 0, 1, 0, 0,
				    2, 1, 0)), "warps", json_pack("[i]", 3)));

	tap_ok(r.trace && trace_warp_count(r.trace) == 2 &&
	       trace_find_warp(r.trace, 1, 3) == 0 &&
	       trace_find_warp(r.trace, 6, 3) == 1,
	       "the blocks and warps that were chosen, each once, in order");
	tap_ok(r.trace && trace_info(r.trace)->partial &&
	       trace_info(r.trace)->finding_count == 0,
	       "which is partial, but nothing to find");
	reply_done(&r);

	test_sample();
	r = ask(with(kernel_request("float4", 64, 64, 16), "spaces",
		     json_pack("[s]", "global")));
	tap_is(r.trace ? trace_event_count(r.trace) : 0, 256 * 8,
	       "one space: a thread's two loads, two barriers, four stores");
	reply_done(&r);

	r = ask(with(kernel_request("tiled", 64, 64, 64), "max_events",
		     json_integer(100000)));
	tap_ok(r.trace && trace_event_count(r.trace) <= 100000 &&
	       trace_event_count(r.trace) > 50000,
	       "the cap on events is kept");
	tap_str(r.trace && trace_info(r.trace)->finding_count == 1 ?
		finding_words(trace_info(r.trace), 0) : "",
		"recording stopped at the limit of 100000 events: 2 of 16 "
		"blocks are complete; of the 256 threads of block (2,0), 0 "
		"had ended; thread (12,1) was running in line 42",
		"and says how far it got");
	reply_done(&r);

	r = ask(with(kernel_request("tiled", 16, 16, 16), "values",
		     json_false()));
	tap_ok(r.trace && !trace_info(r.trace)->values &&
	       trace_event_count(r.trace) > 0, "without values");
	reply_done(&r);
}

/* ---- texts that are wrong ---- */

static void test_texts(void)
{
	struct reply r;

	check_refused(text_request("x.cu", "__global__ void f(float *C)\n{\n"
				   "    C[0] = nothing;\n}\n", NULL,
				   "1x1x1 1x1x1"), EXIT_INPUT,
		      "x.cu:3: 'nothing' was not declared in this scope");
	check_refused(text_request("x.cu", "int f() { return 1; }", NULL,
				   "1x1x1 1x1x1"), EXIT_USAGE,
		      "the file has no kernel");
	check_refused(text_request("x.cu", "void f() {}\nvoid g() {}", NULL,
				   "1x1x1 1x1x1"), EXIT_USAGE,
		      "the file has several kernels: choose one with --entry");
	check_refused(text_request("x.cu", "void f(int N, int what) {}", "f",
				   "1x1x1 1x1x1"), EXIT_USAGE,
		      "unknown parameter what of f (known are M, N, K, lda, "
		      "ldb and ldc): set it with --arg what=VALUE");
	r = ask(text_request("\033[31mx.cu", "#error \033[2J\n", NULL,
			     "1x1x1 1x1x1"));
	tap_ok(r.status == EXIT_INPUT && !strchr(r.error, '\033'),
	       "hostile text does not get into the message");
	reply_done(&r);
}

static void test_requests(void)
{
	check_refused(json_pack("{s:s}", "type", "dance"), EXIT_USAGE,
		      "bad request: unknown type \"dance\"");
	check_refused(with(kernel_request("naive", 8, 8, 8), "speed",
			   json_integer(1)), EXIT_USAGE,
		      "bad request: unknown member \"speed\"");
	check_refused(kernel_request("naive", 0, 8, 8), EXIT_USAGE,
		      "bad request: \"m\" must be a whole number from 1 to "
		      "1048576");
	check_refused(with(kernel_request("naive", 8, 8, 8), "blocks",
			   json_pack("[[iii]]", 9, 0, 0)), EXIT_USAGE,
		      "there is no block (9,0,0): the grid is 1x1x1");
	check_refused(kernel_request("naive", 1000000, 8, 1000000), EXIT_USAGE,
		      "A of 1000000x1000000 elements is too large to be "
		      "recorded");
	check_answer(kernel_request("naive", 8, 8, 8),
		     "after all that, naive");
}

/* Without a compiler the kernels that make has built still work. */
static void test_no_compiler(void)
{
	char *argv[] = { (char *)"/usr/bin/env", (char *)"PATH=/nowhere",
			 paths()->emu, NULL };
	struct error e;

	runner_free(runner);
	runner = runner_start(argv, &e);
	check_refused(with(kernel_request("tiled", 8, 8, 8), "defines",
			   json_pack("{s:s}", "TILE", "7")), EXIT_RUNNER,
		      KERNEL_CXX " is not installed: without it, only built-in "
				 "kernels can be recorded (Debian, Ubuntu: "
				 "apt-get install g++; Fedora: dnf install "
				 "gcc-c++)");
	check_answer(kernel_request("tiled", 8, 8, 8), "no compiler: tiled");
}

int main(void)
{
	test_answers();
	test_variants();
	test_shapes();
	test_refusals();
	test_orders();
	test_findings();
	test_pointers();
	test_lanes();
	test_locals();
	test_filters();
	test_texts();
	test_requests();
	test_no_compiler();
	if (runner)
		runner_free(runner);
	return tap_done();
}
