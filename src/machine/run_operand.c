/* run_operand: what instructions read and set. See run_parts.h. */
#include <stdlib.h>

#include "machine/run_parts.h"

#define BITS4(n) 1u << (n), 2u << (n), 4u << (n), 8u << (n)
const struct lanes lane_bit = { {
	BITS4(0), BITS4(4), BITS4(8), BITS4(12), BITS4(16), BITS4(20),
	BITS4(24), BITS4(28),
} };

const uint32_t *source_change(const uint32_t *from, uint8_t change,
			      struct lanes *room)
{
	uint32_t keep = change & CHANGE_ABSOLUTE ? 0x7fffffff : FULL;
	uint32_t flip = (change & CHANGE_NOT ? FULL : 0) ^
			(change & CHANGE_SIGN ? 0x80000000 : 0);

	if (change & CHANGE_NEGATE)
		EACH_LANE(l)
			room->v[l] = 0 - from[l];
	else
		EACH_LANE(l)
			room->v[l] = (from[l] & keep) ^ flip;
	return room->v;
}

void source_get64(struct warp *w, const struct step_source *s,
		  uint64_t to[WARP_LANES])
{
	struct step_source plain = *s;
	struct lanes none;
	const uint32_t *low, *high;

	plain.change = 0;
	low = source_get(w, &plain, 0, &none);
	high = source_get(w, &plain, 1, &none);
	EACH_LANE(l) {
		uint64_t v = low[l] | (uint64_t)high[l] << 32;

		if (s->change & CHANGE_ABSOLUTE)
			v &= INT64_MAX;
		if (s->change & CHANGE_SIGN)
			v ^= (uint64_t)1 << 63;
		if (s->change & CHANGE_NOT)
			v = ~v;
		if (s->change & CHANGE_NEGATE)
			v = 0 - v;
		to[l] = v;
	}
}

void put_row(struct warp *w, uint32_t row, const uint32_t *from, uint32_t mask)
{
	uint32_t *to = w->r[row].v;

	if (row == SASS_RZ || row == SASS_URZ)
		return;
	if (row >= SASS_UNIFORM) {
		uint32_t v = from[__builtin_ctz(mask)];

		EACH_LANE(l)
			to[l] = v;
	} else if (mask == FULL) {
		memcpy(to, from, sizeof(w->r[row].v));
	} else {
		EACH_LANE(l)
			to[l] = IS_IN(mask, l) ? from[l] : to[l];
	}
}

void put_row64(struct warp *w, uint32_t row, const uint64_t *from,
	       uint32_t mask)
{
	struct lanes low, high;

	if (row == SASS_RZ || row == SASS_URZ)
		return;
	EACH_LANE(l) {
		low.v[l] = (uint32_t)from[l];
		high.v[l] = (uint32_t)(from[l] >> 32);
	}
	put_row(w, row, low.v, mask);
	put_row(w, row + 1, high.v, mask);
}

void put_predicate(struct warp *w, uint32_t p, uint32_t value, uint32_t mask)
{
	if (p == SASS_PT || p == SASS_UPT)
		return;
	if (p > SASS_PT)
		w->p[p] = value & (mask & -mask) ? FULL : 0;
	else
		w->p[p] = (w->p[p] & ~mask) | (value & mask);
}

int compare_kind(const struct step *s)
{
	static const struct { const char *word; int kind; } words[] = {
		{ "LT", COMPARE_LT }, { "EQ", COMPARE_EQ },
		{ "LE", COMPARE_LT | COMPARE_EQ }, { "GT", COMPARE_GT },
		{ "NE", COMPARE_LT | COMPARE_GT },
		{ "GE", COMPARE_GT | COMPARE_EQ },
		{ "LTU", COMPARE_LT | COMPARE_NAN },
		{ "EQU", COMPARE_EQ | COMPARE_NAN },
		{ "LEU", COMPARE_LT | COMPARE_EQ | COMPARE_NAN },
		{ "GTU", COMPARE_GT | COMPARE_NAN },
		{ "NEU", COMPARE_LT | COMPARE_GT | COMPARE_NAN },
		{ "GEU", COMPARE_GT | COMPARE_EQ | COMPARE_NAN },
		{ "NUM", COMPARE_LT | COMPARE_EQ | COMPARE_GT },
		{ "NAN", COMPARE_NAN },
	};

	for (size_t i = 0; i < LENGTH(words); i++)
		if (sass_has(s->of, words[i].word))
			return words[i].kind;
	return -1;
}

uint32_t join_result(const struct warp *w, const struct step *s, uint32_t result)
{
	uint32_t with = s->ins ? get_predicate(w, s->in[0]) : FULL;

	return s->join == JOIN_OR ? result | with :
	       s->join == JOIN_XOR ? result ^ with : result & with;
}

void put_comparison(struct warp *w, const struct step *s, uint32_t result,
		    uint32_t mask)
{
	uint32_t other = join_result(w, s, ~result);

	put_predicate(w, s->out[0], join_result(w, s, result), mask);
	if (s->outs > 1)
		put_predicate(w, s->out[1], other, mask);
}
