/*
 * emu_hopper_test: what kernels for Hopper are made of, as the recorder on the
 * CPU has it: mbarriers, boxes of TMA, products of wgmma, named barriers,
 * clusters; and what it says of kernels that get them wrong.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "emu_ask.h"
#include "hardware/fragment.h"
#include "analysis/pattern.h"
#include "analysis/report.h"
#include "record/contents.h"

#define SEED 5

/* ---- asking ---- */

/* "64x128x256"; defines "BUG=1 COLS=64". */
static json_t *launch(const char *kernel, const char *size, const char *shape,
		      const char *defines)
{
	json_t *o = file_request(kernel, shape);
	int n[3] = { 64, 64, 64 };

	sscanf(size, "%dx%dx%d", &n[0], &n[1], &n[2]);
	with(o, "m", json_integer(n[0]));
	with(o, "n", json_integer(n[1]));
	with(o, "k", json_integer(n[2]));
	with(o, "seed", json_integer(SEED));
	return with(o, "defines", defines_of(defines));
}

static char *findings(const struct reply *r)
{
	const struct trace_info *i = r->trace ? trace_info(r->trace) : NULL;
	struct str s = { 0 };

	if (!i)
		return xstrdup(r->error);
	for (size_t f = 0; f < i->finding_count; f++)
		str_addf(&s, "%s: %s\n", finding_name(i->findings[f].kind),
			 finding_words(i, f));
	str_add(&s, "");
	return str_take(&s);
}

static void check_findings(const struct reply *r, const char *want,
			   const char *what)
{
	char *found = findings(r);

	tap_str(found, want, "%s", what);
	free(found);
}

/* ---- the answer ---- */

static float *matrix_make(int which, enum elem elem, int m, int n, int k)
{
	struct plan p = { .job = { .size = { m, n, k }, .seed = SEED },
			  .problem = &problem_gemm };
	struct trace_array a = { .elem = elem, .elem_bytes = 4, .rank = 2 };
	float *x;

	a.dims[0] = (uint64_t)(which == 0 ? m : k);
	a.dims[1] = (uint64_t)(which == 0 ? k : n);
	x = xcalloc(a.dims[0] * a.dims[1], sizeof(*x));
	contents_fill(&p, &(struct argument) { .array = which }, &a, x);
	return x;
}

/* What was stored to C last; NaN: nothing. */
struct stored {
	float *c;
	uint64_t count;
};

static void stored_visit(void *ctx, const struct trace_info *info,
			 const struct trace_warp *w,
			 const struct trace_request *r)
{
	const struct trace_site *s = &info->sites[r->site];
	struct stored *to = ctx;

	(void)w;
	if (s->op != OP_ST || strcmp(info->arrays[s->array].name, "C"))
		return;
	for (uint32_t l = 0; l < WARP_LANES; l++)
		if (r->mask >> l & 1 && r->offset[l] / 4 < to->count)
			memcpy(&to->c[r->offset[l] / 4], &r->value[4 * l], 4);
}

/* How many elements of C are not what a loop gives. */
static int wrong(const struct reply *r, int m, int n, int k)
{
	float *a = matrix_make(0, ELEM_F32, m, n, k);
	float *b = matrix_make(1, ELEM_F32, m, n, k);
	struct stored s = { xcalloc((size_t)m * (size_t)n, sizeof(float)),
			    (uint64_t)m * (uint64_t)n };
	int bad = 0;

	memset(s.c, 0xff, s.count * sizeof(float));
	each_request(r->trace, stored_visit, &s);
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++) {
			double sum = 0;

			for (int l = 0; l < k; l++)
				sum += (double)a[i * k + l] * b[l * n + j];
			bad += !(s.c[i * n + j] == sum);
		}
	free(a);
	free(b);
	free(s.c);
	return bad;
}

/* ---- a ring of stages in a cluster ---- */

#define RING "64x128x256", "256x1x1 2x1x1"

/* The requests of a warp without values, a line each: "mbar-wait empty[0]". */
static char *warp_text(struct trace *t, uint32_t block, uint32_t warp,
		       enum op first)
{
	const struct trace_info *info = trace_info(t);
	long at = trace_find_warp(t, block, warp);
	struct trace_request r;
	struct str s = { 0 };
	struct error e;

