/*
 * host_atomics: defines the functions that the thread sanitizer's build of a
 * program calls for atomics in its host code. That code runs in the other
 * module; here they only have to exist and do what they say.
 */
#include <stdint.h>

#define ATOMIC_FETCH(bits, word) \
	uint##bits##_t __tsan_atomic##bits##_fetch_##word( \
		volatile uint##bits##_t *at, uint##bits##_t v, int order); \
	uint##bits##_t __tsan_atomic##bits##_fetch_##word( \
		volatile uint##bits##_t *at, uint##bits##_t v, int order) \
	{ (void)order; return __atomic_fetch_##word(at, v, 5); }

#define ATOMIC_SWAP(bits, word, weak) \
	int __tsan_atomic##bits##_compare_exchange_##word( \
		volatile uint##bits##_t *at, uint##bits##_t *is, \
		uint##bits##_t v, int order, int other); \
	int __tsan_atomic##bits##_compare_exchange_##word( \
		volatile uint##bits##_t *at, uint##bits##_t *is, \
		uint##bits##_t v, int order, int other) \
	{ (void)order, (void)other; \
	  return __atomic_compare_exchange_n(at, is, v, weak, 5, 5); }

#define ATOMICS(bits) \
	uint##bits##_t __tsan_atomic##bits##_load( \
		const volatile uint##bits##_t *at, int order); \
	uint##bits##_t __tsan_atomic##bits##_load( \
		const volatile uint##bits##_t *at, int order) \
	{ (void)order; return __atomic_load_n(at, 5); } \
	void __tsan_atomic##bits##_store(volatile uint##bits##_t *at, \
					 uint##bits##_t v, int order); \
	void __tsan_atomic##bits##_store(volatile uint##bits##_t *at, \
					 uint##bits##_t v, int order) \
	{ (void)order; __atomic_store_n(at, v, 5); } \
	uint##bits##_t __tsan_atomic##bits##_exchange( \
		volatile uint##bits##_t *at, uint##bits##_t v, int order); \
	uint##bits##_t __tsan_atomic##bits##_exchange( \
		volatile uint##bits##_t *at, uint##bits##_t v, int order) \
	{ (void)order; return __atomic_exchange_n(at, v, 5); } \
	ATOMIC_FETCH(bits, add) \
	ATOMIC_FETCH(bits, sub) \
	ATOMIC_FETCH(bits, and) \
	ATOMIC_FETCH(bits, or) \
	ATOMIC_FETCH(bits, xor) \
	ATOMIC_SWAP(bits, strong, 0) \
	ATOMIC_SWAP(bits, weak, 1)

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
	(void)order;
	__atomic_thread_fence(5);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
	(void)order;
}
