/* The words of a request's sectors: which lanes access them, and their
 * values. */
#include <string.h>

#include "kernels/problem.h"
#include "scene/stage.h"

static void find_words(struct scene *sc)
{
	struct scene_sectors *k = &sc->in_sectors;
	uint32_t bytes = sc->access.bytes;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		k->lane[lane].sector = -1;
	for (size_t i = 0; i < sc->sector_count; i++)
		for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
			uint64_t at = sc->access.address[lane] -
				      sc->sectors[i].address;

			if (!(sc->sectors[i].lanes >> lane & 1))
				continue;
			k->lane[lane].sector = (int8_t)i;
			k->lane[lane].word = (uint8_t)(at / BANK_BYTES);
			k->lane[lane].words = (uint8_t)
				((bytes + BANK_BYTES - 1) / BANK_BYTES);
		}
}

static uint64_t array_bytes(const struct trace_array *a)
{
	uint64_t n = a->elem_bytes;

	for (uint32_t d = 0; d < a->rank; d++)
		n *= a->dims[d];
	return n;
}

static void find_inside(struct scene *sc)
{
	uint64_t base = sc->array->base, end = base + array_bytes(sc->array);

	for (size_t i = 0; i < sc->sector_count; i++) {
		sc->in_sectors.inside[i] = 0;
		for (uint32_t w = 0; w < SECTOR_WORDS; w++) {
			uint64_t at = sc->sectors[i].address + w * BANK_BYTES;

			if (at >= base && at < end)
				sc->in_sectors.inside[i] |= 1u << w;
		}
	}
}

static void put_recorded(struct scene *sc)
{
	struct scene_sectors *k = &sc->in_sectors;
	uint32_t bytes = sc->array->elem_bytes;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		int sector = k->lane[lane].sector;
		uint64_t at;

		if (sector < 0)
			continue;
		at = (sc->access.address[lane] - sc->sectors[sector].address) /
		     bytes;
		for (uint32_t b = 0; b + bytes <= sc->access.bytes;
		     b += bytes, at++) {
			struct cell_value *v = &k->value[sector][at];

			v->known = element_value(sc->array->elem,
				&sc->request.value[lane * 4], b, &v->v);
		}
	}
}

/* Returns which input the array is: 0 (A), 1 (B), or -1. */
static int get_input(const struct scene *sc)
{
	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->arrays[i].array == sc->array)
			return sc->input[i];
	return -1;
}

/* Fills in, or with `check` compares: false where what was recorded is not what
 * the recorder had put there. */
static bool put_input(struct scene *sc, int matrix, bool check)
{
	struct scene_sectors *k = &sc->in_sectors;
	uint32_t bytes = sc->array->elem_bytes;

	for (size_t i = 0; i < sc->sector_count; i++)
		for (uint32_t e = 0; e < k->elements; e++) {
			struct cell_value *v = &k->value[i][e];
			uint64_t at = sc->sectors[i].address + e * bytes;
			double in;

			if (!(k->inside[i] >> e * bytes / BANK_BYTES & 1))
				continue;
			in = problem_gemm.input(sc->info->seed, matrix,
				(at - sc->array->base) / bytes);
			if (check && v->known && v->v != in)
				return false;
			if (!check)
				*v = (struct cell_value){ true, in };
		}
	return true;
}

void scene_sectors(struct scene *sc)
{
	struct scene_sectors *k = &sc->in_sectors;
	uint32_t bytes = sc->array ? sc->array->elem_bytes : 0;
	int matrix;

	if (!sc->costs || !sc->sector_count)
		return;
	find_words(sc);
	find_inside(sc);
	k->elements = bytes >= 2 && bytes <= 8 ? SECTOR_BYTES / bytes : 0;
	memset(k->value, 0, sizeof(k->value));
	if (!k->elements || sc->array->base % bytes || !sc->info->values)
		return;
	put_recorded(sc);
	matrix = sc->site->op == OP_LD ? get_input(sc) : -1;
	if (matrix >= 0 && put_input(sc, matrix, true))
		put_input(sc, matrix, false);
}
