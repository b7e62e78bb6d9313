/*
 * choice: see choice.h.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "kernels/choice.h"

/* Of a multiprocessor. */
#define SCHEDULERS 4

/* The clock and the bandwidth of the machine that the times are of. */
#define MHZ 1980.0
#define GBS 3352.0
/* Bytes of a row of a tile, and of a line of the cache. */
#define LINE 128

/* How the tiles of a launch are shared out, as the kernels do it. With
 * clusters, a cluster is what is called a block here. */
struct sharing {
	double steps;		/* of a block, one after the other */
	int pieces;		/* of tiles, that it computes */
	int parts;		/* that are added up for a tile; 0: none */
	bool crowd;		/* by all blocks that have one */
};

static int ceil_div(long a, long b)
{
	return (int)((a + b - 1) / b);
}

static struct sharing share(long tiles, long blocks, int steps, int sharing,
			    int crowd)
{
	long left = tiles % blocks;
	int parts = left ? MIN((int)(blocks / left), steps) : 0;
	int whole = (int)(tiles / blocks);
	long each;

	if (crowd && parts >= crowd && steps - steps / parts > sharing)
		return (struct sharing) {
			.steps = (double)whole * steps + ceil_div(steps, parts),
			.pieces = whole + 1, .parts = parts, .crowd = true,
		};
	left += tiles > blocks ? blocks : 0;
	each = left * steps / blocks;
	if ((long)ceil_div(left, blocks) * steps - each <= sharing) {
		whole = ceil_div(tiles, blocks);
		return (struct sharing) { .steps = (double)whole * steps,
					  .pieces = whole };
	}
	whole = ceil_div(tiles - left, blocks);
	return (struct sharing) {
		.steps = (double)whole * steps + (double)each,
		.pieces = whole + 1,
		.parts = left < blocks ? MIN(ceil_div(blocks, left) + 1, steps)
				       : 2,
	};
}

/* What the longer one takes, and somewhat more where both are as long. */
static double longer(double a, double b)
{
	return sqrt(sqrt(a * a * a * a + b * b * b * b));
}

static long tiles_of(const struct choice *w, const struct problem_sizes *size)
{
	return (long)ceil_div(size->m, w->rows * w->cluster) *
	       ceil_div(size->n, w->columns * w->beside);
}

static int together(const struct choice *w)
{
	return w->cluster * w->beside * w->deep;
}

/* Clusters that run at once. Those of more than two blocks leave some of a
 * GPC's multiprocessors over, more or less on each GPU. */
static long resident(const struct choice *w, const struct choice_machine *m)
{
	long blocks = (long)m->multiprocessors * w->blocks;

	if (together(w) > 2)
		blocks = blocks * 10 / 11;
	return blocks / together(w);
}

/* How many of `busy` blocks a multiprocessor has, where its busiest scheduler
 * has as many warps. */
static double beside(const struct choice *w, long busy, int multiprocessors)
{
	int blocks = ceil_div(busy, multiprocessors);

	return w->warps ? ceil_div((long)blocks * w->warps, SCHEDULERS) *
			  (double)SCHEDULERS / w->warps : blocks;
}

static bool singly(const struct choices *c, const struct problem_sizes *size)
{
	return c->at_once && (size->k % c->at_once || size->n % c->at_once);
}

/* In how many lines a row of a tile lies, on average over those of a matrix of so
 * many columns: one, or two if it does not begin where a line does. */
static double lines(const struct choices *c, int columns)
{
	int row = columns * c->bytes, apart = LINE;

	while (row % apart)
		apart /= 2;
	return 2 - (double)apart / LINE;
}

/* What the L2 cache has to do for a row. */
static double rows_cost(const struct choices *c, int columns)
{
	return 1 + c->uneven * (lines(c, columns) - 1);
}

/* Columns of A in a step. */
static int depth(const struct choices *c, const struct choice *w)
{
	return c->depth ? c->depth : w->p[c->depth_param];
}

/* Microseconds of a step, where `others` blocks share a multiprocessor. */
static double step_time(const struct choices *c, const struct choice *w,
			double others, const struct problem_sizes *size)
{
	double fetched = w->rows * lines(c, size->k) / w->beside +
			 w->columns * lines(c, size->n) / w->cluster;
	double us = longer(longer(w->times.alone, others * w->times.step),
			   others * fetched * c->line);

	return singly(c, size) ? us * (1 + w->times.singly) : us;
}

