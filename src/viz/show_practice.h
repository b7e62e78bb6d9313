/*
 * show_practice: what the screen shows of gemmviz practice: the map of rungs, or
 * one rung with the learner's file and the verdict on it.
 */
#ifndef VIZ_SHOW_PRACTICE_H
#define VIZ_SHOW_PRACTICE_H

#include "lesson/lesson.h"

/* How far a rung is. */
enum rung_mark { RUNG_OPEN, RUNG_BEGUN, RUNG_NEXT, RUNG_DONE };

struct show_rung {
	const char *place, *name, *title, *lesson;
	const char *group;	/* that begins with it, or NULL */
	enum rung_mark mark;
	int tries, hints;
};

/* A stage of the verdict, or a line below the stages. */
enum stage_sign { STAGE_LATER, STAGE_GOOD, STAGE_BAD, STAGE_NOTE };
struct show_stage {
	enum stage_sign sign;
	char *name, *words;	/* name: NULL for a line */
};
#define SHOW_STAGES 24

/* What stands in place of the learner's file. */
enum practice_page { PRACTICE_SOURCE, PRACTICE_TASK, PRACTICE_CHANGES,
		     PRACTICE_OURS, PRACTICE_ASK_RESET };

struct show_practice {
	/* The map. */
	const struct show_rung *rungs;
	size_t rung_count, chosen;
	char *summary;			/* "7 of 16, next: 8 edges" */
	/* The rung that is open. */
	bool open;
	char *head, *lesson, *path;
	const struct lesson_paragraph *task;
	size_t task_count;
	enum practice_page page;
	char *source;			/* the text of the page */
	uint32_t line;			/* where it scrolls to; 0: its start */
	bool marked;			/* the line is marked */
	int scroll;			/* rows from there */
	struct show_stage stages[SHOW_STAGES];
	size_t stage_count;
	bool passed;			/* they are read, not the source */
	bool judging;			/* the verdict is an earlier one's */
	int seconds;			/* of judging, up to now */
};

#endif
