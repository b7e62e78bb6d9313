/* reader_practice: the rungs that a reader practises: the map, and the rung that
 * is open, whose file is judged at each save. */
#ifndef APP_READER_PRACTICE_H
#define APP_READER_PRACTICE_H

#include "app/file_watch.h"
#include "app/reader.h"
#include "practice/judge.h"

/* With what a practice begins. */
struct practice_start {
	struct rung_track track;
	const struct rung *open;	/* NULL: the map */
	char *folder;			/* of the learner's files */
	struct judge_options options;
	/* Not NULL: nothing is judged or made here; a sentence that says so, and
	 * what to do instead. The rung's command follows it. */
	const char *unjudged;
};

#define HINTS_MOST 3

struct reader_practice {
	struct rung_track track;
	char *folder;
	struct judge_options options;
	const char *unjudged;		/* see struct practice_start */
	struct show_practice show;
	struct show_rung *rungs;	/* of the map */
	char (*places)[16];		/* of each, as text */
	const char *cost_words[COST_COUNT + 1];

	/* The rung that is open; NULL: the map. */
	const struct rung *rung;
	char *path, *text, *judged_text, *previous_text;
	struct file_watch watch;
	bool gone;			/* the file is not there */
	struct judging *judging;	/* NULL: nothing is judged */
	double since;			/* when that began */
	int said;			/* seconds that the screen shows */
	struct judgement verdict;
	bool judged;
	/* The costs of the try before, and ours. */
	int64_t costs_before[COST_COUNT];
	bool counted_before;
	struct judging *judging_ours;
	int64_t our_costs[COST_COUNT];
	bool our_counted;
	int hints;			/* shown of this verdict */
	char *advice;			/* the third hint; NULL: not made */
	struct progress_rung progress;
};

/* Begins a rung: its file is made if it is missing, which the progress notes;
 * nothing is judged yet. Returns as learner_file_make() does. */
int practice_begin_rung(struct reader *r, const struct rung *of,
			struct error *e);

/* ---- practice_words.c ---- */
/* Fills in the map, and the lines of the verdict. */
void practice_show_map(struct reader *r);
void practice_show_rung(struct reader *r);
/* Frees the lines of the verdict. */
void practice_clear_stages(struct show_practice *s);

/* ---- practice_hints.c; the caller frees what they return ---- */
/* Returns the lesson that teaches the rung. */
char *practice_hint_lesson(const struct rung *r);
/* Returns where the verdict's trouble is: the source line, and at which sizes. */
char *practice_hint_place(const struct reader_practice *p);
/* Returns what helps: what the model would change, or what is usual. */
char *practice_hint_advice(const struct reader_practice *p);

/* ---- shared with practice_keys.c ---- */
/* Makes the file of the rung that is open, if it is missing; returns as
 * learner_file_make() does. */
int practice_make_file(struct reader *r, struct error *e);
/* Opens a rung, whose file is made if it is missing; closes it. */
void practice_open_rung(struct reader *r, const struct rung *of);
void practice_close_rung(struct reader_practice *p);
/* Reads a file as it is shown; NULL: it is not there, or no text. The caller
 * frees it. */
char *practice_read_file(const char *path);
/* Shows a text, which it takes; the learner's file. */
void practice_set_source(struct reader_practice *p, char *text);
void practice_show_file(struct reader_practice *p);
void practice_save(struct reader *r);	/* the progress */

/* ---- what keys do ---- */
void practice_choose(struct reader *r, int by);
void practice_enter(struct reader *r);
void practice_hint(struct reader *r);
void practice_picture(struct reader *r);
void practice_lesson(struct reader *r);
void practice_edit(struct reader *r);
void practice_page(struct reader *r, enum practice_page page);
void practice_reset_file(struct reader *r);
void practice_next(struct reader *r);
void practice_scroll(struct reader *r, int by);
/* Opens the map again. Returns false if it is open already. */
bool practice_leave(struct reader *r);
/* Judges the file again. */
void practice_judge(struct reader *r);

#endif
