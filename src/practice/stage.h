/* stage: the stages of a judgement, in their order; the first that fails
 * speaks. */
#ifndef PRACTICE_STAGE_H
#define PRACTICE_STAGE_H

enum judge_stage { JUDGE_COMPILE, JUDGE_LAUNCH, JUDGE_FAULTS, JUDGE_ANSWER,
		   JUDGE_ERRORS, JUDGE_COSTS, JUDGE_PASSED };

/* Returns "compile", "launch", "faults", "answer", "errors", "costs" or
 * "passed"; and the stage of a word, or -1. */
const char *judge_stage_name(enum judge_stage s);
int judge_stage_from(const char *word);

#endif
