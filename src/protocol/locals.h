/*
 * locals: the values of a thread's local variables before each of its lane
 * accesses, as a recorder reports them: a row for each access, a column for
 * each variable.
 */
#ifndef PROTOCOL_LOCALS_H
#define PROTOCOL_LOCALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct local_value { bool known; int64_t v; };

struct locals {
	size_t warp;			/* the thread: its warp's index in
					   the trace, its lane */
	uint32_t lane;
	uint64_t first;			/* number of the access of row 0 */
	char **names;			/* innermost scope first */
	size_t name_count, row_count;
	struct local_value *values;	/* row_count * name_count */
};

/* Allocates a table whose names and values are unknown; the caller fills them
 * in. */
struct locals *locals_new(size_t name_count, size_t row_count);
void locals_free(struct locals *l);

#endif
