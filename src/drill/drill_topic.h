/* drill_topic: what the makers of questions share. */
#ifndef DRILL_DRILL_TOPIC_H
#define DRILL_DRILL_TOPIC_H

#include "drill/drill.h"

struct drill_random { uint64_t state; };
/* Returns a random number below n; one of from..to. */
uint32_t drill_below(struct drill_random *r, uint32_t n);
int drill_from(struct drill_random *r, int from, int to);
/* One of an array's numbers. */
#define drill_of(r, array) ((array)[drill_below(r, LENGTH(array))])

/* Sets the right answer, first of all. */
void drill_right(struct drill_question *q, const char *text, const char *fmt,
		 ...) PRINTF(3, 4);
/* Adds a wrong answer, unless it is there already. Some of those added are
 * drawn. */
void drill_wrong(struct drill_question *q, const char *text, const char *fmt,
		 ...) PRINTF(3, 4);
/* Returns whether there are too few answers yet. */
bool drill_wants_more(const struct drill_question *q);
/* Returns a number as an answer's text, in a static buffer. */
const char *drill_number(int n);

#endif
