/*
 * ptx_access: records the memory accesses of instructions. See ptx.h.
 *
 * A call of gemmviz_access() for each access is inserted before the
 * instruction, while the address registers are unchanged. It passes a store's
 * value; a load's value is passed after the instruction.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/ptx/ptx_access.h"
#include "gpu/ptx/record.h"

int ptx_refuse(const struct ptx_job *j, const struct ptx_instruction *in)
{
	return ptx_text_fail(j->t, in->opcode, EXIT_RUNNER,
			     "this cannot be recorded");
}

int ptx_malformed(const struct ptx_job *j, const struct ptx_instruction *in)
{
	return ptx_text_fail(j->t, in->opcode, EXIT_INPUT,
			     "malformed, or unknown");
}

/* ---- addresses ---- */

bool ptx_is_address(const struct ptx_job *j, const struct ptx_instruction *in,
		    size_t operand)
{
	const struct ptx_operand *o = &in->operands[operand];

	return operand < in->operand_count && o->last >= o->first + 2 &&
	       j->t->tokens[o->first].kind == '[' &&
	       j->t->tokens[o->last].kind == ']';
}

/* Returns the space of an access; of a variable's name, where the instruction
 * names no space, the variable's. */
static enum ptx_space access_space(const struct ptx_job *j,
				   const struct ptx_access *a)
{
	uint32_t name = j->t->tokens[a->address->first + 1].name, symbol;

	if (a->space != PTX_GENERIC || name == PTX_NONE)
		return a->space;
	symbol = j->t->names[name].symbol;
	return symbol == PTX_NONE ? a->space : j->p->symbols[symbol].space;
}

/* Adds code that moves an address, [BASE], [BASE+NUMBER] or [NUMBER], to
 * %gemmviz_a. */
static int add_address(struct ptx_job *j, const struct ptx_instruction *in,
		       const struct ptx_operand *o)
{
	const struct ptx_token *k = &j->t->tokens[o->first + 1];
	const char *base = j->t->text + k->at;
	struct ptx_register reg;
	uint32_t i = o->first + 2;
	uint64_t number;

	if (ptx_registers_find(&j->r, o->first + 1, &reg) &&
	    (reg.bytes == 4 || reg.bytes == 8)) {
		str_addf(&j->out, "%s %%gemmviz_a, %.*s;\n",
			 reg.bytes == 8 ? "mov.b64" : "cvt.u64.u32",
			 (int)k->length, base);
	} else if (k->name != PTX_NONE && *base != '%') {
		str_addf(&j->out, "mov.u64 %%gemmviz_a, %.*s;\n",
			 (int)k->length, base);
	} else if (ptx_number(j->t, o->first + 1, &number)) {
		str_addf(&j->out, "mov.u64 %%gemmviz_a, %llu;\n",
			 (unsigned long long)number);
		i += k->kind == '-';
	} else {
		return ptx_text_fail(j->t, o->first + 1, EXIT_INPUT,
				     "not an address");
	}
	if (i == o->last)
		return 0;
	i += j->t->tokens[i].kind == '+';
	if (!ptx_number(j->t, i, &number) ||
	    i + (j->t->tokens[i].kind == '-') + 1 != o->last)
		return ptx_malformed(j, in);
	str_addf(&j->out, "add.s64 %%gemmviz_a, %%gemmviz_a, %lld;\n",
		 (long long)number);
	return 0;
}

/* The call of gemmviz_access() or gemmviz_rule(); the site's number, or -1. */
int64_t ptx_access_add(struct ptx_job *j, const struct ptx_instruction *in,
		       const struct ptx_access *a)
{
	enum ptx_space space = access_space(j, a);
	uint32_t site = ptx_site(j, a->event, space, a->bytes, a->address);

	str_add(&j->out, "\n{ .reg .pred %gemmviz_p;"
		" .reg .b32 %gemmviz_s, %gemmviz_t, %gemmviz_v<4>;"
		" .reg .b64 %gemmviz_a, %gemmviz_b;\n"
		".param .b32 gemmviz_0; .param .b64 gemmviz_1;"
		" .param .b32 gemmviz_2;\n");
	ptx_pass(j, &j->out, site | (uint32_t)space << RECORD_SPACE_SHIFT, in);
	if (add_address(j, in, a->address) < 0)
		return -1;
	if (a->extra)
		str_add(&j->out, a->extra);
	str_add(&j->out, "st.param.b32 [gemmviz_0], %gemmviz_s;\n"
		"st.param.b64 [gemmviz_1], %gemmviz_a;\n");
	if (a->size)
		str_addf(&j->out, "or.b32 %s, %s, %u;\n"
			 "st.param.b32 [gemmviz_2], %s;\n", a->size, a->size,
			 a->how, a->size);
	else
		str_addf(&j->out, "st.param.b32 [gemmviz_2], %u;\n",
			 a->bytes | a->how);
	str_addf(&j->out, "call.uni gemmviz_%s,"
		 " (gemmviz_0, gemmviz_1, gemmviz_2);\n}\n",
		 a->event == PTX_RULE ? "rule" : "access");
	return site;
}

