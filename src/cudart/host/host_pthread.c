/*
 * host_pthread: POSIX's thread functions for a program's host, by
 * host_thread.h, and the functions that C++ waits with. host_lock.c has the
 * locks.
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cudart/host/host_wrap.h"
#include "cudart/program.h"

/* Refuses threads in a kernel, or in a file without a main(), by a system call
 * that the sandbox stops. */
static void refuse_elsewhere(void)
{
	if (emu_in_kernel() || !program.host)
		syscall(SYS_clone, 0, 0, 0, 0, 0);
}

/* ---- threads ---- */

static struct host_thread *to_host_thread(pthread_t t)
{
	return (struct host_thread *)t;
}

WRAP(int, pthread_create, pthread_t *to, const pthread_attr_t *attributes,
     void *(*start)(void *), void *with)
{
	struct host_thread *t;
	int state = PTHREAD_CREATE_JOINABLE;

	refuse_elsewhere();
	t = host_thread_new(start, with);
	if (!t)
		return EAGAIN;
	if (attributes)
		pthread_attr_getdetachstate(attributes, &state);
	t->detached = state == PTHREAD_CREATE_DETACHED;
	*to = (pthread_t)t;
	host_thread_run(t);
	return 0;
}

WRAP(int, pthread_join, pthread_t thread, void **result)
{
	struct host_thread *t = to_host_thread(thread);

	if (t == host_now)
		return EDEADLK;
	host_wait(host_has_ended, t);
	if (result)
		*result = t->result;
	host_thread_free(t);
	return 0;
}

WRAP(int, pthread_detach, pthread_t thread)
{
	to_host_thread(thread)->detached = true;
	return 0;
}

WRAP(void, pthread_exit, void *result)
{
	if (host_thread_is_main()) {
		host_thread_ending();
		host_wait(host_all_ended, NULL);
		program_exit(0);
	}
	host_thread_end(result);
}

WRAP(pthread_t, pthread_self, void)
{
	return (pthread_t)host_now;
}

WRAP_FOR_LIBRARY(int, pthread_create,
		 (pthread_t *to, const pthread_attr_t *attributes,
		  void *(*start)(void *), void *with),
		 (to, attributes, start, with))
WRAP_FOR_LIBRARY(int, pthread_join, (pthread_t thread, void **result),
		 (thread, result))
WRAP_FOR_LIBRARY(int, pthread_detach, (pthread_t thread), (thread))

/* Functions that set a property of a system thread have no effect. */
#define NOTHING(name, ...) WRAP(int, name, __VA_ARGS__) { return 0; }
NOTHING(pthread_setname_np, pthread_t t __attribute__((unused)),
	const char *name __attribute__((unused)))
NOTHING(pthread_setaffinity_np, pthread_t t __attribute__((unused)),
	size_t n __attribute__((unused)),
	const cpu_set_t *set __attribute__((unused)))

NOTHING(pthread_setschedparam, pthread_t t __attribute__((unused)),
	int how __attribute__((unused)),
	const struct sched_param *p __attribute__((unused)))

