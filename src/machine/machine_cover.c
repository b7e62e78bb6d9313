/*
 * machine_cover: which bytes the threads of a block access, as written and as
 * compiled, so that an access of the code gets the sites whose bytes it covers
 * in the same thread. Where rows of matrices are loaded for other lanes
 * (LDSM), threads of a block are not told apart. See machine_parts.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "machine/machine_parts.h"

#define WORD 4
#define ENTRIES_FIRST (1u << 16)
/* More words of a block than this are not told apart. */
#define ENTRIES_MOST (1u << 22)
/* Sites of a word, of loads and of stores. */
#define SITES 3
#define ALL_THREADS 0xfffu
#define SHARED_BIT (UINT64_C(1) << 50)

struct covered_word {
	uint64_t key;		/* 0: empty */
	uint8_t asked[2], done[2];	/* bytes, a bit each; loads, stores */
	uint16_t sites[2][SITES];	/* site + 1 */
};

/* How many words of an instruction's access are of a site. */
struct tally {
	uint32_t site;
	uint64_t words;
};

struct tallies {
	struct tally list[2 * MACHINE_SITES];
	uint32_t count;
	uint64_t unasked;
};

struct cover {
	const struct image *image;
	const struct machine_code *code;
	uint32_t shared_first;
	bool whole;		/* threads are not told apart */
	struct covered_word *entries;
	size_t capacity, count;
	struct tallies (*tallies)[2];	/* by instruction */
	uint64_t missed[2], added;	/* bytes: loads, stores; stores */
	bool full;
};

struct cover *cover_new(const struct image *m, const struct machine_code *c)
{
	struct cover *o = xcalloc(1, sizeof(*o));

	o->image = m;
	o->code = c;
	o->shared_first = c->arch >= 90 ? RUN_SHARED_90 : 0;
	for (uint32_t i = 0; i < c->sass->count; i++)
		o->whole |= !strcmp(c->sass->code[i].opcode, "LDSM") ||
			    !strcmp(c->sass->code[i].opcode, "STSM") ||
			    !strcmp(c->sass->code[i].opcode, "HMMA");
	o->capacity = ENTRIES_FIRST;
	o->entries = xcalloc(o->capacity, sizeof(*o->entries));
	o->tallies = xcalloc(c->sass->count, sizeof(*o->tallies));
	return o;
}

void cover_free(struct cover *c)
{
	if (!c)
		return;
	free(c->entries);
	free(c->tallies);
	free(c);
}

/* Finds the place of a key, empty or not. */
static struct covered_word *find_slot_of(struct covered_word *list, size_t capacity,
				uint64_t key)
{
	uint64_t h = key * 0x9e3779b97f4a7c15u;
	size_t at = (h ^ h >> 31) & (capacity - 1);

	while (list[at].key && list[at].key != key)
		at = (at + 1) & (capacity - 1);
	return &list[at];
}

static void enlarge_entries(struct cover *c)
{
	size_t capacity = c->capacity * 2;
	struct covered_word *list = xcalloc(capacity, sizeof(*list));

	for (size_t i = 0; i < c->capacity; i++)
		if (c->entries[i].key)
			*find_slot_of(list, capacity, c->entries[i].key) =
				c->entries[i];
	free(c->entries);
	c->entries = list;
	c->capacity = capacity;
}

/* Returns the entry of a word, which is made; NULL: there are too many. */
static struct covered_word *get_entry(struct cover *c, uint32_t thread,
			       uint64_t word)
{
	uint64_t key = word << 12 | (c->whole ? ALL_THREADS : thread);
	struct covered_word *e = find_slot_of(c->entries, c->capacity, key);

	if (e->key)
		return e;
	if (c->count >= ENTRIES_MOST) {
		c->full = true;
		return NULL;
	}
	if (c->count * 2 >= c->capacity) {
		enlarge_entries(c);
		e = find_slot_of(c->entries, c->capacity, key);
	}
	c->count++;
	e->key = key;
	return e;
}

/* Finds the bytes from `at` to `end` that are in the word, a bit each. */
static uint8_t bytes_in(uint64_t word, uint64_t at, uint64_t end)
{
	uint64_t first = word * WORD;
	uint8_t bits = 0;

	for (uint32_t b = 0; b < WORD; b++)
		if (first + b >= at && first + b < end)
			bits |= (uint8_t)(1 << b);
	return bits;
}

static void ask_bytes(struct cover *c, uint32_t thread, uint32_t site, bool is_store,
		uint64_t at, uint64_t bytes)
{
	for (uint64_t w = at / WORD; w * WORD < at + bytes; w++) {
		struct covered_word *e = get_entry(c, thread, w);

		if (!e)
			return;
		e->asked[is_store] |= bytes_in(w, at, at + bytes);
		for (int n = 0; n < SITES; n++) {
			uint16_t *s = &e->sites[is_store][n];

			if (*s == site + 1)
				break;
			if (!*s) {
				*s = (uint16_t)(site + 1);
				break;
			}
		}
	}
}

