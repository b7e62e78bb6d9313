/*
 * trace_predictor: the values that the writer and the reader both predict for a
 * request, so that a chunk holds only the words that differ.
 */
#ifndef TRACE_TRACE_PREDICTOR_H
#define TRACE_TRACE_PREDICTOR_H

#include "trace/trace_format.h"

#define LOADS_KEPT 3

enum tag { TAG_SHADOW,		/* every word is as in the shadow memory */
	   TAG_LOADED,		/* every word is as in the last load */
	   TAG_SUM,		/* this and the next two: the last load, the
				   one before or the one before that, plus
				   the product of the other two */
	   TAG_SHADOW_BITS = TAG_SUM + LOADS_KEPT,
	   TAG_LOADED_BITS,	/* these two: except where a bit is set */
	   TAG_GIVEN,		/* no word is predicted */
	   TAG_COUNT };

/*
 * The predictor of values, the same in the writer and the reader, cleared at
 * the start of each chunk. Its shadow memory keeps the last word seen at each
 * address (in register arrays: at each address of each lane), in slots that
 * addresses may share: a wrong prediction costs bytes, not correctness. Every
 * word of a request is compared with its slot and then stored in it, lane after
 * lane, so that of several lanes that read one address only the first can miss.
 * The value of the last load predicts what is stored; so does, for a 4-byte
 * store to an array of f32, one of the last three loads plus the product of the
 * other two, in floats, rounded after each operation. This is the multiply-add
 * of an outer product in registers, nearly all that is new in a trace of one.
 */
#define SHADOW_SLOTS (1u << 14)
struct predictor {
	uint32_t shadow[SHADOW_SLOTS];
	/* Word w of lane l of a load is at w * WARP_LANES + l; lanes that were
	 * not active in it keep the words of three loads before. */
	uint32_t loaded[LOADS_KEPT][WARP_LANES * 4];
	uint32_t nothing[WARP_LANES * 4];	/* for the words of stores */
	uint32_t last;				/* the last load: 0 to 2 */
};

/*
 * Words that were written recently, each at the index that its hash gives;
 * inputs often have few distinct values. Like the predictor, the dictionary is
 * cleared at the start of each chunk; a word that is written whole replaces the
 * one at its index.
 */
struct dictionary {
	uint32_t word[256];
};

static inline uint8_t dictionary_code(uint32_t word)
{
	uint32_t code = word * 2654435761u >> 24;

	return (uint8_t)(code ? code : 1);
}

static inline float float_of_word(uint32_t word)
{
	float f;

	memcpy(&f, &word, sizeof(f));
	return f;
}

/* Computes for each lane load number `addend` (0: the last) plus the product of
 * the two others. */
static inline void predictor_sums(const struct predictor *f, uint32_t addend,
				 uint32_t sums[WARP_LANES])
{
	uint32_t at = (f->last + LOADS_KEPT - addend) % LOADS_KEPT;
	const uint32_t *x = f->loaded[at];
	const uint32_t *y = f->loaded[(at + 1) % LOADS_KEPT];
	const uint32_t *z = f->loaded[(at + 2) % LOADS_KEPT];

	for (int l = 0; l < WARP_LANES; l++) {
		float product = float_of_word(y[l]) * float_of_word(z[l]);
		float sum = float_of_word(x[l]) + product;

		memcpy(&sums[l], &sum, sizeof(sum));
	}
}

/*
 * Computes the slot of a word in the shadow memory. Loops over lanes are
 * specialised for the common plan, a 4-byte access, and for all others;
 * `registers` and `shift` are the plan's.
 */
static inline uint32_t shadow_slot(const struct site_plan *p, bool registers,
				   uint32_t shift, uint64_t offset,
				   uint32_t word, uint32_t lane)
{
	uint32_t place = (uint32_t)(offset >> shift) + word;

	if (registers)
		place = place * WARP_LANES + lane;
	return (p->seed + place) & (SHADOW_SLOTS - 1);
}

/*
 * Finds the 32 adjacent words in the shadow memory for a request in which all
 * lanes access one element of their own register array, as most requests do.
 * Returns NULL for other requests.
 */
static inline uint32_t *shadow_row(struct predictor *f,
				   const struct site_plan *p,
				   const struct pattern_lanes *lanes,
				   uint64_t base)
{
	if (!p->registers || p->words != 1 || p->shift != 2 ||
	    lanes->mask != UINT32_MAX || lanes->lowest != lanes->highest)
		return NULL;
	return f->shadow + shadow_slot(p, true, 2, base, 0, 0);
}

#endif
