/*
 * device_memory: allocates device memory for a program. Each allocation has a
 * slot of addresses of its own, inaccessible on both sides. While the host
 * runs, memory that only the device may use is inaccessible, too. Freed memory
 * is always inaccessible, and its addresses are not used again soon.
 */
#ifndef CUDART_DEVICE_MEMORY_H
#define CUDART_DEVICE_MEMORY_H

#include "trace/device_work.h"

/* Bytes of a device's memory, if the program may take so many MB in all; the
 * rest is for its host. */
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
	bool registered;	/* the host's own: cudaHostRegister() */
	bool of_graph;		/* whose launches allocate it, again and again */
	bool carried;		/* a judged function copied data into it */
	void *hidden;		/* its contents while a judged function's host runs */
	bool heap;		/* of which kernels have pieces: device_heap.h */
	/* The last copy that wrote it from its first byte on, and not all of it;
	 * its bytes. */
	struct place copy;
	uint64_t copied;
	struct place made, freed;	/* freed: last; or nowhere yet */
	const char *name;	/* that it has; NULL: the text tells */
	uint64_t base;		/* its address in the trace */
	uint64_t pitch, width;	/* bytes, of cudaMallocPitch(); or 0 */
	uint64_t uninit;		/* bytes that may be unwritten; see uninit.h */
	/* Whether nobody had written any such byte when one was first read. */
	enum { UNINIT_UNKNOWN, UNINIT_ALL, UNINIT_SOME } is_uninit;
	struct CUmemPoolHandle_st *pool;	/* that it is from; or NULL */
};

/* All allocations in the order in which they were made; none is removed. */
struct device_memory {
	struct allocation **list;
	size_t count, capacity;
	uint64_t used[DEVICES_MOST], most;	/* bytes; of each device */
	uint64_t next_base;
	bool open;
};
extern struct device_memory device_memory;

/* Allocates device memory; NULL: out of memory. */
struct allocation *device_allocate(enum allocation_kind kind, uint64_t bytes,
				   struct place at);
void device_free(struct allocation *a, struct place at);
/* Reserves addresses, which device_renew() and device_free() then allocate and
 * free, any number of times. device_renew() returns false if memory has run
 * out. */
struct allocation *device_reserve(enum allocation_kind kind, uint64_t bytes,
				  struct place at);
bool device_renew(struct allocation *a);
/* Adds memory of the host's own as an allocation that the device may use, and
 * takes it away again. */
void device_register(uintptr_t lo, uint64_t bytes, struct place at);
void device_unregister(struct allocation *a);
/* Finds the allocation, live or freed, whose slot contains the address; NULL:
 * none. */
struct allocation *device_at(uintptr_t address);
/* Make all live allocations accessible (device_open_all), or those that a
 * device may use (device_open_for); make all inaccessible to the host
 * (device_close), also the variables that kernels of a judged function have
 * stored. device_open_all() also gives up finding unwritten memory; a
 * caller that reports its accesses to uninit.h uses device_open_told(). */
void device_open_all(void);
void device_open_told(void);
void device_open_for(uint32_t device);
void device_close(void);

#endif
