/* learner_file: the learner's file of a rung, which is never written over. */
#ifndef PRACTICE_LEARNER_FILE_H
#define PRACTICE_LEARNER_FILE_H

#include "practice/rung.h"

/* Returns the path of a rung's file in a folder; the caller frees it. */
char *learner_file_path(const char *folder, const struct rung *r);
/* Makes the file if it is missing, and its folder: from the skeleton, or from the
 * learner's text of an earlier rung (or NULL), below what is to be done. Returns 1
 * if it was made, 0 if it was there, -1 with e. */
int learner_file_make(const struct rung *r, const char *path,
		      const char *earlier, struct error *e);
/* Moves the file to the next free name, PATH.1; *kept is that name, heap. -1 with
 * e. */
int learner_file_keep(const char *path, char **kept, struct error *e);

#endif
