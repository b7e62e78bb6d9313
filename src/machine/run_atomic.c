/* run_atomic: atomics, lane after lane. See run_parts.h. */
#include <math.h>

#include "machine/run_parts.h"

enum { ATOM_ADD, ATOM_MIN, ATOM_MAX, ATOM_INC, ATOM_DEC, ATOM_AND, ATOM_OR,
       ATOM_XOR, ATOM_EXCH, ATOM_CAS };
enum { ATOM_WHOLE, ATOM_F32, ATOM_F64, ATOM_F16, ATOM_BF16 };
#define ATOM_TYPE 8	/* bits of the kind from here on */

bool prepare_atom(struct step *s)
{
	static const char *const names[] = {
		"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH",
		"CAS",
	};
	static const struct { const char *word; uint32_t type; } types[] = {
		{ "F32", ATOM_F32 }, { "F64", ATOM_F64 },
		{ "F16x2", ATOM_F16 }, { "BF16x2", ATOM_BF16 },
	};
	uint32_t kind = 0, type = ATOM_WHOLE;

	while (kind < LENGTH(names) && !sass_has(s->of, names[kind]))
		kind++;
	for (size_t t = 0; t < LENGTH(types); t++)
		if (sass_has(s->of, types[t].word))
			type = types[t].type;
	if (kind == LENGTH(names) && sass_has(s->of, "CAST"))
		kind = ATOM_CAS;
	/* It counts the lanes at an address: each adds 1. */
	s->high = sass_has(s->of, "POPC");
	if (s->high)
		kind = ATOM_ADD;
	s->is_signed = sass_has(s->of, "S32") || sass_has(s->of, "S64");
	s->bytes = type == ATOM_F64 || sass_has(s->of, "64") ||
		   sass_has(s->of, "S64") ? 8 : 4;
	s->kind = kind | type << ATOM_TYPE;
	s->accesses = true;
	return s->address[0] && kind < LENGTH(names) &&
	       (s->high ? s->to == SASS_RZ :
			  s->sources >= (kind == ATOM_CAS ? 2 : 1));
}

static uint64_t add_numbers(uint32_t type, uint64_t a, uint64_t b)
{
	uint64_t sum = 0;

	switch (type) {
	case ATOM_F32:
		return float_bits(as_float((uint32_t)a) +
				  as_float((uint32_t)b));
	case ATOM_F64:
		return bits_of_double(as_double(a) + as_double(b));
	case ATOM_F16:
	case ATOM_BF16:
		for (int k = 0; k < 32; k += 16) {
			uint16_t x = (uint16_t)(a >> k);
			uint16_t y = (uint16_t)(b >> k);

			sum |= (uint64_t)(type == ATOM_F16 ?
				half_of((double)half_real(x) + half_real(y)) :
				bfloat_of((double)bfloat_real(x) +
					  bfloat_real(y))) << k;
		}
		return sum;
	default:
		return a + b;
	}
}

static bool is_less(const struct step *s, uint64_t a, uint64_t b)
{
	if (!s->is_signed)
		return a < b;
	return s->bytes == 8 ? (int64_t)a < (int64_t)b :
			       (int32_t)a < (int32_t)b;
}

/* Returns what memory holds after the operation; `with` is the comparand of
 * CAS, whose new value is `other`. */
static uint64_t operate_on(const struct step *s, uint64_t old, uint64_t with,
			uint64_t other)
{
	switch (s->kind & 255) {
	case ATOM_ADD:
		return add_numbers(s->kind >> ATOM_TYPE, old, with);
	case ATOM_MIN:
		return is_less(s, old, with) ? old : with;
	case ATOM_MAX:
		return is_less(s, old, with) ? with : old;
	case ATOM_INC:
		return old >= with ? 0 : old + 1;
	case ATOM_DEC:
		return old == 0 || old > with ? with : old - 1;
	case ATOM_AND:
		return old & with;
	case ATOM_OR:
		return old | with;
	case ATOM_XOR:
		return old ^ with;
	case ATOM_CAS:
		return old == with ? other : old;
	default:
		return with;
	}
}

static void get_values(struct warp *w, const struct step *s, int n,
		       uint64_t to[WARP_LANES])
{
	struct lanes room;
	const uint32_t *v;

	if (n >= s->sources)
		return;
	if (s->bytes == 8) {
		source_get64(w, &s->source[n], to);
		return;
	}
	v = source_get(w, &s->source[n], 0, &room);
	EACH_LANE(l)
		to[l] = v[l];
}

void step_atom(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	bool shared = !strcmp(s->of->opcode, "ATOMS");
	uint64_t address[WARP_LANES], with[WARP_LANES] = { 0 };
	uint64_t other[WARP_LANES] = { 0 }, old[WARP_LANES] = { 0 };
	struct run_event e = {
		.space = shared ? RUN_SHARED : RUN_GLOBAL, .op = OP_ST,
		.atomic = true, .bytes = s->bytes, .mask = mask,
	};

	address_get(w, s->address[0], !shared, address);
	if (s->high)
		EACH_LANE(l)
			with[l] = 1;
	else
		get_values(w, s, 0, with);
	get_values(w, s, 1, other);
	access_count(r, w, s, &e, address, false);
	for (int l = 0; l < WARP_LANES && !r->failed; l++) {
		uint8_t *at;
		uint64_t new;

		if (!IS_IN(mask, l))
			continue;
		at = shared ? shared_place(r, s, address[l], s->bytes) :
			      global_bytes(r, s, address[l], s->bytes);
		if (!at)
			return;
		memcpy(&old[l], at, s->bytes);
		new = operate_on(s, old[l], with[l], other[l]);
		memcpy(at, &new, s->bytes);
	}
	if (s->bytes == 8) {
		put_row64(w, s->to, old, mask);
		return;
	}
	PUT_EACH((uint32_t)old[l]);
}
