/*
 * tiles_carry: elements that go through register arrays on their way from
 * global to shared memory.
 *
 * A lane holds what it loads: the next stores of the same values, each taken
 * once, move it to register arrays; loads from there make it held again. An
 * array is followed, and a store to shared memory counts as fed this way, if
 * three in four of all elements that a warp stores there at first have come so.
 */
#ifndef VIZ_PICTURES_TILES_TILES_CARRY_H
#define VIZ_PICTURES_TILES_TILES_CARRY_H

#include "scene/stage.h"

/* An element of a matrix that a lane holds; request: that loaded it. */
struct carry_held {
	bool known;
	uint32_t array, request, bits;
	uint64_t element, via;		/* via: register arrays, a bit each */
};

struct carry;
/* Finds out, from the first `most` requests of a warp, which arrays carry
 * elements of `like`. Returns NULL if none goes through registers. */
struct carry *carry_learn(struct stage *s, size_t warp,
			  const struct trace_array *like, uint32_t most);
void carry_free(struct carry *c);
/* Drops all that is held. */
void carry_clear(struct carry *c);
/* Returns whether carry_note() is to be called for the site's requests. */
bool carry_follows(const struct carry *c, const struct trace_site *site);
void carry_note(struct carry *c, const struct stage *s, uint32_t request,
		const struct trace_request *r);
/* Takes what a lane stores to shared memory as the nth element, which is held
 * no more. Returns NULL if that is not known. */
const struct carry_held *carry_take(struct carry *c, const struct stage *s,
				    const struct trace_request *r,
				    uint32_t lane, uint32_t nth);

#endif
