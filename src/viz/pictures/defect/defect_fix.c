/* defect_fix: how the kernels of the museum of bugs are repaired. */
#include <string.h>

#include "viz/pictures/defect/defect_facts.h"

static const struct defect_fix fixes[] = {
	{ "bug_edge", "tiled", {
		{ '-', 31, "if (row < M)" },
		{ '+', 0, "if (row < M && t + tx < K)" },
		{ '-', 35, "if (col < N)" },
		{ '+', 0, "if (t + ty < K && col < N)" },
	} },
	{ "bug_early_return", "tiled", {
		{ '-', 29, "if (row >= M || col >= N)" },
		{ '-', 30, "return;" },
		{ '+', 0, "if (row < M && t + tx < K)" },
		{ '+', 0, "if (t + ty < K && col < N)" },
		{ '+', 0, "if (row < M && col < N)" },
	} },
	{ "bug_first_barrier", "tiled", { { '+', 38, "__syncthreads();" } } },
	{ "bug_second_barrier", "tiled", { { '+', 41, "__syncthreads();" } } },
};

const struct defect_fix *defect_fix(const char *kernel)
{
	for (size_t i = 0; i < LENGTH(fixes); i++)
		if (!strcmp(fixes[i].kernel, kernel))
			return &fixes[i];
	return NULL;
}
