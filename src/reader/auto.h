/*
 * auto: a lesson that plays by itself, for a lobby or a film: it shows a step
 * for as long as its words take to read, gives the answer, lets the picture
 * move, and goes on; behind the last step to the next lesson of the course, and
 * from the last one to the first. Any action of a reader ends it.
 */
#ifndef READER_AUTO_H
#define READER_AUTO_H

#include <stdbool.h>

struct reader;

struct autoplay {
	bool on;
	double left;		/* seconds until it goes on */
};

/* How many seconds it takes to read the words on the screen. */
double auto_reading(const struct reader *r);
void auto_begin(struct reader *r);
void auto_end(struct reader *r);
/* Goes on when it is time; true: something has changed. */
bool auto_tick(struct reader *r, double seconds);

#endif
