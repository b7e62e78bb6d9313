/*
 * asm_fuse: see asm_fuse.h.
 *
 * Numbers the values of a function, follows them through registers and local
 * variables (places from %rbp), and sees who uses each product. Products of the
 * same factors are one, if the first is sure to be computed before. A value
 * keeps its number in another block if it is in a variable that is written
 * once. Both factors of a product that is fused are kept in the function's
 * frame, which grows for them, until its sum.
 */
#include "emu/module/asm_fuse.h"

#include <stdlib.h>
#include <string.h>

#include "emu/module/asm_fuse_parts.h"
#include "emu/module/asm_operand.h"

/* ---- places that outlive a block ---- */

static void see_read(struct asm_function *f, int32_t place, int32_t bytes)
{
	for (int32_t b = place; b > 0 && b > place - bytes; b--)
		if (f->written[b] != f->block)
			f->outlives[b] = true;
}

static void see_write(struct asm_function *f, int32_t place, int32_t bytes)
{
	for (int32_t b = place; b > 0 && b > place - bytes; b--) {
		f->written[b] = f->block;
		f->writes[b] += f->writes[b] < 2;
	}
}

static void see_line(struct asm_function *f, const struct asm_line *l)
{
	int32_t bytes = asm_bytes(l), place;

	for (uint32_t i = 0; i < l->operands; i++) {
		bool last = i + 1 == l->operands;

		place = asm_place(l->operand[i]);
		if (!place)
			continue;
		if (asm_is(l->op, "leaq")) {
			f->outlives[place] = true;
			f->writes[place] = 2;
		} else if (!last || l->operands == 1 || asm_reads_last(l) ||
			   !asm_writes_last(l)) {
			see_read(f, place, bytes);
		}
		if (last && asm_writes_last(l))
			see_write(f, place, bytes);
	}
}

/* Finds the places that some block reads before it writes them. */
static void find_outliving(struct asm_function *f)
{
	for (size_t i = f->begin; i < f->end; i++) {
		const struct asm_line *l = &f->lines->list[i];

		if (l->kind == ASM_CODE)
			see_line(f, l);
		if (asm_ends_block(f->lines, i))
			f->block++;
	}
}

/* ---- jumps ---- */

/* Finds how far jumps lead from the lines before each line. */
static void find_reached(struct asm_function *f)
{
	size_t count = f->end - f->begin, furthest = 0;
	long most = 0, number;
	size_t *lines;

	for (size_t i = f->begin; i < f->end; i++)
		if (f->lines->list[i].kind == ASM_TARGET)
			most = MAX(most,
				   asm_label_number(f->lines->list[i].text));
	lines = xcalloc((size_t)most + 1, sizeof(*lines));
	f->reached = xcalloc(count + 1, sizeof(*f->reached));
	for (size_t i = f->begin; i < f->end; i++)
		if (f->lines->list[i].kind == ASM_TARGET)
			lines[asm_label_number(f->lines->list[i].text)] = i;
	for (size_t i = f->begin; i < f->end; i++) {
		const struct asm_line *l = &f->lines->list[i];

		f->reached[i - f->begin] = furthest;
		if (l->kind != ASM_CODE || *l->op.at != 'j' || !l->operands)
			continue;
		number = asm_label_number(l->operand[0]);
		if (number >= 0 && number <= most)
			furthest = MAX(furthest, lines[number]);
	}
	free(lines);
}

/* ---- values ---- */

static uint32_t add_value(struct asm_function *f, bool wide)
{
	grow(&f->values, &f->value_capacity, f->value_count + 1,
	     sizeof(*f->values));
	f->values[f->value_count] =
		(struct asm_value){ .wide = wide,
				    .plain = (uint32_t)f->value_count };
	return (uint32_t)f->value_count++;
}

static bool is_fusible_product(const struct asm_function *f, uint32_t value)
{
	return value != NONE && f->values[value].product;
}

/* Counts a use of a product, which can be fused only if all are sums of one
 * block. */
