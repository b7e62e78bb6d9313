/*
 * defect: what the parts of the picture of a defect share. The thread of the
 * finding and the other thread have a colour each.
 */
#ifndef VIZ_PICTURES_DEFECT_DEFECT_H
#define VIZ_PICTURES_DEFECT_DEFECT_H

#include "viz/defect_words.h"
#include "viz/frame_model.h"

#define ROLE_WHO ROLE_HUE0
#define ROLE_OTHER ROLE_HUE1

/* Returns the array that the finding's element is in, or NULL. */
const struct stage_array *defect_array(const struct scene *sc);
void defect_array_draw(struct canvas *c, struct rect r, const struct frame_model *s);

#endif
