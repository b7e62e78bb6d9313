/*
 * fibre: the CUDA threads of a block as coroutines of one host thread. The
 * scheduler runs a fibre until it yields or its function returns; a fibre
 * that is not run again is simply left, with all that is on its stack.
 */
#ifndef EMU_FIBRE_H
#define EMU_FIBRE_H

#include "base/base.h"

#define FIBRE_STACK (256u << 10)

/* Allocates `count` fibres; -1 with e: out of memory. Stacks are kept for the
 * next time. */
int fibres_init(size_t count, struct error *e);

/* Makes the next fibre_run() of number i begin at function(argument). */
void fibre_reset(size_t i, void (*function)(void *), void *argument);
/* Runs fibre i until it yields (true) or its function returns (false). */
bool fibre_run(size_t i);
/* Returns to fibre_run()'s caller. */
void fibre_yield(void);
/* As fibre_yield(), from a signal handler; the fibre is never resumed. */
_Noreturn void fibre_leave(void);

/* What a fibre that has yielded is: another may have its number and its stack
 * until it is put back, where its pointers into that stack are right. */
struct fibre_kept;
struct fibre_kept *fibre_keep(size_t i);
/* Frees what was kept. */
void fibre_put_back(size_t i, struct fibre_kept *kept);

/* Lowest address of a fibre's stack; an inaccessible page is below. */
uintptr_t fibre_stack(size_t i);
/* True when the address is in the page below a stack. */
bool fibre_overflow(size_t i, uintptr_t address);
/* True when the address is in some fibre's stack: where in it. */
bool fibre_offset(uintptr_t address, uintptr_t *offset);

#endif
