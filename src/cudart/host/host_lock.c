/*
 * host_lock: POSIX locks, condition variables, barriers and semaphores for a
 * program's host. Their state is stored in the lock itself, in a layout of
 * ours, not of the C library's.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>

#include "cudart/host/host_wrap.h"

/* Converts a time of a clock to a time of seconds_now(). */
double host_moment(clockid_t clock, const struct timespec *t)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return seconds_now() + (double)(t->tv_sec - now.tv_sec) +
	       (double)(t->tv_nsec - now.tv_nsec) * 1e-9;
}

/* ---- locks ---- */

/* The state of a mutex or of a lock of readers and writers. */
struct lock {
	const struct host_thread *owner;	/* that writes */
	uint32_t count;		/* how often the owner has it, or readers */
};

/* Returns a mutex's state; only its kind is the C library's. */
static struct lock *lock_of(pthread_mutex_t *m)
{
	_Static_assert(sizeof(struct lock) <= offsetof(pthread_mutex_t,
						       __data.__kind),
		       "a lock is in front of the kind");
	return (struct lock *)m;
}

static bool is_recursive(const pthread_mutex_t *m)
{
	return (m->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE;
}

static bool is_free(const void *lock)
{
	const struct lock *l = lock;

	return !l->owner && !l->count;
}

static bool is_read(const void *lock)
{
	return !((const struct lock *)lock)->owner;
}

/* Takes a mutex for the running thread; EBUSY: another has it. */
static int lock_try(pthread_mutex_t *m)
{
	struct lock *l = lock_of(m);

	if (!is_free(l) && !(l->owner == host_now && is_recursive(m)))
		return EBUSY;
	l->owner = host_now;
	l->count++;
	return 0;
}

WRAP(int, pthread_mutex_trylock, pthread_mutex_t *m)
{
	return lock_try(m);
}

WRAP(int, pthread_mutex_lock, pthread_mutex_t *m)
{
	if (lock_of(m)->owner == host_now &&
	    (m->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK)
		return EDEADLK;
	while (lock_try(m))
		host_wait(is_free, lock_of(m));
	return 0;
}

WRAP(int, pthread_mutex_clocklock, pthread_mutex_t *m, clockid_t clock,
     const struct timespec *t)
{
	double until = host_moment(clock, t);

	while (lock_try(m))
		if (!host_wait_until(is_free, lock_of(m), until))
			return ETIMEDOUT;
	return 0;
}

WRAP(int, pthread_mutex_timedlock, pthread_mutex_t *m,
     const struct timespec *t)
{
	return __wrap_pthread_mutex_clocklock(m, CLOCK_REALTIME, t);
}

WRAP(int, pthread_mutex_unlock, pthread_mutex_t *m)
{
	struct lock *l = lock_of(m);

	if (l->count && --l->count == 0)
		l->owner = NULL;
	return 0;
}

WRAP(int, pthread_spin_lock, pthread_spinlock_t *l)
{
	while (*l != 0)
		host_yield();
	*l = 1;
	return 0;
}

WRAP(int, pthread_spin_trylock, pthread_spinlock_t *l)
{
	int was = *l;

	*l = 1;
	return was ? EBUSY : 0;
}

WRAP(int, pthread_spin_unlock, pthread_spinlock_t *l)
{
	*l = 0;
	return 0;
}

static struct lock *lock_of_rw(pthread_rwlock_t *l)
{
	_Static_assert(sizeof(struct lock) <= sizeof(pthread_rwlock_t),
		       "a lock has room");
	return (struct lock *)l;
}

WRAP(int, pthread_rwlock_rdlock, pthread_rwlock_t *l)
{
	host_wait(is_read, lock_of_rw(l));
	lock_of_rw(l)->count++;
	return 0;
}

WRAP(int, pthread_rwlock_tryrdlock, pthread_rwlock_t *l)
{
	if (!is_read(lock_of_rw(l)))
		return EBUSY;
	lock_of_rw(l)->count++;
	return 0;
}

WRAP(int, pthread_rwlock_trywrlock, pthread_rwlock_t *l)
{
	if (!is_free(lock_of_rw(l)))
		return EBUSY;
	*lock_of_rw(l) = (struct lock) { host_now, 1 };
	return 0;
}

WRAP(int, pthread_rwlock_wrlock, pthread_rwlock_t *l)
{
	host_wait(is_free, lock_of_rw(l));
	return __wrap_pthread_rwlock_trywrlock(l);
}

WRAP(int, pthread_rwlock_unlock, pthread_rwlock_t *l)
{
	struct lock *lock = lock_of_rw(l);

	if (lock->count && --lock->count == 0)
		lock->owner = NULL;
	return 0;
}

/* ---- conditions, barriers, semaphores ---- */

/* Threads that wait for a condition, in order; each entry is on its thread's
 * stack. */
static struct waiting {
	const pthread_cond_t *on;
	bool called;
	struct waiting *next;
} *waiting_first;

static bool is_called(const void *waiting)
{
	return ((const struct waiting *)waiting)->called;
}

/* Waits for a condition until a time of seconds_now() (0: without limit) and
 * takes the mutex again. Returns 0 or ETIMEDOUT. */
static int condition_wait(pthread_cond_t *c, pthread_mutex_t *m, double until)
{
	struct waiting me = { .on = c }, **at = &waiting_first;
	bool called;

	while (*at)
		at = &(*at)->next;
	*at = &me;
	__wrap_pthread_mutex_unlock(m);
	if (until > 0) {
		called = host_wait_until(is_called, &me, until);
	} else {
		host_wait(is_called, &me);
		called = true;
	}
	for (at = &waiting_first; *at != &me; at = &(*at)->next)
		;
	*at = me.next;
	__wrap_pthread_mutex_lock(m);
	return called ? 0 : ETIMEDOUT;
}

/* Wakes the first waiter of a condition, or all of them. */
static int condition_call(const pthread_cond_t *c, bool all)
{
	for (struct waiting *w = waiting_first; w; w = w->next)
		if (w->on == c && !w->called) {
			w->called = true;
			if (!all)
				break;
		}
	return 0;
}

WRAP(int, pthread_cond_wait, pthread_cond_t *c, pthread_mutex_t *m)
{
	return condition_wait(c, m, 0);
}

WRAP(int, pthread_cond_clockwait, pthread_cond_t *c, pthread_mutex_t *m,
     clockid_t clock, const struct timespec *t)
{
	return condition_wait(c, m, host_moment(clock, t));
}

WRAP(int, pthread_cond_timedwait, pthread_cond_t *c, pthread_mutex_t *m,
     const struct timespec *t)
{
	return condition_wait(c, m, host_moment(CLOCK_REALTIME, t));
}

WRAP(int, pthread_cond_signal, pthread_cond_t *c)
{
	return condition_call(c, false);
}

WRAP(int, pthread_cond_broadcast, pthread_cond_t *c)
{
	return condition_call(c, true);
}

WRAP_FOR_LIBRARY(int, pthread_cond_wait,
		 (pthread_cond_t *c, pthread_mutex_t *m), (c, m))
WRAP_FOR_LIBRARY(int, pthread_cond_signal, (pthread_cond_t *c), (c))
WRAP_FOR_LIBRARY(int, pthread_cond_broadcast, (pthread_cond_t *c), (c))

struct barrier { uint32_t need, come, round; };
struct barrier_round {
	const struct barrier *of;
	uint32_t was;
};

static bool round_over(const void *round)
{
	const struct barrier_round *r = round;

	return r->of->round != r->was;
}

WRAP(int, pthread_barrier_init, pthread_barrier_t *b,
     const pthread_barrierattr_t *a __attribute__((unused)), unsigned need)
{
	struct barrier made = { .need = need };

	if (!need)
		return EINVAL;
	memcpy(b, &made, sizeof(made));
	return 0;
}

WRAP(int, pthread_barrier_destroy,
     pthread_barrier_t *b __attribute__((unused)))
{
	return 0;
}

WRAP(int, pthread_barrier_wait, pthread_barrier_t *at)
{
	struct barrier *b = (struct barrier *)at;
	struct barrier_round r = { b, b->round };

	if (++b->come == b->need) {
		b->come = 0;
		b->round++;
		return PTHREAD_BARRIER_SERIAL_THREAD;
	}
	host_wait(round_over, &r);
	return 0;
}

/* Returns whether a semaphore, which is stored as a number, is above 0. */
static bool is_up(const void *number)
{
	return *(const unsigned *)number > 0;
}

WRAP(int, sem_init, sem_t *s, int shared __attribute__((unused)),
     unsigned value)
{
	memcpy(s, &value, sizeof(value));
	return 0;
}

WRAP(int, sem_destroy, sem_t *s __attribute__((unused)))
{
	return 0;
}

WRAP(int, sem_post, sem_t *s)
{
	++*(unsigned *)s;
	return 0;
}

WRAP(int, sem_wait, sem_t *s)
{
	host_wait(is_up, s);
	--*(unsigned *)s;
	return 0;
}

WRAP(int, sem_trywait, sem_t *s)
{
	if (!is_up(s)) {
		errno = EAGAIN;
		return -1;
	}
	return __wrap_sem_wait(s);
}

WRAP(int, sem_timedwait, sem_t *s, const struct timespec *t)
{
	if (!host_wait_until(is_up, s, host_moment(CLOCK_REALTIME, t))) {
		errno = ETIMEDOUT;
		return -1;
	}
	return __wrap_sem_wait(s);
}

WRAP(int, sem_getvalue, sem_t *s, int *value)
{
	memcpy(value, s, sizeof(*value));
	return 0;
}
