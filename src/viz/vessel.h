/* vessel: the resources of an SM, as vessels that blocks fill. */
#ifndef VIZ_VESSEL_H
#define VIZ_VESSEL_H

#include "hardware/occupancy.h"

struct vessel {
	enum occupancy_resource resource;
	const char *name;	/* translated where it is drawn */
};

#define VESSELS 4
/* In the order in which they are drawn. */
extern const struct vessel vessels[VESSELS];

/* Returns how much of the resource an SM of this architecture has. */
int vessel_has(const struct occupancy_arch *a, enum occupancy_resource r);

#endif
