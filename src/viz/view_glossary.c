/* The glossary: terms and what they mean. */
#include "viz/frame_model.h"

#include <stdio.h>

#include "base/text.h"

#define TERM 22		/* columns of the terms ... */
#define TERM_WIDE 32	/* ... where there is more room */
#define WORDS_MOST 76	/* columns of what they mean */
#define INDENT 2	/* of what they mean, where it stands below */

/* A column of the page: where the next term goes. c NULL: it only counts
 * rows. */
struct column {
	struct canvas *c;
	struct rect r;
	int y;			/* rows below r.y; negative: scrolled away */
};

/* Writes "bank conflict (conflict)"; in another language the English term comes
 * second. */
static void term_words(char *buf, size_t size, const struct glossary_term *t)
{
	bool translated = t->form_count > 1 && (t->forms[0][0] & 0x80);

	snprintf(buf, size, translated ? "%s  %s" : "%s", t->forms[0],
		 translated ? t->forms[1] : "");
}

static void draw_column_text(struct column *at, int x, int w, const char *text,
			     struct ink ink)
{
	struct rect r = { at->r.x + x, at->r.y + at->y, w, at->r.h };

	at->y += prose_text(at->c, r, 0, text, ink);
}

/* Draws a term and its meaning, at its right if it fits, else below it. */
static void draw_term(struct column *at, const struct glossary_term *t)
{
	bool beside = at->r.w >= 60;
	int room = at->r.w >= 100 ? TERM_WIDE : TERM;
	int left = beside ? room : INDENT;
	char name[128];

	term_words(name, sizeof(name), t);
	beside &= text_width(name) < room;
	if (at->c)
		canvas_text(at->c, at->r.x, at->r.y + at->y, at->r.w, name,
			    INK_BOLD(ROLE_ACCENT));
	at->y += !beside;
	draw_column_text(at, left, MIN(at->r.w - left, WORDS_MOST), t->words,
			 INK(ROLE_TEXT));
}

static void draw_column_head(struct column *at, const char *head)
{
	draw_column_text(at, 0, at->r.w, head, INK_BOLD(ROLE_STRONG));
	at->y++;
}

/* Draws the terms used here, under a heading. Returns their number. */
static size_t draw_used_terms(struct column *at, const struct show_glossary *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->of->count; i++) {
		if (!s->here[i])
			continue;
		if (!n++)
			draw_column_head(at, _("Used here"));
		draw_term(at, &s->of->terms[i]);
	}
	return n;
}

static void draw_all_terms(struct column *at, const struct show_glossary *s)
{
	draw_column_head(at, _("All terms"));
	for (size_t i = 0; i < s->of->count; i++)
		draw_term(at, &s->of->terms[i]);
}

/* Draws the terms used here, then all terms: below or, on a wide screen, at the
 * right. */
static int draw(struct canvas *c, struct rect r, int skip,
		const struct frame_model *s)
{
	const struct show_glossary *g = &s->glossary;
	struct column at = { .c = c, .r = r, .y = -skip };
	int rows;

	if (r.w >= 170)
		at.r.w = r.w / 2 - 1;
	if (draw_used_terms(&at, g) && r.w >= 170) {
		rows = at.y + skip;
		at = (struct column){ .c = c, .y = -skip,
			.r = { r.x + r.w / 2 + 1, r.y, r.w / 2 - 1, r.h } };
		draw_all_terms(&at, g);
		return MAX(rows, at.y + skip);
	}
	at.y += at.y > -skip;
	draw_all_terms(&at, g);
	return at.y + skip;
}

int glossary_row(const struct frame_model *s, struct rect r, size_t term)
{
	const struct show_glossary *g = &s->glossary;
	struct column at = { .r = r };

	if (r.w >= 170)
		at.r.w = r.w / 2 - 1;
	if (draw_used_terms(&at, g) && r.w >= 170)
		at.y = 0;
	at.y += at.y > 0;
	draw_column_head(&at, _("All terms"));
	for (size_t i = 0; i < term && i < g->of->count; i++)
		draw_term(&at, &g->of->terms[i]);
	return at.y;
}

const struct overlay overlay_glossary = {
	.title = N_("glossary"),
	.keys = N_("i or Esc closes"),
	.keys_scroll = N_("↑ ↓ scroll, / searches, i or Esc closes"),
	.draw = draw,
};
