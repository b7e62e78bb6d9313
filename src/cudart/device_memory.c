/*
 * device_memory: see device_memory.h.
 */
#include "cudart/device_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/resource.h"
#include "cudart/device_uninit.h"
#include "cudart/devices.h"
#include "cudart/host_race.h"
#include "cudart/program_judge.h"
#include "protocol/job.h"

#define ALIGN 256		/* of cudaMalloc() */
#define AROUND (256ull << 20)	/* inaccessible, on both sides */
#define FIRST_BASE 0x1000000
/* Bytes of the largest allocation that is hidden from a judged function's host,
 * and what is there instead. */
#define HIDDEN_MOST (UINT64_C(16) << 20)
#define HIDDEN_BYTE 0xff

struct device_memory device_memory = { .most = DEVICE_BYTES(MEMORY_DEFAULT),
				       .next_base = FIRST_BASE };

static uint64_t round_up_bytes(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

static uint64_t allocation_page_bytes(const struct allocation *a)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	return round_up_bytes(MAX(a->bytes, 1), page);
}

/* Changes the protection of an allocation's pages. They begin before the
 * allocation, which ends at a page's end. */
static void protect_allocation(const struct allocation *a, int how)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	mprotect((void *)(a->lo / page * page), allocation_page_bytes(a), how);
}

/* Returns whether the device has this many bytes left. */
static bool device_has_room(uint32_t device, uint64_t bytes)
{
	const struct device_memory *m = &device_memory;

	return bytes <= m->most && m->used[device] <= m->most - bytes;
}

struct allocation *device_reserve(enum allocation_kind kind, uint64_t bytes,
				  struct place at)
{
	struct device_memory *m = &device_memory;
	struct allocation *a = xcalloc(1, sizeof(*a));
	void *slot;

	*a = (struct allocation) { .bytes = bytes, .kind = kind,
				   .device = devices.current, .made = at,
				   .base = m->next_base };
	a->slot_bytes = allocation_page_bytes(a) + 2 * AROUND;
	slot = mmap(NULL, a->slot_bytes, PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	/* The system's memory has run out, not the device's. */
	if (slot == MAP_FAILED)
		fatal("out of memory (%llu bytes on a device)%s",
		      (unsigned long long)bytes, resource_memory());
	a->slot = (uintptr_t)slot;
	a->lo = a->slot + AROUND + allocation_page_bytes(a) -
		round_up_bytes(MAX(bytes, 1), ALIGN);
	m->next_base = round_up_bytes(m->next_base + MAX(bytes, 1), ALIGN);
	grow(&m->list, &m->capacity, m->count + 1, sizeof(*m->list));
	m->list[m->count++] = a;
	return a;
}

bool device_renew(struct allocation *a)
{
	struct device_memory *m = &device_memory;

	if (!device_has_room(a->device, a->bytes))
		return false;
	a->live = true;
	protect_allocation(a, PROT_READ | PROT_WRITE);
	if (a->kind == ALLOCATION_DEVICE) {
		device_uninit_begin(a);
		if (!m->open)
			protect_allocation(a, PROT_NONE);
	}
	m->used[a->device] += a->bytes;
	return true;
}

struct allocation *device_allocate(enum allocation_kind kind, uint64_t bytes,
				   struct place at)
{
	struct allocation *a = device_has_room(devices.current, bytes) ?
				       device_reserve(kind, bytes, at) :
				       NULL;

	if (a)
		device_renew(a);
	return a;
}

/* Puts the contents of what only the device may use where a judged function's
 * host does not find them, even if it opens the pages. */
static void hide_contents(struct allocation *a)
{
	if (!judge_is_on() || a->bytes > HIDDEN_MOST)
		return;
	a->hidden = xmalloc(a->bytes + 1);
	memcpy(a->hidden, (const void *)a->lo, a->bytes);
	memset((void *)a->lo, HIDDEN_BYTE, a->bytes);
}

static void restore_contents(struct allocation *a)
{
	if (!a->hidden)
		return;
	memcpy((void *)a->lo, a->hidden, a->bytes);
	free(a->hidden);
	a->hidden = NULL;
}

void device_free(struct allocation *a, struct place at)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	a->live = false;
	a->freed = at;
	free(a->hidden);
	a->hidden = NULL;
	device_memory.used[a->device] -= a->bytes;
	/* Gives the pages back but keeps the addresses reserved. */
	mmap((void *)(a->lo / page * page), allocation_page_bytes(a), PROT_NONE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

void device_register(uintptr_t lo, uint64_t bytes, struct place at)
{
	struct device_memory *m = &device_memory;
	struct allocation *a = xcalloc(1, sizeof(*a));

	*a = (struct allocation) { .lo = lo, .bytes = bytes, .slot = lo,
				   .slot_bytes = bytes,
				   .kind = ALLOCATION_HOST,
				   .device = devices.current, .made = at,
				   .base = m->next_base, .live = true,
				   .registered = true };
	m->next_base = round_up_bytes(m->next_base + bytes, ALIGN);
	grow(&m->list, &m->capacity, m->count + 1, sizeof(*m->list));
	m->list[m->count++] = a;
}

void device_unregister(struct allocation *a)
{
	a->live = false;
	a->slot_bytes = 0;	/* nothing is found there any more */
}

struct allocation *device_at(uintptr_t address)
{
	const struct device_memory *m = &device_memory;

	for (size_t i = m->count; i-- > 0;)
		if (address - m->list[i]->slot < m->list[i]->slot_bytes)
			return m->list[i];
	return NULL;
}

/* Returns whether the host must not use the allocation. */
static bool is_closed_kind(const struct allocation *a)
{
	return a->live && a->kind == ALLOCATION_DEVICE;
}

/* Changes the protection of all live allocations that only the device may
 * use. */
static void protect_all(int how)
{
	const struct device_memory *m = &device_memory;

	for (size_t i = 0; i < m->count; i++)
		if (is_closed_kind(m->list[i])) {
			if (how == PROT_NONE)
				hide_contents(m->list[i]);
			protect_allocation(m->list[i], how);
			if (how != PROT_NONE)
				restore_contents(m->list[i]);
		}
}

void device_open_all(void)
{
	device_open_told();
	device_uninit_end_all();
}

void device_open_told(void)
{
	if (!device_memory.open) {
		protect_all(PROT_READ | PROT_WRITE);
		program_variables_show();
		host_race_open();
	}
	device_memory.open = true;
}

void device_open_for(uint32_t device)
{
	const struct device_memory *m = &device_memory;

	device_open_told();
	for (size_t i = 0; i < m->count && devices.count > 1; i++)
		if (m->list[i]->live && !device_may_use(device, m->list[i]))
			protect_allocation(m->list[i], PROT_NONE);
}

void device_close(void)
{
	if (device_memory.open) {
		protect_all(PROT_NONE);
		program_variables_hide();
		host_race_close();
	}
	device_memory.open = false;
}
