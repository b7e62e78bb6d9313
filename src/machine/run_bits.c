/* run_bits: shifts, logic, predicates and special registers. See
 * run_parts.h. */
#include <stdlib.h>

#include "machine/run_parts.h"

enum { SHIFT_LEFT = 1, SHIFT_WRAP = 2, SHIFT_64 = 4, SHIFT_SIGNED = 8 };

bool prepare_shift(struct step *s)
{
	s->kind = (sass_has(s->of, "L") ? SHIFT_LEFT : 0) |
		  (sass_has(s->of, "W") ? SHIFT_WRAP : 0) |
		  (sass_has(s->of, "U64") || sass_has(s->of, "S64") ?
			   SHIFT_64 : 0) |
		  (sass_has(s->of, "S32") || sass_has(s->of, "S64") ?
			   SHIFT_SIGNED : 0);
	return s->sources >= 3 &&
	       (s->kind & SHIFT_LEFT || sass_has(s->of, "R"));
}

/* Computes a shift of the pair c:a: its lower or upper half. */
void step_shf(struct machine_run *r, struct warp *w, const struct step *s,
	      uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *n = SOURCE(1), *c = SOURCE(2);
	uint32_t most = s->kind & SHIFT_64 ? 64 : 32;
	struct lanes out;

	(void)r;
	EACH_LANE(l) {
		uint64_t v = (uint64_t)c[l] << 32 | a[l];
		uint32_t by = s->kind & SHIFT_WRAP ? n[l] & (most - 1) :
						     MIN(n[l], most);

		if (s->kind & SHIFT_LEFT)
			v = by > 63 ? 0 : v << by;
		else if (s->kind & SHIFT_SIGNED)
			v = (uint64_t)((int64_t)v >> MIN(by, 63u));
		else
			v = by > 63 ? 0 : v >> by;
		out.v[l] = (uint32_t)(s->high ? v >> 32 : v);
	}
	put_row(w, s->to, out.v, mask);
}

bool prepare_lut(struct step *s)
{
	return s->sources >= 4;
}

/* Applies the table of three bits to each bit: a counts 4, b 2, c 1. */
static uint32_t look_up(uint32_t table, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t result = 0;

	for (uint32_t t = 0; t < 8; t++)
		if (table >> t & 1)
			result |= (t & 4 ? a : ~a) & (t & 2 ? b : ~b) &
				  (t & 1 ? c : ~c);
	return result;
}

void step_lop3(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *b = SOURCE(1), *c = SOURCE(2);
	uint32_t table = SOURCE(3)[0], nonzero = 0;
	struct lanes out = { { 0 } };

	(void)r;
	for (uint32_t t = 0; t < 8; t++) {
		uint32_t x = t & 4 ? 0 : FULL, y = t & 2 ? 0 : FULL;
		uint32_t z = t & 1 ? 0 : FULL;

		if (table >> t & 1)
			EACH_LANE(l)
				out.v[l] |= (a[l] ^ x) & (b[l] ^ y) &
					    (c[l] ^ z);
	}
	put_row(w, s->to, out.v, mask);
	if (!s->outs)
		return;
	EACH_LANE(l)
		nonzero |= BIT_IF(out.v[l] != 0, l);
	put_predicate(w, s->out[0], nonzero, mask);
}

void step_plop3(struct machine_run *r, struct warp *w, const struct step *s,
		uint32_t mask)
{
	ROOM;
	uint32_t in[3] = { FULL, FULL, FULL };

	(void)r;
	for (int n = 0; n < 3 && n < s->ins; n++)
		in[n] = get_predicate(w, s->in[n]);
	for (int n = 0; n < s->outs && n < s->sources; n++)
		put_predicate(w, s->out[n],
			      look_up(SOURCE(n)[0], in[0], in[1], in[2]),
			      mask);
}

