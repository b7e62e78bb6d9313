/*
 * rung: an exercise of `gemmviz practice`: a Markdown file that says what a
 * kernel must compute, at which sizes it is judged and what it may cost.
 *
 * The level-1 heading is the title; one fenced block `gemmviz` has directives,
 * a line each; the prose is the task, of at most RUNG_TASK_LINES lines; a block
 * `cuda skeleton` is what the learner begins with:
 *
 *   place NUMBER                    where it stands on the map
 *   group WORDS                     the group of rungs that begins with it
 *   lesson NAME [STEP]              what teaches it: the first hint
 *   begins RUNG                     the learner's file begins as that of an
 *                                   earlier rung, if it passed; else as the
 *                                   skeleton
 *   compare KERNEL [KERNEL ...]     kernels of the table whose recorded times are
 *                                   told after a pass
 *   problem NAME                    of kernels/problem.h, or "reference": what
 *                                   a block `cuda reference` computes; or
 *                                   "program": a program with a main()
 *   arrays TYPE [TYPE ...]          of launch()'s arrays: float (default), half,
 *                                   bfloat16, double or int
 *   array NAME EXPR                 elements of a reference's array
 *   size m=64 n=64 k=64             a size to be judged at; costs are counted
 *                                   at the first
 *   multiples N                     all sizes are multiples of it, by the task
 *   values LOW..HIGH [step S]       what inputs hold; default: the problem's
 *   tolerance X                     of a reference, relative, at least to 1
 *   limit COST NUMBER               the most that the first size may cost
 *   limit EXPR WORDS                a condition, and what is said if it fails
 *   words COST WORDS                what is said when that limit is passed
 *   learned WORDS                   what is said after a pass
 *   run [ARGUMENTS] prints TEXT     a run of a program, and its output
 *   solution FILE.cu                ours
 *   right FILES, wrong FILES STAGE [WORD]
 *                                   what must pass, and what must fail at a
 *                                   stage by a finding or a cost; for `verify`
 *
 * FILES may have wildcards. They are relative to the rung's folder (for
 * practice/zh/NAME.md: to practice/). EXPR is a lesson's expression
 * (lesson/lesson.h) over the recording of the first size, in which costs are
 * names, too, with _ for -; WORDS may contain {EXPR}. An EXPR ends at the first
 * space outside of brackets and quotes.
 */
#ifndef PRACTICE_RUNG_H
#define PRACTICE_RUNG_H

#include "base/base.h"
#include "kernels/problem.h"
#include "lesson/lesson.h"
#include "practice/cost.h"
#include "practice/stage.h"
#include "trace/trace.h"

#define RUNG_SIZES 8
#define RUNG_ARGUMENTS 12
#define RUNG_TASK_LINES 12
#define RUNG_TASK_COLUMNS 76
/* The bytes of a rung's file and of a learner's. */
#define RUNG_MAX_BYTES (1u << 18)
#define RUNG_FILE_MOST (1u << 20)

enum rung_kind { RUNG_PROBLEM, RUNG_REFERENCE, RUNG_PROGRAM };

/* A parameter of launch(). */
struct rung_argument {
	char *name;
	char size;		/* 'm', 'n' or 'k': an integer; 0: an array */
	enum elem elem;
	bool output;
	char *count;		/* EXPR: its elements; NULL: the problem's */
	int array;		/* its number in the problem */
};

struct rung_limit {
	enum cost_kind cost;	/* COST_COUNT: expr */
	int64_t most;
	char *expr;		/* or NULL */
	char *words;		/* or NULL: none of its own */
	int line;
};

/* A file that must fail, or pass (JUDGE_PASSED). */
struct rung_trial {
	char *path;
	enum judge_stage stage;
	char *word;		/* a finding, a cost; or NULL: any */
	int line;
};

/* A run of a program: its arguments, between blanks, and its output. */
struct rung_run { char *arguments, *prints; };

struct rung {
	char *path, *name;	/* of the file; without number and suffix */
	char *stem;		/* with its number: "05-coalesced" */
	char *folder;		/* that files are relative to; ends in a slash */
	const char *lang;
	double place;		/* NA: it has none */
	char *group;		/* or NULL */
	char *begins;		/* a rung's name, or NULL */
	char *compare;		/* kernels, between blanks; or NULL */
	char *lesson_name;	/* or NULL */
	int lesson_step;	/* from 1; 0: none */
	enum rung_kind kind;
	const struct problem *problem;	/* of RUNG_PROBLEM */
	char *reference;		/* text, of RUNG_REFERENCE */
	struct rung_argument arguments[RUNG_ARGUMENTS];
	size_t argument_count;
	struct problem_sizes sizes[RUNG_SIZES];
	size_t size_count;
	int multiples;			/* 0: any size */
	bool has_values;
	double low, high, step;
	double tolerance;		/* NA: the usual one */
	struct rung_limit *limits;
	size_t limit_count;
	char *learned;
	struct rung_run *runs;
	size_t run_count;
	char *solution;			/* path; NULL: none */
	struct rung_trial *trials;
	size_t trial_count;
	char *skeleton;
	struct lesson *task;		/* one step: title and prose */
	uint64_t hash;			/* of the skeleton */
};

/* Parses the text of a rung that was read from path. NULL with e, which names
 * path and line. */
struct rung *rung_parse(const char *path, const char *text, struct error *e);
/* Reads a rung's file; if its folder has LANG/NAME.md, that one. */
struct rung *rung_load(const char *path, const char *lang, struct error *e);
void rung_free(struct rung *r);

/* Returns the elements of an array at a size; -1 with e. */
int64_t rung_elements(const struct rung *r, const struct rung_argument *a,
		      const struct problem_sizes *size, struct error *e);
/* Returns a size as it is shown, "64x64x64" or "n = 1000"; the caller frees it. */
char *rung_size_text(const struct rung *r, const struct problem_sizes *size);
/* Tests whether a learner's text still has the skeleton's TODO. */
bool rung_is_untouched(const struct rung *r, const char *text);

/* Rungs in the order of their places. */
struct rung_track {
	char *folder;
	struct rung **rungs;
	size_t count, capacity;
};
/* Reads our own rungs (folder NULL), or all of a folder. -1 with e. */
int rung_track_load(struct rung_track *t, const char *folder,
		    const char *lang, struct error *e);
void rung_track_done(struct rung_track *t);
/* Finds a rung by its number or name; NULL with e (EXIT_USAGE). */
struct rung *rung_track_find(const struct rung_track *t, const char *word,
			     struct error *e);

#endif
