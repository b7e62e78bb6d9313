/*
 * uninit: finds reads of device memory that nobody has written since it was
 * allocated. Each of its 32-bit words is filled with a number that follows from
 * its address; any write replaces it. A kernel's load that finds only such
 * words is a finding. The program itself sees zeros, as it would otherwise: the
 * words become 0 before anybody else reads them.
 */
#ifndef EMU_UNINIT_H
#define EMU_UNINIT_H

#include "base/base.h"

struct access_site;
struct thread;

/* Returns the fill of the word at this address. As a float it is a signaling
 * NaN, which no computation produces; an integer has this value by chance once
 * in 4 billion. */
static inline uint32_t uninit_word(uintptr_t at)
{
	return 0xffa00000u | (uint32_t)(at >> 2) * 0x9e3779b1u >> 12;
}

/* Returns whether the word that contains this byte still has its fill. */
static inline bool uninit_at(uintptr_t address)
{
	const uint32_t *word = (const uint32_t *)(address & ~(uintptr_t)3);

	return *word == uninit_word((uintptr_t)word);
}

/* Marks all words of the site's array as written, before accesses that nobody
 * reports. */
void uninit_end_of(struct access_site *s);
/* Checks a thread's access to an array that may have unwritten words, and
 * clears them. `one`: it accesses a single element, so that a read is
 * reported. */
void uninit_access(const struct thread *t, const struct access_site *s,
		  uintptr_t address, uint64_t bytes, bool one);

#endif
