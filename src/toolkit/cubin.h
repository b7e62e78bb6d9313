/*
 * cubin: what the file of a kernel's machine code says of it: an ELF file with
 * sections of NVIDIA's (.nv.info, .nv.shared, .nv.constant3).
 */
#ifndef TOOLKIT_CUBIN_H
#define TOOLKIT_CUBIN_H

#include "base/base.h"

#define CUBIN_PARAMETERS 64
#define CUBIN_BANKS 5

struct cubin {
	uint32_t arch;			/* 90 */
	char *entry;			/* mangled */
	int registers;			/* NA: not said */
	int stack;			/* bytes of local memory of a thread */
	uint32_t shared;		/* bytes, static, of a block */
	uint32_t parameter_bytes;
	struct { uint32_t offset, size; } parameters[CUBIN_PARAMETERS];
	uint32_t parameter_count;
	/* Constants of banks 2 to 4; NULL: none. */
	struct cubin_bank { uint8_t *data; uint32_t bytes; } banks[CUBIN_BANKS];
	char *entries;			/* names of all kernels, by ", " */
};

/* Reads a cubin's kernel `entry`, as in the code or as in the source; NULL: the
 * only one. EXIT_INPUT: it is damaged, or an architecture that is not covered;
 * EXIT_USAGE: it has no such kernel. */
int cubin_read(struct cubin *c, const void *data, size_t length,
	       const char *entry, struct error *e);
void cubin_done(struct cubin *c);

#endif
