/*
 * device_uninit: marks memory that a program allocates as unwritten, and clears
 * the marks before the host or a library uses it. See uninit.h.
 */
#ifndef CUDART_DEVICE_UNINIT_H
#define CUDART_DEVICE_UNINIT_H

#include "cudart/device_memory.h"

/* Fills a new allocation, which must be writable. */
void device_uninit_begin(struct allocation *a);
/* Fills part of an allocation again, in whole words, as if it were new. */
void device_uninit_again(uintptr_t from, uint64_t bytes);
/* Clears the unwritten words of rows that are about to be read. Returns how
 * many bytes were unwritten, not counting gaps between the members of
 * structures. `pitch`, `width`: bytes. */
uint64_t device_uninit_read(uintptr_t from, uint64_t pitch, uint64_t width,
			   uint64_t height);
/* Clears the words that are only partly in rows that are about to be
 * written. */
void device_uninit_written(uintptr_t from, uint64_t pitch, uint64_t width,
			  uint64_t height);
/* Clear all unwritten words of the allocation at an address, or of all
 * allocations, before accesses that nobody reports. */
void device_uninit_end_at(uintptr_t address);
void device_uninit_end_all(void);
/* Returns whether no word of the allocation at an address had been written when
 * this was first asked. Called before the first read of one is reported. */
bool device_is_fresh(uintptr_t address);

#endif
