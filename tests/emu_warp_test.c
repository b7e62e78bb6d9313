/*
 * emu_warp_test: what kernels for tensor cores are made of, as the recorder
 * on the CPU has it: reals of 16 bits, warp-wide operations, atomics, shared
 * memory whose size the launch gives, asynchronous copies.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "emu_ask.h"
#include "scene/scene.h"

/* ---- looking into traces ---- */

/* All that was stored to an array, lane by lane, in order. */
#define SERIES 4096
struct series {
	const char *array;
	enum op op;
	size_t count;
	double at[SERIES];
};

static void series_visit(void *ctx, const struct trace_info *info,
			 const struct trace_warp *w,
			 const struct trace_request *r)
{
	const struct trace_site *s = &info->sites[r->site];
	struct series *to = ctx;

	(void)w;
	if (s->op != to->op || strcmp(info->arrays[s->array].name, to->array))
		return;
	for (uint32_t l = 0; l < WARP_LANES; l++)
		if (r->mask >> l & 1 && to->count < SERIES)
			element_value(info->arrays[s->array].elem,
				      r->value + 4 * l, 0,
				      &to->at[to->count++]);
}

static struct series *series_of(struct trace *t, const char *array)
{
	struct series *s = xcalloc(1, sizeof(*s));

	s->array = array;
	s->op = OP_ST;
	each_request(t, series_visit, s);
	return s;
}

static void check_findings(const struct reply *r, const char *want,
			   const char *what)
{
	const struct trace_info *i = r->trace ? trace_info(r->trace) : NULL;

	if (!i)
		tap_str(r->error, want, "%s", what);
	else
		tap_str(i->finding_count ? finding_words(i, 0) : "", want,
			"%s", what);
}

static void sites_text(const struct trace_info *i, struct str *s)
{
	for (size_t n = 0; n < i->site_count; n++) {
		const struct trace_site *site = &i->sites[n];

		if (site->op == OP_BARRIER)
			str_addf(s, "%" PRIu32 " barrier\n", site->line);
		else
			str_addf(s, "%" PRIu32 ":%" PRIu32 " %s %" PRIu32
				 " %s\n", site->line, site->column,
				 trace_site_word(site), site->bytes,
				 i->arrays[site->array].name);
	}
}

/* In which column a line loads first; 0: it does not. */
static uint32_t load_column(const struct reply *r, uint32_t line)
{
	const struct trace_info *i = r->trace ? trace_info(r->trace) : NULL;

	for (size_t n = 0; i && n < i->site_count; n++)
		if (i->sites[n].line == line && i->sites[n].op == OP_LD)
			return i->sites[n].column;
	return 0;
}

static void check_sites(const struct reply *r, const char *want,
			const char *what)
{
	struct str s = { 0 };

	if (r->trace)
		sites_text(trace_info(r->trace), &s);
	tap_str(s.data ? s.data : r->error, want, "%s", what);
	str_done(&s);
}

/* ---- reals of 16 bits ---- */

/* Where a half must be: whole numbers of 2^-48 hold every sum and product. */
typedef __int128 fixed;

static fixed fixed_of(double v)
{
	return (fixed)(v * 0x1p24) * (1 << 24) +
	       (fixed)((v * 0x1p24 - (double)(fixed)(v * 0x1p24)) * 0x1p24);
}

static double half_at(uint32_t bits)
{
	double v = 0;

	element_value(ELEM_F16, &bits, 0, &v);
	return v;
}

/* The nearest half to |v|, of two the even one; infinity from halfway to the
 * half that would be next. */
static double half_nearest(fixed v)
{
	uint32_t low = 0, high = 0x7c00;
	fixed size = v < 0 ? -v : v, middle;
	double found;

	while (high - low > 1) {
		uint32_t i = (low + high) / 2;

		if (fixed_of(half_at(i)) <= size)
			low = i;
		else
			high = i;
	}
	middle = fixed_of(half_at(low)) +
		 fixed_of(high < 0x7c00 ? half_at(high) : 65536);
	if (2 * size > middle || (2 * size == middle && low & 1))
		low = high;
	found = half_at(low);
	return v < 0 ? -found : found;
}

