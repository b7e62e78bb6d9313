/*
 * output: see output.h.
 */
#include "emu/output.h"

#include <string.h>

#include "trace/warp.h"
#include "emu/fibre.h"
#include "emu/load_order.h"
#include "emu/parked_blocks.h"

/* Events of a block from which on they are written at a barrier: as many as a
 * processor has in its cache. */
#define EVENTS_KEPT (1u << 16)

/* The output whose block runs, if its events may be written before it has
 * ended, and that block: others may have their turn while it waits. */
static struct trace_output *running;
static uint32_t running_block;
/* The merges of the warps of the block that is being written. */
static struct warp_merge *merges[BLOCK_THREADS_MAX / WARP_LANES];

/* ---- the tables ---- */

uint32_t output_array(struct trace_output *o, struct array *a)
{
	struct trace_info *i = &o->info;

	if (a->number != TRACE_NO_ARRAY)
		return a->number;
	grow(&i->arrays, &o->array_capacity, i->array_count + 1,
	     sizeof(*i->arrays));
	i->arrays[i->array_count] = a->info;
	i->arrays[i->array_count].name = xstrdup(a->info.name);
	a->number = (uint32_t)i->array_count++;
	return a->number;
}

uint32_t output_site(void *ctx, const struct trace_site *site)
{
	struct trace_output *o = ctx;
	struct trace_info *i = &o->info;

	for (size_t n = 0; n < i->site_count; n++)
		if (trace_site_same(&i->sites[n], site))
			return (uint32_t)n;
	grow(&i->sites, &o->site_capacity, i->site_count + 1,
	     sizeof(*i->sites));
	i->sites[i->site_count] = *site;
	return (uint32_t)i->site_count++;
}

static uint32_t assign_site(struct trace_output *o, const struct access_site *s)
{
	struct trace_site site = {
		.line = s->line, .column = s->column, .op = s->op,
		.array = s->array ? output_array(o, s->array) :
				    TRACE_NO_ARRAY,
		.bytes = s->moved, .matrix = s->matrix, .tile = s->tile,
	};

	return output_site(o, &site);
}

/*
 * Gives sites their numbers in the order of the threads, not of their running:
 * so that the trace is the same whatever thread ran first.
 */
static void sites_number(struct trace_output *o, bool ordered)
{
	size_t left = 0;

	for (size_t i = 0; i < rec.point_count; i++)
		left += rec.points[i].kind == WARP_ACCESS &&
			rec.points[i].site == NO_SITE;
	for (uint32_t t = 0; t < rec.thread_count && left && ordered; t++)
		load_order_thread(&rec.threads[t]);
	for (uint32_t t = 0; t < rec.thread_count && left; t++) {
		const struct thread *th = &rec.threads[t];

		for (size_t i = 0; i < th->count && left; i++) {
			struct warp_point *p = &rec.points[th->id[i]];

			if (p->kind != WARP_ACCESS || p->site != NO_SITE)
				continue;
			p->site = assign_site(o, rec.point_slot[th->id[i]]);
			left--;
		}
	}
}

/* ---- requests ---- */

/* Returns whether a site's values may be addresses: whole words of a structure,
 * or a pointer. */
static bool holds_addresses(const struct trace_info *i, uint32_t site)
{
	const struct trace_site *s = &i->sites[site];

	return s->bytes % 8 == 0 && s->array != TRACE_NO_ARRAY &&
	       i->arrays[s->array].elem == ELEM_RAW;
}

/* Addresses in a trace of the threads' own memory, which is the same for each
 * of them as on a GPU, and of the module's functions and constants. */
#define LOCAL_BASE (1ull << 40)
#define MODULE_BASE (2ull << 40)

/* Returns the address that a trace has in place of one of this process, which
 * differs in each run; a value that is no address stays. */
static uint64_t address_told(const struct trace_output *o, uint64_t v)
{
	const struct module *m = o->launch->module;
	const struct array *a = v ? memory_at(&rec.memory, v, 1) : NULL;
	uintptr_t off;

	if (a)
		return a->info.base + (v - a->lo);
	if (fibre_offset(v, &off))
		return LOCAL_BASE + off;
	return v - m->load < m->bytes ? MODULE_BASE + (v - m->load) : v;
}

