/*
 * host_team: OpenMP's runtime functions as g++ calls them (libgomp's ABI), for
 * a program's host. A team's threads are host_thread.h's; a thread yields where
 * it waits, and with each part of a loop that it takes. Tasks run where they
 * are created, which OpenMP allows.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cudart/host/host_team.h"

/* A work-sharing construct: a loop, sections or a single, and what is left of
 * it. */
struct work {
	bool begun, taken, copied;
	unsigned long long next, step;
	unsigned long long left, chunk;	/* rounds; of a part */
	void *copy;
};

struct host_omp host_omp = { .threads = HOST_PROCESSORS, .levels = 1,
			     .schedule = 1 };
static struct critical critical, atomic;

static uint32_t team_count(void)
{
	return host_now->team ? host_now->team->count : 1;
}

/* ---- barriers ---- */

struct team_round {
	const struct team *team;
	uint32_t was;
};

static bool round_over(const void *on)
{
	const struct team_round *r = on;

	return r->team->round != r->was;
}

void GOMP_barrier(void);
void GOMP_barrier(void)
{
	struct team *t = host_now->team;
	struct team_round r = { t, t ? t->round : 0 };

	if (!t)
		return;
	if (++t->come == t->count) {
		t->come = 0;
		t->round++;
		return;
	}
	host_wait(round_over, &r);
}

/* ---- teams ---- */

static void *member(void *team)
{
	const struct team *t = team;

	t->body(t->data);
	return NULL;
}

/* Returns the number of threads of the next team; `asked`: the num_threads
 * clause, or 0. */
static uint32_t choose_team_size(unsigned asked)
{
	const struct team *t = host_now->team;

	if (t && t->active >= host_omp.levels)
		return 1;
	return MIN(asked ? asked : host_omp.threads, HOST_TEAM_MOST);
}

/* Returns the team's n-th work-sharing construct, from 0; creates it if
 * needed. */
static struct work *get_work(struct team *t, uint32_t n)
{
	size_t was = t->work_count;

	if (n >= was) {
		grow(&t->works, &t->work_capacity, n + 1, sizeof(*t->works));
		memset(&t->works[was], 0, (n + 1 - was) * sizeof(*t->works));
		t->work_count = n + 1;
	}
	return &t->works[n];
}

/* Runs a parallel region with a team of threads. `first`: a work-sharing
 * construct that the body begins inside of; NULL: none. */
static void team_run(void (*body)(void *), void *data, unsigned asked,
		     const struct work *first)
{
	struct host_thread *me = host_now, *members[HOST_TEAM_MOST];
	struct team t = { .outer = me->team,
			  .outer_number = me->number,
			  .outer_work = me->work,
			  .count = choose_team_size(asked),
			  .body = body,
			  .data = data };

	t.level = t.outer ? t.outer->level + 1 : 1;
	t.active = (t.outer ? t.outer->active : 0) + (t.count > 1);
	if (first)
		*get_work(&t, 0) = *first;
	me->team = &t;
	me->number = 0;
	me->work = first != NULL;
	for (uint32_t i = 1; i < t.count; i++) {
		members[i] = host_thread_new(member, &t);
		if (!members[i])
			fatal("no memory for a team's threads");
		members[i]->team = &t;
		members[i]->number = i;
		members[i]->work = first != NULL;
	}
	body(data);
	for (uint32_t i = 1; i < t.count; i++) {
		host_wait(host_has_ended, members[i]);
		host_thread_free(members[i]);
	}
	me->team = t.outer;
	me->number = t.outer_number;
	me->work = t.outer_work;
	free(t.works);
}

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads,
		   unsigned flags);
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads,
		   unsigned flags)
{
	(void)flags;
	team_run(body, data, threads, NULL);
}

/* ---- works ---- */

/* Returns the thread's team, or a team of one outside of parallel regions. */
static struct team *current_team(void)
{
	static struct team alone = { .count = 1 };

	return host_now->team ? host_now->team : &alone;
}

/* Enters the team's next work-sharing construct and returns it. */
static struct work *enter_work(void)
{
	return get_work(current_team(), host_now->work++);
}

