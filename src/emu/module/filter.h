/*
 * filter: limits the system calls of a process that runs or compiles a user's
 * file (seccomp(2), by libseccomp). A filter cannot be removed.
 */
#ifndef EMU_MODULE_FILTER_H
#define EMU_MODULE_FILTER_H

#include "base/base.h"

/*
 * Confines this process, which becomes the compiler, and all that it starts to
 * the calls that g++, as and ld make. Calls that change a file's owner,
 * permissions or times succeed without effect. Any other call, and each that
 * starts a process, waits for filter_judge() at the other end of the returned
 * descriptor, which the caller sends through the socket `sends` and closes. -1:
 * not possible.
 */
int filter_compiler(int sends);
/*
 * Decides on the call that waits at `notify`. Lets it continue if it starts a
 * process and at most `most` were started, counted in *starts, or if a process
 * signals itself; returns NULL then. Otherwise returns what was tried, as
 * filter_words() does; the call still waits, and the caller kills the compiler
 * with all that it has started.
 */
char *filter_judge(int notify, unsigned *starts, unsigned most);
/* Confines this process to computing: its memory, its clock and the descriptors
 * that are open now. Any other call raises SIGSYS. -1: not possible. */
int filter_recorder(void);
/* Confines this process while it loads a module, before filter_recorder(): it
 * may also open files, make code executable and restrict itself further. -1:
 * not possible. */
int filter_loader(void);
/* Confines a program as filter_recorder() does, but lets it read files, and
 * write them if `writes`; confine_files() says which. -1: not possible. */
int filter_program(bool writes);

/* Returns whether a refused system call opens a file. A program may read all
 * that it can open, so such a call tried to write. */
bool filter_opens(int number);
/* Describes a system call, as the end of "the file tried to ...", such as
 * "start a process (execve)"; heap. */
char *filter_words(int number);

#endif
