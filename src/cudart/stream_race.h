/*
 * stream_race: finds two pieces of work that nothing orders, that use one array
 * and one of which writes it: in two streams without an event or a wait between
 * them. All work is done at once, one after the other, so that no result shows
 * this. What a launch or a copy has touched is kept until the host has waited
 * for it, once a program has a second stream. Launches without the recorder's
 * hooks are not checked; neither are those that fences, volatile accesses or
 * atomics of the system's scope order in ways of their own.
 */
#ifndef CUDART_STREAM_RACE_H
#define CUDART_STREAM_RACE_H

#include "cudart/device_memory.h"
#include "cudart/stream_order.h"

enum { RACE_READS = 1, RACE_WRITES = 2, RACE_ATOMICS = 4 };

/* Adds the launch that has just run with the recorder's hooks; `what` is
 * copied. */
void stream_race_launch(struct stream_work w, struct place at,
			const char *what);
/* Adds other work: what it touches, row by row, between begin and end. */
void stream_race_begin(struct stream_work w, struct place at,
		       const char *what);
void stream_race_rows(const void *p, size_t pitch, size_t width,
		      size_t height, int how);
void stream_race_end(void);
/* Drops work that the host has waited for; drops what was touched of an
 * allocation that is freed. */
void stream_race_waited(void);
void stream_race_freed(const struct allocation *a);

#endif
