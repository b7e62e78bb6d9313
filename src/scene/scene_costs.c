/* The request's cost, its elements, and the lanes that light up. */
#include "scene/stage.h"

#include <string.h>

static void find_elements(struct scene *sc)
{
	uint32_t bytes = sc->array->elem_bytes;
	uint32_t n = stage_site_elements(sc->site, sc->array);

	sc->element_count = 0;
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		for (uint32_t i = 0; sc->request.mask >> lane & 1 && i < n &&
		     n <= 4; i++) {
			uint64_t e = sc->request.offset[lane] / bytes + i;
			size_t k = sc->element_count;

			while (k && sc->elements[k - 1].element > e)
				k--;
			if (k && sc->elements[k - 1].element == e) {
				sc->elements[k - 1].lanes |= 1u << lane;
				continue;
			}
			memmove(&sc->elements[k + 1], &sc->elements[k],
				(sc->element_count - k) *
					sizeof(sc->elements[0]));
			sc->elements[k].element = e;
			sc->elements[k].lanes = 1u << lane;
			sc->element_count++;
		}
	}
}

uint32_t scene_focus(const struct scene *sc)
{
	const struct cursor *p = &sc->cursor;
	uint32_t lanes = 0;

	switch (p->focus) {
	case FOCUS_LANE:
		return 1u << p->lane;
	case FOCUS_SECTOR:
		if ((size_t)p->focus_index < sc->sector_count)
			lanes = sc->sectors[p->focus_index].lanes;
		break;
	case FOCUS_BANK:
		for (size_t i = 0; i < sc->word_count; i++)
			if (sc->words[i].bank == p->focus_index)
				lanes |= sc->words[i].lanes;
		break;
	case FOCUS_ELEMENT:
		if ((size_t)p->focus_index < sc->element_count)
			lanes = sc->elements[p->focus_index].lanes;
		break;
	}
	return lanes;
}

void scene_value(struct scene *sc)
{
	const uint32_t *words = &sc->request.value[sc->cursor.lane * 4];
	enum elem elem = sc->array ? stage_elem(sc->info, sc->array) :
				     ELEM_RAW;

	sc->has_value = sc->info->values && sc->lane_active && sc->array &&
			op_is_access(sc->site->op) &&
			element_value(elem, words, 0, &sc->value);
	sc->has_second = sc->has_value && elem != sc->array->elem &&
			 element_value(elem, words, 2, &sc->second);
}

static void find_sector_lanes(struct scene *sc)
{
	const struct access *a = &sc->access;

	memset(sc->sector_lanes, 0, sizeof(sc->sector_lanes));
	for (size_t i = 0; i < sc->sector_count; i++)
		for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
			uint64_t at = a->address[lane] - sc->sectors[i].address;
			uint64_t word = at / BANK_BYTES;

			if (!(sc->sectors[i].lanes >> lane & 1))
				continue;
			for (; word * BANK_BYTES < at + a->bytes; word++)
				sc->sector_lanes[i][word] |= 1u << lane;
		}
}

void scene_costs(struct scene *sc)
{
	int passes;

	sc->sector_count = sc->word_count = sc->element_count = 0;
	sc->costs = access_of(sc->info, &sc->request, &sc->access) &&
		    !access_cost(&sc->access, &sc->cost, NULL);
	pattern_find(sc->info, &sc->request, &sc->pattern);
	if (sc->costs && sc->access.space == ACCESS_GLOBAL)
		sc->sector_count = access_sectors(&sc->access, sc->sectors);
	else if (sc->costs)
		sc->word_count = access_words(&sc->access, sc->words, &passes);
	find_sector_lanes(sc);
	if (sc->array)
		find_elements(sc);
	sc->elements_shared = sc->array && sc->element_count <
		(size_t)sc->pattern.lanes *
				(sc->site->bytes / sc->array->elem_bytes);
}
