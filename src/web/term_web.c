/* term_web: a page as the terminal; see term/term.h. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "export/paint.h"
#include "term/term.h"
#include "web/page.h"
#include "web/term_web.h"

#define EVENTS 64		/* that wait; more are dropped, as keys held
				   down are */

struct term {
	const struct theme *theme;
	int w, h;
	struct event events[EVENTS];
	size_t first, count;
	/* what the page shows, and the indices of what has changed */
	struct page_cell *cells;
	uint32_t *changed;
	bool drawn;
};

int term_probe(struct term_facts *f, struct error *e)
{
	*f = (struct term_facts){ 0 };
	return error_set(e, EXIT_TERMINAL, "%s",
			 _("standard output is not a terminal"));
}

struct term *term_open(const struct term_options *o, struct error *e)
{
	struct term *t = xcalloc(1, sizeof(*t));

	(void)e;
	t->theme = o->theme;
	return t;
}

void term_close(struct term *t)
{
	free(t->cells);
	free(t->changed);
	free(t);
}

int term_fd(const struct term *t)
{
	(void)t;
	return -1;
}

void term_size(const struct term *t, int *w, int *h)
{
	*w = t->w;
	*h = t->h;
}

void term_resize(struct term *t, int w, int h)
{
	size_t cells = (size_t)w * (size_t)h;

	t->w = w;
	t->h = h;
	t->drawn = false;
	t->cells = xrealloc(t->cells, cells, sizeof(*t->cells));
	t->changed = xrealloc(t->changed, cells, sizeof(*t->changed));
	term_post(t, &(struct event){ .key = K_RESIZE });
}

bool term_colour(const struct term *t)
{
	return !t->theme->mono;
}

bool term_ascii(const struct term *t)
{
	(void)t;
	return false;
}

const char *term_notice(const struct term *t)
{
	(void)t;
	return NULL;
}

void term_theme(struct term *t, const struct theme *theme)
{
	t->theme = theme;
	term_redraw(t);
}

void term_post(struct term *t, const struct event *ev)
{
	if (t->count < EVENTS)
		t->events[(t->first + t->count++) % EVENTS] = *ev;
}

bool term_event(struct term *t, struct event *ev)
{
	if (!t->count)
		return false;
	*ev = t->events[t->first];
	t->first = (t->first + 1) % EVENTS;
	t->count--;
	return true;
}

static struct page_cell look_of(const struct theme *theme,
				const struct cell *cell)
{
	struct paint p = paint_cell(theme, cell);

	return (struct page_cell){ .ch = cell->ch, .fg = theme_rgb(p.fg),
				   .bg = theme_rgb(p.bg), .attr = p.attr };
}

void term_draw(struct term *t, const struct canvas *c)
{
	int count = 0;

	if (c->w != t->w || c->h != t->h)
		return;
	for (size_t i = 0; i < (size_t)c->w * (size_t)c->h; i++) {
		struct page_cell now = look_of(t->theme, &c->cells[i]);

		if (t->drawn && !memcmp(&now, &t->cells[i], sizeof(now)))
			continue;
		t->cells[i] = now;
		t->changed[count++] = (uint32_t)i;
	}
	if (count || !t->drawn)
		page_show(t->cells, t->changed, count, t->w, t->h,
			  theme_rgb(paint_ground(t->theme)));
	t->drawn = true;
}

bool term_copy(struct term *t, const char *text)
{
	(void)t;
	page_copy(text);
	return true;
}

void term_redraw(struct term *t)
{
	t->drawn = false;
}

void term_suspend(struct term *t)
{
	(void)t;
}

int term_run(struct term *t, char *const *argv, struct error *e)
{
	(void)t;
	return error_set(e, EXIT_INPUT, "a browser cannot start %s", argv[0]);
}
