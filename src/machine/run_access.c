/*
 * run_access: counts accesses by the model, and keeps each different one until
 * it is told. Accesses whose lanes' distances and alignment are equal have one
 * pattern, which is costed once. See run_parts.h.
 */
#include <stdlib.h>

#include "base/lang.h"
#include "machine/run_parts.h"

#define PATTERNS_MOST (1u << 17)
#define KEPT_MOST (1u << 18)
/* Addresses of a pattern are counted from a multiple of this. */
#define ALIGNED 128
/* Places in ALIGNED bytes of which an instruction's last pattern is kept. */
#define PLACES 8

struct access_pattern {
	uint32_t offset[WARP_LANES];	/* from base; 0 of other lanes */
	uint32_t mask;
	uint32_t kind;			/* space, op and bytes */
	uint32_t least, most;		/* of the offsets */
	struct access_cost cost;
	struct run_event event;		/* but where and by whom */
};

/* An access that was made: a pattern somewhere, by an instruction of a warp. */
struct kept {
	uint64_t base;
	uint32_t instruction, pattern;	/* pattern + 1; 0: empty */
	uint16_t warp;
	bool second;
};

struct access_log {
	struct access_pattern *patterns;
	size_t count, capacity;
	uint32_t *found;		/* by hash: pattern + 1 */
	struct kept *kept;		/* by hash */
	uint32_t *kept_at;		/* which of these are used, in order */
	uint32_t kept_count;
	/* By instruction, whether it is the second, and place: pattern + 1. */
	uint32_t (*recent)[2][PLACES];
};

#define FOUND (2 * PATTERNS_MOST)

struct access_log *access_log_new(void)
{
	struct access_log *l = xcalloc(1, sizeof(*l));

	l->found = xcalloc(FOUND, sizeof(*l->found));
	l->kept = xcalloc(KEPT_MOST, sizeof(*l->kept));
	l->kept_at = xcalloc(KEPT_MOST, sizeof(*l->kept_at));
	return l;
}

void access_log_free(struct access_log *l)
{
	if (!l)
		return;
	free(l->patterns);
	free(l->found);
	free(l->kept);
	free(l->kept_at);
	free(l->recent);
	free(l);
}

