/* run_integer: whole numbers. See run_parts.h. */
#include "machine/run_parts.h"

void step_mov(struct machine_run *r, struct warp *w, const struct step *s,
	      uint32_t mask)
{
	ROOM;

	(void)r;
	put_row(w, s->to, SOURCE(0), mask);
}

/* Reads the sign. IMAD.MOV, .SHL, .IADD are written with all operands. */
bool prepare_imad(struct step *s)
{
	s->is_signed = !sass_has(s->of, "U32");
	return s->sources >= 3;
}

static uint64_t multiply_words(const struct step *s, uint32_t a, uint32_t b)
{
	if (s->is_signed)
		return (uint64_t)((int64_t)(int32_t)a * (int32_t)b);
	return (uint64_t)a * b;
}

/* Computes 64 bits and adds a pair; HI takes the upper half of that. */
static void multiply_wide(struct warp *w, const struct step *s, uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *b = SOURCE(1);
	uint32_t carry_in = s->extended && s->ins ?
			    get_predicate(w, s->in[0]) : 0;
	uint32_t carry = 0;
	uint64_t c[WARP_LANES];
	struct lanes high;

	source_get64(w, &s->source[2], c);
	EACH_LANE(l) {
		uint64_t p = multiply_words(s, a[l], b[l]);
		uint64_t sum = p + c[l] + IS_IN(carry_in, l);

		carry |= BIT_IF(sum < p || (sum == p && c[l]), l);
		c[l] = sum;
		high.v[l] = (uint32_t)(sum >> 32);
	}
	if (s->high && !s->wide)
		put_row(w, s->to, high.v, mask);
	else
		put_row64(w, s->to, c, mask);
	if (s->outs)
		put_predicate(w, s->out[0], carry, mask);
}

void step_imad(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;
	const uint32_t *a, *b, *c;
	struct lanes out;

	(void)r;
	if (s->wide || s->high) {
		multiply_wide(w, s, mask);
		return;
	}
	a = SOURCE(0);
	b = SOURCE(1);
	c = SOURCE(2);
	EACH_LANE(l)
		out.v[l] = a[l] * b[l] + c[l];
	if (s->extended && s->ins) {
		uint32_t carry = get_predicate(w, s->in[0]);

		EACH_LANE(l)
			out.v[l] += IS_IN(carry, l);
	}
	put_row(w, s->to, out.v, mask);
}

/* Adds a source to sums of 64 bits, so that their upper half is the carry. A
 * negated operand adds 2^32 - x: with x = 0 the carry is set. */
static void add_to_sums(struct warp *w, const struct step *s, int n,
		       uint64_t sum[WARP_LANES])
{
	struct step_source plain = s->source[n];
	struct lanes room;
	const uint32_t *v;

	if (plain.change != CHANGE_NEGATE) {
		v = source_get(w, &plain, 0, &room);
		EACH_LANE(l)
			sum[l] += v[l];
		return;
	}
	plain.change = CHANGE_NOT;
	v = source_get(w, &plain, 0, &room);
	EACH_LANE(l)
		sum[l] += (uint64_t)v[l] + 1;
}

/* Sets a register to sums, and predicates to their carries. */
static void put_carries(struct warp *w, const struct step *s,
		     const uint64_t sum[WARP_LANES], uint32_t mask)
{
	for (unsigned n = 0; n < s->outs; n++) {
		uint32_t carry = 0;

		EACH_LANE(l)
			carry |= BIT_IF(sum[l] >> 32 > n, l);
		put_predicate(w, s->out[n], carry, mask);
	}
	PUT_EACH((uint32_t)sum[l]);
}

void step_iadd3(struct machine_run *r, struct warp *w, const struct step *s,
		uint32_t mask)
{
	uint64_t sum[WARP_LANES] = { 0 };

	(void)r;
	if (!s->outs && !s->extended && s->sources == 3) {
		ROOM;
		const uint32_t *a = SOURCE(0), *b = SOURCE(1), *c = SOURCE(2);
		struct lanes out;

		EACH_LANE(l)
			out.v[l] = a[l] + b[l] + c[l];
		put_row(w, s->to, out.v, mask);
		return;
	}
	for (int n = 0; n < s->sources; n++)
		add_to_sums(w, s, n, sum);
	for (int n = 0; s->extended && n < s->ins; n++) {
		uint32_t carry = get_predicate(w, s->in[n]);

		EACH_LANE(l)
			sum[l] += IS_IN(carry, l);
	}
	put_carries(w, s, sum, mask);
}

void step_viadd(struct machine_run *r, struct warp *w, const struct step *s,
		uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *b = SOURCE(1);

	(void)r;
	PUT_EACH(a[l] + b[l]);
}

/* LEA adds a shifted number; LEA.HI what a shifted pair has above 32 bits, of
 * which SX32 makes the upper half. */