static bool same(double a, double b)
{
	return a == b || (a != a && b != b);
}

/* Every number of the series, of the operands in three others. */
static void check_rounding(struct trace *t, const char *name,
			   fixed (*exact)(double a, double b, double c))
{
	struct series *got = series_of(t, name), *a = series_of(t, "a");
	struct series *b = series_of(t, "b"), *c = series_of(t, "c");
	size_t bad = 0;

	for (size_t i = 0; i < got->count; i++)
		if (!same(got->at[i], half_nearest(exact(a->at[i], b->at[i],
							 c->at[i]))) &&
		    bad++ == 0)
			printf("# %.17g, %.17g, %.17g gave %.17g\n",
			       a->at[i], b->at[i], c->at[i], got->at[i]);
	tap_ok(got->count == 64 * WARP_LANES && bad == 0,
	       "%s is rounded once, to nearest even", name);
	free(got);
	free(a);
	free(b);
	free(c);
}

static fixed exact_sum(double a, double b, double c)
{
	(void)c;
	return fixed_of(a) + fixed_of(b);
}

static fixed exact_difference(double a, double b, double c)
{
	(void)c;
	return fixed_of(a) - fixed_of(b);
}

static fixed exact_product(double a, double b, double c)
{
	(void)c;
	return (fixed)(a * 0x1p24) * (fixed)(b * 0x1p24);
}

static fixed exact_fused(double a, double b, double c)
{
	return exact_product(a, b, c) + fixed_of(c);
}

/* bfloat16 is the upper half of a float. */
static float brain_nearest(double v)
{
	float f = (float)v;
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
	memcpy(&f, &bits, sizeof(f));
	return f;
}

static void check_narrowing(struct trace *t)
{
	struct series *wide = series_of(t, "wide");
	struct series *narrow = series_of(t, "narrow");
	struct series *brain = series_of(t, "brain");
	struct series *p = series_of(t, "p"), *q = series_of(t, "q");
	struct series *product = series_of(t, "brain_product");
	size_t bad = 0, brains = 0, products = 0;

	for (size_t i = 0; i < wide->count; i++) {
		double v = wide->at[i];

		bad += !same(narrow->at[i], half_nearest(fixed_of(v)));
		brains += !same(brain->at[i], brain_nearest(v));
		products += !same(product->at[i],
				  brain_nearest(p->at[i] * q->at[i]));
	}
	tap_ok(wide->count == 64 * WARP_LANES && bad == 0,
	       "a float becomes the nearest half");
	tap_ok(brains == 0, "or the nearest bfloat16");
	tap_ok(products == 0, "whose products are rounded too");
	free(wide);
	free(narrow);
	free(brain);
	free(p);
	free(q);
	free(product);
}

/* Line 21 adds what it has just read: 0.1 and twice A's. */
static void check_added(struct trace *t)
{
	struct series *s = series_of(t, "s"), *r = series_of(t, "r");
	bool right = s->count == 5 * WARP_LANES && r->count == WARP_LANES;

	for (size_t l = 0; right && l < WARP_LANES; l++)
		right = s->at[4 * WARP_LANES + l] ==
			half_nearest(fixed_of(s->at[2 * WARP_LANES + l]) +
				     fixed_of(r->at[l]));
	tap_ok(right, "what += stores is the sum");
	free(s);
	free(r);
}

