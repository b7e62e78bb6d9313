/*
 * asm_do: the instructions of PTX that asm statements may have. See asm_text.h.
 *
 * Instructions that compute registers from registers are in asm_alu.h, those of
 * a warp in asm_warp.c. The others are in a table at the end. Any other
 * instruction is refused.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "emu/warp/asm_alu.h"
#include "emu/warp/asm_statement.h"
#include "emu/hooks.h"
#include "emu/warp/warp_matrix.h"

/* ---- operands ---- */

/* Bits of gemmviz_ordered(), as in gemmviz_atomic.h. */
enum { GEMMVIZ_READS = 1, GEMMVIZ_WRITES = 2, GEMMVIZ_ACQUIRES = 4,
       GEMMVIZ_RELEASES = 8, GEMMVIZ_NEAR = 16, GEMMVIZ_SYSTEM = 32 };

static uint64_t get_operand(const struct asm_statement *st, size_t group)
{
	return asm_get(st, &st->groups[group].of[0]);
}

static void put_operand(const struct asm_statement *st, size_t group,
			uint64_t v)
{
	asm_put(st, &st->groups[group].of[0], v);
}

/* Returns whether the instruction's name has this part, as in ".trans". */
static bool has_modifier(const struct asm_statement *st, const char *part)
{
	const char *at = strstr(st->name, part);

	return at && !isalnum((unsigned char)at[strlen(part)]);
}

static bool is_predicate(const struct asm_group *g)
{
	return g->of[0].reg && g->of[0].reg->predicate;
}

/* Converts a 32-bit shared address to a pointer into the array that contains
 * it, or past the last one that begins before it; NULL: none begins before
 * it. */
static void *shared_at(uint32_t address)
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

void *gemmviz_shared_generic(uint32_t address);
void *gemmviz_shared_generic(uint32_t address)
{
	return shared_at(address);
}

/* Returns the address in operand [a + number]; `shared`: it is a shared address
 * of 32 bits, and the sum wraps. */
static void *address_of(const struct asm_statement *st, size_t group,
			bool shared)
{
	uint64_t at = get_operand(st, group) +
		      (uint64_t)st->groups[group].displacement;

	return shared ? shared_at((uint32_t)at) : (void *)(uintptr_t)at;
}

/* ---- copies ---- */

void gemmviz_copy_async(void *to, const void *from, size_t bytes, size_t zeros,
			void *here);
void gemmviz_copy_commit(void);
void gemmviz_copy_wait(size_t but, void *here);

/*
 * Executes cp.async [to], [from], bytes {, source bytes, or a predicate "ignore
 * the source"} {, cache policy}. Bytes that are not read from the source are
 * set to 0.
 */
static void do_copy(const struct asm_statement *st)
{
	size_t count = st->count - has_modifier(st, ".L2::cache_hint");
	void *to = address_of(st, 0, true), *from = address_of(st, 1, false);
	size_t bytes = get_operand(st, 2), zeros = 0;

	if (count < 3 || count > 4)
		asm_refuse(st);
	if (count == 4 && is_predicate(&st->groups[3])) {
		zeros = get_operand(st, 3) ? bytes : 0;
	} else if (count == 4) {
		uint32_t source = (uint32_t)get_operand(st, 3);

		zeros = source < bytes ? bytes - source : 0;
	}
	gemmviz_copy_async(to, from, bytes, zeros, st->here);
}

static void do_commit(const struct asm_statement *st)
{
	(void)st;
	gemmviz_copy_commit();
}

static void do_wait(const struct asm_statement *st)
{
	gemmviz_copy_wait(get_operand(st, 0), st->here);
}

static void do_wait_all(const struct asm_statement *st)
{
	gemmviz_copy_commit();
	gemmviz_copy_wait(0, st->here);
}

/* ---- tensor cores ---- */

void gemmviz_ldmatrix_some(int trans, uint32_t count, uint32_t *r,
			   const void *row, void *here);