static uint64_t mix_hash(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

static uint64_t hash_pattern(const struct access_pattern *p)
{
	uint64_t h = mix_hash(p->mask, p->kind), v;

	for (size_t i = 0; i < sizeof(p->offset); i += sizeof(v)) {
		memcpy(&v, (const char *)p->offset + i, sizeof(v));
		h = mix_hash(h, v);
	}
	return h;
}

static bool is_same_pattern(const struct access_pattern *a, const struct access_pattern *b)
{
	return a->mask == b->mask && a->kind == b->kind &&
	       !memcmp(a->offset, b->offset, sizeof(a->offset));
}

/* Costs a pattern by the model; local memory is costed as global memory that
 * holds a word of each lane side by side, which is not done here. */
static int cost_pattern(struct access_pattern *p, const struct run_event *e,
			struct error *why)
{
	struct access a = {
		.space = e->matrix ? ACCESS_LDMATRIX :
			 e->space == RUN_SHARED ? ACCESS_SHARED :
						  ACCESS_GLOBAL,
		.op = e->op, .bytes = e->bytes, .mask = e->mask,
	};

	EACH_LANE(l)
		a.address[l] = p->offset[l];
	return access_cost(&a, &p->cost, why);
}

/* Finds the number of a pattern, or adds it; -1: it cannot be costed. */
static long intern_pattern(struct access_log *l, struct access_pattern *p,
			   const struct run_event *e, struct error *why)
{
	size_t at = hash_pattern(p) % FOUND;

	while (l->found[at]) {
		if (is_same_pattern(&l->patterns[l->found[at] - 1], p))
			return (long)l->found[at] - 1;
		at = (at + 1) % FOUND;
	}
	if (cost_pattern(p, e, why) < 0)
		return -1;
	grow(&l->patterns, &l->capacity, l->count + 1, sizeof(*l->patterns));
	p->event = *e;
	l->patterns[l->count++] = *p;
	l->found[at] = (uint32_t)l->count;
	return (long)l->count - 1;
}

/* Keeps an access, unless the same was made before. */
static void keep_access(struct access_log *l, uint32_t instruction,
			uint32_t pattern, const struct warp *w, uint64_t base,
			bool second)
{
	uint64_t h = mix_hash(mix_hash(mix_hash(instruction, pattern), w->number), base);
	size_t at;

	for (at = h % KEPT_MOST; l->kept[at].pattern;
	     at = (at + 1) % KEPT_MOST) {
		const struct kept *k = &l->kept[at];

		if (k->base == base && k->instruction == instruction &&
		    k->pattern == pattern + 1 && k->warp == w->number &&
		    k->second == second)
			return;
	}
	l->kept[at] = (struct kept){
		.base = base, .instruction = instruction,
		.pattern = pattern + 1, .warp = (uint16_t)w->number,
		.second = second,
	};
	l->kept_at[l->kept_count++] = (uint32_t)at;
}

static void add_access_cost(struct run_count *c, const struct access_cost *cost,
		     uint32_t mask)
{
	c->requests++;
	c->lanes += mask == FULL ? WARP_LANES :
				   (uint32_t)__builtin_popcount(mask);
	if (cost->sectors > 0) {
		c->sectors += (uint32_t)cost->sectors;
		c->ideal_sectors += (uint32_t)cost->ideal_sectors;
	}
	if (cost->wavefronts > 0) {
		c->wavefronts += (uint32_t)cost->wavefronts;
		c->ideal_wavefronts += (uint32_t)cost->ideal_wavefronts;
	}
	if (cost->max_way > 0)
		c->max_way = MAX(c->max_way, (uint32_t)cost->max_way);
}

static uint32_t kind_of_event(const struct run_event *e)
{
	return (uint32_t)e->space | (uint32_t)e->op << 4 |
	       (uint32_t)e->matrix << 8 | (uint32_t)e->atomic << 9 |
	       e->bytes << 16;
}

/* Makes the pattern of an access; false: its lanes are too far apart. */
static bool make_pattern(struct access_pattern *p, const struct run_event *e,
			 const uint64_t *address, uint64_t *base)
{
	uint64_t least = UINT64_MAX, most = 0;

	EACH_LANE(l)
		if (IS_IN(e->mask, l)) {
			least = MIN(least, address[l]);
			most = MAX(most, address[l]);
		}
	*base = least & ~(uint64_t)(ALIGNED - 1);
	if (most - *base > UINT32_MAX)
		return false;
	EACH_LANE(l)
		p->offset[l] = IS_IN(e->mask, l) ?
			       (uint32_t)(address[l] - *base) : 0;
	p->mask = e->mask;
	p->kind = kind_of_event(e);
	p->least = (uint32_t)(least - *base);
	p->most = (uint32_t)(most - *base);
	return true;
}

/* Tests whether an access has a pattern, and finds from which base on. */
static bool has_pattern(const struct access_pattern *p, const struct run_event *e,
			const uint64_t *address, uint64_t *base)
{
	int first = __builtin_ctz(e->mask);
	uint64_t from = address[first] - p->offset[first], differ = 0;

	if (p->mask != e->mask || p->kind != kind_of_event(e) ||
	    from % ALIGNED)
		return false;
	if (e->mask == FULL)
		EACH_LANE(l)
			differ |= (address[l] - from) ^ p->offset[l];
	else
		EACH_LANE(l)
			differ |= IS_IN(e->mask, l) ?
				  (address[l] - from) ^ p->offset[l] : 0;
	*base = from;
	return !differ;
}

/* Finds the number of an access's pattern, first where the instruction had its
 * last one; -1: the run stops. */
static long find_pattern(struct machine_run *r, const struct step *s,
			 const struct run_event *e, const uint64_t *address,
			 bool second, uint64_t *base)
{
	struct access_log *l = r->log;
	uint64_t first = address[__builtin_ctz(e->mask)];
	struct access_pattern p;
	struct error why;
	uint32_t *recent;
	long at;

	if (!l->recent)
		l->recent = xcalloc(r->l.sass->count, sizeof(*l->recent));
	recent = &l->recent[s->number][second]
			   [first * PLACES / ALIGNED % PLACES];
	if (*recent && has_pattern(&l->patterns[*recent - 1], e, address, base))
		return (long)*recent - 1;
	if (!make_pattern(&p, e, address, base)) {
		run_refuse(r, s, _("%s: its lanes are too far apart"),
			   s->of->text);
		return -1;
	}
	at = intern_pattern(l, &p, e, &why);
	if (at < 0)
		run_refuse(r, s, _("%s accesses a misaligned address"),
			   s->of->text);
	*recent = (uint32_t)(at + 1);
	return at;
}

struct access_span access_count(struct machine_run *r, struct warp *w,
				const struct step *s, const struct run_event *e,
				const uint64_t *address, bool second)
{
	struct run_count *c = &r->counts[s->number][second];
	struct access_span span = { 0 };
	const struct access_pattern *p;
	uint64_t base;
	long at = find_pattern(r, s, e, address, second, &base);

	if (at < 0)
		return span;
	if (c->requests && c->space != e->space)
		run_refuse(r, s, _("%s accesses memory of two kinds"),
			   s->of->text);
	c->space = e->space;
	p = &r->log->patterns[at];
	span.least = base + p->least;
	span.extent = p->most - p->least;
	if (e->space == RUN_LOCAL) {
		c->requests++;
		c->lanes += (uint32_t)__builtin_popcount(e->mask);
		return span;
	}
	add_access_cost(c, &p->cost, e->mask);
	keep_access(r->log, s->number, (uint32_t)at, w, base, second);
	if (r->watch.seen && r->watch.warp == w->number) {
		struct run_event now = *e;

		now.instruction = s->number;
		now.warp = w->number;
		now.phase = w->phase;
		now.base = base;
		now.offset = p->offset;
		r->watch.seen(r->watch.ctx, &now);
	}
	return span;
}

bool access_log_full(const struct machine_run *r)
{
	return r->log->count > PATTERNS_MOST - 4096 ||
	       r->log->kept_count > KEPT_MOST / 2;
}

void access_log_tell(struct machine_run *r, run_seen *seen, void *ctx)
{
	struct access_log *l = r->log;

	for (uint32_t i = 0; i < l->kept_count; i++) {
		struct kept *k = &l->kept[l->kept_at[i]];
		const struct access_pattern *p = &l->patterns[k->pattern - 1];
		struct run_event e = p->event;

		e.instruction = k->instruction;
		e.warp = k->warp;
		e.base = k->base;
		e.offset = p->offset;
		if (seen)
			seen(ctx, &e);
		*k = (struct kept){ 0 };
	}
	l->kept_count = 0;
	if (l->count < PATTERNS_MOST / 2)
		return;
	memset(l->found, 0, FOUND * sizeof(*l->found));
	if (l->recent)
		memset(l->recent, 0, r->l.sass->count * sizeof(*l->recent));
	l->count = 0;
}
