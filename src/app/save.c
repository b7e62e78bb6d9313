/* save: writes the screen to files, or as text for the clipboard. */
#include <stdlib.h>

#include "base/lang.h"
#include "base/text.h"
#include "export/svg.h"
#include "app/reader.h"

#define MOST 999		/* files; then somebody should clear up */

/* One of the two files, which are written both or not at all. */
struct saved { const char *suffix; struct str data; struct file_out file; };

/* Draws the screen on a canvas, without the terminal. */
static void draw_saved(const struct reader *r, bool mono, struct canvas *c)
{
	canvas_init(c, r->w, r->h);
	c->mono = mono;
	frame_draw(c, &r->show);
}

static void draw_files(const struct reader *r, struct saved saved[2])
{
	const struct theme *t = r->theme ? r->theme : theme_find("dark");
	char *words = frame_words(&r->show);
	struct canvas c;

	draw_saved(r, t->mono, &c);
	svg_begin(&saved[0].data, c.w, c.h, t,
		  r->lesson ? r->lesson->title : "gemmviz", words, "");
	svg_cells(&saved[0].data, &c, NULL, t);
	svg_end(&saved[0].data);
	canvas_print(&c, false, &saved[1].data);
	canvas_done(&c);
	free(words);
}

/* Opens both under a number that is free; 0 with e: that cannot be. */
static int open_both(struct saved saved[2], struct error *e)
{
	for (int n = 1; n <= MOST; n++) {
		int opened = 0;

		for (; opened < 2; opened++) {
			char *name = xasprintf("gemmviz-%d%s", n,
					       saved[opened].suffix);
			int status = file_out_open(&saved[opened].file, name,
						   false, e);

			free(name);
			if (status)
				break;
		}
		if (opened == 2)
			return n;
		if (opened)
			file_out_abandon(&saved[0].file);
		if (e->status != EXIT_USAGE)	/* there is one already */
			return 0;
	}
	return 0;
}

static int write_both(struct saved saved[2], struct error *e)
{
	for (int i = 0; i < 2; i++)
		if (write_all(saved[i].file.fd, saved[i].data.data,
			      saved[i].data.len))
			return error_set(e, EXIT_OUTPUT, "cannot write %s: %m",
					 saved[i].file.path);
	return file_out_commit(&saved[0].file, e) ||
	       file_out_commit(&saved[1].file, e);
}

void reader_save(struct reader *r)
{
	struct saved saved[2] = { { .suffix = ".svg", .file.fd = -1 },
				  { .suffix = ".txt", .file.fd = -1 } };
	struct error e;
	int n;

	draw_files(r, saved);
	n = open_both(saved, &e);
	if (!n || write_both(saved, &e))
		reader_say(r, true, "%s", e.text);
	else
		reader_say(r, false, _("Saved as gemmviz-%d.svg and "
				       "gemmviz-%d.txt in the current "
				       "folder."), n, n);
	for (int i = 0; i < 2; i++) {
		file_out_abandon(&saved[i].file);
		str_done(&saved[i].data);
	}
}

void reader_copy(struct reader *r)
{
	struct str text = { 0 };
	struct canvas c;

	draw_saved(r, true, &c);
	canvas_print(&c, false, &text);
	canvas_done(&c);
	free(r->copied);
	r->copied = str_take(&text);
}
