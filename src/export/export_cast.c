/*
 * asciicast v2: a recording of a terminal, as asciinema plays it. Each line is
 * JSON: first the header; then [time, "o", bytes sent to the terminal], and
 * [time, "m", title] where a step begins.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "export/ansi.h"
#include "export/export.h"

/* The picture that the terminal shows. */
struct cast { struct canvas now; bool any; };

static void add_json_line(struct export *x, json_t *j)
{
	char *text = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(9));

	str_add(&x->out, text);
	str_addc(&x->out, '\n');
	free(text);
	json_decref(j);
}

static void add_cast_event(struct export *x, double at, const char *kind,
			   const char *data)
{
	char time[32];

	snprintf(time, sizeof(time), "%.3f", at);
	add_json_line(x,
		      json_pack("[f, s, s]", strtod(time, NULL), kind, data));
}

static int begin(struct export *x, struct error *e)
{
	struct cast *k = xcalloc(1, sizeof(*k));

	(void)e;
	canvas_init(&k->now, x->w, x->h);
	x->own = k;
	add_json_line(x, json_pack("{s:i, s:i, s:i, s:s, s:{s:s, s:s}}",
				   "version", 2, "width", x->w, "height", x->h,
				   "title", x->title, "env", "TERM",
				   "xterm-256color", "SHELL", "/bin/sh"));
	return 0;
}

static void frame(struct export *x, const struct export_frame *f)
{
	struct cast *k = x->own;
	struct str data = {0};

	if (f->chapter)
		add_cast_event(x, f->at, "m", f->chapter);
	if (!k->any)	/* no cursor, and everything blank */
		str_add(&data, "\x1b[?25l\x1b[0m\x1b[2J");
	ansi_change(&data, f->canvas, k->any ? &k->now : NULL, x->theme);
	if (data.len)
		add_cast_event(x, f->at, "o", data.data);
	str_done(&data);
	memcpy(k->now.cells, f->canvas->cells,
	       (size_t)x->w * x->h * sizeof(*k->now.cells));
	k->any = true;
}

/* Adds a last event, so that the last frame is shown for its whole time. */
static void end(struct export *x)
{
	struct cast *k = x->own;

	add_cast_event(x, x->seconds, "o", "\x1b[0m\x1b[?25h");
	canvas_done(&k->now);
	free(k);
}

const struct exporter exporter_cast = {
	.name = "cast", .suffix = ".cast",
	.help = N_("a recording for asciinema, with a marker at each step"),
	.moves = true,
	.begin = begin, .frame = frame, .end = end,
};
