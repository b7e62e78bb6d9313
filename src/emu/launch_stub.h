/*
 * launch_stub: redirects a program's kernels. The host calls a kernel as any
 * function, with all that C++ does for arguments; the kernel's first bytes,
 * which the compiler leaves free, jump to stub_called() instead, with the
 * arguments where the calling convention puts them. With these arguments each
 * thread then calls the kernel, in this module or in another of the same text.
 */
#ifndef EMU_LAUNCH_STUB_H
#define EMU_LAUNCH_STUB_H

#include "base/base.h"

/* Bytes that the compiler leaves free: -fpatchable-function-entry. */
#define STUB_BYTES 24

/* The arguments of a call. */
struct stub_call {
	uint64_t integer[6];
	unsigned char real[8][16];
	uint64_t stack;		/* where those are that are on the stack */
	uint64_t kernel;	/* the address that was called */
};

/* Returns whether programs can run on this machine (x86-64). */
bool stub_possible(void);
/* Returns the threads that a kernel's __launch_bounds__ allows, 0 for none, from
 * what the compiler leaves free at its beginning: ENTRY_BYTES, and a byte for
 * each. For the host's module, before stub_patch(). */
uint32_t stub_bounds(const unsigned char *kernel);
/* Writes a jump to stub_called() into the kernel's first bytes, whose page
 * must be writable. */
void stub_patch(unsigned char *kernel);
/* Handles the call of a kernel. Defined by the code that runs programs. */
void stub_called(const struct stub_call *c);
/* Calls `code` with a call's register arguments and `words` 8-byte words of
 * stack arguments. */
void stub_run(const struct stub_call *c, const void *stack, size_t words,
	       uintptr_t code);

#endif
