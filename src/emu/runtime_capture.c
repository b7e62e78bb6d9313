/*
 * runtime_capture: the streams whose work is put into a graph, and what breaks
 * that. See runtime.h.
 */
#include <stdlib.h>

#include "emu/runtime.h"

static bool capture;		/* something is */
/* The streams whose work is, the first one that of the call that began it, and
 * how far each of them has come for each: the origin must have come to all. */
static struct captured {
	cudaStream_t s;
	struct stream_clock clock;
} *captured;
static size_t captured_count, captured_capacity;
static bool relaxed, broken;

static struct captured *captured_of(cudaStream_t s)
{
	for (size_t i = 0; capture && i < captured_count; i++)
		if (captured[i].s == s)
			return &captured[i];
	return NULL;
}

bool graph_captures(cudaStream_t s)
{
	return captured_of(s);
}

static uint32_t *done_of(struct stream_clock *c, cudaStream_t s)
{
	return &c->done[MIN(stream_number(s), STREAMS_MOST - 1)];
}

void capture_work_add(cudaStream_t s)
{
	++*done_of(&captured_of(s)->clock, s);
}

void graph_refuse(struct place at, const char *what)
{
	if (capture)
		program_unplayed(at, what);
}

int graph_capture_break(enum capture_call what)
{
	if (!capture || (what == CAPTURE_UNSAFE && relaxed))
		return 0;
	broken = true;
	return what == CAPTURE_EVENT ? cudaErrorCapturedEvent :
				       cudaErrorStreamCaptureUnsupported;
}

int graph_capture_work(cudaStream_t s)
{
	bool breaks = false;

	for (size_t i = 0; capture && stream_legacy(s) && i < captured_count;
	     i++)
		breaks = breaks || stream_blocking(captured[i].s);
	broken = broken || breaks;
	return breaks ? cudaErrorStreamCaptureImplicit : 0;
}

void graph_capture_event(cudaStream_t s, struct stream_clock *to)
{
	*to = captured_of(s)->clock;
}

void graph_capture_join(cudaStream_t s, const struct stream_clock *event)
{
	struct captured *c = captured_of(s);

	if (!c) {
		grow(&captured, &captured_capacity, captured_count + 1,
		     sizeof(*captured));
		c = &captured[captured_count++];
		*c = (struct captured) { .s = s };
	}
	for (size_t i = 0; i < STREAMS_MOST; i++)
		c->clock.done[i] = MAX(c->clock.done[i], event->done[i]);
}

/* Whether the origin is behind all that is captured. */
static bool all_joined(void)
{
	for (size_t i = 1; i < captured_count; i++)
		if (*done_of(&captured[0].clock, captured[i].s) <
		    *done_of(&captured[i].clock, captured[i].s))
			return false;
	return true;
}

void capture_begin(cudaStream_t s, bool is_relaxed)
{
	capture = true;
	captured_count = 0;
	relaxed = is_relaxed;
	broken = false;
	graph_capture_join(s, &(struct stream_clock){ .turn = 0 });
}

bool capture_is_of(cudaStream_t s)
{
	return capture && captured[0].s == s;
}

int capture_end(void)
{
	capture = false;
	return broken ? cudaErrorStreamCaptureInvalidated :
	       all_joined() ? 0 : cudaErrorStreamCaptureUnjoined;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t s,
				  enum cudaStreamCaptureStatus *to,
				  const char *file, int line);
cudaError_t cudaStreamIsCapturing(cudaStream_t s,
				  enum cudaStreamCaptureStatus *to,
				  const char *file, int line)
{
	*to = !graph_captures(s) ? cudaStreamCaptureStatusNone :
	      broken ? cudaStreamCaptureStatusInvalidated :
		       cudaStreamCaptureStatusActive;
	return runtime_done(0, "cudaStreamIsCapturing", file, line);
}
