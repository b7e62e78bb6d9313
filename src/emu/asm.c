/*
 * asm: reading PTX and doing it. See asm.h. The instructions are those of the
 * PTX ISA; each has a function that is given its operands.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "emu/asm.h"
#include "emu/hooks.h"
#include "emu/warp_matrix.h"

#define GROUPS 6
#define SCALARS 16
#define NAMES 8
#define NAME_BYTES 24
#define INSTRUCTION_BYTES 80

/* As words/cuda_words.h has it. */
struct operand {
	void *at;
	unsigned int bytes;
	unsigned long long value;
};

/* An operand of the statement, a register that the PTX declares, or a number:
 * the first that is there. */
struct scalar {
	const struct operand *operand;
	uint64_t *name;
	uint64_t number;
};

/* {a, b, ..}, or one alone; [a + number]. */
struct group {
	struct scalar of[SCALARS];
	size_t count;
	int64_t displacement;
};

struct statement {
	char name[INSTRUCTION_BYTES];
	struct group groups[GROUPS];
	size_t count;
	void *here;
};

/* A statement's PTX while it is read. */
struct reading {
	const char *s;
	const struct operand *operands;
	size_t operand_count;
	struct { char name[NAME_BYTES]; uint64_t value; } names[NAMES];
	size_t name_count;
	void *here;
};

/* ---- what is not known ---- */

static struct {
	char what[INSTRUCTION_BYTES];
	uint32_t line;
} refused;

void asm_begin(void)
{
	memset(&refused, 0, sizeof(refused));
}

int asm_check(const char *file, struct error *e)
{
	if (!refused.what[0])
		return 0;
	return error_set(e, EXIT_INPUT, "%s:%u: the CPU cannot record this "
			 "PTX: %s (--on gpu can)", text_show(file),
			 refused.line, text_show(refused.what));
}

static _Noreturn void refuse(const char *what, void *here)
{
	thread_at(rec.thread, here);
	snprintf(refused.what, sizeof(refused.what), "%s", what);
	refused.line = rec.thread->at->line;
	rec.stop = true;
	thread_stop();
}

/* ---- registers ---- */

static uint64_t scalar_get(const struct statement *st, const struct scalar *x)
{
	uint64_t v = 0;

	if (!x->operand)
		return x->name ? *x->name : x->number;
	thread_access(st->here, x->operand->at, x->operand->bytes, OP_LD,
		      NULL);
	memcpy(&v, x->operand->at, MIN(x->operand->bytes, sizeof(v)));
	return v;
}

static void scalar_put(const struct statement *st, const struct scalar *x,
		       uint64_t v)
{
	if (x->operand) {
		thread_access(st->here, x->operand->at, x->operand->bytes,
			      OP_ST, &v);
		memcpy(x->operand->at, &v, MIN(x->operand->bytes, sizeof(v)));
	} else if (x->name) {
		*x->name = v;
	}
}

static uint64_t get(const struct statement *st, size_t group)
{
	return group < st->count ? scalar_get(st, &st->groups[group].of[0]) :
				   0;
}

static void put(const struct statement *st, size_t group, uint64_t v)
{
	scalar_put(st, &st->groups[group].of[0], v);
}

static bool has(const struct statement *st, const char *part)
{
	const char *at = strstr(st->name, part);

	return at && !isalnum((unsigned char)at[strlen(part)]);
}

/* Where an address of shared memory is: in an array, or behind the last that
 * begins before it. */
static void *shared_at(uint64_t address)
{
	const struct array *best = NULL;

	for (size_t i = 0; i < rec.memory.count; i++) {
		const struct array *a = rec.memory.arrays[i];

		if (a->info.space == SPACE_SHARED && !a->whole &&
		    a->info.base <= address &&
		    (!best || a->info.base > best->info.base))
			best = a;
	}
	return best ? (void *)(best->lo + (address - best->info.base)) : NULL;
}

static void *address_of(const struct statement *st, size_t group, bool shared)
{
	uint64_t at = get(st, group) + (uint64_t)st->groups[group].displacement;

	return shared ? shared_at(at) : (void *)(uintptr_t)at;
}

/* ---- copies ---- */

void gemmviz_copy_async(void *to, const void *from, size_t bytes, size_t zeros,
			void *here);
void gemmviz_copy_commit(void);
void gemmviz_copy_wait(size_t but, void *here);

