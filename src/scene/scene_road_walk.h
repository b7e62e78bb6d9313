/* scene_road_walk: collects the data of scene_road.h from a cluster's requests,
 * in one order in which they may have been executed. */
#ifndef SCENE_SCENE_ROAD_WALK_H
#define SCENE_SCENE_ROAD_WALK_H

#include "scene/scene_road.h"

/* An arrival or a wait at a phase of an mbarrier. */
struct road_meet {
	uint32_t array, phase, block, number, request, mask;
	uint64_t at, comes, when;
	size_t warp;			/* in the trace */
};

struct road_warp {
	size_t index;			/* in the trace */
	uint32_t block, number;
	uint64_t *when;			/* by request */
	uint32_t requests;
	uint32_t expecting, reading;	/* uses, or ROAD_NONE */
	/* Its last read that counts: site and request, or ROAD_NONE. */
	uint32_t read_site, read_request;
	/* Its last wait, in meets + 1 (0: none since it was used), and whether
	 * that is not over yet. */
	size_t wait;
	bool waits;
	uint32_t ordering;		/* the box ordered last */
};

/* How many arrivals an mbarrier waits for. */
struct road_count { uint32_t block, array, count; uint64_t at; };

struct road_walk {
	const struct stage *stage;
	struct road *road;
	struct road_warp *warps;
	size_t warp_count, warp_capacity;
	struct road_meet *waits, *arrivals;
	size_t wait_count, wait_capacity, arrival_count, arrival_capacity;
	struct road_count *counts;
	size_t count_count, count_capacity;
};

void road_walk(struct road_walk *w, struct stage *s, struct road *road,
	       uint32_t block);
void road_walk_done(struct road_walk *w);

#endif
