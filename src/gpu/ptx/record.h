/*
 * record: what the recording code on the GPU and the program share: the
 * layout of its state and of its events. Included by record.cu and by C.
 */
#ifndef GPU_PTX_RECORD_H
#define GPU_PTX_RECORD_H

/*
 * One lane's event. What the address is of, stands in the top two bits of
 * the site: its space, as enum record_space; it counts from the space's
 * start (in global memory it is the address).
 */
struct record_event {
	unsigned long long address;
	unsigned int site;
	unsigned int flags;		/* RECORD_OUTSIDE, ... */
	unsigned int value[4];		/* little-endian, zero behind */
};

enum record_space { RECORD_NOWHERE, RECORD_GLOBAL, RECORD_SHARED,
		    RECORD_LOCAL };
#define RECORD_SPACE_SHIFT 30
#define RECORD_SITE_MASK ((1u << RECORD_SPACE_SHIFT) - 1)

/* The access was outside every array: it was not done, the thread ended. */
#define RECORD_OUTSIDE 1u
/* The thread was ended because its events reached the budget. */
#define RECORD_ENDED 2u

/* The address is no multiple of the access's bytes; as RECORD_OUTSIDE. */
#define RECORD_MISALIGNED 4u
/* value[] is known. */
#define RECORD_VALUE 8u
/* Rows or columns of a fragment are not as far apart as they must be; as
 * RECORD_OUTSIDE. */
#define RECORD_PITCH 16u
/* Above: bytes accessed, as many as the site says, but that cp.async may read
 * fewer. */
#define RECORD_WIDTH_SHIFT 8

/* With the bytes of an access: its value is what lies at the address now; it
 * is that of the event of the site before this one, or zero without it. */
#define RECORD_FETCH (1u << 31)
#define RECORD_SAME (1u << 30)
#define RECORD_BYTES_MASK (RECORD_SAME - 1)

#define RECORD_RANGES 16

/*
 * The module's variable gemmviz_state, filled in before the launch. Pointers
 * are device addresses. A thread of a block whose slot is ~0, or of a warp
 * that is not in `warps`, records nothing; its accesses are checked, though,
 * and it ends at one that is outside or misaligned.
 */
struct record_state {
	unsigned long long slots;	/* unsigned int a block, linear: its
					   slot among the blocks recorded */
	unsigned long long counts;	/* unsigned int a thread of a slot:
					   events so far; 0 before */
	unsigned long long first;	/* unsigned long long a thread: index
					   of its first event */
	unsigned long long room;	/* unsigned int a thread: events that
					   there is room for; 0: count only */
	unsigned long long events;	/* struct record_event */
	unsigned long long budget;	/* events a thread may have */
	unsigned int warps;		/* a bit each */
	unsigned int range_count;	/* 0: no check */
	/* Likewise shared memory, in its own space: behind what the system
	 * has reserved, so much as the launch has. shared_end 0: no check. */
	unsigned int shared_first, shared_end;
	/* Global memory that the kernel may touch: first byte, one behind
	 * the last. */
	unsigned long long range[RECORD_RANGES][2];
};

#endif
