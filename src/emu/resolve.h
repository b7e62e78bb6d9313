/*
 * resolve: from an instruction's address to what it means: line and column,
 * the array that an address belongs to, an event's number. The slow path of
 * the hooks, taken once for each instruction and array.
 */
#ifndef EMU_RESOLVE_H
#define EMU_RESOLVE_H

#include "emu/hooks.h"

/*
 * The slot of an access of `total` bytes in pieces of `bytes`. When the
 * access is a finding, the thread stops and this does not return. `in_text`:
 * the text accesses an element there, so that the array that it names is the
 * one that is meant.
 * `manner` is the hooks' to tell instructions by, of which one place in the
 * text may have several; 0: it has one.
 */
struct slot *resolve_access(struct thread *t, uint32_t pc, uintptr_t address,
			    uint32_t bytes, uint64_t total, enum op op,
			    bool in_text, uint32_t manner);
/* The width in which a range is taken: that of the array's elements. */
uint32_t resolve_unit(struct thread *t, uint32_t pc, uintptr_t address,
		      uint64_t bytes);
/* The slot of an event of control, or of a barrier (WARP_ACCESS). */
struct slot *resolve_control(uint32_t pc, enum warp_event_kind kind);
/* The slot of a barrier or a wait that has no array: OP_SYNC. */
struct slot *resolve_sync(uint32_t pc);
/* A byte of variables that were never written: what no kernel computes. */
#define REGISTER_PATTERN 0xfe
/* A function was entered: pushes its frame, and fills it with that. */
void resolve_enter(struct thread *t, uintptr_t pc, uintptr_t call,
		   uintptr_t fp);
/* The line of an address in the module, as far as it is the kernel's; 0. */
uint32_t resolve_line(uintptr_t address);

#endif
