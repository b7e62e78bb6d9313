/*
 * tma: boxes of a matrix, copied between global and shared memory by an agent
 * of the thread that asks for it.
 */
#ifndef EMU_TMA_H
#define EMU_TMA_H

#include "emu/hooks.h"

/* The thread ends: what it has stored must have been read. */
void bulks_end(struct thread *t);
/* Forgets its copies. */
void bulks_drop(struct thread *t);

#endif
