/*
 * map: a hash map. It numbers keys 0, 1, 2, ... in the order in which they are
 * added; what a key stands for is kept by its owner, in an array by this
 * number. {0} is an empty map.
 *
 * A key is bytes, as many as its owner says: a string, a number, a structure
 * (without padding, for all bytes count). The map copies a key once, with a
 * zero byte behind it; the copy is aligned for any type and stays where it is
 * until map_done(). Keys are not removed.
 *
 * map_add() and map_find() take constant time on average, some 15 ns and 0.1 ns
 * for each byte of the key. A key takes some 40 bytes beside its own.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/base.h"

#define MAP_NONE UINT32_MAX

struct map {
	size_t count;			/* of keys */
	size_t capacity;
	struct map_key *keys;		/* by number */
	uint32_t *slots;		/* number + 1; 0 is free */
	size_t slot_count;		/* a power of two, or 0 */
	struct map_block *blocks;	/* the copies, newest first */
};

/* The key's number; it is the m->count of before when the key is new. */
uint32_t map_add(struct map *m, const void *key, size_t length);
/* MAP_NONE: the key was not added. */
uint32_t map_find(const struct map *m, const void *key, size_t length);
/* The copy of the key of this number. */
const void *map_key(const struct map *m, size_t number);
/* Leaves an empty map. */
void map_done(struct map *m);

#endif
