/*
 * ptx_site: adds sites, and the code that records events without an access.
 *
 * Inserted code is in braces of its own; its registers and parameters begin
 * with gemmviz_ and hide nothing. Every thread makes the call; one for which
 * the instruction's predicate is false passes the site ~0.
 */
#include <string.h>

#include "gpu/ptx/ptx_job.h"
#include "gpu/ptx/record.h"

static void site_origin(struct ptx_job *j, struct ptx_site *s,
			const struct ptx_operand *address)
{
	struct ptx_origin o = ptx_flow_origin(&j->flow, *address);

	if (o.symbol != PTX_NONE)
		s->symbol = j->p->symbols[o.symbol].name;
	if (o.param != PTX_NONE)
		s->param = o.param;
}

uint32_t ptx_site(struct ptx_job *j, enum ptx_event event,
		  enum ptx_space space, uint32_t bytes,
		  const struct ptx_operand *address)
{
	struct ptx *p = j->p;
	struct ptx_site *s;

	grow(&p->sites, &j->site_capacity, p->site_count + 1,
	     sizeof(*p->sites));
	s = &p->sites[p->site_count];
	*s = (struct ptx_site) {
		.event = event, .space = space, .bytes = bytes,
		.function = j->function, .called = UINT32_MAX,
		.file = j->place.file, .line = j->place.line,
		.column = j->place.column, .param = NA, .order = j->order++,
	};
	if (address)
		site_origin(j, s, address);
	return p->site_count++;
}

void ptx_pass(const struct ptx_job *j, struct str *out, uint32_t what,
	      const struct ptx_instruction *in)
{
	const struct ptx_token *k;

	if (!in || in->guard == PTX_NONE) {
		str_addf(out, "mov.b32 %%gemmviz_s, %u;\n", what);
		return;
	}
	k = &j->t->tokens[in->guard];
	str_addf(out, in->negated ?
		 "selp.b32 %%gemmviz_s, -1, %u, %.*s;\n" :
		 "selp.b32 %%gemmviz_s, %u, -1, %.*s;\n", what,
		 (int)k->length, j->t->text + k->at);
}

void ptx_mark(struct ptx_job *j, uint32_t site,
	      const struct ptx_instruction *in)
{
	str_add(&j->out, "\n{ .reg .b32 %gemmviz_s; .param .b32 gemmviz_0;\n");
	ptx_pass(j, &j->out, site, in);
	str_add(&j->out, "st.param.b32 [gemmviz_0], %gemmviz_s;\n"
		"call.uni gemmviz_mark, (gemmviz_0);\n}\n");
}

/* Adds code for an event whose address the instruction `move` computes from
 * `from`. */
static void add_begin_event(struct ptx_job *j, uint32_t what,
			    const struct ptx_instruction *in, const char *move,
			    const char *from, size_t length)
{
	str_add(&j->out, "\n{ .reg .b32 %gemmviz_s; .reg .b64 %gemmviz_a;"
		" .param .b32 gemmviz_0; .param .b64 gemmviz_1;\n");
	ptx_pass(j, &j->out, what, in);
	str_addf(&j->out, "%s %%gemmviz_a, %.*s;\n"
		 "st.param.b32 [gemmviz_0], %%gemmviz_s;\n"
		 "st.param.b64 [gemmviz_1], %%gemmviz_a;\n"
		 "call.uni gemmviz_begin, (gemmviz_0, gemmviz_1);\n}\n",
		 move, (int)length, from);
}

void ptx_begin(struct ptx_job *j, uint32_t site, const char *symbol)
{
	add_begin_event(j,
			site | (uint32_t)j->p->sites[site].space
					<< RECORD_SPACE_SHIFT,
			NULL, "mov.u64", symbol, strlen(symbol));
}

int ptx_sync(struct ptx_job *j, const struct ptx_instruction *in)
{
	struct ptx_operand o = in->operands[0];
	const struct ptx_token *first = &j->t->tokens[o.first];
	const struct ptx_token *last = &j->t->tokens[o.last];
	struct ptx_register reg;
	uint64_t lanes;
	bool constant = in->operand_count && ptx_number(j->t, o.first, &lanes);

	if (!constant && (!in->operand_count || o.first != o.last ||
			  !ptx_registers_find(&j->r, o.first, &reg) ||
			  reg.bytes != 4))
		return ptx_text_fail(j->t, in->opcode, EXIT_INPUT,
				     "malformed, or unknown");
	add_begin_event(j, ptx_site(j, PTX_SYNC, PTX_GENERIC, 0, NULL), in,
			constant ? "mov.u64" : "cvt.u64.u32",
			j->t->text + first->at,
			last->at + last->length - first->at);
	return 0;
}
