/* value_flow: finds the loads that a store's value may have come from. See
 * value_flow.h. */
#include "provenance/value_flow.h"

#include <stdlib.h>

#include "base/text.h"

/* Far above what a compiler makes of a kernel that unrolls its loops. */
#define SLOTS_MOST (1u << 12)

/* The slots that one unit of a store site may come from; each store may remove
 * some. */
struct carried {
	bool seen;		/* with another value than zero */
	uint32_t *slots;
	size_t count;
};

struct load_slot {
	uint32_t site;
	uint32_t known;		/* lanes that have loaded */
	double value[WARP_LANES];
};

struct value_flow {
	const struct trace_info *info;
	struct value_flow_unit like;
	size_t *first;		/* by site: its first slot or carried */
	struct load_slot *slots;
	size_t slot_count;
	struct carried *carried;
	size_t carried_count;
};

static bool is_real(enum elem elem)
{
	return elem == ELEM_F32 || elem == ELEM_F64 || elem == ELEM_F16 ||
	       elem == ELEM_BF16;
}

struct value_flow_unit value_flow_unit(const struct value_flow *c,
				       uint32_t array)
{
	const struct trace_array *a = &c->info->arrays[array];

	return !is_real(a->elem) && a->elem_bytes > c->like.bytes &&
			       a->elem_bytes % c->like.bytes == 0 ?
		       c->like :
		       (struct value_flow_unit){ a->elem, a->elem_bytes };
}

uint32_t value_flow_units(const struct value_flow *c, uint32_t site)
{
	const struct trace_site *s = &c->info->sites[site];

	return !op_is_access(s->op) ?
		       0 :
		       s->bytes / value_flow_unit(c, s->array).bytes;
}

/* Returns whether two sites are the same load in a function that is called for
 * several arrays. */
static bool same_load(const struct value_flow *c, uint32_t i, uint32_t j)
{
	const struct trace_site *s = &c->info->sites[i];
	const struct trace_site *t = &c->info->sites[j];

	return s->op == OP_LD && t->op == OP_LD && s->column &&
	       s->column == t->column && s->line == t->line &&
	       value_flow_units(c, i) == value_flow_units(c, j);
}

static void number_sites(struct value_flow *c)
{
	for (uint32_t i = 0; i < c->info->site_count; i++) {
		size_t *count = c->info->sites[i].op == OP_LD ?
				&c->slot_count : &c->carried_count;
		uint32_t same = 0;

		while (same < i && !same_load(c, i, same))
			same++;
		c->first[i] = same < i ? c->first[same] : *count;
		if (same < i)
			continue;
		*count += value_flow_units(c, i);
	}
}

static struct value_flow *value_flow_new(const struct trace_info *info,
					 const struct trace_array *like)
{
	struct value_flow *c = xcalloc(1, sizeof(*c));

	c->info = info;
	c->like = (struct value_flow_unit){ like->elem, like->elem_bytes };
	c->first = xcalloc(info->site_count, sizeof(*c->first));
	number_sites(c);
	c->slots = xcalloc(c->slot_count, sizeof(*c->slots));
	c->carried = xcalloc(c->carried_count, sizeof(*c->carried));
	for (uint32_t i = 0; i < info->site_count; i++)
		for (uint32_t e = 0;
		     info->sites[i].op == OP_LD && e < value_flow_units(c, i);
		     e++)
			c->slots[c->first[i] + e].site = i;
	return c;
}

void value_flow_free(struct value_flow *c)
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

static void all_slots(const struct value_flow *c, struct carried *to)
{
	to->seen = true;
	to->slots = xcalloc(c->slot_count, sizeof(*to->slots));
	for (size_t i = 0; i < c->slot_count; i++)
		to->slots[to->count++] = (uint32_t)i;
}

