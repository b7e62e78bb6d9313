/*
 * motion: what moves between a step and the next.
 *
 * A step of one request moves what the request moves: show.t goes from 0 to 1.
 * A step of a larger beat goes through its requests, which leave their trails.
 * Motion never delays a key: the next action ends it. Faster than
 * MOTION_FASTEST steps a second only the trails remain.
 */
#ifndef APP_MOTION_H
#define APP_MOTION_H

#include <stdbool.h>
#include <stdint.h>

#define MOTION_SECONDS 0.25	/* of a step */
#define MOTION_FASTEST 15

struct reader;

struct motion {
	bool off;		/* steps end at once */
	bool on;		/* something moves */
	double at, seconds;	/* how far it has come, of how long */
	uint32_t from, to;	/* requests; equal: the request's own motion */
};

/* Start the motion of the request at the cursor, or the way from there to the
 * request `to`; it takes so many seconds. */
void motion_step(struct reader *r, double seconds);
void motion_sweep(struct reader *r, uint32_t to, double seconds);
/* Moves on by so many beats of the reader's size, in `seconds` (0: at once).
 * Returns false at the end. In a picture with steps of its own, such as the
 * turns of several devices, a beat is one of these. */
bool motion_beat(struct reader *r, long beats, double seconds);
/* Ends a motion at its last position. */
void motion_end(struct reader *r);
void motion_tick(struct reader *r, double seconds);

#endif
