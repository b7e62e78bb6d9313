/*
 * resolve: finds what an instruction's address means: line and column, the
 * array that it accesses, the number of its event. This is the slow path of the
 * hooks, taken once for each instruction and array.
 */
#ifndef EMU_RESOLVE_H
#define EMU_RESOLVE_H

#include "emu/hooks.h"

/*
 * Finds or makes the slot of an access of `total` bytes in pieces of `bytes`.
 * If the access is a finding, the thread stops and this does not return.
 * `in_text`: the text accesses an element here, so the array that it names is
 * the one meant. `manner` distinguishes instructions at one place in the text;
 * 0: there is only one.
 */
struct access_site *resolve_access(struct thread *t, uint32_t pc, uintptr_t address,
			    uint32_t bytes, uint64_t total, enum op op,
			    bool in_text, uint32_t manner);
/* Returns the width in bytes in which a range is accessed: that of the array's
 * elements. */
uint32_t resolve_unit(struct thread *t, uint32_t pc, uintptr_t address,
		      uint64_t bytes);
/* Finds or makes the slot of a control event, or of a barrier (WARP_ACCESS). */
struct access_site *resolve_control(uint32_t pc, enum warp_event_kind kind);
/* Finds or makes the slot of a barrier or a wait that has no array: OP_SYNC. */
struct access_site *resolve_sync(uint32_t pc);
/* The byte that fills variables that were never written; a kernel is not
 * expected to compute it. */
#define REGISTER_PATTERN 0xfe
/* Pushes the frame of a function that was entered, and fills it with
 * REGISTER_PATTERN. False: it copies a structure and has none. */
bool resolve_enter(struct thread *t, uintptr_t pc, uintptr_t call,
		   uintptr_t fp);
/* Pops the frame of a function that is left. False: it has none. */
bool resolve_leave(struct thread *t);
/* Returns the line of an address in the module, if it is the kernel's; else
 * 0. */
uint32_t resolve_line(uintptr_t address);

#endif
