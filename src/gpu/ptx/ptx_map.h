/*
 * ptx_map: numbers by number. {0} is an empty one.
 */
#ifndef GPU_PTX_PTX_MAP_H
#define GPU_PTX_PTX_MAP_H

#include "base/base.h"

struct ptx_map {
	struct ptx_map_cell {
		uint64_t key;
		uint32_t value;
		bool used;
	} *cells;
	size_t count, size;
};

/* The value of the key; a new one is 0. Valid until the next call. */
uint32_t *ptx_map_at(struct ptx_map *m, uint64_t key);
/* 0 where there is none. */
uint32_t ptx_map_get(const struct ptx_map *m, uint64_t key);
void ptx_map_done(struct ptx_map *m);

#endif