static void count_use(struct asm_function *f, uint32_t value, bool by_sum)
{
	struct asm_value *v;

	if (!is_fusible_product(f, value))
		return;
	v = &f->values[f->values[value].first];
	if (!by_sum || (v->block && v->block != f->block))
		v->others++;
	v->sums += by_sum;
	v->block = f->block;
}

/* Returns the value that an operand holds, if it is of the size that is asked
 * for, or NONE. */
static uint32_t held_by(const struct asm_function *f, struct asm_part p,
			bool wide)
{
	int r = asm_register(p);
	int32_t place = asm_place(p);
	uint32_t held = r >= 0 ? f->in_register[r] :
			place  ? f->in_frame[place] :
				 NONE;

	if (held != NONE && f->values[held].wide != wide)
		return NONE;
	return held;
}

/* Counts the products that an operand holds as used. */
static void use_operand(struct asm_function *f, struct asm_part p,
			int32_t bytes)
{
	int r = asm_register(p);
	int32_t place = asm_place(p);
	uint32_t last = NONE;

	if (r >= 0) {
		count_use(f, f->in_register[r], false);
		f->unread[r] = false;
	}
	for (int32_t b = place; b > 0 && b > place - bytes; b--) {
		if (f->in_frame[b] != last)
			count_use(f, f->in_frame[b], false);
		last = f->in_frame[b];
	}
}

/* Lets an operand hold a value, or NONE. */
static void set_operand(struct asm_function *f, struct asm_part p,
			int32_t bytes, uint32_t value)
{
	int r = asm_register(p);
	int32_t place = asm_place(p);

	if (r >= 0) {
		f->in_register[r] = value;
		f->unread[r] = true;
	}
	for (int32_t b = place; b > 0 && b > place - bytes; b--)
		f->in_frame[b] = value;
}

/* Returns the value of an operand; one that is not known gets a number. */
static uint32_t value_of(struct asm_function *f, struct asm_part p, bool wide)
{
	uint32_t held = held_by(f, p, wide);

	if (held != NONE)
		return held;
	held = add_value(f, wide);
	set_operand(f, p, wide ? 8 : 4, held);
	return held;
}

/* Sees a call. What is passed in a register was not read since it was written
 * there, unlike what remains in one. */
static void call_made(struct asm_function *f, const struct asm_line *l)
{
	bool hook = asm_has(l->operand[0], "__tsan_") ||
		    asm_has(l->operand[0], "__sanitizer_") ||
		    asm_has(l->operand[0], "__ubsan_");

	for (int r = 0; r < REGISTERS; r++) {
		if (!hook && r < 8 && f->unread[r])
			count_use(f, f->in_register[r], false);
		f->in_register[r] = NONE;
	}
}

/* Tests whether code at the line `earlier` has run whenever that at `later`
 * runs: nothing jumps over it. */
static bool is_earlier_use(const struct asm_function *f, size_t earlier,
		      size_t later)
{
	size_t reached = f->reached[earlier - f->begin];

	return reached <= earlier || later < reached;
}

/* Returns the first product of these factors, or NONE. */
static uint32_t find_fused_product(const struct asm_function *f, uint32_t a,
			     uint32_t b, size_t line)
{
	for (uint32_t i = 0; i < f->value_count; i++) {
		const struct asm_value *v = &f->values[i];

		if (v->product && v->first == i &&
		    ((v->factor[0] == a && v->factor[1] == b) ||
		     (v->factor[0] == b && v->factor[1] == a)) &&
		    is_earlier_use(f, v->line, line))
			return i;
	}
	return NONE;
}

static void product_made(struct asm_function *f, size_t line,
			 const struct asm_line *l, bool wide)
{
	uint32_t a = value_of(f, l->operand[0], wide);
	uint32_t b = value_of(f, l->operand[1], wide);
	uint32_t first, new;

	a = f->values[a].plain;
	b = f->values[b].plain;
	first = find_fused_product(f, a, b, line);
	/* For nvcc the same product uses its factors once. */
	if (first == NONE) {
		use_operand(f, l->operand[0], asm_bytes(l));
		use_operand(f, l->operand[1], asm_bytes(l));
	}
	new = add_value(f, wide);
	f->values[new].product = true;
	f->values[new].line = line;
	f->values[new].factor[0] = a;
	f->values[new].factor[1] = b;
	f->values[new].first = first == NONE ? new : first;
	set_operand(f, l->operand[1], 16, new);
}

