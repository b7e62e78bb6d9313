/* Draws what a lesson teaches: a number, as large as possible, and a
 * sentence. */
#include "viz/frame_model.h"

#include "base/text.h"

#define WORDS_MOST 76	/* columns of the sentence: wider is hard to read */
#define SLACK 4		/* columns that a row may be shorter by */

/* Draws the number in the middle of r. Returns the rows it takes. */
static int draw_learned_number(struct canvas *c, struct rect r,
			       const char *number)
{
	int rows, w = kit_digits(r, number, &rows);

	r.x += MAX(0, r.w - w) / 2;
	r.w = w;
	kit_number(c, r, number, ROLE_ACCENT);
	return rows;
}

void view_learned(struct canvas *c, const struct frame_model *s)
{
	const struct show_lesson *l = &s->lesson;
	const char *head = _("What you learned");
	struct frame_model top = *s;
	struct rect words = { .w = MIN(c->w - 4, WORDS_MOST) }, digits;
	int rows;

	top.scene = NULL;
	view_header(c, (struct rect){ 0, 0, c->w, 1 }, &top);
	words.h = prose_text(NULL, words, 0, l->learned_words,
			     INK(ROLE_TEXT));
	/* Its lines are of about equal length. */
	words.w = MIN(words.w, text_width(l->learned_words) / words.h + SLACK);
	words.h = prose_text(NULL, words, 0, l->learned_words,
			     INK(ROLE_TEXT));
	words.x = (c->w - words.w) / 2;
	/* The number gets the rows that heading, sentence and keys leave, with
	 * a row or two between them. */
	digits = (struct rect){ 2, 4, c->w - 4, c->h - words.h - 8 };
	kit_digits(digits, l->learned, &rows);
	digits.y += MAX(0, digits.h - rows) / 2;
	canvas_text(c, MAX(2, (c->w - text_width(head)) / 2), digits.y - 2,
		    c->w - 4, head, INK(ROLE_DIM));
	draw_learned_number(c, digits, l->learned);
	words.y = digits.y + rows + 2;
	prose_text(c, words, 0, l->learned_words, INK_BOLD(ROLE_STRONG));
	if (l->learned_rung && words.y + words.h + 2 < c->h - 1)
		canvas_text(c, MAX(2, (c->w - text_width(l->learned_rung)) / 2),
			    words.y + words.h + 1, c->w - 4, l->learned_rung,
			    INK(ROLE_ACCENT));
	view_keys(c, (struct rect){ 0, c->h - 1, c->w, 1 }, s);
}