static void test_reals(void)
{
	struct reply r = ask(file_request("halves_round", "32x1x1 1x1x1"));
	const char *want;

	if (!r.trace)
		printf("# %s\n", r.error);
	check_rounding(r.trace, "sum", exact_sum);
	check_rounding(r.trace, "difference", exact_difference);
	check_rounding(r.trace, "product", exact_product);
	check_rounding(r.trace, "fused", exact_fused);
	check_narrowing(r.trace);
	reply_done(&r);

	r = ask(file_request("halves", "32x1x1 1x1x1"));
	check_findings(&r, "", "halves: nothing to find");
	check_added(r.trace);
#define SITES(product) \
	"16:15 ld 2 A\n16:5 st 2 s\n17:5 ld 2 s\n17:25 ld 2 A\n17:5 st 2 s\n" \
	"18:5 st 2 s\n19:21 ld 2 A\n19:5 st 2 s\n20:16 ld 2 s\n20:5 st 2 r\n" \
	"21:5 ld 2 s\n21:16 ld 2 r\n21:5 st 2 s\n22:32 ld 2 B\n22:47 ld 2 s\n" \
	"23:5 st 2 C\n24:49 ld 4 A\n24:11 st 4 v\n25:" product " ld 4 v\n" \
	"25:33 st 4 C\n26:24 ld 2 A\n26:36 ld 2 v\n26:5 st 2 C\n"
	/* A product is in the place of its sign; up to g++ 12, of the =. */
	want = load_column(&r, 25) == 54 ? SITES("54") : SITES("50");
#undef SITES
	check_sites(&r, want, "each access once, from left to right, with its "
		    "line");
	reply_done(&r);
}

static void test_vectors(void)
{
	struct reply r = ask(file_request("vectors", "32x1x1 1x1x1"));

	check_findings(&r, "", "vectors: nothing to find");
	check_sites(&r,
		    "13:5 st 16 C\n14:5 st 16 C\n15:17 ld 16 A\n"
		    "15:5 st 16 C\n16:5 st 16 d\n17:5 st 4 i\n"
		    "18:16 ld 16 C\n19:20 ld 8 d\n19:29 ld 4 i\n"
		    "19:5 st 4 C\n",
		    "what a function returns is stored; in parts that fit");
	reply_done(&r);
}

/* ---- warps ---- */

/* The round's 64 values are f(lane). */
static void check_round(const struct series *s, size_t round,
			double (*f)(int lane), const char *what)
{
	size_t bad = s->count < 64 * (round + 1);

	for (size_t i = 0; !bad && i < 64; i++) {
		/* A warp's rounds stand one after the other. */
		size_t rounds = s->count / 64;
		size_t warp = i / 32, lane = i % 32;

		bad += s->at[(warp * rounds + round) * 32 + lane] !=
		       f((int)lane);
	}
	tap_ok(!bad, "%s", what);
}

static double lane_sum(int lane) { (void)lane; return 32 * 33 / 2; }
static double lane_up(int lane) { return 2 * (lane < 3 ? lane : lane - 3); }
static double lane_xor(int lane) { return lane ^ 5; }
static double lane_down(int lane) { return lane % 4 ? lane : lane + 3; }
static double lane_ballot(int lane) { (void)lane; return 0x49249249; }
static double lane_none(int lane) { (void)lane; return 0; }
static double lane_all(int lane) { (void)lane; return 1; }
static double lane_parted(int lane) { return lane < 7 ? 0x7f : 0xffe00000; }

static json_t *defined(json_t *request, const char *name)
{
	return with(request, "defines", json_pack("{s:s}", name, "1"));
}

static void test_warps(void)
{
	static const char *const orders[] = { "forward", "reverse",
					      "shuffle" };

	for (size_t i = 0; i < LENGTH(orders); i++) {
		struct reply r = ask(with(file_request("warp",
						       "64x1x1 1x1x1"),
					  "order", json_string(orders[i])));
		struct series *got = series_of(r.trace, "got");
		struct series *vote = series_of(r.trace, "vote");

		check_findings(&r, "", orders[i]);
		check_round(got, 0, lane_sum, "a sum over the warp");
		check_round(got, 1, lane_up, "doubles go up");
		check_round(got, 2, lane_xor, "within 8 lanes");
		check_round(got, 3, lane_down, "a half goes down, in fours");
		check_round(vote, 0, lane_ballot, "a ballot");
		check_round(vote, 1, lane_none, "none");
		check_round(vote, 2, lane_all, "all");
		check_round(vote, 3, lane_parted, "parted: who is here");
		free(got);
		free(vote);
		reply_done(&r);
	}
}

