/*
 * judge: judges a learner's text for a rung: records its launches at all sizes
 * in one process (protocol.h, "judge"), compares what they wrote in this one,
 * and counts what they cost.
 */
#ifndef PRACTICE_JUDGE_H
#define PRACTICE_JUDGE_H

#include <jansson.h>

#include "analysis/verdict.h"
#include "practice/rung.h"
#include "runner/runner.h"

/* Seconds, on idle processors, and megabytes that the calls of a rung may take,
 * the seconds that compiling them may, and the accesses of lanes that one of its launches may make. */
#define JUDGE_SECONDS 4.0
#define JUDGE_COMPILE_SECONDS 5.0
#define JUDGE_MEMORY 512
#define JUDGE_EVENTS 12000000

struct judge_options {
	char *const *runner;	/* NULL: gemmviz-emu */
	uint64_t seed;		/* of the inputs */
	const char *text;	/* in place of the file's; or NULL */
	bool untouched;		/* a text with TODO is judged, too */
	bool costs_only;	/* the first size is judged, for what it costs */
	bool twice;		/* what passes is judged again with other inputs */
	/* Describe one of a program's "problems"; the first returns whether it is
	 * a fault, the second a sentence that the caller frees. */
	bool (*is_fault)(const json_t *problem);
	char *(*problem_words)(const json_t *problem);
};

/* UNTOUCHED: the skeleton's TODO is still there. MISSING: there is no such
 * file. BROKEN: the judge could not do its work. */
enum judge_result { JUDGED_PASS, JUDGED_FAIL, JUDGED_UNTOUCHED, JUDGED_MISSING,
		    JUDGED_BROKEN };
/* Returns "pass", "fail", "untouched", "missing" or "error". */
const char *judge_result_name(enum judge_result r);

/* One of the rung's sizes, as it was judged. */
struct judged_size {
	char *text;		/* see rung_size_text() */
	double seconds;		/* NA: it was not tried */
	enum verdict_kind verdict;
	char *why;		/* what is wrong, or NULL */
	char *word;		/* the finding's, if there is one */
	uint32_t line;
};

struct judged_cost {
	enum cost_kind cost;	/* COST_COUNT: a condition */
	const struct rung_limit *limit;
	int64_t value;		/* of a condition: whether it holds */
	bool good;
};

struct judgement {
	enum judge_result result;
	enum judge_stage stage;	/* JUDGE_PASSED, or that which fails */
	char *message;		/* one sentence, or NULL */
	char *word;		/* of the finding, cost or problem; or NULL */
	uint32_t line;		/* 0: no line */
	size_t at;		/* the size that failed; SIZE_MAX: none */
	int status;		/* EXIT_DONE, _CHECK, _INPUT, _RUNNER, _REFUSED */
	double seconds;		/* from the start to the verdict */
	uint64_t seed, text_hash;
	struct judged_size sizes[RUNG_SIZES];
	size_t size_count;
	int64_t costs[COST_COUNT];
	bool counted;		/* the costs are known */
	struct judged_cost *limits;
	size_t limit_count;
	/* The launch that failed, or the first of the first size; NULL: none. */
	struct trace *trace;
	const struct trace_finding *finding;	/* in it; or NULL */
	char *compiler_line;	/* the text at the line, or NULL */
};
void judgement_done(struct judgement *j);

/* A judgement that is under way. */
struct judging;
/* Starts to judge the file. NULL with e: the recorder does not start. What the
 * file alone decides (it is missing, untouched, too large) is a judgement at
 * once. The rung must outlive it. */
struct judging *judge_start(const struct rung *r, const char *path,
			    const struct judge_options *o, struct error *e);
/* Returns the runner to poll(), or NULL when the judgement is done. */
struct runner *judge_runner(const struct judging *j);
/* Takes what the runner has sent; returns whether the judgement is done. */
bool judge_step(struct judging *j);
/* Waits until it is done. */
void judge_wait(struct judging *j);
/* Takes the judgement, and frees the rest; before it is done, ends the
 * recorder. */
struct judgement judge_finish(struct judging *j);

#endif
