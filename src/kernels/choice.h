/*
 * choice: which of a kernel's shapes suits a size best. A model of the machine
 * predicts the time of each from the number of multiprocessors, the rounds in
 * which they compute tiles, and the bytes of tiles and matrices. The model's
 * constants were fitted to measurements (choice_sgemm.c, choice_hgemm.c).
 */
#ifndef KERNELS_CHOICE_H
#define KERNELS_CHOICE_H

#include "kernels/kernels.h"

/* What parts of the work take of one shape, in microseconds. */
struct choice_times {
	double launch;
	double tile;		/* to begin and store one, for each block that
				 * shares its multiprocessor */
	double alone;		/* a step, of a block on its own */
	double step;		/* a step, for each block that shares its
				 * multiprocessor with others */
	double share;		/* to share tiles with other blocks at all; with
				 * those of a cluster, each tile anew: they fetch
				 * nothing for the next while they add up what
				 * they have */
	double part;		/* and to add what one of them has */
	double matrices;	/* a megabyte of A, B and C */
	double tiles;		/* a megabyte of tiles of A and B */
	double singly;		/* of a step, what copying element by element
				 * adds: 1 is as much again */
	double crowd;		/* where all blocks that share a tile add up: to
				 * do so at all */
	double member;		/* and for each of them */
};

struct choice {
	int p[KERNEL_PARAMS];
	int rows, columns;	/* of C, a block's */
	int blocks;		/* that share a multiprocessor */
	int cluster, beside;	/* blocks that share tiles of B, and of A */
	int deep;		/* and the steps of a tile of C */
	struct choice_times times;
	int warps;		/* of a block; 0: as many for each scheduler */
};

/* What a kernel may choose among. Its blocks share tiles: those of a cluster
 * (`deep`) or those of the grid (stream-K); as many as `split` says, the index of
 * a parameter, where there are few tiles. */
struct choices {
	const struct choice *list;
	size_t count;
	size_t split;
	int depth;		/* columns of A in a step; 0: the value */
	size_t depth_param;	/* of this parameter */
	int bytes;		/* of an element */
	int at_once;		/* elements of a copy where K and N are
				 * multiples of that, else one; 0: always */
	double line;		/* microseconds for each line of 128 bytes that
				 * a multiprocessor fetches */
	double uneven;		/* that a row of 128 bytes lies in two lines is
				 * as much more for the L2 cache; 0: nothing */
	int sharing;		/* the kernel's SHARING */
	int crowd;		/* and its CROWD; 0: none */
};

extern const struct choices choices_sgemm, choices_hgemm;

struct choice_machine {
	int multiprocessors;
	double mhz;		/* their clock */
	double gbs;		/* the memory's bandwidth, gigabytes a second;
				 * not above 0: unknown */
};

/* Predicts the microseconds of a launch in which up to `split` blocks (or
 * clusters) share a tile. */
double choice_time(const struct choices *c, const struct choice *which,
		   int split, const struct choice_machine *m,
		   const struct problem_sizes *size);

/* What the fastest of several choices is found among, where they are tried: so
 * many at most, and none that is expected to take so much longer than the first.
 * At 121 sizes on an H200 and an H100 the fastest of 24 was the fastest of all,
 * that of 12 took up to 13 % longer (data/README.md). */
#define CHOICE_TRIED 24
#define CHOICE_WITHIN 1.3

/* Sets p[0] and on to values of the kernel's parameters, by that the fastest
 * first, one for each choice that agrees with the values of p[0] where `fixed`
 * says so (NULL: nowhere): `most` of them, from 1 to CHOICE_TRIED, and none
 * that takes more than CHOICE_WITHIN times as long as the first. Parameters that
 * no choice sets stay as they are. How many; 0, and p stays as it is: there is
 * no such choice. */
size_t choice_rank(const struct kernel *k, const struct choice_machine *m,
		   const struct problem_sizes *size, const bool *fixed,
		   int p[][KERNEL_PARAMS], size_t most);
/* Tests whether choice_rank() sets this parameter. */
bool choice_sets(const struct kernel *k, size_t param);

#endif
