/* reader_drill: the drill that a reader has on the screen. */
#ifndef APP_READER_DRILL_H
#define APP_READER_DRILL_H

#include "app/reader.h"

struct reader_drill {
	const struct drill_topic *topic;	/* NULL: all */
	uint64_t seed;
	uint32_t n;		/* questions asked before this one */
	struct drill_question question;
	struct show_drill show;
	/* For a question about a request. */
	struct trace *trace;
	struct stage *stage;
	/* The question's code, as a paragraph of the words. */
	struct lesson_span span;
	struct lesson_paragraph code;
};

/* Asks the next question. */
void reader_drill_next(struct reader *r);
void reader_drill_choose(struct reader *r, int choice);
void reader_drill_reveal(struct reader *r);
/* Move on to another topic, or to all; to another level. */
void reader_drill_topic(struct reader *r, int by);
void reader_drill_level(struct reader *r, int by);

#endif
