/*
 * ptx_access: what an instruction does to memory, recorded. See ptx.h.
 *
 * Before the instruction a call of gemmviz_access() for each access, while
 * the address registers are whole; a store's value goes with it, a load's
 * is handed in behind the instruction.
 */
#include <stdlib.h>
#include <string.h>

#include "hardware/fragment.h"
#include "gpu/ptx/ptx_job.h"
#include "gpu/ptx/record.h"

/* What is said of one access of an instruction. */
struct access {
	enum ptx_event event;
	enum ptx_space space;
	uint32_t bytes;
	const struct ptx_operand *address;
	const char *extra;		/* code that changes %gemmviz_a or _s */
	const char *size;		/* bytes touched, where not `bytes`;
					   flags of PTX_RULE */
	uint32_t how;			/* RECORD_FETCH, RECORD_SAME */
};

/* A register or constant of which some bytes are an access's value. */
struct element {
	struct ptx_operand operand;
	unsigned int shift;		/* bits below them */
};

#define ELEMENTS 8

struct value {
	struct element element[ELEMENTS];
	size_t count;			/* 0: there is none */
	unsigned int bytes;		/* of each */
};

static int refuse(const struct ptx_job *j, const struct ptx_instruction *in)
{
	return ptx_text_fail(j->t, in->opcode, EXIT_RUNNER,
			     "this cannot be recorded");
}

static int malformed(const struct ptx_job *j, const struct ptx_instruction *in)
{
	return ptx_text_fail(j->t, in->opcode, EXIT_INPUT,
			     "malformed, or unknown");
}

/* ---- addresses ---- */

static bool is_address(const struct ptx_job *j,
		       const struct ptx_instruction *in, size_t operand)
{
	const struct ptx_operand *o = &in->operands[operand];

	return operand < in->operand_count && o->last >= o->first + 2 &&
	       j->t->tokens[o->first].kind == '[' &&
	       j->t->tokens[o->last].kind == ']';
}

/* A variable's own space, where the instruction names it but no space. */
static enum ptx_space space_of(const struct ptx_job *j, const struct access *a)
{
	uint32_t name = j->t->tokens[a->address->first + 1].name, symbol;

	if (a->space != PTX_GENERIC || name == PTX_NONE)
		return a->space;
	symbol = j->t->names[name].symbol;
	return symbol == PTX_NONE ? a->space : j->p->symbols[symbol].space;
}

/* [BASE], [BASE+NUMBER], [NUMBER] into %gemmviz_a. */
static int address(struct ptx_job *j, const struct ptx_instruction *in,
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
		return malformed(j, in);
	str_addf(&j->out, "add.s64 %%gemmviz_a, %%gemmviz_a, %lld;\n",
		 (long long)number);
	return 0;
}