	for (uint32_t i = 0; at >= 0 && i < trace_warp(t, (size_t)at)->requests;
	     i++) {
		const struct trace_site *site;
		const struct trace_array *a;
		uint32_t lane;

		if (trace_get(t, (size_t)at, i, &r, &e) < 0)
			break;
		site = &info->sites[r.site];
		if (site->op < first || !op_has_array(site->op))
			continue;
		a = &info->arrays[site->array];
		lane = (uint32_t)__builtin_ctz(r.mask);
		str_addf(&s, "%s %s+%" PRIu64, op_name(site->op), a->name,
			 r.offset[lane]);
		if (trace_value_words(site))
			str_addf(&s, " %" PRId32 " %" PRIu32,
				 (int32_t)r.value[4 * lane],
				 r.value[4 * lane + 1]);
		str_addc(&s, '\n');
	}
	str_add(&s, "");
	return str_take(&s);
}

static void test_ring(void)
{
	static const char *const orders[] = { "forward", "reverse", "shuffle" };
	char *first = NULL;

	for (size_t i = 0; i < LENGTH(orders); i++) {
		struct reply r = ask(with(launch("ring", RING, ""), "order",
					  json_string(orders[i])));
		char *text = dump(r.trace);

		check_findings(&r, "", orders[i]);
		tap_is(r.trace ? wrong(&r, 64, 128, 256) : -1, 0,
		       "C is A B");
		if (first)
			tap_ok(!strcmp(first, text), "%s order records the "
			       "same", orders[i]);
		else
			first = xstrdup(text);
		free(text);
		reply_done(&r);
	}
	free(first);
}

/* Who fills and drains which stage, and when. */
static void test_roles(void)
{
	struct reply r = ask(launch("ring", RING, ""));
	char *fills = r.trace ? warp_text(r.trace, 1, 0, OP_MBAR_ARRIVE) :
				xstrdup(r.error);
	char *drains = r.trace ? warp_text(r.trace, 1, 4, OP_MBAR_ARRIVE) :
				 xstrdup(r.error);
	char *end;

	tap_str(fills,
		"mbar-wait empty+0 -1 0\nmbar-arrive full+0 0 16384\n"
		"tma-ld A+16384\ntma-ld As+4096\n"
		"tma-ld B+128\ntma-ld Bs+0\n"
		"mbar-wait empty+8 -1 0\nmbar-arrive full+8 0 16384\n"
		"tma-ld A+16512\ntma-ld As+12288\n"
		"tma-ld B+16512\ntma-ld Bs+8192\n"
		"mbar-wait empty+0 0 0\nmbar-arrive full+0 1 16384\n"
		"tma-ld A+16640\ntma-ld As+4096\n"
		"tma-ld B+32896\ntma-ld Bs+0\n"
		"mbar-wait empty+8 0 0\nmbar-arrive full+8 1 16384\n"
		"tma-ld A+16768\ntma-ld As+12288\n"
		"tma-ld B+49280\ntma-ld Bs+8192\n",
		"the warp that fills: its waits, phases and boxes");
	end = strstr(drains, "mbar-wait full+8");
	if (end)
		*end = '\0';
	tap_str(drains,
		"mbar-wait full+0 0 0\n"
		"wgmma As+0\nwgmma Bs+0\nwgmma As+32\nwgmma Bs+2048\n"
		"wgmma As+64\nwgmma Bs+4096\nwgmma As+96\nwgmma Bs+6144\n"
		"mbar-arrive empty+0 0 0\n",
		"a warp that multiplies: waits, operands, gives back");
	free(fills);
	free(drains);
	reply_done(&r);
}

/* Which warps do what, counted. */
static void test_report(void)
{
	static const struct { enum op op; const char *array; uint32_t warps; }
	want[] = {
		{ OP_MBAR_WAIT, "empty", 0x01 },
		{ OP_MBAR_ARRIVE, "full", 0x01 },
		{ OP_TMA_LD, "As", 0x01 }, { OP_TMA_LD, "A", 0x01 },
		{ OP_TMA_LD, "Bs", 0x01 }, { OP_TMA_LD, "B", 0x01 },
		{ OP_MBAR_WAIT, "full", 0xf0 },
		{ OP_WGMMA, "As", 0xf0 }, { OP_WGMMA, "Bs", 0xf0 },
		{ OP_MBAR_ARRIVE, "empty", 0x10 },
	};
	struct reply reply = ask(launch("ring", RING, ""));
	struct report r;
	struct error e;
	size_t n = 0;

	if (!tap_ok(reply.trace && report_build(reply.trace, &r, &e) == 0,
		    "a ring is counted"))
		return;
	for (size_t i = 0; i < r.site_count; i++) {
		if (op_is_access(r.sites[i].op))
			continue;
		tap_ok(n < LENGTH(want) && r.sites[i].op == want[n].op &&
		       !strcmp(r.sites[i].array, want[n].array) &&
		       r.sites[i].warps == want[n].warps,
		       "%s %s by warps %#x", r.sites[i].word,
		       r.sites[i].array, r.sites[i].warps);
		n++;
	}
	tap_is((long)n, LENGTH(want), "and nothing else is done");
	/* Four steps of each block, and a tile of C from each, of whose
	 * sectors only half is stored at once. */
	tap_is(r.bytes_global, 2 * (4 * (64 / 2 + 64) * 64 * 2 +
				    64 * 64 * 4 * 2), "bytes with the boxes'");
	report_done(&r);
	reply_done(&reply);
}

