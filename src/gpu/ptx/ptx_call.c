/*
 * ptx_call: finds calls, and the labels that are jump targets. See ptx_job.h.
 */
#include "gpu/ptx/ptx_job.h"

static bool is_call(const struct ptx_text *t, const struct ptx_statement *s,
		    const char *opcode)
{
	struct ptx_instruction in;

	return s->kind == PTX_INSTRUCTION && ptx_instruction(t, s, &in) &&
	       ptx_opcode(&in, opcode);
}

static bool on_param(const struct ptx_text *t, const struct ptx_statement *s,
		     const char *opcode)
{
	struct ptx_instruction in;

	return s->kind == PTX_INSTRUCTION && ptx_instruction(t, s, &in) &&
	       ptx_opcode(&in, opcode) && ptx_on_param(&in);
}

/* Tests whether a label is a jump target; the others serve the debugger
 * only. */
bool ptx_is_target(const struct ptx_job *j, const struct ptx_statement *s)
{
	uint32_t name = j->t->tokens[s->first].name;

	return name != PTX_NONE &&
	       j->t->names[name].target_function == j->function;
}

/*
 * Finds where a call's events go. No call can be inserted between the stores of
 * the call's parameters and the loads of its results, so they go around all of
 * these, and the braces.
 */
static void call_bounds(struct ptx_job *j, uint32_t call, uint32_t head,
			uint32_t end)
{
	const struct ptx_text *t = j->t;
	const struct ptx_statement *all = t->statements;
	uint32_t first = call, last = call;
	int open = 0;

	for (; first > head + 2; first--) {
		const struct ptx_statement *s = &all[first - 1];

		if (s->kind != PTX_DECLARE && s->kind != PTX_OPEN &&
		    s->kind != PTX_LOC && !on_param(t, s, "st") &&
		    !(s->kind == PTX_LABELLED && !ptx_is_target(j, s)))
			break;
		open += s->kind == PTX_OPEN;
	}
	for (; last + 1 < end; last++) {
		const struct ptx_statement *s = &all[last + 1];

		if (s->kind == PTX_CLOSE && open-- > 0)
			continue;
		if (!on_param(t, s, "ld") && s->kind != PTX_LOC)
			break;
	}
	j->call_before[first] = j->call_after[last] = call + 1;
}

void ptx_call_record(struct ptx_job *j, uint32_t call, enum ptx_event event)
{
	const struct ptx_text *t = j->t;
	const struct ptx_statement *s = &t->statements[call];
	struct ptx_instruction in;
	uint32_t name = PTX_NONE, site;

	ptx_instruction(t, s, &in);
	for (size_t i = 0; i < in.operand_count && name == PTX_NONE; i++)
		name = t->tokens[in.operands[i].first].name;
	site = ptx_site(j, event, PTX_GENERIC, 0, NULL);
	if (name != PTX_NONE)
		j->p->sites[site].called = t->names[name].function;
	ptx_mark(j, site, &in);
}

/* Finds the labels that are jump targets, and the bounds of calls. */
void ptx_targets(struct ptx_job *j, uint32_t head, uint32_t end)
{
	const struct ptx_text *t = j->t;

	for (uint32_t i = head + 1; i < end; i++) {
		const struct ptx_statement *s = &t->statements[i];

		if (!is_call(t, s, "bra") &&
		    !(s->kind == PTX_DIRECTIVE &&
		      ptx_is(t, s->first, ".branchtargets")))
			continue;
		for (uint32_t k = s->first + 1; k < s->last; k++)
			if (t->tokens[k].name != PTX_NONE)
				t->names[t->tokens[k].name].target_function =
					j->function;
	}
	for (uint32_t i = head + 1; i < end; i++)
		if (is_call(t, &t->statements[i], "call"))
			call_bounds(j, i, head, end);
}
