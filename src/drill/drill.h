/*
 * drill: an unlimited supply of questions, whose answers the model computes.
 *
 * A question is determined by a topic, a level and a seed. It has one right
 * answer and two or three wrong ones, each of which stands for a misconception;
 * the reply to each is computed from the same numbers. A topic is a file
 * drill_NAME.c that ends in its const struct drill_topic, and a line in
 * DRILL_TOPICS.
 */
#ifndef DRILL_DRILL_H
#define DRILL_DRILL_H

#include "hardware/access.h"
#include "hardware/fragment.h"
#include "hardware/occupancy.h"

#define DRILL_TOPICS(X) \
	X(sectors) X(wavefronts) X(fragments) X(occupancy) X(barriers)

#define DRILL_CHOICES 4
#define DRILL_CANDIDATES 14	/* from which they are drawn */
#define DRILL_LEVELS 4		/* from 1 */

struct drill_random;
struct drill_question;

struct drill_topic {
	const char *name;	/* "sectors" */
	const char *title;	/* N_() */
	const char *levels[DRILL_LEVELS];	/* N_(): what is asked */
	/* Draws a question; false: it has too few wrong answers, and another is
	 * to be drawn. */
	bool (*draw)(struct drill_question *q, struct drill_random *r);
};
extern const struct drill_topic *const drill_topics[];
extern const size_t drill_topic_count;
/* Returns the topic of that name, or NULL. */
const struct drill_topic *drill_topic_find(const char *name);

/* The subject of a question: a request, a fragment, an SM, or lines of code. */
enum drill_about { DRILL_ACCESS, DRILL_FRAGMENT, DRILL_OCCUPANCY, DRILL_CODE };

/*
 * A loop of `turns` iterations whose body, in each thread, stores an element of
 * a buffer, loads others' elements of a buffer, and waits. The buffer:
 * iteration t takes number (t + ahead) modulo `buffers`. The elements that a
 * load reads: its own thread's, those of its warp, or those of the block. The
 * index is threadIdx.x ^ mask; a load of the block with mask 0 reads all of it.
 */
enum drill_act { DRILL_STORE, DRILL_LOAD, DRILL_SYNCTHREADS, DRILL_SYNCWARP };
enum drill_whose { DRILL_OWN, DRILL_WARP, DRILL_BLOCK };
#define DRILL_ACTS 6
struct drill_loop {
	struct { enum drill_act act; enum drill_whose whose; int ahead, mask; }
		body[DRILL_ACTS];
	int count, buffers;
};
/* A store and a load of the same element, of which neither waits for the
 * other: the places in the body, and the turns. */
struct drill_race { int store, load, store_turn, load_turn; };
/* Finds the first race of a loop; false: there is none. */
bool drill_race(const struct drill_loop *l, struct drill_race *race);

struct drill_choice {
	char text[64];
	char *why;		/* the reply to it */
};

struct drill_question {
	const struct drill_topic *topic;
	int level;
	uint64_t seed;
	char *words;
	char *code;	/* lines of code that it is about; NULL: none */
	/* The code as it should be, with a '+' before each line that was
	 * missing; NULL: nothing was. */
	char *mended;
	struct drill_choice choices[DRILL_CANDIDATES];
	int choice_count, right;	/* at most DRILL_CHOICES */
	enum drill_about about;
	/* DRILL_ACCESS: an element's index as an expression of `lane`, and the
	 * rows of the array, if it has more than one. */
	char index[128];
	const char *name;	/* of the trace's kernel; NULL: "drill" */
	int rows, pitch;
	struct access access;
	/* DRILL_FRAGMENT: where the element is; the question names the lane and
	 * the element, or (by_place) the row and the column. */
	struct fragment fragment;
	struct fragment_place place;
	bool by_place;
	/* DRILL_OCCUPANCY */
	struct occupancy_arch arch;
	struct occupancy_launch launch;
	struct occupancy occupancy;
	bool limiter;		/* asks for the resource that limits */
	/* DRILL_CODE: each answer's loop, or, of copies in groups, how many
	 * were committed, and the N of wait_group (-1: it is asked for). */
	struct drill_loop loops[DRILL_CANDIDATES];
	int committed, pending;
};

/* Makes a question; topic NULL: any. */
void drill_make(struct drill_question *q, const struct drill_topic *topic,
		int level, uint64_t seed);
void drill_done(struct drill_question *q);
/* Returns the lane that holds the element in this row and column of the
 * question's fragment: its first copy. */
int drill_holder(const struct drill_question *q, int row, int col);
/* Returns the seed of the nth question of a quiz. */
uint64_t drill_seed(uint64_t seed, uint32_t n);

/* Returns the level of the nth of `count` questions of a quiz, which grows
 * evenly. */
int drill_quiz_level(uint32_t n, uint32_t count);

/* The state of a quiz: DRILL_UP right answers in a row lead to the next level,
 * DRILL_DOWN wrong ones in a row to the one before. */
#define DRILL_UP 3
#define DRILL_DOWN 2
struct drill_score { int level, asked, right, streak, misses; };
void drill_score(struct drill_score *s, bool right);

/* Returns what is asked at a level of a topic. */
const char *drill_level_words(const struct drill_topic *t, int level);

/* A trace of the question's request alone, as if a kernel had made it; NULL
 * with e. Only for DRILL_ACCESS. */
struct trace *drill_trace(const struct drill_question *q, struct error *e);

#endif