/* Of one block of a cluster alone: its events, and a thread's variables. */
static void test_one_block(void)
{
	struct reply all = ask(launch("ring", RING, ""));
	struct reply r = ask(with(launch("ring", RING, ""), "blocks",
				  json_pack("[[iii]]", 1, 0, 0)));
	json_t *row;

	tap_is(r.trace ? (long)trace_warp_count(r.trace) : -1, 8,
	       "one block of a cluster is recorded");
	for (uint32_t warp = 0; r.trace && all.trace && warp < 8; warp += 4) {
		char *beside = warp_text(all.trace, 1, warp, OP_SYNC);
		char *alone = warp_text(r.trace, 1, warp, OP_SYNC);

		tap_str(alone, beside, "as beside the other");
		free(beside);
		free(alone);
	}
	reply_done(&r);
	r = ask(json_pack("{s:s,s:i,s:i,s:i,s:i}", "type", "locals", "block",
			  1, "thread", 128, "first", 2, "count", 1));
	row = json_array_get(json_object_get(r.message, "rows"), 0);
	for (size_t i = 0; i < json_array_size(row); i++)
		if (!strcmp(json_string_value(json_array_get(
				json_object_get(r.message, "names"), i)),
			    "rank"))
			tap_is(json_integer_value(json_array_get(row, i)), 1,
			       "its threads know their rank");
	reply_done(&r);
	reply_done(&all);
}

/* A launch that is cut short. */
static void test_cap(void)
{
	struct reply r = ask(with(launch("ring", RING, ""), "max_events",
				  json_integer(5000)));
	char *found = findings(&r);

	tap_ok(strstr(found, "cap: recording stopped at the limit of 5000 "
		      "events: 0 of 2 blocks are complete"), "a cluster is cut short");
	free(found);
	reply_done(&r);
}

/* The accumulators of a warpgroup as the trace has them, by the fragment that
 * the model says they are. */
struct accumulators {
	struct fragment f;
	float at[64][64];
};

static void accumulators_visit(void *ctx, const struct trace_info *info,
			       const struct trace_warp *w,
			       const struct trace_request *r)
{
	const struct trace_site *s = &info->sites[r->site];
	struct accumulators *to = ctx;

	if (s->op != OP_ST || strcmp(info->arrays[s->array].name, "d") ||
	    w->block != 0)
		return;
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		struct fragment_place p = {
			.lane = (int)(w->warp % 4 * WARP_LANES + l),
			.element = (int)(r->offset[l] / 4),
		};

		fragment_element(&to->f, &p);
		memcpy(&to->at[p.row][p.col], &r->value[4 * l], 4);
	}
}

static void test_accumulators(void)
{
	struct fragment_wish wish = { "wgmma.m64n64k16.f16", 'D', 0, 0, NULL };
	struct reply r = ask(launch("ring", RING, ""));
	struct accumulators d;
	struct stored s = { xcalloc(64 * 128, 4), 64 * 128 };
	struct error e;
	bool same = true;

	memset(&d, 0xff, sizeof(d));
	tap_is(fragment_find(&wish, &d.f, &e), 0, "the model has wgmma's D");
	each_request(r.trace, accumulators_visit, &d);
	each_request(r.trace, stored_visit, &s);
	for (int i = 0; i < 64; i++)
		for (int j = 0; j < 64; j++)
			same = same && d.at[i][j] == s.c[i * 128 + j];
	tap_ok(same, "lane and register of each accumulator are the model's");
	free(s.c);
	reply_done(&r);
}

/* ---- products ---- */

