/* Draws the topics of drills, each with the key that opens it. */
#include "viz/frame_model.h"

#include <stdio.h>

#define NAME 5		/* columns of the key's name */

/* Draws one topic from row y of r on. Returns the rows it takes. */
static int draw_topic(struct canvas *c, struct rect r, int y, const char *key,
		      const char *title, const char *words)
{
	struct rect in = { r.x + NAME, r.y + y, r.w - NAME, r.h };
	int rows;

	if (c)
		canvas_text(c, r.x, in.y, NAME - 1, key,
			    INK_BOLD(ROLE_ACCENT));
	rows = prose_text(c, in, 0, title, INK_BOLD(ROLE_STRONG));
	in.y += rows;
	return rows + prose_text(c, in, 0, words, INK(ROLE_TEXT)) + 1;
}

static int draw(struct canvas *c, struct rect r, int skip,
		const struct frame_model *s)
{
	int y = -skip;

	(void)s;
	for (size_t i = 0; i < drill_topic_count; i++) {
		char key[24];

		snprintf(key, sizeof(key), "%zu", i + 1);
		y += draw_topic(c, r, y, key, _(drill_topics[i]->title),
				drill_level_words(drill_topics[i], 1));
	}
	y += draw_topic(c, r, y, "0 d", _("All topics"),
			_("a question of each in turn"));
	return y + skip - 1;
}

const struct overlay overlay_topics = {
	.title = N_("which drill?"),
	.keys = N_("a digit chooses, Esc closes"),
	.keys_scroll = N_("a digit chooses, Esc closes"),
	.draw = draw,
};