static void do_ldmatrix(const struct asm_statement *st)
{
	uint32_t r[4], count = has_modifier(st, ".x4") ? 4 :
			       has_modifier(st, ".x2") ? 2 : 1;

	if (st->groups[0].count != count || !has_modifier(st, ".b16") ||
	    !has_modifier(st, ".m8n8"))
		asm_refuse(st);
	gemmviz_ldmatrix_some(has_modifier(st, ".trans"), count, r,
			      address_of(st, 1, has_modifier(st, ".shared")),
			      st->here);
	for (uint32_t i = 0; i < count; i++)
		asm_put(st, &st->groups[0].of[i], r[i]);
}

/* Finds the tiles (A, B, C, D) of an mma instruction by its name, and keeps
 * them for the next call; NULL: there is no such instruction. */
static const struct warp_matrix *const *find_mma_tiles(const char *name)
{
	static struct known {
		struct known *next;
		char name[ASM_NAME_BYTES];
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

/* Executes mma D, A, B, C. Each operand group has all bytes of a lane's
 * elements. */
static void do_mma(const struct asm_statement *st)
{
	static const size_t group_of[TILES] = { 1, 2, 3, 0 };
	const struct warp_matrix *const *tiles = find_mma_tiles(st->name);
	unsigned char x[TILES][LANE_BYTES] = { { 0 } };
	struct multiply p = { .saturate = has_modifier(st, ".satfinite") };

	if (!tiles || st->count != TILES)
		asm_refuse(st);
	for (int i = 0; i < TILES; i++) {
		const struct asm_group *g = &st->groups[group_of[i]];
		size_t bytes = (size_t)tiles[i]->f.elements * tiles[i]->bytes;
		size_t each = bytes / g->count;

		if (bytes > LANE_BYTES || each * g->count != bytes ||
		    (each != 4 && each != 8))
			asm_refuse(st);
		p.of[i] = tiles[i];
		p.x[i] = x[i];
		for (size_t r = 0; r < g->count && i != WARP_MATRIX_D; r++) {
			uint64_t v = asm_get(st, &g->of[r]);

			memcpy(x[i] + r * each, &v, each);
		}
	}
	warp_matrix_product(&p, "mma.sync", st->here);
	for (size_t r = 0; r < st->groups[0].count; r++) {
		size_t each = (size_t)tiles[WARP_MATRIX_D]->f.elements *
			      tiles[WARP_MATRIX_D]->bytes / st->groups[0].count;
		uint64_t v = 0;

		memcpy(&v, x[WARP_MATRIX_D] + r * each, each);
		asm_put(st, &st->groups[0].of[r], v);
	}
}

/* ---- loads, stores, moves, barriers ---- */

/* Returns the bytes of an element by the name's last part, as in ".f32".
 * Refuses other types and shared::cluster. */
static size_t ptx_element_bytes(const struct asm_statement *st)
{
	const char *dot = strrchr(st->name, '.');
	int bits = dot ? atoi(dot + 2) : 0;

	if ((bits != 8 && bits != 16 && bits != 32 && bits != 64) ||
	    strstr(st->name, "::cluster"))
		asm_refuse(st);
	return (size_t)bits / 8;
}

/* Sign-extends an element of `bytes` bytes if the instruction's type is
 * signed. */
static uint64_t extend_sign(const struct asm_statement *st, uint64_t v,
			    size_t bytes)
{
	unsigned shift = 64 - 8 * (unsigned)bytes;

	if (strrchr(st->name, '.')[1] != 's')
		return v;
	return (uint64_t)((int64_t)(v << shift) >> shift);
}

void gemmviz_ordered(void *at, size_t bytes, unsigned int how,
		     const void *compare, unsigned int fails, void *here);

/* Returns the bits for gemmviz_ordered() of a load (1) or store (2) that is
 * acquire, release, relaxed or volatile; 0: it is a plain one. */
static unsigned int ordered_bits(const struct asm_statement *st,
				 unsigned int how)
{
	if (has_modifier(st, ".acquire") || has_modifier(st, ".volatile"))
		how |= GEMMVIZ_ACQUIRES;
	else if (has_modifier(st, ".release"))
		how |= GEMMVIZ_RELEASES;
	else if (!has_modifier(st, ".relaxed"))
		return 0;
	if (has_modifier(st, ".cta"))
		how |= GEMMVIZ_NEAR;
	if (has_modifier(st, ".sys"))
		how |= GEMMVIZ_SYSTEM;
	return how;
}

/* Records an access of an instruction to `bytes` bytes; data: what it stores,
 * or NULL. */
static void record_ordered(const struct asm_statement *st, void *at,
			   size_t bytes, const void *data)
{
	unsigned int how = ordered_bits(st, data ? GEMMVIZ_WRITES :
						   GEMMVIZ_READS);

	if (how && bytes <= 8)
		gemmviz_ordered(at, bytes, how, NULL, 0, st->here);
	else
		thread_access(st->here, at, bytes, data ? OP_ST : OP_LD, data);
}

static void do_load(const struct asm_statement *st)
{
	const struct asm_group *g = &st->groups[0];
	size_t each = ptx_element_bytes(st);
	char *from = address_of(st, 1, has_modifier(st, ".shared"));
	uint64_t v[ASM_SCALARS] = { 0 };

	record_ordered(st, from, each * g->count, NULL);
	for (size_t i = 0; i < g->count; i++)
		memcpy(&v[i], from + i * each, each);
	for (size_t i = 0; i < g->count; i++)
		asm_put(st, &g->of[i], extend_sign(st, v[i], each));
}

static void do_store(const struct asm_statement *st)
{
	const struct asm_group *g = &st->groups[1];
	size_t each = ptx_element_bytes(st);
	char *to = address_of(st, 0, has_modifier(st, ".shared"));
	unsigned char data[ASM_SCALARS * 8];

	for (size_t i = 0; i < g->count; i++) {
		uint64_t v = asm_get(st, &g->of[i]);

		memcpy(data + i * each, &v, each);
	}
	record_ordered(st, to, each * g->count, data);
	memcpy(to, data, each * g->count);
}

uint32_t gemmviz_shared_address(const void *p);

static void do_to_shared(const struct asm_statement *st)
{
	void *generic = (void *)(uintptr_t)get_operand(st, 1);

	put_operand(st, 0, gemmviz_shared_address(generic));
}

static void do_to_global(const struct asm_statement *st)
{
	put_operand(st, 0, get_operand(st, 1));
}

/* Executes mov between one register and 2 or 4 that are its parts, lowest
 * first. */
static void do_parts(const struct asm_statement *st)
{
	const struct asm_group *to = &st->groups[0], *from = &st->groups[1];
	unsigned n = (unsigned)(to->count * from->count);
	unsigned bits = (unsigned)ptx_element_bytes(st) * 8 / (n ? n : 1);
	uint64_t whole = 0;

	if (!has_modifier(st, ".b32") && !has_modifier(st, ".b64"))
		asm_refuse(st);
	if ((n != 2 && n != 4) || (to->count > 1 && from->count > 1))
		asm_refuse(st);
	for (size_t i = 0; i < from->count; i++)
		whole |= (asm_get(st, &from->of[i]) &
			  (from->count > 1 ? (1ull << bits) - 1 : UINT64_MAX))
			 << i * bits;
	for (size_t i = 0; i < to->count; i++)
		asm_put(st, &to->of[i], to->count > 1 ?
			whole >> i * bits & ((1ull << bits) - 1) : whole);
}

void gemmviz_syncthreads(void *here);
void gemmviz_bar_sync(int id, int threads, void *here);

static void do_barrier(const struct asm_statement *st)
{
	if (get_operand(st, 0) == 0 && st->count == 1)
		gemmviz_syncthreads(st->here);
	else
		gemmviz_bar_sync((int)get_operand(st, 0),
				 st->count > 1 ? (int)get_operand(st, 1) :
						 (int)rec.thread_count,
				 st->here);
}

static void do_nothing(const struct asm_statement *st)
{
	(void)st;
}

/* Handlers by the beginning of an instruction's name, with the least and the
 * most operands that they take. */
static const struct ptx_handler {
	const char *name;
	size_t least, most;
	void (*does)(const struct asm_statement *st);
} instructions[] = {
	{ "cp.async.commit_group", 0, 0, do_commit },
	{ "cp.async.wait_group", 1, 1, do_wait },
	{ "cp.async.wait_all", 0, 0, do_wait_all },
	{ "cp.async.ca.shared", 3, 5, do_copy },
	{ "cp.async.cg.shared", 3, 5, do_copy },
	{ "ldmatrix.sync.aligned", 2, 2, do_ldmatrix },
	{ "mma.sync.aligned", TILES, TILES, do_mma },
	{ "ld.global", 2, 3, do_load },
	{ "ld.shared", 2, 2, do_load },
	{ "ld.acquire", 2, 2, do_load },
	{ "ld.relaxed", 2, 2, do_load },
	{ "ld.volatile", 2, 2, do_load },
	{ "st.release", 2, 2, do_store },
	{ "st.relaxed", 2, 2, do_store },
	{ "st.volatile", 2, 2, do_store },
	{ "st.global", 2, 3, do_store },
	{ "st.shared", 2, 2, do_store },
	{ "cvta.to.shared", 2, 2, do_to_shared },
	{ "cvta.to.global", 2, 2, do_to_global },
	{ "bar.sync", 1, 2, do_barrier },
	{ "barrier.sync", 1, 2, do_barrier },
	{ "prefetch.global", 1, 1, do_nothing },
	{ "griddepcontrol.wait", 0, 0, do_nothing },
	{ "griddepcontrol.launch_dependents", 0, 0, do_nothing },
};

/* ---- registers from registers ---- */

/* Returns whether operand i is one scalar of this type's kind: a predicate, or
 * not. */
static bool is_of_type(const struct asm_statement *st, size_t i,
		       const char *type)
{
	const struct asm_group *g = &st->groups[i];

	return g->count == 1 && !g->open &&
	       is_predicate(g) == asm_alu_is_predicate(type);
}

static void alu_do(const struct asm_statement *st, const struct asm_alu *alu)
{
	uint64_t in[ASM_ALU_OPERANDS] = { 0 };
	unsigned table = 0;
	bool fits = st->count == 1 + alu->count + alu->has_table &&
		    is_of_type(st, 0, alu->result);

	for (size_t i = 0; fits && i < alu->count; i++)
		fits = is_of_type(st, 1 + i, alu->operands[i]);
	if (!fits)
		asm_refuse(st);
	for (size_t i = 0; i < alu->count; i++)
		in[i] = get_operand(st, 1 + i);
	if (alu->has_table)
		table = (unsigned)get_operand(st, 1 + alu->count);
	put_operand(st, 0, asm_alu_do(alu, in, table));
}

/* Returns whether the instruction's name is this one, or begins with it at a
 * '.' or ':'. */
static bool is_instruction(const struct asm_statement *st, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(st->name, name, n) &&
	       (!st->name[n] || st->name[n] == '.' || st->name[n] == ':');
}

void asm_do(const struct asm_statement *st)
{
	const struct asm_alu *alu = asm_alu_find(st->name);

	if (is_instruction(st, "mov") && st->count == 2 &&
	    (st->groups[0].open == '{' || st->groups[1].open == '{')) {
		do_parts(st);
		return;
	}
	if (alu) {
		alu_do(st, alu);
		return;
	}
	for (size_t i = 0; i < LENGTH(instructions); i++) {
		const struct ptx_handler *in = &instructions[i];

		if (is_instruction(st, in->name) && st->count >= in->least &&
		    st->count <= in->most) {
			in->does(st);
			return;
		}
	}
	if (!asm_warp_do(st))
		asm_refuse(st);
}