static void addresses_tell(const struct trace_output *o,
			   struct trace_request *r)
{
	uint32_t bytes = o->info.sites[r->site].bytes;

	for (uint32_t l = 0; l < WARP_LANES; l++)
		for (uint32_t i = 0; r->mask >> l & 1 && i < bytes / 4;
		     i += 2) {
			uint64_t v;

			memcpy(&v, &r->value[l * 4 + i], sizeof(v));
			v = address_told(o, v);
			memcpy(&r->value[l * 4 + i], &v, sizeof(v));
		}
}

static int sink(void *ctx, const struct trace_request *r, struct error *e)
{
	struct trace_output *o = ctx;
	struct trace_request told;

	if (rec.values && holds_addresses(&o->info, r->site)) {
		told = *r;
		addresses_tell(o, &told);
		r = &told;
	}
	return trace_writer_add(o->writer, &o->info, r, e);
}

static void lanes_take(struct warp_lane lanes[WARP_LANES], uint32_t warp)
{
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		const struct thread *t = &rec.threads[warp * WARP_LANES + l];

		if (warp * WARP_LANES + l >= rec.thread_count)
			break;
		lanes[l].id = t->id;
		lanes[l].offset = t->offset;
		lanes[l].value = rec.values ? t->value : NULL;
		lanes[l].count = t->count;
	}
}

/* Writes a warp's events. Most often all lanes do the same: then their order is
 * found once. */
static int write_warp_events(struct trace_output *o, uint32_t warp,
			     bool ordered, struct error *e)
{
	struct thread *first = &rec.threads[warp * WARP_LANES];
	struct warp_lane lanes[WARP_LANES] = { { 0 } };
	struct warp_merge **m = &merges[warp];

	lanes_take(lanes, warp);
	*m = *m ? *m : warp_merge_new();
	if (ordered && first->count && warp_merge_same(*m, lanes)) {
		size_t count;
		const struct warp_step *steps = load_order_steps(first,
								 &count);

		return warp_merge_steps(*m, lanes, steps, count, rec.points,
					&o->info, sink, o, e);
	}
	for (uint32_t l = 0; ordered && l < WARP_LANES; l++)
		if (lanes[l].count)
			load_order_thread(&first[l]);
	return warp_merge_more(*m, lanes, rec.points, &o->info, sink, o, e);
}

static int warps_write(struct trace_output *o, uint32_t block, struct error *e)
{
	uint32_t warps = (rec.thread_count + WARP_LANES - 1) / WARP_LANES;
	bool ordered = load_order_know();

	sites_number(o, ordered);
	for (uint32_t w = 0; o->writer && !o->launch->only_findings &&
			     w < warps; w++)
		if (o->launch->plan.job.warps >> w & 1 &&
		    (trace_writer_warp(o->writer, block, w, e) < 0 ||
		     write_warp_events(o, w, ordered, e) < 0))
			return -1;
	return 0;
}

/* ---- at barriers ---- */

static size_t events_kept(void)
{
	size_t events = 0;

	for (uint32_t i = 0; i < rec.thread_count; i++)
		events += rec.threads[i].count;
	return events;
}

void output_barrier(void)
{
	struct error e;		/* which the writer has, too */

	if (!running || rec.block_number != running_block || rec.tainted ||
	    events_kept() < EVENTS_KEPT)
		return;
	warps_write(running, rec.block_number, &e);
	for (uint32_t i = 0; i < rec.thread_count; i++) {
		struct thread *t = &rec.threads[i];

		t->count = t->words = t->controls = 0;
	}
}

/* ---- clusters ---- */

static void merges_forget(void)
{
	for (size_t w = 0; w < LENGTH(merges); w++) {
		warp_merge_free(merges[w]);
		merges[w] = NULL;
	}
}

void output_cluster(struct trace_output *o, uint32_t first, uint32_t record)
{
	merges_forget();
	if (rec.cluster == 1 && !parked_any())
		running = o;
	running_block = first;
	cluster_run(first, record);
	running = NULL;
}

int output_block(struct trace_output *o, uint32_t block, struct error *e)
{
	int rc = warps_write(o, block, e);

	merges_forget();
	return rc;
}
