/*
 * memory: malloc(), calloc() and realloc() of the whole program, its libraries
 * included: where the C library's find no memory, fatal() ends the program, so
 * that no library's answer is another one for want of it.
 *
 * Each program links this file itself, because it is in no library's interest
 * to have its tests without valgrind's own malloc().
 */
#include <config.h>

#include "base/base.h"

/* The address sanitizer's are its own. */
#ifndef SANITIZED

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);

void *malloc(size_t size)
{
	void *p = __libc_malloc(size);

	if (!p)
		fatal("out of memory (%zu bytes)", size);
	return p;
}

void *calloc(size_t count, size_t size)
{
	void *p = __libc_calloc(count, size);

	if (!p)
		fatal("out of memory (%zu x %zu bytes)", count, size);
	return p;
}

/* Frees p when size is 0; otherwise ends the program when memory runs out. */
void *realloc(void *p, size_t size)
{
	void *other = __libc_realloc(p, size);

	if (!other && size)
		fatal("out of memory (%zu bytes)", size);
	return other;
}

#endif