static void sums_visit(void *ctx, const struct trace_info *info,
		       const struct trace_warp *w,
		       const struct trace_request *r)
{
	const struct trace_site *s = &info->sites[r->site];
	size_t *count = ctx;

	(void)w;
	*count += s->op == OP_ST && !strcmp(info->arrays[s->array].name, "d");
}

/* The hardware stores sums also for a function that has ended meanwhile. */
static void test_apart(void)
{
	static const char *const defines[] = { "APART=0", "APART=1" };
	size_t count[LENGTH(defines)] = { 0 };

	for (size_t i = 0; i < LENGTH(defines); i++) {
		struct reply r = ask(launch("products", "64x64x64",
					    "128x1x1 1x1x1", defines[i]));

		each_request(r.trace, sums_visit, &count[i]);
		reply_done(&r);
	}
	/* Each warp's 32 a lane. */
	tap_is(count[0], 4 * 32, "the sums are stored in registers");
	tap_is(count[1], count[0], "... for a function that has ended, too");
}

static void test_products(void)
{
	static const char *const defines[] = {
		"COLS=64", "COLS=64 A_MN=1", "COLS=64 B_MN=1",
		"COLS=128", "COLS=128 A_MN=1 B_MN=1", "COLS=192 B_MN=1",
		"COLS=256", "COLS=256 B_MN=1",
		"COLS=96 B_MN=1 B_WIDE=32", "COLS=256 B_MN=1 B_WIDE=32",
		"COLS=64 TYPE=__nv_bfloat16",
		"COLS=256 B_MN=1 TYPE=__nv_bfloat16",
	};

	for (size_t i = 0; i < LENGTH(defines); i++) {
		int n = atoi(defines[i] + strlen("COLS="));
		char size[40];
		struct reply r;

		snprintf(size, sizeof(size), "64x%dx64", n);
		r = ask(launch("products", size, "128x1x1 1x1x1", defines[i]));
		check_findings(&r, "", defines[i]);
		tap_is(r.trace ? wrong(&r, 64, n, 64) : -1, 0, "C is A B");
		reply_done(&r);
	}
}

/* ---- boxes ---- */

struct series {
	size_t count;
	double at[8192];
};

static void series_visit(void *ctx, const struct trace_info *info,
			 const struct trace_warp *w,
			 const struct trace_request *r)
{
	const struct trace_site *s = &info->sites[r->site];
	struct series *to = ctx;

	(void)w;
	if (s->op != OP_LD || strcmp(info->arrays[s->array].name, "s.As"))
		return;
	for (uint32_t l = 0; l < WARP_LANES; l++)
		if (r->mask >> l & 1 && to->count < LENGTH(to->at))
			element_value(ELEM_F16, &r->value[4 * l], 0,
				      &to->at[to->count++]);
}

/* Boxes of 16 rows; element (row, column) of a box is found where the model
 * says that it is swizzled to. */
static int boxes_wrong(const struct series *s, int swizzle, int m, int k)
{
	const int row[] = { 4, -3, m - 5, m }, col[] = { 8, -8, k - 8, 0 };
	int cols = swizzle ? swizzle / 2 : 24, bad = 0;
	float *a = matrix_make(0, ELEM_F32, m, 8, k);

	for (int i = 0; i < 4 * 16 * cols; i++) {
		int box = i / (16 * cols), y = i / cols % 16, x = i % cols;
		int at = swizzle ? fragment_swizzle(swizzle, y, x * 2) / 2 :
				   y * cols + x;
		int r = row[box] + y, c = col[box] + x;
		double want = r < 0 || r >= m || c < 0 || c >= k ? 0 :
			      a[r * k + c];

		bad += !(s->at[box * 16 * cols + at] == want);
	}
	free(a);
	return s->count == (size_t)(4 * 16 * cols) ? bad : -1;
}

static void test_boxes(void)
{
	static const char *const defines[] = { "SWIZZLE=0", "SWIZZLE=32",
					       "SWIZZLE=64", "SWIZZLE=128" };

	for (size_t i = 0; i < LENGTH(defines); i++) {
		struct reply r = ask(launch("boxes", "40x8x72",
					    "32x1x1 1x1x1", defines[i]));
		struct series *s = xcalloc(1, sizeof(*s));

		check_findings(&r, "", defines[i]);
		each_request(r.trace, series_visit, s);
		tap_is(boxes_wrong(s, atoi(defines[i] + strlen("SWIZZLE=")),
				   40, 72), 0,
		       "each element is where it is swizzled to, or 0");
		free(s);
		reply_done(&r);
	}
}

