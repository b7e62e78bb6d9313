/*
 * tiles_carry: elements that go through register arrays on their way from global
 * to shared memory.
 *
 * What a lane loads it holds: the next stores of the same values, each taken
 * once, take it to register arrays; what is loaded from there is held again. An
 * array is followed, and a store to shared memory is fed by such a way, when
 * three in four of all that a warp stores there at first have come on it.
 */
#ifndef SCENE_TILES_CARRY_H
#define SCENE_TILES_CARRY_H

#include "scene/stage.h"

/* An element of a matrix that a lane holds; request: that loaded it. */
struct carry_held {
	bool known;
	uint32_t array, request, bits;
	uint64_t element, via;		/* via: register arrays, a bit each */
};

struct carry;
/* Learns from the first `most` requests of a warp. NULL: nothing goes through
 * registers. `like` is what is carried. */
struct carry *carry_learn(struct stage *s, size_t warp,
			  const struct trace_array *like, uint32_t most);
void carry_free(struct carry *c);
/* Nothing is held. */
void carry_clear(struct carry *c);
/* Whether the requests of a site are to be noted. */
bool carry_follows(const struct carry *c, const struct trace_site *site);
void carry_note(struct carry *c, const struct stage *s, uint32_t request,
		const struct trace_request *r);
/* What a lane stores to shared memory as the nth element; NULL: not known. It
 * is held no more. */
const struct carry_held *carry_take(struct carry *c, const struct stage *s,
				    const struct trace_request *r,
				    uint32_t lane, uint32_t nth);

#endif