/* ---- loads and stores ---- */

/* Finds the memory space of an instruction; false for one that is not
 * recorded. */
bool ptx_space_parse(const struct ptx_instruction *in, enum ptx_space *space)
{
	static const struct { const char *name; enum ptx_space space; } names[]
		= {
		{ "global", PTX_GLOBAL }, { "shared", PTX_SHARED },
		{ "shared::cta", PTX_SHARED }, { "local", PTX_LOCAL },
	};

	*space = PTX_GENERIC;
	for (size_t i = 0; i < LENGTH(names); i++)
		if (ptx_has(in, names[i].name))
			*space = names[i].space;
	return !ptx_on_param(in) && !ptx_has(in, "const");
}

/* Returns the number of elements, and sets *bytes to the bytes of one; 0
 * elements when they cannot be found out. */
static unsigned int element_count(const struct ptx_instruction *in,
				  unsigned int *bytes)
{
	unsigned int count = 1;

	*bytes = 0;
	for (size_t i = 1; i < in->part_count; i++) {
		int type = ptx_type_bytes(in->parts[i]);

		if (type > 0)
			*bytes = type;
	}
	if (ptx_has(in, "v2"))
		count = 2;
	else if (ptx_has(in, "v4"))
		count = 4;
	else if (ptx_has(in, "v8"))
		count = 8;
	return *bytes && count * *bytes <= 32 ? count : 0;
}

static int mark_unseen(struct ptx_job *j)
{
	ptx_site(j, PTX_UNSEEN, PTX_GENERIC, 0, NULL);
	return 0;
}

/* Tests for an access that orders by itself, not a plain one. */
static bool is_strong(const struct ptx_instruction *in)
{
	static const char *const words[] = { "volatile", "relaxed", "acquire",
					     "release", "mmio" };

	for (size_t i = 0; i < LENGTH(words); i++)
		if (ptx_has(in, words[i]))
			return true;
	return false;
}

/* Records ld and st; more than 16 bytes are two accesses. */
static int record_plain(struct ptx_job *j, const struct ptx_instruction *in,
			bool store)
{
	unsigned int bytes, count = element_count(in, &bytes), parts;
	struct ptx_access a = { .event = store ? PTX_STORE : PTX_LOAD };
	struct ptx_value v;
	int64_t site[2];

	if (!ptx_space_parse(in, &a.space))
		return 0;
	if (ptx_has(in, "shared::cluster"))
		return mark_unseen(j);
	if (!count || in->operand_count < 2 || !ptx_is_address(j, in, !store))
		return ptx_malformed(j, in);
	parts = count * bytes > 16 ? 2 : 1;
	a.bytes = count * bytes / parts;
	a.address = &in->operands[!store];
	v = ptx_value_of(j, in->operands[store], bytes);
	if (v.count != count)
		v.count = 0;
	for (unsigned int i = 0; i < parts; i++) {
		struct ptx_value part = ptx_value_part(&v, i * count / parts,
					       count / parts);

		a.extra = i ? "add.s64 %gemmviz_a, %gemmviz_a, 16;\n" : NULL;
		site[i] = ptx_access_add(j, in, &a);
		if (site[i] < 0)
			return -1;
		j->p->sites[site[i]].strong = is_strong(in);
		if (store)
			ptx_value_add(j, &j->out, in, site[i], 0, &part);
	}
	for (unsigned int i = 0; i < parts && !store; i++) {
		struct ptx_value part = ptx_value_part(&v, i * count / parts,
					       count / parts);

		ptx_value_add(j, &j->after, in, site[i], parts - 1 - i, &part);
	}
	return 0;
}

