/*
 * entry: how a program's kernels are called. The host calls a kernel as any
 * function, with all that C++ does for arguments; the kernel's first bytes,
 * which the compiler leaves free, lead to entry_called() instead, with the
 * arguments where the calling convention has them. With these, each thread then
 * calls the kernel, in this module or in another of the same text.
 */
#ifndef EMU_ENTRY_H
#define EMU_ENTRY_H

#include "base/base.h"

/* Bytes that the compiler leaves free: -fpatchable-function-entry. */
#define ENTRY_BYTES 24

/* The arguments of a call. */
struct entry_call {
	uint64_t integer[6];
	unsigned char real[8][16];
	uint64_t stack;		/* where those are that are on the stack */
	uint64_t kernel;	/* the address that was called */
};

/* Whether programs can be run on this machine. */
bool entry_possible(void);
/* Makes the kernel at this address lead to entry_called(); its page must be
 * writable. */
void entry_patch(unsigned char *kernel);
/* Whoever runs programs: a kernel was called. */
void entry_called(const struct entry_call *c);
/* Calls the code with the arguments, of which `words` of 8 bytes are on the
 * stack. */
void entry_run(const struct entry_call *c, const void *stack, size_t words,
	       uintptr_t code);

#endif
