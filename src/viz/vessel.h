/* vessel: what an SM has, to be filled with blocks. */
#ifndef VIZ_VESSEL_H
#define VIZ_VESSEL_H

#include "hardware/occupancy.h"

struct vessel {
	enum occupancy_resource resource;
	const char *name;	/* translated where it is drawn */
};

#define VESSELS 4
/* In the order in which they stand. */
extern const struct vessel vessels[VESSELS];

/* How much of it the SM has. */
int vessel_has(const struct occupancy_arch *a, enum occupancy_resource r);

#endif
