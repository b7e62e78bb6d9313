/*
 * map: a hash map that numbers its keys 0, 1, 2, ... in the order in which they
 * are added. The owner of the map keeps the values, in an array indexed by this
 * number. {0} is an empty map.
 *
 * A key is bytes, as many as its owner says: a string, a number, a structure
 * (without padding, because all bytes count). The map copies a key once, with a
 * zero byte after it; the copy is aligned for any type and does not move until
 * map_done(). Keys are not removed.
 *
 * map_add() and map_find() take constant time on average, some 15 ns and 0.1 ns
 * for each byte of the key. A key takes some 40 bytes in addition to its own.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/base.h"

#define MAP_NONE UINT32_MAX

struct map {
	size_t count;			/* number of keys */
	size_t capacity;
	struct map_key *keys;		/* indexed by number */
	uint32_t *slots;		/* number + 1; 0 is free */
	size_t slot_count;		/* a power of two, or 0 */
	struct map_block *blocks;	/* the copies of keys, newest first */
};

/* Adds a key unless it is there, and returns its number, which for a new key is
 * the m->count from before the call. */
uint32_t map_add(struct map *m, const void *key, size_t length);
/* Returns the number of a key; MAP_NONE when it was not added. */
uint32_t map_find(const struct map *m, const void *key, size_t length);
/* The map's copy of the key with this number. */
const void *map_key(const struct map *m, size_t number);
/* Frees everything, and leaves an empty map. */
void map_done(struct map *m);

#endif
