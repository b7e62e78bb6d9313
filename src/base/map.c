/*
 * map: open addressing, at most half full. See map.h.
 */
#include "base/map.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_FIRST 64
#define BLOCK_FIRST 1024
#define BLOCK_MOST (1u << 20)

struct map_key {
	const void *data;
	size_t length;
	uint64_t hash;
};

struct map_block {
	struct map_block *next;
	size_t used, size;
	max_align_t data[];
};

static uint64_t mix_word(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9E3779B97F4A7C15u;
	return h << 29 | h >> 35;
}

/* Hashes two words at a time, each into its own half, so that a long key takes
 * a tenth of the time of hash_bytes(), whose values files depend on. */
static uint64_t hash_key(const void *key, size_t length)
{
	const unsigned char *p = key;
	uint64_t h = length, g = 0, word[2];

	for (; length >= sizeof(word); length -= sizeof(word)) {
		memcpy(word, p, sizeof(word));
		h = mix_word(h, word[0]);
		g = mix_word(g, word[1]);
		p += sizeof(word);
	}
	memset(word, 0, sizeof(word));
	if (length)
		memcpy(word, p, length);
	h = mix_word(mix_word(mix_word(h, word[0]), word[1]), g);
	h = (h ^ h >> 32) * 0xC2B2AE3D27D4EB4Fu;
	return h ^ h >> 29;
}

static void *copy_key(struct map *m, const void *key, size_t length)
{
	size_t bytes = (length / sizeof(max_align_t) + 1) * sizeof(max_align_t);
	struct map_block *b = m->blocks;
	char *copy;

	if (!b || b->size - b->used < bytes) {
		size_t size = b ? MIN(2 * b->size, BLOCK_MOST) : BLOCK_FIRST;

		size = MAX(size, bytes);
		b = xmalloc(sizeof(*b) + size);
		*b = (struct map_block) { m->blocks, 0, size };
		m->blocks = b;
	}
	copy = (char *)b->data + b->used;
	b->used += bytes;
	if (length)
		memcpy(copy, key, length);
	copy[length] = '\0';
	return copy;
}

static bool is_key(const struct map_key *k, const void *key, size_t length,
		   uint64_t hash)
{
	return k->hash == hash && k->length == length &&
	       (length == 0 || memcmp(k->data, key, length) == 0);
}

/* Finds the slot that holds the key, or the free one where it belongs. */
static uint32_t *find_key_slot(const struct map *m, const void *key,
			       size_t length, uint64_t hash)
{
	for (uint64_t i = hash;; i++) {
		uint32_t *slot = &m->slots[i & (m->slot_count - 1)];

		if (!*slot || is_key(&m->keys[*slot - 1], key, length, hash))
			return slot;
	}
}

static void slots_grow(struct map *m)
{
	m->slot_count = MAX(2 * m->slot_count, (size_t)SLOTS_FIRST);
	free(m->slots);
	m->slots = xcalloc(m->slot_count, sizeof(*m->slots));
	for (size_t n = 0; n < m->count; n++) {
		uint64_t i = m->keys[n].hash;

		while (m->slots[i & (m->slot_count - 1)])
			i++;
		m->slots[i & (m->slot_count - 1)] = (uint32_t)n + 1;
	}
}

uint32_t map_add(struct map *m, const void *key, size_t length)
{
	uint64_t hash = hash_key(key, length);
	uint32_t *slot;

	if (2 * m->count >= m->slot_count)
		slots_grow(m);
	slot = find_key_slot(m, key, length, hash);
	if (*slot)
		return *slot - 1;
	grow(&m->keys, &m->capacity, m->count + 1, sizeof(*m->keys));
	m->keys[m->count] = (struct map_key) {
		copy_key(m, key, length), length, hash };
	*slot = (uint32_t)++m->count;
	return *slot - 1;
}

uint32_t map_find(const struct map *m, const void *key, size_t length)
{
	return m->count ?
		       *find_key_slot(m, key, length, hash_key(key, length)) -
			       1 :
		       MAP_NONE;
}

const void *map_key(const struct map *m, size_t number)
{
	return m->keys[number].data;
}

void map_done(struct map *m)
{
	struct map_block *b = m->blocks;

	while (b) {
		struct map_block *next = b->next;

		free(b);
		b = next;
	}
	free(m->slots);
	free(m->keys);
	*m = (struct map) { 0 };
}
