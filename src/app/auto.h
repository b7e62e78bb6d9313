/*
 * auto: a lesson that plays by itself, for a lobby or a film: it shows a step
 * for as long as its words take to read, gives the answer, lets the picture
 * move, and goes on; after the last step comes the next lesson of the course,
 * after the last lesson the first. Any action of a reader ends it.
 */
#ifndef APP_AUTO_H
#define APP_AUTO_H

#include <stdbool.h>

struct reader;

struct autoplay {
	bool on;
	double left;		/* seconds until it goes on */
};

/* Returns how many seconds it takes to read the words on the screen. */
double auto_reading(const struct reader *r);
void auto_begin(struct reader *r);
void auto_end(struct reader *r);
/* Moves on when it is time. Returns whether something has changed. */
bool auto_tick(struct reader *r, double seconds);

#endif
