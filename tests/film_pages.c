/*
 * film_pages LESSON|F.gvt FROM TO WIDTH HEIGHT FPS THEME LANG: each frame of the
 * film that exports are made of, those that move among them, as it is on the
 * canvas: a line "AT SECONDS moving|rest", then its rows in colour, as
 * `gemmviz export --format ansi` writes them; a form feed stands between two.
 */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/lang.h"
#include "export/ansi.h"
#include "app/film.h"

static void frame(struct export *x, const struct export_frame *f)
{
	if (x->frames)
		str_addc(&x->out, '\f');
	str_addf(&x->out, "%ld %ld %s\n", lround(f->at * 1000),
		 lround(f->seconds * 1000), f->moving ? "moving" : "rest");
	for (int y = 0; y < x->h; y++) {
		ansi_row(&x->out, f->canvas, y, x->theme);
		str_addc(&x->out, '\n');
	}
}

static const struct exporter pages = {
	.name = "pages", .moves = true, .frame = frame,
};

static int open_what(struct reader *r, const char *what, struct error *e)
{
	size_t n = strlen(what);
	struct trace *t;

	if (n < 4 || strcmp(what + n - 4, ".gvt"))
		return reader_open_lesson(r, what, e);
	t = trace_open(what, e);
	if (!t)
		return -1;
	reader_open_trace(r, t);
	return 0;
}

int main(int argc, char **argv)
{
	struct export x = { .format = &pages };
	struct reader r;
	struct film film = { .beat = -1, .moves = true };
	struct error e;
	int status;

	if (argc != 9)
		return EXIT_USAGE;
	film.from = atoi(argv[2]);
	film.to = atoi(argv[3]);
	x.w = atoi(argv[4]);
	x.h = atoi(argv[5]);
	film.fps = atoi(argv[6]);
	x.theme = theme_find(argv[7]);
	lang_init(argv[8]);
	reader_init(&r, &(struct reader_options){ .lang = lang_name() });
	status = open_what(&r, argv[1], &e) || film_make(&r, &film, &x, &e);
	if (status)
		fprintf(stderr, "%s\n", e.text);
	else
		fwrite(x.out.data, 1, x.out.len, stdout);
	export_done(&x);
	reader_done(&r);
	return status ? EXIT_FAILURE : 0;
}
