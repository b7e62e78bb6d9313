/*
 * ptx_whole: a structure that a function returned, and that is stored at once.
 *
 * nvcc -G loads the result of a function into registers, one for each member,
 * and where the text stores the structure, it stores each of them in turn. The
 * text has one store; the optimizing compiler makes stores as wide as those
 * loads, and they are recorded like that. Stores of single members in the text
 * look different: only a structure's store writes all members of one call's
 * result, side by side, with nothing between.
 */
#include <string.h>

#include "gpu/ptx/ptx_job.h"

/* Parses [BASE] or [BASE+NUMBER]. */
static bool address_parse(const struct ptx_text *t, struct ptx_operand o,
			  uint32_t *base, uint64_t *offset)
{
	const struct ptx_token *k = t->tokens;
	uint32_t i = o.first + 2;

	*base = o.first + 1;
	*offset = 0;
	if (k[o.first].kind != '[' || k[o.last].kind != ']' || o.last < i)
		return false;
	if (i == o.last)
		return true;
	i += k[i].kind == '+';
	return ptx_number(t, i, offset);
}

/* ---- what a call returned ---- */

/* Returns the bytes of the instruction's type. */
static int type_bytes(const struct ptx_instruction *in)
{
	return ptx_type_bytes(in->parts[in->part_count - 1]);
}

/* Adds members that a load reads of the result; false when they are not the
 * next ones, or of another width. */
static bool returned_add(struct ptx_job *j, const struct ptx_instruction *in)
{
	const struct ptx_token *k = j->t->tokens;
	struct ptx_returned *r = &j->returned;
	int bytes = type_bytes(in);
	size_t before = r->count;
	uint32_t base;
	uint64_t offset;

	if (in->operand_count < 2 || bytes <= 0 ||
	    (r->count && bytes != r->bytes) ||
	    !address_parse(j->t, in->operands[1], &base, &offset) ||
	    offset != r->count * (uint64_t)bytes)
		return false;
	r->bytes = bytes;
	for (uint32_t i = in->operands[0].first; i <= in->operands[0].last;
	     i++) {
		if (strchr("{,}", k[i].kind))
			continue;
		if (r->count == LENGTH(r->member) ||
		    !ptx_registers_find(&j->r, i, &r->member[r->count]))
			return false;
		r->count++;
	}
	if (!before)
		r->together = r->count;
	else if (r->count - before != r->together)
		r->together = 0;
	return true;
}

void ptx_returned_step(struct ptx_job *j, const struct ptx_statement *s)
{
	struct ptx_instruction in;

	if (s->kind == PTX_LABELLED || s->kind == PTX_FUNCTION)
		j->returned = (struct ptx_returned) { 0 };
	if (s->kind != PTX_INSTRUCTION || !ptx_instruction(j->t, s, &in))
		return;
	if (ptx_opcode(&in, "call"))
		j->returned = (struct ptx_returned) { .open = true };
	else if (!j->returned.open || !ptx_opcode(&in, "ld") ||
		 !ptx_on_param(&in))
		j->returned.open = false;
	else if (!returned_add(j, &in))
		j->returned = (struct ptx_returned) { 0 };
}

/* ---- where it is stored ---- */

/* Returns the member that this statement stores, or -1. Sets *base to its base,
 * and *begins to the structure's offset from it. */
static int member_stored(const struct ptx_job *j, const struct ptx_statement *s,
			 struct ptx_instruction *in, uint32_t *base,
			 uint64_t *begins)
{
	const struct ptx_returned *r = &j->returned;
	struct ptx_register reg;

	if (s->kind != PTX_INSTRUCTION || !ptx_instruction(j->t, s, in) ||
	    !ptx_opcode(in, "st") || ptx_on_param(in) ||
	    in->guard != PTX_NONE || in->operand_count != 2 ||
	    type_bytes(in) != r->bytes || ptx_has(in, "volatile") ||
	    !address_parse(j->t, in->operands[0], base, begins) ||
	    in->operands[1].first != in->operands[1].last ||
	    !ptx_registers_find(&j->r, in->operands[1].first, &reg))
		return -1;
	for (size_t m = 0; m < r->count; m++)
		if (r->member[m].decl == reg.decl &&
		    r->member[m].number == reg.number) {
			*begins -= m * (uint64_t)r->bytes;
			return (int)m;
		}
	return -1;
}

static bool same_token(const struct ptx_text *t, uint32_t a, uint32_t b)
{
	return t->tokens[a].length == t->tokens[b].length &&
	       !memcmp(t->text + t->tokens[a].at, t->text + t->tokens[b].at,
		       t->tokens[a].length);
}

size_t ptx_whole(const struct ptx_job *j, const struct ptx_statement *s,
		 struct ptx_instruction stores[PTX_MEMBERS])
{
	const struct ptx_statement *end = j->t->statements +
					  j->t->statement_count;
	size_t count = j->returned.count;
	uint32_t seen = 0, first = 0;
	uint64_t at = 0;

	if (count < 2)
		return 0;
	for (size_t n = 0; n < count; n++, s++) {
		struct ptx_instruction in;
		uint64_t begins;
		uint32_t base;
		int m = s < end ? member_stored(j, s, &in, &base, &begins) : -1;

		if (m < 0 || seen >> m & 1 ||
		    (n && (begins != at || !same_token(j->t, base, first))))
			return 0;
		seen |= 1u << m;
		at = begins;
		first = base;
		stores[m] = in;
	}
	return count;
}