/* cp.async [to], [from], bytes {, bytes that are read}; */
static void do_copy(const struct statement *st)
{
	void *to = address_of(st, 0, true), *from = address_of(st, 1, false);
	size_t bytes = get(st, 2);
	size_t given = st->count > 3 ? get(st, 3) : bytes;

	gemmviz_copy_async(to, from, bytes, given < bytes ? bytes - given : 0,
			   st->here);
}

static void do_commit(const struct statement *st)
{
	(void)st;
	gemmviz_copy_commit();
}

static void do_wait(const struct statement *st)
{
	gemmviz_copy_wait(get(st, 0), st->here);
}

static void do_wait_all(const struct statement *st)
{
	gemmviz_copy_commit();
	gemmviz_copy_wait(0, st->here);
}

/* ---- tensor cores ---- */

void gemmviz_ldmatrix_some(int trans, uint32_t count, uint32_t *r,
			   const void *row, void *here);

static void do_ldmatrix(const struct statement *st)
{
	uint32_t count = has(st, ".x4") ? 4 : has(st, ".x2") ? 2 : 1, r[4];

	if (st->groups[0].count != count || !has(st, ".b16"))
		refuse(st->name, st->here);
	gemmviz_ldmatrix_some(has(st, ".trans"), count, r,
			      address_of(st, 1, true), st->here);
	for (uint32_t i = 0; i < count; i++)
		scalar_put(st, &st->groups[0].of[i], r[i]);
}

/* The tiles of an instruction; NULL where there is none of the name. */
static const struct warp_matrix *const *tiles_of(const char *name)
{
	static struct known {
		struct known *next;
		char name[INSTRUCTION_BYTES];
		const struct warp_matrix *of[TILES];
	} *all;
	struct known *k;

	for (k = all; k; k = k->next)
		if (!strcmp(k->name, name))
			return k->of;
	k = xcalloc(1, sizeof(*k));
	snprintf(k->name, sizeof(k->name), "%s", name);
	for (int i = 0; i < TILES; i++) {
		struct fragment_wish w = { .name = name,
					   .operand = "ABCD"[i] };
		struct fragment_spelling spelling;

		if (!fragment_spelled(name, &w, &spelling))
			w.name = "";
		k->of[i] = warp_matrix_wished(&w);
		if (!k->of[i]) {
			free(k);
			return NULL;
		}
	}
	k->next = all;
	all = k;
	return k->of;
}

#define LANE_BYTES (WARP_MATRIX_ELEMENTS * 8)

/* mma D, A, B, C; a group has all bytes of a lane's elements. */
static void do_mma(const struct statement *st)
{
	static const size_t group_of[TILES] = { 1, 2, 3, 0 };
	const struct warp_matrix *const *tiles = tiles_of(st->name);
	unsigned char x[TILES][LANE_BYTES] = { { 0 } };
	struct multiply p = { .saturate = has(st, ".satfinite") };

	if (!tiles || st->count != TILES)
		refuse(st->name, st->here);
	for (int i = 0; i < TILES; i++) {
		const struct group *g = &st->groups[group_of[i]];
		size_t bytes = (size_t)tiles[i]->f.elements * tiles[i]->bytes;
		size_t each = bytes / g->count;

		if (bytes > LANE_BYTES || each * g->count != bytes ||
		    (each != 4 && each != 8))
			refuse(st->name, st->here);
		p.of[i] = tiles[i];
		p.x[i] = x[i];
		for (size_t r = 0; r < g->count && i != WARP_MATRIX_D; r++) {
			uint64_t v = scalar_get(st, &g->of[r]);

			memcpy(x[i] + r * each, &v, each);
		}
	}
	warp_matrix_product(&p, "mma.sync", st->here);
	for (size_t r = 0; r < st->groups[0].count; r++) {
		size_t each = (size_t)tiles[WARP_MATRIX_D]->f.elements *
			      tiles[WARP_MATRIX_D]->bytes / st->groups[0].count;
		uint64_t v = 0;

		memcpy(&v, x[WARP_MATRIX_D] + r * each, each);
		scalar_put(st, &st->groups[0].of[r], v);
	}
}

/* ---- loads, stores, registers, barriers ---- */