#define UNPLAYED(name, ...) \
	WRAP(int, name, __VA_ARGS__) \
	{ \
		program_unplayed(program_line((uintptr_t) \
					__builtin_return_address(0)), #name); \
	}
UNPLAYED(pthread_cancel, pthread_t t __attribute__((unused)))
UNPLAYED(pthread_kill, pthread_t t __attribute__((unused)),
	 int signal_number __attribute__((unused)))

/* ---- thread-specific data ---- */

#define KEYS_MOST 128

static struct { bool there; void (*ending)(void *); } keys[KEYS_MOST];

WRAP(int, pthread_key_create, pthread_key_t *to, void (*ending)(void *))
{
	for (pthread_key_t k = 0; k < KEYS_MOST; k++) {
		if (keys[k].there)
			continue;
		keys[k].there = true;
		keys[k].ending = ending;
		*to = k;
		return 0;
	}
	return EAGAIN;
}

WRAP(int, pthread_key_delete, pthread_key_t k)
{
	keys[k % KEYS_MOST].there = false;
	return 0;
}

WRAP(void *, pthread_getspecific, pthread_key_t k)
{
	return host_now->specific ? host_now->specific[k % KEYS_MOST] : NULL;
}

/* Calls what pthread_key_create() was given, as the thread ends. */
static void keys_ending(void)
{
	for (pthread_key_t k = 0; host_now->specific && k < KEYS_MOST; k++) {
		void *value = host_now->specific[k];

		host_now->specific[k] = NULL;
		if (value && keys[k].there && keys[k].ending)
			keys[k].ending(value);
	}
}

WRAP(int, pthread_setspecific, pthread_key_t k, const void *value)
{
	if (k >= KEYS_MOST || !keys[k].there)
		return EINVAL;
	if (!host_now->specific)
		host_now->specific = xcalloc(KEYS_MOST, sizeof(void *));
	host_now->keys_ending = keys_ending;
	host_now->specific[k] = (void *)value;
	return 0;
}

/* ---- what C++ waits with ---- */

struct word { const uint32_t *at, was; };

static bool word_changed(const void *word)
{
	const struct word *w = word;

	return *(volatile const uint32_t *)w->at != w->was;
}

static long futex_wait(const struct word *w, int how, const struct timespec *t)
{
	double until = 0;

	if (t && (how & FUTEX_CMD_MASK) == FUTEX_WAIT)
		until = seconds_now() + (double)t->tv_sec +
			(double)t->tv_nsec * 1e-9;
	else if (t)
		until = host_moment(how & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME :
			       CLOCK_MONOTONIC, t);
	if (!t)
		host_wait(word_changed, w);
	else if (!host_wait_until(word_changed, w, until)) {
		errno = ETIMEDOUT;
		return -1;
	}
	return 0;
}

/* Replaces syscall(): futex waits, of std::atomic's wait() and what is built on
 * it, give the turn to other threads. Other calls are made. */
WRAP(long, syscall, long number, ...)
{
	va_list list;
	long a[6];

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_futex && !emu_in_kernel()) {
		struct word w = { (const uint32_t *)a[0], (uint32_t)a[2] };

		if ((a[1] & FUTEX_CMD_MASK) == FUTEX_WAIT ||
		    (a[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET)
			return futex_wait(&w, (int)a[1],
					  (const struct timespec *)a[3]);
		return 0;
	}
	return syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Defines std::future's waits for a word to change, with or without a time
 * limit on a clock. Each has the name that C++ gives it. */
#define FUTEX_WORD(name, clock, cpp_name) \
	bool name(const void *me, uint32_t *at, uint32_t was, bool limited, \
		  long seconds, long nanoseconds) \
		__asm__("__wrap__ZNSt28__atomic_futex_unsigned_base" cpp_name \
			"EPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_" \
			"IlS3_ILl1ELl1000000000EEEE"); \
	bool name(const void *me, uint32_t *at, uint32_t was, bool limited, \
		  long seconds, long nanoseconds) \
	{ \
		struct word w = { at, was }; \
		struct timespec t = { seconds, nanoseconds }; \
		\
		(void)me; \
		if (limited) \
			return host_wait_until(word_changed, &w, \
					       host_moment(clock, &t)); \
		host_wait(word_changed, &w); \
		return true; \
	}
FUTEX_WORD(future_wait, CLOCK_REALTIME, "19_M_futex_wait_until")
FUTEX_WORD(future_wait_steady, CLOCK_MONOTONIC, "26_M_futex_wait_until_steady")

/* ---- yielding and sleeping ---- */

WRAP(int, sched_yield, void)
{
	host_yield();
	return 0;
}

static bool never(const void *on)
{
	(void)on;
	return false;
}

WRAP(int, nanosleep, const struct timespec *t, struct timespec *left)
{
	if (emu_in_kernel())
		return nanosleep(t, left);
	host_wait_until(never, NULL, seconds_now() + (double)t->tv_sec +
				     (double)t->tv_nsec * 1e-9);
	return 0;
}

WRAP(int, clock_nanosleep, clockid_t clock, int flags,
     const struct timespec *t, struct timespec *left)
{
	if (emu_in_kernel() || !(flags & TIMER_ABSTIME))
		return __wrap_nanosleep(t, left) ? errno : 0;
	host_wait_until(never, NULL, host_moment(clock, t));
	return 0;
}

WRAP(int, usleep, unsigned us)
{
	return __wrap_nanosleep(&(struct timespec){ us / 1000000,
						    us % 1000000 * 1000 },
				NULL);
}

WRAP(unsigned, sleep, unsigned seconds)
{
	return (unsigned)__wrap_nanosleep(&(struct timespec){ seconds, 0 },
					  NULL);
}
