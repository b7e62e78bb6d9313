/*
 * gemmviz_atomic: cuda::atomic, cuda::atomic_ref and their fences, for kernels
 * and for the host. The recorder is told what each operation orders for whom
 * (atomics.c); it is done here, behind that, where nobody else can come between.
 */
#ifndef GEMMVIZ_ATOMIC_H
#define GEMMVIZ_ATOMIC_H

#include <atomic>
#include <type_traits>

#include "gemmviz_scope.h"
#include "gemmviz_std.h"

extern "C" {
void gemmviz_ordered(void *at, size_t bytes, unsigned int how,
		     const void *compare, unsigned int fails, void *here);
void gemmviz_fence(unsigned int how);
}

namespace cuda {

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

/* As atomics.c has them. */
enum { GEMMVIZ_READS = 1, GEMMVIZ_WRITES = 2, GEMMVIZ_ACQUIRES = 4,
       GEMMVIZ_RELEASES = 8, GEMMVIZ_NEAR = 16, GEMMVIZ_SYSTEM = 32,
       GEMMVIZ_ALONE = 64 };
GEMMVIZ_QUIET unsigned int gemmviz_order(memory_order order, thread_scope scope)
{
	bool acquires = order == memory_order_acquire ||
			order == memory_order_consume;
	bool releases = order == memory_order_release;
	bool both = order == memory_order_acq_rel ||
		    order == memory_order_seq_cst;

	return (acquires || both ? GEMMVIZ_ACQUIRES : 0) |
	       (releases || both ? GEMMVIZ_RELEASES : 0) |
	       (scope == thread_scope_block ? GEMMVIZ_NEAR : 0) |
	       (scope == thread_scope_system ? GEMMVIZ_SYSTEM : 0) |
	       (scope == thread_scope_thread ? GEMMVIZ_ALONE : 0);
}
/* What compare_exchange() of one order does where it fails. */
GEMMVIZ_QUIET memory_order gemmviz_failing(memory_order order)
{
	return order == memory_order_acq_rel ? memory_order_acquire :
	       order == memory_order_release ? memory_order_relaxed : order;
}

/* Of a value of the type T at self.gemmviz_at(), for kernels that call their
 * threads' objects volatile, too. */
#define GEMMVIZ_TOLD(how, compare, fails, order) \
	gemmviz_ordered(at, sizeof(T), (how) | gemmviz_order(order, Scope), \
			compare, fails, here)
#define GEMMVIZ_FETCH(name, parameter, result) \
	GEMMVIZ_BARE T name(parameter v, \
			    memory_order o = memory_order_seq_cst) \
		const volatile \
	{ \
		T *at = self(); \
		void *here = GEMMVIZ_HERE; \
		GEMMVIZ_TOLD(GEMMVIZ_READS | GEMMVIZ_WRITES, 0, 0, o); \
		T old = *at; \
		*at = result; \
		return old; \
	}
#define GEMMVIZ_ASSIGN(operation, parameter, result) \
	GEMMVIZ_BARE T operator operation(parameter v) const volatile \
	{ \
		T *at = self(); \
		void *here = GEMMVIZ_HERE; \
		GEMMVIZ_TOLD(GEMMVIZ_READS | GEMMVIZ_WRITES, 0, 0, \
			     memory_order_seq_cst); \
		T old = *at; \
		return *at = result; \
	}
#define GEMMVIZ_STEP(operation, by) \
	GEMMVIZ_BARE T operator operation() const volatile \
	{ \
		T *at = self(); \
		void *here = GEMMVIZ_HERE; \
		GEMMVIZ_TOLD(GEMMVIZ_READS | GEMMVIZ_WRITES, 0, 0, \
			     memory_order_seq_cst); \
		return *at += by; \
	} \
	GEMMVIZ_BARE T operator operation(int) const volatile \
	{ \
		T *at = self(); \
		void *here = GEMMVIZ_HERE; \
		GEMMVIZ_TOLD(GEMMVIZ_READS | GEMMVIZ_WRITES, 0, 0, \
			     memory_order_seq_cst); \
		T old = *at; \
		*at += by; \
		return old; \
	}

template <class T, thread_scope Scope, class Self> struct gemmviz_atomic_any {
	static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 16,
		      "an atomic's type is one that is copied as its bytes, "
		      "at most 16");
	typedef T value_type;
	static constexpr bool is_always_lock_free = sizeof(T) <= 8;

