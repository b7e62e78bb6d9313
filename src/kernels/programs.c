/*
 * programs: see programs.h.
 */
#include "kernels/programs.h"

#include <string.h>

#include "base/lang.h"

const struct own_program own_programs[] = {
	{
		.name = "across_gpus",
		.idea = N_("C over a grid of GPUs, which pass panels of A and "
			   "B on with NCCL."),
		.devices = 4,
		.params = { { "PANEL", { 16 }, 1, 8192 },
			    { "BUFFERS", { 2 }, 1, 8 },
			    { "GPU_ROWS", { 0 }, 0, 64 },
			    { "FAST", { 0, 1 }, 0, 1 },
			    { "TILE", { 16 }, 1, 32 } },
	},
};
const size_t own_program_count = LENGTH(own_programs);

const struct own_program *own_program_find(const char *name)
{
	for (size_t i = 0; i < own_program_count; i++)
		if (!strcmp(own_programs[i].name, name))
			return &own_programs[i];
	return NULL;
}

const struct kernel_param *own_program_param(const struct own_program *p,
					     const char *name)
{
	return param_find(p->params, name);
}

const char *own_name(size_t i)
{
	if (i < kernel_count)
		return kernels[i].name;
	i -= kernel_count;
	return i < own_program_count ? own_programs[i].name : NULL;
}

const char **own_names(size_t *count)
{
	const char **names;

	*count = kernel_count + own_program_count;
	names = xcalloc(*count, sizeof(*names));
	for (size_t i = 0; i < *count; i++)
		names[i] = own_name(i);
	return names;
}
