/*
 * ladder: what the model counts in a recording of each kernel of the ladder
 * (data/ladder.jsonl), and what a level of the GPU's memory gives
 * (data/memory-*.json, or the reader's own calibration.h); both beside what was measured of the kernels.
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

/* A kernel with the parameters that a case was run with; NULL: not there. */
const struct ladder_rung *ladder_find(const struct timing_case *n);
/* What the model counts at another size: loads grow with M N K, stores with
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
/* What was measured of this GPU, by the reader if they have calibrated it;
 * NULL: nothing. */
const struct memory_measured *memory_measured(const char *gpu);
/* Of the GPU that the reader has calibrated last, or else of this one. */
const struct memory_measured *memory_shown(const char *gpu);

#endif
