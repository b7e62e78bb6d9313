#include "analysis/cost_memo.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS 4096

struct memo_key {
	uint32_t site, mask, alignment;
	uint32_t lane[WARP_LANES];	/* bytes from the first active lane */
};

struct memo_slot {
	struct memo_key key;		/* mask 0: the slot is empty */
	int status;			/* what access_cost() returned */
	struct access_cost cost;
};

struct cost_memo {
	const struct trace_info *info;
	struct memo_slot direct;	/* of a request without a key */
	struct memo_slot slots[SLOTS];
};

struct cost_memo *cost_memo_new(const struct trace_info *info)
{
	struct cost_memo *m = xcalloc(1, sizeof(*m));

	m->info = info;
	return m;
}

void cost_memo_free(struct cost_memo *m)
{
	free(m);
}

/* Makes the key of a request. Returns false if the lanes are too far apart for
 * one. */
static bool make_memo_key(const struct trace_request *r, uint64_t base,
			  uint32_t unit, struct memo_key *key)
{
	uint64_t first = r->offset[__builtin_ctz(r->mask)], far = 0;

	for (int lane = 0; lane < WARP_LANES; lane++) {
		uint64_t apart = r->offset[lane] - first;

		apart = r->mask >> lane & 1 ? apart : 0;
		key->lane[lane] = (uint32_t)apart;
		far |= apart + (UINT64_C(1) << 31);
	}
	key->site = r->site;
	key->mask = r->mask;
	key->alignment = (uint32_t)((base + first) % unit);
	return far >> 32 == 0;
}

static size_t hash_memo_key(const struct memo_key *key)
{
	uint64_t h = key->site * UINT64_C(0x9e3779b97f4a7c15) +
		     key->mask * UINT64_C(0xc2b2ae3d27d4eb4f) +
		     key->alignment;

	for (uint64_t lane = 0; lane < WARP_LANES; lane++)
		h += key->lane[lane] * (UINT64_C(0x9e3779b97f4a7c15) *
					(2 * lane + 3));
	h ^= h >> 29;
	return h * UINT64_C(0xbf58476d1ce4e5b9) >> 52;
}

const struct access_cost *cost_memo_get(struct cost_memo *m,
					const struct trace_request *r)
{
	const struct trace_site *site = &m->info->sites[r->site];
	const struct trace_array *array = &m->info->arrays[site->array];
	uint32_t unit = array->space == SPACE_GLOBAL ? SECTOR_BYTES :
						       BANK_BYTES;
	struct memo_key key;
	bool keyed =
		make_memo_key(r, array->base, MAX(unit, site->bytes), &key);
	struct memo_slot *slot =
		keyed ? &m->slots[hash_memo_key(&key)] : &m->direct;
	struct access a;

	if (!keyed || memcmp(&slot->key, &key, sizeof(key))) {
		slot->key = key;
		access_of(m->info, r, &a);
		slot->status = access_cost(&a, &slot->cost, NULL);
	}
	return slot->status < 0 ? NULL : &slot->cost;
}