/* Is one of the findings a race? */
static void check_race(json_t *request, const char *what)
{
	struct reply r = ask(request);
	const struct trace_info *i = r.trace ? trace_info(r.trace) : NULL;
	bool race = false;

	for (size_t f = 0; i && f < i->finding_count; f++)
		race = race || i->findings[f].kind == FINDING_RACE;
	tap_ok(race, "%s", what);
	reply_done(&r);
}

static void check_finding(json_t *request, const char *want, const char *what)
{
	struct reply r = ask(request);

	check_findings(&r, want, what);
	reply_done(&r);
}

static void test_warp_findings(void)
{
	check_finding(file_request("warp_apart", "32x1x1 1x1x1"),
		      "thread 0 of block 0 waits at __shfl_sync in line 8; "
		      "lanes of its warp that never arrive: 16, such as thread "
		      "16, which waits at __syncthreads in line 10",
		      "lanes that never come");
	check_finding(file_request("warp_few", "20x1x1 1x1x1"),
		      "thread 16 of block 0 reads by __shfl_down_sync from "
		      "lane 20, which does not take part; line 8 (and 3 more "
		      "like it)", "lanes that are not there");
	check_finding(file_request("warp_mask", "32x1x1 1x1x1"),
		      "thread 9 of block 0 calls __any_sync with the mask "
		      "0x000001ff, which leaves out its own lane; line 5",
		      "a lane that the mask leaves out");
	check_finding(file_request("warp_order", "64x1x1 1x1x1"), "",
		      "a warp's barrier puts its lanes in order");
	check_race(defined(file_request("warp_order", "64x1x1 1x1x1"), "NONE"),
		   "without it they race");
	check_race(defined(file_request("warp_order", "64x1x1 1x1x1"),
			   "APART"),
		   "and so do halves of it that wait for themselves");
}

/* ---- atomics ---- */

static void test_atomics(void)
{
	struct reply r = ask(file_request("atomics", "64x1x1 3x1x1"));
	struct series *bins = series_of(r.trace, "bins");

	check_findings(&r, "", "atomics do not race with each other");
	check_sites(&r,
		    "9:9 st 4 bins\n10 barrier\n11:16 ld 4 bins\n"
		    "11:16 st 4 bins\n16 barrier\n18:33 ld 4 bins\n"
		    "18:20 ld 4 C\n18:20 st 4 C\n19:16 ld 4 A\n"
		    "19:16 st 4 A\n20:16 ld 4 A\n20:16 st 4 A\n",
		    "each is a load and a store");
	tap_is((long)(bins->count ? bins->at[bins->count - 1] : 0), 528,
	       "and has the sum");
	free(bins);
	reply_done(&r);
	check_finding(defined(file_request("atomics", "64x1x1 1x1x1"),
			      "PLAIN"),
		      "thread 0 writes bins[0] in line 11 and thread 1 of "
		      "block 0 reads it in line 13, with no barrier between "
		      "them (and 62 more like it)", "but with what is not atomic");
}

/* ---- shared memory of the launch's size ---- */

static json_t *given(const char *shape, int bytes)
{
	return with(file_request("given", shape), "shared_bytes",
		    json_integer(bytes));
}