/* ---- the kernels of the table ---- */

/* Their answers are compared by the recorder itself. */
static void test_kernels(void)
{
	static const struct {
		const char *kernel, *defines;
		int m, n, k;
	} launches[] = {
		{ "wgmma_basic", "", 64, 128, 64 },
		{ "wgmma_basic", "", 100, 136, 72 },
		{ "tma_pipeline", "", 256, 256, 128 },
		{ "tma_pipeline", "", 300, 136, 328 },
		{ "tma_pipeline", "EXPONENT=8", 65, 8, 8 },
		{ "hgemm", "", 256, 256, 128 },
		{ "hgemm", "", 600, 392, 200 },
		{ "hgemm", "EXPONENT=8", 1, 8, 8 },
		{ "hgemm", "SLABS=1", 256, 256, 136 },
		{ "hgemm", "CLUSTER=1", 520, 128, 64 },
		{ "hgemm", "CLUSTER=4", 1100, 136, 72 },
		{ "hgemm", "BESIDE=2", 520, 392, 200 },
		{ "hgemm", "BESIDE=4", 264, 520, 136 },
		/* Parts of a tile of A that begin at no eighth row. */
		{ "hgemm", "BM=104 CONSUMERS=1 BESIDE=4", 264, 520, 136 },
		{ "hgemm", "BM=120 STAGES=3 CLUSTER=2 BESIDE=4", 264, 520,
		  136 },
		{ "hgemm", "SLABS=3", 264, 392, 136 },
		{ "hgemm", "SLABS=4", 264, 232, 136 },
		{ "hgemm", "BM=208", 440, 232, 136 },
		{ "hgemm", "BM=72", 300, 232, 136 },
		{ "hgemm", "DEEP=2", 520, 200, 200 },
		{ "hgemm", "DEEP=4", 264, 136, 264 },
		{ "hgemm", "WIDTH=32", 264, 136, 264 },
		{ "hgemm", "WIDTH=32", 600, 392, 72 },
		{ "hgemm", "GROUP=1", 600, 392, 64 },
		{ "hgemm", "STAGES=2", 256, 128, 200 },
	};

	for (size_t i = 0; i < LENGTH(launches); i++) {
		json_t *o = kernel_request(launches[i].kernel, launches[i].m,
					   launches[i].n, launches[i].k);
		struct reply r;
		char what[80];

		r = ask(with(o, "defines", defines_of(launches[i].defines)));
		snprintf(what, sizeof(what), "%s %dx%dx%d %s: C is A B in "
			 "float64", launches[i].kernel, launches[i].m,
			 launches[i].n, launches[i].k, launches[i].defines);
		check_findings(&r, "", what);
		reply_done(&r);
	}
}

/* ---- what is wrong ---- */

