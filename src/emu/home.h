/*
 * home: whose an address is: an array's, a variable's of the thread or of the
 * module.
 */
#ifndef EMU_HOME_H
#define EMU_HOME_H

#include "emu/hooks.h"

/* What an address belongs to. */
struct home {
	struct array *array;	/* NULL: nothing that is recorded */
	uintptr_t lo;		/* of the variable */
	uint64_t bytes;
	bool stack;		/* lo counts from the thread's stack */
	bool module;		/* in the module's own data */
	uint32_t remote;	/* see struct slot */
	const struct debug_var *var;
};

/* Of `bytes` that the thread accesses at pc; false: of nothing that is known. */
bool home_find(const struct thread *t, uint32_t pc, uintptr_t address,
	       uint64_t bytes, struct home *h);
/* The same of an address on the thread's stack. */
void home_stack(const struct thread *t, uint32_t pc, uintptr_t address,
		struct home *h);
/* The code that the frame of this depth is at: the hook at pc, or the call of
 * the next frame. */
uint64_t home_frame(const struct thread *t, size_t depth, uint32_t pc);

#endif
