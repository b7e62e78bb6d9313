/* Which shapes are chosen: that they can be launched, and suit the size. */
#include <math.h>
#include <string.h>

#include "kernels/choice.h"
#include "tap.h"

static const struct choice_machine h200 = { 132, 1980, 4917 };

static bool in_limits(const struct kernel *k, const int *p)
{
	bool good = true;

	for (size_t i = 0; i < kernel_params(k); i++)
		good &= p[i] >= k->params[i].lowest &&
			p[i] <= k->params[i].highest;
	return good;
}

/* Every choice can be launched, and is of the tile that it says. */
static void test_table(const char *name)
{
	const struct kernel *k = kernel_find(name);
	const struct choices *c = k->choices;
	bool good = true;

	for (size_t i = 0; i < c->count; i++) {
		const struct choice *w = &c->list[i];
		uint32_t side = 16384, tiles, grid;
		int p[KERNEL_PARAMS];

		kernel_defaults(k, p);
		for (size_t n = 0; n < kernel_params(k); n++)
			if (choice_sets(k, n) && n != c->split)
				p[n] = w->p[n];
		tiles = side / 64 * (side / 64) * 64 * 64 /
			(uint32_t)(w->rows * w->columns) * (uint32_t)w->deep;
		grid = k->grid(p, (int)side, (int)side, 512).x;
		good &= in_limits(k, p) && !k->refuses(p, 64, 64, 512) &&
			grid >= tiles && grid < tiles + tiles / 20 &&
			k->shared(p) * (uint32_t)w->blocks <= 227 * 1024 &&
			k->block(p).x * (uint32_t)w->blocks <= 2048 &&
			(!w->warps || k->block(p).x == (uint32_t)w->warps * 32);
	}
	tap_ok(good, "%s: what is chosen can be launched", name);
}

/* Sets p to what the model ranks first. */
static bool first(const struct kernel *k, const struct problem_sizes *size,
		  const bool *fixed, int *p)
{
	int ranked[1][KERNEL_PARAMS];
	size_t count;

	memcpy(ranked[0], p, sizeof(ranked[0]));
	count = choice_rank(k, &h200, size, fixed, ranked, 1);
	memcpy(p, ranked[0], sizeof(ranked[0]));
	return count > 0;
}

static uint32_t blocks(const char *name, int m, int n, int k, int *p)
{
	const struct kernel *kernel = kernel_find(name);

	kernel_defaults(kernel, p);
	first(kernel, &(struct problem_sizes) { m, n, k }, NULL, p);
	return kernel->grid(p, m, n, k).x;
}

static void test_sizes(const char *name)
{
	const struct kernel *k = kernel_find(name);
	int p[KERNEL_PARAMS], few[KERNEL_PARAMS];
	uint32_t grid = blocks(name, 8192, 8192, 8192, p);

	tap_ok(in_limits(k, p) && grid >= 1024, "%s: large tiles", name);
	tap_is(p[k->choices->split], 1, "nobody shares many tiles");
	grid = blocks(name, 128, 128, 16384, few);
	/* hgemm: by 8 blocks of a cluster each, four tiles. */
	tap_ok(grid > 32 || (k->choices == &choices_hgemm && grid == 32 &&
			     few[9] == 8),
	       "%s: a deep product is shared out", name);
	grid = blocks(name, 128, 128, 64, few);
	tap_is(few[k->choices->split], 1, "a shallow one is not");
}

/* Tiles whose steps blocks share begin anew, each with all that a launch costs:
 * 576x704x3072, in four rounds, was 26 us where one block for each took 11. */
static void test_deep(void)
{
	const struct choices *c = kernel_find("hgemm")->choices;
	int few[KERNEL_PARAMS];
	size_t deep = 0;
	bool anew = true;

	for (size_t i = 0; i < c->count; i++) {
		const struct choice *w = &c->list[i];
		struct problem_sizes one = { 64, 64, 4096 };
		struct problem_sizes rounds = { 64, 16384, 4096 };
		double first = choice_time(c, w, 1, &h200, &one);

		if (w->deep == 1)
			continue;
		deep++;
		anew &= choice_time(c, w, 1, &h200, &rounds) - w->times.launch >
			2 * (first - w->times.launch);
	}
	blocks("hgemm", 64, 256, 6976, few);
	tap_ok(deep > 0 && anew, "hgemm: a second round of tiles whose steps "
	       "are shared is as long as the first");
	tap_is(few[9], 8, "hgemm: the steps of few tiles are shared");
}

