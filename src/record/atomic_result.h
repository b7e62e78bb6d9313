/*
 * atomic_result: whether a kernel uses the value that an atomic function
 * returns. A thread that does knows which atomics at that address came before
 * its own.
 */
#ifndef RECORD_ATOMIC_RESULT_H
#define RECORD_ATOMIC_RESULT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Tests whether the result of an atomic...() in this line of the text, from 1,
 * is used: false when each one there is a statement by itself. True where none
 * is found.
 */
bool atomic_result_used(const char *text, uint32_t line);

#endif
