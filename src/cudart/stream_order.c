/*
 * stream_order: see stream_order.h.
 */
#include "cudart/stream_order.h"

#include "cudart/devices.h"
#include "cudart/host_race.h"
#include "cudart/pending_launch.h"
#include "cudart/stream_race.h"

/* Each device has two default streams, the legacy one and that of its only
 * thread; streams that the program makes come after all of these. */
#define DEFAULT_STREAMS 2
#define OWN_FROM 17	/* the handle of the first stream that is made */

static struct {
	struct stream_clock of[STREAMS_MOST], host;
	uint32_t last[STREAMS_MOST];	/* work that was begun */
	uint32_t device[STREAMS_MOST];	/* of those that the program makes */
	bool apart[STREAMS_MOST];	/* not blocking */
	uint32_t count;
	bool several;
	bool per_thread;	/* the default stream is each thread's own */
} order;

struct stream_library stream_library;

static uint32_t first_own(void)
{
	return DEFAULT_STREAMS * devices.count;
}

static uint32_t stream_index(cudaStream_t s)
{
	uintptr_t n = (uintptr_t)s;
	uint32_t at = DEFAULT_STREAMS * devices.current;

	if (n < OWN_FROM)
		at += n == 2 || (n == 0 && order.per_thread);
	else
		at = (uint32_t)MIN(n - OWN_FROM + first_own(),
				   STREAMS_MOST - 1u);
	order.count = MAX(MAX(order.count, first_own()), at + 1);
	return at;
}

static uint32_t device_of(uint32_t n)
{
	return n < first_own() ? n / DEFAULT_STREAMS : order.device[n];
}

static bool is_legacy(uint32_t n)
{
	return n < first_own() && n % DEFAULT_STREAMS == 0;
}

uint32_t stream_device(cudaStream_t s)
{
	return device_of(stream_index(s));
}

uint32_t stream_number(cudaStream_t s)
{
	uintptr_t n = (uintptr_t)s;

	return n < OWN_FROM ? 0 : (uint32_t)(n - OWN_FROM + 1);
}

bool stream_legacy(cudaStream_t s)
{
	return is_legacy(stream_index(s));
}

bool stream_blocking(cudaStream_t s)
{
	return !order.apart[stream_index(s)];
}

static void join_clocks(struct stream_clock *to,
			const struct stream_clock *from)
{
	for (size_t i = 0; i < order.count; i++)
		to->done[i] = MAX(to->done[i], from->done[i]);
	to->turn = MAX(to->turn, from->turn);
}

void stream_new(cudaStream_t s, bool blocking)
{
	uint32_t n = stream_index(s);

	order.several = true;
	order.apart[n] = !blocking;
	order.device[n] = devices.current;
	if (!blocking) {
		order.of[n] = (struct stream_clock){ .done = { 0 } };
		order.of[n].done[n] = order.last[n];
	} else {
		/* What the legacy stream was given before comes first, too. */
		join_clocks(&order.of[n],
			    &order.of[DEFAULT_STREAMS * devices.current]);
	}
}

/* Returns whether a legacy stream of the device waits for this stream, and this
 * one for it. */
static bool is_blocking(uint32_t n, uint32_t device)
{
	return !order.apart[n] && device_of(n) == device;
}

/* Joins the clocks of all blocking streams of its device, after which it comes,
 * into a legacy stream's clock; returns the stream's clock. */
static struct stream_clock *join_blocking_streams(uint32_t n)
{
	for (uint32_t i = 0; is_legacy(n) && i < order.count; i++)
		if (is_blocking(i, device_of(n)))
			join_clocks(&order.of[n], &order.of[i]);
	return &order.of[n];
}

/* Joins a legacy stream's clock into those of all blocking streams of its
 * device, which come after it. */
static void join_into_blocking_streams(uint32_t n)
{
	for (uint32_t i = 0; is_legacy(n) && i < order.count; i++)
		if (is_blocking(i, device_of(n)))
			join_clocks(&order.of[i], &order.of[n]);
}

/* Starts the next work of a stream, which comes after all in its clock. */
static struct stream_work begin_next_work(uint32_t n)
{
	struct stream_clock *c = join_blocking_streams(n);

	c->done[n] = ++order.last[n];
	c->turn = MAX(c->turn, order.host.turn) + 1;
	return (struct stream_work) { n, order.last[n], c->turn };
}

struct stream_work stream_begin(cudaStream_t s)
{
	struct stream_work w;

	if (pending_begun(&w))
		return w;
	pending_refuse(s);
	return stream_begin_later(s);
}

struct stream_work stream_begin_later(cudaStream_t s)
{
	uint32_t n = stream_index(s);
	struct stream_work w;

	order.several |= (n % DEFAULT_STREAMS == 1) != order.per_thread;
	order.several |= devices.current > 0;
	w = begin_next_work(n);
	join_into_blocking_streams(n);
	return w;
}

struct stream_work stream_begin_alone(uint32_t of)
{
	uint32_t n = stream_index((cudaStream_t)1);
	struct stream_work w;

	order.several = true;
	for (uint32_t i = 0; i < order.count; i++)
		if (of >> device_of(i) & 1)
			join_clocks(&order.of[n], &order.of[i]);
	w = begin_next_work(n);
	join_into_blocking_streams(n);
	for (uint32_t i = 0; i < order.count; i++)
		if (of >> device_of(i) & 1)
			join_clocks(&order.of[i], &order.of[n]);
	return w;
}

void stream_mark(cudaStream_t s, struct stream_clock *to)
{
	*to = *join_blocking_streams(stream_index(s));
}

void stream_wait(cudaStream_t s, const struct stream_clock *event)
{
	uint32_t n = stream_index(s);

	join_clocks(join_blocking_streams(n), event);
	join_into_blocking_streams(n);
}

void stream_finish_event(const struct stream_clock *event)
{
	pending_await(event);
	if (stream_library.host_waits)
		stream_library.host_waits(event);
	join_clocks(&order.host, event);
	host_race_waited();
	stream_race_waited();
}

void stream_finish(cudaStream_t s)
{
	stream_finish_event(join_blocking_streams(stream_index(s)));
}

void stream_finish_device(uint32_t device)
{
	struct stream_clock all = { .turn = 0 };

	for (uint32_t i = 0; i < order.count; i++)
		if (device_of(i) == device)
			join_clocks(&all, &order.of[i]);
	stream_finish_event(&all);
}

void stream_finish_all(void)
{
	for (uint32_t i = 0; i < devices.count; i++)
		stream_finish_device(i);
}

bool stream_finished(struct stream_work w)
{
	return order.host.done[w.stream] >= w.number;
}

bool stream_finished_event(const struct stream_clock *event)
{
	for (size_t i = 0; i < order.count; i++)
		if (event->done[i] > order.host.done[i])
			return false;
	return true;
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

/* Sets what nvcc --default-stream per-thread does. */
int gemmviz_per_thread(void);
int gemmviz_per_thread(void)
{
	order.per_thread = true;
	return 0;
}
