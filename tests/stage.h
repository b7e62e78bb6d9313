/* stage: a kernel or a lesson on the stage, drawn without a terminal, for tests
 * that look at what is there. */
#ifndef STAGE_H
#define STAGE_H

#include <stdlib.h>
#include <string.h>

#include "app/reader.h"
#include "recorded.h"

static const int sizes[][2] = { { 80, 24 }, { 120, 36 }, { 200, 60 } };

static inline void open_kernel(struct reader *r, const char *what,
			       const char *view)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct trace *t = recorded(what);

	if (!t)
		fatal("no trace of %s", what);
	reader_init(r, &o);
	reader_open_trace(r, t);
	r->show.pane = PANE_PICTURE;
	r->show.held = view_find(view);
}

/* The screen as text; a heap string. */
static inline char *screen(struct reader *r, int w, int h)
{
	struct str out = {0};
	struct canvas c;

	canvas_init(&c, w, h);
	frame_draw(&c, reader_settle(r, w, h));
	canvas_print(&c, false, &out);
	canvas_done(&c);
	return str_take(&out);
}

static inline bool says(struct reader *r, int w, int h, const char *words)
{
	char *text = screen(r, w, h);
	bool found = strstr(text, words) != NULL;

	free(text);
	return found;
}

#endif
