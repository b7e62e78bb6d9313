/* pattern_sync: the sentence of a request that is no load or store: barriers,
 * and Hopper's arrivals, waits and asynchronous operations. */
#include "base/lang.h"
#include "analysis/pattern_lanes.h"

/* Who, how many of them, and where. */
struct sync_operation {
	const struct trace_site *site;
	const struct trace_array *array;
	char lanes[80], element[160];
	unsigned long count;
	const uint32_t *words;		/* of the first lane */
	bool values;
};

static void say_arrive(struct str *out, const struct sync_operation *d)
{
	if (!d->values)
		str_addf(out, ngettext("lane %1$s arrives at %2$s.",
				       "lanes %1$s arrive at %2$s.", d->count),
			 d->lanes, d->element);
	else if (d->words[1] == 0)
		str_addf(out, ngettext("lane %1$s arrives at %2$s, in its "
				       "phase %3$u.",
				       "lanes %1$s arrive at %2$s, in its "
				       "phase %3$u.", d->count),
			 d->lanes, d->element, d->words[0]);
	else
		str_addf(out, ngettext("lane %1$s arrives at %2$s, whose phase "
				       "%3$u then waits for %4$u bytes as "
				       "well.",
				       "lanes %1$s arrive at %2$s, whose phase "
				       "%3$u then waits for %4$u bytes as "
				       "well.", d->count),
			 d->lanes, d->element, d->words[0], d->words[1]);
}

static void say_wait(struct str *out, const struct sync_operation *d)
{
	if (!d->values)
		str_addf(out, ngettext("lane %1$s waits for %2$s.",
				       "lanes %1$s wait for %2$s.", d->count),
			 d->lanes, d->element);
	else if (d->words[0] == UINT32_MAX)
		str_addf(out, ngettext("lane %1$s passes: no phase of %2$s "
				       "has completed yet.",
				       "lanes %1$s pass: no phase of %2$s "
				       "has completed yet.", d->count),
			 d->lanes, d->element);
	else
		str_addf(out, ngettext("lane %1$s waits until phase %3$u of "
				       "%2$s has completed.",
				       "lanes %1$s wait until phase %3$u of "
				       "%2$s has completed.", d->count),
			 d->lanes, d->element, d->words[0]);
}

/* Writes the extent of a box or operand, such as "64×128 elements", all parts
 * of an operand side by side. */
static void say_extent(char *buf, size_t size, const struct trace_site *s)
{
	const struct trace_tile *t = &s->tile;

	if (t->rows)
		snprintf(buf, size, _("%1$u×%2$u elements"), t->rows,
			 t->columns * t->parts);
	else
		snprintf(buf, size, _("%u bytes"), s->bytes);
}

static void say_tile(struct str *out, const struct trace_tile *t)
{
	if (t->swizzle)
		str_addf(out, _(" Its 16-byte chunks are swizzled within %u "
				"bytes."), t->swizzle);
	if (__builtin_popcount(t->blocks) > 1)
		str_addf(out, _(" It goes to %d blocks of the cluster."),
			 __builtin_popcount(t->blocks));
	else if (t->blocks)
		str_addf(out, _(" It goes to block %d of the cluster alone."),
			 __builtin_ctz(t->blocks));
}

static void say_box(struct str *out, const struct sync_operation *d)
{
	bool from = (d->site->op == OP_TMA_LD) ==
		    (d->array->space == SPACE_GLOBAL);
	char extent[64];

	say_extent(extent, sizeof(extent), d->site);
	str_addf(out, from ?
		 ngettext("lane %1$s starts a TMA copy that reads a box of "
			  "%3$s, beginning at %2$s.",
			  "lanes %1$s each start a TMA copy that reads a box "
			  "of %3$s, beginning at %2$s.", d->count) :
		 ngettext("lane %1$s starts a TMA copy that writes a box of "
			  "%3$s, beginning at %2$s.",
			  "lanes %1$s each start a TMA copy that writes a box "
			  "of %3$s, beginning at %2$s.", d->count),
		 d->lanes, d->element, extent);
	say_tile(out, &d->site->tile);
}

static void say_product(struct str *out, const struct sync_operation *d)
{
	char extent[64];

	say_extent(extent, sizeof(extent), d->site);
	str_addf(out, ngettext("lane %1$s and its warpgroup start a product "
			       "with a tile of %3$s, beginning at %2$s.",
			       "lanes %1$s and their warpgroup start a product "
			       "with a tile of %3$s, beginning at %2$s.",
			       d->count),
		 d->lanes, d->element, extent);
	say_tile(out, &d->site->tile);
}

static void say_barrier(struct str *out, const struct sync_operation *d)
{
	str_addf(out, ngettext("lane %1$s waits at the barrier for all threads "
			       "of the block.",
			       "lanes %1$s wait at the barrier for all threads "
			       "of the block.", d->count),
		 d->lanes);
}

static void say_sync(struct str *out, const struct sync_operation *d)
{
	str_addf(out, ngettext("lane %1$s waits for its own operations, or for "
			       "threads to synchronize with.",
			       "lanes %1$s wait for their own operations, or "
			       "for threads to synchronize with.", d->count),
		 d->lanes);
}

void pattern_sync_text(struct str *out, const struct trace_info *info,
		  const struct trace_request *r)
{
	static void (*const say[OP_COUNT])(struct str *,
					    const struct sync_operation *) = {
		[OP_BARRIER] = say_barrier, [OP_SYNC] = say_sync,
		[OP_MBAR_ARRIVE] = say_arrive, [OP_MBAR_WAIT] = say_wait,
		[OP_TMA_LD] = say_box, [OP_TMA_ST] = say_box,
		[OP_WGMMA] = say_product,
	};
	uint32_t first = (uint32_t)__builtin_ctz(r->mask);
	struct sync_operation d = { .site = &info->sites[r->site],
			  .count = (unsigned)__builtin_popcount(r->mask),
			  .words = &r->value[4 * first],
			  .values = info->values };

	pattern_lanes(r->mask, d.lanes, sizeof(d.lanes));
	if (op_has_array(d.site->op)) {
		d.array = &info->arrays[d.site->array];
		array_element(d.array, r->offset[first], d.array->elem_bytes,
			      d.element, sizeof(d.element));
	}
	if (say[d.site->op])
		say[d.site->op](out, &d);
}
