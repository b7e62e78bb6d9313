/*
 * carry: what a store may have come from. See carry.h.
 */
#include "carry.h"

#include <stdlib.h>

#include "text.h"

/* Far above what a compiler makes of a kernel that unrolls its loops. */
#define SLOTS_MOST (1u << 12)

/* What one element of a store site may carry: slots, less by each store. */
struct carried {
	bool seen;		/* with another value than zero */
	uint32_t *slots;
	size_t count;
};

struct slot {
	uint32_t site;
	uint32_t known;		/* lanes that have loaded */
	double value[WARP_LANES];
};

struct carry {
	const struct trace_info *info;
	size_t *first;		/* by site: its first slot or carried */
	struct slot *slots;
	size_t slot_count;
	struct carried *carried;
	size_t carried_count;
};

uint32_t carry_elements(const struct trace_info *info, uint32_t site)
{
	const struct trace_site *s = &info->sites[site];

	return s->op == OP_BARRIER ? 0 :
	       s->bytes / info->arrays[s->array].elem_bytes;
}

static void number_sites(struct carry *c)
{
	for (uint32_t i = 0; i < c->info->site_count; i++) {
		size_t *count = c->info->sites[i].op == OP_LD ?
				&c->slot_count : &c->carried_count;

		c->first[i] = *count;
		*count += carry_elements(c->info, i);
	}
}

static struct carry *carry_new(const struct trace_info *info)
{
	struct carry *c = xcalloc(1, sizeof(*c));

	c->info = info;
	c->first = xcalloc(info->site_count, sizeof(*c->first));
	number_sites(c);
	c->slots = xcalloc(c->slot_count, sizeof(*c->slots));
	c->carried = xcalloc(c->carried_count, sizeof(*c->carried));
	for (uint32_t i = 0; i < info->site_count; i++)
		for (uint32_t e = 0; info->sites[i].op == OP_LD &&
				     e < carry_elements(info, i); e++)
			c->slots[c->first[i] + e].site = i;
	return c;
}

void carry_free(struct carry *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->carried_count; i++)
		free(c->carried[i].slots);
	free(c->carried);
	free(c->slots);
	free(c->first);
	free(c);
}

static void all_slots(const struct carry *c, struct carried *to)
{
	to->seen = true;
	to->slots = xcalloc(c->slot_count, sizeof(*to->slots));
	for (size_t i = 0; i < c->slot_count; i++)
		to->slots[to->count++] = (uint32_t)i;
}

static void keep_fitting(const struct carry *c, struct carried *to,
			 uint32_t lane, double value)
{
	size_t kept = 0;

	if (value == 0)
		return;
	if (!to->seen)
		all_slots(c, to);
	for (size_t i = 0; i < to->count; i++) {
		const struct slot *s = &c->slots[to->slots[i]];

		if (s->known >> lane & 1 && s->value[lane] == value)
			to->slots[kept++] = to->slots[i];
	}
	to->count = kept;
}

static void learn_lane(struct carry *c, const struct trace_request *r,
		       uint32_t lane)
{
	const struct trace_site *s = &c->info->sites[r->site];
	const struct trace_array *a = &c->info->arrays[s->array];

	for (uint32_t e = 0; e < carry_elements(c->info, r->site); e++) {
		size_t at = c->first[r->site] + e;
		double v;

		if (!element_value(a->elem, &r->value[lane * 4],
				   e * a->elem_bytes, &v))
			return;
		if (s->op == OP_ST) {
			keep_fitting(c, &c->carried[at], lane, v);
		} else {
			c->slots[at].known |= 1u << lane;
			c->slots[at].value[lane] = v;
		}
	}
}

static int learn_warp(struct carry *c, struct trace *t, size_t warp,
		      struct error *e)
{
	struct trace_request r;

	for (size_t i = 0; i < c->slot_count; i++)
		c->slots[i].known = 0;
	for (uint32_t i = 0; i < trace_warp(t, warp)->requests; i++) {
		if (trace_get(t, warp, i, &r, e))
			return -1;
		for (uint32_t lane = 0; lane < WARP_LANES; lane++)
			if (r.mask >> lane & 1 &&
			    c->info->sites[r.site].op != OP_BARRIER)
				learn_lane(c, &r, lane);
	}
	return 0;
}

struct carry *carry_learn(struct trace *t, uint32_t block, struct error *e)
{
	struct carry *c = carry_new(trace_info(t));

	if (c->slot_count > SLOTS_MOST) {
		carry_free(c);
		error_set(e, EXIT_INPUT, "%s has too many loads to be "
			  "followed", text_show(trace_info(t)->kernel));
		return NULL;
	}
	for (size_t i = 0; i < trace_warp_count(t); i++)
		if (trace_warp(t, i)->block == block &&
		    learn_warp(c, t, i, e)) {
			carry_free(c);
			return NULL;
		}
	return c;
}

size_t carry_slot_count(const struct carry *c)
{
	return c->slot_count;
}

size_t carry_slot(const struct carry *c, uint32_t site)
{
	return c->first[site];
}

uint32_t carry_slot_site(const struct carry *c, size_t slot)
{
	return c->slots[slot].site;
}

const uint32_t *carry_sources(const struct carry *c, uint32_t site,
			      uint32_t element, size_t *count)
{
	const struct carried *from = &c->carried[c->first[site] + element];

	*count = from->count;
	return from->slots;
}