static void ask_request(struct cover *c, const struct trace_warp *w,
			const struct trace_request *r)
{
	const struct trace_info *info = c->image->info;
	const struct trace_site *s = &info->sites[r->site];
	const struct trace_array *a = &info->arrays[s->array];
	uint32_t bytes = s->matrix ? MATRIX_ROW_BYTES : s->bytes;
	uint64_t base = a->space == SPACE_SHARED ? SHARED_BIT +
			image_shared_base(c->image, c->code, s->array) :
						   c->image->base[s->array];

	if (a->space != SPACE_SHARED && a->space != SPACE_GLOBAL)
		return;
	for (uint32_t mask = r->mask; mask; mask &= mask - 1) {
		uint32_t l = (uint32_t)__builtin_ctz(mask);

		ask_bytes(c, w->warp * WARP_LANES + l, r->site, s->op == OP_ST,
		    base + r->offset[l], bytes);
	}
}

int cover_block(struct cover *c, struct trace *t, size_t warp, size_t warps,
		struct error *e)
{
	struct trace_request r;

	for (size_t w = warp; w < warp + warps; w++)
		for (uint32_t n = 0; n < trace_warp(t, w)->requests; n++) {
			if (trace_get_lanes(t, w, n, &r, e) < 0)
				return -1;
			if (op_is_access(c->image->info->sites[r.site].op))
				ask_request(c, trace_warp(t, w), &r);
		}
	return 0;
}

/* ---- as compiled ---- */

static void tally_site(struct tallies *t, uint32_t site)
{
	uint32_t n = 0;

	while (n < t->count && t->list[n].site != site)
		n++;
	if (n == LENGTH(t->list))
		return;
	if (n == t->count)
		t->list[t->count++] = (struct tally){ .site = site };
	t->list[n].words++;
}

static void do_word(struct cover *c, struct tallies *t, uint32_t thread,
		    uint64_t word, bool is_store, bool atomic, uint8_t bits)
{
	struct covered_word *e = get_entry(c, thread, word);

	if (!e)
		return;
	e->done[is_store] |= bits;
	if (atomic)
		e->done[0] |= bits;
	for (int n = 0; n < SITES && e->sites[is_store][n]; n++)
		tally_site(t, e->sites[is_store][n] - 1u);
	t->unasked += (uint32_t)__builtin_popcount(
		bits & (uint8_t)~e->asked[is_store]);
}

void cover_seen(void *ctx, const struct run_event *event)
{
	struct cover *c = ctx;
	bool is_store = event->op == OP_ST;
	bool second = is_store && event->space == RUN_SHARED &&
		      !strcmp(c->code->sass->code[event->instruction].opcode,
			      "LDGSTS");
	struct tallies *t = &c->tallies[event->instruction][second];
	uint64_t base = event->space == RUN_SHARED ?
			SHARED_BIT + event->base - c->shared_first :
			event->base;

	for (uint32_t mask = event->mask; mask; mask &= mask - 1) {
		uint32_t l = (uint32_t)__builtin_ctz(mask);
		uint64_t at = base + event->offset[l], end = at + event->bytes;

		for (uint64_t w = at / WORD; w * WORD < end; w++)
			do_word(c, t, event->warp * WARP_LANES + l, w,
				is_store, event->atomic, bytes_in(w, at, end));
	}
}

void cover_end(struct cover *c)
{
	for (size_t i = 0; i < c->capacity; i++) {
		struct covered_word *e = &c->entries[i];

		if (!e->key)
			continue;
		for (int n = 0; n < 2; n++)
			c->missed[n] += (uint32_t)__builtin_popcount(
				e->asked[n] & (uint8_t)~e->done[n]);
		c->added += (uint32_t)__builtin_popcount(
			e->done[1] & (uint8_t)~e->asked[1]);
	}
	memset(c->entries, 0, c->capacity * sizeof(*c->entries));
	c->count = 0;
}

char *cover_difference(const struct cover *c)
{
	if (c->full)
		return xstrdup(_("its blocks access too much to be compared"));
	if (c->missed[1] || c->added)
		return xasprintf(_("it stores other bytes than the recording "
				   "(%llu are missing, %llu are new)"),
				 (unsigned long long)c->missed[1],
				 (unsigned long long)c->added);
	if (c->missed[0])
		return xasprintf(_("it does not read %llu bytes that the "
				   "recording reads"),
				 (unsigned long long)c->missed[0]);
	return NULL;
}

static int words_order(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;

	if (x->words != y->words)
		return x->words > y->words ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

void cover_sites(const struct cover *c, struct machine_access *a)
{
	struct tallies *t = &c->tallies[a->instruction][a->async];

	qsort(t->list, t->count, sizeof(*t->list), words_order);
	a->unasked = t->unasked;
	for (uint32_t n = 0; n < t->count && n < MACHINE_SITES; n++)
		a->sites[a->site_count++] = t->list[n].site;
}
