/*
 * file_watch: tells when a reader's file is saved, another file of its program,
 * or a header in their folders.
 */
#ifndef CLI_FILE_WATCH_H
#define CLI_FILE_WATCH_H

#include "runner/job.h"

struct file_watch {
	int fd;			/* ready when something may have changed */
	struct job_defines files;	/* those that matter, without folders */
};

/* -1 with e: the file's folder cannot be watched. */
int file_watch_open(struct file_watch *w, const char *file, struct error *e);
/* Watches what else the kernel consists of: its headers' folders and files. */
void file_watch_more(struct file_watch *w, const char *file,
		     const struct job_kernel *k);
void file_watch_close(struct file_watch *w);
/* Takes what has happened, and what happens in the moment after it: whether
 * something was saved. */
bool file_watch_saved(const struct file_watch *w);

#endif
