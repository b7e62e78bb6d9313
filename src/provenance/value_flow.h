/*
 * value_flow: which load the value of a store came from.
 *
 * A trace shows memory and register arrays but no scalars, so that a thread
 * stored what it had loaded some lines before must be inferred. A store
 * instruction stores what the same loads last gave its thread, each time and in
 * every lane; so the candidates are those loads of a block that fit every
 * execution of the store. A zero always fits: at the edges of a matrix it
 * stands for an element that was not loaded.
 */
#ifndef PROVENANCE_VALUE_FLOW_H
#define PROVENANCE_VALUE_FLOW_H

#include "trace/trace.h"

struct value_flow;

/* Finds the candidate loads from all recorded warps of a block, in a trace with
 * values; the values followed are elements of the type of `like`. Returns NULL
 * with e (EXIT_INPUT) if the trace is damaged or has too many loads. */
struct value_flow *value_flow_learn(struct trace *t, uint32_t block,
				    const struct trace_array *like,
				    struct error *e);
/* Finds candidates as value_flow_learn() does, but of copies alone: loads from
 * global memory and stores to shared memory, among each warp's first `most`
 * requests. It is faster, and leaves the sources of other stores unknown. */
struct value_flow *value_flow_learn_copies(struct trace *t, uint32_t block,
					   const struct trace_array *like,
					   uint32_t most, struct error *e);
void value_flow_free(struct value_flow *c);

/*
 * The unit that an array is divided into: its elements, but where these are
 * wider integers, which serve to copy several values at once, elements of the
 * type of `like`.
 */
struct value_flow_unit {
	enum elem elem;
	uint32_t bytes;
};
struct value_flow_unit value_flow_unit(const struct value_flow *c,
				       uint32_t array);
/* Returns the number of units that a lane moves at a site; 0 for a barrier, or
 * if it is not a whole number. */
uint32_t value_flow_units(const struct value_flow *c, uint32_t site);
/* Count the slots, and map load sites to them and back. A slot is one unit of a
 * load; the slots of a load are adjacent. Sites at the same place in the source
 * are one load, whatever array they load from. */
size_t value_flow_slot_count(const struct value_flow *c);
size_t value_flow_slot(const struct value_flow *c, uint32_t site);
uint32_t value_flow_slot_site(const struct value_flow *c, size_t slot);
/* Returns the slots from which a unit of a store may have come. */
const uint32_t *value_flow_sources(const struct value_flow *c, uint32_t site,
				   uint32_t unit, size_t *count);

#endif
