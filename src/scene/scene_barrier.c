/* A barrier of the block: which threads arrive at it. */
#include "scene/stage.h"

/* Returns the lanes of a warp that arrive at the barrier that ends a phase. */
static uint32_t find_arrived_lanes(struct stage *s, size_t warp, uint32_t phase)
{
	const struct trace_warp *tw = trace_warp(s->trace, warp);
	struct trace_request r;

	if (phase + 1 >= tw->phases ||
	    trace_get(s->trace, warp, trace_phase_start(s->trace, warp,
							phase + 1) - 1, &r,
		      NULL))
		return 0;
	return r.mask;
}

void scene_barrier(struct stage *s)
{
	struct scene *sc = &s->scene;
	struct scene_barrier *g = &sc->gate;
	struct trace_dim b = s->info->block;

	*g = (struct scene_barrier){ .threads = b.x * b.y * b.z };
	if (!sc->site || sc->site->op != OP_BARRIER ||
	    g->threads > GATE_WARPS * WARP_LANES)
		return;
	g->warps = (g->threads + WARP_LANES - 1) / WARP_LANES;
	for (uint32_t w = 0; w < g->warps; w++) {
		uint32_t lanes = MIN(g->threads - w * WARP_LANES, WARP_LANES);
		long at = trace_find_warp(s->trace, sc->warp.block, w);

		g->warp[w].lanes = lanes < WARP_LANES ? (1u << lanes) - 1 :
							UINT32_MAX;
		g->warp[w].come =
			at < 0 ? g->warp[w].lanes :
				 find_arrived_lanes(s, (size_t)at, sc->phase);
		g->missing += (uint32_t)__builtin_popcount(
			g->warp[w].lanes & ~g->warp[w].come);
	}
}
