/* tiles_carry: see tiles_carry.h. */
#include "viz/pictures/tiles/tiles_carry.h"

#include <stdlib.h>
#include <string.h>

#define HELD 8			/* elements of one load: 16 bytes of halves */
#define ARRAY_MOST 512		/* bytes of a register array that is followed */
#define ARRAYS 64

/* How much of what a site stores to shared memory has come by registers. */
struct fed { uint32_t all, known; uint64_t via; };

struct carry {
	uint32_t unit, sites;		/* unit: bytes of an element */
	uint64_t arrays;		/* followed: a bit each */
	bool learning;
	struct fed *fed;		/* by site */
	struct carry_held *held;	/* by lane and nth */
	struct carry_held *in[ARRAYS];	/* by array: by element and lane */
};

static uint64_t bytes_of(const struct trace_array *a)
{
	uint64_t n = a->elem_bytes;

	for (uint32_t d = 0; d < a->rank; d++)
		n *= a->dims[d];
	return n;
}

static bool is_followed(const struct carry *c, uint32_t array)
{
	return array < ARRAYS && c->arrays >> array & 1;
}

/* Returns the bits of the nth element that a lane moves. */
static uint32_t get_element_bits(const struct carry *c,
				 const struct trace_request *r, uint32_t lane,
				 uint32_t nth)
{
	uint32_t bits = 0;

	memcpy(&bits, (const char *)&r->value[lane * 4] + nth * c->unit,
	       c->unit);
	return bits;
}

static struct carry_held *get_register_slot(const struct carry *c,
					    uint32_t array, uint64_t byte,
					    uint32_t lane)
{
	return &c->in[array][byte / c->unit * WARP_LANES + lane];
}

/* Finds the first held element of a lane with these bits, or NULL. */
static struct carry_held *find_held(const struct carry *c, uint32_t lane,
				    uint32_t bits)
{
	for (uint32_t i = 0; i < HELD; i++) {
		struct carry_held *h = &c->held[lane * HELD + i];

		if (h->known && h->bits == bits)
			return h;
	}
	return NULL;
}

/* ---- loads and stores ---- */

static struct carry_held get_loaded(const struct carry *c,
				    const struct stage *s, uint32_t request,
				    const struct trace_request *r,
				    uint32_t lane, uint32_t nth)
{
	const struct trace_site *site = stage_site(s, r->site);
	const struct trace_array *a = &s->info->arrays[site->array];
	uint64_t byte = r->offset[lane] + nth * c->unit;
	uint32_t bits = get_element_bits(c, r, lane, nth);
	struct carry_held h;

	if (a->space != SPACE_REGISTER)
		return (struct carry_held){ .known = true,
			.array = site->array, .request = request,
			.bits = bits, .element = byte / c->unit };
	h = *get_register_slot(c, site->array, byte, lane);
	h.known &= h.bits == bits;
	h.via |= 1ull << site->array;
	return h;
}

/* Takes what a lane loads. Loads of anything else, such as pointers, leave what
 * is held. */
static void hold_loaded(struct carry *c, const struct stage *s,
			uint32_t request, const struct trace_request *r,
			uint32_t lane, uint32_t n)
{
	struct carry_held now[HELD] = { { .known = false } };
	bool any = false;

	for (uint32_t i = 0; i < n; i++) {
		now[i] = get_loaded(c, s, request, r, lane, i);
		any |= now[i].known;
	}
	if (any)
		memcpy(&c->held[lane * HELD], now, sizeof(now));
}

static void store_held(struct carry *c, uint32_t array,
		       const struct trace_request *r, uint32_t lane,
		       uint32_t nth)
{
	uint64_t byte = r->offset[lane] + nth * c->unit;
	struct carry_held *h =
		find_held(c, lane, get_element_bits(c, r, lane, nth));
	struct carry_held *to = get_register_slot(c, array, byte, lane);

	*to = h ? *h : (struct carry_held){ 0 };
	if (h)
		h->known = false;
}

bool carry_follows(const struct carry *c, const struct trace_site *site)
{
	return op_is_access(site->op) && is_followed(c, site->array) &&
	       site->bytes % c->unit == 0;
}

