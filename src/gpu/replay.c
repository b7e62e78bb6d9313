/*
 * replay: see replay.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/map.h"
#include "hardware/fragment.h"
#include "record/shadow.h"
#include "record/findings.h"
#include "record/gpu_scope_order.h"
#include "trace/trace_format.h"
#include "trace/warp.h"
#include "gpu/replay.h"

#define GLOBAL_ALIGN 256
#define GLOBAL_FIRST 0x1000000
/* An address so far from an array is not meant for it. */
#define NEAR (1ull << 34)
#define NOWHERE UINT32_MAX
#define THREADS_MAX 1024
#define CALLS_MAX 64

/* An array, and where it is; a register array's `lo` is in its function's
 * frame. */
struct place {
	struct trace_array info;
	uint64_t lo, bytes;
	bool known;		/* lo is */
	/* A part is a member of a structure, an array of its own, so far
	 * behind its first byte; the whole then has no cells. */
	bool part;
	uint64_t behind;
	uint32_t parameter;	/* of a matrix, else NOWHERE */
	const char *symbol;	/* in the PTX; of a matrix NULL */
	uint32_t number;	/* in the trace, or TRACE_NO_ARRAY */
	/* Of global arrays that may be written, and of shared ones. */
	struct shadow *cells;
	uint64_t cells_bytes;
	uint32_t cell_shift;	/* bytes of a cell, as a power of 2 */
};

/* What an event at a site is when it touches so many bytes of this place from
 * this line. */
struct point_key {
	uint32_t site, place, line, bytes;
};

/* A thread's events as warp.h wants them. */
struct lane_events {
	uint32_t *id, *offset, *value;
	size_t count, capacity, offset_capacity;
	size_t words, word_capacity;
	/* Its __syncwarp()s: of which lanes, and before which event; and
	 * its fences. */
	struct sync { size_t before; uint32_t mask; bool fence; } *syncs;
	size_t sync_count, sync_capacity;
	/* Its stmatrices: what it gave, and where among its values the row
	 * is that it named (NOWHERE: none). */
	struct rows {
		uint32_t given[4];
		bool transposed;
		size_t row;
	} *rows;
	size_t row_count, row_capacity;
	uint32_t barriers;
	bool stopped;
	struct finding_access last;	/* access or barrier */
};

/* A function that a thread is in. */
struct call {
	uint32_t line;		/* of the kernel's text, that called it */
	uint32_t function;	/* NOWHERE: not known (yet) */
	uint64_t depot;
};

/*
 * Blocks and threads are gone through by number, and a GPU runs them as it
 * likes: one may have heard from a later one. So it is kept where a block has
 * read with atomics, and from which epoch on who knows of it; what then seems
 * to be a race waits for the end of the later block, and for what that one
 * has told.
 */
#define LOOKS_MOST 4096
#define EVERYBODY UINT32_MAX
struct looks {
	struct look { uint64_t address; uint32_t thread, epoch; } *list;
	size_t count, capacity;
	size_t passed;		/* by a barrier: everybody knows of these */
};

struct suspect {
	struct shadow_access me, with;
	const struct place *place;
	uint64_t off;
};

struct replay {
	const struct plan *plan;
	const struct ptx *ptx, *of;
	const struct dwarf *names;
	const struct debug *shared;
	uint64_t reserved, next_base;
	struct trace_info info;
	size_t array_capacity, site_capacity;
	struct trace_writer *writer;
	struct findings findings;
	bool tainted;
	uint64_t events;
	struct place *places;
	size_t place_count, place_capacity;
	struct warp_point *points;
	size_t point_count, point_capacity;
	struct point_key *keys;		/* by point */
	size_t key_capacity;
	/* They count up at each barrier of the block or of a warp: now, the
	 * first since the last barrier of the block, and of this block. */
	uint32_t epoch, interval, block_epoch;
	struct acquired heard;		/* by the block; see record/order.h */
	struct sync_variables board;
	struct looks *looks;		/* by block that began */
	struct sync_variables told;		/* by this block alone */
	struct suspect *suspects;
	size_t looks_capacity, suspect_count, suspect_capacity;
	uint32_t *began;		/* blocks, by when they began */
	uint32_t *began_epoch;
	size_t began_count, began_capacity, began_epoch_capacity;
	struct map points_by_key;	/* numbers are those of points */
	struct lane_events lanes[THREADS_MAX];
	struct call calls[CALLS_MAX];
	size_t depth;
	bool *ours;			/* by number of the PTX's file */
	uint32_t file_limit;
};

/* ---- places ---- */

