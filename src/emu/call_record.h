/*
 * call_record: a program's call of a kernel, run with the recorder's hooks and
 * without. The arguments are read where the kernel has them; its arrays are the
 * program's memory.
 */
#ifndef EMU_CALL_RECORD_H
#define EMU_CALL_RECORD_H

#include "emu/launch.h"

/* Makes the arrays and the block's shared memory, and reads the arguments; -1
 * with e. */
int call_bind(struct launch *l, struct error *e);
/* Runs the blocks from `from` on, which are not recorded; -1 with e. */
int call_rest(struct launch *l, uint64_t from, struct error *e);

#endif