/* The bytes of an element, by the last part of the name (".f32"). */
static size_t element_bytes(const struct statement *st)
{
	const char *dot = strrchr(st->name, '.');
	int bits = dot ? atoi(dot + 2) : 0;

	if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
		refuse(st->name, st->here);
	return (size_t)bits / 8;
}

static void do_load(const struct statement *st)
{
	const struct group *g = &st->groups[0];
	size_t each = element_bytes(st);
	const char *from = address_of(st, 1, has(st, ".shared"));
	uint64_t v[SCALARS] = { 0 };

	thread_access(st->here, from, each * g->count, OP_LD, NULL);
	for (size_t i = 0; i < g->count; i++)
		memcpy(&v[i], from + i * each, each);
	for (size_t i = 0; i < g->count; i++)
		scalar_put(st, &g->of[i], v[i]);
}

static void do_store(const struct statement *st)
{
	const struct group *g = &st->groups[1];
	size_t each = element_bytes(st);
	char *to = address_of(st, 0, has(st, ".shared"));
	unsigned char data[SCALARS * 8];

	for (size_t i = 0; i < g->count; i++) {
		uint64_t v = scalar_get(st, &g->of[i]);

		memcpy(data + i * each, &v, each);
	}
	thread_access(st->here, to, each * g->count, OP_ST, data);
	memcpy(to, data, each * g->count);
}

uint32_t gemmviz_shared_address(const void *p);

static void do_to_shared(const struct statement *st)
{
	put(st, 0, gemmviz_shared_address((void *)(uintptr_t)get(st, 1)));
}

static void do_move(const struct statement *st)
{
	put(st, 0, get(st, 1));
}

static void do_equal(const struct statement *st)
{
	put(st, 0, (uint32_t)get(st, 1) == (uint32_t)get(st, 2));
}

static void do_unequal(const struct statement *st)
{
	put(st, 0, (uint32_t)get(st, 1) != (uint32_t)get(st, 2));
}

void gemmviz_syncthreads(void *here);
void gemmviz_bar_sync(int id, int threads, void *here);

static void do_barrier(const struct statement *st)
{
	if (get(st, 0) == 0 && st->count == 1)
		gemmviz_syncthreads(st->here);
	else
		gemmviz_bar_sync((int)get(st, 0), st->count > 1 ?
				 (int)get(st, 1) : (int)rec.thread_count,
				 st->here);
}

static void do_nothing(const struct statement *st)
{
	(void)st;
}

/* Names begin so; `least` groups are what an instruction has. */
static const struct instruction {
	const char *name;
	size_t least;
	void (*does)(const struct statement *st);
} instructions[] = {
	{ "cp.async.commit_group", 0, do_commit },
	{ "cp.async.wait_group", 1, do_wait },
	{ "cp.async.wait_all", 0, do_wait_all },
	{ "cp.async.ca.shared", 3, do_copy },
	{ "cp.async.cg.shared", 3, do_copy },
	{ "ldmatrix.sync.aligned", 2, do_ldmatrix },
	{ "mma.sync.aligned", TILES, do_mma },
	{ "ld.global", 2, do_load },
	{ "ld.shared", 2, do_load },
	{ "st.global", 2, do_store },
	{ "st.shared", 2, do_store },
	{ "cvta.to.shared", 2, do_to_shared },
	{ "cvta.to.global", 2, do_move },
	{ "cvt.u32.u64", 2, do_move },
	{ "cvt.u64.u32", 2, do_move },
	{ "mov", 2, do_move },
	{ "setp.eq", 3, do_equal },
	{ "setp.ne", 3, do_unequal },
	{ "bar.sync", 1, do_barrier },
	{ "barrier.sync", 1, do_barrier },
	{ "prefetch.global", 0, do_nothing },
	{ ".reg", 0, do_nothing },
};

static void statement_do(const struct statement *st)
{
	for (size_t i = 0; i < LENGTH(instructions); i++) {
		const struct instruction *in = &instructions[i];
		size_t n = strlen(in->name);

		if (strncmp(st->name, in->name, n) != 0 ||
		    (st->name[n] && st->name[n] != '.' && st->name[n] != ':'))
			continue;
		if (st->count < in->least)
			break;
		in->does(st);
		return;
	}
	refuse(st->name, st->here);
}

/* ---- reading ---- */

