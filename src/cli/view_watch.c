/*
 * view_watch: see view_watch.h.
 */
#include "cli/view_watch.h"

#include <math.h>
#include <stdlib.h>

#include "base/lang.h"

static int64_t add_known_costs(int64_t a, int64_t b)
{
	return a == NA || b == NA ? 0 : a + b;
}

/* The costs of a recording. */
struct costs { int64_t sectors, wavefronts; };

static struct costs costs_of(struct trace *t)
{
	struct costs c = { 0, 0 };
	struct report r;
	struct error e;

	if (!t || report_build(t, &r, &e))
		return c;
	c.sectors =
		add_known_costs(r.global_load_sectors, r.global_store_sectors);
	c.wavefronts = add_known_costs(r.shared_load_wavefronts,
				       r.shared_store_wavefronts);
	report_done(&r);
	return c;
}

static void drop_recording(struct view_watch *w)
{
	session_done(&w->again);
}

/* Shows the new recording at the reader's position. */
static void show_recording(struct view_watch *w, struct reader *r)
{
	struct recording *now = &w->again.recordings[0];
	struct costs before = costs_of(r->traces.trace[0]);
	struct costs after = costs_of(now->trace);

	reader_go_on(r, now);
	w->again.count = 0;
	reader_say(r, false, _("Recorded again: sectors %1$lld -> %2$lld, "
			       "shared wavefronts %3$lld -> %4$lld"),
		   (long long)before.sectors, (long long)after.sectors,
		   (long long)before.wavefronts, (long long)after.wavefronts);
}

/* Starts another recording, and drops one under way. If there is no recording
 * to read yet, the reader waits for this one. */
static void start_recording(struct view_watch *w, struct reader *r)
{
	struct launch_options l;
	struct trace *t;
	struct error e;

	drop_recording(w);
	launch_options_init(&l);
	l.shown = l.on_screen = true;
	if (launch_given_apply(w->given, &l, &e) ||
	    launch_prepare(&l, w->file, &t, &e)) {
		reader_say(r, true, "%s", e.text);
	} else {
		file_watch_more(&w->files, w->file, &l.job.kernel);
		if (r->traces.trace[0])
			session_launch(&w->again, &l.job, l.runner, l.on);
		else
			reader_open_sources(r, &(struct reader_source){
					    .job = &l.job }, 1);
		w->said = -1;
	}
	launch_options_done(&l);
}

/* Shows how long the recording has run. Returns whether that has changed. */
static bool show_progress(struct view_watch *w, struct reader *r)
{
	const struct recording *now = &w->again.recordings[0];
	int seconds = (int)recording_seconds(now);
	char *words;

	if (seconds == w->said)
		return false;
	w->said = seconds;
	words = reader_waiting(r, now);
	reader_say(r, false, _("Saved: %s"), words);
	free(words);
	return true;
}

/* Takes the result of the recording under way. Returns whether to draw
 * again. */
static bool step_recording(struct view_watch *w, struct reader *r)
{
	const struct recording *now = &w->again.recordings[0];

	if (!w->again.count)
		return false;
	session_step(&w->again);
	if (now->error.text[0]) {
		reader_say(r, true, "%s", now->error.text);
		drop_recording(w);
	} else if (now->trace) {
		show_recording(w, r);
	} else {
		return show_progress(w, r);
	}
	return true;
}

static bool take(void *ctx, struct reader *r)
{
	struct view_watch *w = ctx;

	if (file_watch_saved(&w->files))
		start_recording(w, r);
	return step_recording(w, r);
}

static size_t fds_of(void *ctx, struct pollfd *fds)
{
	const struct view_watch *w = ctx;

	fds[0] = (struct pollfd){ .fd = w->files.fd, .events = POLLIN };
	return 1 + session_fds(&w->again, fds + 1);
}

/* Returns the ms until the seconds shown change; -1: for ever. */
static int patience(void *ctx)
{
	const struct view_watch *w = ctx;
	double waited = w->again.count ?
			recording_seconds(&w->again.recordings[0]) : -1;

	return waited < 0 ? -1 : (int)((1 - fmod(waited, 1)) * 1000) + 1;
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
	w->ui = (struct ui_watch) { fds_of, patience, take, w };
	file_watch_more(&w->files, file, k);
	return 0;
}

void view_watch_close(struct view_watch *w)
{
	drop_recording(w);
	file_watch_close(&w->files);
}
