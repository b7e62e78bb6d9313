/* triton_folder: a folder of Triton's cache: a cubin for each kernel, and a JSON
 * that names it and says how it is launched. */
#ifndef CLI_TRITON_FOLDER_H
#define CLI_TRITON_FOLDER_H

#include "base/base.h"

struct triton_kernel {
	char *path;		/* of its cubin; heap */
	char *name;		/* of the kernel; heap */
	uint32_t warps;		/* of a block; 0: not said */
	uint32_t shared;	/* bytes of dynamic shared memory of a block */
};

/* Reads the kernel `entry` of a folder; NULL: the only one. -1 with e:
 * EXIT_INPUT, no pair of .cubin and .json is readable; EXIT_USAGE, there is no
 * such kernel, or there are several: e names them. */
int triton_folder_read(struct triton_kernel *k, const char *folder,
		       const char *entry, struct error *e);
void triton_kernel_done(struct triton_kernel *k);

#endif
