/*
 * replay_races: finds accesses that are not ordered. See replay_parts.h.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/record/replay_parts.h"

/* Returns the index in r->began of the block in which the epoch was. */
static size_t epoch_began(const struct replay *r, uint32_t epoch)
{
	size_t i = r->began_count;

	while (i-- > 1)
		if (r->began_epoch[i] <= epoch)
			break;
	return i;
}

static uint32_t epoch_block(const struct replay *r, uint32_t epoch)
{
	return r->began[epoch_began(r, epoch)];
}

static uint32_t block_now(const struct replay *r)
{
	return r->began[r->began_count - 1];
}

static struct finding_access race_access(const struct replay *r, uint32_t id,
					 uint32_t block, uint32_t thread)
{
	const struct trace_site *s = &r->info.sites[r->points[id].site];

	return (struct finding_access) { block, thread, s->line, s->column,
					 s->op, s->bytes };
}

static bool is_expected(const struct replay *r, const struct suspect *s)
{
	return shadow_expected(&s->me, r->expects[shadow_access_access(&s->me)],
			       &s->with,
			       r->expects[shadow_access_access(&s->with)]);
}

static void report_suspect(struct replay *r, enum shadow_found found,
			   const struct suspect *s)
{
	const struct shadow_access *me = &s->me, *with = &s->with;
	struct trace_finding f = {
		.cause = CAUSE_UNWRITTEN,
		.offset = (int64_t)s->off,
		.access = race_access(r, shadow_access_access(me), block_now(r),
				      shadow_access_thread(me)),
	};

	if (found == SHADOW_UNWRITTEN ? r->tainted : is_expected(r, s))
		return;
	if (found != SHADOW_UNWRITTEN) {
		f.other = race_access(r, shadow_access_access(with),
				      epoch_block(r, with->epoch),
				      shadow_access_thread(with));
		f.cause = finding_race(&f.access, &f.other);
	}
	r->findings.interval = s->interval;
	finding_add(&r->findings, &f, &s->place->info);
}

/* A thread, while what its block touched is gone through. */
struct race_turn {
	enum { TURN_RUNS, TURN_MEETS, TURN_WAITS, TURN_ENDED } state;
	size_t event, sync;	/* the next ones */
	uint32_t epoch, lanes;	/* of its last __syncwarp(): see shadow_order */
	struct acquired acquired;	/* see record/gpu_scope_order.h */
};

/* Records a thread's fence, which shows all that came before to other
 * blocks. */
static void fence_check(struct replay *r, uint32_t thread,
			struct race_turn *turn)
{
	uint32_t threads = plan_threads(r->plan), clock[THREADS_MAX];
	uint32_t first = thread / WARP_LANES * WARP_LANES;

	for (uint32_t t = 0; t < threads; t++)
		clock[t] = t / WARP_LANES == thread / WARP_LANES &&
			   turn->lanes >> (t - first) & 1 ?
			   MAX(r->interval, turn->epoch) : r->interval;
	clock[thread] = ++r->epoch;
	scope_order_fence(&turn->acquired, &r->acquired, block_now(r), clock,
			  threads);
}

struct shadow_accessor {
	const struct replay *r;
	const struct race_turn *turn;
};

static bool happened_before(const void *accessor, const struct shadow_access *o)
{
	const struct shadow_accessor *t = accessor;

	if (!t->turn->acquired.known && !t->r->acquired.known)
		return false;
	return scope_order_happened_before(&t->turn->acquired, &t->r->acquired,
					   epoch_block(t->r, o->epoch),
					   shadow_access_agent(o), o->epoch);
}

static struct looks *looks_now(const struct replay *r)
{
	return &r->looks[r->began_count - 1];
}

static void look_add(struct looks *l, uint64_t address, uint32_t thread,
		     uint32_t epoch, bool used)
{
	if (l->count == LOOKS_MOST)
		return;
	grow(&l->list, &l->capacity, l->count + 1, sizeof(*l->list));
	l->list[l->count++] = (struct look) { address, thread, epoch, used };
}

