/*
 * ptx_wmma: records loads and stores of wmma, element by element. See
 * ptx_access.h.
 */
#include <stdlib.h>

#include "hardware/fragment.h"
#include "gpu/ptx/ptx_access.h"
#include "gpu/ptx/record.h"

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

/* Adds code that sets %gemmviz_v2 to the elements between rows, or columns. */
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

/* Returns code that sets %gemmviz_t to the flags of broken rules; heap. */
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

/* Returns the place of an element, with row and column exchanged when the
 * matrix in memory is stored by columns. */
static struct fragment_place stored_place(const struct fragment *f, int lane,
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

/* Returns code that adds an element's offset to %gemmviz_a: lanes 0 to 3 count
 * one coordinate of the matrix, and groups of four lanes the other. Heap. */
static char *place_code(const struct ptx_job *j,
			const struct ptx_instruction *in,
			const struct fragment *f, int element)
{
	bool columns = ptx_has(in, "col");
	struct fragment_place zero = stored_place(f, 0, element, columns);
	struct fragment_place one = stored_place(f, 1, 0, columns);
	struct fragment_place four = stored_place(f, 4, 0, columns);
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

/* Returns the value of `run` elements from `first` on, in a fragment's
 * registers. */
static struct ptx_value run_value(const struct ptx_value *all,
				  const struct fragment *f, int first, int run)
{
	unsigned int bits = run * f->bits, of = 8 * all->bytes;
	unsigned int at = first * f->bits;
	struct ptx_value v;

	if (!all->count || at / of + MAX(bits / of, 1u) > all->count)
		return (struct ptx_value) { 0 };
	v = ptx_value_part(all, at / of, MAX(bits / of, 1u));
	if (bits < of) {
		v.bytes = bits / 8;
		v.element[0].shift = at % of;
	}
	return v;
}

/* Records a load or store. Elements that are adjacent in memory are one
 * access. */
int ptx_wmma(struct ptx_job *j, const struct ptx_instruction *in, bool store)
{
	struct ptx_access a = { .event = PTX_RULE, .size = "%gemmviz_t",
			    .address = &in->operands[!store] };
	struct ptx_value all, v;
	struct fragment f;
	int run, events;
	int64_t site;
	char *code;

	if (in->operand_count < 2 || !ptx_is_address(j, in, !store))
		return ptx_malformed(j, in);
	if (!fragment_parse(in, &f))
		return ptx_refuse(j, in);
	if (!ptx_space_parse(in, &a.space) || ptx_has(in, "shared::cluster"))
		return ptx_malformed(j, in);
	a.extra = code = rule_code(j, in, &f);
	site = ptx_access_add(j, in, &a);
	free(code);
	all = ptx_value_of(j, in->operands[store], MAX(f.bits / 8, 4));
	run = fragment_run(&f, ptx_has(in, "col") ? 'c' : 'r');
	events = f.elements / f.copies / run;
	a.event = store ? PTX_STORE : PTX_LOAD;
	a.bytes = run * f.bits / 8;
	a.size = NULL;
	for (int i = 0; i < events && site >= 0; i++) {
		a.extra = code = place_code(j, in, &f, i * run);
		site = ptx_access_add(j, in, &a);
		free(code);
		v = run_value(&all, &f, i * run, run);
		ptx_value_add(j, store ? &j->out : &j->after, in, site,
			  store ? 0 : events - 1 - i, &v);
	}
	return site < 0 ? -1 : 0;
}