static void test_given(void)
{
	struct reply r = ask(given("64x1x1 1x1x1", 256));
	const struct trace_array *a = NULL;

	check_findings(&r, "", "extern __shared__ of the right size");
	for (size_t i = 0; r.trace && i < trace_info(r.trace)->array_count;
	     i++)
		if (!strcmp(trace_info(r.trace)->arrays[i].name, "first"))
			a = &trace_info(r.trace)->arrays[i];
	tap_ok(a && a->space == SPACE_SHARED && a->elem == ELEM_F32 &&
	       a->rank == 1 && a->dims[0] == 64 && a->base == 16,
	       "is one array, behind the others");
	reply_done(&r);
	check_finding(defined(given("64x1x1 1x1x1", 256), "BEYOND"),
		      "thread 63 of block 0 writes first[64]; first has 64 "
		      "elements; line 23", "its end is known");
	r = ask(file_request("given", "64x1x1 1x1x1"));
	tap_str(r.error, "first is dynamic shared memory: set its size with "
		"--shared BYTES", "a launch that gives none");
	reply_done(&r);
	r = ask(given("64x1x1 1x1x1", 1 << 20));
	tap_str(r.error, "bad request: \"shared_bytes\" must be a whole "
		"number from 0 to 232448", "or more than there is");
	reply_done(&r);
}

/* ---- lanes that parted ---- */

struct wanted {
	uint32_t line;			/* 0: any */
	enum op op;
	uint32_t found;
};

static void shared_count(void *ctx, const struct trace_info *info,
			 const struct trace_warp *w,
			 const struct trace_request *r)
{
	const struct trace_site *s = &info->sites[r->site];
	struct wanted *to = ctx;

	(void)w;
	to->found += op_has_array(s->op) && s->op == to->op &&
		     (!to->line || s->line == to->line) &&
		     info->arrays[s->array].space == SPACE_SHARED;
}

static uint32_t shared_requests(const struct reply *r, uint32_t line,
				enum op op)
{
	struct wanted w = { line, op, 0 };

	return each_request(r->trace, shared_count, &w) ? w.found : 0;
}

/* As many loads as the hardware has counted. Some lanes leave their first
 * rounds out, and do not meet those who are in these. */
static void test_divergence(void)
{
	struct reply r = ask(with(file_request("mixed", "64x1x1 1x1x1"), "k",
				  json_integer(8)));

	tap_is(shared_requests(&r, 0, OP_LD), 128,
	       "lanes meet in the round of a loop that they are in");
	reply_done(&r);
}

/* ---- structures ---- */

static void test_members(void)
{
	struct reply r = ask(file_request("members", "32x1x1 1x1x1"));

	check_findings(&r, "", "members: nothing to find");
	check_sites(&r,
		    "17:17 ld 4 A\n17:7 st 8 s.wide\n18:7 st 2 s.narrow\n"
		    "20:11 st 4 s.out\n21:5 st 4 pairs\n22:23 ld 4 A\n"
		    "22:5 st 4 pairs\n23 barrier\n25:16 ld 8 s.wide\n"
		    "25:33 ld 2 s.narrow\n25:60 ld 4 s.out\n"
		    "26:12 ld 4 pairs\n26:30 ld 4 pairs\n25:5 st 4 C\n",
		    "a structure's members are arrays; structures in an "
		    "array are one");
	reply_done(&r);
}

/* ---- asynchronous copies ---- */

static double series_last(const struct series *s, size_t i)
{
	return s->count >= 96 ? s->at[s->count - 96 + i] : -1;
}

/* Two requests of the first warp. */
static bool same_values(struct trace *t, uint32_t one, uint32_t other)
{
	struct trace_request a, b;

	return t && !trace_get(t, 0, one, &a, NULL) &&
	       !trace_get(t, 0, other, &b, NULL) && a.mask == b.mask &&
	       !memcmp(a.value, b.value, sizeof(a.value));
}

