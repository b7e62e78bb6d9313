/*
 * child: a child process with pipes to its standard input, output and error.
 *
 * The child runs in a session of its own, so that the terminal's Ctrl-C reaches
 * only this program, and is killed when this program is gone. This
 * program's ends of the pipes are non-blocking and close-on-exec. What the
 * child writes to standard error is kept (the last CHILD_TAIL bytes), as the
 * reason when it dies.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <sys/types.h>

#include "base/base.h"

#define CHILD_TAIL 4096

struct child {
	char *name;		/* the command, clean and short */
	pid_t pid;		/* 0 when the child is not running */
	int in, out, err;	/* this program's ends; -1 when closed */
	int events;		/* epoll: readable when out or err is */
	char tail[CHILD_TAIL];	/* the end of its standard error */
	size_t tail_len;
	uint64_t complained;	/* bytes on standard error in total */
};

/* Starts argv, which is NULL-terminated. -1 with e (EXIT_RUNNER) when the child
 * cannot start. */
int child_start(struct child *c, char *const *argv, struct error *e);
/* Sends SIGTERM, and after a moment SIGKILL, to the child's process group, and
 * reaps the child. */
void child_stop(struct child *c);
void child_done(struct child *c);	/* also stops the child */

/* Like read() on the child's output, but collects its errors, too; never
 * blocks. */
ssize_t child_read(struct child *c, void *buf, size_t n);
/* Like write() on the child's input, but raises no SIGPIPE; never blocks. */
ssize_t child_write(struct child *c, const void *buf, size_t n);

/* Describes the end of a child whose output has ended: waits a moment for its
 * exit, stops it if it does not exit, and sets e to "NAME ended by signal 11
 * (Segmentation fault)" or "NAME ended with status 3: LAST LINE OF ITS
 * ERRORS". */
void child_epitaph(struct child *c, struct error *e);
/* Returns the last non-empty line of the child's errors, safe to show; NULL
 * when there is none. The caller frees it. */
char *child_words(const struct child *c);

#endif
