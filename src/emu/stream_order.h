/*
 * stream_order: which work of a program's streams is done before which, as the
 * CUDA guide has it. Each piece of work has a number in its stream; a clock
 * tells how far each stream has come for somebody: for another stream, an event
 * or the host. The recorder does all work at once, so that only this tells what
 * the host has not waited for.
 */
#ifndef EMU_STREAM_ORDER_H
#define EMU_STREAM_ORDER_H

#include <gemmviz_runtime_types.h>

#include "base/base.h"

/* Streams beyond these count as one. */
#define STREAMS_MOST 64

struct stream_clock {
	uint32_t done[STREAMS_MOST];
};

/* A piece of work; number 0 is always done. */
struct stream_work {
	uint32_t stream, number;
};

/* A new stream; a blocking one waits for the legacy default stream, and is
 * waited for by it. */
void stream_new(cudaStream_t s, bool blocking);
/* The next work in a stream. */
struct stream_work stream_begin(cudaStream_t s);
/* An event: what is before it in the stream, and a stream that waits for it. */
void stream_mark(cudaStream_t s, struct stream_clock *to);
void stream_wait(cudaStream_t s, const struct stream_clock *event);
/* The host has waited for a stream, for an event, or for all. */
void stream_finish(cudaStream_t s);
void stream_finish_event(const struct stream_clock *event);
void stream_finish_all(void);
bool stream_finished(struct stream_work w);
/* Whether a piece of work is done before another, which has just begun. */
bool stream_ordered(struct stream_work before, struct stream_work now);
/* Whether the program has a second stream. */
bool stream_several(void);

#endif
