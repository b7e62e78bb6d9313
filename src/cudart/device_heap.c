/*
 * device_heap: allocates memory for kernels. See device_heap.h.
 */
#include "cudart/device_heap.h"

#include <string.h>

#include "cudart/device_uninit.h"
#include "cudart/devices.h"
#include "cudart/program.h"
#include "cudart/program_call.h"

#define LIMIT (8u << 20)	/* bytes, of all devices at first */
#define CHUNK_BYTES (64u << 10)
#define ALIGN 16
#define CLASSES 48

/* A piece of the heap. Its index is stored in the ALIGN bytes before it. */
struct piece {
	uintptr_t lo;
	size_t bytes;
	size_t asked;		/* bytes of it that the kernel asked for */
	bool live;
	uint64_t made;		/* in which line */
	/* When, by whom and in which line it was freed. */
	uint64_t launch, who, freed;
	size_t next;		/* free one of its class, plus 1; 0: none */
};

static struct piece *pieces;
static size_t piece_count, piece_capacity;
/* All pieces in the order of their addresses. */
static uint32_t *by_address;
static size_t by_address_capacity;

static struct heap {
	size_t limit, taken;	/* limit 0: LIMIT */
	struct allocation *chunk;	/* the last */
	size_t used;		/* of its bytes */
	size_t free[CLASSES];	/* the last that was freed, plus 1 */
} heaps[DEVICES_MOST];

/* Returns the current device's heap, emptied if the device was reset. */
static struct heap *current_heap(void)
{
	struct heap *h = &heaps[devices.current];

	if (h->chunk && !h->chunk->live)
		*h = (struct heap){ 0 };
	return h;
}

size_t device_heap_limit(void)
{
	size_t limit = current_heap()->limit;

	return limit ? limit : LIMIT;
}

bool device_heap_set_limit(size_t bytes)
{
	struct heap *h = current_heap();

	if (!h->chunk)
		h->limit = MAX(bytes, 1);
	return !h->chunk;
}

/* Returns the class of a size. The pieces of a class have less than twice the
 * bytes of its smallest. */
static size_t size_class(size_t bytes)
{
	return 63 - (size_t)__builtin_clzll(bytes);
}

/* Takes a freed piece that the thread `who` may reuse; NULL: there is none. */
static struct piece *reuse_piece(struct heap *h, size_t bytes, uint64_t who)
{
	size_t *first = &h->free[size_class(bytes)];
	struct piece *p = *first ? &pieces[*first - 1] : NULL;

	if (!p || p->bytes < bytes ||
	    (p->launch == program.number && p->who != who))
		return NULL;
	*first = p->next;
	return p;
}

/* Allocates a chunk of the heap. Without a program, it gets addresses after the
 * kernel's arrays. */
static struct allocation *chunk_new(size_t bytes, struct place at)
{
	struct device_memory *m = &device_memory;

	if (!program.host) {
		m->next_base = MAX(m->next_base, emu_next_base());
		m->open = true;
	}
	return device_allocate(ALLOCATION_DEVICE, bytes, at);
}

/* Counts the pieces, of the first `count` by address, that begin at or before an
 * address. */
static size_t count_pieces_until(uintptr_t address, size_t count)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t i = (low + high) / 2;

		if (pieces[by_address[i]].lo <= address)
			low = i + 1;
		else
			high = i;
	}
	return low;
}

/* Puts the last piece of the list in its place by address. */
static void order_piece(void)
{
	size_t n = count_pieces_until(pieces[piece_count - 1].lo,
				      piece_count - 1);

	grow(&by_address, &by_address_capacity, piece_count,
	     sizeof(*by_address));
	memmove(by_address + n + 1, by_address + n,
		(piece_count - 1 - n) * sizeof(*by_address));
	by_address[n] = (uint32_t)(piece_count - 1);
}

/* Allocates a new piece, and a chunk if needed; NULL: the heap's limit is
 * reached. */
