/*
 * benchmark_module: machine code of the kernels that a benchmark times.
 * Compiled code is kept for the other sizes. On the GPU, where a module takes
 * as much memory as its variables, are only the modules in use.
 */
#ifndef GPU_RACE_BENCHMARK_MODULE_H
#define GPU_RACE_BENCHMARK_MODULE_H

#include "toolkit/compile.h"
#include "gpu/device/device.h"
#include "gpu/device/launch.h"

struct benchmark_module {
	char *key;		/* plan_key() of what it was made from */
	const struct embedded *stored;	/* built beforehand; or NULL */
	struct compiled compiled;	/* if not */
	struct debug_function *signature;
	CUmodule module;		/* NULL: not loaded */
	CUfunction function;
};

/* Zeroed: none. */
struct benchmark_modules {
	struct benchmark_module *list;
	size_t count, capacity;
};

/* The module of a plan, compiled if need be, and loaded; it stays theirs until
 * the next is asked for. NULL with e: EXIT_INPUT if its text has errors,
 * EXIT_USAGE if it does not suit this GPU, else EXIT_RUNNER. */
const struct benchmark_module *
benchmark_module_make(struct benchmark_modules *all, const struct plan *p,
		      const struct device *d, struct error *e);
/* Compiles the modules of several plans in parallel, on all processors; errors
 * are reported when a module is requested. */
void benchmark_modules_ahead(struct benchmark_modules *all,
			     const struct plan *plans, size_t count,
			     const struct device *d);
/* Unloads all loaded modules. */
void benchmark_modules_unload(struct benchmark_modules *all);
void benchmark_modules_done(struct benchmark_modules *all);

#endif
