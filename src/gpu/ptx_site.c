/*
 * ptx_site: sites, and the code that records events without an access.
 *
 * Inserted code stands in braces of its own; its registers and parameters
 * begin with gemmviz_ and hide nothing. Every thread makes the call; one for
 * which the instruction's predicate is false passes the site ~0.
 */
#include "ptx_job.h"
#include "record.h"

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

void ptx_begin(struct ptx_job *j, uint32_t site, const char *symbol)
{
	uint32_t what = site | (uint32_t)j->p->sites[site].space <<
			RECORD_SPACE_SHIFT;

	str_addf(&j->out, "\n{ .reg .b64 %%gemmviz_a; .param .b32 gemmviz_0;"
		 " .param .b64 gemmviz_1;\n"
		 "mov.u64 %%gemmviz_a, %s;\n"
		 "st.param.b32 [gemmviz_0], %u;\n"
		 "st.param.b64 [gemmviz_1], %%gemmviz_a;\n"
		 "call.uni gemmviz_begin, (gemmviz_0, gemmviz_1);\n}\n",
		 symbol, what);
}
