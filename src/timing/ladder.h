/*
 * ladder: what the model counts in a recording of each kernel of the ladder
 * (data/ladder.jsonl), and the figures of each level of the GPU's memory
 * (data/memory-*.json, or the user's own calibration.h); both are compared with
 * what was measured of the kernels.
 */
#ifndef TIMING_LADDER_H
#define TIMING_LADDER_H

#include "kernels/kernels.h"
#include "timing/timing.h"

/* A kernel with certain parameters, recorded at a size. Counts are of the whole
 * launch; NA: the recording does not show it, as with tensor cores. */
struct ladder_rung {
	const struct kernel *kernel;
	int values[KERNEL_PARAMS];
	struct problem_sizes size;
	char text_hash[17];
	double products;		/* M N K */
	double load_requests, load_sectors, store_sectors;	/* global */
	double shared_wavefronts;	/* of loads and stores */
	double shared_load_wavefronts, shared_load_ideal;
	/* Elements that the lanes' loads ask for, each as often as it is asked
	 * for. */
	double global_values, shared_values;
	/* The worst loads: of global memory, sectors a request, and of shared
	 * memory, in how many wavefronts; arrays "" if none is loaded. */
	double sectors, ideal_sectors, way;
	char sector_array[32], way_array[32];
};

/* Finds a kernel with the parameters of a case; NULL when it is not there. */
const struct ladder_rung *ladder_find(const struct timing_case *n);
/* Scales the model's counts to another size: loads grow with M N K, stores with
 * M N. */
double ladder_loads(const struct ladder_rung *r, double count,
		    const struct problem_sizes *size);
double ladder_stores(const struct ladder_rung *r, double count,
		     const struct problem_sizes *size);

/* A level of memory, from the registers down. */
enum memory_level { MEMORY_REGISTERS, MEMORY_L1, MEMORY_L2, MEMORY_DRAM,
		    MEMORY_LEVELS };
struct memory_figures {
	double bytes;			/* its size */
	bool each;			/* of each SM */
	double cycles, ns;		/* a load's latency */
	/* Bytes/s of the whole GPU: by loads or bulk copies, the faster. */
	double bandwidth;
};
struct memory_measured {
	char *gpu, *date;
	bool own;			/* by the reader */
	struct memory_figures level[MEMORY_LEVELS];
	struct memory_figures cache;	/* L1 as a cache, beside shared */
};
/* Returns the figures of this GPU, the user's own if they have calibrated it;
 * NULL when there are none. */
const struct memory_measured *memory_measured(const char *gpu);
/* Returns the figures of the GPU that the user has calibrated last, or else of
 * this one. */
const struct memory_measured *memory_shown(const char *gpu);

#endif
