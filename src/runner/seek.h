/*
 * seek: looks for files that a program lacks, around the folder `base` of its
 * own, which is absolute and without links. What is found is as a command takes
 * it here, and heap; NULL: nothing was. *own: it is in that folder itself, and
 * nothing else there would do; all other finds are for the reader to name.
 */
#ifndef RUNNER_SEEK_H
#define RUNNER_SEEK_H

#include <stdbool.h>

/* Returns whether a file of this name is a source of a program. */
bool seek_is_source(const char *name);
/* Returns a folder, for -I, that has a header of this name: below the base, or a
 * few folders above. */
char *seek_header(const char *base, const char *name, bool *own);
/* Returns a source without a main() that defines a function of this name: below
 * the base, or beside it. */
char *seek_source(const char *base, const char *name, bool *own);
/* Returns the value of -I, as a shell takes it, that allows a file outside the
 * base: the folder `up` levels above the base if the file is below it and it is
 * a project's, else the file's own. `real` is the file's path without links. */
char *seek_allowing(const char *base, int up, const char *real);

#endif
