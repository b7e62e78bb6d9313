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

static int divide_up(long a, long b)
{
	return (int)((a + b - 1) / b);
}

static struct sharing split_share(long tiles, long blocks, int steps,
				  int sharing, int crowd)
{
	long left = tiles % blocks;
	int parts = left ? MIN((int)(blocks / left), steps) : 0;
	int whole = (int)(tiles / blocks);
	long each;

	if (crowd && parts >= crowd && steps - steps / parts > sharing)
		return (struct sharing){
			.steps =
				(double)whole * steps + divide_up(steps, parts),
			.pieces = whole + 1,
			.parts = parts,
			.crowd = true,
		};
	left += tiles > blocks ? blocks : 0;
	each = left * steps / blocks;
	if ((long)divide_up(left, blocks) * steps - each <= sharing) {
		whole = divide_up(tiles, blocks);
		return (struct sharing) { .steps = (double)whole * steps,
					  .pieces = whole };
	}
	whole = divide_up(tiles - left, blocks);
	return (struct sharing){
		.steps = (double)whole * steps + (double)each,
		.pieces = whole + 1,
		.parts = left < blocks ?
				 MIN(divide_up(blocks, left) + 1, steps) :
				 2,
	};
}

/* Combines two times of overlapping work: the longer one, and somewhat more
 * where both are about as long. */
static double overlap_time(double a, double b)
{
	return sqrt(sqrt(a * a * a * a + b * b * b * b));
}

static long count_tiles(const struct choice *w,
			const struct problem_sizes *size)
{
	return (long)divide_up(size->m, w->rows * w->cluster) *
	       divide_up(size->n, w->columns * w->beside);
}

static int cluster_blocks(const struct choice *w)
{
	return w->cluster * w->beside * w->deep;
}

/* Counts the clusters that run at once. Clusters of more than two blocks leave
 * some multiprocessors of a GPC unused, how many depends on the GPU. */
static long resident_clusters(const struct choice *w,
			      const struct choice_machine *m)
{
	long blocks = (long)m->multiprocessors * w->blocks;

	if (cluster_blocks(w) > 2)
		blocks = blocks * 10 / 11;
	return blocks / cluster_blocks(w);
}

/* Returns how many of `busy` blocks share the multiprocessor whose scheduler
 * has the most warps. */
static double blocks_per_scheduler(const struct choice *w, long busy,
				   int multiprocessors)
{
	int blocks = divide_up(busy, multiprocessors);

	return w->warps ? divide_up((long)blocks * w->warps, SCHEDULERS) *
				  (double)SCHEDULERS / w->warps :
			  blocks;
}

static bool copies_singly(const struct choices *c,
			  const struct problem_sizes *size)
{
	return c->at_once && (size->k % c->at_once || size->n % c->at_once);
}

/* Returns the average number of lines that hold a row of a tile, in a matrix of
 * `columns` columns: one, or two if a row does not begin on a line. */
static double lines_per_row(const struct choices *c, int columns)
{
	int row = columns * c->bytes, apart = LINE;

	while (row % apart)
		apart /= 2;
	return 2 - (double)apart / LINE;
}

/* Returns the work of the L2 cache for a row, relative to an aligned row. */
static double rows_cost(const struct choices *c, int columns)
{
	return 1 + c->uneven * (lines_per_row(c, columns) - 1);
}

/* Returns the columns of A in a step. */
static int step_depth(const struct choices *c, const struct choice *w)
{
	return c->depth ? c->depth : w->p[c->depth_param];
}

/* Returns the microseconds of a step while `others` blocks share a
 * multiprocessor. */
static double step_time(const struct choices *c, const struct choice *w,
			double others, const struct problem_sizes *size)
{
	double fetched = w->rows * lines_per_row(c, size->k) / w->beside +
			 w->columns * lines_per_row(c, size->n) / w->cluster;
	double us = overlap_time(
		overlap_time(w->times.alone, others * w->times.step),
		others * fetched * c->line);

	return copies_singly(c, size) ? us * (1 + w->times.singly) : us;
}

double choice_time(const struct choices *c, const struct choice *w, int split,
		   const struct choice_machine *m,
		   const struct problem_sizes *size)
{
	const struct choice_times *t = &w->times;
	long tiles = count_tiles(w, size);
	long blocks = MIN(tiles * split, resident_clusters(w, m));
	int steps = divide_up(divide_up(size->k, step_depth(c, w)), w->deep);
	struct sharing s =
		split_share(tiles, blocks, steps,
			    w->deep > 1 ? INT_MAX : c->sharing, c->crowd);
	long busy = (s.crowd && tiles < blocks ? s.parts * tiles :
		     s.parts		       ? blocks :
						 MIN(blocks, tiles)) *
		    cluster_blocks(w);
	double others = blocks_per_scheduler(w, busy, m->multiprocessors);
	double mb = 1e-6 * c->bytes;
	double matrices = mb * ((double)size->m * size->k +
				(double)size->k * size->n +
				(double)size->m * size->n) *
			  (m->gbs > 0 ? GBS / m->gbs : 1);
	double copied = mb * (double)tiles * steps * w->deep *
			step_depth(c, w) *
			(w->rows * w->cluster * rows_cost(c, size->k) +
			 w->columns * w->beside * rows_cost(c, size->n));
	double us = s.steps * step_time(c, w, others, size) * MHZ / m->mhz;

	us = overlap_time(
		us, overlap_time(matrices * t->matrices, copied * t->tiles));
	us += t->launch + t->tile * s.pieces * others;
	if (w->deep > 1)
		return us + t->share * s.pieces;
	if (s.crowd)
		return us + t->crowd + t->member * s.parts;
	return us + (s.parts ? t->share + t->part * s.parts : 0);
}

/* Tests whether splitting a tile leaves each block at least two steps. */
static bool is_split_useful(const struct choices *c, const struct choice *w,
			    int split, const struct problem_sizes *size)
{
	int blocks = split * w->deep;

	if (w->deep > 1 && split > 1)
		return false;
	return blocks == 1 ||
	       divide_up(size->k, step_depth(c, w)) >= 2 * blocks ||
	       count_tiles(w, size) == 0;
}

/* Tests whether a choice has the parameters that the user fixed. */
static bool matches_fixed(const struct choices *c, const struct choice *w,
			  int split, const bool *fixed, const int *p)
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

static struct ranked rank_choice(const struct choices *c,
				 const struct choice *w,
				 const struct choice_machine *m,
				 const struct problem_sizes *size,
				 const bool *fixed, const int *p)
{
	static const int splits[] = { 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24,
				      32, 48, 64 };
	struct ranked best = { .choice = w, .us = INFINITY };

	for (size_t i = 0; i < LENGTH(splits); i++) {
		double us = choice_time(c, w, splits[i], m, size);

		if (!(us < best.us) ||
		    !matches_fixed(c, w, splits[i], fixed, p) ||
		    !is_split_useful(c, w, splits[i], size))
			continue;
		best.us = us;
		best.split = splits[i];
	}
	return best;
}

/* Inserts a choice, sorted by time, into the list of at most `most`. Returns
 * the new length of the list. */
static size_t insert_ranked(struct ranked *list, size_t count, size_t most,
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
		struct ranked r =
			rank_choice(c, &c->list[i], m, size, fixed, p[0]);

		if (r.us < INFINITY)
			count = insert_ranked(best, count, most, &r);
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
