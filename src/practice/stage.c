/* stage: see stage.h. */
#include "practice/stage.h"

#include <string.h>

static const char *const names[] = {
	[JUDGE_COMPILE] = "compile", [JUDGE_LAUNCH] = "launch",
	[JUDGE_FAULTS] = "faults", [JUDGE_ANSWER] = "answer",
	[JUDGE_ERRORS] = "errors", [JUDGE_COSTS] = "costs",
	[JUDGE_PASSED] = "passed",
};

const char *judge_stage_name(enum judge_stage s)
{
	return names[s];
}

int judge_stage_from(const char *word)
{
	for (int i = 0; i <= JUDGE_PASSED; i++)
		if (!strcmp(names[i], word))
			return i;
	return -1;
}
