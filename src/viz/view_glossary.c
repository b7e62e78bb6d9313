/* The glossary: terms and what they mean. */
#include "viz/show.h"

#include <stdio.h>

#include "base/text.h"

#define TERM 22		/* columns of the terms ... */
#define TERM_WIDE 32	/* ... where there is more room */
#define WORDS_MOST 76	/* columns of what they mean */
#define INDENT 2	/* of what they mean, where it stands below */

/* A column of the picture: where the next term goes. c NULL: it only counts. */
struct column {
	struct canvas *c;
	struct rect r;
	int y;			/* rows below r.y; negative: scrolled away */
};

/* "bank conflict (conflict)": in another language the English term stands
 * behind. */
static void term_words(char *buf, size_t size, const struct glossary_term *t)
{
	bool translated = t->form_count > 1 && (t->forms[0][0] & 0x80);

	snprintf(buf, size, translated ? "%s  %s" : "%s", t->forms[0],
		 translated ? t->forms[1] : "");
}

static void draw_text(struct column *at, int x, int w, const char *text,
		      struct ink ink)
{
	struct rect r = { at->r.x + x, at->r.y + at->y, w, at->r.h };

	at->y += prose_text(at->c, r, 0, text, ink);
}

/* Beside its term where there is room, else below it. */
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
	draw_text(at, left, MIN(at->r.w - left, WORDS_MOST), t->words,
		  INK(ROLE_TEXT));
}

static void draw_head(struct column *at, const char *head)
{
	draw_text(at, 0, at->r.w, head, INK_BOLD(ROLE_STRONG));
	at->y++;
}

/* The terms used here, with their head; returns how many they are. */
static size_t draw_here(struct column *at, const struct show_glossary *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->of->count; i++) {
		if (!s->here[i])
			continue;
		if (!n++)
			draw_head(at, _("Used here"));
		draw_term(at, &s->of->terms[i]);
	}
	return n;
}

static void draw_all(struct column *at, const struct show_glossary *s)
{
	draw_head(at, _("All terms"));
	for (size_t i = 0; i < s->of->count; i++)
		draw_term(at, &s->of->terms[i]);
}

/* The terms used here, and all, below or, on a wide screen, beside them.
 * Returns the rows of all of it. */
static int draw(struct canvas *c, struct rect r, const struct show_glossary *s)
{
	struct column at = { .c = c, .r = r, .y = -s->scroll };
	int rows;

	if (r.w >= 170)
		at.r.w = r.w / 2 - 1;
	if (draw_here(&at, s) && r.w >= 170) {
		rows = at.y + s->scroll;
		at = (struct column){ .c = c, .y = -s->scroll,
			.r = { r.x + r.w / 2 + 1, r.y, r.w / 2 - 1, r.h } };
		draw_all(&at, s);
		return MAX(rows, at.y + s->scroll);
	}
	at.y += at.y > -s->scroll;
	draw_all(&at, s);
	return at.y + s->scroll;
}

static struct rect rect_of(int w, int h)
{
	return (struct rect){ 0, 1, w, h - 2 };
}

static struct rect inside_of(struct rect r)
{
	return (struct rect){ r.x + 2, r.y + 1, r.w - 4, r.h - 2 };
}

int glossary_most(const struct show *s, int w, int h)
{
	struct rect in = inside_of(rect_of(w, h));

	return MAX(0, draw(NULL, in, &s->glossary) - in.h);
}

void view_glossary(struct canvas *c, const struct show *s)
{
	struct rect r = rect_of(c->w, c->h), in = inside_of(r), old;
	int most = glossary_most(s, c->w, c->h);

	canvas_erase(c, r);
	canvas_frame(c, r, _("glossary"), r.w < 60 ? _("i or Esc closes") :
		     _("↑ ↓ scroll, i or Esc closes"), true);
	old = canvas_clip(c, in);
	draw(c, in, &s->glossary);
	canvas_clip(c, old);
	if (s->glossary.scroll)
		canvas_text(c, in.x + in.w - 1, r.y, 1, "\xe2\x96\xb2",
			    INK(ROLE_ACCENT));
	if (s->glossary.scroll < most)
		canvas_text(c, in.x + in.w - 1, in.y + in.h, 1,
			    "\xe2\x96\xbc", INK(ROLE_ACCENT));
}
