/*
 * ptx_flow: the registers of a function, and the origins of addresses. See
 * ptx_flow.h.
 */
#include <ctype.h>
#include <stdlib.h>

#include "gpu/ptx/ptx_flow.h"

/* ---- declarations ---- */

/* Declares a register, or `count` numbered ones. */
static void declare_register(struct ptx_registers *r, uint32_t name, int bytes,
			     uint64_t count)
{
	struct ptx_name *n = &r->t->names[name];

	grow(&r->decls, &r->capacity, r->count + 1, sizeof(*r->decls));
	grow(&r->live, &r->live_capacity, r->live_count + 1,
	     sizeof(*r->live));
	r->decls[r->count] = (struct ptx_decl) { name, n->decl, count, bytes };
	r->live[r->live_count++] = r->count;
	n->decl = r->count++;
}

/* Declares the registers of .reg TYPE NAME, NAME<COUNT>; or of a function's
 * parameters. */
static void declare_all(struct ptx_registers *r, uint32_t first, uint32_t last)
{
	const struct ptx_text *t = r->t;
	bool reg = false;
	int bytes = NA;

	for (uint32_t i = first; i <= last; i++) {
		const struct ptx_token *k = &t->tokens[i];
		struct ptx_part type = { t->text + k->at + 1, k->length - 1 };
		uint64_t count = 0;

		if (ptx_starts(t, i, ".")) {
			reg = ptx_is(t, i, ".reg") ||
			      (reg && !ptx_is(t, i, ".param"));
			if (ptx_type_bytes(type) != NA)
				bytes = ptx_type_bytes(type);
		} else if (k->kind == ')') {
			reg = false;
		} else if (reg && k->name != PTX_NONE && bytes != NA) {
			if (t->tokens[i + 1].kind == '<')
				ptx_number(t, i + 2, &count);
			declare_register(r, k->name, bytes, count);
		}
	}
}

static void end_scope(struct ptx_registers *r, size_t live)
{
	while (r->live_count > live) {
		const struct ptx_decl *d = &r->decls[r->live[--r->live_count]];

		r->t->names[d->name].decl = d->shadowed;
	}
}

void ptx_registers_start(struct ptx_registers *r,
			 const struct ptx_statement *head)
{
	end_scope(r, 0);
	r->count = r->depth = 0;
	declare_all(r, head->first, head->last);
}

void ptx_registers_step(struct ptx_registers *r, const struct ptx_statement *s)
{
	if (s->kind == PTX_OPEN) {
		grow(&r->scopes, &r->depth_capacity, r->depth + 1,
		     sizeof(*r->scopes));
		r->scopes[r->depth++] = r->live_count;
	} else if (s->kind == PTX_CLOSE) {
		end_scope(r, r->scopes[--r->depth]);
	} else if (s->kind == PTX_DECLARE) {
		declare_all(r, s->first, s->last);
	}
}

bool ptx_registers_find(const struct ptx_registers *r, uint32_t token,
			struct ptx_register *found)
{
	const struct ptx_token *k = &r->t->tokens[token];
	const char *s = r->t->text + k->at;
	uint64_t number = 0, place = 1;
	uint32_t decl;

	if (k->name == PTX_NONE)
		return false;
	decl = r->t->names[k->name].decl;
	if (decl != PTX_NONE && !r->decls[decl].count) {
		*found = (struct ptx_register) { decl, 0,
						 r->decls[decl].bytes };
		return true;
	}
	for (size_t n = k->length - 1; n && isdigit((unsigned char)s[n]) &&
	     place < 10000000000; n--, place *= 10) {
		uint32_t name = ptx_find(r->t, s, n);

		number += (s[n] - '0') * place;
		if (name == PTX_NONE || (s[n] == '0' && place > 1))
			continue;
		decl = r->t->names[name].decl;
		if (decl == PTX_NONE || number >= r->decls[decl].count ||
		    number > UINT32_MAX)
			continue;
		*found = (struct ptx_register) { decl, number,
						 r->decls[decl].bytes };
		return true;
	}
	return false;
}

void ptx_registers_done(struct ptx_registers *r)
{
	free(r->decls);
	free(r->live);
	free(r->scopes);
}

/* ---- origins ---- */

/*
 * A register's origin: not yet known, one symbol or parameter, or none. It
 * only goes up, by every instruction that writes the register, until nothing
 * changes; then the order in which loops come does not matter.
 */
enum { UNKNOWN, NOTHING, FIRST };
#define OF_SYMBOL(i) (FIRST + 2 * (i))
#define OF_PARAM(i) (FIRST + 2 * (i) + 1)
/* In order of execution two are enough; a loop may need one more each. */
#define PASSES 12

/* to gets the origin of a or of b, whichever has one, each an origin or,
 * from REGISTER on, a register. */
#define REGISTER (1ull << 32)
struct flow_move {
	uint32_t to;			/* number of a register */
	uint64_t a, b;
};

static uint64_t register_key(struct ptx_register r)
{
	return (uint64_t)r.decl << 32 | r.number;
}

static uint64_t origin_of(const struct ptx_flow *f, uint64_t value)
{
	uint64_t key = value - REGISTER;
	uint32_t number;

	if (value < REGISTER)
		return value;
	number = map_find(&f->registers, &key, sizeof(key));
	return number == MAP_NONE ? UNKNOWN : f->origins[number];
}

