/*
 * fresh: device memory that nobody has written since it was allocated. Each of
 * its 32-bit words holds a number of its own, which follows from its address:
 * who writes the word, by whatever means, replaces that. A kernel's load that finds
 * all its words so is a finding. The program itself sees zeros, as it would
 * without this: words become 0 before anybody reads them.
 */
#ifndef EMU_FRESH_H
#define EMU_FRESH_H

#include "base/base.h"

struct slot;
struct thread;

/* What a word at this address holds: as a float, a signaling NaN, which nothing
 * computes; a whole number is that one by chance, one in 4 billion. */
static inline uint32_t fresh_word(uintptr_t at)
{
	return 0xffa00000u | (uint32_t)(at >> 2) * 0x9e3779b1u >> 12;
}

/* Whether the word that this byte is in does. */
static inline bool fresh_at(uintptr_t address)
{
	const uint32_t *word = (const uint32_t *)(address & ~(uintptr_t)3);

	return *word == fresh_word((uintptr_t)word);
}

/* All words of the slot's array count as written: somebody who tells nobody will
 * use them. */
void fresh_end_of(struct slot *s);
/* The thread accesses memory of an array that has such words. */
void fresh_access(const struct thread *t, const struct slot *s,
		  uintptr_t address, uint64_t bytes, bool one);

#endif
