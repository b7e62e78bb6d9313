/*
 * timing_json: a race as JSON: what a runner says of it, and its file.
 */
#ifndef TIMING_TIMING_JSON_H
#define TIMING_TIMING_JSON_H

#include <jansson.h>

#include "timing/timing.h"

/* Takes one message of the runner; false when it is none of a race. A peer's
 * nonsense (a case that was not asked for, a time that is none, too many
 * samples) gives -1 in *rc with e (EXIT_RUNNER): take no more then. */
bool timing_take(struct timing *t, const json_t *message, int *rc,
		 struct error *e);

/* One JSON object, all samples in it. The same as the files of data/races
 * (data/README.md) and as `gemmviz time --json`. */
json_t *timing_json(const struct timing *t);

#endif