/* Returns the origin, or the register, of an operand or address. */
static uint64_t operand_value(const struct ptx_flow *f, struct ptx_operand o)
{
	const struct ptx_text *t = f->r->t;
	const struct ptx_name *n;
	struct ptx_register reg;

	while (o.first < o.last && (t->tokens[o.first].kind == '[' ||
				    t->tokens[o.first].kind == '(' ||
				    ptx_is(t, o.first, "generic")))
		o.first++;
	if (t->tokens[o.first].name == PTX_NONE)
		return NOTHING;
	if (ptx_registers_find(f->r, o.first, &reg))
		return REGISTER + register_key(reg);
	n = &t->names[t->tokens[o.first].name];
	if (n->symbol != PTX_NONE)
		return OF_SYMBOL(n->symbol);
	if (n->param_function == f->function)
		return OF_PARAM(n->param);
	return NOTHING;
}

static void move_add(struct ptx_flow *f, struct ptx_register to, uint64_t a,
		     uint64_t b)
{
	size_t known = f->registers.count;
	uint64_t key = register_key(to);
	uint32_t number = map_add(&f->registers, &key, sizeof(key));

	grow(&f->origins, &f->origin_capacity, f->registers.count,
	     sizeof(*f->origins));
	if (number == known)
		f->origins[number] = UNKNOWN;
	grow(&f->moves, &f->move_capacity, f->move_count + 1,
	     sizeof(*f->moves));
	f->moves[f->move_count++] = (struct flow_move) { number, a, b };
}

static bool is_additive(const struct ptx_instruction *in)
{
	static const char *const words[] = { "add", "sub", "or", "xor", "and" };

	for (size_t i = 0; i < LENGTH(words); i++)
		if (ptx_opcode(in, words[i]))
			return in->operand_count == 3;
	return false;
}

static bool is_copy(const struct ptx_instruction *in)
{
	return in->operand_count == 2 &&
	       (ptx_opcode(in, "mov") || ptx_opcode(in, "cvt") ||
		ptx_opcode(in, "cvta") ||
		(ptx_opcode(in, "ld") && ptx_on_param(in) &&
		 ptx_type_bytes(in->parts[in->part_count - 1]) == 8));
}

/* Adds the move of an instruction that writes a register: an address is copied,
 * or something is added to it. */
static void register_write(struct ptx_flow *f,
			   const struct ptx_instruction *in,
			   struct ptx_register to)
{
	const struct ptx_operand *o = in->operands;

	if (is_copy(in)) {
		move_add(f, to, operand_value(f, o[1]), NOTHING);
	} else if (is_additive(in)) {
		move_add(f, to, operand_value(f, o[1]), operand_value(f, o[2]));
	} else if (in->operand_count == 4 && ptx_opcode(in, "mad")) {
		move_add(f, to, operand_value(f, o[3]), NOTHING);
	} else if (in->operand_count == 4 && ptx_opcode(in, "selp")) {
		move_add(f, to, operand_value(f, o[1]), NOTHING);
		move_add(f, to, operand_value(f, o[2]), NOTHING);
	} else {
		move_add(f, to, NOTHING, NOTHING);
	}
}

/* Adds the moves of an instruction, to each register of its first operand,
 * unless that is an address. */
static void add_moves(struct ptx_flow *f, const struct ptx_statement *s)
{
	const struct ptx_text *t = f->r->t;
	struct ptx_instruction in;
	struct ptx_register to;
	struct ptx_operand o;

	if (!ptx_instruction(t, s, &in) || !in.operand_count ||
	    ptx_opcode(&in, "bar") || ptx_opcode(&in, "barrier"))
		return;
	o = in.operands[0];
	for (uint32_t i = o.first; i <= o.last; i++) {
		if (t->tokens[i].kind == '[')
			return;
		if (!ptx_registers_find(f->r, i, &to) || !to.bytes)
			continue;
		if (o.first == o.last)
			register_write(f, &in, to);
		else
			move_add(f, to, NOTHING, NOTHING);
	}
}

static uint32_t join_origins(uint32_t a, uint32_t b)
{
	if (a == UNKNOWN || b == UNKNOWN)
		return MAX(a, b) == NOTHING ? UNKNOWN : MAX(a, b);
	if (a == NOTHING || b == NOTHING)
		return MAX(a, b);
	return NOTHING;
}

static bool propagate_origins(struct ptx_flow *f)
{
	bool changed = false;

	for (size_t i = 0; i < f->move_count; i++) {
		const struct flow_move *m = &f->moves[i];
		uint32_t *o = &f->origins[m->to];
		uint32_t from =
			join_origins(origin_of(f, m->a), origin_of(f, m->b));

		if (from == UNKNOWN || *o == from || *o == NOTHING)
			continue;
		*o = *o == UNKNOWN ? from : NOTHING;
		changed = true;
	}
	return changed;
}

void ptx_flow_init(struct ptx_flow *f, struct ptx_registers *r,
		   const struct ptx_statement *head,
		   const struct ptx_statement *end, uint32_t function)
{
	int left = PASSES;

	*f = (struct ptx_flow) { .r = r, .function = function };
	ptx_registers_start(r, head);
	for (const struct ptx_statement *s = head + 1; s < end; s++) {
		ptx_registers_step(r, s);
		if (s->kind == PTX_INSTRUCTION)
			add_moves(f, s);
	}
	while (propagate_origins(f) && --left)
		;
	/* Not settled: then nothing is known. */
	if (!left)
		map_done(&f->registers);
}

struct ptx_origin ptx_flow_origin(const struct ptx_flow *f,
				  struct ptx_operand o)
{
	uint64_t origin = origin_of(f, operand_value(f, o));

	if (origin < FIRST)
		return (struct ptx_origin) { PTX_NONE, PTX_NONE };
	origin -= FIRST;
	return (struct ptx_origin) { origin % 2 ? PTX_NONE : origin / 2,
				     origin % 2 ? origin / 2 : PTX_NONE };
}

void ptx_flow_done(struct ptx_flow *f)
{
	map_done(&f->registers);
	free(f->origins);
	free(f->moves);
}