/* What is never touched costs nothing; without it no races are found. */
static void cells_make(struct place *p)
{
	void *cells;

	p->cell_shift = p->info.elem_bytes >= 4 ? 2 :
			p->info.elem_bytes >= 2 ? 1 : 0;
	p->cells_bytes =
		((p->bytes >> p->cell_shift) + 1) * sizeof(struct shadow);
	cells = mmap(NULL, p->cells_bytes, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	p->cells = cells == MAP_FAILED ? NULL : cells;
}

static void cells_drop(struct place *p)
{
	if (p->cells)
		munmap(p->cells, p->cells_bytes);
	p->cells = NULL;
}

static struct place *place_add(struct replay *r, const char *name,
			       enum space space, const struct debug_type *t)
{
	struct place *p;

	grow(&r->places, &r->place_capacity, r->place_count + 1,
	     sizeof(*r->places));
	p = &r->places[r->place_count++];
	memset(p, 0, sizeof(*p));
	p->info.name = xstrdup(name);
	p->info.space = space;
	p->info.elem = t->elem;
	p->info.elem_bytes = MAX(t->elem_bytes, 1);
	p->info.rank = MAX(t->rank, 1);
	p->info.dims[0] = 1;
	for (uint32_t i = 0; i < t->rank; i++)
		p->info.dims[i] = MAX(t->dims[i], 1);
	p->bytes = trace_array_bytes(&p->info);
	p->parameter = NOWHERE;
	p->number = TRACE_NO_ARRAY;
	if (space != SPACE_REGISTER && !t->to_const)
		cells_make(p);
	return p;
}

/* The same addresses for the same launch, whatever the GPU gave. */
static void place_global(struct replay *r, struct place *p, uint64_t lo)
{
	p->lo = lo;
	p->known = true;
	p->info.base = r->next_base;
	r->next_base = (r->next_base + p->bytes + GLOBAL_ALIGN - 1) /
		       GLOBAL_ALIGN * GLOBAL_ALIGN;
}

static uint32_t array_number(struct replay *r, struct place *p)
{
	struct trace_info *i = &r->info;

	if (p->number != TRACE_NO_ARRAY)
		return p->number;
	grow(&i->arrays, &r->array_capacity, i->array_count + 1,
	     sizeof(*i->arrays));
	i->arrays[i->array_count] = p->info;
	i->arrays[i->array_count].name = xstrdup(p->info.name);
	p->number = (uint32_t)i->array_count++;
	return p->number;
}

void replay_matrix(struct replay *r, const struct trace_array *a,
		   uint32_t parameter, bool is_const, uint64_t lo)
{
	struct debug_type t = { .elem = a->elem, .elem_bytes = a->elem_bytes,
				.rank = a->rank, .to_const = is_const };
	struct place *p;

	memcpy(t.dims, a->dims, sizeof(t.dims));
	p = place_add(r, a->name, SPACE_GLOBAL, &t);
	p->parameter = parameter;
	place_global(r, p, lo);
	/* It is in the trace whether it is touched or not. */
	array_number(r, p);
}

/* "_ZZ5tiledPKfS0_PfiiiE2As": the last name that stands behind its length. */
static const char *symbol_name(const char *symbol, char *to, size_t size)
{
	const char *found = NULL;
	size_t length = 0;

	for (const char *s = symbol; *s; s++) {
		char *end;
		unsigned long n;

		if (*s < '1' || *s > '9')
			continue;
		n = strtoul(s, &end, 10);
		if (n < size && strlen(end) >= n) {
			found = end;
			length = n;
			s = end + n - 1;
		} else {
			s = end - 1;
		}
	}
	if (strncmp(symbol, "_Z", 2) != 0 || !found)
		return symbol;
	memcpy(to, found, length);
	to[length] = '\0';
	return to;
}

static const struct debug_var *symbol_var(const struct replay *r,
					  const char *symbol)
{
	const struct debug *d = r->names->debug;

	for (size_t i = 0; d && i < d->var_count; i++) {
		uint64_t offset;
		const char *of = dwarf_symbol(r->names, &d->vars[i], &offset);

		if (of && offset == 0 && !strcmp(of, symbol))
			return &d->vars[i];
	}
	return NULL;
}

static const struct debug_var *shared_var(const struct replay *r,
					  const char *name, uint64_t bytes)
{
	for (size_t i = 0; r->shared && i < r->shared->var_count; i++) {
		const struct debug_var *v = &r->shared->vars[i];

		if (!strcmp(v->name, name) && v->type.bytes == bytes)
			return v;
	}
	return NULL;
}

static void place_parts(struct replay *r, const struct debug_var *v,
			size_t whole)
{
	if (v->member_count)
		cells_drop(&r->places[whole]);
	for (size_t i = 0; i < v->member_count; i++) {
		const struct debug_var *m = &v->members[i];
		struct place *p;

		if (!debug_fits(m, r->places[whole].bytes))
			continue;
		p = place_add(r, m->name, SPACE_SHARED, &m->type);
		p->symbol = r->places[whole].symbol;
		p->part = true;
		p->behind = (uint64_t)m->at;
	}
}

static struct place *place_symbol(struct replay *r, const struct ptx_symbol *s)
{
	enum space space = s->space == PTX_SHARED ? SPACE_SHARED :
						    SPACE_GLOBAL;
	const struct debug_var *v = symbol_var(r, s->name);
	struct debug_type raw = { .elem = ELEM_RAW, .elem_bytes = 1, .rank = 1,
				  .dims = { s->bytes } };
	struct debug_type sized;
	char buffer[256];
	const char *name = symbol_name(s->name, buffer, sizeof(buffer));
	struct place *p;

	if (!v)
		v = shared_var(r, name, s->bytes);
	sized = v ? v->type : raw;
	if (s->bytes == 0)
		sized = debug_sized(&sized, plan_shared(r->plan));
	p = place_add(r, name, space, &sized);
	p->symbol = s->name;
	if (v && space == SPACE_SHARED) {
		size_t whole = (size_t)(p - r->places);

		place_parts(r, v, whole);
		p = &r->places[whole];
	}
	return p;
}

static void places_registers(struct replay *r)
{
	const struct debug *d = r->names->debug;

	/* Optimized code has other frames than those that are known. */
	for (size_t i = 0; d && r->ptx == r->of && i < d->var_count; i++) {
		const struct debug_var *v = &d->vars[i];
		uint64_t offset;
		const char *symbol = dwarf_symbol(r->names, v, &offset);
		struct place *p;

		if (!symbol || strncmp(symbol, "__local_depot", 13) != 0 ||
		    v->type.kind != DEBUG_AGGREGATE)
			continue;
		p = place_add(r, v->name, SPACE_REGISTER, &v->type);
		p->symbol = symbol;
		p->lo = offset;
		p->known = true;
	}
}

void replay_global(struct replay *r, const char *symbol, uint64_t lo)
{
	for (size_t i = 0; i < r->ptx->symbol_count; i++)
		if (!strcmp(r->ptx->symbols[i].name, symbol) &&
		    r->ptx->symbols[i].space == PTX_GLOBAL)
			place_global(r, place_symbol(r, &r->ptx->symbols[i]),
				     lo);
}

/* Where a .shared variable begins, as a thread of the launch says. */
static void place_shared(struct replay *r, const char *symbol, uint64_t at)
{
	for (size_t i = 0; i < r->place_count; i++) {
		struct place *p = &r->places[i];

		if (p->known || !p->symbol || strcmp(p->symbol, symbol) != 0)
			continue;
		p->lo = at + p->behind;
		p->known = true;
		p->info.base = p->lo - MIN(p->lo, r->reserved);
	}
}

static bool place_holds(const struct place *p, enum space space, uint64_t at)
{
	return p->known && p->info.space == space && at - p->lo < p->bytes;
}

/* Of a structure the part that holds all `bytes` from there on. */
static struct place *place_at(struct replay *r, enum space space, uint64_t at,
			      uint64_t bytes)
{
	struct place *found = NULL;

	for (size_t i = 0; i < r->place_count; i++) {
		struct place *p = &r->places[i];

		if (!place_holds(p, space, at))
			continue;
		if (p->part && at - p->lo + bytes <= p->bytes)
			return p;
		if (!p->part && !found)
			found = p;
	}
	return found;
}

/* A place in the frame of one of the functions that the thread is in; at
 * becomes an offset in the frame. */
static struct place *place_local(struct replay *r, uint64_t *at)
{
	for (size_t i = r->depth; i-- > 0;) {
		const struct call *c = &r->calls[i];
		const struct ptx_function *f;
		uint64_t in = *at - c->depot;

		if (c->function == NOWHERE)
			continue;
		f = &r->ptx->functions[c->function];
		if (in >= f->depot_bytes)
			continue;
		for (size_t k = 0; k < r->place_count; k++) {
			struct place *p = &r->places[k];

			if (place_holds(p, SPACE_REGISTER, in) &&
			    !strcmp(p->symbol, f->depot)) {
				*at = in;
				return p;
			}
		}
		return NULL;
	}
	return NULL;
}

/* What an access outside all arrays was meant for: the array that its
 * address was made from, else the nearest. */
static struct place *place_meant(struct replay *r,
				 const struct ptx_site *s, enum space space,
				 uint64_t at)
{
	struct place *best = NULL;
	uint64_t distance = NEAR;

	for (size_t i = 0; i < r->place_count; i++) {
		struct place *p = &r->places[i];
		uint64_t d;

		if (p->info.space != space || !p->known)
			continue;
		if (s->param >= 0 && p->parameter == (uint32_t)s->param)
			return p;
		if (s->symbol && p->symbol && !strcmp(p->symbol, s->symbol))
			return p;
		d = at < p->lo ? p->lo - at : at - p->lo;
		if (d < distance) {
			distance = d;
			best = p;
		}
	}
	return best;
}

/* ---- points ---- */

/*
 * PTX knows a statement's column, not an array's: of the sites that touch
 * the array from one line, the first stands where its name does first.
 */
static uint32_t site_column(const struct replay *r, const struct ptx_site *s,
			    enum op op, const struct place *p, uint32_t line)
{
	uint32_t before = 0, column;

	for (size_t i = 0; p && i < r->point_count; i++) {
		const struct point_key *k = &r->keys[i];

		before += k->line == line &&
			  k->place == (uint32_t)(p - r->places) &&
			  r->ptx->sites[k->site].event == s->event &&
			  r->ptx->sites[k->site].order < s->order;
	}
	column = plan_column(r->plan, line, op == OP_BARRIER ?
			     "__syncthreads" : debug_word(p->info.name),
			     before);
	return column ? column : s->column;
}

static uint32_t site_number(struct replay *r, const struct ptx_site *s,
			    struct place *p, uint32_t line, uint32_t bytes)
{
	struct trace_info *i = &r->info;
	struct trace_site site = {
		.line = line,
		.op = s->event == PTX_LOAD ? OP_LD :
		      s->event == PTX_STORE ? OP_ST : OP_BARRIER,
		.array = p ? array_number(r, p) : TRACE_NO_ARRAY,
		.bytes = bytes, .matrix = s->matrix,
	};

	site.column = site_column(r, s, site.op, p, line);
	for (size_t n = 0; n < i->site_count; n++)
		if (trace_site_same(&i->sites[n], &site))
			return (uint32_t)n;
	grow(&i->sites, &r->site_capacity, i->site_count + 1,
	     sizeof(*i->sites));
	i->sites[i->site_count] = site;
	return (uint32_t)i->site_count++;
}

static uint32_t point_of(struct replay *r, uint32_t site, struct place *p,
			 uint32_t line, uint32_t bytes)
{
	struct point_key key = {
		site, p ? (uint32_t)(p - r->places) : NOWHERE, line, bytes,
	};
	const struct ptx_site *s = &r->ptx->sites[site];
	uint32_t id = map_find(&r->points_by_key, &key, sizeof(key));
	struct warp_point point = { .order = s->order, .site = NOWHERE };

	if (id != MAP_NONE)
		return id;
	switch (s->event) {
	case PTX_LABEL:
		point.kind = WARP_BLOCK;
		break;
	case PTX_CALL:
		point.kind = WARP_ENTER;
		break;
	case PTX_RETURN:
		point.kind = WARP_LEAVE;
		break;
	default:
		point.kind = WARP_ACCESS;
		point.site = site_number(r, s, p, line, bytes);
	}
	grow(&r->points, &r->point_capacity, r->point_count + 1,
	     sizeof(*r->points));
	grow(&r->keys, &r->key_capacity, r->point_count + 1,
	     sizeof(*r->keys));
	r->points[r->point_count] = point;
	r->keys[r->point_count] = key;
	r->point_count++;
	return map_add(&r->points_by_key, &key, sizeof(key));
}

/* ---- events ---- */

static bool in_kernels_text(const struct replay *r, const struct ptx_site *s)
{
	return s->file < r->file_limit && r->ours[s->file];
}

/* What a function of a header does belongs to the line that called it. */
static uint32_t line_of(const struct replay *r, const struct ptx_site *s)
{
	if (in_kernels_text(r, s))
		return s->line;
	return r->depth ? r->calls[r->depth - 1].line : 0;
}

static void push(struct replay *r, struct lane_events *l, uint32_t id,
		 uint32_t offset)
{
	grow(&l->id, &l->capacity, l->count + 1, sizeof(*l->id));
	grow(&l->offset, &l->offset_capacity, l->count + 1,
	     sizeof(*l->offset));
	r->events += r->points[id].kind == WARP_ACCESS;
	l->id[l->count] = id;
	l->offset[l->count++] = offset;
}

/* The bytes of the event's value from `at` on that are the site's. */
static void push_value(struct lane_events *l, const struct trace_site *site,
		       const struct record_event *e, uint32_t at)
{
	uint32_t words = trace_value_words(site);

	grow(&l->value, &l->word_capacity, l->words + words,
	     sizeof(*l->value));
	l->value[l->words + words - 1] = 0;
	memcpy(l->value + l->words, (const char *)e->value + at, site->bytes);
	l->words += words;
}

static void push_rows(struct lane_events *l, const struct ptx_site *s,
		      const struct record_event *e)
{
	struct rows *to;

	grow(&l->rows, &l->row_capacity, l->row_count + 1, sizeof(*l->rows));
	to = &l->rows[l->row_count++];
	*to = (struct rows) { .transposed = s->transposed, .row = NOWHERE };
	memcpy(to->given, e->value, sizeof(to->given));
}

static void push_sync(struct lane_events *l, uint32_t mask, bool fence)
{
	grow(&l->syncs, &l->sync_capacity, l->sync_count + 1,
	     sizeof(*l->syncs));
	l->syncs[l->sync_count++] = (struct sync) {
		l->count, mask, fence,
	};
}

/* In a place, or NULL. */
static void place_finding(struct replay *r, const struct finding_access *d,
			  enum finding_cause cause, const struct place *p,
			  uint64_t offset)
{
	const struct trace_finding f = {
		.cause = cause, .access = *d, .offset = (int64_t)offset,
	};

	finding_add(&r->findings, &f, p ? &p->info : NULL);
}

static void faulty(struct replay *r, struct lane_events *l,
		   const struct finding_access *d, const struct ptx_site *s,
		   enum space space, const struct record_event *e)
{
	struct place *p = place_at(r, space, e->address, 1);

	r->tainted = l->stopped = true;
	if (e->flags & RECORD_MISALIGNED && p) {
		place_finding(r, d, CAUSE_MISALIGNED, p, e->address - p->lo);
		return;
	}
	p = place_meant(r, s, space, e->address);
	if (p)
		place_finding(r, d, CAUSE_OUTSIDE_ARRAY, p,
			      e->address - p->lo);
	else
		place_finding(r, d, finding_wild(e->address), NULL, 0);
}

static void ended(struct replay *r, struct lane_events *l,
		  const struct finding_access *d)
{
	if (!r->tainted)
		place_finding(r, d, CAUSE_ENDLESS_THREAD, NULL, 0);
	r->tainted = l->stopped = true;
}

static void access_take(struct replay *r, struct lane_events *l,
			const struct record_event *e, uint32_t site)
{
	static const enum space spaces[] = {
		[RECORD_NOWHERE] = SPACE_COUNT,
		[RECORD_GLOBAL] = SPACE_GLOBAL,
		[RECORD_SHARED] = SPACE_SHARED,
		[RECORD_LOCAL] = SPACE_REGISTER,
	};
	const struct ptx_site *s = &r->ptx->sites[site];
	enum space space = spaces[e->site >> RECORD_SPACE_SHIFT];
	uint32_t bytes = MIN(e->flags >> RECORD_WIDTH_SHIFT, s->bytes);
	/* What no single load reads, several do. */
	uint32_t piece = bytes & -bytes, line = line_of(r, s), id;
	uint64_t at = e->address;
	size_t first = l->words;
	struct place *p;

	l->last.line = line;
	l->last.column = s->column;
	l->last.op = s->event == PTX_LOAD ? OP_LD : OP_ST;
	l->last.bytes = bytes;
	if (e->flags & (RECORD_OUTSIDE | RECORD_MISALIGNED)) {
		faulty(r, l, &l->last, s, space, e);
		return;
	}
	p = space == SPACE_REGISTER ? place_local(r, &at) :
				      place_at(r, space, at, bytes);
	/* Scalars in a frame, and what no debug information speaks of. */
	if (!p || !bytes || !(r->info.spaces >> p->info.space & 1))
		return;
	id = point_of(r, site, p, line, piece);
	for (uint32_t i = 0; i < bytes; i += piece) {
		push(r, l, id, (uint32_t)(at - p->lo) + i);
		if (r->info.values)
			push_value(l, &r->info.sites[r->points[id].site], e,
				   i);
	}
	if (r->info.values && s->matrix && s->event == PTX_STORE &&
	    l->row_count)
		l->rows[l->row_count - 1].row = first;
}

static void call_begin(struct replay *r, const struct ptx_site *s)
{
	struct call *c;
	uint32_t line = line_of(r, s);

	if (r->depth >= CALLS_MAX)
		return;
	c = &r->calls[r->depth++];
	c->line = line;
	c->function = NOWHERE;
}

static void event_take(struct replay *r, struct lane_events *l,
		       const struct record_event *e)
{
	uint32_t site = e->site & RECORD_SITE_MASK;
	const struct ptx_site *s;
	struct call *c;

	if (site >= r->ptx->site_count)
		return;
	s = &r->ptx->sites[site];
	switch (s->event) {
	case PTX_LOAD:
	case PTX_STORE:
		access_take(r, l, e, site);
		break;
	case PTX_BARRIER:
		l->last.line = line_of(r, s);
		push(r, l, point_of(r, site, NULL, l->last.line, 0), 0);
		l->barriers++;
		break;
	case PTX_SYNC:
		l->last.line = line_of(r, s);
		push_sync(l, (uint32_t)e->address, false);
		break;
	case PTX_FENCE:
		push_sync(l, 0, true);
		break;
	case PTX_CALL:
		push(r, l, point_of(r, site, NULL, 0, 0), 0);
		call_begin(r, s);
		break;
	case PTX_RETURN:
		if (r->depth > 1)
			r->depth--;
		push(r, l, point_of(r, site, NULL, 0, 0), 0);
		break;
	case PTX_LABEL:
		if (line_of(r, s))
			l->last.line = line_of(r, s);
		push(r, l, point_of(r, site, NULL, 0, 0), 0);
		break;
	case PTX_FRAME:
		c = &r->calls[r->depth - 1];
		c->function = s->function;
		c->depot = e->address;
		break;
	case PTX_PLACE:
		place_shared(r, s->symbol, e->address);
		break;
	case PTX_ROWS:
		push_rows(l, s, e);
		break;
	case PTX_RULE:
		l->last.line = line_of(r, s);
		l->last.column = s->column;
		place_finding(r, &l->last, e->flags & RECORD_PITCH ?
			      CAUSE_WMMA_PITCH : CAUSE_WMMA_ALIGN, NULL, 0);
		r->tainted = l->stopped = true;
		break;
	case PTX_UNSEEN:
		break;
	}
	if (e->flags & RECORD_ENDED)
		ended(r, l, &l->last);
}

static void thread_take(struct replay *r, uint32_t block, uint32_t thread,
			const struct record_event *events, uint32_t count)
{
	struct lane_events *l = &r->lanes[thread];

	l->count = l->words = l->sync_count = l->row_count = 0;
	l->barriers = 0;
	l->stopped = false;
	l->last = (struct finding_access) { .block = block, .thread = thread };
	r->depth = 1;
	r->calls[0] = (struct call) { .function = NOWHERE };
	for (uint32_t i = 0; i < count; i++)
		event_take(r, l, &events[i]);
}

/* ---- stmatrix ---- */

/* The row of a matrix that a lane has named, of what all lanes gave. */
static void row_make(const struct fragment *f, const struct rows *const *lanes,
		     int named, uint32_t *row)
{
	memset(row, 0, (size_t)(f->cols * f->bits / 8));
	for (int col = 0; col < f->cols; col++) {
		struct fragment_place p = { .matrix = named / f->rows,
					    .row = named % f->rows,
					    .col = col };

		fragment_holder(f, &p);
		row[col / 2] |= (lanes[p.lane]->given[p.element / 2] >>
				 p.element % 2 * 16 & 0xffff) << col % 2 * 16;
	}
}

/* The nth stmatrix of a warp, to which all its lanes come. */
static void rows_make(const struct fragment of[2], struct lane_events *lanes,
		      size_t n)
{
	const struct rows *given[WARP_LANES];

	for (int l = 0; l < WARP_LANES; l++) {
		if (n >= lanes[l].row_count)
			return;
		given[l] = &lanes[l].rows[n];
	}
	for (int l = 0; l < WARP_LANES; l++)
		if (given[l]->row != NOWHERE)
			row_make(&of[given[l]->transposed], given, l,
				 &lanes[l].value[given[l]->row]);
}

static void warp_rows(struct lane_events *lanes)
{
	struct fragment of[2];
	struct error e;

	if (!lanes->row_count)
		return;
	for (int t = 0; t < 2; t++) {
		struct fragment_wish w = { .name = t ? "stmatrix.x4.trans" :
						       "stmatrix.x4",
					   .operand = 'R' };

		if (fragment_find(&w, &of[t], &e) < 0)
			fatal("%s", e.text);
	}
	for (size_t n = 0; n < lanes->row_count; n++)
		rows_make(of, lanes, n);
}

/* ---- a block ---- */

static bool warp_recorded(const struct replay *r, uint32_t thread)
{
	return r->plan->request.warps >> (thread / WARP_LANES) & 1;
}

static bool all_recorded(const struct replay *r)
{
	uint32_t threads = plan_threads(r->plan);

	for (uint32_t t = 0; t < threads; t += WARP_LANES)
		if (!warp_recorded(r, t))
			return false;
	return true;
}

/* Line of a thread's nth barrier, from 0. */
static uint32_t barrier_line(const struct replay *r,
			     const struct lane_events *l, uint32_t n)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct point_key *k = &r->keys[l->id[i]];

		if (r->ptx->sites[k->site].event == PTX_BARRIER && n-- == 0)
			return k->line;
	}
	return 0;
}

