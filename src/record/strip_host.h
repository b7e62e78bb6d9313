/*
 * strip_host: removes the parts of a user's text that only the host runs. A
 * file with a kernel usually has a main() and functions that allocate, launch
 * and check; a recorder needs none of them, and does not compile them.
 */
#ifndef RECORD_STRIP_HOST_H
#define RECORD_STRIP_HOST_H

#include "protocol/job.h"

struct strip_host_kernel {
	char *name;
	bool template;
	/* A template's arguments in the text's first launch, or NULL. */
	char *arguments;
};

struct strip_host_text {
	/* The text with blanks for the host's functions: as long as the
	 * original, and with the same lines. */
	char *text;
	/* Its __global__ functions, in order; if there is none, nothing was
	 * blanked. */
	struct strip_host_kernel *kernels;
	size_t kernel_count, capacity;
};

/* Strips a text. The `headers` that come with the text, names and texts, may
 * define macros that stand for words of CUDA; NULL when there are none. If
 * `entry` is a kernel of the text, the other kernels are blanked as well; NULL
 * keeps all. */
void strip_host_read(struct strip_host_text *h, const char *text,
		     size_t length, const struct job_defines *headers,
		     const char *entry);
/* A copy of one of the headers without its host's functions. */
char *strip_host_header(const char *text, const struct job_defines *headers);
void strip_host_done(struct strip_host_text *h);

/* Finds the kernel of this name, or the template that an instance such as
 * "tiled<float, 16>" names; NULL: there is none. */
const struct strip_host_kernel *
user_kernel_find(const struct strip_host_text *h, const char *entry);
/* Sets e to why a text has no kernel `entry`, or none at all (entry NULL); -1
 * (EXIT_USAGE). A template without arguments is not a kernel. */
int strip_host_no_kernel(const struct strip_host_text *h, const char *entry,
			 struct error *e);

#endif