/* What somebody has chosen already stands. */
static void test_fixed(void)
{
	const struct kernel *k = kernel_find("sgemm");
	const struct problem_sizes deep = { 128, 128, 16384 };
	bool fixed[KERNEL_PARAMS] = { true };
	int p[KERNEL_PARAMS], open[KERNEL_PARAMS];

	kernel_defaults(k, open);
	first(k, &deep, NULL, open);
	kernel_defaults(k, p);
	p[0] = 128;
	tap_ok(first(k, &deep, fixed, p) && p[0] == 128 &&
	       open[0] != 128, "a part that is set stays");
	tap_ok(p[k->choices->split] > 1, "and the rest suits it and the size");
	fixed[k->choices->split] = true;
	p[k->choices->split] = 3;
	tap_ok(first(k, &deep, fixed, p) &&
	       p[k->choices->split] == 3, "the split, too");
	p[0] = 112;
	tap_ok(!first(k, &deep, fixed, p) && p[0] == 112 &&
	       p[k->choices->split] == 3, "no choice has what is set");
}

/* Several that may be the fastest; there are more than so many. */
#define RANKED 12

static void test_rank(const char *name)
{
	const struct kernel *k = kernel_find(name);
	const struct problem_sizes size = { 1000, 1000, 1000 };
	int p[CHOICE_TRIED][KERNEL_PARAMS], one[KERNEL_PARAMS];
	bool fixed[KERNEL_PARAMS] = { false };
	bool apart = true, limits = true;
	size_t count;

	kernel_defaults(k, one);
	first(k, &size, NULL, one);
	kernel_defaults(k, p[0]);
	count = choice_rank(k, &h200, &size, NULL, p, RANKED);
	tap_is(count, RANKED, "%s: so many are ranked", name);
	tap_ok(!memcmp(p[0], one, kernel_params(k) * sizeof(*one)),
	       "the first is what is chosen");
	for (size_t i = 0; i < count; i++) {
		limits &= in_limits(k, p[i]);
		for (size_t n = 0; n < i; n++)
			apart &= memcmp(p[n], p[i], kernel_params(k) *
					sizeof(*one)) != 0;
	}
	tap_ok(apart && limits, "all are shapes, and not the same");
	for (size_t n = 0; n < kernel_params(k); n++)
		fixed[n] = choice_sets(k, n);
	tap_is(choice_rank(k, &h200, &size, fixed, p, CHOICE_TRIED), 1,
	       "where all is set, there is one");
}

/* They come in the order of the model's times, none beyond what is worth a
 * try. */
static void test_rank_times(void)
{
	const struct kernel *k = kernel_find("sgemm");
	const struct choices *c = k->choices;
	const struct problem_sizes size = { 4096, 4096, 4096 };
	int p[CHOICE_TRIED][KERNEL_PARAMS];
	double best = 0, before = 0;
	bool ordered = true;
	size_t count;

	kernel_defaults(k, p[0]);
	count = choice_rank(k, &h200, &size, NULL, p, CHOICE_TRIED);
	for (size_t i = 0; i < count; i++) {
		double us = INFINITY;

		for (size_t n = 0; n < c->count; n++) {
			bool same = true;

			for (size_t at = 0; at < kernel_params(k); at++)
				same &= at == c->split || p[i][at] ==
					c->list[n].p[at];
			if (same)
				us = choice_time(c, &c->list[n],
						 p[i][c->split], &h200, &size);
		}
		best = i ? best : us;
		ordered &= us >= before && us <= best * CHOICE_WITHIN;
		before = us;
	}
	tap_ok(count > 1 && count < c->count && ordered,
	       "the fastest first, and none that takes far longer");
}

