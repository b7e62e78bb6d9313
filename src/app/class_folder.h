/*
 * class_folder: the folder of a class and its files, by descriptor.
 *
 * Everybody can write to the folder, so its content is untrusted: no symbolic
 * link in it is followed, no FIFO is waited for, and only a regular file is
 * read or written. FOLDER itself, which the user names, may be a link.
 */
#ifndef APP_CLASS_FOLDER_H
#define APP_CLASS_FOLDER_H

#include "base/base.h"

/* Opens FOLDER/NAME; returns -1 with e if there is no such class, with the
 * name of a similar one. */
int class_folder_open(const char *folder, const char *name, struct error *e);
/* Opens a regular file of the folder to read it; returns -1 with errno. */
int class_file_open(int folder, const char *name);
/* Opens or makes a file of the folder to append to it; returns -1 with errno,
 * which is EPERM if the file is not regular, has another owner than this
 * process, or has a second name. */
int class_file_append(int folder, const char *name);
/* Replaces a file of the folder as a whole; returns 0 or an errno. */
int class_file_replace(int folder, const char *name, const char *text);

#endif
