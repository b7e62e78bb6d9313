/*
 * part_written: finds arrays that kernels only store to and that the host copies
 * back, of which no kernel writes some columns: the launch does not cover the
 * array. Arrays that anything else writes, that kernels read where they have not
 * written, or that code without the recorder's hooks may use, do not count.
 */
#ifndef CUDART_PART_WRITTEN_H
#define CUDART_PART_WRITTEN_H

#include "emu/launch.h"

/* Notes what the last launch, which ran with hooks, wrote. */
void part_written_launch(const struct launch *l);
/* Notes a copy to or from device memory. */
void part_written_copy(uintptr_t to, uintptr_t from);
/* Gives up all arrays so far: accesses to them are not reported. */
void part_written_forget(void);
/* Adds a problem for each array of which columns are not written; at the
 * program's end. */
void part_written_end(void);

#endif
