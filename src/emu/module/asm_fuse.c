/*
 * asm_fuse: see asm_fuse.h.
 *
 * Follows each product through the registers and the local variables (places
 * from %rbp) of a basic block and counts who reads it. Both factors of one that
 * is fused are kept in the function's frame, which grows for them, until its sum.
 */
#include "emu/module/asm_fuse.h"

#include <stdlib.h>
#include <string.h>

#define REGISTERS 16
#define FRAME_MOST 65536	/* bytes of a frame that are followed */
#define NONE UINT32_MAX
#define SCRATCH_BYTES 16

struct product {
	size_t line;		/* of its multiplication */
	uint32_t uses;
	bool wide;		/* double */
	bool fused;
	int32_t kept;		/* where its factors are, from %rbp */
};

struct sum {
	size_t line;
	uint32_t to, from;	/* products that its operands hold, or NONE */
	bool wide, minus;
};

struct function {
	struct asm_lines *lines;
	size_t begin, end;	/* of its lines */
	struct product *products;
	size_t product_count, product_capacity;
	struct sum *sums;
	size_t sum_count, sum_capacity;
	uint32_t in_register[REGISTERS];	/* products, or NONE */
	/* Of each byte of the frame, by its distance below %rbp. */
	uint32_t *in_frame;	/* the product, or NONE */
	uint32_t *written;	/* the last block that wrote it */
	bool *outlives;		/* some block reads it that has not written it */
	uint32_t block;		/* counted from 1 */
	int32_t frame;		/* bytes below %rbp in use; 0: unknown */
};

/* ---- operands ---- */

/* Returns the number of "%xmmN"; -1: it is something else. */
static int register_of(struct asm_part p)
{
	return p.length > 4 && !memcmp(p.at, "%xmm", 4) ? atoi(p.at + 4) : -1;
}

/* Returns N of "-N(%rbp)", a place in the frame; 0: it is something else. */
static int32_t place_of(struct asm_part p)
{
	char *end;
	long n;

	if (p.length < 8 || *p.at != '-' ||
	    memcmp(p.at + p.length - 6, "(%rbp)", 6))
		return 0;
	n = strtol(p.at + 1, &end, 10);
	return end == p.at + p.length - 6 && n > 0 && n < FRAME_MOST ?
	       (int32_t)n : 0;
}

/* Returns how many bytes of memory an instruction accesses, at most 16. */
static int32_t access_bytes(const struct asm_line *l)
{
	size_t n = l->op.length;
	const char *op = l->op.at;

	if (n > 4 && !memcmp(op, "mov", 3) && (op[3] == 'z' || op[3] == 's') &&
	    n == 6)
		return op[4] == 'b' ? 1 : op[4] == 'w' ? 2 : 4;
	if (n > 2 && op[n - 2] == 's' && (op[n - 1] == 's' || op[n - 1] == 'd'))
		return op[n - 1] == 's' ? 4 : 8;
	switch (op[n - 1]) {
	case 'b':
		return 1;
	case 'w':
		return 2;
	case 'l':
		return 4;
	case 'q':
		return 8;
	default:
		return 16;
	}
}

/* Tests whether an instruction reads its last operand, besides writing it. */
static bool reads_last(const struct asm_line *l)
{
	static const char *const writes[] = { "mov", "lea", "set", "cvt", "pop" };

	for (size_t i = 0; i < LENGTH(writes); i++)
		if (l->op.length >= 3 && !memcmp(l->op.at, writes[i], 3))
			return false;
	return !(l->operands == 2 && asm_has(l->op, "xor") &&
		 l->operand[0].length == l->operand[1].length &&
		 !memcmp(l->operand[0].at, l->operand[1].at,
			 l->operand[0].length));
}

static bool writes_last(const struct asm_line *l)
{
	static const char *const no[] = { "cmp", "tes", "com", "uco", "pus",
					  "cal", "idi", "div" };

	for (size_t i = 0; i < LENGTH(no); i++)
		if (l->op.length >= 3 && !memcmp(l->op.at, no[i], 3))
			return false;
	return l->operands > 0;
}

/* Tests whether a line ends a basic block. What the check of a conversion's
 * range jumps over is not the reader's. */
static bool ends_block(const struct asm_lines *lines, size_t i)
{
	const struct asm_line *l = &lines->list[i];
	size_t at = asm_before(lines, i);

	if (l->kind == ASM_TARGET)
		return !(at < lines->count &&
			 asm_is(lines->list[at].op, "call") &&
			 asm_has(lines->list[at].operand[0], "__ubsan_"));
	if (l->kind != ASM_CODE)
		return false;
	if (asm_is(l->op, "je"))
		for (int n = 0; n < 10 && i < lines->count; n++) {
			i = asm_next(lines, i);
			if (i < lines->count &&
			    asm_is(lines->list[i].op, "call") &&
			    asm_has(lines->list[i].operand[0], "__ubsan_"))
				return false;
		}
	return *l->op.at == 'j' || asm_is(l->op, "ret");
}

