/*
 * size_choice: the sizes at which a launch is recorded, where the user left
 * them open. M, N and K grow until the block and the grid have enough to do;
 * a second size is no multiple of a tile, and not square.
 */
#ifndef RECORD_SIZE_CHOICE_H
#define RECORD_SIZE_CHOICE_H

#include "record/arguments.h"

/* The sizes and the shape of a launch. */
struct launch_size {
	struct problem_sizes size, padded;
	struct trace_dim grid, block;
	uint32_t shared_bytes;
	bool resized;
};

struct launch_size launch_size_of(const struct plan *p);
void launch_size_set(struct plan *p, const struct launch_size *s);

/* Returns SIZE_* bits of the sizes that the kernel's parameters get. */
uint32_t sizes_used(const struct argument *arguments, int count);
/* Tests whether the parameters get one size alone. */
bool sizes_are_one(const struct argument *arguments, int count);
/* Tests whether other sizes can be tried: the user gave none, and what the
 * kernel gets follows from them. */
bool sizes_are_open(const struct plan *p, const struct argument *arguments,
		    int count);
/* Tests whether the launch has a thread for each element of C. */
bool sizes_fit(const struct plan *p);
/* Sets the plan to the nth other size, from 0, to try in place of `first`: a
 * larger one, or what the threads cover. False: there is none. */
bool sizes_grow(struct plan *p, const struct argument *arguments, int count,
		const struct launch_size *first, int nth);
/* Sets the plan to a size that is no multiple of a tile, or of as few as the
 * kernel accepts. False: there is none. */
bool sizes_second(struct plan *p, const struct argument *arguments, int count);

#endif
