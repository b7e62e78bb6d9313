/*
 * programs: programs of ours with a main(), in which kernels of the table work
 * on several GPUs. The text of one is src/kernels/NAME.cu; it includes its
 * kernels' texts, and its arguments begin with M, N and K.
 */
#ifndef KERNELS_PROGRAMS_H
#define KERNELS_PROGRAMS_H

#include "kernels/kernels.h"

struct own_program {
	const char *name;	/* also the name of its file, without .cu */
	const char *idea;	/* one sentence, N_() */
	uint32_t devices;	/* that it is told of, if nobody says */
	struct kernel_param params[KERNEL_PARAMS];	/* its macros */
};

extern const struct own_program own_programs[];
extern const size_t own_program_count;
const struct own_program *own_program_find(const char *name);
const struct kernel_param *own_program_param(const struct own_program *p,
					     const char *name);

/* The names of the kernels, and then those of the programs; NULL behind them. */
const char *own_name(size_t i);
/* Returns the names of all kernels and programs of ours; the caller frees the
 * list. */
const char **own_names(size_t *count);

#endif