/* What the times of a step depend on besides the tiles. */
static void test_steps(void)
{
	const struct choices *c = kernel_find("sgemm")->choices;
	/* So slow that memory takes no time. */
	const struct choice_machine slow = { 132, 198, 4917 };
	bool single = true, schedulers = true;

	for (size_t i = 0; i < c->count; i++) {
		const struct choice *w = &c->list[i];
		struct problem_sizes size = { 4000, 4000, 4000 },
				     odd = { 4000, 3999, 4000 };
		/* As many blocks of a multiprocessor, a tile each. */
		struct problem_sizes three = { w->rows * 3, w->columns * 132,
					       4096 };
		struct problem_sizes four = { w->rows * 4, w->columns * 132,
					      4096 };
		double more = choice_time(c, w, 1, &slow, &four) /
			      choice_time(c, w, 1, &slow, &three);

		single &= choice_time(c, w, 1, &h200, &odd) >
			  choice_time(c, w, 1, &h200, &size);
		if (w->warps == 2 && w->blocks >= 4)
			schedulers &= more < 1.05;
		else if (w->warps == 4 && w->blocks >= 4)
			schedulers &= more > 1.2;
	}
	tap_ok(single, "copying element by element takes longer");
	tap_ok(schedulers, "three blocks of two warps take as long as four: "
	       "one scheduler has two of the six");
}

/* Few tiles are added up by all that share them, however many those are. */
static void test_crowd(void)
{
	const struct kernel *k = kernel_find("sgemm");
	const struct choices *c = k->choices;
	const struct problem_sizes deep = { 66, 67, 50220 };
	bool good = true;

	for (size_t i = 0; i < c->count; i++)
		good &= choice_time(c, &c->list[i], 48, &h200, &deep) <
			choice_time(c, &c->list[i], 24, &h200, &deep);
	tap_ok(good, "twice as many blocks that share a tile take less time");
}

/* A shape of sgemm says itself how deep its steps are. */
static void test_depth(void)
{
	const struct choices *c = kernel_find("sgemm")->choices;
	const struct problem_sizes size = { 64, 64, 1600 };
	bool good = true;

	for (size_t i = 0; i < c->count; i++) {
		struct choice deeper = c->list[i];

		deeper.p[c->depth_param] *= 2;
		good &= choice_time(c, &deeper, 1, &h200, &size) <
			choice_time(c, &c->list[i], 1, &h200, &size);
	}
	tap_ok(good, "half as many steps of the same time take less");
}

/* More multiprocessors take no longer. */
static void test_machine(const char *name)
{
	const struct choices *c = kernel_find(name)->choices;
	const struct problem_sizes size = { 4000, 4000, 4000 };
	const struct choice_machine known = { 132, 1980, 3352 },
				    unknown = { 132, 1980, 0 };
	bool good = true;

	for (size_t i = 0; i < c->count; i++) {
		const struct choice *w = &c->list[i];
		double whole = choice_time(c, w, 1, &h200, &size);

		good &= whole < choice_time(c, w, 1,
			&(struct choice_machine) { 66, 1980, 4917 }, &size);
		good &= whole < choice_time(c, w, 1,
			&(struct choice_machine) { 132, 990, 4917 }, &size);
		good &= whole < choice_time(c, w, 1,
			&(struct choice_machine) { 132, 1980, 2459 }, &size);
		good &= choice_time(c, w, 1, &known, &size) ==
			choice_time(c, w, 1, &unknown, &size);
	}
	tap_ok(good, "%s: half a machine takes longer, half a clock and half a "
	       "bandwidth, too", name);
}

/* Rows that do not begin where lines of the cache do lie in more of them. */
static void test_lines(void)
{
	const struct choices *c = kernel_find("hgemm")->choices;
	const struct problem_sizes even = { 4096, 4096, 4096 },
		half = { 4096, 4096, 4064 }, odd = { 4096, 4096, 4088 };
	bool good = true;

	for (size_t i = 0; i < c->count; i++) {
		double us = choice_time(c, &c->list[i], 1, &h200, &half);

		good &= choice_time(c, &c->list[i], 1, &h200, &even) < us &&
			us < choice_time(c, &c->list[i], 1, &h200, &odd);
	}
	tap_ok(good, "hgemm: the more rows begin within a line, the longer");
}

int main(void)
{
	static const char *const names[] = { "sgemm", "hgemm" };
	int p[KERNEL_PARAMS] = { 77 };

	for (size_t i = 0; i < LENGTH(names); i++) {
		test_table(names[i]);
		test_sizes(names[i]);
		test_machine(names[i]);
		test_rank(names[i]);
	}
	test_deep();
	test_lines();
	test_steps();
	test_crowd();
	test_depth();
	test_fixed();
	test_rank_times();
	tap_ok(!first(kernel_find("tiled"),
		      &(struct problem_sizes) { 64, 64, 64 }, NULL, p) &&
	       p[0] == 77, "tiled has no choice");
	return tap_done();
}
