/*
 * filter: the system calls of a process that a reader's file has a hand in
 * (seccomp(2), by libseccomp). It cannot be undone.
 */
#ifndef EMU_FILTER_H
#define EMU_FILTER_H

#include "base/base.h"

/* The compiler and what it starts: no network, no other processes, nothing of
 * the system's. What it calls of these fails. -1: this is not possible. */
int filter_compiler(void);
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