int ptx_access_whole(struct ptx_job *j, const struct ptx_instruction *stores,
		     size_t count)
{
	size_t together = MAX(j->returned.together, 1);
	struct ptx_access a = { .event = PTX_STORE };
	unsigned int bytes;

	if (!element_count(&stores[0], &bytes) ||
	    !ptx_space_parse(&stores[0], &a.space))
		return ptx_malformed(j, &stores[0]);
	a.bytes = bytes * together;
	for (size_t i = 0; i < count; i += together) {
		struct ptx_value v = { .count = together, .bytes = bytes };
		int64_t site;

		for (size_t k = 0; k < together; k++)
			v.element[k].operand = stores[i + k].operands[1];
		a.address = &stores[i].operands[0];
		site = ptx_access_add(j, &stores[i], &a);
		if (site < 0)
			return -1;
		ptx_value_add(j, &j->out, &stores[i], site, 0, &v);
	}
	return 0;
}

/* Records atom and red: a load, whose value is the old one, then a store, whose
 * value is not known. */
static int record_atomic_access(struct ptx_job *j,
				const struct ptx_instruction *in, bool has_old)
{
	unsigned int bytes, count = element_count(in, &bytes);
	struct ptx_access a = { .bytes = count * bytes,
			    .address = &in->operands[has_old] };
	struct ptx_value v;
	int64_t site, store;

	if (!ptx_space_parse(in, &a.space))
		return ptx_malformed(j, in);
	if (ptx_has(in, "shared::cluster") || ptx_has(in, "async"))
		return mark_unseen(j);
	if (!count || a.bytes > 16 || !ptx_is_address(j, in, has_old))
		return ptx_malformed(j, in);
	a.event = PTX_LOAD;
	site = ptx_access_add(j, in, &a);
	a.event = PTX_STORE;
	store = site < 0 ? -1 : ptx_access_add(j, in, &a);
	if (store < 0)
		return -1;
	j->p->sites[site].atomic = j->p->sites[store].atomic = true;
	j->p->sites[store].compares = ptx_has(in, "cas");
	if (has_old) {
		v = ptx_value_of(j, in->operands[0], bytes);
		if (v.count == count)
			ptx_value_add(j, &j->after, in, site, 1, &v);
	}
	return 0;
}

/* Returns code for cp.async's fourth operand, which is the number of bytes
 * read, or a predicate for reading none. The code passes ~0 where nothing is
 * read; if *counted, %gemmviz_t holds the number. NULL when all bytes are read,
 * and the operand is a cache policy. */
static char *copy_limit(const struct ptx_job *j, struct ptx_operand o,
			bool *counted)
{
	const struct ptx_token *k = &j->t->tokens[o.first];
	const char *text = j->t->text + k->at;
	struct ptx_register reg = { .bytes = 4 };
	uint64_t number;

	if (!ptx_number(j->t, o.first, &number) &&
	    !ptx_registers_find(&j->r, o.first, &reg))
		return NULL;
	*counted = reg.bytes == 4;
	if (*counted)
		return xasprintf("mov.b32 %%gemmviz_t, %.*s;\n"
				 "setp.eq.u32 %%gemmviz_p, %%gemmviz_t, 0;\n"
				 "@%%gemmviz_p mov.b32 %%gemmviz_s, -1;\n",
				 (int)k->length, text);
	return reg.bytes ? NULL :
	       xasprintf("@%.*s mov.b32 %%gemmviz_s, -1;\n",
			 (int)k->length, text);
}

/* Records cp.async [shared], [global], bytes {, bytes read | no read} {,
 * policy} */
static int record_copy(struct ptx_job *j, const struct ptx_instruction *in)
{
	struct ptx_access from = { .event = PTX_LOAD, .space = PTX_GLOBAL,
			       .address = &in->operands[1] };
	struct ptx_access to = { .event = PTX_STORE, .space = PTX_SHARED,
			     .address = &in->operands[0] };
	bool counted = false;
	uint64_t bytes;
	char *limit;
	int64_t site;

	if (in->operand_count < 3 || !ptx_is_address(j, in, 0) ||
	    !ptx_is_address(j, in, 1) ||
	    !ptx_number(j->t, in->operands[2].first, &bytes) ||
	    (bytes != 4 && bytes != 8 && bytes != 16))
		return ptx_malformed(j, in);
	limit = in->operand_count > 3 ?
		copy_limit(j, in->operands[3], &counted) : NULL;
	from.bytes = to.bytes = bytes;
	from.how = RECORD_FETCH;
	to.how = RECORD_SAME;
	from.extra = limit;
	from.size = counted ? "%gemmviz_t" : NULL;
	site = ptx_access_add(j, in, &from);
	free(limit);
	return site < 0 || ptx_access_add(j, in, &to) < 0 ? -1 : 0;
}