/* Of two threads of a block, one passed more barriers before it ended. */
static void barriers_check(struct replay *r)
{
	uint32_t threads = plan_threads(r->plan), others = 0;
	const struct lane_events *most = NULL, *least = NULL;
	struct trace_finding f = { .cause = CAUSE_BARRIER_ENDED };

	for (uint32_t t = 0; t < threads; t++) {
		const struct lane_events *l = &r->lanes[t];

		if (!warp_recorded(r, t))
			continue;
		if (l->stopped)
			return;
		if (!most || l->barriers > most->barriers)
			most = l;
		if (!least || l->barriers < least->barriers)
			least = l;
	}
	if (!most || most->barriers == least->barriers)
		return;
	for (uint32_t t = 0; t < threads; t++)
		others += warp_recorded(r, t) &&
			  r->lanes[t].barriers < most->barriers;
	f.access = most->last;
	f.access.line = barrier_line(r, most, least->barriers);
	f.other = least->last;
	f.number[0] = threads - others;
	f.number[1] = threads;
	finding_add(&r->findings, &f, NULL);
	r->tainted = true;
}

/* ---- races, and reads of what was never written ---- */

/* The number in `began` of the block whose epoch it is. */
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

static struct finding_access access_of(const struct replay *r, uint32_t id,
				       uint32_t block, uint32_t thread)
{
	const struct trace_site *s = &r->info.sites[r->points[id].site];

	return (struct finding_access) { block, thread, s->line, s->column,
					 s->op, s->bytes };
}