static const struct {
	const char *kernel, *size, *shape, *defines, *want;
} bugs[] = {
	{ "ring", RING, "BUG=1", "race: thread 0 of block 0 uses the mbarrier "
	  "full[0] of block 1, which thread 0 of block 1 may not have "
	  "initialized yet in line 26: nothing orders the two; line 55 (and 3 "
	  "more like it)\n"
	  "race: thread 129 of block 0 uses the mbarrier empty[0] of block 1, "
	  "which thread 0 of block 1 may not have initialized yet in line 27: "
	  "nothing orders the two; line 88 (and 3 more like it)\n" },
	{ "ring", RING, "BUG=2", "crash: thread 0 of block 1 uses the mbarrier "
	  "full[0], at which more threads arrive in a phase than it was "
	  "initialized for; line 54\n" },
	{ "ring", RING, "BUG=3", "read-before-write: thread 128 of block 0 "
	  "reads Bs[0][0] in line 75, while the asynchronous copy that thread "
	  "0 started in line 58 may still write it (and 7 more like it)\n"
	  "barrier: thread 0 of block 0 waits for phase 0 of the mbarrier "
	  "empty[0], which never completes: 1 of 2 arrivals, 0 of 0 bytes; "
	  "line 46 (and 1 more like it)\n"
	  "barrier: thread 1 of block 0 waits for all threads of its cluster, "
	  "of which some never arrive; line 97 (and 253 more like it)\n"
	  "barrier: thread 128 of block 0 waits for phase 1 of the mbarrier "
	  "full[0], which never completes: 0 of 1 arrivals, 8192 of 0 bytes; "
	  "line 72 (and 255 more like it)\n" },
	{ "ring", RING, "BUG=4", "barrier: thread 0 of block 0 waits for phase "
	  "0 of the mbarrier empty[0], which never completes: 0 of 2 arrivals, "
	  "0 of 0 bytes; line 46 (and 1 more like it)\n"
	  "barrier: thread 1 of block 0 waits for all threads of its cluster, "
	  "of which some never arrive; line 97 (and 253 more like it)\n"
	  "barrier: thread 128 of block 0 waits for phase 0 of the mbarrier "
	  "full[0], which never completes: 1 of 1 arrivals, 16384 of 16386 "
	  "bytes; line 72 (and 255 more like it)\n" },
	{ "ring", RING, "BUG=5", "read-before-write: thread 128 of block 0 "
	  "reads As[0][0] in line 75, while the asynchronous copy that thread "
	  "0 started in line 55 may still write it (and 31 more like it)\n"
	  "read-before-write: thread 128 of block 0 reads Bs[0][0] in line 75, "
	  "while the asynchronous copy that thread 0 started in line 58 may "
	  "still write it (and 31 more like it)\n" },
	{ "ring", RING, "BUG=6", "race: thread 0 of block 0 writes As[0][0] in "
	  "line 55, while what thread 255 started in line 75 may still read it "
	  "(and 7 more like it)\n"
	  "race: thread 0 of block 0 writes Bs[0][0] in line 58, while what "
	  "thread 255 started in line 75 may still read it (and 3 more like "
	  "it)\n" },
	{ "ring", RING, "BUG=8", "barrier: thread 0 of block 0 waits for phase "
	  "0 of the mbarrier empty[0], which never completes: 0 of 2 arrivals, "
	  "0 of 0 bytes; line 46 (and 1 more like it)\n"
	  "barrier: thread 1 of block 0 waits for all threads of its cluster, "
	  "of which some never arrive; line 97 (and 253 more like it)\n"
	  "barrier: thread 128 of block 0 waits for phase 1 of the mbarrier "
	  "full[0], which never completes: 0 of 1 arrivals, 0 of 0 bytes; line "
	  "72 (and 255 more like it)\n" },
	{ "staged", "128x64x64", "160x1x1", "BUG=0", "" },
	{ "staged", "128x64x64", "160x1x1", "BUG=1", "race: thread 0 of block "
	  "0 reads Cs[0] in line 33 by TMA or wgmma, which might not see what "
	  "thread 0 stored in line 24: call fence_proxy_async() after the "
	  "store (and 1 more like it)\n" },
	{ "staged", "128x64x64", "160x1x1", "BUG=2", "race: thread 16 writes "
	  "Cs[8] in line 24 and thread 0 of block 0 reads it in line 33, with "
	  "no barrier between them (and 1 more like it)\n" },
	{ "staged", "128x64x64", "160x1x1", "BUG=3", "race: thread 0 of block "
	  "0 writes Cs[0] in line 24, while what thread 0 started in line 33 "
	  "may still read it (and 4095 more like it)\n"
	  "race: thread 0 of block 0 ends before its TMA store has read shared "
	  "memory, which another block may reuse then; line 33\n" },
	{ "staged", "64x64x64", "160x1x1", "BUG=4", "crash: thread 0 of block "
	  "0 breaks a rule: all threads that come to a barrier must name the "
	  "same number of threads; line 40 (and 63 more like it)\n" },
	{ "staged", "64x64x64", "160x1x1", "BUG=5", "barrier: thread 0 of "
	  "block 0 waits at barrier 1 for 128 threads, of which 32 never "
	  "arrive; line 43 (and 95 more like it)\n" },
	{ "products", "64x64x64", "128x1x1", "BUG=1", "race: thread 0 of block "
	  "0 reads As[0] in line 87 by TMA or wgmma, which might not see what "
	  "thread 0 stored in line 53: call fence_proxy_async() after the "
	  "store (and 3 more like it)\n"
	  "race: thread 0 of block 0 reads Bs[0] in line 87 by TMA or wgmma, "
	  "which might not see what thread 0 stored in line 56: call "
	  "fence_proxy_async() after the store (and 3 more like it)\n" },
	{ "products", "64x64x64", "128x1x1", "BUG=2", "barrier: thread 0 of "
	  "block 0 waits at wgmma for 128 threads, of which 32 never arrive; "
	  "line 87 (and 95 more like it)\n" },
	{ "products", "64x64x64", "128x1x1", "BUG=3", "crash: thread 0 of "
	  "block 0 breaks a rule: an operand of wgmma begins in the first of 8 "
	  "rows, at a multiple of 16 bytes; line 87 (and 127 more like it)\n" },
	{ "products", "64x64x64", "128x1x1", "BUG=4", "out-of-bounds: thread 0 "
	  "of block 0 reads As[4096]; As has 4096 elements; line 87 (and 127 "
	  "more like it)\n" },
	{ "products", "64x64x64", "96x1x1", "BUG=0", "crash: thread 0 of block "
	  "0 breaks a rule: wgmma is for whole warpgroups of 128 threads; line "
	  "87 (and 95 more like it)\n" },
	{ "products", "64x64x64", "128x1x1", "BUG=5", "race: thread 0 of block "
	  "0 calls wgmma, which might not see the values of registers: call "
	  "wgmma_fence() before the first wgmma; line 87 (and 511 more like "
	  "it)\n" },
	{ "products", "64x64x64", "128x1x1", "BUG=6", "race: thread 0 of block "
	  "0 ends before its wgmma is done: wgmma_commit_group() and "
	  "wgmma_wait_group() must come first; line 90 (and 127 more like "
	  "it)\n" },
	{ "ring", RING, "BUG=9", "race: thread 0 of block 0 starts a TMA load "
	  "that signals the mbarrier full[0], but the block ends in line 97 "
	  "without waiting for it; line 55 (and 3 more like it)\n"
	  "race: thread 0 of block 0 starts a TMA load that signals the "
	  "mbarrier full[0], but the block ends in line 97 without waiting for "
	  "it; line 58 (and 1 more like it)\n" },
	/* Each block waits for what the other does in it. */
	{ "relay", "8x8x8", "1x1x1 2x1x1", "BUG=0", "" },
	{ "relay", "8x8x8", "1x1x1 2x1x1", "BUG=1", "race: thread 0 of block 1 "
	  "uses the mbarrier late of block 0, and might not see that thread 0 "
	  "of block 0 has initialized it in line 19: call "
	  "fence_mbarrier_init() after the initialization; line 31\n" },
	{ "relay", "8x8x8", "1x1x1 2x1x1", "BUG=2", "race: thread 0 of block 0 "
	  "arrives at the mbarrier told of block 1, but the block may have "
	  "ended by then in line 34: nothing makes it wait; line 23\n" },
	/* Launches that a GPU would refuse. */
	{ "ring", "64x128x64", "256x1x1 3x1x1", "BUG=0",
	  "a grid of 3 blocks along x is not a multiple of the cluster size, "
	  "2" },
	{ "boxes", "40x8x70", "32x1x1", "SWIZZLE=128", "A cannot be a tensor "
	  "map: a row of the matrix must have a multiple of 16 bytes" },
};

