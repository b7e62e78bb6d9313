/*
 * stack_switch: tells the address sanitizer which stack is in use.
 */
#ifndef BASE_STACK_SWITCH_H
#define BASE_STACK_SWITCH_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define STACK_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STACK_ASAN 1
#endif
#endif
#ifdef STACK_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

/* Leaves this stack for another. What the sanitizer keeps of this one goes to
 * *fake; NULL: nothing comes back to it. */
static inline void stack_leave(void **fake, const void *low, size_t bytes)
{
	(void)fake;
	(void)low;
	(void)bytes;
#ifdef STACK_ASAN
	__sanitizer_start_switch_fiber(fake, low, bytes);
#endif
}

/* Enters a stack, as the first thing on it, new (fake: NULL) or come back to.
 * Gets the stack that was left. */
static inline void stack_arrive(void *fake, const void **low, size_t *bytes)
{
	(void)fake;
	(void)low;
	(void)bytes;
#ifdef STACK_ASAN
	__sanitizer_finish_switch_fiber(fake, low, bytes);
#endif
}

/* Clears a stack that begins anew; what was on it never returned. */
static inline void stack_clean(const void *low, size_t bytes)
{
	(void)low;
	(void)bytes;
#ifdef STACK_ASAN
	__asan_unpoison_memory_region(low, bytes);
#endif
}

#endif
