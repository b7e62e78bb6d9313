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
#include "scene.h"

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
		tap_str(i->finding_count ? i->findings[0].text : "", want,
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
				 op_name(site->op), site->bytes,
				 i->arrays[site->array].name);
	}
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

static void test_reals(void)
{
	struct reply r = ask(file_request("halves_round", "32x1x1 1x1x1"));

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
	check_sites(&r,
		    "16:15 ld 2 A\n16:5 st 2 s\n17:5 ld 2 s\n"
		    "17:25 ld 2 A\n17:5 st 2 s\n18:5 st 2 s\n"
		    "19:21 ld 2 A\n19:5 st 2 s\n20:16 ld 2 s\n"
		    "20:5 st 2 r\n21:5 ld 2 s\n21:16 ld 2 r\n"
		    "21:5 st 2 s\n22:32 ld 2 B\n22:47 ld 2 s\n"
		    "23:5 st 2 C\n24:49 ld 4 A\n24:11 st 4 v\n"
		    "25:50 ld 4 v\n25:33 st 4 C\n26:24 ld 2 A\n"
		    "26:36 ld 2 v\n26:5 st 2 C\n",
		    "each access once, from left to right, with its line");
	reply_done(&r);
}

int main(void)
{
	test_reals();
	if (runner)
		runner_free(runner);
	return tap_done();
}
