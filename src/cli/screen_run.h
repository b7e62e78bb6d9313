/* screen_run: shows a reader at a terminal, or prints it as text. */
#ifndef CLI_SCREEN_RUN_H
#define CLI_SCREEN_RUN_H

#include "cli/screen_options.h"

/* Runs until the reader quits, and closes it. Returns an exit status. */
int screen_run(struct screen *s, struct reader *r);

#endif