void carry_note(struct carry *c, const struct stage *s, uint32_t request,
		const struct trace_request *r)
{
	const struct trace_site *site = stage_site(s, r->site);
	uint32_t n = MIN(site->bytes / c->unit, HELD);

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		if (!(r->mask >> lane & 1))
			continue;
		if (site->op == OP_LD)
			hold_loaded(c, s, request, r, lane, n);
		for (uint32_t i = 0; site->op == OP_ST && i < n; i++)
			store_held(c, site->array, r, lane, i);
	}
}

const struct carry_held *carry_take(struct carry *c, const struct stage *s,
				    const struct trace_request *r,
				    uint32_t lane, uint32_t nth)
{
	struct carry_held *h;

	if (!c->learning && !c->fed[r->site].via)
		return NULL;
	if ((nth + 1) * c->unit > stage_site(s, r->site)->bytes || nth >= HELD)
		return NULL;
	h = find_held(c, lane, get_element_bits(c, r, lane, nth));
	if (h)
		h->known = false;
	return h;
}

/* ---- learning ---- */

static void learn_store(struct carry *c, const struct stage *s,
			const struct trace_request *r)
{
	const struct trace_site *site = stage_site(s, r->site);
	struct fed *f = &c->fed[r->site];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		for (uint32_t i = 0; r->mask >> lane & 1 &&
		     i < site->bytes / c->unit; i++) {
			const struct carry_held *h = carry_take(c, s, r, lane,
								i);

			f->all++;
			f->known += h && h->via;
			f->via |= h ? h->via : 0;
		}
}

static void learn_from_warp(struct carry *c, struct stage *s, size_t warp,
			    uint32_t most)
{
	uint32_t n = MIN(trace_warp(s->trace, warp)->requests, most), site;
	struct trace_request r;

	for (uint32_t i = 0; i < n; i++) {
		const struct trace_site *ts;
		enum space space;

		if (trace_get_site(s->trace, warp, i, &site, NULL))
			return;
		ts = stage_site(s, site);
		if (!op_is_access(ts->op) || ts->bytes % c->unit)
			continue;
		space = s->info->arrays[ts->array].space;
		if (!(space == SPACE_GLOBAL && ts->op == OP_LD) &&
		    !(space == SPACE_SHARED && ts->op == OP_ST) &&
		    !is_followed(c, ts->array))
			continue;
		if (trace_get(s->trace, warp, i, &r, NULL))
			return;
		if (space == SPACE_SHARED)
			learn_store(c, s, &r);
		else
			carry_note(c, s, i, &r);
	}
}

static void add_arrays(struct carry *c, const struct stage *s)
{
	for (uint32_t i = 0; i < s->info->array_count && i < ARRAYS; i++) {
		const struct trace_array *a = &s->info->arrays[i];

		if (a->space != SPACE_REGISTER || bytes_of(a) > ARRAY_MOST)
			continue;
		c->arrays |= 1ull << i;
		c->in[i] = xcalloc((bytes_of(a) / c->unit + 1) * WARP_LANES,
				   sizeof(**c->in));
	}
}

struct carry *carry_learn(struct stage *s, size_t warp,
			  const struct trace_array *like, uint32_t most)
{
	struct carry *c;
	uint64_t arrays = 0;

	if (like->elem_bytes != 2 && like->elem_bytes != 4)
		return NULL;
	c = xcalloc(1, sizeof(*c));
	c->unit = like->elem_bytes;
	c->sites = (uint32_t)s->info->site_count;
	c->fed = xcalloc(c->sites + 1, sizeof(*c->fed));
	c->held = xcalloc(WARP_LANES * HELD, sizeof(*c->held));
	c->learning = true;
	add_arrays(c, s);
	learn_from_warp(c, s, warp, most);
	for (uint32_t i = 0; i < c->sites; i++) {
		struct fed *f = &c->fed[i];

		if (f->known * 4 < f->all * 3)
			f->via = 0;
		arrays |= f->via;
	}
	c->learning = false;
	c->arrays = arrays;
	if (arrays)
		return c;
	carry_free(c);
	return NULL;
}

void carry_clear(struct carry *c)
{
	for (uint32_t i = 0; i < WARP_LANES * HELD; i++)
		c->held[i].known = false;
}

void carry_free(struct carry *c)
{
	if (!c)
		return;
	for (uint32_t i = 0; i < ARRAYS; i++)
		free(c->in[i]);
	free(c->fed);
	free(c->held);
	free(c);
}
