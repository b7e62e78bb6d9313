/*
 * emu_findings: adds findings about the recorder's threads and slots; see
 * record/findings.h.
 */
#ifndef EMU_EMU_FINDINGS_H
#define EMU_EMU_FINDINGS_H

#include "record/findings.h"

struct array;
struct slot;
struct thread;
struct shadow_access;

/* An access outside its array; off is in bytes from the array's start. There is
 * no finding if the array grows, see record/assumed.h. */
void emu_finding_bounds(const struct thread *t, const struct slot *s,
			const struct array *a, int64_t off);
void emu_finding_wild(const struct thread *t, const struct slot *s,
		      uintptr_t address);
/* A fragment is loaded or stored against wmma's rules; see findings.h. */
void emu_finding_fragment(const struct thread *t, bool pitch);
void emu_finding_misaligned(const struct thread *t, const struct slot *s,
			    int64_t off);
void emu_finding_unwritten(const struct thread *t, const struct slot *s,
			   uint64_t off);
void emu_finding_race(const struct thread *t, const struct slot *s,
		      const struct shadow_access *other, uint64_t off);
/* The access may come before or after `other`, an asynchronous copy that has
 * not been waited for. */
void emu_finding_early(const struct thread *t, const struct slot *s,
		       const struct shadow_access *other, uint64_t off);
/* TMA or wgmma reads what the thread `other` has stored, without a proxy fence
 * in between. */
void emu_finding_unfenced(const struct thread *t, const struct slot *s,
			  const struct shadow_access *other, uint64_t off);
/* A register is accessed that a wgmma, which has not been waited for, may still
 * write. */
void emu_finding_accumulators(const struct thread *t, const struct slot *s,
			      uintptr_t address);
/* Thread `waits` is at a barrier that `never` does not reach; `waiting` of the
 * block's threads do. */
void emu_finding_barrier(const struct thread *waits, const struct thread *never,
			 uint32_t waiting);
/* Adds any other finding: f, with its access set to that of t at s; in array a,
 * or NULL. */
void emu_finding_add(const struct thread *t, const struct slot *s,
		     struct trace_finding f, const struct trace_array *a);
/* Adds f at the place where t is, in no array. */
void emu_finding(const struct thread *t, struct trace_finding f);
/* Adds a finding that has nothing but a cause, where t is. */
void emu_finding_cause(const struct thread *t, enum finding_cause cause);
/* Where t is (thread and line), as the other access of a finding. */
struct finding_access emu_finding_at(const struct thread *t);

/* The running thread does something that stops a GPU, or breaks a rule in a way
 * that has no defined effect; it ends here. */
_Noreturn void emu_finding_stops(enum finding_cause cause);

/* The block that was the current one in this epoch. */
uint32_t emu_finding_epoch_block(uint32_t epoch);
/* Thread t waits in vain for a change at the address, reading it with an
 * atomic. */
void emu_finding_spin(const struct thread *t, const struct slot *s,
		      uintptr_t address);

#endif
