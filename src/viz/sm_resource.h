/* sm_resource: the resources of an SM, as vessels that blocks fill. */
#ifndef VIZ_SM_RESOURCE_H
#define VIZ_SM_RESOURCE_H

#include "hardware/occupancy.h"

struct sm_resource {
	enum occupancy_resource resource;
	const char *name;	/* translated where it is drawn */
};

#define SM_RESOURCES 4
/* In the order in which they are drawn. */
extern const struct sm_resource sm_resources[SM_RESOURCES];

/* Returns how much of the resource an SM of this architecture has. */
int sm_resource_has(const struct occupancy_arch *a, enum occupancy_resource r);

#endif
