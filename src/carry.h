/*
 * carry: which load a store's value came from.
 *
 * A trace shows memory and register arrays, but no scalars: that a thread
 * stored what it had loaded some lines above must be found out. A store
 * instruction carries what the same loads gave its thread last, each time and
 * in every lane; so of all loads of a block those remain that fit every one of
 * its executions. A zero fits always: at edges it stands for what was not
 * loaded.
 */
#ifndef CARRY_H
#define CARRY_H

#include "trace.h"

struct carry;

/* Learns from all recorded warps of a block, of a trace with values. NULL
 * with e (EXIT_INPUT) when it is bad or has too many loads. */
struct carry *carry_learn(struct trace *t, uint32_t block, struct error *e);
void carry_free(struct carry *c);

/* Elements a lane moves at this site; 0: a barrier, or no whole element. */
uint32_t carry_elements(const struct trace_info *info, uint32_t site);
/* A slot is one element of one load site; those of a site are neighbours. */
size_t carry_slot_count(const struct carry *c);
size_t carry_slot(const struct carry *c, uint32_t site);
uint32_t carry_slot_site(const struct carry *c, size_t slot);
/* The slots that this element of this store may have come from. */
const uint32_t *carry_sources(const struct carry *c, uint32_t site,
			      uint32_t element, size_t *count);

#endif
