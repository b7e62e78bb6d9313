/*
 * emu_findings: what the recorder's threads and slots give to say; the sentences
 * are record/findings.h's.
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
/* Thread `waits` is at a barrier that `never` does not reach. */
void emu_finding_barrier(const struct thread *waits, const struct thread *never,
			 uint32_t waiting, uint32_t others);
void emu_finding_crash(const struct thread *t, uint32_t line, const char *what);

/* Thread t waits at `word` for its warp, of which `others` such as never,
 * which waits at `where`, do not come. */
void emu_finding_meeting(const struct thread *t, const char *word,
			 const struct thread *never, const char *where,
			 uint32_t others);
/* Thread t calls at s what needs all lanes of its warp: these do. */
void emu_finding_lanes(const struct thread *t, const struct slot *s,
		       const char *word, uint32_t lanes);
/* Where t is, it does what fmt says; `what` stands for the kind of it. */
void emu_finding_deed(const struct thread *t, enum finding_kind kind,
		      const char *what, const char *fmt, ...) PRINTF(4, 5);

/* The running thread does what a GPU stops at, or breaks a rule whose breach
 * has no sense; it ends here. */
_Noreturn void emu_finding_stops(const char *what);
_Noreturn void emu_finding_rule(const char *what);

/* The block that was in turn then. */
uint32_t emu_finding_epoch_block(uint32_t epoch);
/* "(3,5)", the running launch's. */
const char *emu_finding_thread(const struct thread *t);
const char *emu_finding_block(uint32_t number);

/* Thread t waits for what an atomic reads at the address, in vain. */
void emu_finding_spin(const struct thread *t, const struct slot *s,
		      uintptr_t address);

#endif