	GEMMVIZ_BARE bool is_lock_free() const volatile
	{ return is_always_lock_free; }
	GEMMVIZ_BARE T load(memory_order o = memory_order_seq_cst) const
		volatile
	{ return loaded(o, GEMMVIZ_HERE); }
	GEMMVIZ_BARE operator T() const volatile
	{ return loaded(memory_order_seq_cst, GEMMVIZ_HERE); }
	GEMMVIZ_BARE void store(T v, memory_order o = memory_order_seq_cst)
		const volatile
	{ stored(v, o, GEMMVIZ_HERE); }
	GEMMVIZ_FETCH(exchange, T, v)
	GEMMVIZ_BARE bool compare_exchange_strong(T &is, T v, memory_order o,
						  memory_order fails) const
		volatile
	{ return swapped(is, v, o, fails, GEMMVIZ_HERE); }
	GEMMVIZ_BARE bool compare_exchange_weak(T &is, T v, memory_order o,
						memory_order fails) const
		volatile
	{ return swapped(is, v, o, fails, GEMMVIZ_HERE); }
	GEMMVIZ_BARE bool
	compare_exchange_strong(T &is, T v,
				memory_order o = memory_order_seq_cst) const
		volatile
	{ return swapped(is, v, o, gemmviz_failing(o), GEMMVIZ_HERE); }
	GEMMVIZ_BARE bool
	compare_exchange_weak(T &is, T v,
			      memory_order o = memory_order_seq_cst) const
		volatile
	{ return swapped(is, v, o, gemmviz_failing(o), GEMMVIZ_HERE); }
	/* Until it is another: who waits asks again and again. */
	GEMMVIZ_BARE void wait(T old, memory_order o = memory_order_seq_cst)
		const volatile
	{
		T now = old;

		do
			now = loaded(o, GEMMVIZ_HERE);
		while (!__builtin_memcmp(&now, &old, sizeof(T)));
	}
	GEMMVIZ_BARE void notify_one() const volatile {}
	GEMMVIZ_BARE void notify_all() const volatile {}
protected:
	GEMMVIZ_BARE T *self() const volatile
	{
		return const_cast<T *>(
			static_cast<const volatile Self *>(this)->gemmviz_at());
	}
	GEMMVIZ_BARE T loaded(memory_order o, void *here) const volatile
	{
		T *at = self();

		GEMMVIZ_TOLD(GEMMVIZ_READS, 0, 0, o);
		return *at;
	}
	GEMMVIZ_BARE void stored(T v, memory_order o, void *here) const volatile
	{
		T *at = self();

		GEMMVIZ_TOLD(GEMMVIZ_WRITES, 0, 0, o);
		*at = v;
	}
	/* `is` is the caller's own, most often a variable. */
	GEMMVIZ_BARE bool swapped(T &is, T v, memory_order o,
				  memory_order fails, void *here) const volatile
	{
		T *at = self();

		GEMMVIZ_TOLD(GEMMVIZ_READS | GEMMVIZ_WRITES, &is,
			     GEMMVIZ_READS | gemmviz_order(fails, Scope), o);
		T old = *at;
		if (__builtin_memcmp(&old, &is, sizeof(T))) {
			is = old;
			return false;
		}
		*at = v;
		return true;
	}
};

template <class T, thread_scope Scope, class Self> struct gemmviz_atomic_sum
	: gemmviz_atomic_any<T, Scope, Self> {
	using gemmviz_atomic_any<T, Scope, Self>::self;
	GEMMVIZ_FETCH(fetch_add, T, old + v)
	GEMMVIZ_FETCH(fetch_sub, T, old - v)
	GEMMVIZ_FETCH(fetch_min, T, v < old ? v : old)
	GEMMVIZ_FETCH(fetch_max, T, old < v ? v : old)
	GEMMVIZ_ASSIGN(+=, T, old + v)
	GEMMVIZ_ASSIGN(-=, T, old - v)
};
template <class T, thread_scope Scope, class Self> struct gemmviz_atomic_whole
	: gemmviz_atomic_sum<T, Scope, Self> {
	using gemmviz_atomic_any<T, Scope, Self>::self;
	GEMMVIZ_FETCH(fetch_and, T, old & v)
	GEMMVIZ_FETCH(fetch_or, T, old | v)
	GEMMVIZ_FETCH(fetch_xor, T, old ^ v)
	GEMMVIZ_ASSIGN(&=, T, old & v)
	GEMMVIZ_ASSIGN(|=, T, old | v)
	GEMMVIZ_ASSIGN(^=, T, old ^ v)
	GEMMVIZ_STEP(++, 1)
	GEMMVIZ_STEP(--, -1)
};
template <class T, thread_scope Scope, class Self> struct gemmviz_atomic_pointer
	: gemmviz_atomic_any<T, Scope, Self> {
	using gemmviz_atomic_any<T, Scope, Self>::self;
	GEMMVIZ_FETCH(fetch_add, ptrdiff_t, old + v)
	GEMMVIZ_FETCH(fetch_sub, ptrdiff_t, old - v)
	GEMMVIZ_ASSIGN(+=, ptrdiff_t, old + v)
	GEMMVIZ_ASSIGN(-=, ptrdiff_t, old - v)
	GEMMVIZ_STEP(++, 1)
	GEMMVIZ_STEP(--, -1)
};
#undef GEMMVIZ_TOLD
#undef GEMMVIZ_FETCH
#undef GEMMVIZ_ASSIGN
#undef GEMMVIZ_STEP

