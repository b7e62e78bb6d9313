/* machine_confine: what a process may do that makes machine code of a stranger's
 * text, or reads a stranger's cubin. */
#ifndef TOOLKIT_MACHINE_CONFINE_H
#define TOOLKIT_MACHINE_CONFINE_H

#include "base/base.h"

struct machine_rights {
	const char *nvdisasm;	/* the only program that it may start */
	const char *folder;	/* the only one that it may write in */
	uint64_t memory;	/* bytes */
};

/* Lets this process, and what it starts, read libraries and headers, start
 * nvdisasm, write in its folder, make the system calls of compilers, and
 * nothing else, for good. -1 with e (EXIT_REFUSED): this system cannot. */
int machine_confine(const struct machine_rights *m, struct error *e);

#endif
