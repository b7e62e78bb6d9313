/*
 * view_watch: see view_watch.h.
 */
#include "cli/view_watch.h"

#include <stdlib.h>

#include "base/lang.h"

static bool saved(void *ctx)
{
	const struct view_watch *w = ctx;

	return file_watch_saved(&w->files);
}

static int64_t sum(int64_t a, int64_t b)
{
	return a == NA || b == NA ? 0 : a + b;
}

/* What a recording moved. */
struct costs { int64_t sectors, wavefronts; };

static struct costs costs_of(struct trace *t)
{
	struct costs c = { 0, 0 };
	struct report r;
	struct error e;

	if (!t || report_build(t, &r, &e))
		return c;
	c.sectors = sum(r.global_load_sectors, r.global_store_sectors);
	c.wavefronts = sum(r.shared_load_wavefronts,
			   r.shared_store_wavefronts);
	report_done(&r);
	return c;
}

/* The new trace, where the reader stands. */
static void show(struct reader *r, struct trace *t)
{
	struct trace *old = r->traces.trace[0];
	struct costs before = costs_of(old), after = costs_of(t);
	struct cursor here = *reader_cursor(r);

	reader_open_trace(r, t);
	if (old)
		*reader_cursor(r) = here;
	reader_say(r, false, _("Recorded again: sectors %1$lld -> %2$lld, "
			       "shared wavefronts %3$lld -> %4$lld"),
		   (long long)before.sectors, (long long)after.sectors,
		   (long long)before.wavefronts, (long long)after.wavefronts);
}

static void again(void *ctx, struct reader *r)
{
	struct view_watch *w = ctx;
	struct launch_options l;
	struct trace *t = NULL;
	struct error e;

	launch_options_init(&l);
	l.shown = l.on_screen = true;
	if (!launch_given_apply(w->given, &l, &e))
		t = launch_trace(&l, w->file, &e);
	if (t) {
		file_watch_more(&w->files, w->file, &l.job.kernel);
		show(r, t);
	} else {
		reader_say(r, true, "%s", e.text);
	}
	launch_options_done(&l);
}

int view_watch_open(struct view_watch *w, const char *file,
		    const struct launch_given *given,
		    const struct job_kernel *k, struct error *e)
{
	*w = (struct view_watch) { .file = file, .given = given };
	if (file_watch_open(&w->files, file, e)) {
		file_watch_close(&w->files);
		return -1;
	}
	w->ui = (struct ui_watch) { .fd = w->files.fd, .changed = saved,
				    .again = again, .ctx = w };
	file_watch_more(&w->files, file, k);
	return 0;
}

void view_watch_close(struct view_watch *w)
{
	file_watch_close(&w->files);
}
