#include "viz/pictures/sectors/scene_sector_lines.h"

#include <stdlib.h>

#include "base/text.h"
#include "scene/stage.h"

/* Adds the line of a warp's first request at a site, by its place among the
 * others. Returns false if it has no room. */
static bool add_line(struct sector_lines *l, const struct stage *s,
		     uint32_t request)
{
	struct trace_request r;
	struct access_cost cost;
	struct access a;
	int at = l->count;

	if (trace_get_lanes(s->trace, s->scene.cursor.warp, request, &r, NULL) ||
	    !access_of(s->info, &r, &a) || access_cost(&a, &cost, NULL))
		return true;
	if (l->count == SECTOR_LINES)
		return false;
	for (; at > 0 && l->line[at - 1].first > request; at--)
		l->line[at] = l->line[at - 1];
	l->line[at] = (struct sector_line){ stage_site(s, r.site), request,
					    cost.sectors, cost.ideal_sectors };
	l->count++;
	return true;
}

static const struct stage_part sector_part = {
	.bytes = sizeof(struct sector_lines),
};

void scene_sector_lines(struct stage *s)
{
	const struct cursor *at = &s->scene.cursor;
	struct sector_lines *l = stage_state(s, &sector_part);
	uint8_t *only = xcalloc(s->info->site_count, sizeof(*only));
	bool room = true;

	*l = (struct sector_lines){ 0 };
	s->scene.line_sectors = l;
	for (size_t i = 0; room && i < s->info->site_count; i++) {
		uint32_t request;

		if (!(s->kinds[i] & SITE_GLOBAL))
			continue;
		only[i] = 1;
		request = trace_next(s->trace, at->warp, 0, at->request + 1,
				     only, 1);
		only[i] = 0;
		if (request <= at->request)
			room = add_line(l, s, request);
	}
	free(only);
	if (!room)
		l->count = 0;
}