static void look_take(struct replay *r, uint64_t address, uint32_t thread,
		      bool used)
{
	struct looks *l = looks_now(r);
	const struct look *last = l->count ? &l->list[l->count - 1] : NULL;

	/* Who waits looks often. */
	if (!last || last->address != address || last->thread != thread ||
	    last->used != used)
		look_add(l, address, thread, ++r->epoch, used);
}

/* Passes what the block's threads have looked at to all of them, at the block's
 * barrier. */
static void looks_pass(struct replay *r)
{
	struct looks *l = looks_now(r);

	for (size_t n = l->count; l->passed < n; l->passed++)
		look_add(l, l->list[l->passed].address, EVERYBODY,
			 r->epoch + 1, l->list[l->passed].used);
	l->passed = l->count;
}

/* Tests whether the other access of a suspect comes after the look. */
static bool look_precedes(const struct look *k, const struct suspect *s)
{
	return k->epoch <= s->with.epoch &&
	       (k->thread == EVERYBODY ||
		k->thread == shadow_access_thread(&s->with));
}

/* Tests whether the block with the later number has released to the other
 * one. */
static bool told_back(const struct replay *r, const struct suspect *s)
{
	const struct looks *l = &r->looks[epoch_began(r, s->with.epoch)];
	bool told = false;

	for (size_t i = 0; i < l->count && !told; i++) {
		const struct look *k = &l->list[i];
		struct acquired back = { 0 }, none = { 0 };

		if (!look_precedes(k, s))
			continue;
		scope_order_read(&r->own, k->address, &back);
		told = scope_order_happened_before(&back, &none, block_now(r),
						   shadow_access_agent(&s->me),
						   s->me.epoch);
		acquired_done(&back);
	}
	return told;
}

static void suspects_say(struct replay *r)
{
	for (size_t i = 0; i < r->suspect_count; i++) {
		const struct suspect *s = &r->suspects[i];

		if (!told_back(r, s))
			report_suspect(r, SHADOW_RACE, s);
	}
	r->suspect_count = 0;
}

/* Tests whether an atomic may have come before the access of the other block:
 * that access follows an atomic of its own block at the same address, whose
 * result told which others were before. */
static bool may_precede(const struct replay *r, const struct suspect *s)
{
	uint32_t id = shadow_access_access(&s->me);
	const struct ptx_site *mine = &r->ptx->sites[r->keys[id].site];
	const struct looks *l = &r->looks[epoch_began(r, s->with.epoch)];

	if (!(s->me.who & SHADOW_ATOMIC) || l == looks_now(r) ||
	    (mine->event == PTX_LOAD && !mine->atomic))
		return false;
	for (size_t i = 0; i < l->count; i++)
		if (l->list[i].used && l->list[i].address == s->address &&
		    look_precedes(&l->list[i], s))
			return true;
	return false;
}

static void found_take(struct replay *r, enum shadow_found found,
		       const struct suspect *s)
{
	if (found == SHADOW_FINE ||
	    (found == SHADOW_RACE && may_precede(r, s)))
		return;
	if (found != SHADOW_RACE || s->place->info.space != SPACE_GLOBAL ||
	    !r->looks[epoch_began(r, s->with.epoch)].count) {
		report_suspect(r, found, s);
		return;
	}
	grow(&r->suspects, &r->suspect_capacity, r->suspect_count + 1,
	     sizeof(*r->suspects));
	r->suspects[r->suspect_count++] = *s;
}

/* Marks the plain reads that this atomicCAS() compares with. */
static void expectations_note(struct replay *r, const struct shadow *c,
			      const struct shadow_access *me)
{
	uint32_t access[2];
	size_t n = shadow_expectations(c, me, r->block_epoch, access);

	for (size_t i = 0; i < n; i++)
		r->expects[access[i]] = true;
}

