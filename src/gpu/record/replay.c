/*
 * replay: see replay.h.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/record/replay_parts.h"

/* ---- a block ---- */

static bool warp_recorded(const struct replay *r, uint32_t thread)
{
	return r->plan->job.warps >> (thread / WARP_LANES) & 1;
}

static bool all_recorded(const struct replay *r)
{
	uint32_t threads = plan_threads(r->plan);

	for (uint32_t t = 0; t < threads; t += WARP_LANES)
		if (!warp_recorded(r, t))
			return false;
	return true;
}

/* Returns the line of a thread's nth barrier, from 0. */
static uint32_t barrier_line(const struct replay *r,
			     const struct lane_events *l, uint32_t n)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct point_key *k = &r->keys[l->id[i]];

		if (r->ptx->sites[k->site].event == PTX_BARRIER && n-- == 0)
			return k->line;
	}
	return 0;
}

/* Adds a finding when two threads of a block passed different numbers of
 * barriers before they ended. */
static void barriers_check(struct replay *r)
{
	uint32_t threads = plan_threads(r->plan), others = 0;
	const struct lane_events *most = NULL, *least = NULL;
	struct trace_finding f = { .cause = CAUSE_BARRIER_ENDED };

	for (uint32_t t = 0; t < threads; t++) {
		const struct lane_events *l = &r->lanes[t];

		if (!warp_recorded(r, t))
			continue;
		if (l->stopped)
			return;
		if (!most || l->barriers > most->barriers)
			most = l;
		if (!least || l->barriers < least->barriers)
			least = l;
	}
	if (!most || most->barriers == least->barriers)
		return;
	for (uint32_t t = 0; t < threads; t++)
		others += warp_recorded(r, t) &&
			  r->lanes[t].barriers < most->barriers;
	f.access = most->last;
	f.access.line = barrier_line(r, most, least->barriers);
	f.other = least->last;
	f.number[0] = threads - others;
	f.number[1] = threads;
	finding_add(&r->findings, &f, NULL);
	r->tainted = true;
}

/* ---- requests ---- */

static int write_request(void *ctx, const struct trace_request *q,
			 struct error *e)
{
	struct replay *r = ctx;

	return trace_writer_add(r->writer, &r->info, q, e);
}

static int write_warp(struct replay *r, uint32_t block, uint32_t warp,
		      struct error *e)
{
	struct warp_lane lanes[WARP_LANES] = { { 0 } };
	uint32_t threads = plan_threads(r->plan);

	for (uint32_t l = 0; l < WARP_LANES; l++) {
		const struct lane_events *from = &r->lanes[warp * WARP_LANES +
							   l];

		if (warp * WARP_LANES + l >= threads)
			break;
		lanes[l].id = from->id;
		lanes[l].offset = from->offset;
		lanes[l].value = r->info.values ? from->value : NULL;
		lanes[l].count = from->count;
	}
	if (trace_writer_warp(r->writer, block, warp, e) < 0)
		return -1;
	replay_rows(&r->lanes[warp * WARP_LANES]);
	return warp_merge(lanes, r->points, &r->info, write_request, r, e);
}

int replay_block(struct replay *r, uint32_t block,
		 const struct record_event *events, const uint64_t *first,
		 const uint32_t *count, struct error *e)
{
	uint32_t threads = plan_threads(r->plan);

	for (uint32_t t = 0; t < threads; t++)
		if (warp_recorded(r, t))
			replay_thread(r, block, t, events + first[t], count[t]);
	if (r->unsized)
		return plan_shared_missing(r->unsized, e);
	barriers_check(r);
	if (all_recorded(r))
		replay_races(r, block);
	for (uint32_t w = 0; w * WARP_LANES < threads; w++)
		if (warp_recorded(r, w * WARP_LANES) &&
		    write_warp(r, block, w, e) < 0)
			return -1;
	return 0;
}

/* ---- the whole ---- */

static void files_find(struct replay *r)
{
	const char *own = file_base(r->plan->job.kernel.file);

	for (size_t i = 0; i < r->ptx->file_count; i++)
		r->file_limit = MAX(r->file_limit,
				    r->ptx->files[i].index + 1);
	r->ours = xcalloc(r->file_limit + 1, sizeof(*r->ours));
	for (size_t i = 0; i < r->ptx->file_count; i++)
		r->ours[r->ptx->files[i].index] =
			!strcmp(file_base(r->ptx->files[i].path), own);
}

struct replay *replay_new(const struct plan *p, const struct ptx *ptx,
			  const struct dwarf *names,
			  const struct debug *shared, const struct ptx *of,
			  const char *device, const char *entry,
			  uint64_t reserved, int fd)
{
	struct replay *r = xcalloc(1, sizeof(*r));

	r->plan = p;
	r->ptx = ptx;
	r->of = of;
	r->names = names;
	r->shared = shared;
	r->reserved = reserved;
	r->next_base = GLOBAL_FIRST;
	plan_info(p, "gpu", device, entry, &r->info);
	/* Loads of constant memory are not seen. */
	r->info.spaces &= ~(1u << SPACE_CONSTANT);
	r->writer = trace_writer_new(fd, p->job.values);
	files_find(r);
	for (size_t i = 0; i < ptx->site_count; i++)
		r->info.partial |= ptx->sites[i].event == PTX_UNSEEN;
	for (size_t i = 0; i < ptx->symbol_count; i++)
		if (ptx->symbols[i].space == PTX_SHARED)
			replay_place_symbol(r, &ptx->symbols[i]);
	replay_place_registers(r);
	return r;
}

void replay_arguments(struct replay *r, struct inferred_sizes *assumed)
{
	r->assumed = assumed;
	arguments_tell(assumed->arguments, assumed->count, &r->info);
}

uint64_t replay_events(const struct replay *r)
{
	return r->events;
}

struct findings *replay_findings(struct replay *r)
{
	return &r->findings;
}

struct trace_info *replay_info(struct replay *r)
{
	return &r->info;
}

bool replay_tainted(const struct replay *r)
{
	return r->tainted;
}

int replay_finish(struct replay *r, bool partial, struct error *e)
{
	int rc;

	r->info.partial = r->info.partial || partial || r->tainted;
	if (r->assumed)
		inferred_note(r->assumed, &r->findings, &r->info);
	findings_take(&r->findings, &r->info);
	rc = trace_writer_finish(r->writer, &r->info, e);
	r->writer = NULL;
	return rc;
}

void replay_free(struct replay *r)
{
	if (!r)
		return;
	trace_writer_free(r->writer);
	trace_info_done(&r->info);
	findings_done(&r->findings);
	for (size_t i = 0; i < r->place_count; i++) {
		free(r->places[i].info.name);
		replay_shadow_drop(&r->places[i]);
	}
	free(r->places);
	free(r->points);
	free(r->keys);
	free(r->result_used);
	free(r->expects);
	free(r->began);
	free(r->began_epoch);
	for (size_t i = 0; i < r->began_count; i++)
		free(r->looks[i].list);
	free(r->looks);
	free(r->suspects);
	sync_variables_done(&r->variables);
	map_done(&r->points_by_key);
	for (size_t i = 0; i < THREADS_MAX; i++) {
		free(r->lanes[i].id);
		free(r->lanes[i].offset);
		free(r->lanes[i].value);
		free(r->lanes[i].syncs);
		free(r->lanes[i].rows);
	}
	free(r->ours);
	free(r);
}