void step_lea(struct machine_run *r, struct warp *w, const struct step *s,
	      uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *c;
	int last = s->sources - 1;
	uint32_t by = SOURCE(last)[0] & 31;
	bool is_sign = sass_has(s->of, "SX32");
	uint64_t sum[WARP_LANES];

	(void)r;
	if (!s->high) {
		EACH_LANE(l)
			sum[l] = (uint32_t)(a[l] << by);
	} else {
		c = last == 3 ? SOURCE(2) : NULL;
		EACH_LANE(l) {
			uint32_t top = c ? c[l] : is_sign && a[l] >> 31 ? FULL :
				       0;
			uint64_t pair = (uint64_t)top << 32 | a[l];

			sum[l] = (uint32_t)(pair << by >> 32);
		}
	}
	add_to_sums(w, s, 1, sum);
	if (s->extended && s->ins) {
		uint32_t carry = get_predicate(w, s->in[0]);

		EACH_LANE(l)
			sum[l] += IS_IN(carry, l);
	}
	put_carries(w, s, sum, mask);
}

bool prepare_compare(struct step *s)
{
	int kind = compare_kind(s);

	s->is_signed = !sass_has(s->of, "U32");
	if (kind < 0)
		return false;
	s->kind = (uint32_t)kind;
	return s->sources >= 2;
}

void step_isetp(struct machine_run *r, struct warp *w, const struct step *s,
		uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *b = SOURCE(1);
	uint32_t flip = s->is_signed ? 0x80000000 : 0;
	uint32_t less = 0, equal = 0, result;

	(void)r;
	EACH_LANE(l) {
		less |= BIT_IF((a[l] ^ flip) < (b[l] ^ flip), l);
		equal |= BIT_IF(a[l] == b[l], l);
	}
	result = (s->kind & COMPARE_LT ? less : 0) |
		 (s->kind & COMPARE_GT ? ~less & ~equal : 0);
	/* Of the upper halves of pairs: what is equal is as the lower are. */
	if (s->extended && s->ins)
		result |= equal & get_predicate(w, s->in[s->ins - 1]);
	else if (s->kind & COMPARE_EQ)
		result |= equal;
	put_comparison(w, s, result, mask);
}

bool prepare_signed(struct step *s)
{
	s->is_signed = !sass_has(s->of, "U32");
	return s->sources >= 1;
}

/* Returns the lanes in which the smaller number is taken. */
static uint32_t takes_least(const struct warp *w, const struct step *s)
{
	return s->ins ? get_predicate(w, s->in[0]) : FULL;
}

static void put_extreme(struct warp *w, const struct step *s,
			const uint32_t *a, const uint32_t *b, uint32_t mask)
{
	uint32_t least = takes_least(w, s);
	uint32_t flip = s->is_signed ? 0x80000000 : 0;
	struct lanes out;

	EACH_LANE(l) {
		bool less = (a[l] ^ flip) < (b[l] ^ flip);

		out.v[l] = less == IS_IN(least, l) ? a[l] : b[l];
	}
	put_row(w, s->to, out.v, mask);
}

void step_imnmx(struct machine_run *r, struct warp *w, const struct step *s,
		uint32_t mask)
{
	ROOM;

	(void)r;
	put_extreme(w, s, SOURCE(0), SOURCE(1), mask);
}

void step_viaddmnmx(struct machine_run *r, struct warp *w, const struct step *s,
		    uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *b = SOURCE(1);
	struct lanes sum;

	(void)r;
	EACH_LANE(l)
		sum.v[l] = a[l] + b[l];
	put_extreme(w, s, sum.v, SOURCE(2), mask);
}

void step_sel(struct machine_run *r, struct warp *w, const struct step *s,
	      uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *b = SOURCE(1);
	uint32_t first = takes_least(w, s);

	(void)r;
	PUT_EACH(IS_IN(first, l) ? a[l] : b[l]);
}

void step_iabs(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0);

	(void)r;
	PUT_EACH(a[l] >> 31 ? 0 - a[l] : a[l]);
}

/* Adds up the products of four bytes: only IDP.4A.X8.X8. */
void step_idp(struct machine_run *r, struct warp *w, const struct step *s,
	      uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *b = SOURCE(1), *c = SOURCE(2);
	bool is_signed[2] = { true, true };
	struct lanes out;
	int n = 0;

	if (!sass_has(s->of, "4A")) {
		run_refuse(r, s, "%s", s->of->text);
		return;
	}
	for (uint32_t m = 0; m < s->of->modifier_count && n < 2; m++)
		if (!strcmp(s->of->modifiers[m], "U8") ||
		    !strcmp(s->of->modifiers[m], "S8"))
			is_signed[n++] = s->of->modifiers[m][0] == 'S';
	EACH_LANE(l) {
		out.v[l] = c[l];
		for (int k = 0; k < 32; k += 8) {
			int x = (int)(a[l] >> k & 255);
			int y = (int)(b[l] >> k & 255);

			x -= is_signed[0] && x > 127 ? 256 : 0;
			y -= is_signed[1] && y > 127 ? 256 : 0;
			out.v[l] += (uint32_t)(x * y);
		}
	}
	put_row(w, s->to, out.v, mask);
}