template <class T, thread_scope Scope, class Self>
using gemmviz_atomic_base = typename std::conditional<
	std::is_integral<T>::value && !std::is_same<T, bool>::value,
	gemmviz_atomic_whole<T, Scope, Self>, typename std::conditional<
	std::is_floating_point<T>::value,
	gemmviz_atomic_sum<T, Scope, Self>, typename std::conditional<
	std::is_pointer<T>::value, gemmviz_atomic_pointer<T, Scope, Self>,
	gemmviz_atomic_any<T, Scope, Self>>::type>::type>::type;

template <class T, thread_scope Scope = thread_scope_system> struct atomic
	: gemmviz_atomic_base<T, Scope, atomic<T, Scope>> {
	__attribute__((aligned(sizeof(T) & (sizeof(T) - 1) ? alignof(T) :
			       sizeof(T)))) T gemmviz_value;

	atomic() = default;
	GEMMVIZ_BARE constexpr atomic(T v) : gemmviz_value(v) {}
	atomic(const atomic &) = delete;
	atomic &operator=(const atomic &) = delete;
	atomic &operator=(const atomic &) volatile = delete;
	GEMMVIZ_BARE T operator=(T v) volatile
	{
		this->stored(v, memory_order_seq_cst, GEMMVIZ_HERE);
		return v;
	}
	GEMMVIZ_BARE const volatile T *gemmviz_at() const volatile
	{ return &gemmviz_value; }
};

template <class T, thread_scope Scope = thread_scope_system> struct atomic_ref
	: gemmviz_atomic_base<T, Scope, atomic_ref<T, Scope>> {
	static constexpr size_t required_alignment = sizeof(T);
	T *gemmviz_to;

	GEMMVIZ_BARE explicit atomic_ref(T &of) : gemmviz_to(&of) {}
	atomic_ref(const atomic_ref &) = default;
	atomic_ref &operator=(const atomic_ref &) = delete;
	GEMMVIZ_BARE T operator=(T v) const
	{
		this->stored(v, memory_order_seq_cst, GEMMVIZ_HERE);
		return v;
	}
	GEMMVIZ_BARE const volatile T *gemmviz_at() const volatile
	{ return gemmviz_to; }
};

template <thread_scope Scope> struct gemmviz_flag {
	atomic<int, Scope> gemmviz_set;

	gemmviz_flag() = default;
	GEMMVIZ_BARE constexpr gemmviz_flag(bool set) : gemmviz_set(set) {}
	GEMMVIZ_BARE bool
	test_and_set(memory_order o = memory_order_seq_cst) volatile
	{
		int *at = const_cast<int *>(gemmviz_set.gemmviz_at()), was;

		gemmviz_ordered(at, sizeof(*at),
				GEMMVIZ_READS | GEMMVIZ_WRITES |
					gemmviz_order(o, Scope),
				0, 0, GEMMVIZ_HERE);
		was = *at;
		*at = 1;
		return was;
	}
	GEMMVIZ_BARE bool
	test(memory_order o = memory_order_seq_cst) const volatile
	{
		const volatile int *at = gemmviz_set.gemmviz_at();

		gemmviz_ordered(const_cast<int *>(at), sizeof(*at),
				GEMMVIZ_READS | gemmviz_order(o, Scope), 0, 0,
				GEMMVIZ_HERE);
		return *at;
	}
	GEMMVIZ_BARE void clear(memory_order o = memory_order_seq_cst) volatile
	{
		int *at = const_cast<int *>(gemmviz_set.gemmviz_at());

		gemmviz_ordered(at, sizeof(*at),
				GEMMVIZ_WRITES | gemmviz_order(o, Scope), 0, 0,
				GEMMVIZ_HERE);
		*at = 0;
	}
};
typedef gemmviz_flag<thread_scope_system> atomic_flag;

GEMMVIZ_QUIET void
atomic_thread_fence(memory_order o, thread_scope scope = thread_scope_system)
{ gemmviz_fence(gemmviz_order(o, scope)); }
GEMMVIZ_QUIET void atomic_signal_fence(memory_order) {}

namespace std {
using ::cuda::atomic_flag;
using ::cuda::atomic_signal_fence;
using ::cuda::atomic_thread_fence;
template <class T> using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
typedef atomic<bool> atomic_bool;
typedef atomic<int> atomic_int;
typedef atomic<unsigned int> atomic_uint;
typedef atomic<long long> atomic_llong;
typedef atomic<unsigned long long> atomic_ullong;
typedef atomic<size_t> atomic_size_t;
}

}

#endif
