/* view_drill_parts: pictures of what a drill's question is about, where it is
 * no request. While the question is open they do not give the answer away. */
#ifndef VIZ_VIEW_DRILL_PARTS_H
#define VIZ_VIEW_DRILL_PARTS_H

#include "viz/show.h"

void drill_fragment(struct canvas *c, struct rect r, const struct show *s);
void drill_occupancy_bars(struct canvas *c, struct rect r,
			  const struct show *s);
void drill_code(struct canvas *c, struct rect r, const struct show *s);

#endif
