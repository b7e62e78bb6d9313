/*
 * size_choice: see size_choice.h.
 */
#include <string.h>

#include "record/size_choice.h"

/* The largest size to try, and the largest product of M, N and K. */
#define GROWN_MOST 4096
#define GROWN_WORK (384.0 * 384 * 384)

struct launch_size launch_size_of(const struct plan *p)
{
	return (struct launch_size){
		.size = p->job.size, .padded = p->size, .grid = p->grid,
		.block = p->block, .resized = p->resized,
		.shared_bytes = p->job.kernel.shared_bytes,
	};
}

void launch_size_set(struct plan *p, const struct launch_size *s)
{
	p->job.size = s->size;
	p->size = s->padded;
	p->grid = s->grid;
	p->block = s->block;
	p->resized = s->resized;
	p->job.kernel.shared_bytes = s->shared_bytes;
	plan_show(p, NULL);
}

uint32_t sizes_used(const struct argument *arguments, int count)
{
	uint32_t used = 0;

	for (int i = 0; i < count; i++)
		used |= size_bit(arguments[i].size);
	return used;
}

static bool is_single(uint32_t used)
{
	return !(used & (used - 1));
}

bool sizes_are_one(const struct argument *arguments, int count)
{
	uint32_t used = sizes_used(arguments, count);

	return used && is_single(used);
}

/* Tests whether the text's launch passes a constant for a size. */
static bool passes_constant(const struct plan *p, const struct argument *a, int i)
{
	return a->size && (size_t)i < p->passed_count && p->passed[i].known &&
	       !*p->passed[i].name;
}

bool sizes_are_open(const struct plan *p, const struct argument *arguments,
		    int count)
{
	const struct job *job = &p->job;
	uint32_t used = sizes_used(arguments, count);

	if (p->kernel)
		return job->open == SIZE_ALL;
	if (!used || (used & ~job->open) || job->arrays.count ||
	    job->contents.count || job->block_count || job->sample)
		return false;
	for (int i = 0; i < count; i++) {
		const struct argument *a = &arguments[i];

		if (passes_constant(p, a, i) ||
		    (a->decided == DECIDED_GIVEN && a->array < 0 &&
		     a->var->type.kind == DEBUG_INTEGER))
			return false;
	}
	return true;
}

/* ---- another size ---- */

/* Sets the plan to a size, with the grid and the block that the text's launch
 * then has. False: it has none, or the kernel refuses the size. */
static bool resize_plan(struct plan *p, const struct argument *arguments,
			int count, struct problem_sizes size)
{
	struct launch_size was = launch_size_of(p);
	struct shown_names set = { .count = 0 };
	struct error e;

	p->job.size = p->size = size;
	p->resized = true;
	if (p->kernel) {
		if (plan_shape(p, &e) == 0)
			return true;
	} else {
		for (int i = 0; i < count && set.count < SHOWN_NAMES; i++) {
			struct shown_name *n = &set.list[set.count];

			if (!arguments[i].size ||
			    (size_t)i >= p->passed_count ||
			    !*p->passed[i].name)
				continue;
			memcpy(n->name, p->passed[i].name, sizeof(n->name));
			n->value = problem_size(&size, arguments[i].size);
			set.count++;
		}
		if (plan_show(p, &set) && plan_blocks(p) <= INT32_MAX)
			return true;
	}
	launch_size_set(p, &was);
	return false;
}