static void cell_say(struct replay *r, enum shadow_found found,
		     const struct shadow_access *me,
		     const struct shadow_access *with, const struct place *p,
		     uint64_t off)
{
	struct trace_finding f = {
		.cause = CAUSE_UNWRITTEN, .offset = (int64_t)off,
		.access = access_of(r, shadow_access_access(me), block_now(r),
				    shadow_access_thread(me)),
	};

	if (found == SHADOW_UNWRITTEN && r->tainted)
		return;
	if (found != SHADOW_UNWRITTEN) {
		f.other = access_of(r, shadow_access_access(with),
				    epoch_block(r, with->epoch),
				    shadow_access_thread(with));
		f.cause = finding_race(&f.access, &f.other);
	}
	finding_add(&r->findings, &f, &p->info);
}

/* A thread, while what its block touched is gone through. */
struct turn {
	enum { TURN_RUNS, TURN_MEETS, TURN_WAITS, TURN_ENDED } state;
	size_t event, sync;	/* the next ones */
	uint32_t epoch, lanes;	/* of its last __syncwarp(): see shadow_order */
	struct acquired afar;	/* see record/order.h */
};

/* What its fence shows to other blocks is all that came before. */
static void fence_check(struct replay *r, uint32_t thread, struct turn *turn)
{
	uint32_t threads = plan_threads(r->plan), clock[THREADS_MAX];
	uint32_t first = thread / WARP_LANES * WARP_LANES;

	for (uint32_t t = 0; t < threads; t++)
		clock[t] = t / WARP_LANES == thread / WARP_LANES &&
			   turn->lanes >> (t - first) & 1 ?
			   MAX(r->interval, turn->epoch) : r->interval;
	clock[thread] = ++r->epoch;
	scope_order_fence(&turn->afar, &r->heard, block_now(r), clock, threads);
}

