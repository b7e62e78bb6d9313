/*
 * memory: the arrays that a kernel sees, and their shadow memory: which thread
 * accessed each element last.
 *
 * Every global array and every __shared__ variable lives in a large slot of
 * its own, of which only the array's pages are accessible: an index that is
 * out of range stays within the slot, so that the array it was meant for is
 * known. Arrays begin at a page; their end is exact, since the recorder looks
 * at each address before it is used. Register arrays are the threads' own
 * variables and have no slot.
 */
#ifndef EMU_MEMORY_H
#define EMU_MEMORY_H

#include "record/shadow.h"
#include "record/debug.h"
#include "trace/trace.h"

struct array {
	struct trace_array info;
	const struct debug_var *var;	/* NULL: a global array */
	uintptr_t lo;			/* address; register arrays: 0 */
	uint64_t bytes;
	uintptr_t slot;
	uint64_t slot_bytes;
	struct shadow *shadow;
	uint64_t shadow_bytes;
	uint32_t shadow_shift;	/* 2 to it: bytes of an element of shadow */
	uint32_t number;		/* in the trace, or TRACE_NO_ARRAY */
	/* A part is a member of a structure, an array of its own; the whole
	 * then has no shadow. */
	struct array *whole;		/* of a part; else NULL */
	/* Shared memory of the blocks of a cluster, one behind the other;
	 * NULL where there is but one block. That of the block in turn is at
	 * lo, and its shadow at shadow. */
	struct copies {
		int fd;
		char *all;
		uint64_t each;
	} data_copies, shadow_copies;
};

/* All arrays of a launch; pointers to them stay good. */
struct memory {
	struct array **arrays;
	size_t count, capacity;
	uint64_t next_base;		/* of the next global array */
	uint32_t ranks;			/* blocks that have shared memory */
};

void memory_done(struct memory *m);

/* An array in global memory, its bytes 0. NULL with e when there is no room
 * for it. The dims are copied from t. */
struct array *memory_global(struct memory *m, const char *name,
			    const struct debug_type *t, struct error *e);
/* Module's variables: __shared__ ones get slots, register arrays none. */
struct array *memory_shared(struct memory *m, const struct debug_var *v,
			    uint64_t base, struct error *e);
/* Arrays for the members of a structure that memory_shared() made. */
int memory_parts(struct memory *m, struct array *whole, struct error *e);
/* A variable of a function, or one of the module at address lo. */
struct array *memory_variable(struct memory *m, const struct debug_var *v,
			      uintptr_t lo);

/* From now on shared memory is that of this block of the cluster. */
void memory_use(struct memory *m, uint32_t rank);
/* Where an address in a shared array is in that block's, and its shadow:
 * good while it is any block's turn. */
void *array_at(const struct array *a, uint32_t rank, uintptr_t address);
struct shadow *array_shadow(const struct array *a, uint32_t rank, uint64_t off,
			    struct shadow_history **history);

/* The array whose slot holds the address, or of a structure the part that
 * holds all `bytes` from there on; or NULL. */
struct array *memory_at(const struct memory *m, uintptr_t address,
			uint64_t bytes);

#endif