/* The call of gemmviz_access() or gemmviz_rule(); the site's number, or -1. */
static int64_t access_add(struct ptx_job *j, const struct ptx_instruction *in,
			  const struct access *a)
{
	enum ptx_space space = space_of(j, a);
	uint32_t site = ptx_site(j, a->event, space, a->bytes, a->address);

	str_add(&j->out, "\n{ .reg .pred %gemmviz_p;"
		" .reg .b32 %gemmviz_s, %gemmviz_t, %gemmviz_v<4>;"
		" .reg .b64 %gemmviz_a, %gemmviz_b;\n"
		".param .b32 gemmviz_0; .param .b64 gemmviz_1;"
		" .param .b32 gemmviz_2;\n");
	ptx_pass(j, &j->out, site | (uint32_t)space << RECORD_SPACE_SHIFT, in);
	if (address(j, in, a->address) < 0)
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

/* ---- values ---- */

/* A register or a constant, or all of {a, b}; count 0 for anything else. */
static struct value value_of(const struct ptx_job *j, struct ptx_operand o,
			     unsigned int bytes)
{
	const struct ptx_token *k = j->t->tokens;
	struct value v = { .bytes = bytes };
	uint32_t first = o.first;

	if (k[o.first].kind != '{') {
		v.element[v.count++].operand = o;
		return v;
	}
	first++;
	for (uint32_t i = first; i <= o.last; i++) {
		if (k[i].kind != ',' && i < o.last)
			continue;
		if (v.count == ELEMENTS || i == first)
			return (struct value) { 0 };
		v.element[v.count++].operand =
			(struct ptx_operand) { first, i - 1 };
		first = i + 1;
	}
	return v;
}

/* The bits of an integer, or of 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX. */
static bool constant(const struct ptx_text *t, struct ptx_operand o,
		     uint64_t *bits)
{
	const struct ptx_token *k = &t->tokens[o.first];
	const char *s = t->text + k->at;
	char digits[17], *end;

	if (o.last == o.first && k->kind == 'w' &&
	    (k->length == 10 || k->length == 18) && s[0] == '0' &&
	    strchr(k->length == 10 ? "fF" : "dD", s[1])) {
		memcpy(digits, s + 2, k->length - 2);
		digits[k->length - 2] = '\0';
		*bits = strtoull(digits, &end, 16);
		return !*end;
	}
	return o.last == o.first + (k->kind == '-') &&
	       ptx_number(t, o.first, bits);
}

static bool known(const struct ptx_job *j, const struct element *e,
		  unsigned int bytes)
{
	struct ptx_register reg;
	uint64_t bits;

	if (e->operand.first == e->operand.last &&
	    ptx_registers_find(&j->r, e->operand.first, &reg))
		return reg.bytes && (bytes < 8 ? reg.bytes <= 8 &&
				     reg.bytes >= (int)bytes :
				     reg.bytes == (int)bytes);
	return bytes <= 8 && constant(j->t, e->operand, &bits);
}

/* Up to 4 bytes of a register of at least as many into %gemmviz_t. */
static void narrow(struct str *out, int bytes, int length, const char *reg)
{
	switch (bytes) {
	case 1:
		str_addf(out, "cvt.u32.u8 %%gemmviz_t, %.*s;\n", length, reg);
		break;
	case 2:
		str_addf(out, "mov.b16 %%gemmviz_h, %.*s;\n"
			 "cvt.u32.u16 %%gemmviz_t, %%gemmviz_h;\n", length,
			 reg);
		break;
	case 4:
		str_addf(out, "mov.b32 %%gemmviz_t, %.*s;\n", length, reg);
		break;
	default:
		str_addf(out, "cvt.u32.u64 %%gemmviz_t, %.*s;\n", length, reg);
	}
}

/* Ors the bytes of %gemmviz_t into the value's words. */
static void place_narrow(struct str *out, unsigned int bytes, size_t at)
{
	if (bytes < 4)
		str_addf(out, "and.b32 %%gemmviz_t, %%gemmviz_t, %u;\n",
			 bytes == 2 ? 0xffff : 0xff);
	if (at % 4)
		str_addf(out, "shl.b32 %%gemmviz_t, %%gemmviz_t, %zu;\n",
			 at % 4 * 8);
	str_addf(out, "or.b32 %%gemmviz_v%zu, %%gemmviz_v%zu, %%gemmviz_t;\n",
		 at / 4, at / 4);
}

static void element_constant(struct str *out, uint64_t bits,
			     unsigned int bytes, size_t at)
{
	str_addf(out, "mov.b32 %%gemmviz_t, %u;\n", (uint32_t)bits);
	place_narrow(out, MIN(bytes, 4u), at);
	if (bytes == 8)
		str_addf(out, "mov.b32 %%gemmviz_v%zu, %u;\n", at / 4 + 1,
			 (uint32_t)(bits >> 32));
}

/* The element's bytes into the words from byte `at` on. */
static void element_add(const struct ptx_job *j, struct str *out,
			const struct element *e, unsigned int bytes, size_t at)
{
	const struct ptx_token *k = &j->t->tokens[e->operand.first];
	const char *name = j->t->text + k->at;
	struct ptx_register reg;
	uint64_t bits;

	if (!ptx_registers_find(&j->r, e->operand.first, &reg)) {
		constant(j->t, e->operand, &bits);
		element_constant(out, bits, bytes, at);
	} else if (bytes == 16) {
		str_addf(out, "mov.b128 {%%gemmviz_q0, %%gemmviz_q1}, %.*s;\n",
			 (int)k->length, name);
		str_add(out, "mov.b64 {%gemmviz_v0, %gemmviz_v1}, "
			"%gemmviz_q0;\n"
			"mov.b64 {%gemmviz_v2, %gemmviz_v3}, %gemmviz_q1;\n");
	} else if (bytes == 8) {
		str_addf(out, "mov.b64 {%%gemmviz_v%zu, %%gemmviz_v%zu},"
			 " %.*s;\n", at / 4, at / 4 + 1, (int)k->length, name);
	} else {
		narrow(out, reg.bytes, k->length, name);
		if (e->shift)
			str_addf(out, "shr.u32 %%gemmviz_t, %%gemmviz_t, "
				 "%u;\n", e->shift);
		place_narrow(out, bytes, at);
	}
}

/* Hands the value in, of the event `back` before the thread's newest. */
static void value_add(const struct ptx_job *j, struct str *out,
		      const struct ptx_instruction *in, uint32_t site,
		      uint32_t back, const struct value *v)
{
	if (!v->count || v->count * v->bytes > 16)
		return;
	for (size_t i = 0; i < v->count; i++)
		if (!known(j, &v->element[i], v->bytes))
			return;
	str_add(out, "\n{ .reg .b16 %gemmviz_h;"
		" .reg .b32 %gemmviz_s, %gemmviz_t, %gemmviz_v<4>;"
		" .reg .b64 %gemmviz_q<2>;\n"
		".param .b32 gemmviz_0, gemmviz_1, gemmviz_2, gemmviz_3,"
		" gemmviz_4, gemmviz_5;\n");
	ptx_pass(j, out, site, in);
	for (int i = 0; i < 4; i++)
		str_addf(out, "mov.b32 %%gemmviz_v%d, 0;\n", i);
	for (size_t i = 0; i < v->count; i++)
		element_add(j, out, &v->element[i], v->bytes, i * v->bytes);
	str_addf(out, "st.param.b32 [gemmviz_0], %%gemmviz_s;\n"
		 "st.param.b32 [gemmviz_1], %u;\n", back);
	for (int i = 0; i < 4; i++)
		str_addf(out, "st.param.b32 [gemmviz_%d], %%gemmviz_v%d;\n",
			 i + 2, i);
	str_add(out, "call.uni gemmviz_value, (gemmviz_0, gemmviz_1,"
		" gemmviz_2, gemmviz_3, gemmviz_4, gemmviz_5);\n}\n");
}

/* ---- loads and stores ---- */

/* False: of no space that is recorded. */
static bool space_parse(const struct ptx_instruction *in,
			enum ptx_space *space)
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

/* Elements and the bytes of one; 0 elements when that is not to be had. */
static unsigned int width(const struct ptx_instruction *in,
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

/* The part of a wide vector that one event holds. */
static struct value value_part(const struct value *v, size_t first,
			       size_t count)
{
	struct value part = { .bytes = v->bytes };

	for (size_t i = first; i < first + count && i < v->count; i++)
		part.element[part.count++] = v->element[i];
	return part;
}

static int unseen(struct ptx_job *j)
{
	ptx_site(j, PTX_UNSEEN, PTX_GENERIC, 0, NULL);
	return 0;
}

/* Ordered by itself: no plain access. */
static bool is_strong(const struct ptx_instruction *in)
{
	static const char *const words[] = { "volatile", "relaxed", "acquire",
					     "release", "mmio" };

	for (size_t i = 0; i < LENGTH(words); i++)
		if (ptx_has(in, words[i]))
			return true;
	return false;
}

/* ld and st; more than 16 bytes are two accesses. */
static int plain(struct ptx_job *j, const struct ptx_instruction *in,
		 bool store)
{
	unsigned int bytes, count = width(in, &bytes), parts;
	struct access a = { .event = store ? PTX_STORE : PTX_LOAD };
	struct value v;
	int64_t site[2];

	if (!space_parse(in, &a.space))
		return 0;
	if (ptx_has(in, "shared::cluster"))
		return unseen(j);
	if (!count || in->operand_count < 2 || !is_address(j, in, !store))
		return malformed(j, in);
	parts = count * bytes > 16 ? 2 : 1;
	a.bytes = count * bytes / parts;
	a.address = &in->operands[!store];
	v = value_of(j, in->operands[store], bytes);
	if (v.count != count)
		v.count = 0;
	for (unsigned int i = 0; i < parts; i++) {
		struct value part = value_part(&v, i * count / parts,
					       count / parts);

		a.extra = i ? "add.s64 %gemmviz_a, %gemmviz_a, 16;\n" : NULL;
		site[i] = access_add(j, in, &a);
		if (site[i] < 0)
			return -1;
		j->p->sites[site[i]].strong = is_strong(in);
		if (store)
			value_add(j, &j->out, in, site[i], 0, &part);
	}
	for (unsigned int i = 0; i < parts && !store; i++) {
		struct value part = value_part(&v, i * count / parts,
					       count / parts);

		value_add(j, &j->after, in, site[i], parts - 1 - i, &part);
	}
	return 0;
}

/* One store, or one of each member where no store is as wide. */
int ptx_access_whole(struct ptx_job *j, const struct ptx_instruction *stores,
		     size_t count)
{
	unsigned int bytes, all;
	struct access a = { .event = PTX_STORE };
	size_t together;

	if (!width(&stores[0], &bytes) || !space_parse(&stores[0], &a.space))
		return malformed(j, &stores[0]);
	all = bytes * count;
	together = all > 16 || all & (all - 1) ? 1 : count;
	a.bytes = bytes * together;
	for (size_t i = 0; i < count; i += together) {
		struct value v = { .count = together, .bytes = bytes };
		int64_t site;

		for (size_t k = 0; k < together; k++)
			v.element[k].operand = stores[i + k].operands[1];
		a.address = &stores[i].operands[0];
		site = access_add(j, &stores[i], &a);
		if (site < 0)
			return -1;
		value_add(j, &j->out, &stores[i], site, 0, &v);
	}
	return 0;
}

/* atom and red: a load, whose value is what was there, then a store, of
 * which none is known. */
static int atomic(struct ptx_job *j, const struct ptx_instruction *in,
		  bool has_old)
{
	unsigned int bytes, count = width(in, &bytes);
	struct access a = { .bytes = count * bytes,
			    .address = &in->operands[has_old] };
	struct value v;
	int64_t site, store;

	if (!space_parse(in, &a.space))
		return malformed(j, in);
	if (ptx_has(in, "shared::cluster") || ptx_has(in, "async"))
		return unseen(j);
	if (!count || a.bytes > 16 || !is_address(j, in, has_old))
		return malformed(j, in);
	a.event = PTX_LOAD;
	site = access_add(j, in, &a);
	a.event = PTX_STORE;
	store = site < 0 ? -1 : access_add(j, in, &a);
	if (store < 0)
		return -1;
	j->p->sites[site].atomic = j->p->sites[store].atomic = true;
	if (has_old) {
		v = value_of(j, in->operands[0], bytes);
		if (v.count == count)
			value_add(j, &j->after, in, site, 1, &v);
	}
	return 0;
}

/* cp.async's fourth operand: how many bytes are read, or a predicate for
 * none; code that passes ~0 where none is read. *counted: %gemmviz_t has
 * their number. NULL: all are read, and the operand is a cache policy. */
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

/* cp.async [shared], [global], bytes {, bytes read | no read} {, policy} */
static int copy(struct ptx_job *j, const struct ptx_instruction *in)
{
	struct access from = { .event = PTX_LOAD, .space = PTX_GLOBAL,
			       .address = &in->operands[1] };
	struct access to = { .event = PTX_STORE, .space = PTX_SHARED,
			     .address = &in->operands[0] };
	bool counted = false;
	uint64_t bytes;
	char *limit;
	int64_t site;

	if (in->operand_count < 3 || !is_address(j, in, 0) ||
	    !is_address(j, in, 1) ||
	    !ptx_number(j->t, in->operands[2].first, &bytes) ||
	    (bytes != 4 && bytes != 8 && bytes != 16))
		return malformed(j, in);
	limit = in->operand_count > 3 ?
		copy_limit(j, in->operands[3], &counted) : NULL;
	from.bytes = to.bytes = bytes;
	from.how = RECORD_FETCH;
	to.how = RECORD_SAME;
	from.extra = limit;
	from.size = counted ? "%gemmviz_t" : NULL;
	site = access_add(j, in, &from);
	free(limit);
	return site < 0 || access_add(j, in, &to) < 0 ? -1 : 0;
}

/* What stmatrix is given by each lane. */
static void rows_given(struct ptx_job *j, const struct ptx_instruction *in)
{
	uint32_t site = ptx_site(j, PTX_ROWS, PTX_GENERIC, 0, NULL);
	struct value v = value_of(j, in->operands[1], 4);

	j->p->sites[site].transposed = ptx_has(in, "trans");
	ptx_mark(j, site, in);
	value_add(j, &j->out, in, site, 0, &v);
}

/* The lanes below 8, 16 or 32 each give the address of a row of 16 bytes. */
static int rows(struct ptx_job *j, const struct ptx_instruction *in,
		bool store)
{
	struct access a = { store ? PTX_STORE : PTX_LOAD, PTX_SHARED, 16,
			    &in->operands[!store], NULL, NULL,
			    store ? 0 : RECORD_FETCH };
	unsigned int lanes = ptx_has(in, "x1") ? 8 : ptx_has(in, "x2") ? 16 :
			     ptx_has(in, "x4") ? 32 : 0;
	char *extra;
	int64_t site;

	if (in->operand_count < 2 || !is_address(j, in, !store) || !lanes)
		return malformed(j, in);
	if (!ptx_has(in, "m8n8"))
		return refuse(j, in);
	space_parse(in, &a.space);
	if (store)
		rows_given(j, in);
	extra = xasprintf("mov.u32 %%gemmviz_t, %%laneid;\n"
			  "setp.ge.u32 %%gemmviz_p, %%gemmviz_t, %u;\n"
			  "@%%gemmviz_p mov.b32 %%gemmviz_s, -1;\n", lanes);
	a.extra = extra;
	site = access_add(j, in, &a);
	free(extra);
	if (site < 0)
		return -1;
	j->p->sites[site].matrix = true;
	return 0;
}

/* ---- wmma ---- */

/* wmma.load.a.sync.aligned.row.m16n16k16.shared.f16: false for what is not
 * known. */
static bool fragment_parse(const struct ptx_instruction *in,
			   struct fragment *f)
{
	char shape[16] = "", type[16];
	struct ptx_part last = in->parts[in->part_count - 1];
	struct error e;

	for (size_t i = 3; i < in->part_count; i++)
		if (in->parts[i].text[0] == 'm')
			snprintf(shape, sizeof(shape), "%.*s",
				 (int)in->parts[i].length, in->parts[i].text);
	snprintf(type, sizeof(type), "%.*s", (int)last.length, last.text);
	return fragment_wmma(shape, ptx_has(in, "a") ? 'A' :
			     ptx_has(in, "b") ? 'B' : 'C', type, f, &e) == 0;
}

/* Code that puts into %gemmviz_v2 how many elements are between rows, or
 * columns. */
static void pitch_code(const struct ptx_job *j,
		       const struct ptx_instruction *in,
		       const struct fragment *f, struct str *s)
{
	struct ptx_operand o = in->operands[2];
	const struct ptx_token *k = &j->t->tokens[o.first];
	struct ptx_register reg;

	if (in->operand_count < 3)
		str_addf(s, "mov.b32 %%gemmviz_v2, %d;\n",
			 ptx_has(in, "col") ? f->rows : f->cols);
	else
		str_addf(s, "%s %%gemmviz_v2, %.*s;\n",
			 ptx_registers_find(&j->r, o.first, &reg) &&
			 reg.bytes == 8 ? "cvt.u32.u64" : "mov.b32",
			 (int)k->length, j->t->text + k->at);
}

/* The flags of a rule that is broken into %gemmviz_t. */
static char *rule_code(const struct ptx_job *j,
		       const struct ptx_instruction *in,
		       const struct fragment *f)
{
	struct str s = { 0 };

	pitch_code(j, in, f, &s);
	str_addf(&s, "mul.lo.u32 %%gemmviz_v2, %%gemmviz_v2, %d;\n"
		 "and.b32 %%gemmviz_v2, %%gemmviz_v2, %d;\n"
		 "setp.ne.u32 %%gemmviz_p, %%gemmviz_v2, 0;\n"
		 "selp.b32 %%gemmviz_t, %u, 0, %%gemmviz_p;\n"
		 "and.b64 %%gemmviz_b, %%gemmviz_a, %d;\n"
		 "setp.ne.u64 %%gemmviz_p, %%gemmviz_b, 0;\n"
		 "@%%gemmviz_p or.b32 %%gemmviz_t, %%gemmviz_t, %u;\n",
		 f->bits / 8, FRAGMENT_PITCH - 1, RECORD_PITCH,
		 FRAGMENT_ALIGN - 1, RECORD_MISALIGNED);
	return str_take(&s);
}

/* Along which a matrix in memory goes by rows, or columns. */
static struct fragment_place place_of(const struct fragment *f, int lane,
				      int element, bool columns)
{
	struct fragment_place p = { .lane = lane, .element = element };
	int row;

	fragment_element(f, &p);
	row = p.row;
	p.row = columns ? p.col : row;
	p.col = columns ? row : p.col;
	return p;
}

/*
 * Code that adds the place of an element to %gemmviz_a: lanes 0 to 3 count one
 * coordinate of the matrix, and fours of lanes the other.
 */
static char *place_code(const struct ptx_job *j,
			const struct ptx_instruction *in,
			const struct fragment *f, int element)
{
	bool columns = ptx_has(in, "col");
	struct fragment_place zero = place_of(f, 0, element, columns);
	struct fragment_place one = place_of(f, 1, 0, columns);
	struct fragment_place four = place_of(f, 4, 0, columns);
	struct str s = { 0 };

	pitch_code(j, in, f, &s);
	str_addf(&s, "mov.u32 %%gemmviz_t, %%laneid;\n"
		 "shr.u32 %%gemmviz_v0, %%gemmviz_t, 2;\n"
		 "and.b32 %%gemmviz_v1, %%gemmviz_t, 3;\n"
		 "mad.lo.u32 %%gemmviz_t, %%gemmviz_v0, %d, %d;\n"
		 "mad.lo.u32 %%gemmviz_t, %%gemmviz_v1, %d, %%gemmviz_t;\n"
		 "mad.lo.u32 %%gemmviz_v3, %%gemmviz_v0, %d, %d;\n"
		 "mad.lo.u32 %%gemmviz_v3, %%gemmviz_v1, %d, %%gemmviz_v3;\n"
		 "mad.lo.u32 %%gemmviz_t, %%gemmviz_t, %%gemmviz_v2,"
		 " %%gemmviz_v3;\n"
		 "mul.wide.u32 %%gemmviz_b, %%gemmviz_t, %d;\n"
		 "add.s64 %%gemmviz_a, %%gemmviz_a, %%gemmviz_b;\n",
		 four.row, zero.row, one.row, four.col, zero.col, one.col,
		 f->bits / 8);
	return str_take(&s);
}

/* The value of `run` elements from `first` on, of a fragment's registers. */
static struct value run_value(const struct value *all,
			      const struct fragment *f, int first, int run)
{
	unsigned int bits = run * f->bits, of = 8 * all->bytes;
	unsigned int at = first * f->bits;
	struct value v;

	if (!all->count || at / of + MAX(bits / of, 1u) > all->count)
		return (struct value) { 0 };
	v = value_part(all, at / of, MAX(bits / of, 1u));
	if (bits < of) {
		v.bytes = bits / 8;
		v.element[0].shift = at % of;
	}
	return v;
}

/* Elements that are neighbours in memory are one access. */
static int wmma(struct ptx_job *j, const struct ptx_instruction *in,
		bool store)
{
	struct access a = { .event = PTX_RULE, .size = "%gemmviz_t",
			    .address = &in->operands[!store] };
	struct value all, v;
	struct fragment f;
	int run, events;
	int64_t site;
	char *code;

	if (in->operand_count < 2 || !is_address(j, in, !store))
		return malformed(j, in);
	if (!fragment_parse(in, &f))
		return refuse(j, in);
	if (!space_parse(in, &a.space) || ptx_has(in, "shared::cluster"))
		return malformed(j, in);
	a.extra = code = rule_code(j, in, &f);
	site = access_add(j, in, &a);
	free(code);
	all = value_of(j, in->operands[store], MAX(f.bits / 8, 4));
	run = fragment_run(&f, ptx_has(in, "col") ? 'c' : 'r');
	events = f.elements / f.copies / run;
	a.event = store ? PTX_STORE : PTX_LOAD;
	a.bytes = run * f.bits / 8;
	a.size = NULL;
	for (int i = 0; i < events && site >= 0; i++) {
		a.extra = code = place_code(j, in, &f, i * run);
		site = access_add(j, in, &a);
		free(code);
		v = run_value(&all, &f, i * run, run);
		value_add(j, store ? &j->out : &j->after, in, site,
			  store ? 0 : events - 1 - i, &v);
	}
	return site < 0 ? -1 : 0;
}

/* ---- which ---- */

static bool second(const struct ptx_instruction *in, const char *part)
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
	return (ptx_opcode(in, "wgmma") && second(in, "mma_async")) ||
	       (ptx_opcode(in, "st") && (second(in, "async") ||
					 second(in, "bulk")));
}

int ptx_access(struct ptx_job *j, const struct ptx_instruction *in)
{
	if (cannot_see(in))
		return unseen(j);
	if (ptx_opcode(in, "ld") || ptx_opcode(in, "ldu"))
		return plain(j, in, false);
	if (ptx_opcode(in, "st"))
		return plain(j, in, true);
	if (ptx_opcode(in, "atom") || ptx_opcode(in, "red"))
		return atomic(j, in, ptx_opcode(in, "atom"));
	if (ptx_opcode(in, "cp") && second(in, "async") &&
	    (ptx_has(in, "ca") || ptx_has(in, "cg")))
		return copy(j, in);
	if (ptx_opcode(in, "ldmatrix") || ptx_opcode(in, "stmatrix"))
		return rows(j, in, ptx_opcode(in, "stmatrix"));
	if (ptx_opcode(in, "wmma") && !second(in, "mma"))
		return wmma(j, in, second(in, "store"));
	return 0;
}