/* Chooses each of the result's bytes of the eight of c:a. */
void step_prmt(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *by = SOURCE(1), *c = SOURCE(2);
	struct lanes out;

	if (s->of->modifier_count) {
		run_refuse(r, s, "%s", s->of->text);
		return;
	}
	EACH_LANE(l) {
		uint64_t v = (uint64_t)c[l] << 32 | a[l];

		out.v[l] = 0;
		for (int k = 0; k < 4; k++) {
			uint32_t select = by[l] >> 4 * k & 15;
			uint32_t b = v >> 8 * (select & 7) & 255;

			/* Bit 3 spreads the byte's sign. */
			if (select & 8)
				b = b & 128 ? 255 : 0;
			out.v[l] |= b << 8 * k;
		}
	}
	put_row(w, s->to, out.v, mask);
}

void step_popc(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0);

	(void)r;
	PUT_EACH((uint32_t)__builtin_popcount(a[l]));
}

/* Finds the highest bit that is set, or of a negative number not set; SH: how
 * far it is from the top. */
void step_flo(struct machine_run *r, struct warp *w, const struct step *s,
	      uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0);
	bool from_top = sass_has(s->of, "SH");
	struct lanes out;

	(void)r;
	EACH_LANE(l) {
		uint32_t v = s->is_signed && a[l] >> 31 ? ~a[l] : a[l];
		uint32_t zeros = v ? (uint32_t)__builtin_clz(v) : 32;

		out.v[l] = zeros == 32 ? FULL : from_top ? zeros : 31 - zeros;
	}
	put_row(w, s->to, out.v, mask);
}

void step_brev(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0);
	struct lanes out;

	(void)r;
	EACH_LANE(l) {
		out.v[l] = 0;
		for (int b = 0; b < 32; b++)
			out.v[l] |= (a[l] >> b & 1) << (31 - b);
	}
	put_row(w, s->to, out.v, mask);
}

/* Fills what is above the lowest bits with their sign, or with zeros. */
void step_sgxt(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *n = SOURCE(1);
	bool wraps = sass_has(s->of, "W");
	struct lanes out;

	(void)r;
	EACH_LANE(l) {
		uint32_t bits = wraps ? n[l] & 31 : MIN(n[l], 32u);
		uint64_t low = a[l] & (((uint64_t)1 << bits) - 1);

		if (s->is_signed && bits && low >> (bits - 1) & 1)
			low |= ~(((uint64_t)1 << bits) - 1);
		out.v[l] = (uint32_t)low;
	}
	put_row(w, s->to, out.v, mask);
}

/* Sets as many bits as the second number says, from the first one on. */
void step_bmsk(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *n = SOURCE(1);
	bool wraps = sass_has(s->of, "W");
	struct lanes out;

	(void)r;
	EACH_LANE(l) {
		uint32_t bits = wraps ? n[l] & 31 : MIN(n[l], 32u);
		uint32_t at = wraps ? a[l] & 31 : a[l];
		uint64_t ones = ((uint64_t)1 << bits) - 1;

		out.v[l] = at > 31 ? 0 : (uint32_t)(ones << at);
	}
	put_row(w, s->to, out.v, mask);
}

/* ---- special registers ---- */

enum { TID_X, TID_Y, TID_Z, CTAID_X, CTAID_Y, CTAID_Z, LANEID, WARPID, ZERO,
       MASK_EQ, MASK_LT, MASK_LE, MASK_GT, MASK_GE, CLOCK, WINDOW };

static const struct { const char *word; uint32_t kind; } specials[] = {
	{ "SR_TID.X", TID_X }, { "SR_TID.Y", TID_Y }, { "SR_TID.Z", TID_Z },
	{ "SR_CTAID.X", CTAID_X }, { "SR_CTAID.Y", CTAID_Y },
	{ "SR_CTAID.Z", CTAID_Z }, { "SR_LANEID", LANEID },
	{ "SR_WARPID", WARPID }, { "SRZ", ZERO }, { "SR_CgaCtaId", ZERO },
	{ "SR_EQMASK", MASK_EQ }, { "SR_LTMASK", MASK_LT },
	{ "SR_LEMASK", MASK_LE }, { "SR_GTMASK", MASK_GT },
	{ "SR_GEMASK", MASK_GE }, { "SR_CLOCKLO", CLOCK },
	{ "SR_CLOCKHI", ZERO }, { "SR_SWINHI", WINDOW },
	{ "SR_LMEMHIOFF", ZERO },
};

