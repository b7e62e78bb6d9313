/*
 * asm: reading the PTX of an asm statement while a thread runs it. See
 * asm_text.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "record/findings.h"
#include "emu/warp/arch_check.h"
#include "emu/warp/asm_statement.h"
#include "emu/hang_check.h"
#include "emu/unit.h"

#define REGISTERS 64

/* A statement's PTX while it is read. */
struct ptx_reader {
	const char *s;
	const struct asm_operand *operands;
	size_t operand_count;
	struct asm_register registers[REGISTERS];
	size_t register_count;
	struct asm_statement st;	/* the instruction at s */
};

/* ---- refused instructions ---- */

/* The instruction that stopped the launch, and its line; empty: none did. */
static struct {
	char what[ASM_NAME_BYTES];
	uint32_t line;
} refused;

static void launch_begin(void)
{
	memset(&refused, 0, sizeof(refused));
}

static int launch_check(const char *file, struct error *e)
{
	if (!refused.what[0])
		return 0;
	return error_set(e, EXIT_INPUT, "%s:%u: the CPU cannot record this "
			 "PTX: %s (--on gpu can)", text_show(file),
			 refused.line, text_show(refused.what));
}

/* Copies the instruction at s, up to its semicolon, to `to` of `size` bytes.
 * Each run of blanks becomes one space. */
static void instruction_copy(char *to, size_t size, const char *s)
{
	size_t n = 0;

	for (; *s && *s != ';' && n + 1 < size; s++) {
		bool blank = isspace((unsigned char)*s);

		if (!blank || (n && to[n - 1] != ' '))
			to[n++] = blank ? ' ' : *s;
	}
	while (n && to[n - 1] == ' ')
		n--;
	to[n] = '\0';
}

_Noreturn void asm_refuse(const struct asm_statement *st)
{
	thread_at(rec.thread, st->here);
	instruction_copy(refused.what, sizeof(refused.what), st->text);
	refused.line = rec.thread->at->line;
	rec.stop = true;
	thread_stop();
}

/* ---- registers ---- */

uint64_t asm_get(const struct asm_statement *st, const struct asm_scalar *x)
{
	uint64_t v = 0;

	if (!x->operand)
		return x->reg ? x->reg->value : x->number;
	thread_access(st->here, x->operand->at, x->operand->bytes, OP_LD,
		      NULL);
	memcpy(&v, x->operand->at, MIN(x->operand->bytes, sizeof(v)));
	return v;
}

void asm_put(const struct asm_statement *st, const struct asm_scalar *x,
	     uint64_t v)
{
	if (x->operand) {
		thread_access(st->here, x->operand->at, x->operand->bytes,
			      OP_ST, &v);
		memcpy(x->operand->at, &v, MIN(x->operand->bytes, sizeof(v)));
	} else if (x->reg) {
		x->reg->value = x->reg->bits == 64 ? v :
				v & ((1ull << x->reg->bits) - 1);
	} else {
		asm_refuse(st);
	}
}

/* ---- words ---- */

static void blanks_skip(struct ptx_reader *r)
{
	for (;;) {
		r->s += strspn(r->s, " \t\n\r");
		if (r->s[0] != '/' || r->s[1] != '/')
			return;
		r->s = strchrnul(r->s, '\n');
	}
}

/* Skips blanks, then c if it comes next; returns whether it did. */
static bool accept_char(struct ptx_reader *r, char c)
{
	blanks_skip(r);
	if (*r->s != c)
		return false;
	r->s++;
	return true;
}

static size_t ptx_word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '$')
		n++;
	return n;
}

/* Returns whether the `n` characters at s are this word. */
static bool is_ptx_word(const char *s, size_t n, const char *word)
{
	return strlen(word) == n && !memcmp(s, word, n);
}

/* ---- registers that the PTX declares ---- */

static struct asm_register *register_find(struct ptx_reader *r, const char *s,
					  size_t n)
{
	for (size_t i = r->register_count; i-- > 0;)
		if (is_ptx_word(s, n, r->registers[i].name))
			return &r->registers[i];
	return NULL;
}

/* Adds a register. A name that was declared before gets the new declaration. */
static void register_add(struct ptx_reader *r, const char *name, size_t n,
			 struct asm_register as)
{
	struct asm_register *to = register_find(r, name, n);

	if (n == 0 || n >= sizeof(as.name) ||
	    (!to && r->register_count == REGISTERS))
		asm_refuse(&r->st);
	if (!to)
		to = &r->registers[r->register_count++];
	memcpy(as.name, name, n);
	*to = as;
}