/* Returns the work-sharing construct that the thread is in. */
static struct work *current_work(void)
{
	return get_work(current_team(), host_now->work - 1);
}

/* Leaves the work-sharing construct. Outside of teams it is cleared for the
 * next one. */
static void leave_work(void)
{
	if (!host_now->team) {
		*current_work() = (struct work){ .begun = false };
		host_now->work--;
	}
}

/* Prepares a loop over `room` in steps of `by`, in parts of `chunk` iterations;
 * 0: one part for each of `threads` threads. */
static struct work make_loop(uint32_t threads, unsigned long long from,
			     unsigned long long step, unsigned long long room,
			     unsigned long long by, unsigned long long chunk)
{
	unsigned long long rounds = (room + by - 1) / by;

	if (!chunk)
		chunk = MAX((rounds + threads - 1) / threads, 1);
	return (struct work) { .begun = true, .next = from, .step = step,
			       .left = rounds, .chunk = chunk };
}

static struct work make_signed_loop(uint32_t threads, long from, long to,
				    long step, long chunk)
{
	bool up = step > 0, any = up ? from < to : to < from;
	unsigned long long a = (unsigned long long)from,
			   b = (unsigned long long)to,
			   by = (unsigned long long)step;

	return make_loop(threads, a, by, any ? up ? b - a : a - b : 0,
			 up ? by : 0 - by, (unsigned long long)chunk);
}

static struct work make_unsigned_loop(uint32_t threads, bool up,
				      unsigned long long from,
				      unsigned long long to,
				      unsigned long long step,
				      unsigned long long chunk)
{
	bool any = up ? from < to : to < from;

	return make_loop(threads, from, step,
			 any ? up ? to - from : from - to : 0,
			 up ? step : 0 - step, chunk);
}

/* Takes the next part of a loop, from *from to before *to; returns false if
 * none is left. */
static bool take_loop_part(struct work *w, unsigned long long *from,
			   unsigned long long *to)
{
	unsigned long long n;

	if (w->left == 0)
		return false;
	n = MIN(w->chunk, w->left);
	*from = w->next;
	*to = w->next + n * w->step;
	w->next = *to;
	w->left -= n;
	return true;
}

/* Yields, so that others can take parts, then takes one for this thread. */
static bool take_next_part(unsigned long long *from, unsigned long long *to)
{
	host_yield();
	return take_loop_part(current_work(), from, to);
}

static bool enter_loop(const struct work *made, unsigned long long *from,
		       unsigned long long *to)
{
	struct work *w = enter_work();

	if (!w->begun)
		*w = *made;
	return take_loop_part(w, from, to);
}

static void loop_run(void (*body)(void *), void *data, unsigned threads,
		     long from, long to, long step, long chunk)
{
	struct work w = make_signed_loop(choose_team_size(threads), from, to,
					 step, chunk);

	team_run(body, data, threads, &w);
}

#define ULL unsigned long long
#define LOOP_NEXT(how)                                                         \
	bool GOMP_loop_##how##_next(long *a, long *b);                         \
	bool GOMP_loop_##how##_next(long *a, long *b)                          \
	{                                                                      \
		return take_next_part((ULL *)a, (ULL *)b);                     \
	}

/* A loop that is shared out in one of several ways; `whole`: one thread does
 * it all, in order. */
#define LOOP(how, whole)                                                       \
	bool GOMP_loop_##how##_start(long from, long to, long step,            \
				     long chunk, long *a, long *b);            \
	bool GOMP_loop_##how##_start(long from, long to, long step,            \
				     long chunk, long *a, long *b)             \
	{                                                                      \
		struct work w = make_signed_loop(team_count(), from, to, step, \
						 whole ? LONG_MAX : chunk);    \
                                                                               \
		return enter_loop(&w, (ULL *)a, (ULL *)b);                     \
	}                                                                      \
	LOOP_NEXT(how)                                                         \
	bool GOMP_loop_ull_##how##_start(bool up, ULL from, ULL to, ULL step,  \
					 ULL chunk, ULL *a, ULL *b);           \
	bool GOMP_loop_ull_##how##_start(bool up, ULL from, ULL to, ULL step,  \
					 ULL chunk, ULL *a, ULL *b)            \
	{                                                                      \
		struct work w =                                                \
			make_unsigned_loop(team_count(), up, from, to, step,   \
					   whole ? LONG_MAX : chunk);          \
                                                                               \
		return enter_loop(&w, a, b);                                   \
	}                                                                      \
	bool GOMP_loop_ull_##how##_next(ULL *a, ULL *b);                       \
	bool GOMP_loop_ull_##how##_next(ULL *a, ULL *b)                        \
	{                                                                      \
		return take_next_part(a, b);                                   \
	}
