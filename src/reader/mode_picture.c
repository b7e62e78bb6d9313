/* The keys that mean something in the picture on the screen alone. */
#include "reader/mode.h"

static bool on(const struct reader *r)
{
	return r->show.pane == PANE_PICTURE && r->show.scene &&
	       r->show.scene->site && view_picture(&r->show)->key_count;
}

static bool rest(struct reader *r, uint32_t key)
{
	const struct view *v = view_picture(&r->show);

	for (size_t i = 0; i < v->key_count; i++)
		for (size_t k = 0; k < LENGTH(v->keys[i].keys); k++)
			if (v->keys[i].keys[k] == key) {
				v->keys[i].turn(&r->show.turns, r->show.scene,
						v->keys[i].by);
				return true;
			}
	return false;
}

const struct mode mode_picture = {
	.on = on,
	.rest = rest,
	.below = &mode_step,
};
