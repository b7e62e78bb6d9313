/* ui: a reader at a terminal. The one place that waits. */
#ifndef READER_UI_H
#define READER_UI_H

#include "reader/reader.h"
#include "viz/term.h"

struct ui_options {
	struct term_options term;
};

/* Runs until the reader quits or the terminal is gone; returns an exit status,
 * with a line on standard error if it is not 0. */
int ui_run(struct reader *r, const struct ui_options *o);

#endif
