/*
 * strip_host: what of a reader's own text the host alone runs. A file with a
 * kernel has a main() more often than not, and functions that allocate, launch
 * and check; a recorder needs none of them, and compiles none of what they
 * need.
 */
#ifndef RECORD_STRIP_HOST_H
#define RECORD_STRIP_HOST_H

#include "base/base.h"

struct strip_host_kernel {
	char *name;
	bool template;
	/* A template's arguments in the text's first launch, or NULL. */
	char *arguments;
};

struct strip_host_text {
	/* As long as what was read and line for line the same, with blanks
	 * for the host's functions. */
	char *text;
	/* Its __global__ functions, in order; none: nothing was blanked. */
	struct strip_host_kernel *kernels;
	size_t kernel_count, capacity;
};

void strip_host_read(struct strip_host_text *h, const char *text,
		     size_t length);
void strip_host_done(struct strip_host_text *h);

/* The kernel of this name, or of these arguments of it, "tiled<float, 16>";
 * NULL: it has none. */
const struct strip_host_kernel *
user_kernel_find(const struct strip_host_text *h, const char *entry);
/* -1 with e (EXIT_USAGE): why a text has no kernel `entry`, or none at all
 * (NULL). A template by itself is none. */
int strip_host_no_kernel(const struct strip_host_text *h, const char *entry,
			 struct error *e);

#endif
