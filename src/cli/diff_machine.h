/* diff_machine: the machine code of two launches next to each other: two
 * kernels, architectures or compilers. */
#ifndef CLI_DIFF_MACHINE_H
#define CLI_DIFF_MACHINE_H

#include "cli/recorded.h"
#include "machine/machine.h"

/* Compares the machine code of both launches, each of which must be the only one
 * of its side. -1 with e; EXIT_RUNNER if the tools are missing. */
int diff_machine_make(struct machine_launch m[2], struct recorded *before,
		      struct recorded *after, struct error *e);
/* Prints what they need and access; "n/a" where it is not known. */
void diff_machine_print(const struct machine_launch m[2], FILE *out);
/* Returns the same as an object with "before" and "after". */
json_t *diff_machine_json(const struct machine_launch m[2],
			  const struct recorded *before,
			  const struct recorded *after);

#endif