struct shadow_accessor {
	const struct replay *r;
	const struct turn *turn;
};

static bool knows(const void *toucher, const struct shadow_access *o)
{
	const struct shadow_accessor *t = toucher;

	if (!t->turn->afar.known && !t->r->heard.known)
		return false;
	return scope_order_happened_before(&t->turn->afar, &t->r->heard,
					   epoch_block(t->r, o->epoch),
					   shadow_access_agent(o), o->epoch);
}

static struct looks *looks_now(struct replay *r)
{
	return &r->looks[r->began_count - 1];
}

static void look_add(struct looks *l, uint64_t address, uint32_t thread,
		     uint32_t epoch)
{
	if (l->count == LOOKS_MOST)
		return;
	grow(&l->list, &l->capacity, l->count + 1, sizeof(*l->list));
	l->list[l->count++] = (struct look) { address, thread, epoch };
}

static void look_take(struct replay *r, uint64_t address, uint32_t thread)
{
	struct looks *l = looks_now(r);
	const struct look *last = l->count ? &l->list[l->count - 1] : NULL;

	/* Who waits looks often. */
	if (!last || last->address != address || last->thread != thread)
		look_add(l, address, thread, ++r->epoch);
}

/* At the block's barrier, all hear of it. */
static void looks_pass(struct replay *r)
{
	struct looks *l = looks_now(r);

	for (size_t n = l->count; l->passed < n; l->passed++)
		look_add(l, l->list[l->passed].address, EVERYBODY,
			 r->epoch + 1);
	l->passed = l->count;
}

