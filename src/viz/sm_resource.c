#include "viz/sm_resource.h"

#include "base/lang.h"

const struct sm_resource sm_resources[SM_RESOURCES] = {
	{ OCCUPANCY_BLOCKS, N_("block slots") },
	{ OCCUPANCY_WARPS, N_("warp slots") },
	{ OCCUPANCY_REGISTERS, N_("registers") },
	{ OCCUPANCY_SHARED, N_("shared memory") },
};

int sm_resource_has(const struct occupancy_arch *a, enum occupancy_resource r)
{
	return r == OCCUPANCY_BLOCKS ? a->blocks :
	       r == OCCUPANCY_WARPS ? a->warps :
	       r == OCCUPANCY_REGISTERS ? a->registers : a->shared;
}