/* ---- places that outlive a block ---- */

static void see_read(struct function *f, int32_t place, int32_t bytes)
{
	for (int32_t b = place; b > 0 && b > place - bytes; b--)
		if (f->written[b] != f->block)
			f->outlives[b] = true;
}

static void see_write(struct function *f, int32_t place, int32_t bytes)
{
	for (int32_t b = place; b > 0 && b > place - bytes; b--)
		f->written[b] = f->block;
}

static void see_line(struct function *f, const struct asm_line *l)
{
	int32_t bytes = access_bytes(l), place;

	for (uint32_t i = 0; i < l->operands; i++) {
		bool last = i + 1 == l->operands;

		place = place_of(l->operand[i]);
		if (!place)
			continue;
		if (asm_is(l->op, "leaq"))
			f->outlives[place] = true;
		else if (!last || l->operands == 1 || reads_last(l) ||
			 !writes_last(l))
			see_read(f, place, bytes);
		if (last && writes_last(l))
			see_write(f, place, bytes);
	}
}

/* Finds the places that some block reads before it writes them. */
static void find_outliving(struct function *f)
{
	for (size_t i = f->begin; i < f->end; i++) {
		const struct asm_line *l = &f->lines->list[i];

		if (l->kind == ASM_CODE)
			see_line(f, l);
		if (ends_block(f->lines, i))
			f->block++;
	}
}

/* ---- products ---- */

static void count_use(struct function *f, uint32_t product)
{
	if (product != NONE)
		f->products[product].uses++;
}

/* Returns the product that an operand holds, of the size that is asked for, or
 * NONE. */
static uint32_t held_by(const struct function *f, struct asm_part p, bool wide)
{
	int r = register_of(p);
	int32_t place = place_of(p);
	uint32_t held = r >= 0 ? f->in_register[r] :
			place ? f->in_frame[place] : NONE;

	if (held != NONE && f->products[held].wide != wide)
		return NONE;
	return held;
}

/* Counts the products that an operand holds as used. */
static void use_operand(struct function *f, struct asm_part p, int32_t bytes)
{
	int r = register_of(p);
	int32_t place = place_of(p);
	uint32_t last = NONE;

	if (r >= 0)
		count_use(f, f->in_register[r]);
	for (int32_t b = place; b > 0 && b > place - bytes; b--) {
		if (f->in_frame[b] != last)
			count_use(f, f->in_frame[b]);
		last = f->in_frame[b];
	}
}

/* Lets an operand hold a product, or NONE. */
static void set_operand(struct function *f, struct asm_part p, int32_t bytes,
			uint32_t product)
{
	int r = register_of(p);
	int32_t place = place_of(p);

	if (r >= 0)
		f->in_register[r] = product;
	for (int32_t b = place; b > 0 && b > place - bytes; b--)
		f->in_frame[b] = product;
}

static void call_made(struct function *f, const struct asm_line *l)
{
	bool hook = asm_has(l->operand[0], "__tsan_") ||
		    asm_has(l->operand[0], "__sanitizer_") ||
		    asm_has(l->operand[0], "__ubsan_");

	for (int r = 0; r < REGISTERS; r++) {
		if (!hook && r < 8)
			count_use(f, f->in_register[r]);
		f->in_register[r] = NONE;
	}
}

static void product_made(struct function *f, size_t line,
			 const struct asm_line *l, bool wide)
{
	struct asm_part from = l->operand[0], to = l->operand[1];

	use_operand(f, from, access_bytes(l));
	use_operand(f, to, access_bytes(l));
	grow(&f->products, &f->product_capacity, f->product_count + 1,
	     sizeof(*f->products));
	f->products[f->product_count] = (struct product) { .line = line,
							   .wide = wide };
	set_operand(f, to, 16, (uint32_t)f->product_count++);
}

static void sum_made(struct function *f, size_t line, const struct asm_line *l,
		     bool wide, bool minus)
{
	struct sum s = { .line = line, .wide = wide, .minus = minus,
			 .to = held_by(f, l->operand[1], wide),
			 .from = held_by(f, l->operand[0], wide) };

	use_operand(f, l->operand[0], access_bytes(l));
	use_operand(f, l->operand[1], access_bytes(l));
	set_operand(f, l->operand[1], 16, NONE);
	if (s.to == NONE && s.from == NONE)
		return;
	grow(&f->sums, &f->sum_capacity, f->sum_count + 1, sizeof(*f->sums));
	f->sums[f->sum_count++] = s;
}