static void test_bugs(void)
{
	for (size_t i = 0; i < LENGTH(bugs); i++) {
		struct reply r = ask(launch(bugs[i].kernel, bugs[i].size,
					    bugs[i].shape, bugs[i].defines));
		char what[60];

		snprintf(what, sizeof(what), "%s %s", bugs[i].kernel,
			 bugs[i].defines);
		check_findings(&r, bugs[i].want, what);
		reply_done(&r);
	}
}

#define REFUSED "k has clusters that are not along x, or have more than 8 " \
	"blocks: gemmviz records up to 8, which every GPU supports"

/* Clusters by the kernel's own words. */
static void test_cluster_words(void)
{
	static const struct { const char *words, *want; } clusters[] = {
		{ "__cluster_dims__(4)", "" },
		{ "__cluster_dims__(SIDE * 2, 1, 1)", "" },
		{ "__cluster_dims__(PRODUCT)", "" },
		{ "__cluster_dims__(16, 1, 1)", REFUSED },
		{ "__cluster_dims__(1, 2, 1)", REFUSED },
		{ "__cluster_dims__(0, 1, 1)", REFUSED },
	};

	for (size_t i = 0; i < LENGTH(clusters); i++) {
		char *text = xasprintf("#include <ptx.h>\n"
			"constexpr int SIDE = 2;\n"
			"#define PRODUCT SIDE * SIDE, 1\n"
			"__global__ void %s k(float *C)\n"
			"{ C[blockIdx.x] = cluster_ctarank(); }\n",
			clusters[i].words);
		struct reply r = ask(text_request("k.cu", text, NULL,
						  "1x1x1 16x1x1"));
		struct stored s = { xcalloc(16, sizeof(float)), 16 };

		check_findings(&r, clusters[i].want, clusters[i].words);
		each_request(r.trace, stored_visit, &s);
		if (!*clusters[i].want)
			tap_ok(s.c[5] == 1 && s.c[15] == 3,
			       "blocks know their rank");
		free(s.c);
		free(text);
		reply_done(&r);
	}
}

