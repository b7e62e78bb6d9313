/*
 * runtime_random: cuRAND's fills. See cuda/curand.h.
 */
#include <math.h>
#include <stdlib.h>

#include "cudart/runtime.h"

enum { STATUS_GOOD = 0, STATUS_RANGE = 104 };

struct gemmviz_curand {
	uint64_t seed, at;
};

int gemmviz_curand_make(struct gemmviz_curand **g);
int gemmviz_curand_make(struct gemmviz_curand **g)
{
	*g = xcalloc(1, sizeof(**g));
	return STATUS_GOOD;
}

int gemmviz_curand_seed(struct gemmviz_curand *g, unsigned long long seed);
int gemmviz_curand_seed(struct gemmviz_curand *g, unsigned long long seed)
{
	*g = (struct gemmviz_curand) { seed, 0 };
	return STATUS_GOOD;
}

int gemmviz_curand_offset(struct gemmviz_curand *g, unsigned long long offset);
int gemmviz_curand_offset(struct gemmviz_curand *g, unsigned long long offset)
{
	g->at = offset;
	return STATUS_GOOD;
}

int gemmviz_curand_free(struct gemmviz_curand *g);
int gemmviz_curand_free(struct gemmviz_curand *g)
{
	free(g);
	return STATUS_GOOD;
}

/* Returns a uniform number in (0, 1]. */
static double next_uniform(struct gemmviz_curand *g)
{
	return ((double)(random_at(g->seed, g->at++) >> 11) + 1) /
	       9007199254740992.0;
}

static double next_number(struct gemmviz_curand *g, char how, double mean,
			  double deviation)
{
	double u = next_uniform(g);

	if (how == 'u')
		return u;
	return mean + deviation * sqrt(-2 * log(u)) *
			      cos(6.283185307179586 * next_uniform(g));
}

int gemmviz_curand_fill(struct gemmviz_curand *g, char how, void *to, size_t n,
			size_t bytes, double mean, double deviation,
			const char *file, int line);
int gemmviz_curand_fill(struct gemmviz_curand *g, char how, void *to, size_t n,
			size_t bytes, double mean, double deviation,
			const char *file, int line)
{
	const struct allocation *a = device_at((uintptr_t)to);

	graph_refuse(program_place(file, line),
		     "cuRAND calls in a captured stream");
	if (a && (!a->live || (uintptr_t)to - a->lo + n * bytes > a->bytes)) {
		program_problem((struct program_fault) {
			.kind = a->live ? "too-large" : "freed",
			.word = "cuRAND", .other = a->made, .room = a->bytes,
			.bytes = (uintptr_t)to - a->lo + n * bytes,
			.at = program_place(file, line) });
		return STATUS_RANGE;
	}
	device_open_all();
	for (size_t i = 0; i < n; i++) {
		if (how == 'i')
			((uint32_t *)to)[i] = (uint32_t)random_at(g->seed,
								  g->at++);
		else if (bytes == sizeof(float))
			((float *)to)[i] =
				(float)next_number(g, how, mean, deviation);
		else
			((double *)to)[i] =
				next_number(g, how, mean, deviation);
	}
	device_close();
	return STATUS_GOOD;
}
