/*
 * emu_findings: adds findings about the recorder's threads and slots; see
 * record/findings.h.
 */
#ifndef EMU_EMU_FINDINGS_H
#define EMU_EMU_FINDINGS_H

#include "record/findings.h"

struct array;
struct access_site;
struct thread;
struct shadow_access;

/* Adds the finding of an access outside its array; `off`: bytes from the
 * array's start. If the array's size was assumed and can grow, grows it and
 * adds no finding (record/inferred_sizes.h). */
void emu_finding_bounds(const struct thread *t, const struct access_site *s,
			const struct array *a, int64_t off);
/* Adds the finding of an access to an address that belongs to nothing. */
void emu_finding_wild(const struct thread *t, const struct access_site *s,
		      uintptr_t address);
/* Adds the finding of a fragment that wmma may not load or store: its pitch
 * (true) or its alignment; see findings.h. */
void emu_finding_fragment(const struct thread *t, bool pitch);
void emu_finding_misaligned(const struct thread *t, const struct access_site *s,
			    int64_t off);
void emu_finding_unwritten(const struct thread *t, const struct access_site *s,
			   uint64_t off);
void emu_finding_race(const struct thread *t, const struct access_site *s,
		      const struct shadow_access *other, uint64_t off);
/* Adds the finding of an access that is unordered with `other`, an asynchronous
 * copy that has not been waited for. */
void emu_finding_early(const struct thread *t, const struct access_site *s,
		       const struct shadow_access *other, uint64_t off);
/* Adds that a thread reads, through one extern __shared__ array, what the access
 * o stored through another. */
void emu_finding_same_shared(const struct thread *t, const struct access_site *s,
			     const struct shadow_access *o);
/* Adds the finding that TMA or wgmma accesses what the thread of `other` has
 * stored without a proxy fence in between. */
void emu_finding_unfenced(const struct thread *t, const struct access_site *s,
			  const struct shadow_access *other, uint64_t off);
/* Adds the finding of an access to a register that a wgmma, not yet waited for,
 * may still write. */
void emu_finding_accumulators(const struct thread *t, const struct access_site *s,
			      uintptr_t address);
/* Adds the finding that thread `waits` is at a barrier that `never` does not
 * reach; `waiting` of the block's threads are at it. */
void emu_finding_barrier(const struct thread *waits, const struct thread *never,
			 uint32_t waiting);
/* Adds any other finding: f, with its access set to that of t at s; in array a,
 * or NULL. */
void emu_finding_add(const struct thread *t, const struct access_site *s,
		     struct trace_finding f, const struct trace_array *a);
/* Adds f at the place where t is, in no array. */
void emu_finding(const struct thread *t, struct trace_finding f);
/* Adds a finding that has nothing but a cause, where t is. */
void emu_finding_cause(const struct thread *t, enum finding_cause cause);
/* Returns where thread t is (its number and line), as the other access of a
 * finding. */
struct finding_access emu_finding_at(const struct thread *t);

/* Adds a finding for what stops a GPU, or has no defined effect, and ends the
 * running thread. */
_Noreturn void emu_finding_stops(enum finding_cause cause);

/* Returns the block that was current in this epoch. */
uint32_t emu_finding_epoch_block(uint32_t epoch);
/* Adds the finding that thread t reads this address with an atomic again and
 * again, and nothing will change it. */
void emu_finding_spin(const struct thread *t, const struct access_site *s,
		      uintptr_t address);

#endif
