/*
 * fibre: runs the CUDA threads of a block as coroutines of one host thread. The
 * scheduler runs a fibre until it yields or its function returns. A fibre that
 * is not run again is abandoned, with all that is on its stack.
 */
#ifndef EMU_FIBRE_H
#define EMU_FIBRE_H

#include "base/base.h"

#define FIBRE_STACK (256u << 10)	/* bytes */

/* Allocates at least `count` fibres, numbered from 0; -1 with e: out of memory.
 * Stacks are reused by the next call. */
int fibres_init(size_t count, struct error *e);

/* Makes the next fibre_run(i) begin at function(argument). */
void fibre_reset(size_t i, void (*function)(void *), void *argument);
/* Runs fibre i until it yields (true) or its function returns (false). */
bool fibre_run(size_t i);
/* Suspends the running fibre and returns to fibre_run()'s caller. */
void fibre_yield(void);
/* Returns to fibre_run()'s caller from a signal handler. The fibre must not be
 * resumed. */
_Noreturn void fibre_leave(void);

/* Saves fibre i, which has yielded, with the stack in use. Another fibre may
 * use its number until it is put back under the same one, so that pointers into
 * the stack are valid again. */
struct fibre_kept;
struct fibre_kept *fibre_keep(size_t i);
/* Restores fibre i from what fibre_keep() returned, and frees that. */
void fibre_put_back(size_t i, struct fibre_kept *kept);

/* Returns the lowest address of fibre i's stack; an inaccessible page is
 * below. */
uintptr_t fibre_stack(size_t i);
/* Returns whether the address is in the inaccessible page below fibre i's
 * stack. */
bool fibre_overflow(size_t i, uintptr_t address);
/* Returns whether the address is in any fibre's stack, and sets its offset
 * there. */
bool fibre_offset(uintptr_t address, uintptr_t *offset);

#endif
