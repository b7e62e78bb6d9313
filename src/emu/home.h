/*
 * home: finds what owns an address: an array, or a variable of the thread or of
 * the module.
 */
#ifndef EMU_HOME_H
#define EMU_HOME_H

#include "emu/hooks.h"

/* The owner of an address. */
struct home {
	struct array *array;	/* NULL: nothing that is recorded */
	uintptr_t lo;		/* of the variable */
	uint64_t bytes;
	bool stack;		/* lo counts from the thread's stack */
	bool module;		/* in the module's own data */
	uint32_t remote;	/* see struct slot */
	const struct debug_var *var;
};

/* Finds the owner of `bytes` bytes that the thread accesses at pc; returns
 * false if it is unknown. */
bool home_find(const struct thread *t, uint32_t pc, uintptr_t address,
	       uint64_t bytes, struct home *h);
/* Finds the variable at an address on the thread's stack; lo counts from the
 * stack's lowest address. Sets no variable if none is known. */
void home_stack(const struct thread *t, uint32_t pc, uintptr_t address,
		struct home *h);
/* Returns the address, relative to the module, at which the frame of this depth
 * is: the hook at pc, or the call of the next frame. */
uint64_t home_frame(const struct thread *t, size_t depth, uint32_t pc);

#endif
