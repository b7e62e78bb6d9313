/*
 * calls: lists of system calls for filters of seccomp(2): what compilers need,
 * and how a list gets into a filter. The functions return 0, or a negative
 * errno of libseccomp.
 */
#ifndef RECORD_CALLS_H
#define RECORD_CALLS_H

#include <seccomp.h>
#include <stddef.h>

/* Applies an action to all calls of a list; unknown names are skipped. */
int calls_all(scmp_filter_ctx f, uint32_t action, const char *const *names,
	      size_t count);
/* Lets a call pass when argument `argument` has one of these values, in all of
 * its 64 bits. */
int calls_values(scmp_filter_ctx f, int call, unsigned argument,
		 const scmp_datum_t *values, size_t count);
/* Lets the calls pass that a compiler and an assembler make, but for those that
 * start a process or send a signal. Calls that change a file's owner,
 * permissions or times succeed without effect. */
int calls_compiler(scmp_filter_ctx f);

#endif
