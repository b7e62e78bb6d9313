/*
 * compile_folder: the temporary folder of a compilation. Nothing in it is trusted:
 * the compiler may leave links, devices or thousands of folders there. All names
 * are looked up from the folder's descriptor, and no link is followed.
 */
#ifndef EMU_MODULE_COMPILE_FOLDER_H
#define EMU_MODULE_COMPILE_FOLDER_H

#include "base/base.h"

struct compile_folder {
	char *path;	/* absolute; heap */
	int fd;		/* -1: not made */
};

/* Creates the folder, in TMPDIR or /tmp, accessible to this user alone. -1 with
 * errno. */
int compile_folder_make(struct compile_folder *f);
/* Removes all that is in the folder once the processes that used it have ended.
 * Allocates no memory, for there may be none left. -1: something remains. */
int compile_folder_empty(const struct compile_folder *f);
/* Removes the folder and all that is in it. */
void compile_folder_remove(const struct compile_folder *f);
/* Writes a file that is not there yet, and the folders above it. `name` is a path
 * below the folder, without "..". -1 with errno. */
int compile_folder_write(const struct compile_folder *f, const char *name,
			 const char *text);
/* Opens a file of at most `most` bytes for reading: a regular one with one name.
 * -1 with errno if it is anything else. */
int compile_folder_open(const struct compile_folder *f, const char *name,
			uint64_t most);

#endif
