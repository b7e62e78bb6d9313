/* run_warps: which lanes run next, and where they wait. See run_parts.h. */
#include <stdarg.h>
#include <stdlib.h>

#include "base/lang.h"
#include "machine/run_parts.h"

/* Warp instructions after which another warp of the block has its turn. */
#define TURN 20000

void run_refuse(struct machine_run *r, const struct step *s, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	if (r->failed)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	r->failed = true;
	if (s)
		error_set(&r->reason, EXIT_CHECK, _("at 0x%x: %s"),
			  s->of->address, text);
	else
		error_set(&r->reason, EXIT_CHECK, "%s", text);
}

/* ---- parts of a warp ---- */

static void drop_part(struct warp *w, uint32_t n)
{
	w->parts[n] = w->parts[--w->part_count];
}

/* Takes lanes that have ended out of all that waits. */
static void end_lanes(struct warp *w, uint32_t n, uint32_t mask)
{
	w->live &= ~mask;
	w->parts[n].mask &= ~mask;
	if (!w->parts[n].mask)
		drop_part(w, n);
}

/* Makes parts at the same place that do not wait one. */
static void join_lanes(struct warp *w)
{
	for (uint32_t a = 0; a < w->part_count; a++)
		for (uint32_t b = a + 1; b < w->part_count; b++)
			if (w->parts[a].pc == w->parts[b].pc &&
			    w->parts[a].wait == WAIT_NOT &&
			    w->parts[b].wait == WAIT_NOT) {
				w->parts[a].mask |= w->parts[b].mask;
				drop_part(w, b--);
			}
}

/* Sends the lanes of `mask`, which are of part n, to another instruction. */
static void split_part(struct warp *w, uint32_t n, uint32_t mask, uint32_t to)
{
	struct warp_part *p = &w->parts[n];

	if (!mask)
		return;
	if (p->mask == mask) {
		p->pc = to;
	} else {
		p->mask &= ~mask;
		w->parts[w->part_count++] = (struct warp_part){ .pc = to,
							   .mask = mask };
	}
	join_lanes(w);
}

/* Lets those that wait for each other go on: at BSYNC and WARPSYNC all living
 * lanes that they wait for must be there. `any`: the first that waits goes on
 * in any case. Returns whether one goes on. */
static bool release_parts(struct warp *w, bool any)
{
	for (uint32_t a = 0; a < w->part_count; a++) {
		struct warp_part *p = &w->parts[a];
		uint32_t there = 0;

		if (p->wait != WAIT_BSYNC && p->wait != WAIT_WARP)
			continue;
		for (uint32_t b = 0; b < w->part_count; b++)
			if (w->parts[b].wait == p->wait &&
			    w->parts[b].barrier == p->barrier)
				there |= w->parts[b].mask;
		if (!any && p->of & w->live & ~there)
			continue;
		for (uint32_t b = w->part_count; b-- > 0;)
			if (b != a && w->parts[b].wait == p->wait &&
			    w->parts[b].barrier == p->barrier)
				w->parts[b].wait = WAIT_NOT;
		p->wait = WAIT_NOT;
		join_lanes(w);
		return true;
	}
	return false;
}

/* Chooses the part at the lowest address; false: all wait. */
static bool choose_lowest(const struct warp *w, uint32_t *chosen, uint32_t *next)
{
	uint32_t least = UINT32_MAX;

	*next = UINT32_MAX;
	for (uint32_t n = 0; n < w->part_count; n++) {
		uint32_t pc = w->parts[n].pc;

		if (w->parts[n].wait != WAIT_NOT)
			continue;
		if (pc < least) {
			*next = least;
			least = pc;
			*chosen = n;
		} else {
			*next = MIN(*next, pc);
		}
	}
	return least != UINT32_MAX;
}

/* ---- barriers of the block ---- */

static uint32_t living_threads(const struct machine_run *r)
{
	uint32_t n = 0;

	for (uint32_t w = 0; w < r->warp_count; w++)
		n += (uint32_t)__builtin_popcount(r->warps[w].live);
	return n;
}