/* Records the registers that each lane gives to stmatrix. */
static void rows_given(struct ptx_job *j, const struct ptx_instruction *in)
{
	uint32_t site = ptx_site(j, PTX_ROWS, PTX_GENERIC, 0, NULL);
	struct ptx_value v = ptx_value_of(j, in->operands[1], 4);

	j->p->sites[site].transposed = ptx_has(in, "trans");
	ptx_mark(j, site, in);
	ptx_value_add(j, &j->out, in, site, 0, &v);
}

/* Records ldmatrix and stmatrix: the lanes below 8, 16 or 32 each give the
 * address of a row of 16 bytes. */
static int record_rows(struct ptx_job *j, const struct ptx_instruction *in,
		       bool store)
{
	struct ptx_access a = { store ? PTX_STORE : PTX_LOAD, PTX_SHARED, 16,
			    &in->operands[!store], NULL, NULL,
			    store ? 0 : RECORD_FETCH };
	unsigned int lanes = ptx_has(in, "x1") ? 8 : ptx_has(in, "x2") ? 16 :
			     ptx_has(in, "x4") ? 32 : 0;
	char *extra;
	int64_t site;

	if (in->operand_count < 2 || !ptx_is_address(j, in, !store) || !lanes)
		return ptx_malformed(j, in);
	if (!ptx_has(in, "m8n8"))
		return ptx_refuse(j, in);
	ptx_space_parse(in, &a.space);
	if (store)
		rows_given(j, in);
	extra = xasprintf("mov.u32 %%gemmviz_t, %%laneid;\n"
			  "setp.ge.u32 %%gemmviz_p, %%gemmviz_t, %u;\n"
			  "@%%gemmviz_p mov.b32 %%gemmviz_s, -1;\n", lanes);
	a.extra = extra;
	site = ptx_access_add(j, in, &a);
	free(extra);
	if (site < 0)
		return -1;
	j->p->sites[site].matrix = true;
	return 0;
}

/* ---- which ---- */

static bool second_part_is(const struct ptx_instruction *in, const char *part)
{
	return in->part_count > 1 && ptx_part_is(in->parts[1], part);
}

/* Asynchronous copies other than cp.async.ca and .cg, tensor memory,
 * textures: by descriptors, or not by this thread. */
static bool cannot_see(const struct ptx_instruction *in)
{
	static const char *const words[] = { "tex", "tld4", "suld", "sust",
					     "sured", "multimem", "tcgen05" };

	for (size_t i = 0; i < LENGTH(words); i++)
		if (ptx_opcode(in, words[i]))
			return true;
	if (ptx_opcode(in, "cp"))
		return (ptx_has(in, "bulk") &&
			!ptx_has(in, "commit_group") &&
			!ptx_has(in, "wait_group") &&
			!ptx_has(in, "prefetch"));
	return (ptx_opcode(in, "wgmma") && second_part_is(in, "mma_async")) ||
	       (ptx_opcode(in, "st") &&
		(second_part_is(in, "async") || second_part_is(in, "bulk")));
}

int ptx_access(struct ptx_job *j, const struct ptx_instruction *in)
{
	if (cannot_see(in))
		return mark_unseen(j);
	if (ptx_opcode(in, "ld") || ptx_opcode(in, "ldu"))
		return record_plain(j, in, false);
	if (ptx_opcode(in, "st"))
		return record_plain(j, in, true);
	if (ptx_opcode(in, "atom") || ptx_opcode(in, "red"))
		return record_atomic_access(j, in, ptx_opcode(in, "atom"));
	if (ptx_opcode(in, "cp") && second_part_is(in, "async") &&
	    (ptx_has(in, "ca") || ptx_has(in, "cg")))
		return record_copy(j, in);
	if (ptx_opcode(in, "ldmatrix") || ptx_opcode(in, "stmatrix"))
		return record_rows(j, in, ptx_opcode(in, "stmatrix"));
	if (ptx_opcode(in, "wmma") && !second_part_is(in, "mma"))
		return ptx_wmma(j, in, second_part_is(in, "store"));
	return 0;
}
