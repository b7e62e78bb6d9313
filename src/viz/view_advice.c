/* Draws what to change in a kernel, and what that would save. */
#include "viz/frame_model.h"

#include <stdio.h>

#include "base/text.h"
#include "scene/scene_advice.h"

#define LINE 12		/* columns of the line's number */
#define WORDS_MOST 76

/* Draws one piece of advice from the row y on. Returns the rows it takes. */
static int draw_piece(struct canvas *c, struct rect r, int y, uint32_t line,
		      const char *text)
{
	struct rect words = { r.x + LINE, r.y + y,
			      MIN(r.w - LINE, WORDS_MOST), r.h };
	char place[32] = "";

	if (line)
		snprintf(place, sizeof(place), _("line %u"), line);
	if (c)
		canvas_text(c, r.x, r.y + y, LINE - 1, place,
			    INK_BOLD(ROLE_ACCENT));
	return prose_text(c, words, 0, text, INK(ROLE_TEXT));
}

static int draw(struct canvas *c, struct rect r, int skip,
		const struct frame_model *s)
{
	const struct scene_advice *a = s->advice;
	struct rect head = { r.x, r.y - skip, MIN(r.w, WORDS_MOST + LINE),
			     r.h };
	int y = -skip;

	y += prose_text(c, head, 0, a->count ?
			_("Changes to try, the largest saving first. The model "
			  "computes each from this recording, independently of "
			  "the others.") :
			_("There is nothing to advise: no change that the "
			  "model can work out would save anything."),
			INK_BOLD(ROLE_STRONG));
	for (size_t i = 0; i < a->count; i++)
		y += 1 + draw_piece(c, r, y + 1, a->pieces[i].line,
				    a->pieces[i].text);
	return y + skip;
}

const struct overlay overlay_advice = {
	.title = N_("advice"),
	.keys = N_("A or Esc closes"),
	.keys_scroll = N_("↑ ↓ scroll, A or Esc closes"),
	.draw = draw,
};
