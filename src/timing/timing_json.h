/*
 * timing_json: a benchmark as JSON: the messages of a runner, and the file.
 */
#ifndef TIMING_TIMING_JSON_H
#define TIMING_TIMING_JSON_H

#include <jansson.h>

#include "timing/timing.h"

/*
 * Takes in one message of the runner; false when it is not a message of a
 * benchmark. An invalid message (a case that was not requested, an invalid
 * time, too many samples) sets *rc to -1 and e (EXIT_RUNNER); the caller then
 * takes no more.
 */
bool timing_take(struct timing *t, const json_t *message, int *rc,
		 struct error *e);

/* Returns the timing as one JSON object with all samples: the format of the
 * files in data/races (data/README.md) and of `gemmviz time --json`. */
json_t *timing_json(const struct timing *t);

#endif
