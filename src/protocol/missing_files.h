/*
 * missing_files: looks for files that a program lacks, around the program's folder
 * `base`, which is absolute and without links. A result is a path as a command
 * takes it here, on the heap; NULL when nothing was found. *own is set when the
 * file is in that folder itself, and no other file there would do; the user
 * must name all others.
 */
#ifndef PROTOCOL_MISSING_FILES_H
#define PROTOCOL_MISSING_FILES_H

#include <stdbool.h>

/* Returns whether a file of this name is a source of a program. */
bool seek_is_source(const char *name);
/* Returns a folder, for -I, that has a header of this name: below the base, or a
 * few folders above. */
char *seek_header(const char *base, const char *name, bool *own);
/* Returns a source that defines a function of this name, and no main() unless
 * that is the function: below the base, or beside it. */
char *seek_source(const char *base, const char *name, bool *own);
/* Returns the value of -I, as a shell takes it, that allows a file outside the
 * base: the folder `up` levels above the base if the file is below it and it is
 * a project's, else the file's own. `real` is the file's path without links. */
char *seek_allowing(const char *base, int up, const char *real);

#endif
