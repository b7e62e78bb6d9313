/*
 * stream_order: see stream_order.h.
 */
#include "emu/stream_order.h"

#include "emu/host_race.h"
#include "emu/stream_race.h"

enum { LEGACY, PER_THREAD, FIRST_OWN };
#define OWN_FROM 17	/* the handle of the first stream that is made */

static struct {
	struct stream_clock of[STREAMS_MOST], host;
	uint32_t last[STREAMS_MOST];	/* work that was begun */
	bool apart[STREAMS_MOST];	/* not blocking */
	bool several;
	bool per_thread;	/* the default stream is each thread's own */
} order;

static uint32_t number_of(cudaStream_t s)
{
	uintptr_t n = (uintptr_t)s;

	if (n < OWN_FROM)
		return n == 2 || (n == 0 && order.per_thread) ? PER_THREAD :
								LEGACY;
	return (uint32_t)MIN(n - OWN_FROM + FIRST_OWN, STREAMS_MOST - 1u);
}

static void join(struct stream_clock *to, const struct stream_clock *from)
{
	for (size_t i = 0; i < STREAMS_MOST; i++)
		to->done[i] = MAX(to->done[i], from->done[i]);
}

void stream_new(cudaStream_t s, bool blocking)
{
	uint32_t n = number_of(s);

	order.several = true;
	order.apart[n] = !blocking;
	if (!blocking)
		order.of[n] = (struct stream_clock){ .done = { 0 } };
}

/* The legacy stream is behind all blocking ones ... */
static struct stream_clock *behind(uint32_t n)
{
	for (size_t i = 0; n == LEGACY && i < STREAMS_MOST; i++)
		if (!order.apart[i])
			join(&order.of[LEGACY], &order.of[i]);
	return &order.of[n];
}

/* ... and they are behind it. */
static void before(uint32_t n)
{
	for (size_t i = 0; n == LEGACY && i < STREAMS_MOST; i++)
		if (!order.apart[i])
			join(&order.of[i], &order.of[LEGACY]);
}

struct stream_work stream_begin(cudaStream_t s)
{
	uint32_t n = number_of(s);

	order.several |= (n == PER_THREAD) != order.per_thread;
	behind(n)->done[n] = ++order.last[n];
	before(n);
	return (struct stream_work) { n, order.last[n] };
}

void stream_mark(cudaStream_t s, struct stream_clock *to)
{
	*to = *behind(number_of(s));
}

void stream_wait(cudaStream_t s, const struct stream_clock *event)
{
	uint32_t n = number_of(s);

	join(behind(n), event);
	before(n);
}

void stream_finish_event(const struct stream_clock *event)
{
	join(&order.host, event);
	host_race_waited();
	stream_race_waited();
}

void stream_finish(cudaStream_t s)
{
	stream_finish_event(behind(number_of(s)));
}

void stream_finish_all(void)
{
	for (size_t i = 0; i < STREAMS_MOST; i++)
		order.host.done[i] = order.last[i];
	host_race_waited();
	stream_race_waited();
}

bool stream_finished(struct stream_work w)
{
	return order.host.done[w.stream] >= w.number;
}

bool stream_ordered(struct stream_work before, struct stream_work now)
{
	return order.of[now.stream].done[before.stream] >= before.number ||
	       stream_finished(before);
}

bool stream_several(void)
{
	return order.several;
}

/* nvcc --default-stream per-thread */
int gemmviz_per_thread(void);
int gemmviz_per_thread(void)
{
	order.per_thread = true;
	return 0;
}