bool prepare_special(struct step *s)
{
	for (uint32_t n = 0; n < s->of->operand_count; n++)
		for (size_t i = 0; i < LENGTH(specials); i++)
			if (!strcmp(s->of->operands[n].word,
				    specials[i].word)) {
				s->kind = specials[i].kind;
				return true;
			}
	return false;
}

static uint32_t special_value(const struct machine_run *r, const struct warp *w,
			      uint32_t kind, int l)
{
	uint32_t bit = (uint32_t)1 << l, below = bit - 1;

	switch (kind) {
	case TID_X:
	case TID_Y:
	case TID_Z:
		return w->tid[kind - TID_X].v[l];
	case CTAID_X:
		return r->at.x;
	case CTAID_Y:
		return r->at.y;
	case CTAID_Z:
		return r->at.z;
	case LANEID:
		return (uint32_t)l;
	case WARPID:
		return w->number;
	case MASK_EQ:
		return bit;
	case MASK_LT:
		return below;
	case MASK_LE:
		return below | bit;
	case MASK_GT:
		return ~(below | bit);
	case MASK_GE:
		return ~below;
	case WINDOW:
		return SHARED_WINDOW;
	case CLOCK:
		return (uint32_t)r->issued;
	default:
		return 0;
	}
}

void step_s2r(struct machine_run *r, struct warp *w, const struct step *s,
	      uint32_t mask)
{

	PUT_EACH(special_value(r, w, s->kind, l));
}

void step_cs2r(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	static const struct lanes zero;

	step_s2r(r, w, s, mask);
	if (!sass_has(s->of, "32") && s->to != SASS_RZ)
		put_row(w, s->to + 1, zero.v, mask);
}

void step_r2ur(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;

	(void)r;
	put_row(w, s->to, SOURCE(0), mask);
}

/* Reads or sets the lanes that a BSYNC waits for. */
void step_bmov(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	const struct sass_operand *o = s->of->operands;
	struct lanes out;

	if (s->of->operand_count < 2) {
		run_refuse(r, s, "%s", s->of->text);
		return;
	}
	if (o[1].kind == SASS_OTHER && o[1].word[0] == 'B') {
		uint32_t *of = &w->converge[strtoul(o[1].word + 1, NULL, 10) %
					    BARRIERS];

		EACH_LANE(l)
			out.v[l] = *of;
		put_row(w, s->to, out.v, mask);
	} else if (o[0].kind == SASS_OTHER && o[0].word[0] == 'B') {
		w->converge[strtoul(o[0].word + 1, NULL, 10) % BARRIERS] =
			w->r[o[1].reg].v[__builtin_ctz(mask)];
	}
}

/* Writes the predicates as bits of a register, of those that the last number
 * names. */
void step_p2r(struct machine_run *r, struct warp *w, const struct step *s,
	      uint32_t mask)
{
	ROOM;
	const uint32_t *keep = SOURCE(0);
	uint32_t names = s->sources > 1 ? SOURCE(1)[0] : FULL;
	struct lanes out;

	if (s->of->modifier_count) {
		run_refuse(r, s, "%s", s->of->text);
		return;
	}
	EACH_LANE(l) {
		uint32_t bits = 0;

		for (uint32_t p = 0; p < SASS_PT; p++)
			bits |= (uint32_t)IS_IN(w->p[p], l) << p;
		out.v[l] = (keep[l] & ~names) | (bits & names);
	}
	put_row(w, s->to, out.v, mask);
}

void step_r2p(struct machine_run *r, struct warp *w, const struct step *s,
	      uint32_t mask)
{
	ROOM;
	const uint32_t *from = SOURCE(0);
	uint32_t names = s->sources > 1 ? SOURCE(1)[0] : FULL, shift = 0;

	(void)r;
	for (uint32_t m = 0; m < 4; m++)
		if (!strcmp(s->source[0].word, (const char *[]){
				"B0", "B1", "B2", "B3" }[m]))
			shift = 8 * m;
	for (uint32_t p = 0; p < SASS_PT; p++) {
		uint32_t value = 0;

		EACH_LANE(l)
			value |= BIT_IF(from[l] >> shift >> p & 1, l);
		if (names >> p & 1)
			put_predicate(w, p, value, mask);
	}
}
