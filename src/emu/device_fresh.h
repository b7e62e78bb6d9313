/*
 * device_fresh: what nobody has written of the memory that a program allocates.
 * fresh.h has how that is known, and what is found.
 */
#ifndef EMU_DEVICE_FRESH_H
#define EMU_DEVICE_FRESH_H

#include "emu/device_memory.h"

/* An allocation has been made, which may be written. */
void device_fresh_begin(struct allocation *a);
/* A part of one, of whole words, is as if nobody had written it. */
void device_fresh_again(uintptr_t from, uint64_t bytes);
/* These rows are read: words that nobody has written become 0. How many bytes
 * these are, where they are no gaps between a structure's members. */
uint64_t device_fresh_read(uintptr_t from, uint64_t pitch, uint64_t width,
			   uint64_t height);
/* These will be written as a whole: so do words that are only in part in a
 * row. */
void device_fresh_written(uintptr_t from, uint64_t pitch, uint64_t width,
			  uint64_t height);
/* So do all of the allocation at an address, or of all: somebody who tells
 * nobody will use them. */
void device_fresh_end_at(uintptr_t address);
void device_fresh_end_all(void);
/* Whether nobody has written any word of the allocation at an address that may
 * be unwritten; asked at the first read of one. */
bool device_is_fresh(uintptr_t address);

#endif
