/* view_drill_parts: pictures of what a drill's question is about, if it is not
 * a request. They do not show the answer while the question is open. */
#ifndef VIZ_VIEW_DRILL_PARTS_H
#define VIZ_VIEW_DRILL_PARTS_H

#include "viz/frame_model.h"

void drill_fragment(struct canvas *c, struct rect r, const struct frame_model *s);
void drill_occupancy_bars(struct canvas *c, struct rect r,
			  const struct frame_model *s);
void drill_code(struct canvas *c, struct rect r, const struct frame_model *s);

#endif