/* Follows a change of the sign, which is what g++ has "xorps" for. */
static void negative_made(struct asm_function *f, const struct asm_line *l)
{
	bool wide = asm_is(l->op, "xorpd");
	uint32_t was = value_of(f, l->operand[1], wide), new;
	bool negated = !f->values[was].negated;

	new = add_value(f, wide);
	f->values[new] = f->values[was];
	f->values[new].negated = negated;
	set_operand(f, l->operand[1], 16, new);
}

static void sum_made(struct asm_function *f, size_t line,
		     const struct asm_line *l, bool wide, bool minus)
{
	struct asm_sum s = { .line = line,
			     .wide = wide,
			     .minus = minus,
			     .to = held_by(f, l->operand[1], wide),
			     .from = held_by(f, l->operand[0], wide) };

	s.to = is_fusible_product(f, s.to) ? s.to : NONE;
	s.from = is_fusible_product(f, s.from) ? s.from : NONE;
	if (asm_register(l->operand[0]) >= 0)
		f->unread[asm_register(l->operand[0])] = false;
	count_use(f, s.to, true);
	count_use(f, s.from, true);
	set_operand(f, l->operand[1], 16, NONE);
	if (s.to == NONE && s.from == NONE)
		return;
	grow(&f->sums, &f->sum_capacity, f->sum_count + 1, sizeof(*f->sums));
	f->sums[f->sum_count++] = s;
}

/* Tests whether an instruction copies a real as it is; *wide: a double. A store
 * elsewhere than in the frame is none. */
static bool is_register_copy(const struct asm_line *l, bool *wide)
{
	*wide = asm_is(l->op, "movsd");
	if (asm_is(l->op, "movaps") || asm_is(l->op, "movapd"))
		return asm_register(l->operand[0]) >= 0 &&
		       asm_register(l->operand[1]) >= 0;
	return (*wide || asm_is(l->op, "movss")) &&
	       (asm_register(l->operand[1]) >= 0 || asm_place(l->operand[1]));
}

static void copy_made(struct asm_function *f, const struct asm_line *l,
		      bool wide)
{
	int r = asm_register(l->operand[0]);
	uint32_t held =
		r >= 0 ? f->in_register[r] : held_by(f, l->operand[0], wide);

	if (r < 0 && held == NONE) {
		use_operand(f, l->operand[0], asm_bytes(l));
		held = value_of(f, l->operand[0], wide);
	}
	if (r >= 0)
		f->unread[r] = false;
	set_operand(f, l->operand[1], wide ? 8 : 4, held);
}

static void other_made(struct asm_function *f, const struct asm_line *l)
{
	int32_t bytes = asm_bytes(l);

	for (uint32_t i = 0; i < l->operands; i++) {
		bool last = i + 1 == l->operands;

		if (!last || l->operands == 1 || asm_reads_last(l) ||
		    !asm_writes_last(l))
			use_operand(f, l->operand[i], bytes);
		if (last && asm_writes_last(l))
			set_operand(f, l->operand[i], bytes, NONE);
	}
}

/* Ends a basic block. A variable that is written once keeps its value; a
 * product in another one is used if some block may read it. */
static void fuse_block_ended(struct asm_function *f, const struct asm_line *l)
{
	uint32_t last = NONE;

	if (l->kind == ASM_CODE && asm_is(l->op, "ret"))
		count_use(f, f->in_register[0], false);
	for (int r = 0; r < REGISTERS; r++)
		f->in_register[r] = NONE;
	for (int32_t b = 1; b <= f->frame; b++) {
		if (f->writes[b] == 1)
			continue;
		if (f->outlives[b] && f->in_frame[b] != last)
			count_use(f, f->in_frame[b], false);
		last = f->in_frame[b];
		f->in_frame[b] = NONE;
	}
	f->block++;
}