/* Whether who comes later in number has told the other one. */
static bool told_back(const struct replay *r, const struct suspect *s)
{
	const struct looks *l = &r->looks[epoch_began(r, s->with.epoch)];
	bool told = false;

	for (size_t i = 0; i < l->count && !told; i++) {
		const struct look *k = &l->list[i];
		struct acquired back = { 0 }, none = { 0 };

		if (k->epoch > s->with.epoch ||
		    (k->thread != EVERYBODY &&
		     k->thread != shadow_access_thread(&s->with)))
			continue;
		scope_order_read(&r->told, k->address, &back);
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
			cell_say(r, SHADOW_RACE, &s->me, &s->with, s->place,
				 s->off);
	}
	r->suspect_count = 0;
}

static void found_take(struct replay *r, enum shadow_found found,
		       const struct suspect *s)
{
	if (found == SHADOW_FINE)
		return;
	if (found != SHADOW_RACE || s->place->info.space != SPACE_GLOBAL ||
	    !r->looks[epoch_began(r, s->with.epoch)].count) {
		cell_say(r, found, &s->me, &s->with, s->place, s->off);
		return;
	}
	grow(&r->suspects, &r->suspect_capacity, r->suspect_count + 1,
	     sizeof(*r->suspects));
	r->suspects[r->suspect_count++] = *s;
}