static void test_async(void)
{
	struct reply r = ask(file_request("async", "32x1x1 1x1x1"));
	struct series *c = series_of(r.trace, "C");
	struct series *s = series_of(r.trace, "s");
	bool right = true;

	check_findings(&r, "", "copies that are waited for");
	check_sites(&r,
		    "11:44 ld 16 A\n11:30 st 16 s\n15:44 ld 4 A\n"
		    "15:30 st 8 s\n16:40 ld 4 A\n16:30 st 4 s\n"
		    "25:12 ld 4 s\n25:5 st 4 C\n33 barrier\n"
		    "34:17 ld 4 s\n34:5 st 4 C\n35:17 ld 4 s\n"
		    "35:5 st 4 C\n",
		    "are loads and stores where they begin");
	for (size_t t = 0; t < 32; t++)
		right = right && series_last(c, 32 + t) == 0 &&
			(series_last(c, 64 + t) == 0) == (t % 2 == 0) &&
			series_last(c, t) != 0;
	tap_ok(right, "what is not read, is zero");
	tap_is((long)s->count, 96, "each store has its value");
	tap_ok(same_values(r.trace, 0, 1), "... which is what is copied");
	tap_is(shared_requests(&r, 16, OP_ST), 2,
	       "with zeros and without, they are two instructions");
	free(c);
	free(s);
	reply_done(&r);
	check_finding(defined(file_request("async", "32x1x1 1x1x1"), "EARLY"),
		      "thread 0 of block 0 reads s[0][0] in line 19, while the "
		      "asynchronous copy that thread 0 started in line 11 may "
		      "still write it (and 31 more like it)",
		      "read before it was waited for");
	check_finding(defined(file_request("async", "32x1x1 1x1x1"), "NEVER"),
		      "thread 0 of block 0 reads s[0][3] in line 25, while the "
		      "asynchronous copy that thread 0 started in line 11 may "
		      "still write it (and 31 more like it)",
		      "of a group that was not committed");
	check_race(defined(file_request("async", "32x1x1 1x1x1"), "OTHERS"),
		   "waited for, but by another thread");
}

/* The answer of a kernel of the table is compared with float64 wherever it
 * is recorded whole. */
static void test_double_buffered(void)
{
	static const int sizes[][3] = { { 1, 1, 1 }, { 16, 16, 16 },
		{ 17, 15, 33 }, { 5, 40, 1 }, { 64, 32, 48 }, { 31, 33, 32 },
		{ 50, 20, 100 } };
	static const char *const tiles[] = { "4", "16", "32" };
	char what[100];

	for (size_t i = 0; i < LENGTH(sizes); i++)
		for (size_t t = 0; t < LENGTH(tiles); t++) {
			const int *n = sizes[i];
			struct reply r = ask(with(kernel_request(
				"double_buffered", n[0], n[1], n[2]),
				"defines", json_pack("{s:s}", "TILE",
						     tiles[t])));

			snprintf(what, sizeof(what), "double_buffered "
				 "%dx%dx%d TILE=%s is A B in float64", n[0],
				 n[1], n[2], tiles[t]);
			check_findings(&r, "", what);
			reply_done(&r);
		}
}

/* ---- wmma ---- */

static void test_wmma(void)
{
	static const int sizes[][3] = { { 16, 16, 16 }, { 64, 64, 64 },
		{ 128, 128, 32 }, { 144, 160, 48 }, { 272, 16, 80 } };
	char what[100];

	for (size_t i = 0; i < LENGTH(sizes); i++) {
		const int *n = sizes[i];
		struct reply r = ask(kernel_request("wmma", n[0], n[1], n[2]));

		snprintf(what, sizeof(what), "wmma %dx%dx%d is A B in "
			 "float64", n[0], n[1], n[2]);
		check_findings(&r, "", what);
		reply_done(&r);
	}
	check_finding(kernel_request("wmma", 64, 64, 40),
		      "this kernel multiplies 16x16x16 at a time: M, N and K "
		      "must be multiples of 16", "and other sizes are refused");
	check_finding(kernel_request("bug_wmma_pad", 16, 16, 16),
		      "thread 0 of block 0 breaks a rule: wmma needs a leading "
		      "dimension that is a multiple of 16 bytes; line 41 (and "
		      "31 more like it)",
		      "rows of 34 bytes");
	check_finding(kernel_request("bug_one_warp", 32, 32, 16),
		      "thread 0 writes C[0] in line 36 and thread 32 of block 0 "
		      "writes it in line 36, with no barrier between them (and "
		      "767 more like it)",
		      "one fragment for all warps");
}

