/* ui: a reader at a terminal. The one place that waits. */
#ifndef APP_UI_H
#define APP_UI_H

#include "app/reader.h"
#include "term/term.h"

/* Something else to wait for: as reader_fds(), reader_patience() and
 * reader_poll(), which gives the reader what has come. */
#define UI_WATCH_FDS 3
struct ui_watch {
	size_t (*fds)(void *ctx, struct pollfd *fds);
	int (*patience)(void *ctx);
	bool (*poll)(void *ctx, struct reader *r);
	void *ctx;
};

struct ui_options {
	struct term_options term;
	const struct ui_watch *watch;	/* NULL: nothing */
};

/* Runs until the reader quits or the terminal is gone; returns an exit status,
 * with a line on standard error if it is not 0. */
int ui_run(struct reader *r, const struct ui_options *o);

#endif
