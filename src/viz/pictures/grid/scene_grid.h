/* grid: how many products the focused thread has added to its element of C. */
#ifndef VIZ_PICTURES_GRID_SCENE_GRID_H
#define VIZ_PICTURES_GRID_SCENE_GRID_H

#include "scene/scene.h"

/* Values of scene.products that are no numbers: the thread computes its
 * products from what it loads from A and B; they cannot be told. */
#define PRODUCTS_BY_LOADS UINT32_MAX
#define PRODUCTS_UNKNOWN (UINT32_MAX - 1)

struct turns;
/* Works out scene.products. */
void scene_grid(struct stage *s, const struct turns *t);

#endif
