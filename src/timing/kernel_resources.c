#include "timing/kernel_resources.h"

#include <stdlib.h>

#include "hardware/occupancy.h"
#include "timing/benchmark.h"
#include "base/text.h"

int kernel_block_threads(const struct kernel *k,
			 const struct job_defines *defines)
{
	int values[KERNEL_PARAMS];
	struct trace_dim block;

	kernel_values(k, values, job_defined, defines);
	block = k->block(values);
	return (int)(block.x * block.y * block.z);
}

static int not_recorded(const char *kernel, struct error *e)
{
	return error_set(e, EXIT_INPUT, "no recorded race has the resources of "
			 "%s; give --arch, --threads, --registers and --shared",
			 text_show(kernel));
}

static int take_recorded(struct kernel_resources *out, const struct timing *t,
			 const struct job_kernel *what, struct error *e)
{
	long at = benchmark_case(t, what);
	const struct timing_result *r = timing_result(t, 0, (size_t)at);
	const struct kernel *k = kernel_find(t->cases[at].name);
	int major, minor;

	if (!k || benchmark_text_changed(&t->cases[at]) ||
	    !(r->registers >= 1 && r->registers <= OCCUPANCY_MOST_REGISTERS) ||
	    !(r->shared_bytes >= 0 &&
	      r->shared_bytes <= OCCUPANCY_MOST_SHARED) ||
	    !t->date || !t->machine.compute ||
	    sscanf(t->machine.compute, "%d.%d", &major, &minor) != 2)
		return not_recorded(t->cases[at].label, e);
	*out = (struct kernel_resources){
		.threads = kernel_block_threads(
			k, r->defines.count ? &r->defines : &what->defines),
		.registers = (int)r->registers,
		.shared = (int)r->shared_bytes,
		.arch = xasprintf("sm_%d%d", major, minor),
		.label = xstrdup(t->cases[at].label),
		.date = xstrdup(t->date),
	};
	return 0;
}

int kernel_resources_find(struct kernel_resources *out, const char *kernel,
			  struct error *e)
{
	char *folder = xasprintf("%s/races", paths()->data);
	struct timing *t = NULL;
	struct benchmark_plan p;
	int status;

	benchmark_plan_init(&p);
	status = benchmark_add(&p, kernel, e);
	if (!status)
		t = benchmark_find(folder, &p, e);
	if (t)
		status = take_recorded(out, t, &p.job.cases[0], e);
	else if (!status)
		status = not_recorded(kernel, e);
	timing_free(t);
	benchmark_plan_done(&p);
	free(folder);
	return status;
}

void kernel_resources_done(struct kernel_resources *r)
{
	free(r->arch);
	free(r->label);
	free(r->date);
}
