/*
 * ptx_value: passes the value of an access to the recorder. See ptx_access.h.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/ptx/ptx_access.h"

/* A register or a constant, or all of {a, b}; count 0 for anything else. */
struct ptx_value ptx_value_of(const struct ptx_job *j, struct ptx_operand o,
			      unsigned int bytes)
{
	const struct ptx_token *k = j->t->tokens;
	struct ptx_value v = { .bytes = bytes };
	uint32_t first = o.first;

	if (k[o.first].kind != '{') {
		v.element[v.count++].operand = o;
		return v;
	}
	first++;
	for (uint32_t i = first; i <= o.last; i++) {
		if (k[i].kind != ',' && i < o.last)
			continue;
		if (v.count == PTX_ELEMENTS || i == first)
			return (struct ptx_value) { 0 };
		v.element[v.count++].operand =
			(struct ptx_operand) { first, i - 1 };
		first = i + 1;
	}
	return v;
}

/* Reads the bits of an integer, or of 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX. */
static bool read_constant(const struct ptx_text *t, struct ptx_operand o,
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

static bool has_value(const struct ptx_job *j, const struct ptx_element *e,
		      unsigned int bytes)
{
	struct ptx_register reg;
	uint64_t bits;

	if (e->operand.first == e->operand.last &&
	    ptx_registers_find(&j->r, e->operand.first, &reg))
		return reg.bytes && (bytes < 8 ? reg.bytes <= 8 &&
				     reg.bytes >= (int)bytes :
				     reg.bytes == (int)bytes);
	return bytes <= 8 && read_constant(j->t, e->operand, &bits);
}

/* Adds code that moves up to 4 bytes of a register, which has at least as many,
 * to %gemmviz_t. */
static void move_narrow(struct str *out, int bytes, int length, const char *reg)
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

/* Adds code that ORs the bytes of %gemmviz_t into the value's words. */
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

/* Adds code that moves the element's bytes to the words, from byte `at` on. */
static void element_add(const struct ptx_job *j, struct str *out,
			const struct ptx_element *e, unsigned int bytes,
			size_t at)
{
	const struct ptx_token *k = &j->t->tokens[e->operand.first];
	const char *name = j->t->text + k->at;
	struct ptx_register reg;
	uint64_t bits;

	if (!ptx_registers_find(&j->r, e->operand.first, &reg)) {
		read_constant(j->t, e->operand, &bits);
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
		move_narrow(out, reg.bytes, k->length, name);
		if (e->shift)
			str_addf(out, "shr.u32 %%gemmviz_t, %%gemmviz_t, "
				 "%u;\n", e->shift);
		place_narrow(out, bytes, at);
	}
}

/* Adds code that passes the value of the event `back` events before the
 * thread's newest. */
void ptx_value_add(const struct ptx_job *j, struct str *out,
		   const struct ptx_instruction *in, uint32_t site,
		   uint32_t back, const struct ptx_value *v)
{
	if (!v->count || v->count * v->bytes > 16)
		return;
	for (size_t i = 0; i < v->count; i++)
		if (!has_value(j, &v->element[i], v->bytes))
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

/* Returns the part of a wide vector that one event holds. */
struct ptx_value ptx_value_part(const struct ptx_value *v, size_t first,
				size_t count)
{
	struct ptx_value part = { .bytes = v->bytes };

	for (size_t i = first; i < first + count && i < v->count; i++)
		part.element[part.count++] = v->element[i];
	return part;
}