/* Its atomic, or else ordered, access in global memory. */
static void atomic_take(struct replay *r, uint32_t thread, struct turn *turn,
			const struct ptx_site *s, uint64_t address)
{
	if (s->event == PTX_LOAD) {
		scope_order_read(&r->board, address, &turn->afar);
		look_take(r, address, thread);
		return;
	}
	scope_order_write(&r->board, address, &turn->afar, &r->heard,
			  s->atomic);
	scope_order_write(&r->told, address, &turn->afar, &r->heard, true);
}

static void cells_check(struct replay *r, uint32_t thread,
			struct turn *turn, uint32_t id, uint64_t off)
{
	const struct place *p = &r->places[r->keys[id].place];
	const struct ptx_site *s = &r->ptx->sites[r->keys[id].site];
	bool global = p->info.space == SPACE_GLOBAL;
	bool atomic = s->atomic || (s->strong && global);
	struct suspect it = {
		.me = { r->epoch, shadow_access_who(thread, id) |
					  (atomic ? SHADOW_ATOMIC : 0) },
		.place = p,
		.off = off,
	};
	struct shadow_accessor toucher = { r, turn };
	struct shadow_order order = { r->interval, r->block_epoch, global,
				      turn->epoch, turn->lanes,	   NULL,
				      knows,	   &toucher };
	uint64_t end = off + r->keys[id].bytes;

	for (; p->cells && it.off < end; it.off += 1u << p->cell_shift) {
		struct shadow *c = &p->cells[it.off >> p->cell_shift];

		found_take(r,
			   s->event == PTX_LOAD ?
				   shadow_read(c, &it.me, &order, &it.with) :
				   shadow_write(c, &it.me, &order, &it.with),
			   &it);
	}
	if (atomic && global)
		atomic_take(r, thread, turn, s, p->info.base + off);
}

/* The thread is at a __syncwarp(), and has not met there yet. */
static const struct sync *sync_at(const struct replay *r, uint32_t thread,
				  const struct turn *turn)
{
	const struct lane_events *l = &r->lanes[thread];
	const struct sync *s = &l->syncs[turn->sync];

	return turn->sync < l->sync_count && s->before == turn->event ? s :
									NULL;
}

/* A thread's accesses up to the next barrier, of the block or of its warp, or
 * to its end. */
static void turn_take(struct replay *r, uint32_t thread, struct turn *turn)
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
		cells_check(r, thread, turn, id, l->offset[turn->event - 1]);
	}
}

/* The lanes of a warp that are at a __syncwarp() of this mask. */
static uint32_t gathered(const struct replay *r, uint32_t first,
			 const struct turn *turns, uint32_t mask)
{
	uint32_t there = 0;

	for (uint32_t l = 0; l < WARP_LANES; l++)
		if (turns[l].state == TURN_MEETS &&
		    sync_at(r, first + l, &turns[l])->mask == mask)
			there |= 1u << l;
	return there;
}

static void meet(struct replay *r, struct turn *turns, uint32_t there)
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
static bool warp_meets(struct replay *r, uint32_t first, struct turn *turns,
		       bool anyway)
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
		there = gathered(r, first, turns, mask);
		if (mask & ~there & ~ended && !anyway)
			continue;
		meet(r, turns, there);
		any = true;
	}
	return any;
}

static bool block_meets(struct replay *r, struct turn *turns, bool anyway)
{
	uint32_t threads = plan_threads(r->plan);
	bool any = false;

	for (uint32_t t = 0; t < threads; t += WARP_LANES)
		any |= warp_meets(r, t, &turns[t], anyway);
	return any;
}

