/*
 * filter: the system calls of a process that a reader's file has a hand in
 * (seccomp(2), by libseccomp). It cannot be undone.
 */
#ifndef EMU_FILTER_H
#define EMU_FILTER_H

#include "base/base.h"

/*
 * Confines this process, which becomes the compiler, and all that it starts: to
 * the calls that g++, as and ld make. Calls that change whose a file is, what it
 * may do or when it was written succeed without effect. Any other call, and each
 * that starts a process, waits for filter_judge() at the other end of the
 * returned descriptor, which is to be sent through the socket `sends` and closed.
 * Returns -1 if this is not possible.
 */
int filter_compiler(int sends);
/*
 * Judges the call that waits at `notify`. Lets it go on if it starts a process
 * and no more than `most` were started, which it counts in *starts, or if a
 * process signals itself. Otherwise returns what was tried, as filter_words()
 * does; the call still waits, and the caller kills all of the compiler. Returns
 * NULL if the call went on.
 */
char *filter_judge(int notify, unsigned *starts, unsigned most);
/* This process: only what computing, its memory, its clock and the descriptors
 * that are open now need. Any other call raises SIGSYS. -1: this is not
 * possible. */
int filter_recorder(void);
/* Likewise, before that, while a module is loaded: it may also open files, make
 * code executable, and take its own rights away. */
int filter_loader(void);
/* The same as filter_recorder() for a program, which also reads files, and
 * writes some if it may: which ones, confine_files() says. */
int filter_program(bool writes);

/* Whether the system call of this number, which was refused, opens a file: to
 * write it, for a program may read what it can. */
bool filter_opens(int number);
/* What the system call of this number does, as the end of "the file tried to
 * ...", such as "start a process (execve)"; heap. */
char *filter_words(int number);

#endif