/* Adds the registers of one declarator: "r" adds r, "r<4>" adds r0 to r3. */
static void registers_add(struct ptx_reader *r, struct asm_register as)
{
	const char *name;
	char *end;
	size_t n;
	unsigned long count;

	blanks_skip(r);
	r->s += strspn(r->s, "%");
	name = r->s;
	n = ptx_word_length(name);
	r->s += n;
	if (!accept_char(r, '<')) {
		register_add(r, name, n, as);
		return;
	}
	count = strtoul(r->s, &end, 10);
	r->s = end;
	if (count > REGISTERS || n > 16 || !accept_char(r, '>'))
		asm_refuse(&r->st);
	for (unsigned long i = 0; i < count; i++) {
		char each[40];
		int length = snprintf(each, sizeof(each), "%.*s%lu", (int)n,
				      name, i);

		register_add(r, each, (size_t)length, as);
	}
}

/* Parses what follows ".reg": a type and names, as in ".b32 a, b". */
static void registers_declare(struct ptx_reader *r)
{
	struct asm_register as = { .bits = 1 };
	size_t n;

	if (!accept_char(r, '.'))
		asm_refuse(&r->st);
	n = ptx_word_length(r->s);
	as.predicate = is_ptx_word(r->s, n, "pred");
	if (is_ptx_word(r->s, n, "f16x2"))
		as.bits = 32;
	else if (!as.predicate)
		as.bits = (uint32_t)strtoul(r->s + 1, NULL, 10);
	if (!strchr("bufsp", *r->s) || as.bits == 0 || as.bits > 64)
		asm_refuse(&r->st);
	r->s += n;
	do
		registers_add(r, as);
	while (accept_char(r, ','));
}

/* ---- operands ---- */

long long gemmviz_clock(void);

/* Reads a special register: the thread's, block's or cluster's index, a lane
 * mask or a clock. Returns false if none has this name. */
static bool read_special_register(const char *s, size_t n, uint64_t *v)
{
	const struct thread *t = rec.thread;
	const struct trace_dim block = dim_of(rec.grid, rec.block_number);
	const uint32_t lane = t->number % WARP_LANES, bit = 1u << lane;
	const bool time = is_ptx_word(s, n, "globaltimer") ||
			  is_ptx_word(s, n, "clock64");
	const struct { const char *name; uint32_t value; } known[] = {
		{ "laneid", lane },
		{ "lanemask_eq", bit },
		{ "lanemask_lt", bit - 1 },
		{ "lanemask_le", bit | (bit - 1) },
		{ "lanemask_ge", -bit },
		{ "lanemask_gt", -bit & ~bit },
		{ "tid.x", t->index.x },
		{ "tid.y", t->index.y },
		{ "tid.z", t->index.z },
		{ "ntid.x", rec.block.x },
		{ "ntid.y", rec.block.y },
		{ "ntid.z", rec.block.z },
		{ "ctaid.x", block.x },
		{ "ctaid.y", block.y },
		{ "ctaid.z", block.z },
		{ "nctaid.x", rec.grid.x },
		{ "nctaid.y", rec.grid.y },
		{ "nctaid.z", rec.grid.z },
		{ "cluster_ctarank", rec.rank },
		{ "cluster_nctarank", rec.cluster },
		{ "cluster_ctaid.x", rec.rank },
		{ "cluster_ctaid.y", 0 },
		{ "cluster_ctaid.z", 0 },
		{ "cluster_nctaid.x", rec.cluster },
		{ "cluster_nctaid.y", 1 },
		{ "cluster_nctaid.z", 1 },
		{ "clusterid.x", block.x / rec.cluster },
		{ "clusterid.y", block.y },
		{ "clusterid.z", block.z },
		{ "nclusterid.x", rec.grid.x / rec.cluster },
		{ "nclusterid.y", rec.grid.y },
		{ "nclusterid.z", rec.grid.z },
	};

	if (time)
		*v = (uint64_t)gemmviz_clock();
	for (size_t i = 0; i < LENGTH(known) && !time; i++) {
		*v = known[i].value;
		if (is_ptx_word(s, n, known[i].name))
			return true;
	}
	return time;
}

/* Reads a name after "%": a special register such as %laneid, or a register
 * that was declared with the sign. */
static void parse_percent_name(struct ptx_reader *r, struct asm_scalar *x)
{
	size_t n;

	r->s += strspn(r->s, "%");
	n = ptx_word_length(r->s);
	x->reg = register_find(r, r->s, n);
	if (!x->reg && r->s[n] == '.')
		n += 1 + ptx_word_length(r->s + n + 1);
	if (!x->reg && !read_special_register(r->s, n, &x->number))
		asm_refuse(&r->st);
	r->s += n;
}

/* Parses a number and returns its bits. Floats and doubles may be written as
 * PTX writes them: 0f3F800000, 0d3FF0000000000000. */
