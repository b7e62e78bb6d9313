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
#include "trace/finding.h"
#include "trace/trace.h"

#define NO_PARAMETER UINT32_MAX

struct array {
	struct trace_array info;
	const struct debug_var *var;	/* NULL: a global array */
	uintptr_t lo;	/* address of its first byte; register arrays: 0 */
	uint64_t bytes;
	uintptr_t slot;
	uint64_t slot_bytes;
	struct shadow *shadow;
	uint64_t shadow_bytes;
	/* log2 of the bytes that one shadow stands for */
	uint32_t shadow_shift;
	bool borrowed;	/* its slot is a program's */
	/* Of that: bytes that may be unwritten (uninit.h), the line that it was
	 * allocated in, and the first such read, where one is not told by
	 * itself. */
	uint64_t uninit;
	uint32_t made;
	/* The line of a copy from the host that wrote its first `copied` bytes
	 * and not the others; or 0. */
	uint32_t copy;
	uint64_t copied;
	bool heap;	/* kernels free what is in it: device_heap.h */
	uint64_t pitch, width;	/* of rows with padding; or 0 */
	struct trace_finding uninit_read;
	/* Of an array that nothing had set: whether a thread has read of it,
	 * and one then stored to it. */
	enum { UNSET_UNUSED, UNSET_READ, UNSET_OUTPUT } unset;
	uint32_t number;		/* in the trace, or TRACE_NO_ARRAY */
	uint32_t parameter;	/* that it is passed for, or NO_PARAMETER */
	/* A part is a member of a structure, as an array of its own; the whole
	 * then has no shadow. */
	struct array *whole;		/* of a part; else NULL */
	/* Shared memory of all blocks of a cluster, one after the other; NULL
	 * if there is only one block. The current block's is at lo, and its
	 * shadow at shadow. */
	struct copies {
		char *all;
		uint64_t each;
	} data_copies, shadow_copies;
};

/* All arrays of a launch; pointers to them stay valid. */
struct memory {
	struct array **arrays;
	size_t count, capacity;
	uint64_t next_base;		/* of the next global array */
	uint32_t ranks;			/* blocks that have shared memory */
};

void memory_done(struct memory *m);

/* Makes an array in global memory, filled with 0; its dims are copied from t.
 * NULL with e: out of memory. */
struct array *memory_global(struct memory *m, const char *name,
			    const struct debug_type *t, struct error *e);
/* Makes an array of a program's allocation, without a shadow; t gives its
 * elements and dims. memory_shadow() gives it one. */
struct array *memory_borrow(struct memory *m, const char *name,
			    const struct debug_type *t, uintptr_t lo,
			    uintptr_t slot, uint64_t slot_bytes,
			    uint64_t base);
void memory_shadow(struct array *a);
/* Allocates memory that holds 0, at a multiple of 256. After `bytes`, rounded
 * up to 256, no address is accessible. NULL: it cannot be had.
 * memory_fenced_done() frees it, and takes NULL. */
void *memory_fenced(uint64_t bytes);
void memory_fenced_done(void *p, uint64_t bytes);
/* Returns the start of SHARED_MOST bytes of addresses that belong to no array
 * and that nobody can access. 0: there are none. */
uintptr_t memory_nobodys(void);
/* Makes the array of a variable of the module: __shared__ ones get a slot,
 * register arrays none. */
struct array *memory_shared(struct memory *m, const struct debug_var *v,
			    uint64_t base, struct error *e);
/* Makes arrays of the members of a structure that memory_shared() made. */
int memory_parts(struct memory *m, struct array *whole, struct error *e);
/* Makes the array of a function's variable, or of a module's at address lo. */
struct array *memory_variable(struct memory *m, const struct debug_var *v,
			      uintptr_t lo);

/* Bytes of shared memory and its shadow that a cluster's blocks may take: eight
 * blocks of 227 KB, a shadow for each byte. */
#define MEMORY_SHARED (256ull << 20)
/* Maps the memory that a cluster's blocks share: MEMORY_SHARED bytes of a file,
 * from byte `from` on. Without a call anonymous memory is mapped when it is
 * needed; with -1 in place of a file no cluster gets any. */
void memory_reserve(int file, uint64_t from);
/* Makes the shared memory of this block of the cluster the current one. */
void memory_use(struct memory *m, uint32_t rank);
/* Returns where an address of a shared array is in block `rank`, and its shadow
 * there; valid whichever block is the current one. */
void *array_at(const struct array *a, uint32_t rank, uintptr_t address);
struct shadow *array_shadow(const struct array *a, uint32_t rank, uint64_t off,
			    struct shadow_history **history);

/* Finds the array of such a location, of `bytes` there; sets the block, and the
 * address that it has while that block is the current one. NULL: none. */
struct array *memory_of_rank(const struct memory *m, uintptr_t address,
			     uint64_t bytes, uint32_t *rank, uintptr_t *own);

/* Returns the array whose slot contains the address; of a structure, the part
 * that holds all `bytes` from there on. NULL: none. */
struct array *memory_at(const struct memory *m, uintptr_t address,
			uint64_t bytes);

#endif
