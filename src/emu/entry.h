/*
 * entry: redirects a program's kernels. The host calls a kernel as any
 * function, with all that C++ does for arguments; the kernel's first bytes,
 * which the compiler leaves free, jump to entry_called() instead, with the
 * arguments where the calling convention puts them. With these arguments each
 * thread then calls the kernel, in this module or in another of the same text.
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

/* Returns whether programs can run on this machine (x86-64). */
bool entry_possible(void);
/* Writes a jump to entry_called() into the kernel's first bytes, whose page
 * must be writable. */
void entry_patch(unsigned char *kernel);
/* Handles the call of a kernel. Defined by the code that runs programs. */
void entry_called(const struct entry_call *c);
/* Calls `code` with a call's register arguments and `words` 8-byte words of
 * stack arguments. */
void entry_run(const struct entry_call *c, const void *stack, size_t words,
	       uintptr_t code);

#endif
