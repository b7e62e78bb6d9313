/*
 * shuffle_text: the shuffles in a kernel's source text, as who takes from whom.
 * A recording holds no shuffles: they move registers. So they are read from the
 * text, with the launch's numbers put in.
 */
#ifndef VIZ_PICTURES_SHUFFLE_SHUFFLE_TEXT_H
#define VIZ_PICTURES_SHUFFLE_SHUFFLE_TEXT_H

#include "base/cpp_words.h"
#include "scene/scene.h"

#define SHUFFLE_STEPS 10	/* of a fold */
#define SHUFFLE_FOLDS 8		/* of a kernel */
#define SHUFFLE_NAME 32

enum shuffle_how { HOW_INDEX, HOW_UP, HOW_DOWN, HOW_XOR };
/* What is done with what a lane gets. OTHER: not understood. */
enum shuffle_use { USE_COPY, USE_ADD, USE_MAX, USE_MIN, USE_OTHER };

struct shuffle_step {
	int64_t by;		/* of up, down and xor: the distance */
	uint8_t from[WARP_LANES];	/* the lane itself: it keeps its own */
	uint32_t uses;		/* the lanes that do something with it */
};

/* Shuffles of one variable, one after the other. */
struct shuffle_fold {
	enum shuffle_how how;
	enum shuffle_use use;
	char value[SHUFFLE_NAME];	/* the variable that is passed on, */
	char result[SHUFFLE_NAME];	/* and the one that then has it */
	char loop[SHUFFLE_NAME];	/* the loop's variable, or "" */
	uint32_t line;			/* of the first shuffle, from 1 */
	uint32_t last_line;
	size_t begin, end;		/* words of the text */
	/* lanes that take part, if `known`; in_loop: several times */
	uint32_t lanes;
	bool known, in_loop;
	struct shuffle_step step[SHUFFLE_STEPS];
	int count;
};

/* A kernel's text, for the lanes of one warp. */
struct shuffle_text {
	const struct scene *sc;
	struct cpp_word *w;
	size_t first, end;	/* the kernel's body, or all words */
	bool whole;		/* the shuffles are in the kernel itself */
};

void shuffle_text_begin(struct shuffle_text *t, const struct scene *sc);
void shuffle_text_done(struct shuffle_text *t);
/* Finds the shuffles. Returns how many folds there are. */
int shuffle_text_folds(const struct shuffle_text *t,
		       struct shuffle_fold folds[SHUFFLE_FOLDS]);
/* Returns the line of a word, from 1. */
uint32_t shuffle_line(const struct shuffle_text *t, size_t i);
/* Finds the lanes for which the word `at` is executed; false: not
 * understood. */
bool shuffle_lanes_at(const struct shuffle_text *t, size_t at,
		      uint32_t *lanes);
/* Evaluates the words [from, to) for a lane. */
bool shuffle_number(const struct shuffle_text *t, size_t from, size_t to,
		    uint32_t lane, double *v);
/* Returns the word that ends the statement or the parentheses at i. */
size_t shuffle_statement_end(const struct shuffle_text *t, size_t i);
size_t shuffle_close(const struct shuffle_text *t, size_t i);

#endif
