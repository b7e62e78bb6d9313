/* file_watch: tells when a reader's file, another file of its program, or a
 * header in their folders is saved. */
#ifndef APP_FILE_WATCH_H
#define APP_FILE_WATCH_H

#include "protocol/job.h"

struct file_watch {
	int fd;			/* ready when something may have changed */
	struct job_defines files;	/* those that matter, without folders */
};

/* Opens a watch on the file. Returns -1 with e if its folder cannot be
 * watched. */
int file_watch_open(struct file_watch *w, const char *file, struct error *e);
/* Adds what else the kernel consists of: its headers' folders and files. */
void file_watch_more(struct file_watch *w, const char *file,
		     const struct job_kernel *k);
void file_watch_close(struct file_watch *w);
/* Takes the changes up to now, and those in the next moment. Returns whether
 * some file was saved. */
bool file_watch_saved(const struct file_watch *w);

#endif
