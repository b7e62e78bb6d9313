/*
 * replay_places: the arrays, and the one that an address is in. See
 * replay_parts.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gpu/record/replay_parts.h"
#include "trace/trace_format.h"

#define GLOBAL_ALIGN 256
/* An address so far from an array is not meant for it. */
#define NEAR (1ull << 34)

/* Makes an array's shadow. Parts that are never accessed take no memory;
 * without a shadow no races are found. */
static void shadow_make(struct replay_place *p)
{
	void *shadow;

	p->shadow_shift = p->info.elem_bytes >= 4 ? 2 :
			p->info.elem_bytes >= 2 ? 1 : 0;
	p->shadow_bytes =
		shadow_bytes(shadow_count(p->bytes, p->shadow_shift));
	shadow = mmap(NULL, p->shadow_bytes, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	p->shadow = shadow == MAP_FAILED ? NULL : shadow;
}

void replay_shadow_drop(struct replay_place *p)
{
	if (p->shadow)
		munmap(p->shadow, p->shadow_bytes);
	p->shadow = NULL;
}

static struct replay_place *place_add(struct replay *r, const char *name,
				      enum space space,
				      const struct debug_type *t)
{
	struct replay_place *p;

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
		shadow_make(p);
	return p;
}

/* Sets a global array's address on the GPU, and its base in the trace, which is
 * the same for the same launch. */
static void place_global(struct replay *r, struct replay_place *p, uint64_t lo)
{
	p->lo = lo;
	p->known = true;
	p->info.base = r->next_base;
	r->next_base = (r->next_base + p->bytes + GLOBAL_ALIGN - 1) /
		       GLOBAL_ALIGN * GLOBAL_ALIGN;
}

uint32_t replay_array_number(struct replay *r, struct replay_place *p)
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
	struct replay_place *p;

	memcpy(t.dims, a->dims, sizeof(t.dims));
	p = place_add(r, a->name, SPACE_GLOBAL, &t);
	p->parameter = parameter;
	place_global(r, p, lo);
	/* It is in the trace whether it is touched or not. */
	replay_array_number(r, p);
}

/* Returns the variable's name in a mangled symbol: the last name that stands
 * after its length, as in "_ZZ5tiledPKfS0_PfiiiE2As". */
static const char *symbol_variable(const char *symbol, char *to, size_t size)
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
		replay_shadow_drop(&r->places[whole]);
	for (size_t i = 0; i < v->member_count; i++) {
		const struct debug_var *m = &v->members[i];
		struct replay_place *p;

		if (!debug_fits(m, r->places[whole].bytes))
			continue;
		p = place_add(r, m->name, SPACE_SHARED, &m->type);
		p->symbol = r->places[whole].symbol;
		p->part = true;
		p->behind = (uint64_t)m->at;
	}
}

struct replay_place *replay_place_symbol(struct replay *r,
					 const struct ptx_symbol *s)
{
	enum space space = s->space == PTX_SHARED ? SPACE_SHARED :
						    SPACE_GLOBAL;
	const struct debug_var *v = symbol_var(r, s->name);
	struct debug_type raw = { .elem = ELEM_RAW, .elem_bytes = 1, .rank = 1,
				  .dims = { s->bytes } };
	struct debug_type sized;
	char buffer[256];
	const char *name = symbol_variable(s->name, buffer, sizeof(buffer));
	struct replay_place *p;

	if (!v)
		v = shared_var(r, name, s->bytes);
	sized = v ? v->type : raw;
	if (s->bytes == 0)
		sized = debug_sized(&sized, plan_shared(r->plan));
	p = place_add(r, name, space, &sized);
	p->symbol = s->name;
	if (s->bytes == 0 && !plan_shared(r->plan))
		p->bytes = 0;
	if (v && space == SPACE_SHARED) {
		size_t whole = (size_t)(p - r->places);

		place_parts(r, v, whole);
		p = &r->places[whole];
	}
	return p;
}

void replay_place_registers(struct replay *r)
{
	const struct debug *d = r->names->debug;

	/* Optimized code has other frames than those that are known. */
	for (size_t i = 0; d && r->ptx == r->of && i < d->var_count; i++) {
		const struct debug_var *v = &d->vars[i];
		uint64_t offset;
		const char *symbol = dwarf_symbol(r->names, v, &offset);
		struct replay_place *p;

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
			place_global(r, replay_place_symbol(
					     r, &r->ptx->symbols[i]), lo);
}

void replay_place_shared(struct replay *r, const char *symbol, uint64_t at)
{
	for (size_t i = 0; i < r->place_count; i++) {
		struct replay_place *p = &r->places[i];

		if (p->known || !p->symbol || strcmp(p->symbol, symbol) != 0)
			continue;
		p->lo = at + p->behind;
		p->known = true;
		p->info.base = p->lo - MIN(p->lo, r->reserved);
		if (!p->bytes)
			r->unsized = p->info.name;
	}
}

static bool place_holds(const struct replay_place *p, enum space space,
			uint64_t at)
{
	return p->known && p->info.space == space && at - p->lo < p->bytes;
}

struct replay_place *replay_place_at(struct replay *r, enum space space,
				     uint64_t at, uint64_t bytes)
{
	struct replay_place *found = NULL;

	for (size_t i = 0; i < r->place_count; i++) {
		struct replay_place *p = &r->places[i];

		if (!place_holds(p, space, at))
			continue;
		if (p->part && at - p->lo + bytes <= p->bytes)
			return p;
		if (!p->part && !found)
			found = p;
	}
	return found;
}

struct replay_place *replay_place_local(struct replay *r, uint64_t *at)
{
	for (size_t i = r->depth; i-- > 0;) {
		const struct replay_call *c = &r->calls[i];
		const struct ptx_function *f;
		uint64_t in = *at - c->depot;

		if (c->function == NOWHERE)
			continue;
		f = &r->ptx->functions[c->function];
		if (in >= f->depot_bytes)
			continue;
		for (size_t k = 0; k < r->place_count; k++) {
			struct replay_place *p = &r->places[k];

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

struct replay_place *replay_place_meant(struct replay *r,
					const struct ptx_site *s,
					enum space space, uint64_t at)
{
	struct replay_place *best = NULL;
	uint64_t distance = NEAR;

	for (size_t i = 0; i < r->place_count; i++) {
		struct replay_place *p = &r->places[i];
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
