/* scene_sectors: the contents of the sectors of a request to global memory, and
 * the words that each lane accesses. */
#ifndef SCENE_SCENE_SECTORS_H
#define SCENE_SCENE_SECTORS_H

#include "hardware/access.h"

/* The value of an element or of a register, if it is known. */
struct cell_value { bool known; double v; };

#define SECTOR_WORDS (SECTOR_BYTES / BANK_BYTES)
#define SECTOR_ELEMENTS (SECTOR_BYTES / 2)

struct scene_sectors {
	/* The elements of a sector that have values here; 0: elements of one
	 * byte have none. */
	uint32_t elements;
	/* Recorded values of what was moved; for the rest of the sector the
	 * recorder's input (only in A and B, and only if it explains all
	 * recorded values). */
	struct cell_value value[2 * WARP_LANES][SECTOR_ELEMENTS];
	/* Bit w: word w of the sector lies in the array. */
	uint8_t inside[2 * WARP_LANES];
	/* For each lane its sector, -1 if it is inactive, its first word there,
	 * and how many words it moves or has a part of. */
	struct { int8_t sector; uint8_t word, words; } lane[WARP_LANES];
};

#endif
