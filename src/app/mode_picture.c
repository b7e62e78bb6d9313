/* mode_picture: the keys of the picture on the screen. */
#include "app/mode.h"

static bool on(const struct reader *r)
{
	return r->show.pane == PANE_PICTURE && r->show.scene &&
	       r->show.scene->site && view_picture(&r->show)->key_count;
}

static void press_key(struct reader *r, const struct view_key *k)
{
	const struct view *v = view_picture(&r->show);

	if (k->turn) {
		k->turn(&r->show.turns, r->show.scene, k->by);
		if (k->moves && !reader_asking(r))
			motion_step(r, 2 * MOTION_SECONDS);
		return;
	}
	if ((v->seconds || !reader_asking(r)) &&
		 k->move(r->show.scene, reader_cursor(r), k->by))
		motion_step(r, v->seconds ? v->seconds(r->show.scene) :
					    MOTION_SECONDS);
}

/* Returns whether the picture has the key here: one that the key bar leaves out
 * goes to the step. */
static bool can_press(const struct reader *r, const struct view_key *k)
{
	return (k->turn || k->move) && (!k->has || k->has(r->show.scene));
}

static bool rest(struct reader *r, uint32_t key)
{
	const struct view *v = view_picture(&r->show);

	for (size_t i = 0; i < v->key_count; i++)
		for (size_t k = 0; k < LENGTH(v->keys[i].keys); k++)
			if (v->keys[i].keys[k] == key &&
			    can_press(r, &v->keys[i])) {
				press_key(r, &v->keys[i]);
				return true;
			}
	return false;
}

const struct mode mode_picture = {
	.on = on,
	.rest = rest,
	.below = &mode_step,
};