static void blanks_skip(struct reading *r)
{
	for (;;) {
		r->s += strspn(r->s, " \t\n\r");
		if (r->s[0] != '/' || r->s[1] != '/')
			return;
		r->s = strchrnul(r->s, '\n');
	}
}

static bool taken(struct reading *r, char c)
{
	blanks_skip(r);
	if (*r->s != c)
		return false;
	r->s++;
	return true;
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '$')
		n++;
	return n;
}

/* A register that the PTX declares, made where it is first named. */
static uint64_t *name_of(struct reading *r)
{
	size_t n = word_length(r->s);

	for (size_t i = 0; i < r->name_count; i++)
		if (strlen(r->names[i].name) == n &&
		    !memcmp(r->names[i].name, r->s, n)) {
			r->s += n;
			return &r->names[i].value;
		}
	if (n == 0 || n >= NAME_BYTES || r->name_count == NAMES)
		refuse(r->s, r->here);
	memcpy(r->names[r->name_count].name, r->s, n);
	r->s += n;
	return &r->names[r->name_count++].value;
}

static uint64_t number_read(struct reading *r)
{
	char *end;
	uint64_t v;

	/* The bits of a float. */
	if (r->s[0] == '0' && (r->s[1] == 'f' || r->s[1] == 'F'))
		v = strtoull(r->s + 2, &end, 16);
	else
		v = (uint64_t)strtoll(r->s, &end, 0);
	r->s = end + strspn(end, "uU");
	return v;
}

static struct scalar scalar_read(struct reading *r)
{
	struct scalar x = { 0 };

	blanks_skip(r);
	if (*r->s == '%' && isdigit((unsigned char)r->s[1])) {
		char *end;
		size_t n = strtoul(r->s + 1, &end, 10);

		if (n >= r->operand_count)
			refuse(r->s, r->here);
		x.operand = &r->operands[n];
		r->s = end;
	} else if (!strncmp(r->s, "%%laneid", 8)) {
		x.number = rec.thread->number % WARP_LANES;
		r->s += 8;
	} else if (isdigit((unsigned char)*r->s) || *r->s == '-') {
		x.number = number_read(r);
	} else {
		x.name = name_of(r);
	}
	return x;
}

static void group_read(struct reading *r, struct group *g)
{
	char close = taken(r, '{') ? '}' : taken(r, '[') ? ']' : 0;

	do {
		if (g->count == SCALARS)
			refuse(r->s, r->here);
		g->of[g->count++] = scalar_read(r);
	} while (close == '}' && taken(r, ','));
	if (close == ']' && taken(r, '+')) {
		struct scalar by = scalar_read(r);
		struct statement st = { .here = r->here };

		g->displacement = (int64_t)scalar_get(&st, &by);
	}
	if (close && !taken(r, close))
		refuse(r->s, r->here);
}

/* @p or @!p: whether what follows is done. */
static bool guard_read(struct reading *r)
{
	bool not;

	if (!taken(r, '@'))
		return true;
	not = taken(r, '!');
	blanks_skip(r);
	return !*name_of(r) == not;
}

static void statement_read(struct reading *r)
{
	struct statement st = { .here = r->here };
	bool guarded = guard_read(r), declares;
	size_t n;

	blanks_skip(r);
	n = strcspn(r->s, " \t\n\r;");
	snprintf(st.name, sizeof(st.name), "%.*s", (int)n, r->s);
	declares = st.name[0] == '.';
	r->s += declares ? strcspn(r->s, ";") : n;
	while (!taken(r, ';')) {
		if (!*r->s)
			break;
		if (st.count == GROUPS)
			refuse(st.name, r->here);
		group_read(r, &st.groups[st.count++]);
		taken(r, ',');
	}
	if (guarded)
		statement_do(&st);
}

void gemmviz_asm_run(const char *text, const struct operand *operands,
		     size_t count, void *here);
void gemmviz_asm_run(const char *text, const struct operand *operands,
		     size_t count, void *here)
{
	struct reading r = { .s = text, .operands = operands,
			     .operand_count = count, .here = here };

	if (!rec.thread)
		return;
	for (;;) {
		/* Its scopes have no names in common. */
		blanks_skip(&r);
		while (*r.s == '{' || *r.s == '}' || *r.s == ';') {
			r.s++;
			blanks_skip(&r);
		}
		if (!*r.s)
			return;
		statement_read(&r);
	}
}
