/*
 * value_flow: which load a store's value came from.
 *
 * A trace shows memory and register arrays, but no scalars: that a thread
 * stored what it had loaded some lines above must be found out. A store
 * instruction carries what the same loads gave its thread last, each time and
 * in every lane; so of all loads of a block those remain that fit every one of
 * its executions. A zero fits always: at edges it stands for what was not
 * loaded.
 */
#ifndef PROVENANCE_VALUE_FLOW_H
#define PROVENANCE_VALUE_FLOW_H

#include "trace/trace.h"

struct value_flow;

/* Learns from all recorded warps of a block, of a trace with values: what is
 * carried are elements such as `like` has. NULL with e (EXIT_INPUT) when the
 * trace is bad or has too many loads. */
struct value_flow *value_flow_learn(struct trace *t, uint32_t block,
				    const struct trace_array *like,
				    struct error *e);
void value_flow_free(struct value_flow *c);

/* What an array is looked at as: its elements, but wider integers, which
 * serve to copy several at once, as elements such as `like` has. */
struct value_flow_unit {
	enum elem elem;
	uint32_t bytes;
};
struct value_flow_unit value_flow_unit(const struct value_flow *c,
				       uint32_t array);
/* Units a lane moves at this site; 0: a barrier, or no whole unit. */
uint32_t value_flow_units(const struct value_flow *c, uint32_t site);
/* A slot is one unit of a load; those of a load are neighbours. Sites at one
 * place of the text are one load, whatever array they load from. */
size_t value_flow_slot_count(const struct value_flow *c);
size_t value_flow_slot(const struct value_flow *c, uint32_t site);
uint32_t value_flow_slot_site(const struct value_flow *c, size_t slot);
/* The slots that this unit of this store may have come from. */
const uint32_t *value_flow_sources(const struct value_flow *c, uint32_t site,
				   uint32_t unit, size_t *count);

#endif
