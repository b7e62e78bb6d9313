/*
 * memory: slots and arrays. See memory.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/resource.h"
#include "protocol/job.h"
#include "trace/trace_format.h"
#include "emu/memory.h"

/* Bytes that are reserved for a slot, largest first; all of it but the array's
 * pages is inaccessible and costs nothing. */
static const uint64_t slot_sizes[] = { 16ull << 30, 1ull << 30, 64ull << 20 };

#define GLOBAL_ALIGN 256
#define GLOBAL_FIRST 0x1000000

static uint64_t align_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

static void *map_private(uint64_t bytes, int protection)
{
	void *p = mmap(NULL, bytes, protection,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static uint64_t system_page_bytes(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Reserves a slot and makes the array in its middle accessible. */
static int slot_make(struct array *a, struct error *e)
{
	uint64_t page = system_page_bytes();
	uint64_t pages = align_up(a->bytes, page);
	void *slot = NULL;

	for (size_t i = 0; i < LENGTH(slot_sizes) && !slot; i++) {
		a->slot_bytes = slot_sizes[i] + pages;
		slot = map_private(a->slot_bytes, PROT_NONE);
	}
	a->slot = (uintptr_t)slot;
	if (slot) {
		a->lo = align_up(a->slot + (a->slot_bytes - pages) / 2, page);
		if (mprotect((void *)a->lo, pages, PROT_READ | PROT_WRITE) ==
		    0)
			return 0;
		munmap(slot, a->slot_bytes);
	}
	return error_resource(e, ENOMEM, EXIT_BUG, "the array %s of %llu bytes",
			      a->info.name, (unsigned long long)a->bytes);
}

void *memory_fenced(uint64_t bytes)
{
	uint64_t page = system_page_bytes(), pages = align_up(bytes, page);
	char *p = map_private(pages + page, PROT_NONE);

	if (!p || mprotect(p, pages, PROT_READ | PROT_WRITE) < 0)
		return NULL;
	return p + pages - align_up(bytes, GLOBAL_ALIGN);
}

void memory_fenced_done(void *p, uint64_t bytes)
{
	uint64_t page = system_page_bytes(), pages = align_up(bytes, page);

	if (p)
		munmap((char *)p + align_up(bytes, GLOBAL_ALIGN) - pages,
		       pages + page);
}

uintptr_t memory_nobodys(void)
{
	static void *lo;

	if (!lo)
		lo = map_private(SHARED_MOST, PROT_NONE);
	return (uintptr_t)lo;
}

/* Makes the shadow that races are found with. -1 with e: out of memory. */
static int cells_make(struct array *a, struct error *e)
{
	uint32_t unit = MIN(a->info.elem_bytes, 4u);

	a->shadow_shift = unit >= 4 ? 2 : unit >= 2 ? 1 : 0;
	a->shadow_bytes =
		shadow_bytes(shadow_count(a->bytes, a->shadow_shift));
	a->shadow = map_private(a->shadow_bytes, PROT_READ | PROT_WRITE);
	return a->shadow ? 0 :
	       error_resource(e, ENOMEM, EXIT_BUG, "the accesses to the array "
			      "%s of %llu bytes", a->info.name,
			      (unsigned long long)a->bytes);
}

/*
 * The memory that blocks of a cluster share lies at several addresses, in pages
 * of one mapping that is made before a file is confined: whoever can make such
 * memory can have more of it than is counted.
 */
static struct { char *at; uint64_t used; bool reserved; } shared;

static void shared_map(int flags, int file, uint64_t from)
{
	void *p = mmap(NULL, MEMORY_SHARED, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_NORESERVE | flags, file, (off_t)from);

	shared.at = p == MAP_FAILED ? NULL : p;
	shared.reserved = true;
}

void memory_reserve(int file, uint64_t from)
{
	if (shared.reserved)
		return;
	shared.reserved = true;
	if (file >= 0)
		shared_map(0, file, from);
}

/* Reserves a copy of what is at `at` for each of `ranks` blocks, which take
 * turns there. -1: there is no room. */
static int copies_make(struct copies *c, void *at, uint64_t bytes,
		       uint32_t ranks)
{
	c->each = align_up(bytes, system_page_bytes());
	if (!shared.reserved)
		shared_map(MAP_ANONYMOUS, -1, 0);
	if (!at || !shared.at || c->each > (MEMORY_SHARED - shared.used) / ranks)
		return -1;
	c->all = shared.at + shared.used;
	shared.used += ranks * c->each;
	return 0;
}

static int cluster_make(struct array *a, uint32_t ranks, struct error *e)
{
	if (ranks < 2)
		return 0;
	if ((a->whole || copies_make(&a->data_copies, (void *)a->lo, a->bytes,
				     ranks) == 0) &&
	    (!a->shadow || copies_make(&a->shadow_copies, a->shadow,
				       a->shadow_bytes, ranks) == 0))
		return 0;
	return error_resource(e, ENOMEM, EXIT_BUG, "the array %s of %u blocks",
			      a->info.name, ranks);
}

static void copies_use(const struct copies *c, void *at, uint32_t rank)
{
	/* Of no bytes that lie there: they are to lie here as well. */
	if (mremap(c->all + rank * c->each, 0, c->each,
		   MREMAP_MAYMOVE | MREMAP_FIXED, at) == MAP_FAILED)
		fatal("no memory for a block's turn");
}

void memory_use(struct memory *m, uint32_t rank)
{
	for (size_t i = 0; m->ranks > 1 && i < m->count; i++) {
		struct array *a = m->arrays[i];

		if (a->data_copies.all)
			copies_use(&a->data_copies, (void *)a->lo, rank);
		if (a->shadow_copies.all)
			copies_use(&a->shadow_copies, a->shadow, rank);
	}
}

/* Returns where block `rank` has what the current block has at `at`. */
static char *copies_at(const struct copies *c, uint32_t rank, void *at)
{
	return c->all ? c->all + rank * c->each : at;
}

void *array_at(const struct array *a, uint32_t rank, uintptr_t address)
{
	a = a->whole ? a->whole : a;
	return copies_at(&a->data_copies, rank, (void *)a->lo) +
	       (address - a->lo);
}

struct shadow *array_shadow(const struct array *a, uint32_t rank, uint64_t off,
			    struct shadow_history **history)
{
	struct shadow *all =
		(void *)copies_at(&a->shadow_copies, rank, a->shadow);
	size_t i = off >> a->shadow_shift;

	*history = shadow_history(
		all, shadow_count(a->bytes, a->shadow_shift), i);
	return all + i;
}

static struct array *array_add(struct memory *m, const char *name,
			       enum space space, const struct debug_type *t)
{
	struct array *a = xcalloc(1, sizeof(*a));

	a->info.name = xstrdup(name);
	a->info.space = space;
	a->info.elem = t->elem;
	a->info.elem_bytes = MAX(t->elem_bytes, 1);
	a->info.rank = MAX(t->rank, 1);
	a->info.dims[0] = 1;
	for (uint32_t i = 0; i < t->rank; i++)
		a->info.dims[i] = MAX(t->dims[i], 1);
	a->bytes = trace_array_bytes(&a->info);
	a->number = TRACE_NO_ARRAY;
	a->parameter = NO_PARAMETER;
	grow(&m->arrays, &m->capacity, m->count + 1, sizeof(*m->arrays));
	m->arrays[m->count++] = a;
	return a;
}

struct array *memory_global(struct memory *m, const char *name,
			    const struct debug_type *t, struct error *e)
{
	struct array *a = array_add(m, name, SPACE_GLOBAL, t);

	if (slot_make(a, e) < 0)
		return NULL;
	/* What cannot be written has no races. */
	if (!t->to_const && cells_make(a, e) < 0)
		return NULL;
	if (m->next_base == 0)
		m->next_base = GLOBAL_FIRST;
	a->info.base = m->next_base;
	m->next_base = align_up(m->next_base + a->bytes, GLOBAL_ALIGN);
	return a;
}

struct array *memory_borrow(struct memory *m, const char *name,
			    const struct debug_type *t, uintptr_t lo,
			    uintptr_t slot, uint64_t slot_bytes, uint64_t base)
{
	struct array *a = array_add(m, name, SPACE_GLOBAL, t);

	a->borrowed = true;
	a->lo = lo;
	a->slot = slot;
	a->slot_bytes = slot_bytes;
	a->info.base = base;
	m->next_base =
		MAX(m->next_base, align_up(base + a->bytes, GLOBAL_ALIGN));
	return a;
}

void memory_shadow(struct array *a)
{
	struct error e;

	if (a->borrowed && !a->shadow && cells_make(a, &e) < 0)
		fatal("%s", e.text);
}

/* Adds a variable's array. The element of a pointer is the pointer itself,
 * though its type describes the elements that it points to. */
static struct array *add_variable_array(struct memory *m,
					const struct debug_var *v,
					enum space space)
{
	struct debug_type own = v->type;

	if (own.kind == DEBUG_POINTER) {
		own.elem = ELEM_RAW;
		own.elem_bytes = (uint32_t)own.bytes;
	}
	return array_add(m, v->name, space, &own);
}

struct array *memory_shared(struct memory *m, const struct debug_var *v,
			    uint64_t base, struct error *e)
{
	struct array *a = add_variable_array(m, v, SPACE_SHARED);

	a->var = v;
	a->info.base = base;
	if (slot_make(a, e) < 0)
		return NULL;
	if (!v->member_count && cells_make(a, e) < 0)
		return NULL;
	return cluster_make(a, m->ranks, e) < 0 ? NULL : a;
}

int memory_parts(struct memory *m, struct array *whole, struct error *e)
{
	for (size_t i = 0; i < whole->var->member_count; i++) {
		const struct debug_var *v = &whole->var->members[i];
		struct array *a;

		if (!debug_fits(v, whole->bytes))
			continue;
		a = add_variable_array(m, v, SPACE_SHARED);
		a->info.base = whole->info.base + (uint64_t)v->at;
		a->whole = whole;
		a->lo = whole->lo + (uintptr_t)v->at;
		if (cells_make(a, e) < 0 || cluster_make(a, m->ranks, e) < 0)
			return -1;
	}
	return 0;
}

struct array *memory_variable(struct memory *m, const struct debug_var *v,
			      uintptr_t lo)
{
	enum space space = v->home == DEBUG_DATA ? SPACE_GLOBAL :
						   SPACE_REGISTER;
	struct array *a;
	struct error e;

	for (size_t i = 0; i < m->count; i++)
		if (m->arrays[i]->var == v)
			return m->arrays[i];
	a = add_variable_array(m, v, space);
	a->var = v;
	a->lo = lo;
	if (space == SPACE_GLOBAL) {
		if (m->next_base == 0)
			m->next_base = GLOBAL_FIRST;
		a->info.base = m->next_base;
		m->next_base = align_up(m->next_base + a->bytes, GLOBAL_ALIGN);
		if (cells_make(a, &e) < 0)
			fatal("%s", e.text);
	}
	return a;
}

struct array *memory_at(const struct memory *m, uintptr_t address,
			uint64_t bytes)
{
	struct array *found = NULL;

	for (size_t i = 0; i < m->count; i++) {
		struct array *a = m->arrays[i];

		if (a->whole && address >= a->lo &&
		    address - a->lo + bytes <= a->bytes)
			return a;
		if (a->slot && address - a->slot < a->slot_bytes)
			found = a;
	}
	return found;
}

struct array *memory_of_rank(const struct memory *m, uintptr_t address,
			     uint64_t bytes, uint32_t *rank, uintptr_t *own)
{
	for (size_t i = 0; i < m->count; i++) {
		struct array *a = m->arrays[i], *part;
		const struct copies *c = &a->data_copies;
		uint64_t off = address - (uintptr_t)c->all;

		if (!c->all || off >= m->ranks * c->each)
			continue;
		*rank = (uint32_t)(off / c->each);
		*own = a->lo + off % c->each;
		part = memory_at(m, *own, bytes);
		return part && part->whole == a ? part : a;
	}
	return NULL;
}

void memory_done(struct memory *m)
{
	for (size_t i = 0; i < m->count; i++) {
		struct array *a = m->arrays[i];

		if (a->slot && !a->borrowed)
			munmap((void *)a->slot, a->slot_bytes);
		if (a->shadow)
			munmap(a->shadow, a->shadow_bytes);
		free(a->info.name);
		free(a);
	}
	free(m->arrays);
	memset(m, 0, sizeof(*m));
	/* The next ones are zeroed. */
	if (shared.used)
		madvise(shared.at, shared.used, MADV_REMOVE);
	shared.used = 0;
}
