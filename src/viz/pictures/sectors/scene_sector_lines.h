/*
 * scene_sector_lines: what each line that accesses global memory costs: the sectors
 * of the warp's first request there.
 */
#ifndef VIZ_PICTURES_SECTORS_SCENE_SECTOR_LINES_H
#define VIZ_PICTURES_SECTORS_SCENE_SECTOR_LINES_H

#include "scene/scene.h"

/* The most accesses that are compared. */
#define SECTOR_LINES 4

struct sector_line {
	const struct trace_site *site;
	uint32_t first;		/* the warp's first request there */
	int sectors, ideal;	/* of the request, and the fewest for its bytes */
};

struct sector_lines {
	int count;
	struct sector_line line[SECTOR_LINES];	/* as the warp reaches them */
};

struct stage;
/* Works out scene.line_sectors of the accesses up to the cursor's, for those to
 * come may be asked for; none if there are more than SECTOR_LINES. */
void scene_sector_lines(struct stage *s);

#endif
