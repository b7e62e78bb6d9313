/* launch_limits: see launch_limits.h. */
#include "cudart/launch_limits.h"

#include "cudart/runtime.h"

/* Reports that a launch asks for more than it may; returns the error. `which` is
 * a word of the protocol. */
static int report_limit(const struct launch_config *c,
			const struct program_kernel *k, const char *which,
			uint64_t asked, uint64_t most, int error)
{
	struct program_fault p =
		program_fault("launch-limit", c->at, k->recorded->name);

	snprintf(p.name, sizeof(p.name), "%s", which);
	p.bytes = asked;
	p.room = most;
	program_problem(p);
	return error;
}

/* Checks each dimension of the block and of the grid. */
static int check_dimensions(const struct launch_config *c,
			    const struct program_kernel *k)
{
	const struct {
		const char *name;
		uint32_t value, most;
	} all[] = {
		{ "blockDim.x", c->block.x, 1024 },
		{ "blockDim.y", c->block.y, 1024 },
		{ "blockDim.z", c->block.z, 64 },
		{ "gridDim.x", c->grid.x, INT32_MAX },
		{ "gridDim.y", c->grid.y, 65535 },
		{ "gridDim.z", c->grid.z, 65535 },
	};

	for (size_t i = 0; i < LENGTH(all); i++)
		if (!all[i].value || all[i].value > all[i].most)
			return report_limit(c, k, all[i].name, all[i].value,
					    all[i].most,
					    CUDA_ERROR_CONFIGURATION);
	return 0;
}

uint64_t launch_shared_most(const struct program_kernel *k)
{
	uint64_t usual = SHARED_USUAL - MIN(k->static_shared, SHARED_USUAL);

	return MAX(k->bytes_of_shared, usual);
}

int launch_limits(const struct launch_config *c,
		  const struct program_kernel *k)
{
	const struct trace_dim *b = &c->block;
	uint64_t threads = (uint64_t)b->x * b->y * b->z;
	uint64_t most = launch_shared_most(k);
	int error = check_dimensions(c, k);

	if (error)
		return error;
	if (threads > BLOCK_THREADS_MAX)
		return report_limit(c, k, "threads", threads,
				    BLOCK_THREADS_MAX,
				    CUDA_ERROR_CONFIGURATION);
	if (k->bounds && threads > k->bounds)
		return report_limit(c, k, "bounds", threads, k->bounds,
				    CUDA_ERROR_VALUE);
	if (c->shared > most)
		return report_limit(c, k, "shared", c->shared, most,
				    CUDA_ERROR_VALUE);
	return 0;
}