static void keep_fitting(const struct value_flow *c, struct carried *to,
			 uint32_t lane, double value)
{
	size_t kept = 0;

	if (value == 0)
		return;
	if (!to->seen)
		all_slots(c, to);
	for (size_t i = 0; i < to->count; i++) {
		const struct load_slot *s = &c->slots[to->slots[i]];

		if (s->known >> lane & 1 && s->value[lane] == value)
			to->slots[kept++] = to->slots[i];
	}
	to->count = kept;
}

static void learn_lane(struct value_flow *c, const struct trace_request *r,
		       uint32_t lane)
{
	const struct trace_site *s = &c->info->sites[r->site];
	struct value_flow_unit unit = value_flow_unit(c, s->array);

	for (uint32_t e = 0; e < value_flow_units(c, r->site); e++) {
		size_t at = c->first[r->site] + e;
		double v;

		if (!element_value(unit.elem, &r->value[lane * 4],
				   e * unit.bytes, &v))
			return;
		if (s->op == OP_ST) {
			keep_fitting(c, &c->carried[at], lane, v);
		} else {
			c->slots[at].known |= 1u << lane;
			c->slots[at].value[lane] = v;
		}
	}
}

/* Returns whether a site is a load from global memory or a store to shared
 * memory. */
static bool is_copy_site(const struct trace_info *info, uint32_t site)
{
	const struct trace_site *s = &info->sites[site];

	return op_is_access(s->op) && info->arrays[s->array].space ==
	       (s->op == OP_LD ? SPACE_GLOBAL : SPACE_SHARED);
}

static int learn_warp(struct value_flow *c, struct trace *t, size_t warp,
		      uint32_t most, struct error *e)
{
	uint32_t requests = trace_warp(t, warp)->requests;
	struct trace_request r;

	for (size_t i = 0; i < c->slot_count; i++)
		c->slots[i].known = 0;
	for (uint32_t i = 0; i < MIN(requests, most); i++) {
		uint32_t site;

		if (trace_get_site(t, warp, i, &site, e))
			return -1;
		if (most < UINT32_MAX && !is_copy_site(c->info, site))
			continue;
		if (trace_get(t, warp, i, &r, e))
			return -1;
		for (uint32_t lane = 0; lane < WARP_LANES; lane++)
			if (r.mask >> lane & 1 &&
			    op_is_access(c->info->sites[r.site].op))
				learn_lane(c, &r, lane);
	}
	return 0;
}

struct value_flow *value_flow_learn_copies(struct trace *t, uint32_t block,
					   const struct trace_array *like,
					   uint32_t most, struct error *e)
{
	struct value_flow *c = NULL;

	if (trace_info(t)->site_count <= SLOTS_MOST)
		c = value_flow_new(trace_info(t), like);
	if (!c || c->slot_count > SLOTS_MOST) {
		value_flow_free(c);
		error_set(e, EXIT_INPUT, "%s has too many loads to be "
			  "followed", text_show(trace_info(t)->kernel));
		return NULL;
	}
	for (size_t i = 0; i < trace_warp_count(t); i++)
		if (trace_warp(t, i)->block == block &&
		    learn_warp(c, t, i, most, e)) {
			value_flow_free(c);
			return NULL;
		}
	return c;
}

struct value_flow *value_flow_learn(struct trace *t, uint32_t block,
				    const struct trace_array *like,
				    struct error *e)
{
	return value_flow_learn_copies(t, block, like, UINT32_MAX, e);
}

size_t value_flow_slot_count(const struct value_flow *c)
{
	return c->slot_count;
}

size_t value_flow_slot(const struct value_flow *c, uint32_t site)
{
	return c->first[site];
}

uint32_t value_flow_slot_site(const struct value_flow *c, size_t slot)
{
	return c->slots[slot].site;
}

const uint32_t *value_flow_sources(const struct value_flow *c, uint32_t site,
				   uint32_t unit, size_t *count)
{
	const struct carried *from = &c->carried[c->first[site] + unit];

	*count = from->count;
	return from->slots;
}
