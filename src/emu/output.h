/*
 * output: writes what a launch's blocks have recorded into its trace.
 */
#ifndef EMU_OUTPUT_H
#define EMU_OUTPUT_H

#include "emu/hooks.h"
#include "emu/launch.h"

struct trace_output {
	struct launch *launch;
	/* NULL in a helper's first cluster, which the worker writes. */
	struct trace_writer *writer;
	struct trace_info info;
	size_t array_capacity, site_capacity;
};

/* Returns the array's number in the trace; the site's, in the output `o`. Adds
 * them if they are new. */
uint32_t output_array(struct trace_output *o, struct array *a);
uint32_t output_site(void *o, const struct trace_site *site);
/*
 * Runs a cluster of which something is recorded. Where a single block runs that
 * takes no turns with others, its events are written whenever they are many and
 * the block has passed a barrier, and their memory is used again.
 */
void output_cluster(struct trace_output *o, uint32_t first, uint32_t record);
/* Writes the current block's events if they are many. Call when all its threads
 * are at a barrier, or have ended. */
void output_barrier(void);
/* Writes the events of rec.threads that have not been written. */
int output_block(struct trace_output *o, uint32_t block, struct error *e);

#endif
