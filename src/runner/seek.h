/*
 * seek: looks for files that a program lacks, around the folder `base` of its
 * own, which is absolute. What is found is as a command takes it here, and heap;
 * NULL: nothing was. *only: nothing else that is as near would do.
 */
#ifndef RUNNER_SEEK_H
#define RUNNER_SEEK_H

#include <stdbool.h>

/* Whether a file of this name is a source of a program. */
bool seek_is_source(const char *name);
/* A folder, for -I, that has a header of this name: below the base, or a few
 * folders above. */
char *seek_header(const char *base, const char *name, bool *only);
/* A source without a main() that defines a function of this name: below the
 * base, or beside it. */
char *seek_source(const char *base, const char *name, bool *only);

#endif
