/*
 * address_owner: finds what owns an address: an array, or a variable of the thread or of
 * the module.
 */
#ifndef EMU_ADDRESS_OWNER_H
#define EMU_ADDRESS_OWNER_H

#include "emu/hooks.h"

/* The owner of an address. */
struct address_owner {
	struct array *array;	/* NULL: nothing that is recorded */
	uintptr_t lo;		/* of the variable */
	uint64_t bytes;
	bool stack;		/* lo counts from the thread's stack */
	bool module;		/* in the module's own data */
	uint32_t remote;	/* see struct access_site */
	const struct debug_var *var;
};

/* Finds the owner of `bytes` bytes that the thread accesses at pc; returns
 * false if it is unknown. */
bool owner_find(const struct thread *t, uint32_t pc, uintptr_t address,
	       uint64_t bytes, struct address_owner *h);
/* Finds the variable at an address on the thread's stack; lo counts from the
 * stack's lowest address. Sets no variable if none is known. */
void owner_stack(const struct thread *t, uint32_t pc, uintptr_t address,
		struct address_owner *h);
/* Returns the address, relative to the module, at which the frame of this depth
 * is: the hook at pc, or the call of the next frame. */
uint64_t owner_frame(const struct thread *t, size_t depth, uint32_t pc);

#endif
