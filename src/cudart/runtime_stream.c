/*
 * runtime_stream: streams and events. All work is done when it is asked for, so
 * that there is nothing to wait for, and no time to measure. See runtime.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cudart/devices.h"
#include "cudart/pending_launch.h"
#include "cudart/runtime.h"

/* An event that was made; never freed, so that its use after that is seen. */
struct CUevent_st {
	bool live, recorded;
	bool captured;		/* recorded in a stream that is captured */
	uint32_t device;	/* the one that was current */
	struct stream_clock after;
};

static struct CUevent_st **events;
static size_t event_count, event_capacity;

static struct CUevent_st *event_of(cudaEvent_t e)
{
	for (size_t i = 0; i < event_count; i++)
		if (events[i] == e && e->live)
			return e;
	return NULL;
}

cudaError_t gemmviz_stream(cudaStream_t *to, int blocking, const char *file,
			   int line);
cudaError_t gemmviz_stream(cudaStream_t *to, int blocking, const char *file,
			   int line)
{
	static uintptr_t last = 16;

	*to = (cudaStream_t)++last;
	stream_new(*to, blocking);
	return runtime_done(0, "cudaStreamCreate", file, line);
}

cudaError_t cudaStreamDestroy(cudaStream_t s, const char *file, int line);
cudaError_t cudaStreamDestroy(cudaStream_t s, const char *file, int line)
{
	return runtime_done(s ? 0 : cudaErrorInvalidResourceHandle,
			    "cudaStreamDestroy", file, line);
}

cudaError_t gemmviz_event(cudaEvent_t *to, const char *file, int line);
cudaError_t gemmviz_event(cudaEvent_t *to, const char *file, int line)
{
	struct CUevent_st *e = xcalloc(1, sizeof(*e));

	e->live = true;
	e->device = devices.current;
	grow(&events, &event_capacity, event_count + 1, sizeof(*events));
	events[event_count++] = e;
	*to = e;
	return runtime_done(0, "cudaEventCreate", file, line);
}

static cudaError_t event_done(cudaEvent_t e, bool good, const char *what,
			      const char *file, int line)
{
	return runtime_done(event_of(e) && good ? 0 :
			    cudaErrorInvalidResourceHandle, what, file, line);
}

cudaError_t cudaEventDestroy(cudaEvent_t e, const char *file, int line);
cudaError_t cudaEventDestroy(cudaEvent_t e, const char *file, int line)
{
	cudaError_t error = event_done(e, true, "cudaEventDestroy", file,
				       line);

	if (event_of(e))
		e->live = false;
	return error;
}

cudaError_t cudaStreamSynchronize(cudaStream_t s);
cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
	int error = graph_capture_break(graph_captures(s) ? CAPTURE_WAIT :
							    CAPTURE_UNSAFE);

	if (error)
		return (cudaError_t)error;
	stream_finish(s);
	if (program.sticky)
		program.error_word = NULL;
	return (cudaError_t)program.sticky;
}

cudaError_t cudaStreamQuery(cudaStream_t s);
cudaError_t cudaStreamQuery(cudaStream_t s)
{
	struct stream_clock c;

	stream_mark(s, &c);
	return graph_captures(s) || pending_ready(&c) ?
	       cudaStreamSynchronize(s) : cudaErrorNotReady;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e,
				unsigned int flags);
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e,
				unsigned int flags)
{
	(void)flags;
	if (event_of(e) && e->captured)
		graph_capture_join(s, &e->after);
	else if (event_of(e))
		stream_wait(s, &e->after);
	return cudaSuccess;
}

struct stream_callback {
	cudaStream_t s;
	cudaStreamCallback_t f;
	cudaHostFn_t other;
	void *with;
};

static void callback_do(void *with)
{
	const struct stream_callback *c = with;

	host_race_open();
	if (c->f)
		c->f(c->s, cudaSuccess, c->with);
	else
		c->other(c->with);
	host_race_close();
}

void gemmviz_callback(cudaStream_t s, cudaStreamCallback_t f,
		      cudaHostFn_t other, void *with)
{
	struct stream_callback c = { s, f, other, with };

	if (other && graph_captures(s))
		graph_capture_host(other, with, s);
	else if (!pending_later(s, false, (struct place) { .file = NULL },
			      callback_do, &c, sizeof(c)))
		callback_do(&c);
}

/* Reports an event and a stream, or two events, that must be of one device and
 * are not. */
static void report_device_mismatch(uint32_t device, uint32_t other,
				   const char *what, const char *file, int line)
{
	struct program_fault p = program_fault(
		"event-device", program_place(file, line), what);

	p.bytes = device;
	p.room = other;
	program_problem(p);
}

cudaError_t gemmviz_event_record(cudaEvent_t e, cudaStream_t s,
				 const char *file, int line);
cudaError_t gemmviz_event_record(cudaEvent_t e, cudaStream_t s,
				 const char *file, int line)
{
	if (event_of(e) && e->device != stream_device(s)) {
		report_device_mismatch(e->device, stream_device(s),
				       "cudaEventRecord", file, line);
		return event_done(e, false, "cudaEventRecord", file, line);
	}
	if (event_of(e)) {
		e->captured = graph_captures(s);
		if (e->captured) {
			graph_capture_event(s, &e->after);
		} else {
			e->recorded = true;
			stream_mark(s, &e->after);
		}
	}
	return event_done(e, true, "cudaEventRecord", file, line);
}

static cudaError_t event_wait(cudaEvent_t e, const char *what, const char *file,
			      int line)
{
	int error = graph_capture_break(event_of(e) && e->captured ?
					CAPTURE_EVENT : CAPTURE_UNSAFE);

	if (error)
		return runtime_done(error, what, file, line);
	if (event_of(e))
		stream_finish_event(&e->after);
	return event_done(e, true, what, file, line);
}

cudaError_t cudaEventSynchronize(cudaEvent_t e, const char *file, int line);
cudaError_t cudaEventSynchronize(cudaEvent_t e, const char *file, int line)
{
	return event_wait(e, "cudaEventSynchronize", file, line);
}

cudaError_t cudaEventQuery(cudaEvent_t e, const char *file, int line);
cudaError_t cudaEventQuery(cudaEvent_t e, const char *file, int line)
{
	if (event_of(e) && !e->captured && !pending_ready(&e->after))
		return cudaErrorNotReady;
	return event_wait(e, "cudaEventQuery", file, line);
}

/*
 * Gives NaN as a time: the time of a CPU says nothing about a GPU, and 0 would
 * be a time. What the program computes from NaN is no number either.
 */
cudaError_t cudaEventElapsedTime(float *to, cudaEvent_t from, cudaEvent_t until,
				 const char *file, int line);
cudaError_t cudaEventElapsedTime(float *to, cudaEvent_t from, cudaEvent_t until,
				 const char *file, int line)
{
	bool good = event_of(from) && event_of(until) && from->recorded &&
		    until->recorded;

	if (good && from->device != until->device) {
		report_device_mismatch(from->device, until->device,
				       "cudaEventElapsedTime", file, line);
		good = false;
	}
	if (good && !(stream_finished_event(&from->after) &&
		      stream_finished_event(&until->after))) {
		program_problem((struct program_fault) {
			.kind = "not-ready", .at = program_place(file, line) });
		return cudaErrorNotReady;
	}
	*to = NAN;
	if (good)
		program_problem((struct program_fault) {
			.kind = "times", .at = program_place(file, line) });
	return event_done(until, good, "cudaEventElapsedTime", file, line);
}