/* Two threads that store to one place of another block. */
static void test_remote_stores(void)
{
	struct reply r = ask(text_request("k.cu", "#include <ptx.h>\n"
		"__global__ void __cluster_dims__(2) k(float *C)\n"
		"{ __shared__ float4 s[32]; float4 v = { 1, 2, 3, 4 };\n"
		"  cluster_arrive(); cluster_wait();\n"
		"  st_shared_cluster(&s[0], cluster_ctarank() ^ 1, v);\n"
		"  cluster_arrive(); cluster_wait();\n"
		"  C[2 * blockIdx.x + threadIdx.x] = s[0].x; }\n", NULL,
		"2x1x1 2x1x1"));

	check_findings(&r, "race: thread 0 writes s[0][0] in line 5 and thread 1 "
		       "of block 0 writes it in line 5, with no barrier "
		       "between them (and 1 more like it)\n", "stores collide");
	reply_done(&r);
}

/* Where a block's store to its cluster goes: the sentence of its request, or
 * NULL. */
static char *remote_sentence(struct trace *t, uint32_t block, uint32_t *blocks)
{
	const struct trace_info *info = trace_info(t);
	long warp = trace_find_warp(t, block, 0);
	struct trace_request r;

	for (uint32_t n = 0; n < trace_warp(t, (size_t)warp)->requests; n++) {
		if (trace_get(t, (size_t)warp, n, &r, NULL))
			return NULL;
		*blocks = info->sites[r.site].tile.blocks;
		if (info->sites[r.site].op == OP_ST && *blocks)
			return pattern_sentence(info, &r);
	}
	return NULL;
}

static void test_remote_sites(void)
{
	struct reply r = ask(text_request("k.cu", "#include <ptx.h>\n"
		"__global__ void __cluster_dims__(2) k(float *C)\n"
		"{ __shared__ float4 s[32]; float4 v = { 1, 2, 3, 4 };\n"
		"  cluster_arrive(); cluster_wait();\n"
		"  st_shared_cluster(&s[threadIdx.x], cluster_ctarank() ^ 1, v);\n"
		"  cluster_arrive(); cluster_wait();\n"
		"  C[2 * blockIdx.x + threadIdx.x] = s[threadIdx.x].x; }\n", NULL,
		"2x1x1 2x1x1"));
	struct report rows;
	size_t stores = 0;

	check_findings(&r, "", "stores to the other block");
	for (uint32_t block = 0; r.trace && block < 2; block++) {
		uint32_t blocks = 0;
		char *got = remote_sentence(r.trace, block, &blocks);
		char want[80];

		snprintf(want, sizeof(want), "What they store goes to the "
			 "shared memory of block %u of the cluster.",
			 block ^ 1);
		tap_is(blocks, 1u << (block ^ 1), "block %u's is marked as the "
		       "other one's", block);
		tap_ok(got && strstr(got, want), "and its sentence says so: %s",
		       got ? got : "none");
		free(got);
	}
	if (r.trace && report_build(r.trace, &rows, NULL) == 0) {
		for (size_t i = 0; i < rows.site_count; i++)
			stores += rows.sites[i].op == OP_ST &&
				  !strcmp(rows.sites[i].array, "s");
		tap_is((long)stores, 1, "a report has one row of both");
		report_done(&rows);
	}
	reply_done(&r);
}

/* Accumulators that nobody has waited for: no order of their own. */
static void test_unwaited(void)
{
	struct reply r = ask(launch("ring", RING, "BUG=7"));
	char *found = findings(&r);

	tap_ok(strstr(found, "read-before-write: thread 128 of block 0 reads "
		      "d, which a wgmma may still write: wgmma_wait_group() "
		      "must come first; line 94"),
	       "accumulators are waited for");
	free(found);
	reply_done(&r);
}

int main(void)
{
	test_ring();
	test_roles();
	test_report();
	test_one_block();
	test_cap();
	test_accumulators();
	test_products();
	test_apart();
	test_boxes();
	test_kernels();
	test_bugs();
	test_cluster_words();
	test_remote_stores();
	test_remote_sites();
	test_unwaited();
	if (runner)
		runner_free(runner);
	return tap_done();
}
