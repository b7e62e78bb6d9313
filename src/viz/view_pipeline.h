/* view_pipeline: what the files of this picture share. */
#ifndef VIZ_VIEW_PIPELINE_H
#define VIZ_VIEW_PIPELINE_H

#include "viz/show.h"

/* Draws in the row r what was measured of this kernel, bright, and of those
 * around it; the unit stands in the label's columns. */
void pipeline_measured(struct canvas *c, struct rect label, struct rect r,
		       const struct show *s);

#endif
