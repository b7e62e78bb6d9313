/* learner_file: the learner's file of a rung, which is never written over. */
#ifndef PRACTICE_LEARNER_FILE_H
#define PRACTICE_LEARNER_FILE_H

#include "practice/rung.h"

/* Makes the file from the skeleton if it is missing, and its folder. Returns 1 if
 * it was made, 0 if it was there, -1 with e. */
int learner_file_make(const struct rung *r, const char *path,
		      struct error *e);
/* Moves the file to the next free name, PATH.1, and makes it from the skeleton;
 * *kept is that name, heap. -1 with e. */
int learner_file_reset(const struct rung *r, const char *path, char **kept,
		       struct error *e);

#endif
