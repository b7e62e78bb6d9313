/* run: runs blocks of a kernel's machine code. See run.h. */
#include <stdlib.h>

#include "base/lang.h"
#include "machine/run_parts.h"

/* Sets a warp to the beginning of the code. */
static void begin_warp(struct machine_run *r, uint32_t number)
{
	struct warp *w = &r->warps[number];
	uint32_t first = number * WARP_LANES;

	memset(w, 0, sizeof(*w));
	w->number = number;
	w->p[SASS_PT] = w->p[SASS_UPT] = FULL;
	w->local = r->local + (size_t)first * r->l.local_bytes;
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		struct trace_dim t = dim_of(r->l.block, first + l);

		w->tid[0].v[l] = t.x;
		w->tid[1].v[l] = t.y;
		w->tid[2].v[l] = t.z;
		if (first + l < r->threads)
			w->live |= (uint32_t)1 << l;
	}
	w->part_count = 1;
	w->parts[0] = (struct warp_part){ .mask = w->live };
}

/* Returns whether a thread of the block has not ended. */
static bool has_living(const struct machine_run *r)
{
	for (uint32_t w = 0; w < r->warp_count; w++)
		if (r->warps[w].live)
			return true;
	return false;
}

int run_block(struct machine_run *r, uint32_t block, run_seen *seen, void *ctx,
	      struct error *e)
{
	r->at = dim_of(r->l.grid, block);
	memset(r->shared, 0, r->shared_size);
	memset(r->gates, 0, sizeof(r->gates));
	for (uint32_t w = 0; w < r->warp_count; w++)
		begin_warp(r, w);
	while (has_living(r) && !r->failed) {
		warps_run(r);
		if (!r->failed && has_living(r) && !access_log_full(r))
			run_refuse(r, NULL, _("threads wait for ever at a "
					    "barrier"));
		access_log_tell(r, seen, ctx);
	}
	access_log_tell(r, seen, ctx);
	if (!r->failed)
		return 0;
	*e = r->reason;
	return -1;
}

void run_follow(struct machine_run *r, const struct run_watch *w)
{
	r->watch = *w;
}

uint32_t run_phases(const struct machine_run *r, uint32_t warp)
{
	return r->warps[warp].phase;
}

const struct run_count *run_counts(const struct machine_run *r, uint32_t instruction)
{
	return r->counts[instruction];
}

uint64_t run_executed(const struct machine_run *r, uint32_t instruction)
{
	return r->executed[instruction];
}

uint64_t run_steps(const struct machine_run *r)
{
	return r->issued;
}

bool run_left_out(const struct machine_run *r)
{
	return r->left_out;
}