/* All threads up to the next barrier of the block; false: all have ended. */
static bool interval_check(struct replay *r, struct turn *turns)
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
		scope_order_barrier(&r->heard, &turns[t].afar);
		more = true;
	}
	looks_pass(r);
	return more;
}

/* All threads are known, or what the others did is not known either. */
static void races_check(struct replay *r, uint32_t block)
{
	uint32_t threads = plan_threads(r->plan);
	struct turn turns[THREADS_MAX] = { 0 };

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
	sync_variables_done(&r->told);
	for (uint32_t t = 0; t < threads; t++)
		acquired_done(&turns[t].afar);
	acquired_done(&r->heard);
}

/* ---- requests ---- */

static int sink(void *ctx, const struct trace_request *q, struct error *e)
{
	struct replay *r = ctx;

	return trace_writer_add(r->writer, &r->info, q, e);
}

static int warp_write(struct replay *r, uint32_t block, uint32_t warp,
		      struct error *e)
{
	struct warp_lane lanes[WARP_LANES] = { { 0 } };
	uint32_t threads = plan_threads(r->plan);

	for (uint32_t l = 0; l < WARP_LANES; l++) {
		const struct lane_events *from = &r->lanes[warp * WARP_LANES +
							   l];

		if (warp * WARP_LANES + l >= threads)
			break;
		lanes[l].id = from->id;
		lanes[l].offset = from->offset;
		lanes[l].value = r->info.values ? from->value : NULL;
		lanes[l].count = from->count;
	}
	if (trace_writer_warp(r->writer, block, warp, e) < 0)
		return -1;
	warp_rows(&r->lanes[warp * WARP_LANES]);
	return warp_merge(lanes, r->points, &r->info, sink, r, e);
}

int replay_block(struct replay *r, uint32_t block,
		 const struct record_event *events, const uint64_t *first,
		 const uint32_t *count, struct error *e)
{
	uint32_t threads = plan_threads(r->plan);

	for (uint32_t t = 0; t < threads; t++)
		if (warp_recorded(r, t))
			thread_take(r, block, t, events + first[t], count[t]);
	barriers_check(r);
	if (all_recorded(r))
		races_check(r, block);
	for (uint32_t w = 0; w * WARP_LANES < threads; w++)
		if (warp_recorded(r, w * WARP_LANES) &&
		    warp_write(r, block, w, e) < 0)
			return -1;
	return 0;
}

/* ---- the whole ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void files_find(struct replay *r)
{
	const char *own = base_name(r->plan->request.file);

	for (size_t i = 0; i < r->ptx->file_count; i++)
		r->file_limit = MAX(r->file_limit,
				    r->ptx->files[i].index + 1);
	r->ours = xcalloc(r->file_limit + 1, sizeof(*r->ours));
	for (size_t i = 0; i < r->ptx->file_count; i++)
		r->ours[r->ptx->files[i].index] =
			!strcmp(base_name(r->ptx->files[i].path), own);
}

struct replay *replay_new(const struct plan *p, const struct ptx *ptx,
			  const struct dwarf *names,
			  const struct debug *shared, const struct ptx *of,
			  const char *device, const char *entry,
			  uint64_t reserved, int fd)
{
	struct replay *r = xcalloc(1, sizeof(*r));

	r->plan = p;
	r->ptx = ptx;
	r->of = of;
	r->names = names;
	r->shared = shared;
	r->reserved = reserved;
	r->next_base = GLOBAL_FIRST;
	plan_info(p, "gpu", device, entry, &r->info);
	r->writer = trace_writer_new(fd, p->request.values);
	files_find(r);
	for (size_t i = 0; i < ptx->site_count; i++)
		r->info.partial |= ptx->sites[i].event == PTX_UNSEEN;
	for (size_t i = 0; i < ptx->symbol_count; i++)
		if (ptx->symbols[i].space == PTX_SHARED)
			place_symbol(r, &ptx->symbols[i]);
	places_registers(r);
	return r;
}

uint64_t replay_events(const struct replay *r)
{
	return r->events;
}

struct findings *replay_findings(struct replay *r)
{
	return &r->findings;
}

bool replay_tainted(const struct replay *r)
{
	return r->tainted;
}

int replay_finish(struct replay *r, bool partial, struct error *e)
{
	int rc;

	r->info.partial = r->info.partial || partial || r->tainted;
	findings_take(&r->findings, &r->info);
	rc = trace_writer_finish(r->writer, &r->info, e);
	r->writer = NULL;
	return rc;
}

void replay_free(struct replay *r)
{
	if (!r)
		return;
	trace_writer_free(r->writer);
	trace_info_done(&r->info);
	findings_done(&r->findings);
	for (size_t i = 0; i < r->place_count; i++) {
		free(r->places[i].info.name);
		cells_drop(&r->places[i]);
	}
	free(r->places);
	free(r->points);
	free(r->keys);
	free(r->began);
	free(r->began_epoch);
	for (size_t i = 0; i < r->began_count; i++)
		free(r->looks[i].list);
	free(r->looks);
	free(r->suspects);
	sync_variables_done(&r->board);
	map_done(&r->points_by_key);
	for (size_t i = 0; i < THREADS_MAX; i++) {
		free(r->lanes[i].id);
		free(r->lanes[i].offset);
		free(r->lanes[i].value);
		free(r->lanes[i].syncs);
		free(r->lanes[i].rows);
	}
	free(r->ours);
	free(r);
}
