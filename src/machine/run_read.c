/* run_read: turns instructions into steps. See run_parts.h. */
#include <stdlib.h>

#include "machine/run_parts.h"

/* The bytes of a kernel's first parameter in bank 0. */
#define PARAMETERS_90 0x210
#define PARAMETERS_75 0x160

static const struct lanes *keep_fixed(struct machine_run *r, uint32_t value)
{
	struct lanes *to = &r->fixed[r->fixed_count++];

	EACH_LANE(l)
		to->v[l] = value;
	return to;
}

/* Reads 4 bytes of a constant bank; false: they are not in it. */
static bool read_bank_word(const struct machine_run *r, uint32_t bank, int64_t offset,
		      uint32_t *value)
{
	const uint8_t *from = bank ? NULL : r->constant;
	int64_t size = sizeof(r->constant);

	if (bank && bank < RUN_BANKS) {
		from = r->l.banks[bank].data;
		size = r->l.banks[bank].bytes;
	}
	if (!from || offset < 0 || offset + 4 > size)
		return false;
	memcpy(value, from + offset, 4);
	return true;
}

/* Returns the bits of a number, as the instruction takes them. */
static uint64_t number_bits(const struct sass_operand *o, uint8_t type)
{
	if (o->kind == SASS_WHOLE || type == TAKES_INTEGER)
		return (uint64_t)o->offset;
	if (type == TAKES_DOUBLE)
		return bits_of_double(o->real);
	if (type == TAKES_HALF)
		return half_of(o->real);
	return float_bits((float)o->real);
}

static uint8_t changes_of(const struct sass_operand *o, uint8_t type,
			  bool extended)
{
	uint8_t change = o->inverted ? CHANGE_NOT : 0;

	if (o->absolute)
		change |= CHANGE_ABSOLUTE;
	/* In .X forms a minus is a complement. */
	if (o->minus)
		change |= type != TAKES_INTEGER ? CHANGE_SIGN :
			  extended ? CHANGE_NOT : CHANGE_NEGATE;
	return change;
}

static bool read_source(struct machine_run *r, struct step *s,
			const struct sass_operand *o, uint8_t type)
{
	struct step_source *to = &s->source[s->sources];
	uint32_t low = 0, high = 0;

	if (s->sources == LENGTH(s->source))
		return false;
	to->row = o->reg;
	to->word = o->word;
	to->low = !strcmp(o->word, "H0_H0");
	to->high = !strcmp(o->word, "H1_H1");
	to->is_float = !strcmp(o->word, "F32");
	to->change = changes_of(o, type, s->extended);
	s->sources++;
	if (o->kind == SASS_REGISTER)
		return true;
	if (o->kind == SASS_CONSTANT) {
		if (o->reg != SASS_RZ || o->uniform != SASS_URZ ||
		    !read_bank_word(r, o->bank, o->offset, &low))
			return false;
		if (!read_bank_word(r, o->bank, o->offset + 4, &high))
			high = 0;
	} else {
		uint64_t bits = number_bits(o, type);

		/* An immediate half stands for both; a double's are its upper
		 * 32 bits. */
		low = (uint32_t)bits;
		high = (uint32_t)(bits >> 32);
		if (type == TAKES_DOUBLE && o->kind == SASS_WHOLE &&
		    bits <= UINT32_MAX) {
			high = low;
			low = 0;
		}
	}
	to->fixed = keep_fixed(r, low);
	keep_fixed(r, high);
	return true;
}

/* Makes one source of the two numbers that an immediate pair of halves is: the
 * upper one stands first. */
static bool read_half_pair(struct machine_run *r, struct step *s,
			   const struct sass_operand *o, bool is_bfloat)
{
	struct step_source *to = &s->source[s->sources];
	uint32_t upper = is_bfloat ? bfloat_of(o[0].real) : half_of(o[0].real);
	uint32_t lower = is_bfloat ? bfloat_of(o[1].real) : half_of(o[1].real);

	if (s->sources == LENGTH(s->source))
		return false;
	to->word = "";
	to->fixed = keep_fixed(r, upper << 16 | lower);
	keep_fixed(r, 0);
	s->sources++;
	return true;
}

static bool read_step_predicate(struct step *s, const struct sass_operand *o,
			   const struct opcode *op)
{
	bool is_out = op->outs ? s->outs < op->outs :
		      s->sources == 0 && !s->address[0];

	/* A branch reads them. VOTE sets one, and reads the next. */
	if (op->flow != FLOW_NONE)
		is_out = false;
	if (!strncmp(s->of->opcode, "VOTE", 4))
		is_out = s->outs == 0;
	if (is_out) {
		if (s->outs == LENGTH(s->out))
			return false;
		s->out[s->outs++] = (uint8_t)o->reg;
		return true;
	}
	if (s->ins == LENGTH(s->in))
		return false;
	s->in[s->ins++] = (struct predicate){ (uint8_t)o->reg, o->inverted };
	return true;
}