#define PARALLEL_LOOP(how) \
	void GOMP_parallel_loop_##how(void (*body)(void *), void *data, \
				      unsigned threads, long from, long to, \
				      long step, long chunk, unsigned flags); \
	void GOMP_parallel_loop_##how(void (*body)(void *), void *data, \
				      unsigned threads, long from, long to, \
				      long step, long chunk, unsigned flags) \
	{ \
		(void)flags; \
		loop_run(body, data, threads, from, to, step, chunk); \
	}
LOOP(static, false)
LOOP(dynamic, false)
LOOP(guided, false)
LOOP(nonmonotonic_dynamic, false)
LOOP(nonmonotonic_guided, false)
LOOP(ordered_static, true)
LOOP(ordered_dynamic, true)
LOOP(ordered_guided, true)
PARALLEL_LOOP(static)
PARALLEL_LOOP(dynamic)
PARALLEL_LOOP(guided)
PARALLEL_LOOP(nonmonotonic_dynamic)
PARALLEL_LOOP(nonmonotonic_guided)

/* Loops scheduled as omp_set_schedule() says, or in parts of equal size. */
#define RUNTIME_LOOP(how, whole)                                               \
	bool GOMP_loop_##how##_start(long from, long to, long step, long *a,   \
				     long *b);                                 \
	bool GOMP_loop_##how##_start(long from, long to, long step, long *a,   \
				     long *b)                                  \
	{                                                                      \
		struct work w =                                                \
			make_signed_loop(team_count(), from, to, step,         \
					 whole ? LONG_MAX : host_omp.chunk);   \
                                                                               \
		return enter_loop(&w, (ULL *)a, (ULL *)b);                     \
	}                                                                      \
	LOOP_NEXT(how)
#define PARALLEL_RUNTIME_LOOP(how) \
	void GOMP_parallel_loop_##how(void (*body)(void *), void *data, \
				      unsigned threads, long from, long to, \
				      long step, unsigned flags); \
	void GOMP_parallel_loop_##how(void (*body)(void *), void *data, \
				      unsigned threads, long from, long to, \
				      long step, unsigned flags) \
	{ \
		(void)flags; \
		loop_run(body, data, threads, from, to, step, host_omp.chunk); \
	}
RUNTIME_LOOP(runtime, false)
RUNTIME_LOOP(nonmonotonic_runtime, false)
RUNTIME_LOOP(maybe_nonmonotonic_runtime, false)
RUNTIME_LOOP(ordered_runtime, true)
PARALLEL_RUNTIME_LOOP(runtime)
PARALLEL_RUNTIME_LOOP(nonmonotonic_runtime)
PARALLEL_RUNTIME_LOOP(maybe_nonmonotonic_runtime)

void GOMP_loop_end_nowait(void);
void GOMP_loop_end_nowait(void)
{
	leave_work();
}

void GOMP_loop_end(void);
void GOMP_loop_end(void)
{
	leave_work();
	GOMP_barrier();
}

/* Does nothing: one thread does all of an ordered loop. */
void GOMP_ordered_start(void);
void GOMP_ordered_start(void)
{
}

void GOMP_ordered_end(void);
void GOMP_ordered_end(void)
{
}

/* ---- sections and singles ---- */

unsigned GOMP_sections_next(void);
unsigned GOMP_sections_next(void)
{
	unsigned long long from, to;

	return take_next_part(&from, &to) ? (unsigned)from : 0;
}

unsigned GOMP_sections_start(unsigned count);
unsigned GOMP_sections_start(unsigned count)
{
	struct work made = make_signed_loop(1, 1, (long)count + 1, 1, 1);
	unsigned long long from, to;

	return enter_loop(&made, &from, &to) ? (unsigned)from : 0;
}

