/*
 * ptx_plain: makes a module without recording code. See ptx_job.h.
 */
#include "gpu/ptx/ptx_job.h"

/* Returns the space of a generic address, where the function shows it; else
 * NULL. */
static const char *known_space(const struct ptx_job *j,
			       const struct ptx_operand *o)
{
	struct ptx_origin from = ptx_flow_origin(&j->flow, *o);

	if (from.symbol != PTX_NONE)
		return j->p->symbols[from.symbol].space == PTX_SHARED ?
		       ".shared" : ".global";
	return from.param != PTX_NONE ? ".global" : NULL;
}

/* Returns the part of the opcode after which a space may stand; 0 when it has
 * one, or takes none. */
static size_t space_place(const struct ptx_instruction *in)
{
	static const char *const taken[] = { "global", "shared", "local",
		"param", "const", "relaxed", "acquire", "release", "mmio" };

	if (!ptx_opcode(in, "ld") && !ptx_opcode(in, "st"))
		return 0;
	for (size_t i = 0; i < LENGTH(taken); i++)
		if (ptx_has(in, taken[i]))
			return 0;
	return in->part_count > 1 &&
	       (ptx_part_is(in->parts[1], "volatile") ||
		ptx_part_is(in->parts[1], "weak")) ? 2 : 1;
}

/*
 * Writes the space of a generic load or store where it is known. Unoptimized
 * code leaves its addresses generic, and the hardware merges no phases of a
 * generic load.
 */
static void write_space(struct ptx_job *j, const struct ptx_statement *s)
{
	const struct ptx_text *t = j->t;
	const struct ptx_token *base;
	struct ptx_instruction in;
	struct ptx_register reg;
	const struct ptx_operand *o;
	const char *space;
	size_t place;

	if (!ptx_instruction(t, s, &in) || in.operand_count < 2)
		return;
	place = space_place(&in);
	o = &in.operands[ptx_opcode(&in, "ld")];
	space = place ? known_space(j, o) : NULL;
	if (!space || t->tokens[o->first].kind != '[' ||
	    !ptx_registers_find(&j->r, o->first + 1, &reg) || reg.bytes != 8)
		return;
	base = &t->tokens[o->first + 1];
	ptx_copy_to(j, ptx_start_of(t, s));
	str_addf(&j->out, "{ .reg .b64 %%specific;\n"
		 "cvta.to%s.u64 %%specific, %.*s;\n", space,
		 (int)base->length, t->text + base->at);
	ptx_copy_to(j, (size_t)(in.parts[place - 1].text - t->text) +
		   in.parts[place - 1].length);
	str_add(&j->out, space);
	ptx_copy_to(j, base->at);
	str_add(&j->out, "%specific");
	j->copied = base->at + base->length;
	ptx_copy_to(j, ptx_end_of(t, s));
	str_add(&j->out, "\n}");
}

int ptx_plain_statement(struct ptx_job *j, const struct ptx_statement *s)
{
	ptx_registers_step(&j->r, s);
	if (s->kind == PTX_INSTRUCTION)
		write_space(j, s);
	if (ptx_unwanted(j->t, s))
		ptx_leave_out(j, s);
	return 0;
}