/* Tests whether an instruction copies a real as it is; *wide: a double. A store
 * elsewhere than in the frame is none. */
static bool copies(const struct asm_line *l, bool *wide)
{
	*wide = asm_is(l->op, "movsd");
	if (asm_is(l->op, "movaps") || asm_is(l->op, "movapd"))
		return register_of(l->operand[0]) >= 0 &&
		       register_of(l->operand[1]) >= 0;
	return (*wide || asm_is(l->op, "movss")) &&
	       (register_of(l->operand[1]) >= 0 || place_of(l->operand[1]));
}

static void copy_made(struct function *f, const struct asm_line *l, bool wide)
{
	int r = register_of(l->operand[0]);
	uint32_t held = r >= 0 ? f->in_register[r] :
			held_by(f, l->operand[0], wide);

	if (r < 0 && held == NONE)
		use_operand(f, l->operand[0], access_bytes(l));
	set_operand(f, l->operand[1], wide ? 8 : 4, held);
}

static void other_made(struct function *f, const struct asm_line *l)
{
	int32_t bytes = access_bytes(l);

	for (uint32_t i = 0; i < l->operands; i++) {
		bool last = i + 1 == l->operands;

		if (!last || l->operands == 1 || reads_last(l) ||
		    !writes_last(l))
			use_operand(f, l->operand[i], bytes);
		if (last && writes_last(l))
			set_operand(f, l->operand[i], bytes, NONE);
	}
}

/* Ends a basic block: a product whose place another block may read is used
 * there. */
static void block_ended(struct function *f, const struct asm_line *l)
{
	uint32_t last = NONE;

	if (l->kind == ASM_CODE && asm_is(l->op, "ret"))
		count_use(f, f->in_register[0]);
	for (int r = 0; r < REGISTERS; r++)
		f->in_register[r] = NONE;
	if (f->product_count == 0)
		return;
	for (int32_t b = 1; b <= f->frame; b++) {
		if (f->outlives[b] && f->in_frame[b] != last)
			count_use(f, f->in_frame[b]);
		last = f->in_frame[b];
		f->in_frame[b] = NONE;
	}
}

static void follow_line(struct function *f, size_t i)
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
	else if (l->kind == ASM_CODE && l->operands == 2 && copies(l, &wide))
		copy_made(f, l, wide);
	else if (l->kind == ASM_CODE)
		other_made(f, l);
	if (ends_block(f->lines, i))
		block_ended(f, l);
}

/* ---- what is written ---- */

static bool is_single(const struct function *f, uint32_t product)
{
	return product != NONE && f->products[product].uses == 1;
}

/* Keeps both factors of a product in the frame. */
static void write_product(struct function *f, const struct product *p)
{
	struct asm_line *l = &f->lines->list[p->line];
	const char *s = p->wide ? "sd" : "ss";
	int32_t second = p->kept - (p->wide ? 8 : 4);

	l->instead = xasprintf("\tmov%s\t%.*s, -%d(%%rbp)\n"
			       "\tmov%s\t%.*s, %.*s\n"
			       "\tmov%s\t%.*s, -%d(%%rbp)\n"
			       "\tmul%s\t-%d(%%rbp), %.*s\n",
			       s, ASM_PART(l->operand[1]), p->kept,
			       register_of(l->operand[0]) >= 0 ? "aps" : s,
			       ASM_PART(l->operand[0]), ASM_PART(l->operand[1]),
			       s, ASM_PART(l->operand[1]), second,
			       s, p->kept, ASM_PART(l->operand[1]));
}

/* Writes the fused sum: with the product in the register that it changes, which
 * then takes the other operand, or in its source. */
static void write_sum(struct function *f, const struct sum *m, bool to,
		      int32_t scratch)
{
	struct asm_line *l = &f->lines->list[m->line];
	const struct product *p = &f->products[to ? m->to : m->from];
	const char *s = m->wide ? "sd" : "ss";
	int r = register_of(l->operand[1]);
	int other = (r + 1) % 8 == register_of(l->operand[0]) ? (r + 2) % 8 :
		    (r + 1) % 8;
	char *take = to ? xasprintf("\tmov%s\t%.*s, %%xmm%d\n",
				    register_of(l->operand[0]) >= 0 ? "aps" : s,
				    ASM_PART(l->operand[0]), r) : xstrdup("");

	l->instead = xasprintf("%s\tmovups\t%%xmm%d, -%d(%%rbp)\n"
			       "\tmov%s\t-%d(%%rbp), %%xmm%d\n"
			       "\tvf%s231%s\t-%d(%%rbp), %%xmm%d, %%xmm%d\n"
			       "\tmovups\t-%d(%%rbp), %%xmm%d\n", take, other,
			       scratch, s, p->kept, other,
			       !m->minus ? "madd" : to ? "msub" : "nmadd", s,
			       p->kept - (m->wide ? 8 : 4), other, r, scratch,
			       other);
	free(take);
}

