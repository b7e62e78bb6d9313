/*
 * device_memory: what a program allocates for its kernels. Each allocation is
 * in a slot of its own, inaccessible around it. While the host runs, what only
 * the device may use is inaccessible, too; what was freed always is, and its
 * addresses are not used again soon.
 */
#ifndef EMU_DEVICE_MEMORY_H
#define EMU_DEVICE_MEMORY_H

#include "trace/work.h"

/* What a device has, of so many MB that a program may take; the rest is for its
 * host. */
#define DEVICE_BYTES(mb) (((uint64_t)(mb) << 20) / 4 * 3)

/* A place in the program's text; file NULL: none. */
struct place {
	const char *file;
	uint32_t line;
};

enum allocation_kind { ALLOCATION_DEVICE, ALLOCATION_MANAGED,
		       ALLOCATION_HOST, ALLOCATION_KINDS };

struct allocation {
	uintptr_t lo;
	uint64_t bytes;		/* as it was asked for */
	uintptr_t slot;
	uint64_t slot_bytes;
	enum allocation_kind kind;
	uint32_t device;	/* the one that was current */
	bool live;
	bool of_graph;		/* whose launches allocate it, again and again */
	bool heap;		/* of which kernels have pieces: device_heap.h */
	struct place made, freed;	/* freed: last; or nowhere yet */
	uint64_t base;		/* its address in the trace */
	uint64_t pitch, width;	/* bytes, of cudaMallocPitch(); or 0 */
	uint64_t fresh;		/* bytes that may be unwritten; device_fresh.h */
	/* When such bytes were first read: whether nobody had written any. */
	enum { FRESH_UNKNOWN, FRESH_ALL, FRESH_SOME } is_fresh;
	struct CUmemPoolHandle_st *pool;	/* that it is from; or NULL */
};

/* All of them, in the order in which they were made; forever. */
struct device_memory {
	struct allocation **list;
	size_t count, capacity;
	uint64_t used[DEVICES_MOST], most;	/* bytes; of each device */
	uint64_t next_base;
	bool open;
};
extern struct device_memory device_memory;

/* NULL: out of memory. */
struct allocation *device_allocate(enum allocation_kind kind, uint64_t bytes,
				   struct place at);
void device_free(struct allocation *a, struct place at);
/* Addresses, where device_renew() allocates and device_free() frees in turn;
 * false: out of memory. */
struct allocation *device_reserve(enum allocation_kind kind, uint64_t bytes,
				  struct place at);
bool device_renew(struct allocation *a);
/* The one whose slot holds the address, be it freed; NULL: none. */
struct allocation *device_at(uintptr_t address);
/* Makes all that is live accessible, or what a device may use; and all
 * inaccessible to the host. Not for one who tells fresh.h what is used. */
void device_open(void);
void device_open_told(void);
void device_open_for(uint32_t device);
void device_close(void);

#endif
