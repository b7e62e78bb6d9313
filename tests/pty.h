/*
 * pty: runs a program on a terminal of our own and watches what it does.
 *
 * Between the test and the program stands a small shell with job control: the
 * program is a job in the terminal's foreground, so that it can be stopped
 * and continued as a user's shell would, and the shell reports what became
 * of it. All waiting has a limit.
 */
#ifndef PTY_H
#define PTY_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <termios.h>

#include "base/base.h"

#define PTY_MS 5000		/* nothing takes this long */

/* The program has stopped or ended; status as waitpid() has it. */
struct pty_report {
	int status;
	struct rusage used;
};

struct pty {
	int master;
	int reports, commands;	/* pipes from and to the shell */
	pid_t shell, job;
	struct termios before;	/* modes before the program started */
	struct str out;		/* all that was written so far */
};

/*
 * Starts argv with 80x24 (or w x h) cells. env: NULL-terminated list of
 * "NAME=VALUE" to set and "NAME" to unset, over ours with TERM set to
 * xterm-256color and a UTF-8 locale.
 */
void pty_start(struct pty *p, const char *const argv[],
	       const char *const env[], int w, int h);
/* Kills what is left. */
void pty_done(struct pty *p);

void pty_send(struct pty *p, const char *bytes);
void pty_resize(struct pty *p, int w, int h);
/* Reads output for so long. */
void pty_read(struct pty *p, int ms);
/* Reads until `text` stands in the output behind position `from`. */
bool pty_wait_for(struct pty *p, size_t from, const char *text);
/* Whether it stands there already. */
bool pty_saw(const struct pty *p, size_t from, const char *text);

/* Reads until the program stops or ends; false: it does neither. */
bool pty_wait(struct pty *p, struct pty_report *r);
/* Lets a stopped program go on, in the foreground or not. */
void pty_continue(struct pty *p, bool foreground);

/* A DEC private mode (25: cursor, 1049: the other screen, ...) as the output
 * has left it; 25 is on at first, the others off. */
bool pty_mode(const struct pty *p, int mode);
/* The modes of the line are what they were. */
bool pty_modes_same(const struct pty *p);
/* NULL when an xterm would be as it was found, or what is not. */
const char *pty_not_restored(const struct pty *p);

#endif