/* Opens a barrier at which enough threads have arrived. */
static void open_gate(struct machine_run *r, uint32_t number)
{
	struct block_gate *g = &r->gates[number];
	uint32_t most = g->most ? g->most : living_threads(r);

	if (!g->arrived || g->arrived < most)
		return;
	for (uint32_t k = 0; k < r->warp_count; k++) {
		struct warp *w = &r->warps[k];
		bool waited = false;

		for (uint32_t n = 0; n < w->part_count; n++)
			if (w->parts[n].wait == WAIT_BLOCK &&
			    w->parts[n].barrier == number) {
				w->parts[n].wait = WAIT_NOT;
				waited = true;
			}
		if (waited) {
			w->red_count = g->votes;
			w->red_any = g->votes != 0;
			w->red_all = g->votes == g->voters;
			join_lanes(w);
		}
	}
	*g = (struct block_gate){ 0 };
}

/* Returns a number or the value of a register among a barrier's operands. */
static bool barrier_operand(const struct warp *w, const struct step *s,
			    uint32_t nth, uint32_t lane, uint32_t *value)
{
	uint32_t seen = 0;

	for (uint32_t n = 0; n < s->of->operand_count; n++) {
		const struct sass_operand *o = &s->of->operands[n];

		if (o->kind != SASS_WHOLE && o->kind != SASS_REGISTER)
			continue;
		if (seen++ != nth)
			continue;
		*value = o->kind == SASS_WHOLE ? (uint32_t)o->offset :
						 w->r[o->reg].v[lane];
		return true;
	}
	return false;
}

static void arrive_lanes(struct machine_run *r, struct warp *w, const struct step *s,
		   uint32_t n)
{
	struct warp_part *p = &w->parts[n];
	uint32_t lane = (uint32_t)__builtin_ctz(p->mask);
	uint32_t number = 0, most = 0;
	struct block_gate *g;

	barrier_operand(w, s, 0, lane, &number);
	barrier_operand(w, s, 1, lane, &most);
	if (number >= BARRIERS) {
		run_refuse(r, s, "%s", s->of->text);
		return;
	}
	g = &r->gates[number];
	/* A number of threads counts whole warps. */
	g->arrived += most && p->mask == w->live ? WARP_LANES :
		      (uint32_t)__builtin_popcount(p->mask);
	g->most = most;
	if (sass_has(s->of, "RED") && s->ins) {
		g->votes += (uint32_t)__builtin_popcount(
			get_predicate(w, s->in[0]) & p->mask);
		g->voters += (uint32_t)__builtin_popcount(p->mask);
	}
	w->phase++;
	if (!sass_has(s->of, "ARV")) {
		p->wait = WAIT_BLOCK;
		p->barrier = number;
	}
	open_gate(r, number);
}

/* ---- one instruction ---- */

/* Returns the number of BSSY's barrier, B0 to B15. */
static uint32_t converge_number(const struct step *s)
{
	for (uint32_t n = 0; n < s->of->operand_count; n++)
		if (s->of->operands[n].kind == SASS_OTHER &&
		    s->of->operands[n].word[0] == 'B')
			return (uint32_t)strtoul(s->of->operands[n].word + 1,
						 NULL, 10) % BARRIERS;
	return 0;
}

