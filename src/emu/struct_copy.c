/*
 * struct_copy: accesses of the functions that the compiler makes to copy
 * structures. It calls no hooks for a structure that it passes or returns by
 * value itself; kernels are compiled so that functions without a text do all
 * that (-fno-elide-constructors), for which it does. See struct struct_copy in
 * hooks.h.
 */
#include "emu/recording.h"
#include "emu/scheduler.h"

/* The widest access of a machine. */
#define WIDEST 16

/*
 * Records an access in pieces that the structure's alignment allows, as a
 * machine moves it. Loads come before stores: a call is longer than one byte,
 * so the place before the one that it returns to is theirs.
 */
void struct_copy_access(struct thread *t, uint32_t pc, uintptr_t address,
			uint64_t bytes, enum op op)
{
	uint32_t unit = MIN(t->copy.align, WIDEST);
	struct access_site *s;

	if (op == OP_ST)
		t->copied = address;
	else if (is_own_index(address))
		return;
	while (bytes % unit)
		unit /= 2;
	s = resolve_access(t, t->copy.call - (op == OP_LD), address, unit,
			   bytes, op, false, STRUCTURE | pc);
	access_record(t, s, address, bytes / unit);
}
