/*
 * locals: what a thread's variables hold before each of its lane accesses,
 * as a recorder tells it: a row an access, a column a variable.
 */
#ifndef RUNNER_LOCALS_H
#define RUNNER_LOCALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct local_value { bool known; int64_t v; };

struct locals {
	size_t warp;			/* whose: index in the trace, lane */
	uint32_t lane;
	uint64_t first;			/* the thread's access of row 0 */
	char **names;			/* inner scopes first */
	size_t name_count, row_count;
	struct local_value *values;	/* row_count * name_count */
};

/* Names unknown and values not known yet, for somebody to fill. */
struct locals *locals_new(size_t name_count, size_t row_count);
void locals_free(struct locals *l);

#endif
