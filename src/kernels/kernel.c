/*
 * kernel: finding a kernel of the table, and its parameters. See kernels.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/input.h"
#include "kernels/kernels.h"

/* Tests for a file's name with one of two ends. */
static bool has_end(const char *word, const char *a, const char *b)
{
	const char *dot = strrchr(word, '.');

	return dot && dot > word && (!strcmp(dot, a) || !strcmp(dot, b));
}

bool kernel_is_file(const char *word)
{
	return has_end(word, ".cu", ".cuh") || kernel_is_python(word) ||
	       kernel_is_input(word);
}

bool kernel_is_python(const char *word)
{
	return has_end(word, ".py", ".ipynb");
}

bool kernel_is_input(const char *word)
{
	return !strcmp(word, "-");
}

const struct kernel *kernel_find(const char *name)
{
	for (size_t i = 0; i < kernel_count; i++)
		if (!strcmp(kernels[i].name, name))
			return &kernels[i];
	return NULL;
}

static bool is_fraction(double v)
{
	return v - v == 0 && v != floor(v);
}

bool recorded_fractions(const struct trace_info *info)
{
	for (size_t i = 0; i < info->argument_count; i++)
		if (info->arguments[i].array != TRACE_NO_ARRAY &&
		    (is_fraction(info->arguments[i].low) ||
		     is_fraction(info->arguments[i].high)))
			return true;
	return false;
}

double recorded_input(const struct trace_info *info, int matrix, uint64_t n)
{
	return recorded_fractions(info) ?
	       input_fraction_at(info->seed, matrix, n) :
	       input_at(info->seed, matrix, n);
}

const struct problem *kernel_problem(const struct trace_info *info)
{
	const struct problem *p = info->problem ? problem_find(info->problem) :
						  NULL;
	const struct kernel *k = info->problem ? NULL :
						 kernel_find(info->kernel);
	size_t n = k ? strlen(k->name) : 0;

	if (k && !strncmp(info->file, k->name, n) &&
	    !strcmp(info->file + n, ".cu"))
		return k->problem;
	return p ? p : &problem_unknown;
}

size_t kernel_params(const struct kernel *k)
{
	size_t n = 0;

	while (n < KERNEL_PARAMS && k->params[n].name)
		n++;
	return n;
}

const struct kernel_param *param_find(const struct kernel_param *params,
				      const char *name)
{
	for (size_t i = 0; i < KERNEL_PARAMS && params[i].name; i++)
		if (!strcmp(params[i].name, name))
			return &params[i];
	return NULL;
}

const struct kernel_param *kernel_param(const struct kernel *k,
					const char *name)
{
	return param_find(k->params, name);
}

void kernel_defaults(const struct kernel *k, int *p)
{
	for (size_t i = 0; i < KERNEL_PARAMS; i++)
		p[i] = k->params[i].values[0];
}

struct problem_sizes kernel_size(const struct kernel *k, const int *p)
{
	static const struct problem_sizes sizes[] = {
		{ 64, 64, 64 }, { 128, 64, 64 }, { 64, 128, 64 },
		{ 128, 128, 64 }, { 128, 128, 128 }, { 256, 128, 64 },
		{ 128, 256, 64 }, { 256, 256, 64 }, { 256, 256, 128 },
	};

	for (size_t i = 0; k->refuses && i < LENGTH(sizes); i++)
		if (!k->refuses(p, sizes[i].m, sizes[i].n, sizes[i].k))
			return sizes[i];
	return sizes[0];
}

/* The largest M and N to step through. */
#define LARGEST_SHOWN 1024

static uint64_t blocks_at(const struct kernel *k, const int *p,
			  const struct problem_sizes *size)
{
	struct trace_dim grid = k->grid(p, size->m, size->n, size->k);

	return (uint64_t)grid.x * grid.y * grid.z;
}

/* Makes a side of the size as large as takes no more blocks. */
static void fill_tiles(const struct kernel *k, const int *p,
		       struct problem_sizes *size, int *side)
{
	uint64_t blocks = blocks_at(k, p, size);
	int best = *side;

	for (; *side <= LARGEST_SHOWN && blocks_at(k, p, size) == blocks;
	     *side += 64)
		if (!k->refuses(p, size->m, size->n, size->k))
			best = *side;
	*side = best;
}

struct problem_sizes kernel_shown(const struct kernel *k, const int *p)
{
	struct problem_sizes size = kernel_size(k, p);

	if (k->bites)
		return k->bites(p);
	if (k->arch >= 80)
		size.k = MAX(size.k, k->arch >= 90 ? 320 :
				     k->baseline ? 256 : 96);
	if (k->arch >= 90) {
		fill_tiles(k, p, &size, &size.m);
		fill_tiles(k, p, &size, &size.n);
	}
	return size;
}

void kernel_values(const struct kernel *k, int *p,
		   const char *(*value_of)(const void *from, const char *name),
		   const void *from)
{
	for (size_t i = 0; i < kernel_params(k); i++) {
		const char *said = value_of(from, k->params[i].name);

		p[i] = said ? atoi(said) : k->params[i].values[0];
	}
}
