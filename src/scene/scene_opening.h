/* scene_opening: where a reader begins who has chosen no step. */
#ifndef SCENE_SCENE_OPENING_H
#define SCENE_SCENE_OPENING_H

#include "scene/scene.h"

/* Sets the cursor's warp and request to the moment at which the kernel's idea
 * shows; false: the trace has none, and the cursor is as it was. */
bool stage_opening(struct stage *s, struct cursor *p);

#endif
