/*
 * child: a program started with pipes to its input, output and errors.
 *
 * It runs in a session of its own, so that the terminal's Ctrl-C is ours
 * alone, and is told to end when we are gone. All our ends are non-blocking
 * and close-on-exec. What it says on standard error is kept (the last
 * CHILD_TAIL bytes) as the reason when it dies.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <sys/types.h>

#include "base/base.h"

#define CHILD_TAIL 4096

struct child {
	char *name;		/* the command, clean and short */
	pid_t pid;		/* 0 when it is not there */
	int in, out, err;	/* our ends; -1 when closed */
	int events;		/* readable when out or err is (epoll) */
	char tail[CHILD_TAIL];	/* the last of its standard error */
	size_t tail_len;
	uint64_t complained;	/* bytes of it, ever */
};

/* argv is NULL-terminated. -1 with e (EXIT_RUNNER) when it cannot start. */
int child_start(struct child *c, char *const *argv, struct error *e);
/* SIGTERM, after a moment SIGKILL, to all of its group; reaps it. */
void child_stop(struct child *c);
void child_done(struct child *c);	/* stops it, too */

/* Like read() on its output, but reads its errors, too; never blocks. */
ssize_t child_read(struct child *c, void *buf, size_t n);
/* Like write() on its input, but raises no SIGPIPE; never blocks. */
ssize_t child_write(struct child *c, const void *buf, size_t n);

/*
 * For a child whose output has ended: waits a moment for its end, stops it
 * if there is none, and sets e to "NAME ended by signal 11 (Segmentation
 * fault)" or "NAME ended with status 3: LAST LINE OF ITS ERRORS".
 */
void child_epitaph(struct child *c, struct error *e);
/* The last line of its errors that is not empty, clean; heap or NULL. */
char *child_words(const struct child *c);

#endif
