/*
 * emu_findings: what the recorder's threads and slots give to findings; see
 * record/findings.h.
 */
#ifndef EMU_EMU_FINDINGS_H
#define EMU_EMU_FINDINGS_H

#include "record/findings.h"

struct slot;
struct thread;
struct shadow_access;

/* An access outside its array; off counts bytes from its start. */
void emu_finding_bounds(const struct thread *t, const struct slot *s,
			const struct trace_array *a, int64_t off);
void emu_finding_wild(const struct thread *t, const struct slot *s,
		      uintptr_t address);
/* It loads or stores a fragment against wmma's rules; see findings.h. */
void emu_finding_fragment(const struct thread *t, bool pitch);
void emu_finding_misaligned(const struct thread *t, const struct slot *s,
			    int64_t off);
void emu_finding_unwritten(const struct thread *t, const struct slot *s,
			   uint64_t off);
void emu_finding_race(const struct thread *t, const struct slot *s,
		      const struct shadow_access *other, uint64_t off);
/* `other` is an asynchronous copy that has not been waited for. */
void emu_finding_early(const struct thread *t, const struct slot *s,
		       const struct shadow_access *other, uint64_t off);
/* What `other`, a thread, has stored is read by TMA or wgmma without a fence
 * between. */
void emu_finding_unfenced(const struct thread *t, const struct slot *s,
			  const struct shadow_access *other, uint64_t off);
/* A wgmma that has not been waited for may still write there. */
void emu_finding_accumulators(const struct thread *t, const struct slot *s,
			      uintptr_t address);
/* Thread `waits` is at a barrier that `never` does not reach; `waiting` of the
 * block's threads do. */
void emu_finding_barrier(const struct thread *waits, const struct thread *never,
			 uint32_t waiting);
/* Any other: f, whose access is set to that of t at s; in array a, or NULL. */
void emu_finding_add(const struct thread *t, const struct slot *s,
		     struct trace_finding f, const struct trace_array *a);
/* ... to where t is, in no array. */
void emu_finding(const struct thread *t, struct trace_finding f);
/* ... that has a cause alone. */
void emu_finding_cause(const struct thread *t, enum finding_cause cause);
/* Where t is: a thread and its line, as the other one of a finding. */
struct finding_access emu_finding_at(const struct thread *t);

/* The running thread does what a GPU stops at, or breaks a rule whose breach
 * has no sense; it ends here. */
_Noreturn void emu_finding_stops(enum finding_cause cause);

/* The block that was in turn then. */
uint32_t emu_finding_epoch_block(uint32_t epoch);
/* Thread t waits for what an atomic reads at the address, in vain. */
void emu_finding_spin(const struct thread *t, const struct slot *s,
		      uintptr_t address);

#endif