static void follow_line(struct asm_function *f, size_t i)
{
	const struct asm_line *l = &f->lines->list[i];
	bool wide;

	if (l->kind == ASM_CODE && asm_is(l->op, "call"))
		call_made(f, l);
	else if (l->kind == ASM_CODE && l->operands == 2 &&
		 (asm_is(l->op, "mulss") || asm_is(l->op, "mulsd")))
		product_made(f, i, l, l->op.at[4] == 'd');
	else if (l->kind == ASM_CODE && l->operands == 2 &&
		 (asm_is(l->op, "addss") || asm_is(l->op, "addsd") ||
		  asm_is(l->op, "subss") || asm_is(l->op, "subsd")))
		sum_made(f, i, l, l->op.at[4] == 'd', *l->op.at == 's');
	else if (l->kind == ASM_CODE && l->operands == 2 && asm_reads_last(l) &&
		 (asm_is(l->op, "xorps") || asm_is(l->op, "xorpd")))
		negative_made(f, l);
	else if (l->kind == ASM_CODE && l->operands == 2 && is_register_copy(l, &wide))
		copy_made(f, l, wide);
	else if (l->kind == ASM_CODE)
		other_made(f, l);
	if (asm_ends_block(f->lines, i))
		fuse_block_ended(f, l);
}

/* ---- functions ---- */

/* Merges the products and sums of one function. */
static void fuse_function(struct asm_function *f)
{
	int32_t bytes = 0, pushes;
	size_t prologue = asm_find_prologue(f, &bytes, &pushes);

	f->frame = bytes + 8 * pushes;
	if (!prologue)
		return;
	memset(f->written, 0, FRAME_MOST * sizeof(*f->written));
	memset(f->writes, 0, FRAME_MOST);
	memset(f->outlives, 0, FRAME_MOST * sizeof(*f->outlives));
	memset(f->in_frame, 0xff, FRAME_MOST * sizeof(*f->in_frame));
	memset(f->in_register, 0xff, sizeof(f->in_register));
	f->value_count = f->sum_count = 0;
	f->block = 1;
	find_outliving(f);
	find_reached(f);
	f->block = 1;
	for (size_t i = prologue + 1; i < f->end; i++)
		follow_line(f, i);
	asm_write_function(f, prologue, bytes);
	free(f->reached);
}

/* Tests whether a function has both, and no stack that is aligned or grows. */
static bool may_fuse(const struct asm_lines *lines, size_t begin, size_t end)
{
	bool product = false, sum = false;

	for (size_t i = begin; i < end; i++) {
		const struct asm_line *l = &lines->list[i];

		if (l->kind != ASM_CODE || l->op.length < 4)
			continue;
		product = product || asm_is(l->op, "mulss") ||
			  asm_is(l->op, "mulsd");
		sum = sum || asm_is(l->op, "addss") || asm_is(l->op, "addsd") ||
		      asm_is(l->op, "subss") || asm_is(l->op, "subsd");
		if (asm_is(l->op, "andq") && l->operands == 2 &&
		    asm_is(l->operand[1], "%rsp"))
			return false;
	}
	return product && sum;
}

static bool has_fma(void)
{
#ifdef __x86_64__
	return __builtin_cpu_supports("fma");
#else
	return false;
#endif
}

void asm_fuse(struct asm_lines *lines)
{
	struct asm_function f = { .lines = lines };

	if (!has_fma())
		return;
	f.in_frame = xcalloc(FRAME_MOST, sizeof(*f.in_frame));
	f.writes = xcalloc(FRAME_MOST, 1);
	f.written = xcalloc(FRAME_MOST, sizeof(*f.written));
	f.outlives = xcalloc(FRAME_MOST, sizeof(*f.outlives));
	for (size_t i = 0; i < lines->count; i++) {
		if (asm_has(lines->list[i].text, ".cfi_startproc"))
			f.begin = i;
		if (!asm_has(lines->list[i].text, ".cfi_endproc"))
			continue;
		f.end = i;
		if (may_fuse(lines, f.begin, f.end))
			fuse_function(&f);
	}
	free(f.in_frame);
	free(f.written);
	free(f.outlives);
	free(f.writes);
	free(f.values);
	free(f.sums);
}
