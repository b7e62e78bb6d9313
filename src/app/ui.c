#include "app/ui.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "base/lang.h"
#include "base/text.h"

/* A frame that is later than this was held up, as by a suspended machine: the
 * rest of the time does not count. */
#define LATE_SECONDS 0.25

static void update_reader(const struct term *t, struct reader *r)
{
	int w, h;

	term_size(t, &w, &h);
	reader_update(r, w, h);
}

void ui_draw(struct ui *u)
{
	struct term *t = u->term;
	const struct reader *r = u->reader;
	struct canvas *c = &u->canvas;

	if (!u->dirty)
		return;
	u->dirty = false;
	if (r->w != c->w || r->h != c->h)
		canvas_resize(c, r->w, r->h);
	c->ascii = term_ascii(t);
	c->mono = !term_colour(t);
	frame_draw(c, reader_show(r));
	term_draw(t, c);
}

/* Moves the reader's time on from *last, in seconds of seconds_now(), to now.
 * Returns whether to draw again. */
static bool pass_time(struct term *t, struct reader *r, double *last)
{
	double passed = seconds_now() - *last;
	bool moved = false;

	*last += passed;
	if (reader_playing(r))
		moved = reader_tick(r, MIN(passed, reader_interval(r) +
						   LATE_SECONDS));
	if (moved)
		update_reader(t, r);
	return moved;
}

/* Gives the text that a key has copied to the terminal, and says so. */
static void send_copied(struct term *t, struct reader *r)
{
	bool taken = r->copied && term_copy(t, r->copied);

	if (r->copied && taken)
		reader_say(r, false, _("Sent the screen's text to the "
				       "terminal's clipboard."));
	else if (r->copied)
		reader_say(r, true, _("This terminal takes no text for the "
				      "clipboard; P saves it in a file."));
	free(r->copied);
	r->copied = NULL;
}

/* Opens the file that a key asks for in the user's editor, and waits. */
static void run_editor(struct term *t, struct reader *r)
{
	const char *editor = getenv("VISUAL");
	char *argv[4] = { (char *)"sh", (char *)"-c", NULL, NULL }, *file;
	struct error e;

	if (!editor || !*editor)
		editor = getenv("EDITOR");
	if (!editor || !*editor) {
		reader_say(r, false, _("set VISUAL or EDITOR to your editor, "
				       "or open the file in another window"));
	} else {
		file = text_shell_word(r->want_editor);
		argv[2] = xasprintf("%s %s", editor, file);
		if (term_run(t, argv, &e))
			reader_say(r, true, "%s", e.text);
		free(argv[2]);
		free(file);
	}
	free(r->want_editor);
	r->want_editor = NULL;
}

/* Handles all events from the terminal, each in the scene that the one before
 * it has left. What a key starts begins when the key was handled. Returns
 * whether to draw again. */
static bool take_events(struct term *t, struct reader *r, double *last)
{
	const struct theme *theme = r->theme;
	struct event ev;
	bool dirty = false;

	while (!r->quit && term_event(t, &ev)) {
		dirty = true;
		pass_time(t, r, last);
		if (ev.key == K_RESIZE)
			term_redraw(t);
		else
			reader_event(r, &ev);
		if (r->want_suspend)
			term_suspend(t);
		if (r->want_redraw || r->want_suspend)
			term_redraw(t);
		r->want_redraw = r->want_suspend = false;
		send_copied(t, r);
		if (r->want_editor)
			run_editor(t, r);
		if (!r->quit)
			update_reader(t, r);
		*last = seconds_now();
	}
	if (r->theme != theme)
		term_theme(t, r->theme);
	return dirty;
}

/* Handles all but the terminal. Returns whether to draw again. */
static bool take_rest(struct term *t, struct reader *r, double *last)
{
	bool dirty = reader_poll(r);

	dirty |= reader_measure(r);
	if (dirty)
		update_reader(t, r);
	if (seconds_now() - *last >= reader_interval(r))
		dirty |= pass_time(t, r, last);
	return dirty;
}

/* Returns the milliseconds until the next frame, or until the seconds on the
 * screen change; -1: for ever. */
int ui_patience(const struct ui *u)
{
	const struct reader *r = u->reader;
	double left = u->last + reader_interval(r) - seconds_now();

	return !reader_playing(r) ? reader_patience(r) :
	       left <= 0 ? 0 : (int)(left * 1000) + 1;
}

void ui_begin(struct ui *u, struct term *t, struct reader *r)
{
	*u = (struct ui){ .term = t, .reader = r, .dirty = true };
	canvas_init(&u->canvas, 1, 1);
	u->last = seconds_now();
	reader_poll(r);		/* what could not even begin */
	update_reader(t, r);
}

void ui_turn(struct ui *u)
{
	if (!reader_playing(u->reader))
		u->last = seconds_now();	/* nothing moved meanwhile */
	u->dirty |= take_events(u->term, u->reader, &u->last);
	u->dirty |= take_rest(u->term, u->reader, &u->last);
}

void ui_end(struct ui *u)
{
	canvas_done(&u->canvas);
}

/* Returns the milliseconds to wait at most; -1: for ever. */
static int get_patience(const struct ui *u, const struct ui_watch *watch)
{
	int its = watch ? watch->patience(watch->ctx) : -1;
	int own = ui_patience(u);

	return own < 0 || (its >= 0 && its < own) ? its : own;
}

static void run_loop(struct ui *u, const struct ui_watch *watch)
{
	struct reader *r = u->reader;

	while (!r->quit) {
		struct pollfd fds[1 + UI_WATCH_FDS + READER_FDS];
		size_t n = 1;

		ui_draw(u);
		fds[0] = (struct pollfd){ .fd = term_fd(u->term),
					  .events = POLLIN };
		if (watch)
			n += watch->fds(watch->ctx, fds + n);
		n += reader_fds(r, fds + n);
		if (poll(fds, n, get_patience(u, watch)) < 0 &&
		    errno != EINTR)
			fatal("poll: %m");
		ui_turn(u);
		if (watch && !r->quit && watch->poll(watch->ctx, r)) {
			update_reader(u->term, r);
			u->dirty = true;
		}
	}
}

int ui_run(struct reader *r, const struct ui_options *o)
{
	struct ui u;
	struct error e;
	struct term *t;

	/* Writes to a closed terminal or recorder fail with EPIPE. */
	signal(SIGPIPE, SIG_IGN);
	t = term_open(&o->term, &e);
	if (!t) {
		fprintf(stderr, "gemmviz: %s\n", e.text);
		return e.status;
	}
	if (term_notice(t))
		reader_say(r, false, "%s", term_notice(t));
	else if (lang_notice())
		reader_say(r, false, "%s", lang_notice());
	r->theme = o->term.theme;
	ui_begin(&u, t, r);
	run_loop(&u, o->watch);
	ui_end(&u);
	term_close(t);
	if (!r->failed.text[0])
		return EXIT_DONE;
	fprintf(stderr, "gemmviz: %s\n", r->failed.text);
	return r->failed.status;
}
