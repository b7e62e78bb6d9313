/* asm_fuse_write: see asm_fuse_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "emu/module/asm_fuse_parts.h"
#include "emu/module/asm_operand.h"

#define SCRATCH_BYTES 16

/* Keeps both factors of a product in the frame. */
static void write_product(struct asm_function *f, const struct asm_value *p)
{
	struct asm_line *l = &f->lines->list[p->line];
	const char *s = p->wide ? "sd" : "ss";
	int32_t second = p->kept - (p->wide ? 8 : 4);

	l->instead = xasprintf("\tmov%s\t%.*s, -%d(%%rbp)\n"
			       "\tmov%s\t%.*s, %.*s\n"
			       "\tmov%s\t%.*s, -%d(%%rbp)\n"
			       "\tmul%s\t-%d(%%rbp), %.*s\n",
			       s, ASM_PART(l->operand[1]), p->kept,
			       asm_register(l->operand[0]) >= 0 ? "aps" : s,
			       ASM_PART(l->operand[0]), ASM_PART(l->operand[1]),
			       s, ASM_PART(l->operand[1]), second, s, p->kept,
			       ASM_PART(l->operand[1]));
}

/* Returns the instruction of a fused sum, whose product is in the register that
 * it changes (`to`) or in its source. */
static const char *fused_name(const struct asm_sum *m, bool to, bool negated)
{
	if (to)
		return negated	? m->minus ? "nmsub" : "nmadd" :
		       m->minus ? "msub" :
				  "madd";
	return negated != m->minus ? "nmadd" : "madd";
}

/* Writes the fused sum: with the product in the register that it changes, which
 * then takes the other operand, or in its source. */
static void write_sum(struct asm_function *f, const struct asm_sum *m, bool to,
		      int32_t scratch)
{
	struct asm_line *l = &f->lines->list[m->line];
	const struct asm_value *v = &f->values[to ? m->to : m->from];
	int32_t kept = f->values[v->plain].kept;
	const char *s = m->wide ? "sd" : "ss";
	int r = asm_register(l->operand[1]);
	int other = (r + 1) % 8 == asm_register(l->operand[0]) ? (r + 2) % 8 :
								 (r + 1) % 8;
	char *take =
		to ? xasprintf("\tmov%s\t%.*s, %%xmm%d\n",
			       asm_register(l->operand[0]) >= 0 ? "aps" : s,
			       ASM_PART(l->operand[0]), r) :
		     xstrdup("");

	l->instead =
		xasprintf("%s\tmovups\t%%xmm%d, -%d(%%rbp)\n"
			  "\tmov%s\t-%d(%%rbp), %%xmm%d\n"
			  "\tvf%s231%s\t-%d(%%rbp), %%xmm%d, %%xmm%d\n"
			  "\tmovups\t-%d(%%rbp), %%xmm%d\n",
			  take, other, scratch, s, kept, other,
			  fused_name(m, to, v->negated), s,
			  kept - (m->wide ? 8 : 4), other, r, scratch, other);
	free(take);
}

/* Returns the uses of a product that count for the choice between two: one that
 * is used by anything but sums comes last. */
static uint32_t rank_uses(const struct asm_function *f, uint32_t value)
{
	const struct asm_value *v = &f->values[f->values[value].first];

	return v->others ? NONE : v->sums;
}

/* Chooses between the two products of a sum, the one with fewer uses or else
 * the earlier one. The other one is then used as it is. */
static void choose_product(struct asm_function *f, struct asm_sum *m)
{
	uint32_t to = m->to, from = m->from, left;

	if (to == NONE || from == NONE)
		return;
	if (rank_uses(f, to) < rank_uses(f, from) ||
	    (rank_uses(f, to) == rank_uses(f, from) && to < from))
		m->from = NONE;
	else
		m->to = NONE;
	left = m->from == NONE ? from : to;
	f->values[f->values[left].first].others++;
}

/* Chooses the product of each sum, if any; returns the bytes that the frame
 * grows by. */
static int32_t choose_products(struct asm_function *f)
{
	int32_t bytes = 0;

	for (size_t i = 0; i < f->sum_count; i++)
		choose_product(f, &f->sums[i]);
	for (size_t i = 0; i < f->sum_count; i++) {
		struct asm_sum *m = &f->sums[i];
		struct asm_value *v = &f->values[MIN(m->to, m->from)];

		if (f->values[v->first].others) {
			m->to = m->from = NONE;
			continue;
		}
		v = &f->values[v->plain];
		if (!v->kept) {
			bytes += m->wide ? 16 : 8;
			v->kept = f->frame + bytes;
		}
	}
	return bytes ? (bytes + SCRATCH_BYTES + 15) / 16 * 16 : 0;
}

/* ---- the frame ---- */

/* Returns how many bytes a line takes from the stack (below 0: gives back): 128
 * are taken by adding -128, for short. 0: none. */
static int32_t stack_taken(const struct asm_line *l)
{
	bool takes = asm_is(l->op, "subq");

	if (l->kind != ASM_CODE || l->operands != 2 ||
	    !(takes || asm_is(l->op, "addq")) ||
	    !asm_is(l->operand[1], "%rsp") || *l->operand[0].at != '$')
		return 0;
	return takes ? atoi(l->operand[0].at + 1) : -atoi(l->operand[0].at + 1);
}

size_t asm_find_prologue(const struct asm_function *f, int32_t *bytes,
			 int32_t *pushes)
{
	bool framed = false;

	*pushes = 0;
	for (size_t i = f->begin; i < f->end; i++) {
		const struct asm_line *l = &f->lines->list[i];

		if (l->kind != ASM_CODE)
			continue;
		if (asm_is(l->op, "pushq") && framed)
			++*pushes;
		else if (framed && stack_taken(l) != 0) {
			*bytes = stack_taken(l);
			return *bytes > 0 && *bytes < FRAME_MOST / 2 ? i : 0;
		} else if (asm_is(l->op, "movq") &&
			   asm_is(l->operand[0], "%rsp") &&
			   asm_is(l->operand[1], "%rbp")) {
			framed = true;
		} else if (!asm_is(l->op, "pushq") && !asm_is(l->op, "nop")) {
			return 0;
		}
	}
	return 0;
}

/* Tests whether a line gives the frame back: it is followed by a pop. */
static bool is_epilogue(const struct asm_function *f, size_t i, int32_t bytes)
{
	size_t next;

	if (stack_taken(&f->lines->list[i]) != -bytes)
		return false;
	next = asm_next(f->lines, i);
	return next < f->end && asm_is(f->lines->list[next].op, "popq");
}

static void grow_frame(struct asm_function *f, size_t prologue, int32_t bytes,
		       int32_t by)
{
	for (size_t i = prologue; i < f->end; i++) {
		struct asm_line *l = &f->lines->list[i];

		if (i != prologue && !is_epilogue(f, i, bytes))
			continue;
		free(l->instead);
		l->instead =
			xasprintf("\t%s\t$%d, %%rsp\n",
				  i == prologue ? "subq" : "addq", bytes + by);
	}
}

void asm_write_function(struct asm_function *f, size_t prologue, int32_t bytes)
{
	int32_t by = choose_products(f);

	if (!by)
		return;
	for (size_t i = 0; i < f->sum_count; i++) {
		const struct asm_sum *m = &f->sums[i];

		if (m->to != NONE || m->from != NONE)
			write_sum(f, m, m->to != NONE, f->frame + by);
	}
	for (size_t i = 0; i < f->value_count; i++)
		if (f->values[i].kept)
			write_product(f, &f->values[i]);
	grow_frame(f, prologue, bytes, by);
}