/* Finds the instruction at an address from the kernel's start. */
static bool find_address(const struct machine_run *r, uint32_t address, uint32_t *to)
{
	uint32_t low = 0, high = r->l.sass->count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (r->l.sass->code[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	*to = low;
	return low < r->l.sass->count &&
	       r->l.sass->code[low].address == address;
}

static void branch_lanes(struct machine_run *r, struct warp *w, const struct step *s,
		   uint32_t n, uint32_t mask)
{
	if (s->target < 0 || s->target >= r->l.sass->count) {
		run_refuse(r, s, "%s", s->of->text);
		return;
	}
	if (s->ins)
		mask &= get_predicate(w, s->in[0]);
	split_part(w, n, mask, (uint32_t)s->target);
}

/* Sends lanes back to where a register says; they may have come from several
 * places. */
static void go_back(struct machine_run *r, struct warp *w, const struct step *s,
		    uint32_t n, uint32_t mask)
{
	if (!s->sources)
		run_refuse(r, s, "%s", s->of->text);
	while (mask && !r->failed) {
		const uint32_t *to = w->r[s->source[0].row].v;
		uint32_t address = to[__builtin_ctz(mask)], same = 0, at;

		EACH_LANE(l)
			if (IS_IN(mask, l) && to[l] == address)
				same |= (uint32_t)1 << l;
		if (!find_address(r, address, &at)) {
			run_refuse(r, s, "%s", s->of->text);
			return;
		}
		mask &= ~same;
		split_part(w, n, same, at);
	}
}

static void wait_warp(struct warp *w, const struct step *s, uint32_t n)
{
	struct warp_part *p = &w->parts[n];
	uint32_t of = FULL;

	barrier_operand(w, s, 0, (uint32_t)__builtin_ctz(p->mask), &of);
	p->wait = WAIT_WARP;
	p->barrier = 0;
	p->of = of;
	if (sass_has(s->of, "ALL") || (of & w->live) == p->mask)
		p->of = w->live;
	release_parts(w, false);
}

/* Does what changes where lanes go on. */
static void flow_step(struct machine_run *r, struct warp *w, const struct step *s,
		      uint32_t n, uint32_t mask)
{
	struct warp_part *p = &w->parts[n];

	/* Of those that wait only the lanes of the mask do. */
	if (mask != p->mask && (s->flow == FLOW_BARRIER ||
				s->flow == FLOW_BSYNC ||
				s->flow == FLOW_WARPSYNC)) {
		w->parts[w->part_count++] = (struct warp_part){
			.pc = p->pc, .mask = p->mask & ~mask,
		};
		p->mask = mask;
	}
	switch (s->flow) {
	case FLOW_EXIT:
		end_lanes(w, n, mask);
		for (uint32_t b = 0; b < BARRIERS; b++)
			open_gate(r, b);
		release_parts(w, false);
		break;
	case FLOW_BRANCH:
		branch_lanes(r, w, s, n, mask);
		break;
	case FLOW_RETURN:
		go_back(r, w, s, n, mask);
		break;
	case FLOW_BARRIER:
		arrive_lanes(r, w, s, n);
		break;
	case FLOW_BSSY:
		w->converge[converge_number(s)] = mask;
		break;
	case FLOW_BREAK:
		w->converge[converge_number(s)] &= ~mask;
		break;
	case FLOW_BSYNC:
		p->wait = WAIT_BSYNC;
		p->barrier = converge_number(s);
		p->of = w->converge[p->barrier];
		release_parts(w, false);
		break;
	case FLOW_WARPSYNC:
		wait_warp(w, s, n);
		break;
	case FLOW_TRAP:
		run_refuse(r, s, _("the code ends with a trap"));
		break;
	default:
		run_refuse(r, s, _("%s is not known here"), s->of->text);
	}
}

/* Runs part n up to the place of the next one, or until it has changed. Returns
 * the instructions that were issued. */
static uint32_t run_part(struct machine_run *r, struct warp *w, uint32_t n,
			 uint32_t next, uint32_t most)
{
	struct warp_part *p = &w->parts[n];
	uint32_t issued = 0;

	while (issued < most && p->pc < next && p->pc < r->l.sass->count) {
		const struct step *s = &r->steps[p->pc];
		uint32_t mask = p->mask & get_predicate(w, s->guard);

		issued++;
		p->pc++;
		if (mask) {
			r->executed[s->number]++;
			if (s->flow != FLOW_NONE) {
				flow_step(r, w, s, n, mask);
				break;
			}
			if (s->run)
				s->run(r, w, s, mask);
		}
		if (r->failed)
			break;
	}
	return issued;
}

/* Runs a warp until all of it waits for others, or for a turn. Returns the
 * instructions that were issued. */
static uint32_t run_one_warp(struct machine_run *r, struct warp *w)
{
	uint32_t issued = 0, n = 0, next;

	while (issued < TURN && w->part_count && !r->failed &&
	       !access_log_full(r)) {
		join_lanes(w);
		if (!choose_lowest(w, &n, &next)) {
			if (release_parts(w, false) ||
			    release_parts(w, true))
				continue;
			break;
		}
		if (w->parts[n].pc >= r->l.sass->count) {
			run_refuse(r, NULL, _("the code ends without EXIT"));
			break;
		}
		issued += run_part(r, w, n, next, TURN - issued);
	}
	return issued;
}

int warps_run(struct machine_run *r)
{
	bool moves = true;

	while (moves && !r->failed && !access_log_full(r)) {
		moves = false;
		for (uint32_t k = 0; k < r->warp_count && !r->failed; k++) {
			uint32_t issued = run_one_warp(r, &r->warps[k]);

			r->issued += issued;
			moves |= issued > 0;
			if (r->issued > r->l.steps_most)
				run_refuse(r, NULL, _("more than %llu warp "
						    "instructions"),
					 (unsigned long long)r->l.steps_most);
		}
	}
	return r->failed ? -1 : 0;
}