void GOMP_parallel_sections(void (*body)(void *), void *data, unsigned threads,
			    unsigned count, unsigned flags);
void GOMP_parallel_sections(void (*body)(void *), void *data, unsigned threads,
			    unsigned count, unsigned flags)
{
	struct work made = make_signed_loop(1, 1, (long)count + 1, 1, 1);

	(void)flags;
	team_run(body, data, threads, &made);
}

void GOMP_sections_end_nowait(void);
void GOMP_sections_end_nowait(void)
{
	leave_work();
}

void GOMP_sections_end(void);
void GOMP_sections_end(void)
{
	GOMP_loop_end();
}

bool GOMP_single_start(void);
bool GOMP_single_start(void)
{
	struct work *w = enter_work();
	bool first = !w->taken;

	w->taken = true;
	leave_work();
	return first;
}

static bool is_copied(const void *number)
{
	return get_work(current_team(), *(const uint32_t *)number)->copied;
}

void *GOMP_single_copy_start(void);
void *GOMP_single_copy_start(void)
{
	struct work *w = enter_work();
	uint32_t number = host_now->work - 1;

	if (!w->taken) {
		w->taken = true;
		return NULL;
	}
	host_wait(is_copied, &number);
	return current_work()->copy;
}

void GOMP_single_copy_end(void *data);
void GOMP_single_copy_end(void *data)
{
	current_work()->copy = data;
	current_work()->copied = true;
	leave_work();
}

/* ---- critical sections ---- */

static bool is_left(const void *critical)
{
	return !((const struct critical *)critical)->taken;
}

void host_critical_enter(struct critical *c)
{
	host_wait(is_left, c);
	c->taken = true;
}

#define CRITICAL(name, of) \
	void GOMP_##name##_start(void); \
	void GOMP_##name##_start(void) { host_critical_enter(&of); } \
	void GOMP_##name##_end(void); \
	void GOMP_##name##_end(void) { of.taken = false; }
CRITICAL(critical, critical)
CRITICAL(atomic, atomic)

void GOMP_critical_name_start(void **at);
void GOMP_critical_name_start(void **at)
{
	if (!*at)
		*at = xcalloc(1, sizeof(struct critical));
	host_critical_enter(*at);
}

void GOMP_critical_name_end(void **at);
void GOMP_critical_name_end(void **at)
{
	((struct critical *)*at)->taken = false;
}

/* ---- tasks ---- */

static void task_run(void (*body)(void *), void *data,
		     void (*copy)(void *, void *), long bytes, long align,
		     const long *range)
{
	char *room = xcalloc(1, (size_t)bytes + (size_t)align + 1);
	char *at = room + (size_t)align -
		   (uintptr_t)room % (size_t)MAX(align, 1);

	if (copy)
		copy(at, data);
	else
		memcpy(at, data, (size_t)bytes);
	if (range)
		memcpy(at, range, 2 * sizeof(*range));
	body(at);
	free(room);
}

void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *),
	       long bytes, long align, bool deferred, unsigned flags,
	       void **depend, int priority, void *detach);
void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *),
	       long bytes, long align, bool deferred, unsigned flags,
	       void **depend, int priority, void *detach)
{
	(void)deferred;
	(void)flags;
	(void)depend;
	(void)priority;
	(void)detach;
	task_run(body, data, copy, bytes, align, NULL);
}

void GOMP_taskloop(void (*body)(void *), void *data,
		   void (*copy)(void *, void *), long bytes, long align,
		   unsigned flags, unsigned long tasks, int priority,
		   long from, long to, long step);
void GOMP_taskloop(void (*body)(void *), void *data,
		   void (*copy)(void *, void *), long bytes, long align,
		   unsigned flags, unsigned long tasks, int priority,
		   long from, long to, long step)
{
	const long range[] = { from, to };

	(void)flags;
	(void)tasks;
	(void)priority;
	if (step > 0 ? from < to : to < from)
		task_run(body, data, copy, bytes, align, range);
}

#define DONE(name) \
	void GOMP_##name(void); \
	void GOMP_##name(void) { }
DONE(taskwait)
DONE(taskyield)
DONE(taskgroup_start)
DONE(taskgroup_end)