double choice_time(const struct choices *c, const struct choice *w, int split,
		   const struct choice_machine *m,
		   const struct problem_sizes *size)
{
	const struct choice_times *t = &w->times;
	long tiles = tiles_of(w, size);
	long blocks = MIN(tiles * split, resident(w, m));
	int steps = ceil_div(ceil_div(size->k, depth(c, w)), w->deep);
	struct sharing s = share(tiles, blocks, steps, w->deep > 1 ? INT_MAX :
				 c->sharing, c->crowd);
	long busy = (s.crowd && tiles < blocks ? s.parts * tiles :
		     s.parts ? blocks : MIN(blocks, tiles)) * together(w);
	double others = beside(w, busy, m->multiprocessors);
	double mb = 1e-6 * c->bytes;
	double matrices = mb * ((double)size->m * size->k +
				(double)size->k * size->n +
				(double)size->m * size->n) *
			  (m->gbs > 0 ? GBS / m->gbs : 1);
	double copied = mb * (double)tiles * steps * w->deep * depth(c, w) *
			(w->rows * w->cluster * rows_cost(c, size->k) +
			 w->columns * w->beside * rows_cost(c, size->n));
	double us = s.steps * step_time(c, w, others, size) * MHZ / m->mhz;

	us = longer(us, longer(matrices * t->matrices, copied * t->tiles));
	us += t->launch + t->tile * s.pieces * others;
	if (w->deep > 1)
		return us + t->share * s.pieces;
	if (s.crowd)
		return us + t->crowd + t->member * s.parts;
	return us + (s.parts ? t->share + t->part * s.parts : 0);
}

/* Whether so many blocks have two steps of a tile each. */
static bool worth_it(const struct choices *c, const struct choice *w,
		     int split, const struct problem_sizes *size)
{
	int blocks = split * w->deep;

	if (w->deep > 1 && split > 1)
		return false;
	return blocks == 1 || ceil_div(size->k, depth(c, w)) >= 2 * blocks ||
	       tiles_of(w, size) == 0;
}

/* Whether a choice is one of those that are asked for. */
static bool agrees(const struct choices *c, const struct choice *w, int split,
		   const bool *fixed, const int *p)
{
	for (size_t n = 0; fixed && n < KERNEL_PARAMS; n++) {
		int its = n == c->split ? split : w->p[n];

		if (fixed[n] && its && its != p[n])
			return false;
	}
	return true;
}

/* A choice with the number of parts that suits it best. */
struct ranked {
	const struct choice *choice;
	int split;
	double us;		/* INFINITY: it does not agree */
};

static struct ranked rank(const struct choices *c, const struct choice *w,
			  const struct choice_machine *m,
			  const struct problem_sizes *size, const bool *fixed,
			  const int *p)
{
	static const int splits[] = { 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24,
				      32, 48, 64 };
	struct ranked best = { .choice = w, .us = INFINITY };

	for (size_t i = 0; i < LENGTH(splits); i++) {
		double us = choice_time(c, w, splits[i], m, size);

		if (!(us < best.us) || !agrees(c, w, splits[i], fixed, p) ||
		    !worth_it(c, w, splits[i], size))
			continue;
		best.us = us;
		best.split = splits[i];
	}
	return best;
}

/* Puts it where it belongs among the first `count` of at most `most`; how many
 * there are then. */
static size_t insert(struct ranked *list, size_t count, size_t most,
		     const struct ranked *r)
{
	size_t at = count;

	while (at > 0 && r->us < list[at - 1].us)
		at--;
	if (at == most)
		return count;
	count += count < most;
	memmove(&list[at + 1], &list[at], (count - at - 1) * sizeof(*list));
	list[at] = *r;
	return count;
}

size_t choice_rank(const struct kernel *k, const struct choice_machine *m,
		   const struct problem_sizes *size, const bool *fixed,
		   int p[][KERNEL_PARAMS], size_t most)
{
	const struct choices *c = k->choices;
	struct ranked best[CHOICE_TRIED];
	size_t count = 0;

	for (size_t i = 0; c && i < c->count; i++) {
		struct ranked r = rank(c, &c->list[i], m, size, fixed, p[0]);

		if (r.us < INFINITY)
			count = insert(best, count, most, &r);
	}
	while (count && best[count - 1].us > CHOICE_WITHIN * best[0].us)
		count--;
	for (size_t i = count; i-- > 0;) {
		memmove(p[i], p[0], sizeof(p[i]));
		for (size_t n = 0; n < kernel_params(k); n++)
			if (choice_sets(k, n))
				p[i][n] = n == c->split ? best[i].split :
							  best[i].choice->p[n];
	}
	return count;
}

bool choice_sets(const struct kernel *k, size_t param)
{
	const struct choices *c = k->choices;

	for (size_t i = 0; c && i < c->count; i++)
		if (c->list[i].p[param])
			return true;
	return c && param == c->split;
}