/* Records the thread's atomic, or otherwise ordered, access in global
 * memory. */
static void atomic_take(struct replay *r, uint32_t thread,
			struct race_turn *turn, uint32_t id, uint64_t address)
{
	const struct ptx_site *s = &r->ptx->sites[r->keys[id].site];

	if (s->event == PTX_LOAD) {
		scope_order_read(&r->variables, address, &turn->acquired);
		look_take(r, address, thread, r->result_used[id]);
		return;
	}
	scope_order_write(&r->variables, address, &turn->acquired, &r->acquired,
			  s->atomic);
	scope_order_write(&r->own, address, &turn->acquired, &r->acquired,
			  true);
}

static void shadow_check(struct replay *r, uint32_t thread,
			 struct race_turn *turn, uint32_t id, uint64_t off)
{
	const struct replay_place *p = &r->places[r->keys[id].place];
	const struct ptx_site *s = &r->ptx->sites[r->keys[id].site];
	bool global = p->info.space == SPACE_GLOBAL;
	bool atomic = s->atomic || (s->strong && global);
	struct suspect it = {
		.me = { r->epoch, shadow_access_who(thread, id) |
					  (atomic ? SHADOW_ATOMIC : 0) },
		.place = p,
		.address = p->info.base + off,
		.off = off,
		.interval = r->interval,
	};
	struct shadow_accessor accessor = { r, turn };
	struct shadow_order order = {
		.interval = r->interval, .block = r->block_epoch,
		.global = global, .warp = turn->epoch, .lanes = turn->lanes,
		.happened_before = happened_before, .accessor = &accessor,
		.exchange = s->atomic, .result_used = r->result_used[id],
		.results_used = r->result_used,
	};
	size_t count = shadow_count(p->bytes, p->shadow_shift);
	uint64_t end = off + r->keys[id].bytes;

	for (; p->shadow && it.off < end; it.off += 1u << p->shadow_shift) {
		size_t i = it.off >> p->shadow_shift;
		struct shadow *c = &p->shadow[i];
		struct shadow_history *h = shadow_history(p->shadow, count, i);
		enum shadow_found found;

		if (s->compares)
			expectations_note(r, c, &it.me);
		found = s->event == PTX_LOAD ?
				shadow_read(c, h, &it.me, &order, &it.with) :
				shadow_write(c, h, &it.me, &order, &it.with);
		found_take(r, found, &it);
	}
	if (atomic && global)
		atomic_take(r, thread, turn, id, it.address);
}

/* Returns the __syncwarp() at which the thread waits; NULL when it is at
 * none. */
static const struct sync *sync_at(const struct replay *r, uint32_t thread,
				  const struct race_turn *turn)
{
	const struct lane_events *l = &r->lanes[thread];
	return turn->sync < l->sync_count &&
	       l->syncs[turn->sync].before == turn->event ?
		       &l->syncs[turn->sync] : NULL;
}

/* Checks a thread's accesses up to the next barrier, of the block or of its
 * warp, or to its end. */
static void turn_take(struct replay *r, uint32_t thread, struct race_turn *turn)
{
	const struct lane_events *l = &r->lanes[thread];

	for (;;) {
		const struct sync *s = sync_at(r, thread, turn);
		uint32_t id;

		if (s && s->fence) {
			fence_check(r, thread, turn);
			turn->sync++;
			continue;
		}
		if (s) {
			turn->state = TURN_MEETS;
			return;
		}
		if (turn->event == l->count) {
			turn->state = TURN_ENDED;
			return;
		}
		id = l->id[turn->event++];
		if (r->points[id].kind != WARP_ACCESS)
			continue;
		if (r->keys[id].place == NOWHERE) {
			turn->state = TURN_WAITS;
			return;
		}
		shadow_check(r, thread, turn, id, l->offset[turn->event - 1]);
	}
}

