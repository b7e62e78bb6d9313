/*
 * resource: the words for a system call that failed because a resource or a
 * limit of the process is used up, and the exit status that belongs to them.
 */
#ifndef BASE_RESOURCE_H
#define BASE_RESOURCE_H

#include "base/base.h"

/*
 * Sets e to what was formatted, ": ", and the reason of errno `problem`, with
 * the limit that is in force: "cannot start gemmviz-emu: too many open files
 * (ulimit -n is 16)". The status is EXIT_BUG where memory is used up,
 * EXIT_REFUSED where a limit is exceeded, EXIT_OUTPUT where a file system is
 * full, else `otherwise`. Returns -1.
 */
PRINTF(4, 5)
int error_resource(struct error *e, int problem, enum exit_status otherwise,
		   const char *fmt, ...);
/* Returns the status for errno `problem`, as error_resource() does. */
enum exit_status resource_status(int problem, enum exit_status otherwise);

/* Returns the limits of memory in force, " (ulimit -v is 400000)", or "" where
 * there are none. Static. */
const char *resource_memory(void);

/* Returns the limit of processor time, " (ulimit -t is 60)", or "". Static. */
const char *resource_time(void);

/* Prepares a process, first of all in main(): opens the standard streams that
 * are closed, has a file that grows too large fail instead of ending the
 * process, keeps the limits in force for the words above, and ends the process
 * with a line where its stack may not grow enough. */
void process_prepare(void);

#endif
