/*
 * fresh: finds reads of device memory that nobody has written since it was
 * allocated. Each of its 32-bit words is filled with a number that follows from
 * its address; any write replaces it. A kernel's load that finds only such
 * words is a finding. The program itself sees zeros, as it would otherwise: the
 * words become 0 before anybody else reads them.
 */
#ifndef EMU_FRESH_H
#define EMU_FRESH_H

#include "base/base.h"

struct slot;
struct thread;

/* Returns the fill of the word at this address. As a float it is a signaling
 * NaN, which no computation produces; an integer has this value by chance once
 * in 4 billion. */
static inline uint32_t fresh_word(uintptr_t at)
{
	return 0xffa00000u | (uint32_t)(at >> 2) * 0x9e3779b1u >> 12;
}

/* Returns whether the word that contains this byte still has its fill. */
static inline bool fresh_at(uintptr_t address)
{
	const uint32_t *word = (const uint32_t *)(address & ~(uintptr_t)3);

	return *word == fresh_word((uintptr_t)word);
}

/* Marks all words of the slot's array as written, before accesses that nobody
 * reports. */
void fresh_end_of(struct slot *s);
/* Checks a thread's access to an array that may have unwritten words, and
 * clears them. `one`: it accesses a single element, so that a read is
 * reported. */
void fresh_access(const struct thread *t, const struct slot *s,
		  uintptr_t address, uint64_t bytes, bool one);

#endif