static uint64_t read_ptx_number(struct ptx_reader *r)
{
	bool bits = r->s[0] == '0' && r->s[1] && strchr("fFdD", r->s[1]);
	char *end;
	uint64_t v = bits ? strtoull(r->s + 2, &end, 16) :
			    strtoull(r->s, &end, 0);

	end += *end == 'U';
	if (*end == '.' || ptx_word_length(end))
		asm_refuse(&r->st);
	r->s = end;
	return v;
}

/* Parses an operand of the asm statement (%0), a register or a number. */
static struct asm_scalar parse_scalar(struct ptx_reader *r)
{
	struct asm_scalar x = { 0 };

	blanks_skip(r);
	if (*r->s == '%' && isdigit((unsigned char)r->s[1])) {
		char *end;
		size_t n = strtoul(r->s + 1, &end, 10);

		if (n >= r->operand_count)
			asm_refuse(&r->st);
		x.operand = &r->operands[n];
		r->s = end;
	} else if (*r->s == '%') {
		parse_percent_name(r, &x);
	} else if (isdigit((unsigned char)*r->s) ||
		   (*r->s == '-' && isdigit((unsigned char)r->s[1]))) {
		x.number = read_ptx_number(r);
	} else {
		size_t n = ptx_word_length(r->s);

		x.reg = register_find(r, r->s, n);
		if (!x.reg)
			asm_refuse(&r->st);
		r->s += n;
	}
	return x;
}

/* Parses an operand of an instruction: a scalar, {a, b, ..}, [a + number] or
 * a|b. */
static void parse_operand(struct ptx_reader *r, struct asm_group *g)
{
	char close = accept_char(r, '{') ? '}' : accept_char(r, '[') ? ']' : 0;

	g->open = close == '}' ? '{' : close ? '[' : 0;
	do {
		if (g->count == ASM_SCALARS)
			asm_refuse(&r->st);
		g->of[g->count++] = parse_scalar(r);
	} while (close == '}' && accept_char(r, ','));
	if (!close && accept_char(r, '|')) {
		g->open = '|';
		g->of[g->count++] = parse_scalar(r);
	}
	if (close == ']' && accept_char(r, '+')) {
		struct asm_scalar by = parse_scalar(r);

		g->displacement = (int64_t)asm_get(&r->st, &by);
	}
	if (close && !accept_char(r, close))
		asm_refuse(&r->st);
}

/* ---- instructions ---- */

/* Parses a guard, @p or @!p, and returns whether the instruction after it is
 * executed. Returns true if there is no guard. */
static bool parse_guard(struct ptx_reader *r)
{
	struct asm_scalar p;
	bool not;

	if (!accept_char(r, '@'))
		return true;
	not = accept_char(r, '!');
	p = parse_scalar(r);
	if (!p.reg || !p.reg->predicate)
		asm_refuse(&r->st);
	return !p.reg->value == not;
}

static void parse_operands(struct ptx_reader *r)
{
	struct asm_statement *st = &r->st;

	while (!accept_char(r, ';') && *r->s) {
		if (st->count)
			accept_char(r, ',');
		if (st->count == ASM_GROUPS)
			asm_refuse(st);
		parse_operand(r, &st->groups[st->count++]);
	}
}

/* Parses one instruction or register declaration and executes it. */
static void run_instruction(struct ptx_reader *r)
{
	struct asm_statement *st = &r->st;
	bool guarded;
	size_t n;

	blanks_skip(r);
	*st = (struct asm_statement){ .here = st->here, .text = r->s };
	guarded = parse_guard(r);
	blanks_skip(r);
	st->text = r->s;
	n = strcspn(r->s, " \t\n\r;");
	snprintf(st->name, sizeof(st->name), "%.*s", (int)n, r->s);
	r->s += n;
	if (!strcmp(st->name, ".reg")) {
		registers_declare(r);
		return;
	}
	parse_operands(r);
	if (!guarded)
		return;
	arch_check(st->name, st->name, st->here);
	asm_do(st);
}

void gemmviz_asm_run(const char *text, const struct asm_operand *operands,
		     size_t count, void *here);
void gemmviz_asm_run(const char *text, const struct asm_operand *operands,
		     size_t count, void *here)
{
	struct ptx_reader r = { .s = text,
				.operands = operands,
				.operand_count = count,
				.st.here = here };

	if (!rec.thread)
		return;
	hang_unsure();
	for (;;) {
		blanks_skip(&r);
		while (*r.s == '{' || *r.s == '}' || *r.s == ';') {
			r.s++;
			blanks_skip(&r);
		}
		if (!*r.s)
			return;
		run_instruction(&r);
	}
}

const struct emu_unit asm_unit = {
	.launch_begin = launch_begin,
	.launch_check = launch_check,
};