static void test_fragments(void)
{
	struct reply r = ask(file_request("fragments", "32x1x1 1x1x1"));
	struct series *c = series_of(r.trace, "C");
	bool right = c->count == 256;

	check_findings(&r, "", "fragments: nothing to find");
	for (size_t i = 0; i < c->count; i++)
		right = right && c->at[i] == 1;
	tap_ok(right, "row by row and column by column, the same product");
	free(c);
	check_sites(&r,
		    "19:31 ld 4 A\n19:28 st 4 a\n"
		    "20:31 ld 2 B\n20:28 st 2 b\n21:25 st 4 c\n"
		    "22:23 ld 4 a\n22:26 ld 4 b\n22:20 ld 4 c\n"
		    "22:20 st 4 c\n24:22 ld 4 c\n24:9 st 4 c\n"
		    "25:39 ld 8 c\n25:30 st 8 s\n"
		    "26:32 ld 4 A\n26:28 st 4 bt\n"
		    "27:32 ld 2 B\n27:28 st 2 at\n28:25 st 4 d\n"
		    "29:23 ld 4 at\n29:27 ld 4 bt\n29:20 ld 4 d\n"
		    "29:20 st 4 d\n30:39 ld 2 d\n30:30 st 2 h\n"
		    "31 barrier\n33:21 ld 4 s\n33:58 ld 2 h\n33:9 st 2 C\n",
		    "what is together, is one access");
	reply_done(&r);
}

/* All that was stored to C is 1. */
static void check_ones(const struct reply *r, size_t count, const char *what)
{
	struct series *c = series_of(r->trace, "C");
	bool right = c->count == count;

	for (size_t i = 0; i < c->count; i++)
		right = right && c->at[i] == 1;
	tap_ok(right, "%s", what);
	free(c);
}

static void test_matrices(void)
{
	static const char shape[] = "32x1x1 1x1x1";
	struct reply r = ask(file_request("matrices", shape));

	check_findings(&r, "", "matrices: nothing to find");
	check_ones(&r, 512, "what mma makes of halves and of bfloat16");
	reply_done(&r);
	r = ask(file_request("stmatrix", shape));
	check_findings(&r, "", "stmatrix: nothing to find");
	check_ones(&r, 512, "what ldmatrix has got, goes back");
	check_sites(&r,
		    "12:42 ld 2 A\n12:9 st 2 from\n13 barrier\n"
		    "14:20 ldmatrix 16 from\n14:17 st 4 r\n15:41 ld 4 r\n"
		    "15:17 stmatrix 16 to\n16 barrier\n18:16 ld 2 to\n"
		    "18:45 ld 2 from\n18:9 st 4 C\n20 barrier\n"
		    "21:26 ldmatrix 16 from\n21:23 st 4 r\n22:41 ld 4 r\n"
		    "22:17 stmatrix 16 to\n23 barrier\n25:16 ld 2 to\n"
		    "25:45 ld 2 from\n25:9 st 4 C\n",
		    "a row a lane, a register each");
	reply_done(&r);
	check_finding(defined(file_request("matrices", shape), "APART"),
		      "thread 0 of block 0 waits at ldmatrix_x4 in line 45; "
		      "lanes of its warp that never arrive: 16, such as thread "
		      "16, which waits at __syncthreads in line 43",
		      "half a warp has no matrices");
	check_finding(defined(file_request("matrices", shape), "GLOBAL"),
		      "thread 0 of block 0 breaks a rule: ldmatrix reads "
		      "shared memory only; line 45 (and 31 more like it)",
		      "nor has global memory");
	check_finding(defined(file_request("matrices", shape), "SKEWED"),
		      "thread 0 of block 0 reads 16 bytes at once at "
		      "as[0][4], which is not aligned to 16 bytes: a GPU stops "
		      "here; line 45 (and 30 more like it)",
		      "nor what is not aligned");
	check_finding(file_request("matrices", "24x1x1 1x1x1"),
		      "thread 0 of block 0 calls ldmatrix_x4, which needs all "
		      "32 lanes of a warp, but only 24 called it; line 45",
		      "nor a warp of fewer lanes");
}

