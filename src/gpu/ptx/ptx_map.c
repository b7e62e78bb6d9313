/*
 * ptx_map: numbers by number. See ptx_map.h.
 */
#include <stdlib.h>

#include "gpu/ptx/ptx_map.h"

static struct ptx_map_cell *cell(const struct ptx_map *m, uint64_t key)
{
	uint64_t h = hash_bytes(&key, sizeof(key));

	for (;; h++) {
		struct ptx_map_cell *c = &m->cells[h & (m->size - 1)];

		if (!c->used || c->key == key)
			return c;
	}
}

static void map_grow(struct ptx_map *m)
{
	struct ptx_map_cell *old = m->cells;
	size_t size = m->size;

	m->size = MAX(2 * size, (size_t)64);
	m->cells = xcalloc(m->size, sizeof(*m->cells));
	for (size_t i = 0; i < size; i++)
		if (old[i].used)
			*cell(m, old[i].key) = old[i];
	free(old);
}

uint32_t *ptx_map_at(struct ptx_map *m, uint64_t key)
{
	struct ptx_map_cell *c;

	if (2 * m->count >= m->size)
		map_grow(m);
	c = cell(m, key);
	m->count += !c->used;
	c->used = true;
	c->key = key;
	return &c->value;
}

uint32_t ptx_map_get(const struct ptx_map *m, uint64_t key)
{
	return m->size ? cell(m, key)->value : 0;
}

void ptx_map_done(struct ptx_map *m)
{
	free(m->cells);
	*m = (struct ptx_map) { 0 };
}
