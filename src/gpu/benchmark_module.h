/*
 * benchmark_module: machine code of the kernels that a benchmark times. What
 * was made is kept, for the other sizes.
 */
#ifndef GPU_BENCHMARK_MODULE_H
#define GPU_BENCHMARK_MODULE_H

#include "gpu/device.h"
#include "gpu/launch.h"

struct benchmark_module {
	char *key;		/* plan_key() of what it was made from */
	CUmodule module;
	CUfunction function;
	struct debug_function *signature;
};

/* Zeroed: none. */
struct benchmark_modules {
	struct benchmark_module *list;
	size_t count, capacity;
};

/* The module of a plan, which stays theirs until the next is made. NULL with
 * e: EXIT_INPUT if its text has errors, EXIT_USAGE if it does not suit this
 * GPU, else EXIT_RUNNER. */
const struct benchmark_module *
benchmark_module_make(struct benchmark_modules *all, const struct plan *p,
		      const struct device *d, struct error *e);
/* Makes those of several plans at once, as many as there are processors; what
 * is wrong with one is said when it is asked for. */
void benchmark_modules_ahead(struct benchmark_modules *all,
			     const struct plan *plans, size_t count,
			     const struct device *d);
void benchmark_modules_done(struct benchmark_modules *all);

#endif
