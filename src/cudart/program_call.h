/*
 * program_call: makes a launch of the recorder from a program's call of a
 * kernel.
 */
#ifndef CUDART_PROGRAM_CALL_H
#define CUDART_PROGRAM_CALL_H

#include "cudart/program.h"

/* Words of arguments on the stack: a kernel has at most 32764 bytes of them
 * (CUDA 12.1 on). */
#define STACK_WORDS 4352

/* Returns how many words of a kernel's arguments may be on the stack: none
 * where registers hold all of them. */
size_t call_stack_words(const struct debug_function *f);
/* Returns whether C++ passes the address of an argument that the caller
 * made. */
bool call_by_reference(const struct debug_function *f);
/* Makes a call from the addresses of its arguments. The stack has
 * STACK_WORDS. */
void call_from_pointers(const struct program_kernel *k, void **arguments,
			struct place at, struct stub_call *c, uint64_t *stack);
/* Makes the launch of the call. */
void call_prepare(struct launch *l, const struct stub_call *c,
		  const struct program_kernel *k,
		  const struct launch_config *config);
/* Returns until which moment of seconds_now() the launch's blocks that are not
 * recorded run with the recorder's hooks. */
double call_hooks_until(void);
/* Adds an allocation as an array of bytes; a parameter may give it a type. */
void program_array_make(const struct allocation *a);
/* Makes the arrays of all allocations that the current device may use. */
void program_arrays_add(void);

#endif
