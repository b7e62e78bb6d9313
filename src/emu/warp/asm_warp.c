/*
 * asm_warp: executes the instructions that exchange data between lanes of a
 * warp in asm statements: shuffles, votes, matches and reductions (PTX ISA,
 * "Parallel Synchronization and Communication Instructions"; shfl.sync is among
 * those that move data). See asm_statement.h.
 */
#include <string.h>

#include "emu/warp/asm_statement.h"
#include "emu/warp/warp_sync.h"

/* An instruction that a lane executes with others. */
struct talk {
	const struct asm_statement *st;
	uint32_t mask;			/* member mask */
	uint32_t lane;
	const char *how;		/* its name after the handler's `name` */
};

static uint64_t get_lane_operand(const struct talk *t, size_t group)
{
	const struct asm_group *g = &t->st->groups[group];

	if (g->count != 1 || g->open)
		asm_refuse(t->st);
	return asm_get(t->st, &g->of[0]);
}

/* Writes the result v to operand 0; if that is "d|p", writes is_valid to p. */
static void put_lane_result(const struct talk *t, uint64_t v, bool is_valid)
{
	const struct asm_group *g = &t->st->groups[0];

	if (g->open && g->open != '|')
		asm_refuse(t->st);
	asm_put(t->st, &g->of[0], v);
	if (g->count == 2)
		asm_put(t->st, &g->of[1], is_valid);
}

/* ---- shuffles ---- */

void gemmviz_shuffle(const char *word, uint32_t mask, int how, uint32_t by,
		     uint32_t width, const void *mine, void *theirs,
		     size_t bytes, void *here);

/* Executes shfl.sync d|p, a, b, c, mask: b is the source lane or a distance, c
 * has the last lane (bits 0 to 4) and the segment mask (bits 8 to 12). */
static void do_shuffle(const struct talk *t)
{
	uint32_t mine = (uint32_t)get_lane_operand(t, 1), theirs = mine;
	uint32_t by = get_lane_operand(t, 2) & 31,
		 c = (uint32_t)get_lane_operand(t, 3);
	uint32_t segment = c >> 8 & 31, first = t->lane & segment;
	uint32_t last = first | (c & 31 & ~segment), from;
	bool is;

	if (!strcmp(t->how, "up.b32"))
		from = t->lane - by;
	else if (!strcmp(t->how, "down.b32"))
		from = t->lane + by;
	else if (!strcmp(t->how, "bfly.b32"))
		from = t->lane ^ by;
	else if (!strcmp(t->how, "idx.b32"))
		from = first | (by & ~segment);
	else
		asm_refuse(t->st);
	/* For "up", c is the first lane of the segment. */
	is = *t->how == 'u' ? (int)from >= (int)last : from <= last;
	gemmviz_shuffle("shfl.sync", t->mask, SHUFFLE_INDEX,
			is ? from : t->lane, WARP_LANES, &mine, &theirs,
			sizeof(mine), t->st->here);
	put_lane_result(t, theirs, is);
}

/* ---- votes ---- */

uint32_t gemmviz_vote(const char *word, uint32_t mask, int value,
		      uint32_t *among, void *here);

static void do_vote(const struct talk *t)
{
	uint32_t among = 0;
	uint32_t ballot =
		gemmviz_vote("vote.sync", t->mask, get_lane_operand(t, 1) != 0,
			     &among, t->st->here);

	if (!strcmp(t->how, "ballot.b32"))
		put_lane_result(t, ballot, true);
	else if (!strcmp(t->how, "all.pred"))
		put_lane_result(t, ballot == among, true);
	else if (!strcmp(t->how, "any.pred"))
		put_lane_result(t, ballot != 0, true);
	else if (!strcmp(t->how, "uni.pred"))
		put_lane_result(t, ballot == 0 || ballot == among, true);
	else
		asm_refuse(t->st);
}

static void do_active(const struct talk *t)
{
	uint32_t among = 0;

	gemmviz_vote("__activemask", 0, 1, &among, t->st->here);
	put_lane_result(t, among, true);
}

/* ---- matches, reductions, election ---- */

uint32_t gemmviz_gather(const char *word, uint32_t mask, uint64_t mine,
			uint64_t *all, void *here);

