/* scene_opening: the position at which a trace is opened. */
#ifndef APP_SCENE_OPENING_H
#define APP_SCENE_OPENING_H

#include "scene/scene.h"

/* Sets the cursor's warp and request to the moment at which the kernel's idea
 * shows, in the first block that requests anything; false: the trace has none,
 * and they are of its first request. */
bool stage_opening(struct stage *s, struct cursor *p);

#endif