static void test_multistage(void)
{
	static const int sizes[][3] = { { 33, 72, 104 }, { 130, 264, 8 } };
	static const struct { const char *name, *value; } defines[] = {
		{ "STAGES", "2" }, { "STAGES", "3" }, { "STAGES", "5" },
		{ "DEPTH", "64" }, { "COLS", "128" }, { "ROWS", "256" },
		{ "GROUP", "1" }, { "EXPONENT", "8" },
	};
	char what[100];

	for (size_t i = 0; i < LENGTH(sizes) * LENGTH(defines); i++) {
		const int *n = sizes[i % LENGTH(sizes)];
		size_t d = i / LENGTH(sizes);
		struct reply r = ask(with(kernel_request(
			"mma_multistage", n[0], n[1], n[2]), "defines",
			json_pack("{s:s}", defines[d].name,
				  defines[d].value)));

		snprintf(what, sizeof(what), "mma_multistage %dx%dx%d %s=%s "
			 "is A B in float64", n[0], n[1], n[2],
			 defines[d].name, defines[d].value);
		check_findings(&r, "", what);
		reply_done(&r);
	}
}

static void test_fragment_few(void)
{
	check_finding(file_request("fragment_few", "32x1x1 1x1x1"),
		      "thread 0 of block 0 calls wmma::load_matrix_sync, which "
		      "needs all 32 lanes of a warp, but only 20 called it; "
		      "line 13",
		      "a fragment that not all lanes load");
}

/* Every shape of wmma with every type of its factors and sums. */
static void test_tiles(void)
{
	static const struct {
		const char *m, *n, *k, *factor, *kept, *sum;
	} all[] = {
		{ "16", "16", "16", "half", "half", "half" },
		{ "32", "8", "16", "half", "half", "float" },
		{ "8", "32", "16", "half", "half", "half" },
		{ "16", "16", "16", "__nv_bfloat16", "__nv_bfloat16",
		  "float" },
		{ "32", "8", "16", "__nv_bfloat16", "__nv_bfloat16", "float" },
		{ "8", "32", "16", "__nv_bfloat16", "__nv_bfloat16", "float" },
		{ "16", "16", "8", "wmma::precision::tf32", "float", "float" },
		{ "16", "16", "16", "signed char", "signed char", "int" },
		{ "32", "8", "16", "unsigned char", "unsigned char", "int" },
		{ "8", "32", "16", "signed char", "signed char", "int" },
		{ "8", "8", "4", "double", "double", "double" },
	};

	for (size_t i = 0; i < LENGTH(all); i++) {
		json_t *defines = json_pack("{s:s,s:s,s:s,s:s,s:s,s:s}",
			"ROWS", all[i].m, "COLUMNS", all[i].n, "DEPTH",
			all[i].k, "FACTOR", all[i].factor, "KEPT",
			all[i].kept, "SUM", all[i].sum);
		struct reply r = ask(with(file_request("tiles",
						       "32x1x1 1x1x1"),
					  "defines", defines));
		struct series *c = series_of(r.trace, "C");
		double wrong = 0;

		for (size_t l = 0; l < c->count; l++)
			wrong += c->at[l];
		tap_ok(c->count == 32 && wrong == 0, "wmma %sx%sx%s of %s, in "
		       "%s", all[i].m, all[i].n, all[i].k, all[i].factor,
		       all[i].sum);
		check_findings(&r, "", "nothing to find");
		free(c);
		reply_done(&r);
	}
}

int main(void)
{
	test_reals();
	test_vectors();
	test_warps();
	test_warp_findings();
	test_atomics();
	test_given();
	test_divergence();
	test_members();
	test_async();
	test_double_buffered();
	test_wmma();
	test_fragments();
	test_fragment_few();
	test_tiles();
	test_matrices();
	test_multistage();
	if (runner)
		runner_free(runner);
	return tap_done();
}