static struct piece *piece_new(struct heap *h, size_t bytes, struct place at)
{
	size_t left = device_heap_limit() - h->taken, need = ALIGN + bytes;
	size_t chunk = MAX(MIN(CHUNK_BYTES, left), need);
	struct piece *p;

	if (!h->chunk || h->chunk->bytes - h->used < need) {
		if (chunk > left)
			return NULL;
		h->chunk = chunk_new(chunk, at);
		if (!h->chunk)
			return NULL;
		h->chunk->heap = true;
		h->taken += chunk;
		h->used = 0;
		program_array_make(h->chunk);
	}
	grow(&pieces, &piece_capacity, piece_count + 1, sizeof(*pieces));
	p = &pieces[piece_count];
	*p = (struct piece){ .lo = h->chunk->lo + h->used + ALIGN,
			     .bytes = bytes };
	*(size_t *)(p->lo - ALIGN) = piece_count++;
	order_piece();
	h->used += need;
	return p;
}

void *device_heap_take(size_t bytes, uint64_t who, void *here)
{
	struct heap *h = current_heap();
	size_t asked = bytes;
	struct piece *p;

	if (bytes > device_heap_limit())
		return NULL;
	bytes = (MAX(bytes, 1) + ALIGN - 1) / ALIGN * ALIGN;
	p = reuse_piece(h, bytes, who);
	if (!p)
		p = piece_new(h, bytes, program_line((uintptr_t)here));
	if (!p)
		return NULL;
	p->live = true;
	p->asked = asked;
	p->made = program_line((uintptr_t)here).line;
	return (void *)p->lo;
}

/* Returns the last piece that begins at or before an address; NULL: none
 * does. */
static const struct piece *piece_before(uintptr_t address)
{
	size_t n = count_pieces_until(address, piece_count);

	return n ? &pieces[by_address[n - 1]] : NULL;
}

bool device_heap_lines(uintptr_t address, uint64_t *made, uint64_t *freed)
{
	const struct piece *p = piece_before(address);

	if (!p || address - p->lo >= p->bytes)
		return false;
	*made = p->made;
	*freed = p->live ? 0 : p->freed;
	return true;
}

bool device_heap_overrun(uintptr_t address, uint64_t bytes, uint64_t *past,
			 uint64_t *room, uint64_t *made)
{
	const struct piece *p = piece_before(address);

	if (!p || !p->live || address + bytes <= p->lo + p->asked)
		return false;
	*past = address - p->lo;
	*room = p->asked;
	*made = p->made;
	return true;
}

/* Finds the piece that begins at the address; NULL: none does. */
static struct piece *piece_at(uintptr_t address)
{
	const struct allocation *a = device_at(address);
	size_t number;

	if (!a || !a->live || !a->heap || address % ALIGN ||
	    address - a->lo < ALIGN || address - a->lo >= a->bytes)
		return NULL;
	number = *(const size_t *)(address - ALIGN);
	return number < piece_count && pieces[number].lo == address ?
		       &pieces[number] : NULL;
}

enum emu_free device_heap_free(uintptr_t address, uint64_t who, void *here,
			       uint64_t *freed)
{
	struct piece *p = piece_at(address);
	size_t *first;

	if (!p)
		return EMU_FREE_OTHER;
	if (!p->live) {
		*freed = p->freed;
		return EMU_FREE_TWICE;
	}
	first = &current_heap()->free[size_class(p->bytes)];
	p->live = false;
	p->launch = program.number;
	p->who = who;
	p->freed = program_line((uintptr_t)here).line;
	device_uninit_again(p->lo, p->bytes);
	p->next = *first;
	*first = (size_t)(p - pieces) + 1;
	return EMU_FREE_DONE;
}

/* Frees what the last launch of a kernel without a program has left. */
void device_heap_launch_begin(void)
{
	struct allocation *a = heaps[0].chunk;

	if (program.host || !a)
		return;
	for (size_t i = 0; i < device_memory.count; i++)
		if (device_memory.list[i]->live)
			device_free(device_memory.list[i], a->made);
}
