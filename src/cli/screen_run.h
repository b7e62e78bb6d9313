/*
 * screen_run: what a reader has open, at a terminal, or as text.
 */
#ifndef CLI_SCREEN_RUN_H
#define CLI_SCREEN_RUN_H

#include "cli/screen_options.h"

/* Until the reader quits, whom it closes; an exit status. */
int screen_run(struct screen *s, struct reader *r);

#endif
