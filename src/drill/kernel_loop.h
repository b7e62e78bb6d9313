/* kernel_loop: the loop over tiles of a kernel of the table, reduced to shared
 * memory: threads store, then load what others have stored. */
#ifndef DRILL_KERNEL_LOOP_H
#define DRILL_KERNEL_LOOP_H

#include "kernels/kernels.h"

#define KERNEL_LOOP_LINES 8

struct kernel_loop {
	/* Those that touch shared memory, with the loops right around them; the
	 * number is the text's. */
	struct { int number; char *text; } lines[KERNEL_LOOP_LINES];
	int count;
	int store, load;	/* index of the last line that does */
	/* The line of the barrier after each of these; 0: there is none. */
	int barrier[2];
};

/* Reads the loop from the kernel's text. Returns false if there is no loop of
 * this kind, or one with more lines. */
bool kernel_loop_read(struct kernel_loop *l, const struct kernel *k);
void kernel_loop_done(struct kernel_loop *l);

#endif
