/* run_lanes: what lanes of a warp do together. See run_parts.h. */
#include "machine/run_parts.h"

enum { SHFL_IDX, SHFL_UP, SHFL_DOWN, SHFL_BFLY };
enum { REDUX_AND, REDUX_SUM, REDUX_MIN, REDUX_MAX, REDUX_OR, REDUX_XOR };

/* Finds the modifier of `names` that the instruction has; -1: none. */
static int modifier_of(const struct step *s, const char *const *names,
		       int count)
{
	for (int i = 0; i < count; i++)
		if (sass_has(s->of, names[i]))
			return i;
	return -1;
}

bool prepare_lanes(struct step *s)
{
	static const char *const shuffles[] = { "IDX", "UP", "DOWN", "BFLY" };
	static const char *const sums[] = { "AND", "SUM", "MIN", "MAX", "OR",
					    "XOR" };
	const char *op = s->of->opcode;
	int kind = 0;

	if (!strcmp(op, "SHFL")) {
		kind = modifier_of(s, shuffles, LENGTH(shuffles));
		if (s->sources < 3)
			return false;
	} else if (!strcmp(op, "REDUX")) {
		kind = MAX(0, modifier_of(s, sums, LENGTH(sums)));
	} else if (!strcmp(op, "VOTE") || !strcmp(op, "VOTEU")) {
		kind = sass_has(s->of, "ALL") ? 1 :
		       sass_has(s->of, "EQ") ? 2 : 0;
		if (!s->ins || !s->outs)
			return false;
	} else if (!strcmp(op, "MOVM")) {
		return sass_has(s->of, "16") && sass_has(s->of, "MT88");
	} else if (!strcmp(op, "B2R")) {
		return sass_has(s->of, "RESULT");
	}
	s->is_signed = sass_has(s->of, "S32");
	s->kind = (uint32_t)kind;
	return kind >= 0;
}

/* Finds the lane that lane l takes the value of; false: there is none, and it
 * keeps its own. Bits 8 to 12 of c fix a lane's bits, bits 0 to 4 its end. */
static bool find_shuffled(uint32_t kind, int l, uint32_t b, uint32_t c,
			 int *from)
{
	uint32_t fixed = c >> 8 & 31, end = c & 31, lane = (uint32_t)l;
	uint32_t least = lane & fixed, most = least | (end & ~fixed);
	uint32_t to;

	b &= 31;
	switch (kind) {
	case SHFL_UP:
		to = lane - b;
		*from = (int)to;
		/* Of this one the end is the least. */
		return (int)to >= (int)most;
	case SHFL_DOWN:
		to = lane + b;
		break;
	case SHFL_BFLY:
		to = lane ^ b;
		break;
	default:
		to = least | (b & ~fixed);
	}
	*from = (int)to;
	return to <= most;
}

void step_shfl(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *b = SOURCE(1), *c = SOURCE(2);
	uint32_t valid = 0;
	struct lanes out;

	(void)r;
	EACH_LANE(l) {
		int from;
		bool is = find_shuffled(s->kind, l, b[l], c[l], &from);

		valid |= BIT_IF(is, l);
		out.v[l] = a[is ? from & 31 : l];
	}
	put_row(w, s->to, out.v, mask);
	if (s->outs)
		put_predicate(w, s->out[0], valid, mask);
}

void step_vote(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	uint32_t votes = get_predicate(w, s->in[0]) & mask;
	bool holds = s->kind == 1 ? votes == mask :
		     s->kind == 2 ? votes == mask || !votes : votes != 0;

	(void)r;
	PUT_EACH(votes);
	put_predicate(w, s->out[0], holds ? FULL : 0, mask);
}

/* Finds the lanes with the same value; of ALL, whether all have it. */
void step_match(struct machine_run *r, struct warp *w, const struct step *s,
		uint32_t mask)
{
	uint64_t v[WARP_LANES];
	uint32_t all = 0;
	struct lanes out, room;

	(void)r;
	if (sass_has(s->of, "U64")) {
		source_get64(w, &s->source[0], v);
	} else {
		const uint32_t *a = source_get(w, &s->source[0], 0, &room);

		EACH_LANE(l)
			v[l] = a[l];
	}
	EACH_LANE(l) {
		out.v[l] = 0;
		for (int k = 0; k < WARP_LANES; k++)
			if (IS_IN(mask, k) && v[k] == v[l])
				out.v[l] |= (uint32_t)1 << k;
		all |= BIT_IF(out.v[l] == mask, l);
	}
	if (sass_has(s->of, "ALL"))
		EACH_LANE(l)
			out.v[l] = IS_IN(all, l) ? mask : 0;
	put_row(w, s->to, out.v, mask);
	if (s->outs)
		put_predicate(w, s->out[0], all, mask);
}

static uint32_t reduce_values(const struct step *s, uint32_t a, uint32_t b)
{
	uint32_t flip = s->is_signed ? 0x80000000 : 0;

	switch (s->kind) {
	case REDUX_SUM:
		return a + b;
	case REDUX_MIN:
		return (a ^ flip) < (b ^ flip) ? a : b;
	case REDUX_MAX:
		return (a ^ flip) > (b ^ flip) ? a : b;
	case REDUX_OR:
		return a | b;
	case REDUX_XOR:
		return a ^ b;
	default:
		return a & b;
	}
}

void step_redux(struct machine_run *r, struct warp *w, const struct step *s,
		uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0);
	int first = __builtin_ctz(mask);
	uint32_t sum = a[first];

	(void)r;
	for (int l = first + 1; l < WARP_LANES; l++)
		if (IS_IN(mask, l))
			sum = reduce_values(s, sum, a[l]);
	PUT_EACH(sum);
}

/* Computes the transpose of a matrix of 8 x 8 halves, of which each lane has
 * two neighbours in a row. */
void step_movm(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0);
	struct lanes out;

	(void)r;
	EACH_LANE(l) {
		int row = l / 4, column = l % 4 * 2;

		out.v[l] = 0;
		for (int h = 0; h < 2; h++) {
			uint32_t v = a[(column + h) * 4 + row / 2];

			out.v[l] |= (v >> 16 * (row % 2) & 0xffff) << 16 * h;
		}
	}
	put_row(w, s->to, out.v, mask);
}

/* Reads what BAR.RED has counted. */
void step_b2r(struct machine_run *r, struct warp *w, const struct step *s,
	      uint32_t mask)
{
	(void)r;
	PUT_EACH(w->red_count);
	if (s->outs)
		put_predicate(w, s->out[0], w->red_any ? FULL : 0, mask);
}
