/*
 * atomic_result: whether a kernel looks at what an atomic function gives it.
 * A thread that does knows which atomics at that place came before its own; one
 * that does not knows of none.
 */
#ifndef RECORD_ATOMIC_RESULT_H
#define RECORD_ATOMIC_RESULT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Of the atomic...() that stands in this line of the text, from 1: false where
 * every one there is a statement of its own. True where none is found.
 */
bool atomic_result_used(const char *text, uint32_t line);

#endif
