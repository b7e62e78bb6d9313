/*
 * pending_launch: see pending_launch.h.
 */
#include "cudart/pending_launch.h"

#include <stdlib.h>
#include <string.h>

#include "cudart/devices.h"
#include "cudart/host_thread.h"
#include "cudart/program.h"

/* A piece of work, from its call until it is done. */
struct aside {
	struct place at;
	struct stream_work work;
	struct stream_clock before;	/* what it comes after */
	void (*f)(void *with);
	bool asked;		/* for its work's number */
	bool forced;		/* the host waits for it ... */
	struct place waited;	/* ... here */
	bool (*can_go)(void);
	const char *never;	/* why it cannot be put aside; NULL: it can */
	uint32_t device, host_device;	/* current ones */
	max_align_t with[];
};

/* Work in the order in which it was asked for; each waits for those before. */
static struct aside **list;
static size_t count, capacity;
/* The work that runs now; NULL: the host does. */
static struct aside *now;

static bool is_first(const void *on)
{
	return list[0] == on;
}

static void remove_first(struct aside *a)
{
	memmove(&list[0], &list[1], --count * sizeof(*list));
	free(a);
	now = NULL;
}

static void switch_to_work(struct aside *a)
{
	now = a;
	a->host_device = devices.current;
	device_use(a->device);
}

static void switch_to_host(struct aside *a)
{
	now = NULL;
	device_use(a->host_device);
}

static void run(void *with)
{
	struct aside *a = with;

	if (!is_first(a))
		host_aside(is_first, a);
	switch_to_work(a);
	a->f(a->with);
	switch_to_host(a);
	remove_first(a);
}

void pending_do(cudaStream_t s, struct place at, void (*f)(void *with),
	      const void *with, size_t bytes, const char *never)
{
	struct aside *a;

	if (now) {
		f((void *)(uintptr_t)with);
		return;
	}
	if (count && never)
		program_unplayed(at, never);
	a = xcalloc(1, sizeof(*a) + bytes);
	a->at = at;
	a->never = never;
	a->f = f;
	a->device = devices.current;
	memcpy(a->with, with, bytes);
	stream_mark(s, &a->before);
	a->work = stream_begin_later(s);
	grow(&list, &capacity, count + 1, sizeof(*list));
	list[count++] = a;
	host_apart(run, a);
}

static bool clock_includes(const struct aside *a, const struct stream_clock *c)
{
	return c->done[a->work.stream] >= a->work.number;
}

static bool is_behind(cudaStream_t s)
{
	struct stream_clock c;

	if (!count || now)
		return false;
	stream_mark(s, &c);
	for (size_t i = 0; i < count; i++)
		if (clock_includes(list[i], &c))
			return true;
	return false;
}

void pending_refuse(cudaStream_t s)
{
	if (is_behind(s))
		program_unplayed(list[0]->at, "work of a library or a memory "
				 "pool after a kernel that waits for the host");
}

static bool is_over(const void *on)
{
	for (size_t i = 0; i < count; i++)
		if (clock_includes(list[i], on))
			return false;
	return true;
}

void pending_await(const struct stream_clock *until)
{
	struct stream_clock c = *until;

	if (count && !now)
		host_wait(is_over, &c);
}

void pending_await_stream(cudaStream_t s)
{
	struct stream_clock c;

	stream_mark(s, &c);
	pending_await(&c);
}

bool pending_ready(const struct stream_clock *until)
{
	if (!count || now)
		return true;
	host_yield();
	return is_over(until);
}

bool pending_later(cudaStream_t s, bool waits, struct place at,
		 void (*f)(void *with), const void *with, size_t bytes)
{
	if (waits)
		pending_await_stream(s);
	if (!is_behind(s))
		return false;
	pending_do(s, at, f, with, bytes, NULL);
	return true;
}

static bool is_empty(const void *on)
{
	(void)on;
	return !count;
}

void pending_await_all(void)
{
	if (count && !now)
		host_wait(is_empty, NULL);
}

bool pending_force(void)
{
	struct aside *a = count ? list[0] : NULL;

	if (!a || a->forced)
		return false;
	for (size_t i = 1; i < count; i++)
		if (!clock_includes(a, &list[i]->before))
			program_unplayed(list[i]->at, "a kernel or copy that "
					 "runs together with a kernel that "
					 "waits for later work");
	a->forced = true;
	a->waited = program_here((uintptr_t)__builtin_frame_address(0));
	return true;
}

bool pending_begun(struct stream_work *w)
{
	if (!now || now->asked)
		return false;
	now->asked = true;
	*w = now->work;
	return true;
}

/* Returns whether a launch that was put aside can go on. */
static bool goes_on(const void *on)
{
	const struct aside *a = on;

	return a->forced || a->can_go();
}

bool pending_launch_wait(bool (*can_go)(void), uint32_t *line)
{
	struct aside *a = now;

	if (!a)
		return false;
	if (!a->forced && a->never)
		program_unplayed(a->at, a->never);
	if (!a->forced) {
		a->can_go = can_go;
		switch_to_host(a);
		host_aside(goes_on, a);
		switch_to_work(a);
	}
	*line = a->waited.line;
	return !a->forced;
}