static bool same_dim(struct trace_dim a, struct trace_dim b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Tests whether the grid follows from the sizes. */
static bool grid_follows(struct plan *p, const struct argument *arguments,
			 int count)
{
	struct launch_size was = launch_size_of(p);
	struct problem_sizes s = was.size;
	bool follows;

	if (p->kernel)
		return true;
	if (!(p->job.kernel.shown & SHOWN_GRID))
		return false;
	s = (struct problem_sizes){ 8 * s.m, 8 * s.n, 8 * s.k };
	follows = resize_plan(p, arguments, count, s) &&
		  !same_dim(p->grid, was.grid);
	launch_size_set(p, &was);
	return follows;
}

/* ---- larger ---- */

/* Rows and columns of C that a block may compute; first, those of its threads. */
static const struct {
	uint32_t rows, columns;
} tiles[] = {
	{ 0, 0 }, { 16, 16 }, { 32, 32 }, { 64, 64 }, { 128, 128 },
	{ 64, 128 }, { 128, 64 }, { 32, 64 }, { 64, 32 }, { 32, 128 },
	{ 128, 32 }, { 256, 256 }, { 128, 256 }, { 256, 128 },
};

/* Returns the nth size for a grid that is as it is: what it covers if a block
 * has the nth tile. */
static struct problem_sizes covered_size(const struct plan *p,
					 const struct launch_size *first,
					 uint32_t used, int nth)
{
	uint32_t rows = nth ? tiles[nth].rows : p->block.y;
	uint32_t columns = nth ? tiles[nth].columns : p->block.x;
	struct problem_sizes s = {
		(int)MIN((uint64_t)p->grid.y * rows, GROWN_MOST + 1),
		(int)MIN((uint64_t)p->grid.x * columns, GROWN_MOST + 1),
		first->size.k,
	};

	if (is_single(used))
		s.m = s.n = s.k = MAX(s.m, s.n);
	else if (nth)
		s.k = MAX(s.k, (int)MIN(rows, 128));
	return s;
}

static bool is_larger(const struct problem_sizes *s,
		      const struct problem_sizes *first)
{
	int most = MAX(MAX(s->m, s->n), s->k);

	return (s->m > first->m || s->n > first->n || s->k > first->k) &&
	       most <= GROWN_MOST &&
	       (double)s->m * s->n * s->k <= GROWN_WORK;
}

bool sizes_fit(const struct plan *p)
{
	return (uint64_t)p->grid.x * p->block.x >= (uint64_t)p->job.size.n &&
	       (uint64_t)p->grid.y * p->block.y >= (uint64_t)p->job.size.m;
}

bool sizes_grow(struct plan *p, const struct argument *arguments, int count,
		const struct launch_size *first, int nth)
{
	uint32_t used = sizes_used(arguments, count);
	const struct problem_sizes f = first->size;
	bool follows;

	launch_size_set(p, first);
	if (p->kernel)
		return false;
	follows = grid_follows(p, arguments, count);
	for (int i = 0; i < (follows ? 3 : (int)LENGTH(tiles)); i++) {
		struct problem_sizes s = {
			(i + 2) * f.m, (i + 2) * f.n, (i + 2) * f.k,
		};

		if (!follows)
			s = covered_size(p, first, used, i);
		if ((is_larger(&s, &f) || (!follows && !i && !sizes_fit(p))) &&
		    !nth--)
			return resize_plan(p, arguments, count, s);
	}
	return false;
}

/* ---- the second ---- */

/* Returns n times part / 64, which is odd: 57 for n = 64. */
static int odd_part(int n, int part)
{
	return (int)((int64_t)n * part / 64) | 1;
}

/* Returns the second size. One tile of a large size may be all of it, so that
 * a larger size is tried where the grid follows. */
static struct problem_sizes second_size(const struct problem_sizes *f,
					uint32_t used, bool follows)
{
	struct problem_sizes s = { odd_part(f->m, 57), odd_part(f->n, 43),
				   odd_part(f->k, 39) };
	bool more = follows && MAX(f->m, f->n) > 64;

	if (is_single(used)) {
		int n = used & SIZE_M ? f->m : used & SIZE_N ? f->n : f->k;

		n = more && n < 1024 ? n + 57 : odd_part(n, 57);
		return (struct problem_sizes){ n, n, n };
	}
	if (more)
		s = (struct problem_sizes){ f->m + 57, f->n + 43, s.k };
	return s;
}

bool sizes_second(struct plan *p, const struct argument *arguments, int count)
{
	static const struct problem_sizes less[] = {
		{ 57, 43, 39 }, { 60, 44, 36 }, { 56, 40, 24 }, { 48, 32, 16 },
		{ 32, 48, 64 }, { 64, 32, 48 }, { 64, 128, 16 }, { 64, 128, 64 },
	};
	struct problem_sizes s, f = p->job.size;
	uint32_t used = sizes_used(arguments, count);

	if (!p->kernel) {
		s = second_size(&f, used, grid_follows(p, arguments, count));
		return resize_plan(p, arguments, count, s);
	}
	for (size_t i = 0; i < LENGTH(less); i++) {
		s = (struct problem_sizes){ f.m * less[i].m / 64,
					    f.n * less[i].n / 64,
					    f.k * less[i].k / 64 };
		if (resize_plan(p, arguments, count, s))
			return true;
	}
	return false;
}