/* Reads operand n; sets *used to how many it was. */
static bool read_step_operand(struct machine_run *r, struct step *s, uint32_t n,
			 const struct opcode *op, bool *has_to, uint32_t *used)
{
	const struct sass_operand *o = &s->of->operands[n];
	bool follows = n + 1 < s->of->operand_count;

	switch (o->kind) {
	case SASS_PREDICATE:
		return read_step_predicate(s, o, op);
	case SASS_REGISTER:
		if (op->no_register || *has_to)
			return read_source(r, s, o, op->type);
		*has_to = true;
		s->to = o->reg;
		return true;
	case SASS_REAL:
		if (op->type == TAKES_HALF && follows && o[1].kind ==
		    SASS_REAL) {
			*used = 2;
			return read_half_pair(r, s, o, sass_has(s->of,
								"BF16_V2"));
		}
		return read_source(r, s, o, op->type);
	case SASS_CONSTANT:
		if (!strcmp(s->of->opcode, "LDC") ||
		    !strcmp(s->of->opcode, "ULDC")) {
			s->address[0] = o;
			return true;
		}
		return read_source(r, s, o, op->type);
	case SASS_WHOLE:
		return read_source(r, s, o, op->type);
	case SASS_ADDRESS:
		s->address[s->address[0] ? 1 : 0] = o;
		return true;
	case SASS_LABEL:
		s->target = o->offset;
		return true;
	default:
		return true;
	}
}

static void read_machine_step(struct machine_run *r, uint32_t number)
{
	struct step *s = &r->steps[number];
	const struct opcode *op;
	bool has_to = false, known = true;

	*s = (struct step){ .of = &r->l.sass->code[number], .number = number,
			    .to = SASS_RZ, .target = -1,
			    .out = { SASS_PT, SASS_PT } };
	s->guard = (struct predicate){ (uint8_t)s->of->guard,
				       s->of->guard_inverted };
	s->extended = sass_has(s->of, "X") || sass_has(s->of, "EX");
	s->wide = sass_has(s->of, "WIDE");
	s->high = sass_has(s->of, "HI");
	s->flushes = sass_has(s->of, "FTZ");
	s->saturates = sass_has(s->of, "SAT");
	s->join = sass_has(s->of, "OR") ? JOIN_OR :
		  sass_has(s->of, "XOR") ? JOIN_XOR : JOIN_AND;
	s->bytes = sass_bytes(s->of);
	op = opcode_find(s->of->opcode);
	for (uint32_t n = 0, used; op && known && n < s->of->operand_count;
	     n += used) {
		used = 1;
		known = read_step_operand(r, s, n, op, &has_to, &used);
	}
	if (!op || !known || (op->prepare && !op->prepare(s))) {
		s->flow = FLOW_UNKNOWN;
		return;
	}
	s->run = op->run;
	s->flow = op->flow;
}

/* Puts what a launch has in bank 0: the sizes, the parameters, the stack. */
static void fill_constants(struct machine_run *r)
{
	const struct run_launch *l = &r->l;
	uint32_t sizes[6] = { l->block.x, l->block.y, l->block.z,
			      l->grid.x, l->grid.y, l->grid.z };
	uint32_t top = l->local_bytes;
	uint64_t windows[2] = { (uint64_t)SHARED_WINDOW << 32,
				(uint64_t)LOCAL_WINDOW << 32 };
	uint32_t first = l->arch >= 90 ? PARAMETERS_90 : PARAMETERS_75;
	uint32_t most = (uint32_t)sizeof(r->constant) - first;

	memcpy(r->constant, sizes, sizeof(sizes));
	memcpy(r->constant + 0x18, windows, sizeof(windows));
	memcpy(r->constant + 0x28, &top, sizeof(top));
	if (l->parameter_bytes)
		memcpy(r->constant + first, l->parameters,
		       MIN(l->parameter_bytes, most));
}

struct machine_run *run_new(const struct run_launch *l, struct error *e)
{
	struct machine_run *r;
	uint32_t shared = l->arch >= 90 ? RUN_SHARED_90 : 0;

	if (l->arch < 75 || l->arch > 90) {
		error_set(e, EXIT_INPUT, "machine code of sm_%u is not covered "
			  "(sm_75 to sm_90 are)", l->arch);
		return NULL;
	}
	r = xcalloc(1, sizeof(*r));
	r->l = *l;
	r->threads = l->block.x * l->block.y * l->block.z;
	r->warp_count = (r->threads + WARP_LANES - 1) / WARP_LANES;
	r->shared_first = shared;
	r->shared_size = l->shared_bytes;
	r->shared = xcalloc(l->shared_bytes + 1, 1);
	r->warps = aligned_alloc(64, r->warp_count * sizeof(*r->warps));
	r->local = xcalloc(MAX(1, (size_t)r->warp_count * WARP_LANES *
				  l->local_bytes), 1);
	r->fixed_capacity = (size_t)l->sass->count * 10 + 1;
	r->fixed = aligned_alloc(64, r->fixed_capacity * sizeof(*r->fixed));
	if (!r->fixed || !r->warps)
		fatal("out of memory");
	fill_constants(r);
	r->steps = xcalloc(l->sass->count, sizeof(*r->steps));
	r->counts = xcalloc(l->sass->count, sizeof(*r->counts));
	r->executed = xcalloc(l->sass->count, sizeof(*r->executed));
	for (uint32_t i = 0; i < l->sass->count; i++)
		read_machine_step(r, i);
	r->log = access_log_new();
	return r;
}

void run_free(struct machine_run *r)
{
	if (!r)
		return;
	access_log_free(r->log);
	free(r->shared);
	free(r->local);
	free(r->warps);
	free(r->fixed);
	free(r->steps);
	free(r->counts);
	free(r->executed);
	free(r);
}
