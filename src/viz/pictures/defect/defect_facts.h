/*
 * defect_facts: what a finding looks like in numbers: the tile that the block's
 * threads ask for and how far it hangs over its matrix, who came to the barrier
 * after it, which elements have such a finding, and how much of it there is in
 * all blocks. Computed from the trace, for the picture of a defect.
 */
#ifndef VIZ_PICTURES_DEFECT_DEFECT_FACTS_H
#define VIZ_PICTURES_DEFECT_DEFECT_FACTS_H

#include "scene/scene.h"
#include "scene/turns.h"

#define DEFECT_SIDE 32		/* threads of a block, in each direction */

/* What the threads of a block access at a site, an element each: thread (tx,ty)
 * the element (row + ty, col + tx) of the array as a matrix. */
struct defect_tile {
	const struct trace_array *array;	/* NULL: there is no such tile */
	uint32_t line;
	int64_t row, col;
	uint32_t rows, cols;
	/* Its last rows and columns that lie outside the matrix. */
	uint32_t below, right;
	/* What was read instead, where the place is in the array all the
	 * same; by ty and tx. */
	bool has[DEFECT_SIDE][DEFECT_SIDE];
	double value[DEFECT_SIDE][DEFECT_SIDE];
};

/* A barrier of the finding's block, and the lanes of each warp that came. */
struct defect_meeting {
	bool known;
	uint32_t line, threads, come;
	uint32_t lanes[DEFECT_SIDE];
};

/* How often something happened in the whole launch. */
enum defect_count_kind { COUNT_FINDING, COUNT_NEXT_ROW, COUNT_UNSTORED };
struct defect_count {
	enum defect_count_kind kind;
	const struct trace_finding *finding;
	const struct trace_array *array;
	uint64_t n, of;		/* of: how many it could be; 0: no limit */
};
#define DEFECT_COUNTS 4

struct defect_facts {
	size_t index;		/* the finding's; the facts hold for it alone */
	struct defect_tile tile, second;
	struct defect_meeting meeting;
	struct defect_count counts[DEFECT_COUNTS];
	size_t count_count;
	uint64_t most;		/* the largest of all n and of: a whole bar */
	/* rows * cols of the finding's array, or NULL: the elements that have
	 * such a finding, in the block and phase of this one; of a result, all
	 * that are wrong. */
	bool *marks;
	uint32_t rows, cols, marked;
};

/* Computes scene.facts. */
void scene_defect_facts(struct stage *s, const struct turns *t);

/* A line that a repaired kernel lacks (-) or has more (+). */
struct defect_change { char sign; uint32_t line; const char *text; };
#define DEFECT_CHANGES 8
struct defect_fix {
	const char *kernel, *repaired;	/* names of the table */
	struct defect_change changes[DEFECT_CHANGES];	/* sign 0: no more */
};
/* Returns how a kernel of the museum is repaired, or NULL. */
const struct defect_fix *defect_fix(const char *kernel);

#endif