/* Returns the lanes of a warp that wait at a __syncwarp() of this mask. */
static uint32_t lanes_at_sync(const struct replay *r, uint32_t first,
			      const struct race_turn *turns, uint32_t mask)
{
	uint32_t there = 0;

	for (uint32_t l = 0; l < WARP_LANES; l++)
		if (turns[l].state == TURN_MEETS &&
		    sync_at(r, first + l, &turns[l])->mask == mask)
			there |= 1u << l;
	return there;
}

static void pass_warp_sync(struct replay *r, struct race_turn *turns,
			   uint32_t there)
{
	r->epoch++;
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		if (!(there >> l & 1))
			continue;
		turns[l].state = TURN_RUNS;
		turns[l].sync++;
		turns[l].epoch = r->epoch;
		turns[l].lanes = there;
	}
}

/* Ends a warp's __syncwarp()s that all have come to who have not ended;
 * `anyway`: any one. */
static bool warp_meets(struct replay *r, uint32_t first,
		       struct race_turn *turns, bool anyway)
{
	uint32_t ended = 0;
	bool any = false;

	for (uint32_t l = 0; l < WARP_LANES; l++)
		ended |= (uint32_t)(turns[l].state == TURN_ENDED) << l;
	for (uint32_t l = 0; l < WARP_LANES && !(any && anyway); l++) {
		uint32_t mask, there;

		if (turns[l].state != TURN_MEETS)
			continue;
		mask = sync_at(r, first + l, &turns[l])->mask;
		there = lanes_at_sync(r, first, turns, mask);
		if (mask & ~there & ~ended && !anyway)
			continue;
		pass_warp_sync(r, turns, there);
		any = true;
	}
	return any;
}

static bool block_meets(struct replay *r, struct race_turn *turns, bool anyway)
{
	uint32_t threads = plan_threads(r->plan);
	bool any = false;

	for (uint32_t t = 0; t < threads; t += WARP_LANES)
		any |= warp_meets(r, t, &turns[t], anyway);
	return any;
}

/* Checks all threads up to the next barrier of the block; false when all have
 * ended. */
static bool interval_check(struct replay *r, struct race_turn *turns)
{
	uint32_t threads = plan_threads(r->plan);
	bool more = false;

	r->interval = ++r->epoch;
	do {
		for (uint32_t t = 0; t < threads; t++)
			if (turns[t].state == TURN_RUNS)
				turn_take(r, t, &turns[t]);
	} while (block_meets(r, turns, false) || block_meets(r, turns, true));
	for (uint32_t t = 0; t < threads; t++) {
		if (turns[t].state != TURN_WAITS)
			continue;
		turns[t].state = TURN_RUNS;
		scope_order_barrier(&r->acquired, &turns[t].acquired);
		more = true;
	}
	looks_pass(r);
	return more;
}

void replay_races(struct replay *r, uint32_t block)
{
	uint32_t threads = plan_threads(r->plan);
	struct race_turn turns[THREADS_MAX] = { 0 };

	for (uint32_t t = threads; t % WARP_LANES; t++)
		turns[t].state = TURN_ENDED;
	grow(&r->began, &r->began_capacity, r->began_count + 1,
	     sizeof(*r->began));
	grow(&r->began_epoch, &r->began_epoch_capacity, r->began_count + 1,
	     sizeof(*r->began_epoch));
	grow(&r->looks, &r->looks_capacity, r->began_count + 1,
	     sizeof(*r->looks));
	r->looks[r->began_count] = (struct looks) { 0 };
	r->began[r->began_count] = block;
	r->began_epoch[r->began_count++] = r->block_epoch = r->epoch + 1;
	while (interval_check(r, turns))
		;
	suspects_say(r);
	sync_variables_done(&r->own);
	for (uint32_t t = 0; t < threads; t++)
		acquired_done(&turns[t].acquired);
	acquired_done(&r->acquired);
}
