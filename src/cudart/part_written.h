/*
 * part_written: finds arrays that kernels only store to and that the host copies
 * back whole, of which no kernel writes some columns, the last rows or the last
 * elements: the launch does not cover the array. Arrays that anything else
 * writes, that kernels read where they have not written, or that code without
 * the recorder's hooks may use, do not count; nor does a part that begins at a
 * number which the launch passes.
 */
#ifndef CUDART_PART_WRITTEN_H
#define CUDART_PART_WRITTEN_H

#include "emu/launch.h"

/* Notes what the last launch, which ran with hooks, wrote. */
void part_written_launch(const struct launch *l);
/* Notes a copy of so many bytes to or from device memory. */
void part_written_copy(uintptr_t to, uintptr_t from, uint64_t bytes);
/* Returns whether a copy from the host replaces a whole array, of which nothing
 * has read what kernels stored there. Call it before part_written_copy(). */
bool part_written_unread(uintptr_t to, uintptr_t from, uint64_t bytes);
/* Gives up all arrays so far: accesses to them are not reported. */
void part_written_forget(void);
/* Adds a problem for each array that is not written whole; at the program's
 * end. */
void part_written_end(void);

#endif