/* Executes match.any.sync and match.all.sync: sets d to the lanes whose value
 * is the same as this lane's. */
static void do_match(const struct talk *t)
{
	uint64_t all[WARP_LANES], mine = get_lane_operand(t, 1);
	bool any = !strncmp(t->how, "any.", 4);
	uint32_t among, same = 0;

	if (!strcmp(t->how + 4, "sync.b32"))
		mine = (uint32_t)mine;
	else if (strcmp(t->how + 4, "sync.b64") != 0)
		asm_refuse(t->st);
	among = gemmviz_gather("match.sync", t->mask, mine, all, t->st->here);
	for (uint32_t l = 0; l < WARP_LANES; l++)
		same |= (uint32_t)((among >> l & 1) && all[l] == mine) << l;
	put_lane_result(t, any || same == among ? same : 0, same == among);
}

/* Reduces two lanes' values. For signed minimum and maximum the caller inverts
 * the sign bits first, so that an unsigned comparison orders them. */
static uint32_t reduce_pair(const struct talk *t, uint32_t a, uint32_t b)
{
	bool whole = !strcmp(t->how + 3, ".s32") || !strcmp(t->how + 3, ".u32");

	if (whole && !strncmp(t->how, "add", 3))
		return a + b;
	if (whole && !strncmp(t->how, "min", 3))
		return MIN(a, b);
	if (whole && !strncmp(t->how, "max", 3))
		return MAX(a, b);
	if (!strcmp(t->how, "and.b32"))
		return a & b;
	if (!strcmp(t->how, "or.b32"))
		return a | b;
	if (!strcmp(t->how, "xor.b32"))
		return a ^ b;
	asm_refuse(t->st);
}

static void do_reduce(const struct talk *t)
{
	bool in_order = !strncmp(t->how, "min.s", 5) ||
			!strncmp(t->how, "max.s", 5);
	uint32_t sign = in_order ? 1u << 31 : 0;
	uint32_t result = (uint32_t)get_lane_operand(t, 1) ^ sign, among;
	uint64_t all[WARP_LANES];
	bool any = false;

	reduce_pair(t, 0, 0); /* or it is refused */
	among = gemmviz_gather("redux.sync", t->mask, result, all, t->st->here);
	for (; among; among &= among - 1, any = true) {
		uint32_t its = (uint32_t)all[__builtin_ctz(among)];

		result = any ? reduce_pair(t, result, its) : its;
	}
	put_lane_result(t, result ^ sign, true);
}

/* Executes elect.sync: elects the lowest lane of the mask. */
static void do_elect(const struct talk *t)
{
	uint64_t all[WARP_LANES];
	uint32_t among = gemmviz_gather("elect.sync", t->mask, 0, all,
					t->st->here);
	uint32_t first = among ? (uint32_t)__builtin_ctz(among) : t->lane;

	put_lane_result(t, first, first == t->lane);
}

/* ---- the instructions ---- */

/* Handlers by the beginning of a name, with the number of operands. The last
 * operand is the member mask if `mask` is set. */
static const struct warp_handler {
	const char *name;
	size_t operands;
	bool mask;
	void (*does)(const struct talk *t);
} instructions[] = {
	{ "shfl.sync.", 5, true, do_shuffle },
	{ "vote.sync.", 3, true, do_vote },
	{ "match.", 3, true, do_match },
	{ "redux.sync.", 3, true, do_reduce },
	{ "elect.sync", 2, true, do_elect },
	{ "activemask.b32", 1, false, do_active },
};

bool asm_warp_do(const struct asm_statement *st)
{
	for (size_t i = 0; i < LENGTH(instructions); i++) {
		const struct warp_handler *in = &instructions[i];
		size_t n = strlen(in->name);
		struct talk t = { .st = st, .how = st->name + n };

		if (strncmp(st->name, in->name, n) || st->count != in->operands)
			continue;
		t.lane = rec.thread->number % WARP_LANES;
		t.mask = in->mask ?
				 (uint32_t)get_lane_operand(&t, st->count - 1) :
				 0;
		in->does(&t);
		return true;
	}
	return false;
}
