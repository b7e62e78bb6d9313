/*
 * kernel_text: a user's text and its headers as a compiler gets them: without
 * the parts that only the host runs, and without the definitions that -D
 * replaces.
 */
#ifndef RECORD_KERNEL_TEXT_H
#define RECORD_KERNEL_TEXT_H

#include "record/strip_host.h"
#include "protocol/job.h"

struct kernel_text {
	struct strip_host_text own;
	struct job_defines headers;	/* names and texts */
};

/* Prepares the text. -1 with e (EXIT_USAGE) when a name of -D is not a
 * macro. */
int kernel_text_make(struct kernel_text *t, const struct job_kernel *k,
		     const char *text, size_t length, struct error *e);
void kernel_text_done(struct kernel_text *t);

#endif
