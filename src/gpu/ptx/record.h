/*
 * record: what the recording code on the GPU and the program share: the layout
 * of the recorder's state and of its events. Included by record.cu and by C
 * files.
 */
#ifndef GPU_PTX_RECORD_H
#define GPU_PTX_RECORD_H

/* One lane's event. The top two bits of the site give the space of the address,
 * as enum record_space; the address is relative to the space's start (in global
 * memory it is absolute). */
struct record_event {
	unsigned long long address;
	unsigned int site;
	unsigned int flags;		/* RECORD_OUTSIDE, ... */
	unsigned int value[4];		/* little-endian, padded with zeros */
};

enum record_space { RECORD_NOWHERE, RECORD_GLOBAL, RECORD_SHARED,
		    RECORD_LOCAL };
#define RECORD_SPACE_SHIFT 30
#define RECORD_SITE_MASK ((1u << RECORD_SPACE_SHIFT) - 1)

/* The access was outside every array: it was not done, and the thread ended. */
#define RECORD_OUTSIDE 1u
/* The thread was ended because its events reached the budget. */
#define RECORD_ENDED 2u

/* The address is not a multiple of the access's bytes; handled as
 * RECORD_OUTSIDE. */
#define RECORD_MISALIGNED 4u
/* value[] is known. */
#define RECORD_VALUE 8u
/* The stride between rows or columns of a fragment breaks wmma's rules; handled
 * as RECORD_OUTSIDE. */
#define RECORD_PITCH 16u
/* The bits from here on: bytes accessed, which is as many as the site says,
 * except that cp.async may read fewer. */
#define RECORD_WIDTH_SHIFT 8

/* Flags beside an access's bytes. RECORD_FETCH: the value is what is now at the
 * address. RECORD_SAME: the value is that of the previous site's event, or zero
 * if there is none. */
#define RECORD_FETCH (1u << 31)
#define RECORD_SAME (1u << 30)
#define RECORD_BYTES_MASK (RECORD_SAME - 1)

#define RECORD_RANGES 16

/*
 * The module's variable gemmviz_state, filled in before the launch. Pointers
 * are device addresses. A thread of a block whose slot is ~0, or of a warp that
 * is not in `warps`, records nothing; its accesses are still checked, and it
 * ends at one that is out of bounds or misaligned.
 */
struct record_state {
	/* unsigned int per block of the grid, by its linear index: its slot
	 * among the recorded blocks */
	unsigned long long slots;
	/* unsigned int per thread of a slot: its events so far; 0 before */
	unsigned long long counts;
	/* unsigned long long per thread: index of its first event */
	unsigned long long first;
	/* unsigned int per thread: events that there is room for; 0: only
	 * count */
	unsigned long long room;
	unsigned long long events;	/* struct record_event */
	unsigned long long budget;	/* events a thread may have */
	unsigned int warps;		/* a bit each */
	unsigned int range_count;	/* 0: no check */
	/* The shared memory that the kernel may access, in its own space: after
	 * what the system reserves, as many bytes as the launch gives.
	 * shared_end 0: no check. */
	unsigned int shared_first, shared_end;
	/* Global memory that the kernel may access, as pairs of the first byte
	 * and the one after the last. */
	unsigned long long range[RECORD_RANGES][2];
};

#endif