/* Chooses the product of each sum, the earlier one if both may be; returns the
 * bytes that the frame grows by. */
static int32_t choose_products(struct function *f)
{
	int32_t bytes = 0;

	for (size_t i = 0; i < f->sum_count; i++) {
		struct sum *m = &f->sums[i];

		if (!is_single(f, m->to) || m->to == m->from)
			m->to = NONE;
		if (!is_single(f, m->from))
			m->from = NONE;
		/* NONE is the greatest. */
		if (m->to < m->from)
			m->from = NONE;
		else
			m->to = NONE;
		if (m->to == NONE && m->from == NONE)
			continue;
		bytes += m->wide ? 16 : 8;
		f->products[MIN(m->to, m->from)].fused = true;
		f->products[MIN(m->to, m->from)].kept = f->frame + bytes;
	}
	return bytes ? (bytes + SCRATCH_BYTES + 15) / 16 * 16 : 0;
}

/* ---- the frame ---- */

/* Returns the line "subq $N, %rsp" of a function's prologue, with N in *bytes
 * and how many registers are pushed before it; 0: it has no such prologue. */
static size_t find_prologue(const struct function *f, int32_t *bytes,
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
		else if (asm_is(l->op, "subq") && framed &&
			 asm_is(l->operand[1], "%rsp") &&
			 *l->operand[0].at == '$') {
			*bytes = atoi(l->operand[0].at + 1);
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
static bool is_epilogue(const struct function *f, size_t i, int32_t bytes)
{
	const struct asm_line *l = &f->lines->list[i];
	size_t next = asm_next(f->lines, i);

	return l->kind == ASM_CODE && asm_is(l->op, "addq") &&
	       l->operands == 2 && asm_is(l->operand[1], "%rsp") &&
	       *l->operand[0].at == '$' && atoi(l->operand[0].at + 1) == bytes &&
	       next < f->end && asm_is(f->lines->list[next].op, "popq");
}

static void grow_frame(struct function *f, size_t prologue, int32_t bytes,
		       int32_t by)
{
	for (size_t i = prologue; i < f->end; i++) {
		struct asm_line *l = &f->lines->list[i];

		if (i != prologue && !is_epilogue(f, i, bytes))
			continue;
		free(l->instead);
		l->instead = xasprintf("\t%s\t$%d, %%rsp\n", i == prologue ?
				       "subq" : "addq", bytes + by);
	}
}

/* ---- functions ---- */

static void write_function(struct function *f, size_t prologue, int32_t bytes)
{
	int32_t by = choose_products(f);

	if (!by)
		return;
	for (size_t i = 0; i < f->sum_count; i++) {
		const struct sum *m = &f->sums[i];

		if (m->to != NONE || m->from != NONE)
			write_sum(f, m, m->to != NONE, f->frame + by);
	}
	for (size_t i = 0; i < f->product_count; i++)
		if (f->products[i].fused)
			write_product(f, &f->products[i]);
	grow_frame(f, prologue, bytes, by);
}

/* Fuses in one function, if it has products and sums. */
static void fuse_function(struct function *f)
{
	int32_t bytes, pushes;
	size_t prologue = find_prologue(f, &bytes, &pushes);

	f->frame = bytes + 8 * pushes;
	if (!prologue)
		return;
	memset(f->written, 0, FRAME_MOST * sizeof(*f->written));
	memset(f->outlives, 0, FRAME_MOST * sizeof(*f->outlives));
	memset(f->in_frame, 0xff, FRAME_MOST * sizeof(*f->in_frame));
	memset(f->in_register, 0xff, sizeof(f->in_register));
	f->product_count = f->sum_count = 0;
	f->block = 1;
	find_outliving(f);
	for (size_t i = prologue + 1; i < f->end; i++)
		follow_line(f, i);
	write_function(f, prologue, bytes);
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
	struct function f = { .lines = lines };

	if (!has_fma())
		return;
	f.in_frame = xcalloc(FRAME_MOST, sizeof(*f.in_frame));
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
	free(f.products);
	free(f.sums);
}
