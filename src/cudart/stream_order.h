/*
 * stream_order: which work of a program's streams is done before which, by the
 * CUDA guide. Each piece of work has a number in its stream; a clock tells how
 * far each stream has come for an observer: another stream, an event or the
 * host. The recorder does all work at once, so that only this tells what the
 * host has not waited for.
 */
#ifndef CUDART_STREAM_ORDER_H
#define CUDART_STREAM_ORDER_H

#include <gemmviz_runtime_types.h>

#include "base/base.h"

/* Streams beyond these count as one; each device has two default ones. */
#define STREAMS_MOST 128

/* turn: the latest of what is done, see trace/device_work.h. */
struct stream_clock {
	uint32_t done[STREAMS_MOST], turn;
};

/* A piece of work; number 0 is always done. */
struct stream_work {
	uint32_t stream, number, turn;
};

/* Adds a stream of the current device; a blocking one waits for the device's
 * legacy default stream, and is waited for by it. */
void stream_new(cudaStream_t s, bool blocking);
/* Returns a stream's device, for a default stream the current one; its number
 * among those of the program, 0 for a default one. */
uint32_t stream_device(cudaStream_t s);
uint32_t stream_number(cudaStream_t s);
/* Returns whether this is the legacy default stream of a device;
 * stream_blocking(): whether that one waits for this stream. */
bool stream_legacy(cudaStream_t s);
bool stream_blocking(cudaStream_t s);
/* Starts the next work in a stream. */
struct stream_work stream_begin(cudaStream_t s);
/* Starts the next work in a stream, which is done later. */
struct stream_work stream_begin_later(cudaStream_t s);
/* Starts work in the current device's default stream that waits for all work of
 * these devices, a bit each, and for which all their later work waits. */
struct stream_work stream_begin_alone(uint32_t of);
/* Gets what is before an event in a stream; makes a stream wait for an
 * event. */
void stream_mark(cudaStream_t s, struct stream_clock *to);
void stream_wait(cudaStream_t s, const struct stream_clock *event);
/* Marks that the host has waited for a stream, for an event, for a device, or
 * for all. */
void stream_finish(cudaStream_t s);
void stream_finish_event(const struct stream_clock *event);
void stream_finish_device(uint32_t device);
void stream_finish_all(void);
bool stream_finished(struct stream_work w);
bool stream_finished_event(const struct stream_clock *event);
/* Returns whether a piece of work is done before another, which has just
 * begun. */
bool stream_ordered(struct stream_work before, struct stream_work now);
/* Returns whether the program has a second stream. */
bool stream_several(void);

/* What a library is told whose work waits for other calls of the host's; NULL:
 * there is none. */
extern struct stream_library {
	/* The host waits for all that a clock knows. */
	void (*host_waits)(const struct stream_clock *until);
	/* The program ends by itself. */
	void (*program_ends)(void);
} stream_library;

#endif
